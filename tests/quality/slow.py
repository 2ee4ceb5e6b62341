"""Measures as their definitions say them, with no care for time."""

import numpy as np


def slow_neighbors(X, k):
    """The k nearest others of each object, lower numbers first where distances agree."""
    D = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    np.fill_diagonal(D, np.inf)
    return np.argsort(D, axis=1, kind="stable")[:, :k]
