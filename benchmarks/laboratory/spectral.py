"""The spectral direction [Vladymyrov2012] beside momentum: after how many updates is it as far down?

5000 MNIST images, the default perplexity, the default start on principal components, at most 500 updates. Momentum
makes a default fit; what it ends with is the mark. Each other way goes on until it is there, or has made as many
updates as momentum. Seconds are those of one processor's work, factors included, the search for P, which all share,
left out.
"""

import itertools
import time

import numpy as np

import notebook_sne as ns
from benchmarks.record import keep
from notebook_sne.engine.fitting.inputs import target

PLAINLY = {"exaggeration": ns.Steps(1.0, 1.0, at=0)}
WAYS = {
    "SNE": (ns.SNE, (("spectral", {}), ("lbfgs", {}))),
    "symmetric SNE": (ns.SymmetricSNE, (("spectral", {}), ("lbfgs", {}))),
    "t-SNE": (ns.TSNE, (("spectral", PLAINLY), ("lbfgs", PLAINLY))),
}
SHARED = {"random_state": 0, "n_jobs": 1, "progress": False, "max_iter": 500}
NEAR = 1e-4  # of the mark: nobody sees a difference


def followed(states, mark, most):
    """Return costs and the work's seconds of a run until its cost is the mark, or it has made so many updates."""
    costs, seconds, began = [], [], time.process_time()
    for state in itertools.islice(states, most + 1):
        costs.append(state.cost)
        seconds.append(time.process_time() - began)
        if mark is not None and state.cost <= mark * (1 + NEAR):
            break
    return np.array(costs), np.array(seconds)


def main():
    """Measure, print and keep."""
    X = ns.datasets.load_mnist_5000().X.astype(float)
    held = [target(X, "vectors", 30.0, convention) for convention in ("conditional", "joint")]  # found again by all
    rows = []
    for name, (kind, others) in WAYS.items():
        fit = kind(**SHARED).fit(X)
        mark = float(fit.trace_["cost"].min())
        for optimizer, more in (("momentum", {}), *others):
            costs, seconds = followed(kind(optimizer=optimizer, **SHARED, **more).iterate(X), mark, fit.n_iter_)
            there = costs[-1] <= mark * (1 + NEAR)
            rows.append(
                {
                    "model": name,
                    "optimizer": optimizer + (", not exaggerated" if more else ""),
                    "momentum's KL": round(mark, 4),
                    "updates to it": len(costs) - 1 if there else None,
                    "KL after 20": round(float(costs[min(20, len(costs) - 1)]), 4),
                    "KL at the end": round(float(costs[-1]), 4),
                    "updates": len(costs) - 1,
                    "seconds of work": round(float(seconds[-1]), 1),
                }
            )
            print(rows[-1], flush=True)
    keep("laboratory_spectral", {"objects": len(X), "nonzero p": int(held[0].P.nnz), **SHARED}, rows)


if __name__ == "__main__":
    main()
