"""Which perplexity and which exaggeration for large data: ``python -m benchmarks.large``, for the guide.

t-SNE by its defaults from principal components, perplexity 30 and N/100, exaggerated by 12 for 125 updates and then by
1 or 4: all 70,000 images of MNIST, 20,000 of them, both in 50 components, and 10,000 words of GloVe at unit length.
Neighbors in the data are those of the fitted rows, judged by all; between classes (words: 30 groups that k-means
finds in the data) the rank correlation of the distances of means in data and map.
"""

import sys
from time import process_time

import numpy as np
from scipy.spatial.distance import pdist
from scipy.stats import spearmanr
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA

import notebook_sne as ns
from benchmarks import glove
from benchmarks.record import keep, kept_rows, load


def tables():
    """Return rows and classes of each table, by its name."""
    digits = ns.datasets.fetch_mnist("both", progress=False)
    X = PCA(50, random_state=0).fit_transform(digits.X / 255.0).astype(np.float32)
    some = np.random.default_rng(0).permutation(len(X))[:20_000]
    words = glove.vectors(10_000)[1]
    words /= np.linalg.norm(words, axis=1, keepdims=True)
    groups = KMeans(30, n_init=4, random_state=0).fit_predict(words)
    return {"MNIST": (X, digits.labels), "MNIST, a sample": (X[some], digits.labels[some]), "words": (words, groups)}


def between(A, classes):
    """Return the distances between the means of classes."""
    return pdist(np.array([A[classes == c].mean(axis=0) for c in np.unique(classes)]))


def main(*names):
    """Measure the tables that are named, or all, and keep."""
    for name, (X, classes) in tables().items():
        if names and name not in names:
            continue
        apart = between(X, classes)
        for perplexity in (30, len(X) // 100):
            for exaggeration in (1, 4):
                began = process_time()
                model = ns.TSNE(perplexity=perplexity, exaggeration=ns.Steps(12, exaggeration, at=125), progress=False)
                Y = model.set_params(init="pca", random_state=0, max_iter=750).fit_transform(X)
                row = {"table": name, "objects": len(X), "perplexity": perplexity, "exaggeration": exaggeration}
                row["processor seconds"] = round(process_time() - began, 1)
                row |= {f"of {k} kept": round(ns.quality.neighbor_recall(X, Y, k), 3) for k in (10, 100)}
                row["between classes"] = round(float(spearmanr(apart, between(Y, classes)).statistic), 2)
                row |= {"another class nearest": round(ns.quality.knn_error(Y, classes), 3), "load": load()}
                which = ("table", "perplexity", "exaggeration")
                others = [one for one in kept_rows("large") if any(one[key] != row[key] for key in which)]
                keep("large", {"max_iter": 750, "init": "pca"}, [*others, row])


if __name__ == "__main__":
    main(*sys.argv[1:])
