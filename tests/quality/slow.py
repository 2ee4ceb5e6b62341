"""Measures as their definitions say them, with no care for time."""

import numpy as np


def slow_neighbors(X, k):
    """The k nearest others of each object, lower numbers first where distances agree."""
    D = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    np.fill_diagonal(D, np.inf)
    return np.argsort(D, axis=1, kind="stable")[:, :k]


def slow_ranks(X):
    """The rank of each object for each: 1 for the nearest, N for itself; of equal distances the first is nearer."""
    D = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    np.fill_diagonal(D, np.inf)
    order = np.argsort(D, axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(1, len(X) + 1)[None], axis=1)
    return ranks


def slow_trust(X, Y, k):
    """Each object's trustworthiness."""
    r, s, N = slow_ranks(X), slow_ranks(Y), len(X)
    late = ((s <= k) & (r > k)) * (r - k)
    return 1 - 2 / (k * (2 * N - 3 * k - 1)) * late.sum(axis=1)
