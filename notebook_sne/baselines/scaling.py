"""Classical scaling: the map whose inner products are nearest to those that distances stand for.

If d_ij are the distances of some vectors, measured from their mean, then

.. math::

    B = -1/2 J D J,   J = I - 1 1' / N,   D_ij = d_ij^2

holds their inner products: B_ij = x_i . x_j. J on both sides is double centering: the mean of each row and each column
becomes zero. The eigenvectors of B, as long as the roots of their eigenvalues, are the principal components. Distances
that no vectors have give negative eigenvalues, and axes that are in no data.  [Hinton2013]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from notebook_sne.baselines.dissimilarities import check_size
from notebook_sne.baselines.solved import PlacingMap
from notebook_sne.engine.checks.arrays import Array, Floats
from notebook_sne.models.estimator import estimator

__all__ = ["ClassicalMDS", "double_centered"]


def double_centered(D: Floats) -> Floats:
    """Return B = -J D J / 2 of squared distances D, shape (N, N): rows and columns have mean 0."""
    B = -0.5 * D
    B -= B.mean(axis=0)
    B -= B.mean(axis=1, keepdims=True)
    return B


def sum_of_squares(A: Floats) -> float:
    """Return the sum of squares of A; infinity where that is beyond all doubles."""
    with np.errstate(over="ignore"):
        return float(np.square(A).sum())


def turned(V: Floats) -> Floats:
    """Return eigenvectors with the largest entry of each positive, so that a map isn't mirrored at will."""
    return V * np.sign(V[np.abs(V).argmax(axis=0), np.arange(V.shape[1])])


@estimator
class ClassicalMDS(PlacingMap):
    """Classical multidimensional scaling: metric MDS turned into an eigenvalue problem by double centering.

    .. math::

        C = sum_ij (B_ij - y_i . y_j)^2,   B = -1/2 J D J,   D_ij = d_ij^2

    C, the strain, is least where Y holds the eigenvectors of B with the largest eigenvalues, each as long as the root
    of its own. Of the Euclidean distances of vectors it gives their principal components: "If we double-center the
    data, metric MDS is equivalent to PCA." "But double centering can introduce spurious structure": for other distances
    B has negative eigenvalues, which no map can show.  [Hinton2013]

    Parameters
    ----------
    n_components : int, default=2
        Number of dimensions of the map.
    input : {"vectors", "distances"}, default="vectors"
        What X is: objects, shape (N, n_features), or their distances, unsquared and symmetric, shape (N, N).

    Attributes
    ----------
    embedding_ : ndarray, shape (N, n_components)
        The map, in the unit of the data. An axis whose eigenvalue isn't positive is 0.
    cost_ : float
        C: the sum of the squares of all eigenvalues that aren't shown, in the unit of the data to the fourth.
    eigenvalues_ : ndarray, shape (N,)
        Of B, the largest first, negative ones included.

    Notes
    -----
    All pairs are held, and all eigenvalues found: N = 2000 takes some seconds.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> circle = ns.datasets.load_circle(50)
    >>> ns.baselines.ClassicalMDS().fit(circle.X).eigenvalues_[:3].round(6) + 0.0
    array([25., 25.,  0.])
    """

    def _solve(self, X: Array, y: Any) -> Floats:
        from scipy.linalg import eigh
        from scipy.spatial.distance import pdist, squareform

        check_size(len(X))
        self._fitted = None if self.input == "distances" else X
        D = X**2 if self.input == "distances" else squareform(pdist(X, "sqeuclidean"))
        self._means = D.mean(axis=0)
        values, vectors = eigh(double_centered(D))
        self.eigenvalues_ = values[::-1]
        first = np.maximum(self.eigenvalues_[: self.n_components], 0.0)
        self._axes = turned(vectors[:, ::-1][:, : self.n_components])
        self.cost_ = sum_of_squares(self.eigenvalues_ - np.pad(first, (0, len(X) - len(first))))
        return self._axes * np.sqrt(first)

    def _place(self, X: Array) -> Floats:
        from scipy.spatial.distance import cdist

        D = X**2 if self._fitted is None else cdist(X, self._fitted, "sqeuclidean")
        lengths = np.sqrt(np.maximum(self.eigenvalues_[: self.n_components], 0.0))
        # The inner products with the fitted objects, B_ti = (mean_j D_ij - D_ti) / 2 + a constant, divided by lengths.
        least = np.sqrt(len(self._axes) * np.finfo(float).eps) * lengths.max()  # an eigenvalue below is rounding
        over = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > least)
        return 0.5 * (self._means - D) @ self._axes * over
