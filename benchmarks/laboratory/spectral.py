"""The spectral direction [Vladymyrov2012] beside momentum: after how many updates, and seconds, is it as far down?

5000 MNIST images, the default perplexity, the default start on principal components. Momentum makes a default fit; what
it ends with is the mark. Each other way goes on until it is there, or its own fit would end. Seconds are those of the
updates, factors included, without the search for P, which all share; the machine's load is kept beside them.

    python -m benchmarks.laboratory.spectral
"""

import itertools

import numpy as np

import notebook_sne as ns
from benchmarks.record import keep, load
from notebook_sne.fitting.inputs import target

NOT_EXAGGERATED = {"exaggeration": ns.Steps(1.0, 1.0, at=0)}
MODELS = {"SNE": (ns.SNE, {}), "symmetric SNE": (ns.SymmetricSNE, {}), "t-SNE": (ns.TSNE, {})}
OTHERS = {
    "SNE": (("spectral", {}), ("lbfgs", {})),
    "symmetric SNE": (("spectral", {}), ("lbfgs", {})),
    "t-SNE": (("spectral", {}), ("spectral", NOT_EXAGGERATED), ("lbfgs", {})),
}
MOST = 1000
SHARED = {"random_state": 0, "n_jobs": 1, "progress": False, "max_iter": MOST}


def main():
    """Measure, print and keep."""
    X, labels = ns.datasets.load_mnist_5000().X.astype(float), ns.datasets.load_mnist_5000().labels
    held = [target(X, "vectors", 30.0, convention) for convention in ("conditional", "joint")]  # found again by all
    rows = []
    for name, (model, options) in MODELS.items():
        mark = None
        for optimizer, more in (("momentum", {}), *OTHERS[name]):
            began = load()
            fitted = model(optimizer=optimizer, **SHARED, **options, **more).fit(X)
            costs, seconds = (fitted.trace_[column].to_numpy() for column in ("cost", "seconds"))
            mark = costs.min() if mark is None else mark
            # To a ten-thousandth, beyond which nobody sees a difference.
            there = next(itertools.chain(np.flatnonzero(costs <= mark * (1 + 1e-4)), [None]))
            rows.append(
                {
                    "model": name,
                    "optimizer": optimizer + (", not exaggerated" if more else ""),
                    "updates": int(fitted.n_iter_),
                    "KL at the end": round(float(fitted.cost_), 4),
                    "1-NN error": round(float(ns.quality.knn_error(fitted.embedding_, labels)), 4),
                    "KL after 50": round(float(costs[min(50, len(costs) - 1)]), 4),
                    "seconds": round(float(seconds[-1]), 1),
                    "updates to momentum's KL": None if there is None else int(there),
                    "seconds to it": None if there is None else round(float(seconds[there]), 1),
                    "load": began,
                }
            )
            print(rows[-1], flush=True)
    keep("laboratory_spectral", {"objects": len(X), "nonzero p": int(held[0].P.nnz), **SHARED}, rows)


if __name__ == "__main__":
    main()
