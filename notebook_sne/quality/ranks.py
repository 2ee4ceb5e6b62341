"""Are neighbors in the map near in the data?"""

from __future__ import annotations

from numpy.typing import ArrayLike

from notebook_sne.checks import check_dense_size
from notebook_sne.quality.neighbors import check_k, check_pair

__all__ = ["trustworthiness"]


def trustworthiness(X: ArrayLike, Y: ArrayLike, k: int = 10) -> float:
    """Return how far the k nearest in the map can be trusted to be near in the data.

    A map point among the k nearest of another that is not among its k nearest in the data costs as many ranks as it
    comes too late there; 1 is no such cost.  [Venna and Kaski, 2001; scikit-learn's ``trustworthiness``]

    Parameters
    ----------
    X : array-like, shape (N, n_features)
        The objects, at most 10,000 of them: ranks are taken over all pairs.
    Y : array-like, shape (N, d)
        Their map points.
    k : int, default=10
        Number of neighbors, 1 <= k < N / 2.

    Returns
    -------
    trust : float
        From 0 to 1.

    Raises
    ------
    ValueError
        If X or Y is not a finite array of at least 3 objects, they differ in number or are too many, or k is out of
        range.
    """
    from sklearn.manifold import trustworthiness as of_scikit_learn

    X, Y = check_pair(X, Y, "X", "Y")
    k = check_k(k, (len(X) - 1) // 2, "N / 2")
    check_dense_size(len(X))
    return float(of_scikit_learn(X, Y, n_neighbors=k))
