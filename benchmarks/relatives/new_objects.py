"""How far a map that is a function misplaces new objects, beside `transform` of the same model without a network.

New objects are labeled by the nearest object of the fit, in the map. All settings are the defaults of the models, but
for the number of updates, 50 and 200 being shown: an early stop is the plainest remedy for a network that learns its
objects by heart. How many objects are fitted is shown as well. Objects of the fit and new ones are others in each seed.
"""

import sys
import time

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

import notebook_sne as ns
from benchmarks.record import keep
from notebook_sne.networks import ParametricMap

SEEDS = range(1, 6)
OWN = {"n_jobs": 1, "progress": False}
MAPS = {"t-SNE, 2 dimensions": (ns.TSNE, 2), "SNE, 10 dimensions": (ns.SNE, 10)}
FITTED = (600, 1200)
MOST_NEW = 1000


def fits(kind, d, seed):
    """Yield the name of a way, and its model."""
    yield "transform", kind(n_components=d, random_state=seed, **OWN)
    for updates in (50, 200):
        network = ParametricMap(model=kind(), n_components=d, max_iter=updates, random_state=seed, **OWN)
        yield f"network, {updates} updates", network


def main():
    """Measure, print and keep."""
    rows, digits = [], ns.datasets.load_digits()
    X, labels = digits.X / 16, digits.labels
    for n_fitted in FITTED:
        for title, (kind, d) in MAPS.items():
            found = {}
            for seed in SEEDS:
                order = np.random.default_rng(seed).permutation(len(X))
                known, new = order[:n_fitted], order[n_fitted : n_fitted + MOST_NEW]
                for way, model in fits(kind, d, seed):
                    began = time.perf_counter()
                    Y = model.fit_transform(X[known])
                    seconds = time.perf_counter() - began
                    nearest = KNeighborsClassifier(1).fit(Y, labels[known])
                    wrong = float(np.mean(nearest.predict(model.transform(X[new])) != labels[new]))
                    found.setdefault(way, []).append((wrong, seconds))
                    print(n_fitted, title, seed, way, found[way][-1], file=sys.stderr, flush=True)
            for way, measured in found.items():
                wrong = [each[0] for each in measured]
                rows.append({
                    "fitted": n_fitted,
                    "map": title,
                    "placed by": way,
                    "1-NN error of new ones, median": float(f"{np.median(wrong):.3g}"),
                    "range": f"{min(wrong):.3g} to {max(wrong):.3g}",
                    "seconds of a fit, median": round(float(np.median([each[1] for each in measured])), 1),
                })  # fmt: skip
    keep("new_objects", {"seeds": list(SEEDS), "new, at most": MOST_NEW}, rows, ["autograd"])


if __name__ == "__main__":
    main()
