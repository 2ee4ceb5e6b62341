"""Lecture 8: widths and gaps of groups in data and map; what a map keeps, and what chance would keep."""

from typing import Any

import numpy as np
from scipy.spatial.distance import pdist, squareform
from scipy.stats import spearmanr

from notebook_sne.course.tasks import Posed, digits, returned, values
from notebook_sne.engine.checks.arrays import Array, Floats
from notebook_sne.models.tsne import TSNE

__all__ = ["gaps_of", "long", "recall_of", "short", "widths_of"]


def widths_of(X: Floats, labels: Array) -> Floats:
    """Return the root mean squared distance of each group's objects from their mean."""
    groups = [X[labels == c] for c in range(3)]
    return np.array([np.sqrt(np.square(G - G.mean(axis=0)).sum(axis=1).mean()) for G in groups])


def gaps_of(X: Floats, labels: Array) -> Floats:
    """Return the distances of the means 0 and 1, 0 and 2, 1 and 2."""
    means = np.array([X[labels == c].mean(axis=0) for c in range(3)])
    return np.array([np.linalg.norm(means[a] - means[b]) for a, b in ((0, 1), (0, 2), (1, 2))])


def short(generator: np.random.Generator) -> Posed:
    """Three groups of unequal width at unequal gaps, and their map."""
    labels = np.repeat(np.arange(3), 40)
    widths = generator.permutation([0.2, 1.0, 4.0]) * generator.uniform(0.8, 1.2, size=3)
    means = 30.0 * np.linalg.qr(generator.normal(size=(10, 3)))[0].T
    means[int(generator.integers(3))] *= 5.0  # one group is much farther off than the others are from each other
    X = means[labels] + widths[labels, None] * generator.normal(size=(120, 10))
    seed = int(generator.integers(1000))
    Y = TSNE(perplexity=15, max_iter=400, init="random", random_state=seed, progress=False).fit_transform(X)

    both = (X, Y)
    widths, gaps = (np.stack([of(A, labels) for A in both]) for of in (widths_of, gaps_of))
    spread = widths.max(axis=1) / widths.min(axis=1)
    parts = {
        "widths": values(2, "root mean squared distance of the objects of group 0, 1 and 2 from their mean: in X, then "
                         "in Y, shape (2, 3)", widths, [
            (widths[::-1], "has the map in the first row and the data in the second"), (widths**2, "holds squares"),
            (np.stack([_per_axis(A, labels) for A in both]), "is a standard deviation along one axis"),
            (np.stack([_mean_distance(A, labels) for A in both]), "is a mean of distances, not the root of a mean of "
             "squares"),
        ], least=0.0),
        "gaps": values(1, "distances of the means of groups 0 and 1, 0 and 2, 1 and 2: in X, then in Y, shape (2, 3)",
                       gaps, [
            (gaps[::-1], "has the map in the first row and the data in the second"), (gaps**2, "holds squares"),
            (gaps[:, [0, 2, 1]], "has the pairs in another order than 0 and 1, 0 and 2, 1 and 2"),
        ], least=0.0),
        "spread": values(1, "width of the widest group over that of the narrowest: in X, then in Y", spread, [
            (spread[::-1], "has the map first"), (spread**2, "is a ratio of squares"),
        ], least=1.0),
    }  # fmt: skip
    return Posed("Sizes and gaps, measured", {"X": X, "Y": Y, "labels": labels}, parts)


def _per_axis(X: Floats, labels: Array) -> Floats:
    return np.array([X[labels == c].std() for c in range(3)])


def _mean_distance(X: Floats, labels: Array) -> Floats:
    groups = [X[labels == c] for c in range(3)]
    return np.array([np.linalg.norm(G - G.mean(axis=0), axis=1).mean() for G in groups])


def _nearest(X: Floats, k: int) -> Any:
    D = squareform(pdist(X))
    np.fill_diagonal(D, np.inf)
    return np.argsort(D, axis=1, kind="stable")[:, :k]


def recall_of(X: Floats, Y: Floats, k: int) -> float:
    """Return the share of the k nearest in X that are among the k nearest in Y."""
    return float(np.mean([len(set(a) & set(b)) / k for a, b in zip(_nearest(X, k), _nearest(Y, k), strict=True)]))


def long(generator: np.random.Generator) -> Posed:
    """Neighbors kept and order of distances, on digits."""
    seed = int(generator.integers(1000))
    X = digits(generator, 150)
    Y = TSNE(perplexity=15, max_iter=400, random_state=seed, progress=False).fit_transform(X)
    k = int(generator.choice([5, 7, 10]))
    n, few = int(generator.integers(200, 900)), int(generator.integers(8, 30))
    # A small pair of sets on which a wrong way of counting shows: more than one map, and no map of t-SNE.
    small, drawn = generator.normal(size=(25, 4)), generator.normal(size=(25, 2))

    recall, near = recall_of(small, drawn, 6), [_nearest(small, 6), _nearest(drawn, 6)]
    own = np.mean([(len(set(a[:5]) & set(b[:5])) + 1) / 6 for a, b in zip(*near, strict=True)])
    of_either = np.mean([len(set(a) & set(b)) / len(set(a) | set(b)) for a, b in zip(*near, strict=True)])

    a, b = pdist(X), pdist(Y)
    order, linear = spearmanr(a, b).statistic, np.corrcoef(a, b)[0, 1]
    ends = a <= np.quantile(a, 0.1), a >= np.quantile(a, 0.9)
    by_distance = np.array([spearmanr(a[at], b[at]).statistic for at in ends])
    of_ends = np.array([np.corrcoef(a[at], b[at])[0, 1] for at in ends])

    data = {"X": X, "Y": Y, "k": k, "n_objects": n, "n_neighbors": few}
    parts = {
        "recall": returned(5, "function of X, Y and k: share of the k nearest in X that are among the k nearest in Y",
                           [small, drawn, 6], recall, [
            (own, "counts each object among its own neighbors"), (6 * recall, "is a number of neighbors and no share"),
            ((near[0] == near[1]).mean(), "asks for the same neighbors in the same order"),
            (of_either, "divides by the neighbors in either, not by k"),
        ], again=[([X, Y, k], recall_of(X, Y, k))]),
        "order": values(2, "rank correlation of all distances in X and in Y, each pair once, a number", order, [
            (linear, "correlates the distances and not their ranks"),
        ], within=1e-4),
        "by_distance": values(3, "the same of the tenth of the pairs that are nearest in X, and of the tenth that are "
                              "farthest", by_distance, [
            (by_distance[::-1], "has the far pairs first"), (of_ends, "correlates the distances and not their ranks"),
        ], within=0.02),
        "chance": values(2, "recall of n_neighbors that a map without meaning of n_objects objects has on average",
                         few / (n - 1), [
            (few / n, "lets an object be its own neighbor"), (1 / (n - 1), "is that of one neighbor"),
            (1 / few, "does not depend on how many objects there are"),
        ]),
    }  # fmt: skip
    return Posed("What has the map kept?", data, parts)
