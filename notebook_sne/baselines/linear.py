"""Linear maps: the directions of most variance, and those that tell classes apart."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.baselines.solved import PlacingMap
from notebook_sne.engine.checks.arrays import Array, Floats
from notebook_sne.engine.objects.labels import UNLABELED, sort_classes
from notebook_sne.models.estimator import estimator

__all__ = ["LDA", "PCA"]

_MANY = 10  # objects for each feature


@estimator
class PCA(PlacingMap):
    """Principal components: the projection that leaves the least variance out.

    .. math::

        C = sum_i |x_i - z_i|^2 / N,   z_i = m + V V' (x_i - m)

    The columns of V are orthonormal, m is the mean, and y_i = V' (x_i - m); C is least, and all the variance that the
    map leaves out.  [Hinton2013; Nabney]  The work is scikit-learn's.

    Parameters
    ----------
    n_components : int, default=2
        Number of dimensions of the map, at most min(N, n_features).
    input : {"vectors"}, default="vectors"
        For distances there is `ClassicalMDS`, which is the same for those of vectors.

    Attributes
    ----------
    embedding_ : ndarray, shape (N, n_components)
        The map, in the unit of the data.
    cost_ : float
        C, the variance left out, in the squared unit of the data.
    components_ : ndarray, shape (n_components, n_features)
        The directions, V'.
    explained_variance_ratio_ : ndarray, shape (n_components,)
        The share of the variance along each.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> digits = ns.datasets.load_digits()
    >>> pca = ns.baselines.PCA().fit(digits.X)
    >>> float(pca.explained_variance_ratio_.sum().round(2))
    0.29
    """

    _vectors_only = "which projects vectors; use ClassicalMDS, which is the same for distances of vectors"

    def _solve(self, X: Array, y: Any) -> Floats:
        from sklearn.decomposition import PCA as OfScikitLearn

        most = min(X.shape)
        if self.n_components > most:
            raise ValueError(
                f"n_components must be at most min(N, n_features) = {most}, got {self.n_components}; lower it"
            )
        # Both are exact; the covariances of many objects are the quicker. Neither begins at random.
        solver = "covariance_eigh" if len(X) >= _MANY * X.shape[1] else "full"
        self._pca = OfScikitLearn(self.n_components, svd_solver=solver)
        Y = self._pca.fit_transform(X)
        self.components_, self.explained_variance_ratio_ = self._pca.components_, self._pca.explained_variance_ratio_
        deviations = X - X.mean(axis=0)
        self.cost_ = max(0.0, float((np.vdot(deviations, deviations) - np.vdot(Y, Y)) / len(X)))
        return Y

    def _place(self, X: Array) -> Floats:
        return self._pca.transform(X)


@estimator
class LDA(PlacingMap):
    """Linear discriminant analysis: the projection that best tells classes apart from their means.

    .. math::

        C = det(S_w) / det(S_w + S_b)

    with S_w the scatter of the map within classes and S_b that of the means of classes: Wilks's lambda, from 0 to 1 and
    least under this projection. It wants each object near the mean of its class, which is a bad aim where classes are
    long and curved; what NCA asks for, that some of its class are near, is enough.  [Hinton2013]  The work is
    scikit-learn's.

    Parameters
    ----------
    labels : array, shape (N,), or None, default=None
        The class of each object, where none are given to `fit` or `iterate`, as by a `Run` or the player.
    n_components : int, default=2
        Number of dimensions of the map, at most one fewer than there are classes, and at most n_features.
    input : {"vectors"}, default="vectors"
        Distances have no directions.

    Attributes
    ----------
    embedding_ : ndarray, shape (N, n_components)
        The map, in units of the standard deviation within classes.
    cost_ : float
        C, over the objects that have a class.
    classes_ : tuple of str
        What the classes are called, in natural order.

    Notes
    -----
    ``fit(X, y)`` takes the classes as y. An object without one (None, NaN, masked) has no say in the directions and
    has its place in the map.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> digits = ns.datasets.load_digits()
    >>> lda = ns.baselines.LDA().fit(digits.X, digits.labels)
    >>> lda.embedding_.shape
    (1797, 2)
    """

    labels: ArrayLike | None = None

    _vectors_only = "which projects vectors; use ClassicalMDS to make vectors of distances"

    def _solve(self, X: Array, y: Any) -> Floats:
        from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

        if y is None:
            raise ValueError(
                "LDA requires y to be passed, but the target y is None; give the class of each object: fit(X, labels)"
            )
        names, classes = sort_classes(y, len(X))
        known = classes != UNLABELED
        most = min(len(names) - 1, X.shape[1])
        if self.n_components > most:
            raise ValueError(
                f"n_components must be at most {most} with {len(names)} classes and {X.shape[1]} features, as means "
                f"of classes span no more, got {self.n_components}; lower it, or use PCA"
            )
        if known.sum() <= len(names):
            raise ValueError(
                f"LDA needs more objects with a class than there are classes, as it measures how far those of a class "
                f"are apart, got {known.sum()} objects in {len(names)} classes; give more objects, or use PCA"
            )
        self._lda = LinearDiscriminantAnalysis(n_components=self.n_components).fit(X[known], classes[known])
        self.classes_ = tuple(names)
        Y = self._lda.transform(X)
        self.cost_ = _wilks(Y[known], classes[known])
        return Y

    def _place(self, X: Array) -> Floats:
        return self._lda.transform(X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self.labels is None
        return tags


def _wilks(Y: Floats, classes: Any) -> float:
    """Return det(S_w) / det(S_w + S_b) of a map."""
    within = Y.copy()
    for k in np.unique(classes):
        within[classes == k] -= within[classes == k].mean(axis=0)
    whole = Y - Y.mean(axis=0)
    # As a ratio of products of singular values, of matrices in one unit: a determinant alone could underflow.
    unit = np.abs(whole).max()
    parts = [np.linalg.svd(A / unit, compute_uv=False) for A in (within, whole)]
    return float(np.prod(parts[0] / parts[1]) ** 2)
