"""Are the nearest neighbors in the data still neighbors in the map?"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.quality.neighbors import check_k, check_pair, neighbors

__all__ = ["neighbor_recall"]


def neighbor_recall(X: ArrayLike, Y: ArrayLike, k: int = 10) -> float:
    """Return the share of the objects' k nearest neighbors in X that are among their k nearest in Y.

    Parameters
    ----------
    X : array-like, shape (N, n_features)
        The objects.
    Y : array-like, shape (N, d)
        Their map points.
    k : int, default=10
        Number of neighbors, 1 <= k < N.

    Returns
    -------
    recall : float
        From 0 to 1, the mean over objects; k / (N - 1) is what a random map has.

    Raises
    ------
    ValueError
        If X or Y is not a finite array of at least 3 objects, they differ in number, or k is out of range.
    """
    X, Y = check_pair(X, Y, "X", "Y")
    k = check_k(k, len(X) - 1, "N")
    both = np.sort(np.hstack([neighbors(X, k), neighbors(Y, k)]), axis=1)
    # No object is twice among the k of one space, so what stands there twice is in both.
    return float((both[:, 1:] == both[:, :-1]).sum() / (len(X) * k))
