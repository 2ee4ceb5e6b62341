"""E13: which digits are taken for which? 4, 7, 9 and 3, 5, 8 in symmetric SNE and in UNI-SNE, [Cook2007, Fig. 7-8].

The samples of E2: 500 MNIST images a class, 30 principal components of all 60,000, perplexity 30. In a map without gaps
the classes that look alike run into each other; with a background they part. A digit is taken for the class of its
nearest neighbor in the map (hold-one-out). *Within* a group counts the digits of three classes that are taken for
another one of the same three.
"""

import time

import numpy as np
import pandas as pd
from sklearn.decomposition import PCA

import notebook_sne as ns
from benchmarks.record import keep

SEEDS = range(5)
GROUPS = ((4, 7, 9), (3, 5, 8))


def maps(pca, X, seed):
    """Yield (name, map, seconds)."""
    shared = {"perplexity": 30, "random_state": seed, "progress": False}
    yield "30 components", X, 0.0
    yield "PCA, 2 components", X[:, :2], 0.0
    for name, model in (
        ("symmetric SNE", ns.SymmetricSNE(**shared)),
        ("UNI-SNE", ns.UNISNE(**shared)),
        ("t-SNE", ns.TSNE(**shared)),
    ):
        began = time.perf_counter()
        Y = model.fit_transform(X)
        yield name, Y, time.perf_counter() - began


def main():
    """Measure, print and keep."""
    mnist = ns.datasets.fetch_mnist()
    pca = PCA(30, random_state=0).fit(mnist.X)
    tables, seconds = {}, {}
    for seed in SEEDS:
        sample = mnist.sample(500, random_state=seed)
        for name, Y, took in maps(pca, pca.transform(sample.X), seed):
            tables.setdefault(name, []).append(ns.quality.knn_confusion(Y, sample.labels))
            seconds.setdefault(name, []).append(took)
            wrong = 1 - np.trace(tables[name][-1].to_numpy()) / len(sample)
            print(seed, name, f"{wrong:.4f}", f"{took:.1f}", flush=True)
    rows, medians = [], {}
    for name, found in tables.items():
        counts = np.array([table.to_numpy() for table in found])  # (seeds, class, guessed)
        middle = pd.DataFrame(np.median(counts, axis=0).astype(int), index=found[0].index, columns=found[0].columns)
        medians[name] = middle.to_numpy().tolist()
        for group in GROUPS:
            size = counts[:, group].sum(axis=(1, 2))
            within = counts[:, group][:, :, group].sum(axis=(1, 2)) - sum(counts[:, k, k] for k in group)
            wrong = size - sum(counts[:, k, k] for k in group)
            pairs = {f"{a} for {b}": middle.loc[a, b] for a in group for b in group if a != b}
            worst = max(pairs, key=pairs.get)
            rows.append(
                {
                    "map": name,
                    "digits": ", ".join(map(str, group)),
                    "seeds": len(counts),
                    "within, median": round(float(np.median(within / size)), 4),
                    "within, range": f"{(within / size).min():.3f}-{(within / size).max():.3f}",
                    "taken for any other, median": round(float(np.median(wrong / size)), 4),
                    "most often": worst,
                    "of 500, median": int(pairs[worst]),
                    "seconds, median": round(float(np.median(seconds[name])), 1),
                }
            )
    settings = {"seeds": list(SEEDS), "objects": 5000, "perplexity": 30, "neighbors": 1}
    keep("e13_confusions", {**settings, "median counts, class by guessed": medians}, rows)


if __name__ == "__main__":
    main()
