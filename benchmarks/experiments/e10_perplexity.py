"""E10: the same data at perplexity 2, 5, 30, 50 and 100, [Nabney].

t-SNE from random starts. *Clusters* are four of the package's own, 50, 50, 200 and 200 objects, two narrow and two four
times as wide, every two centers equally far apart: *widths* is the root mean square radius of the two wide ones over
that of the two narrow ones (in the data 4), *gaps* the greatest distance between two centers over the least (in the
data 1); medians over the objects of a cluster, so that a straggler does not count. *Alike*: Procrustes disparity of
maps of the same data from two starts, 0 for the same picture, near 1 for no likeness.
"""

import itertools
import time

import numpy as np

import notebook_sne as ns
from benchmarks.experiments.e9_objects import vectors
from benchmarks.record import keep

SEEDS = range(5)
PERPLEXITIES = (2, 5, 30, 50, 100)


def shape(Y, labels):
    """Return the width of wide clusters over that of narrow ones, and the greatest gap over the least."""
    centers = np.array([np.median(Y[labels == k], axis=0) for k in range(4)])
    radii = np.array([np.median(np.linalg.norm(Y[labels == k] - centers[k], axis=1)) for k in range(4)])
    gaps = [np.linalg.norm(a - b) for a, b in itertools.combinations(centers, 2)]
    return (radii[1] + radii[3]) / (radii[0] + radii[2]), max(gaps) / min(gaps)


def main():
    """Measure, print and keep."""
    coil = ns.datasets.fetch_coil20()
    digits = ns.datasets.load_digits()
    clusters = {seed: ns.datasets.load_clusters(random_state=seed) for seed in SEEDS}
    views = vectors(coil.images / 255)
    rows = []
    for title in ("clusters", "digits", "COIL-20"):
        for perplexity in PERPLEXITIES:
            found, maps = [], []
            for seed in SEEDS:
                X, labels = {
                    "clusters": (clusters[seed].X, clusters[seed].labels),
                    "digits": (digits.X, digits.labels),
                    "COIL-20": (views, coil.labels),
                }[title]
                began = time.perf_counter()
                model = ns.TSNE(perplexity=perplexity, init="random", random_state=seed, n_jobs=1, progress=False)
                Y = model.fit_transform(X)
                seconds = time.perf_counter() - began
                shapes = shape(Y, labels) if title == "clusters" else (np.nan, np.nan)
                error, kept = ns.quality.knn_error(Y, labels), ns.quality.neighbor_recall(X, Y, k=10)
                found.append((error, kept, model.cost_, *shapes, seconds))
                maps.append(Y)
                print(title, perplexity, seed, *(f"{value:.4g}" for value in found[-1]), flush=True)
            names = ("1-NN error", "neighbors kept", "KL", "widths", "gaps", "seconds")
            row = {"data": title, "perplexity": perplexity, "seeds": len(SEEDS)}
            for name, values in zip(names, np.array(found).T, strict=True):
                if not np.isnan(values).any():
                    row[f"{name}, median"] = float(f"{np.median(values):.3g}")
                    if name != "seconds":
                        row[f"{name}, range"] = f"{values.min():.3g}-{values.max():.3g}"
            if title != "clusters":
                pairs = itertools.combinations(maps, 2)
                row["alike, median"] = round(
                    float(np.median([ns.quality.procrustes_disparity(a, b) for a, b in pairs])), 3
                )
            rows.append(row)
    keep("e10_perplexity", {"seeds": list(SEEDS), "perplexities": list(PERPLEXITIES)}, rows)


if __name__ == "__main__":
    main()
