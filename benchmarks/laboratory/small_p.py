"""Leaving out the small p, [Hinton2002, section 5]: what does a map lose, judged by the whole P?

The paper's proposal: entries of P below a threshold become zero, the rest is made to sum to 1 again, and pairs whose p
are all zero are left out of the gradient if their q are small. Here 3000 USPS digits, 600 each of 0-4, perplexity 15,
SNE by default settings; P over all pairs, and what `affinities.keep_large` leaves of it. The cost is always that of
the whole P, by one formula, so that costs compare. The pairs without p still repel: by a mesh from 2500 objects on,
which is our way to leave out the small q.
"""

import time

import numpy as np

import notebook_sne as ns
from benchmarks.record import keep
from notebook_sne.engine.mathematics import sne

SEEDS, THRESHOLDS = range(3), (1e-8, 1e-6, 1e-5, 1e-4)


def main():
    """Measure, print and keep."""
    usps, runs, rows = ns.datasets.fetch_usps(), {}, []
    for seed in SEEDS:
        digits = usps.sample(600, labels=range(5), random_state=seed)
        whole = ns.affinities.conditional(digits.X, 15)
        pairs = sne.attractive_pairs(whole)
        # One start for all: principal components belong to vectors, which a P is not.
        first = ns.SNE(perplexity=15, random_state=seed, n_jobs=1, progress=False)
        start = next(iter(first.iterate(digits.X))).embedding
        for threshold in (0.0, *THRESHOLDS):
            P, dropped = ns.affinities.keep_large(whole, threshold) if threshold else (whole, 0.0)
            began = time.perf_counter()
            model = ns.SNE(input="probabilities", init=start, random_state=seed, n_jobs=1, progress=False).fit(P)
            seconds = time.perf_counter() - began
            stored = P.nnz if threshold else np.count_nonzero(P)
            cost = sne.cost_and_gradient(pairs, model.embedding_).cost
            error = ns.quality.knn_error(model.embedding_, digits.labels)
            runs.setdefault(threshold, []).append((stored / len(digits), dropped, cost, error, seconds))
            print(seed, threshold, *(f"{value:.5g}" for value in runs[threshold][-1]), flush=True)
    without = np.array(runs[0.0])[:, 2]
    for threshold, values in runs.items():
        stored, dropped, cost, error, seconds = np.array(values).T
        more = cost / without - 1
        rows.append(
            {
                "threshold": threshold,
                "seeds": len(values),
                "pairs an object, median": round(float(np.median(stored)), 1),
                "mass left out, median": float(f"{np.median(dropped):.2g}"),
                "cost by the whole P, median": round(float(np.median(cost)), 1),
                "cost by the whole P, range": f"{cost.min():.1f}-{cost.max():.1f}",
                "more than with all, least": round(float(more.min()), 4) + 0.0,
                "more than with all, greatest": round(float(more.max()), 4) + 0.0,
                "1-NN error, median": round(float(np.median(error)), 4),
                "seconds, median": round(float(np.median(seconds)), 2),
            }
        )
    keep("small_p", {"seeds": list(SEEDS), "objects": 3000, "perplexity": 15}, rows)


if __name__ == "__main__":
    main()
