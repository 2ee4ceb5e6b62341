"""Do non-linear autoencoders and non-linear MDS end elsewhere each time?  [Hinton2013]

300 digits of 8 x 8 pixels, the same for all, each method from five random starts: a non-linear autoencoder, 64-50-20-2
and back; metric MDS, Sammon's map and the lecture's own version of it, whose errors are divided by the distances; t-SNE
and SNE beside them. By how much of the least cost the others are higher; *alike*: Procrustes disparity of each two of
the five maps, 0 for the same picture; how many of ten neighbors each two maps share; and the norm of the last gradient
over the largest of its run, which says how nearly it is at rest.
"""

import sys
from itertools import combinations

import numpy as np

import notebook_sne as ns
from benchmarks.record import extremes, keep

SEEDS = range(5)
QUIET = {"n_jobs": 1, "progress": False}


def methods(X):
    """Return {name: (how a fit from a seed is made, its objects)}."""
    D = np.linalg.norm(X[:, None] - X, axis=2) + np.eye(len(X))
    random = {"init": "random", **QUIET}
    return {
        "metric MDS": (ns.baselines.MetricMDS(max_iter=5000, **random), X),
        "Sammon": (ns.baselines.Sammon(max_iter=5000, **random), X),
        "errors over distances": (ns.baselines.MetricMDS(weights=1 / D**2, max_iter=5000, **random), X),
        "SNE": (ns.SNE(**random), X),
        "t-SNE": (ns.TSNE(**random), X),
        "autoencoder": (ns.networks.Autoencoder(hidden=(50, 20), max_iter=500, **QUIET), X / 16),
    }


def main():
    """Measure, print and keep."""
    X, rows = ns.datasets.load_digits().sample(30, random_state=0).X, []
    for name, (model, objects) in methods(X).items():
        fits = []
        for seed in SEEDS:
            fit = type(model)(**model.get_params(deep=False)).set_params(random_state=seed).fit(objects)
            fits.append(fit)
            print(name, seed, fit.n_iter_, fit.cost_, file=sys.stderr, flush=True)
        costs = np.array([fit.cost_ for fit in fits])
        alike = ns.quality.stability([fit.embedding_ for fit in fits])
        rest = [fit.trace_["gradient_norm"].iloc[-1] / fit.trace_["gradient_norm"].max() for fit in fits]
        pairs = tuple(zip(*combinations(range(len(fits)), 2), strict=True))
        for measure, series in (
            ("cost over the least, less 1", costs / costs.min() - 1),
            ("alike", alike.disparities[pairs]),
            ("neighbors shared", alike.recalls[pairs]),
            ("last gradient over the largest", rest),
        ):
            rows.append({"measure": f"{name}: {measure}", "starts": len(fits), **extremes(series, 3)})
            print(rows[-1], file=sys.stderr, flush=True)
    keep("optima", {"seeds": list(SEEDS), "objects": len(X)}, rows)


if __name__ == "__main__":
    main()
