"""The digits of [Hinton2002, Fig. 1] by PCA, SNE and symmetric SNE.

3000 USPS digits, 600 each of 0-4, 256 raw pixels, perplexity 15, other images for every seed. The paper says beside its
figure that two principal components do not separate the classes nearly as cleanly as SNE; the lecture [Hinton2013],
that symmetric SNE seems to work about equally well. Judged by the hold-one-out 1-NN error, and by the share of ten
nearest neighbors among the pixels that are among the ten nearest in the map.
"""

import time

from sklearn.decomposition import PCA

import notebook_sne as ns
from benchmarks.record import keep, spread

SEEDS = range(2)


def main():
    """Measure, print and keep."""
    usps, runs, rows = ns.datasets.fetch_usps(), {}, []
    for seed in SEEDS:
        digits = usps.sample(600, labels=range(5), random_state=seed)
        shared = {"perplexity": 15, "random_state": seed, "n_jobs": 1, "progress": False}
        for name, technique in (
            ("PCA", PCA(2, random_state=0)),
            ("SNE", ns.SNE(**shared)),
            ("symmetric SNE", ns.SymmetricSNE(**shared)),
        ):
            began = time.perf_counter()
            Y = technique.fit_transform(digits.X)
            seconds = time.perf_counter() - began
            error, kept = ns.quality.knn_error(Y, digits.labels), ns.quality.neighbor_recall(digits.X, Y, k=10)
            runs.setdefault(name, []).append((error, kept, seconds))
            print(seed, name, *(f"{value:.4g}" for value in runs[name][-1]), flush=True)
    for name, values in runs.items():
        rows.append({"map": name, "seeds": len(values), **spread(("1-NN error", "neighbors kept"), values)})
    keep("same_digits", {"seeds": list(SEEDS), "objects": 3000, "perplexity": 15}, rows)


if __name__ == "__main__":
    main()
