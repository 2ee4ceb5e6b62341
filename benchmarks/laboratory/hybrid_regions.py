"""Do the images of hybrid digits keep out of the third class? [Hinton2002, section 4]

The paper says that the components of each hybrid always lay in the regions of the two parents and never in that of the
third class. `benchmarks.experiments.e6_hybrids` asks for more, one image in the region of each parent; here it is as
the paper says it. The data, two of the settings and the judge are those of that experiment: a place is in the region of
the class that the five nearest images of ordinary digits vote for. *In the third*: hybrids with an image in the region
of the class that is no parent, among all hybrids and among those that are separated. *By chance*: the same if each
image were a place of an ordinary digit, any of them as likely, so 1 - (2/3)^2.
"""

import time

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

import notebook_sne as ns
from benchmarks.experiments.e6_hybrids import THRESHOLD, settings
from benchmarks.record import keep, spread

SEEDS = range(1)
SETTINGS = ("simplified, tied start, pull 0.2",)


def third(maps, labels):
    """Return the share of hybrids that have an image in the third region, of all and of those separated."""
    hybrid = np.char.find(labels, "+") >= 0
    places = maps.reshape(-1, maps.shape[2])
    radius = np.sqrt(np.square(places - places.mean(axis=0)).sum(axis=1).mean())
    apart = np.linalg.norm(maps[0] - maps[1], axis=1)[hybrid] > THRESHOLD * radius
    judge = KNeighborsClassifier(5).fit(maps[:, ~hybrid].reshape(-1, maps.shape[2]), np.tile(labels[~hybrid], 2))
    parents = np.char.partition(labels[hybrid], "+")[:, [0, 2]]
    strange = np.zeros(hybrid.sum(), dtype=bool)
    for Y in maps[:, hybrid]:
        strange |= (judge.predict(Y)[:, None] != parents).all(axis=1)
    return strange.mean(), strange[apart].mean(), apart.mean()


def main():
    """Measure, print and keep."""
    runs, rows = {}, []
    for seed in SEEDS:
        data = ns.datasets.load_hybrid_digits(300, 100, digits=ns.datasets.fetch_usps(), random_state=seed)
        models = settings(data.X, seed)
        for name in SETTINGS:
            began = time.perf_counter()
            model = models[name].fit(data.X)
            runs.setdefault(name, []).append((*third(model.maps_, data.labels), time.perf_counter() - began))
            print(seed, name, *(f"{value:.3g}" for value in runs[name][-1]), flush=True)
    for name, values in runs.items():
        cells = spread(("of all", "of separated", "separated"), values, 3)
        rows.append({"settings": name, "seeds": len(values), **cells})
    keep("hybrid_regions", {"seeds": list(SEEDS), "threshold": THRESHOLD, "chance": round(1 - (2 / 3) ** 2, 3)}, rows)


if __name__ == "__main__":
    main()
