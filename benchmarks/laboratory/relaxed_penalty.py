"""The reputable hack: a penalty that keeps the map small at first, and is gradually relaxed.  [Hinton2013]

600 digits of 8 x 8 pixels, 60 a class, others for every seed; symmetric SNE, and t-SNE without exaggeration, which is
the disreputable hack; perplexity 30, one random start for all, 1000 updates, and L-BFGS from there to the bottom, so
that no run is judged before it has settled. The penalty is (lambda / 2) |y|^2 nats a point. Near one place the cost
pushes a point apart by 4 / N of its distance from the others at most, whatever P is: at lambda = 4 / N a small map
stays small, and as lambda falls symmetry is broken one direction after another. So that is the first value, which fades
as exp(-t / time) with each of three times. *Better* and *worse* count the seeds in which the cost differs by more than
a thousandth from that without a penalty, and *than PCA* from that of a PCA start without one.
"""

import sys

import numpy as np

import notebook_sne as ns
from benchmarks.record import extremes, keep

SEEDS, UPDATES, CLASS = range(12), 1000, 60
TIMES = (12, 50, 90)
MODELS = {"symmetric SNE": (ns.SymmetricSNE, {}), "t-SNE": (ns.TSNE, {"exaggeration": ns.Steps(1.0, 1.0, at=0)})}
SHARED = {"perplexity": 30, "n_jobs": 1, "progress": False}
PCA = "none, PCA start"


def settings(n_objects):
    """Return {how the run begins: options}."""
    relaxed = {f"fading in {time}": {"penalty": ns.Decay(4 / n_objects, time)} for time in TIMES}
    return {"none": {}, **relaxed, PCA: {"init": "pca"}}


def cost(kind, X, seed, options):
    """Return the cost at the bottom of the hollow in which a run of so many updates ends."""
    given = {**SHARED, "random_state": seed}
    model = kind(**{**given, "init": "random", "max_iter": UPDATES, **options}).fit(X)
    plainly = {name: value for name, value in options.items() if name == "exaggeration"}
    return kind(**given, **plainly, init=model.embedding_, optimizer="lbfgs", max_iter=1000).fit(X).cost_


def main():
    """Measure, print and keep."""
    digits, rows = ns.datasets.load_digits(), []
    for name, (kind, plainly) in MODELS.items():
        found = {}
        for seed in SEEDS:
            X = digits.sample(CLASS, random_state=seed).X
            for title, options in settings(len(X)).items():
                found.setdefault(title, []).append(cost(kind, X, seed, {**plainly, **options}))
            print(name, seed, [round(series[-1], 4) for series in found.values()], file=sys.stderr, flush=True)
        plain, pca = np.array(found["none"]), np.array(found[PCA])
        for title, series in found.items():
            own = np.array(series)
            row = {"model": name, "penalty": title, "seeds": len(own), **extremes(own, 5)}
            for other, than in ((plain, ""), (pca, " than PCA")):
                row[f"better{than}"] = int((own < other * 0.999).sum())
                row[f"worse{than}"] = int((own > other * 1.001).sum())
            rows.append(row)
    keep("relaxed_penalty", {"seeds": list(SEEDS), "objects": 10 * CLASS, "perplexity": 30, "updates": UPDATES}, rows)


if __name__ == "__main__":
    main()
