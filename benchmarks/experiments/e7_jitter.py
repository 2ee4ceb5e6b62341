"""E7: is jitter that ends better than none? [Hinton2002, Fig. 1 and section 5; Cook2007, section 6]

Both papers add jitter to the map points, a lot at first and none at the end: [Hinton2002] a constant one, then none,
[Cook2007] one that fades. Annealing from where structure emerges is in `benchmarks.laboratory.annealing`. 600 USPS
digits (120 each of 0-4), perplexity 15, a random start that all recipes share, rate and momentum the defaults, and only
the jitter different. Every map is polished by L-BFGS, so that all are compared at the bottom of the hollow that they
ended in. *Better* counts the seeds whose cost is lower than without jitter by more than 1 nat in SNE, 1 / 600 nat in
symmetric SNE, whose cost is an average over objects.
"""

import time

import numpy as np

import notebook_sne as ns
from benchmarks.record import keep

SEEDS = range(12)
N_EACH = 120
JITTERS = {
    "none": 0.0,
    "0.3 for 500 updates, then none": ns.Steps(0.3, 0.0, at=500),
    "0.1 for 500 updates, then none": ns.Steps(0.1, 0.0, at=500),
    "fading: 0.3 exp(-t / 86)": ns.Decay(0.3, 86.0),
}
KINDS = {"SNE": ns.SNE, "symmetric SNE": ns.SymmetricSNE}


def polished(kind, X, seed, **options):
    """Return (cost after polishing, map, seconds of all)."""
    shared = {"perplexity": 15, "random_state": seed, "n_jobs": 1, "progress": False}
    began = time.perf_counter()
    model = kind(**{"init": "random", "max_iter": 1000, **shared, **options}).fit(X)
    model = kind(init=model.embedding_, optimizer="lbfgs", max_iter=1000, **shared).fit(X)
    return model.cost_, model.embedding_, time.perf_counter() - began


def main():
    """Measure, print and keep."""
    usps, rows = ns.datasets.fetch_usps(), []
    samples = {seed: usps.sample(N_EACH, labels=range(5), random_state=seed) for seed in SEEDS}
    for name, kind in KINDS.items():
        recipes = {title: {"jitter": jitter} for title, jitter in JITTERS.items()}
        recipes["none, L-BFGS from the start"] = {"optimizer": "lbfgs"}
        recipes["none, PCA start"] = {"init": "pca"}
        without, nat = None, 1.0 if kind is ns.SNE else 1.0 / (5 * N_EACH)
        for title, options in recipes.items():
            found = []
            for seed, digits in samples.items():
                cost, Y, seconds = polished(kind, digits.X, seed, **options)
                found.append((cost, ns.quality.knn_error(Y, digits.labels), seconds))
                print(name, title, seed, *(f"{value:.5g}" for value in found[-1]), flush=True)
            cost, error, seconds = np.array(found).T
            without = cost if without is None else without
            rows.append(
                {
                    "model": name,
                    "jitter": title,
                    "seeds": len(SEEDS),
                    "cost, median": float(f"{np.median(cost):.5g}"),
                    "cost, least": float(f"{cost.min():.5g}"),
                    "cost, greatest": float(f"{cost.max():.5g}"),
                    "less than without, median": float(f"{np.median(without - cost):.3g}"),
                    "less than without, standard error": float(
                        f"{np.std(without - cost, ddof=1) / len(cost) ** 0.5:.2g}"
                    ),
                    "better": int((without - cost > nat).sum()),
                    "worse": int((cost - without > nat).sum()),
                    "1-NN error, median": round(float(np.median(error)), 4),
                    "seconds, median": round(float(np.median(seconds)), 2),
                }
            )
    keep("e7_jitter", {"seeds": list(SEEDS), "objects": 5 * N_EACH, "perplexity": 15}, rows)


if __name__ == "__main__":
    main()
