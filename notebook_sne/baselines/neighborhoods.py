"""Maps that keep a graph of nearest neighbors: its paths, the weights that make objects of others, or its links."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from scipy import sparse

from notebook_sne.baselines.graphs import connected_graph
from notebook_sne.baselines.scaling import double_centered, sum_of_squares, turned
from notebook_sne.baselines.solved import PlacingMap, SolvedMap
from notebook_sne.engine.checks.arguments import check_choice, check_number
from notebook_sne.engine.checks.arrays import Array, Floats
from notebook_sne.models.estimator import estimator

__all__ = ["Isomap", "LLE", "LaplacianEigenmaps"]

_NEIGHBORS = 12  # what [Nabney] took
_DENSE = 2000  # objects up to which all of a matrix is reduced: exact, and never without an answer


@estimator
class Isomap(PlacingMap):
    """Isomap: classical scaling of distances along the manifold, "local MDS without local optima".

    Each object is linked to its nearest neighbors, each link is as long as their distance, and g_ij is the length of
    the shortest path. Of these `ClassicalMDS` makes a map:

    .. math::

        C = sum_ij (B_ij - y_i . y_j)^2,   B = -1/2 J G J,   G_ij = g_ij^2

    One link between two parts of the manifold that only look near is a short cut for all paths.  [Hinton2013; Nabney]
    The work is scikit-learn's.

    Parameters
    ----------
    n_neighbors : int or "auto", default=12
        How many nearest neighbors an object is linked to; "auto" is 12, which [Nabney] took. With fewer objects, it is
        N - 1, with a warning.
    n_components : int, default=2
        Number of dimensions of the map.
    input : {"vectors", "distances"}, default="vectors"
        What X is: objects, shape (N, n_features), or their distances, unsquared and symmetric, shape (N, N).

    Attributes
    ----------
    embedding_ : ndarray, shape (N, n_components)
        The map, in the unit of the data.
    cost_ : float
        C, the strain of the lengths of paths, in the unit of the data to the fourth.
    residual_variance_ : float
        1 - R^2 of the lengths of paths and the distances in the map, over all pairs: 0 where these are proportional.
    path_lengths_ : ndarray, shape (N, N)
        g, in the unit of the data.

    Notes
    -----
    A graph in several parts is refused: between them there is no path. See `graph_parts`.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> roll = ns.datasets.load_swiss_roll(500)
    >>> ns.baselines.Isomap(n_neighbors=8).fit(roll.X).residual_variance_ < 0.05
    True
    """

    n_neighbors: int | str = _NEIGHBORS

    def _solve(self, X: Array, y: Any) -> Floats:
        from scipy.spatial.distance import pdist, squareform
        from sklearn.manifold import Isomap as OfScikitLearn

        _, n_neighbors = connected_graph(X, self.n_neighbors, self.input, _NEIGHBORS)
        metric = "precomputed" if self.input == "distances" else "minkowski"
        self._isomap = OfScikitLearn(
            n_neighbors=n_neighbors, n_components=self.n_components, metric=metric, eigen_solver="dense"
        )
        Y = self._isomap.fit_transform(X)
        self.path_lengths_ = self._isomap.dist_matrix_
        # Not as scikit-learn's error, a difference of sums of squares, which rounding takes below 0 on a line.
        self.cost_ = sum_of_squares(double_centered(np.square(self.path_lengths_)) - Y @ Y.T)
        paths = squareform(self.path_lengths_, checks=False)
        longest = paths.max()
        self.residual_variance_ = float(1.0 - np.corrcoef(paths / longest, pdist(Y / longest))[0, 1] ** 2)
        return Y

    def _place(self, X: Array) -> Floats:
        return self._isomap.transform(X)


@estimator
class LLE(PlacingMap):
    """Locally linear embedding: each map point made of its neighbors by the weights that make the object of its own.

    .. math::

        |x_i - sum_j w_ij x_j|^2 is least,   sum_j w_ij = 1

        C = sum_i |y_i - sum_j w_ij y_j|^2,   sum_i y_i = 0,   sum_i y_i y_i' / N = I

    with j among the nearest neighbors of i. Without the unit variance all points in one place would cost nothing; with
    it, most of them may still lie in one place, and a few far away. "It isn't optimizing the right thing!"
    [Hinton2013]  The work is scikit-learn's; its map is multiplied by the root of N, so that its variance is 1.

    Parameters
    ----------
    n_neighbors : int or "auto", default=12
        How many nearest neighbors an object is made of; "auto" is 12, which [Nabney] took. With fewer objects, it is
        N - 1, with a warning.
    method : {"standard", "modified", "hessian", "ltsa"}, default="standard"
        The variant, as scikit-learn calls it. The others have costs of their own in place of C, in the same unit.
    reg : float, default=1e-3
        Of the weights: what is added to the diagonal of each local matrix, as a share of its trace. Where there are
        more neighbors than dimensions many weights would do, and this takes the most even ones.
    n_components : int, default=2
        Number of dimensions of the map.
    input : {"vectors"}, default="vectors"
        Weights are of vectors.

    Attributes
    ----------
    embedding_ : ndarray, shape (N, n_components)
        The map, of variance 1 along each axis.
    cost_ : float
        The C above.

    Notes
    -----
    A graph in several parts is refused: each would be put into one place, at no cost. See `graph_parts`.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> roll = ns.datasets.load_swiss_roll(500)
    >>> ns.baselines.LLE().fit_transform(roll.X).std(axis=0).round(6)
    array([1., 1.])
    """

    n_neighbors: int | str = _NEIGHBORS
    method: Literal["standard", "modified", "hessian", "ltsa"] = "standard"
    reg: float = 1e-3

    _vectors_only = "whose weights are of vectors; use ClassicalMDS to make vectors of distances, or Isomap"

    def _solve(self, X: Array, y: Any) -> Floats:
        from sklearn.manifold import LocallyLinearEmbedding

        check_choice("method", self.method, ("standard", "modified", "hessian", "ltsa"))
        check_number("reg", self.reg, 0.0)
        _, n_neighbors = connected_graph(X, self.n_neighbors, self.input, _NEIGHBORS)
        d = self.n_components
        if d > X.shape[1]:
            raise ValueError(
                f"n_components must be at most the number of features, {X.shape[1]}, got {d}; lower it, or use Isomap, "
                "which may take more"
            )
        least = {"standard": 1, "hessian": d * (d + 3) // 2 + 1}.get(self.method, d)
        if n_neighbors < least:
            raise ValueError(
                f"n_neighbors must be at least {least} for method={self.method!r} and n_components={d}, got "
                f"{n_neighbors}; raise it"
            )
        self._lle = LocallyLinearEmbedding(
            n_neighbors=n_neighbors, n_components=d, reg=self.reg, method=self.method, random_state=0,
            eigen_solver="dense" if len(X) <= _DENSE else "arpack",
        )  # fmt: skip
        Y = self._lle.fit_transform(X)
        self.cost_ = max(0.0, float(len(X) * self._lle.reconstruction_error_))
        return Y * np.sqrt(len(X))

    def _place(self, X: Array) -> Floats:
        return self._lle.transform(X) * np.sqrt(len(self.embedding_))


@estimator
class LaplacianEigenmaps(SolvedMap):
    """Laplacian eigenmaps: linked objects near each other, and nothing else but a fixed variance.

    .. math::

        C = 1/2 sum_ij w_ij |y_i - y_j|^2 / sum_i w_i,   w_i = sum_j w_ij

        sum_i w_i y_i = 0,   sum_i w_i y_i y_i' / sum_i w_i = I

    w_ij is 1 where one of two objects is among the nearest neighbors of the other, and 0 otherwise. C is the sum of the
    least eigenvalues above 0 of the normalized Laplacian. It only pulls; SNE is this with a repulsion in place of the
    fixed variance.  [Hinton2013]  The work is scikit-learn's.

    Parameters
    ----------
    n_neighbors : int or "auto", default=12
        How many nearest neighbors an object is linked to; "auto" is 12. With fewer objects, it is N - 1,
        with a warning.
    n_components : int, default=2
        Number of dimensions of the map, below N - 1.
    input : {"vectors", "distances"}, default="vectors"
        What X is: objects, shape (N, n_features), or their distances, unsquared and symmetric, shape (N, N).

    Attributes
    ----------
    embedding_ : ndarray, shape (N, n_components)
        The map, of variance 1 along each axis, an object counted once for each of its links.
    cost_ : float
        The C above.

    Notes
    -----
    It has no place for new objects. A graph in several parts is refused: each would be put into one place, at no cost.
    See `graph_parts`.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> roll = ns.datasets.load_swiss_roll(500)
    >>> ns.baselines.LaplacianEigenmaps().fit_transform(roll.X).shape
    (500, 2)
    """

    n_neighbors: int | str = _NEIGHBORS

    def _solve(self, X: Array, y: Any) -> Floats:
        from sklearn.manifold import SpectralEmbedding

        graph, _ = connected_graph(X, self.n_neighbors, self.input, _NEIGHBORS)
        if self.n_components >= len(X) - 1:
            raise ValueError(f"n_components must be below N - 1 = {len(X) - 1}, got {self.n_components}; lower it")
        W = sparse.csr_array(graph.maximum(graph.T))
        degrees = W.sum(axis=1)
        embed = SpectralEmbedding(self.n_components, affinity="precomputed", random_state=0)
        Y = turned(embed.fit_transform(sparse.csr_matrix(W)))
        Y = Y - np.average(Y, axis=0, weights=degrees)
        Y /= np.sqrt(np.average(np.square(Y), axis=0, weights=degrees))
        self.cost_ = float((degrees @ np.square(Y).sum(axis=1) - np.vdot(Y, W @ Y)) / degrees.sum())
        return Y
