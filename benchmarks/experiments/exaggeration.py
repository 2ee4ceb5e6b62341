"""Early exaggeration, [Maaten2008, section 3.4]: is t-SNE better with it?

2000 USPS digits, 200 a class, perplexity 30, a random start that all settings share, 1000 updates. Exaggeration 4 holds
for 50 updates, as in the paper, or 12 for 250, as is the custom now; without any the rate is the same. Every seed draws
its own digits.
"""

import time

import numpy as np

import notebook_sne as ns
from benchmarks.record import keep

SEEDS = range(5)
RATE = 200.0
SETTINGS = {
    "none": 1.0,
    "4 for 50 updates": ns.Steps(4.0, 1.0, at=50),
    "12 for 250 updates": ns.Steps(12.0, 1.0, at=250),
}


def main():
    """Measure, print and keep."""
    usps, rows = ns.datasets.fetch_usps(), []
    samples = {seed: usps.sample(200, random_state=seed) for seed in SEEDS}
    for start in ("random", "pca"):
        for title, exaggeration in SETTINGS.items():
            found = []
            for seed, digits in samples.items():
                shared = {"learning_rate": RATE, "init": start, "random_state": seed, "n_jobs": 1, "progress": False}
                began = time.perf_counter()
                model = ns.TSNE(perplexity=30, exaggeration=exaggeration, **shared).fit(digits.X)
                seconds = time.perf_counter() - began
                found.append((model.cost_, ns.quality.knn_error(model.embedding_, digits.labels), seconds))
                print(start, title, seed, *(f"{value:.4g}" for value in found[-1]), flush=True)
            cost, error, seconds = np.array(found).T
            rows.append(
                {
                    "start": start,
                    "exaggeration": title,
                    "seeds": len(SEEDS),
                    "KL, median": round(float(np.median(cost)), 4),
                    "KL, range": f"{cost.min():.3f}-{cost.max():.3f}",
                    "1-NN error, median": round(float(np.median(error)), 4),
                    "1-NN error, range": f"{error.min():.4f}-{error.max():.4f}",
                    "seconds, median": round(float(np.median(seconds)), 1),
                }
            )
    keep("exaggeration", {"seeds": list(SEEDS), "objects": 2000, "perplexity": 30, "learning rate": RATE}, rows)


if __name__ == "__main__":
    main()
