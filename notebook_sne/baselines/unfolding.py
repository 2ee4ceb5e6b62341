"""Maximum variance unfolding: rods between neighbors keep their lengths, and all else is pulled apart.

With K_ij = y_i . y_j, measured from object 0, all is linear in K, which must be positive semidefinite:

.. math::

    sum_i |y_i - m|^2 = tr(J K)   is greatest,   K_ii + K_jj - 2 K_ij = d_ij^2   for each rod

a semidefinite program, and so without local optima. Measured from object 0 and not from the mean m, each rod is in at
most four entries of K, and K has an inside, which the solver needs. It is DSDP, which is made for few and sparse
conditions on a K of low rank, by way of CVXOPT. For 100 objects with 306 rods CVXOPT's own solver takes a hundred times
as long; Clarabel's matrices grow with N^4, and SCS hasn't arrived after 50,000 steps with 50 objects.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from notebook_sne.baselines.graphs import connected_graph
from notebook_sne.baselines.scaling import turned
from notebook_sne.baselines.solved import SolvedMap
from notebook_sne.engine.checks.arrays import Array, Floats, Ints
from notebook_sne.engine.checks.numbers import list_objects
from notebook_sne.engine.machine.parallel import one_thread
from notebook_sne.models.estimator import estimator

__all__ = ["MVU"]

_NEIGHBORS = 4
_MOST_OBJECTS = 400
_MOST_RODS = 2000
_FARTHEST_OFF = 0.05  # of a rod's squared length, in units of their mean


@estimator
class MVU(SolvedMap):
    """Maximum variance unfolding: neighbors at exactly their distances, all others as far apart as these allow.

    .. math::

        C = -sum_i |y_i - m|^2 / N,   |y_i - y_j|^2 = d_ij^2   for each rod ij,   m = sum_i y_i / N

    A rod joins two objects if one is among the nearest neighbors of the other. The y that are sought have as many
    dimensions as they need; the map shows those of most variance. A sheet that was folded without stretching, such as a
    roll or an arc, is laid out flat, and a ring stays a ring.  [Hinton2013]

    Parameters
    ----------
    n_neighbors : int or "auto", default=4
        How many nearest neighbors an object has a rod to; "auto" is 4. With more of them less can move. With fewer
        objects, it is N - 1, with a warning.
    n_components : int, default=2
        Number of dimensions of the map.
    input : {"vectors", "distances"}, default="vectors"
        What X is: objects, shape (N, n_features), or their distances, unsquared and symmetric, shape (N, N).

    Attributes
    ----------
    embedding_ : ndarray, shape (N, n_components)
        The map, in the unit of the data.
    cost_ : float
        C, minus the variance of the unfolding in all its dimensions, in the squared unit of the data.
    explained_variance_ratio_ : ndarray, shape (n_components,)
        The share of that variance along each axis of the map.
    unfolding_ : ndarray, shape (N, N - 1)
        y in all its dimensions, from the widest to the narrowest.
    rods_ : ndarray of int, shape (n_rods, 2)
        Which objects each rod joins.
    rod_error_ : float
        By how much the worst rod misses: the largest difference of |y_i - y_j|^2 and d_ij^2, in units of the mean
        d_ij^2.

    Raises
    ------
    ImportError
        From `fit`, if CVXOPT isn't installed: ``pip install "notebook_sne[unfolding]"`` installs it, 64 MB, under
        the GPL.

    Notes
    -----
    At most 400 objects and 2000 rods are taken: on one core 100 objects take a second or two, 200 some ten, 400 with 5
    neighbors a minute; the time grows with more than the second power of both. A graph in several parts is refused, as
    its parts could be pulled apart forever (see `graph_parts`), and so are identical objects, whose rod would have no
    length. The map has no place for new objects.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> roll = ns.datasets.load_swiss_roll(100)
    >>> flat = ns.baselines.MVU(n_neighbors=5).fit(roll.X)                     # doctest: +SKIP
    >>> flat.rod_error_ < 1e-4, -flat.cost_ > roll.X.var(axis=0).sum()         # doctest: +SKIP
    (True, True)
    """

    n_neighbors: int | str = _NEIGHBORS

    def _solve(self, X: Array, y: Any) -> Floats:
        N = len(X)
        if N > _MOST_OBJECTS:
            raise ValueError(
                f"MVU takes at most {_MOST_OBJECTS} objects, which take one to four minutes, and more than four times "
                f"as long for twice as many, got {N}; give {_MOST_OBJECTS} of them, drawn at random, or use Isomap"
            )
        graph, n_neighbors = connected_graph(X, self.n_neighbors, self.input, _NEIGHBORS)
        rods = np.column_stack(sparse.triu(graph.maximum(graph.T)).nonzero())
        if len(rods) > _MOST_RODS:
            raise ValueError(
                f"MVU takes at most {_MOST_RODS} rods, got {len(rods)} with n_neighbors={n_neighbors}; lower it"
            )
        i, j = rods.T
        squares = X[i, j] ** 2 if self.input == "distances" else np.square(X[i] - X[j]).sum(axis=1)
        if not squares.all():
            first = rods[int(np.argmin(squares))]
            raise ValueError(
                f"objects must differ for MVU, whose rods have lengths above 0, but {list_objects(first)} are "
                f"identical, one of {np.sum(squares == 0)} such pairs; leave one of each pair out"
            )
        unit = squares.mean()
        Y = _from_products(_products(rods, squares / unit, N))
        off = np.square(Y[i] - Y[j]).sum(axis=1) - squares / unit
        self.rods_, self.rod_error_ = rods, float(np.abs(off).max())
        if not self.rod_error_ < _FARTHEST_OFF:
            raise RuntimeError(
                f"the solver of MVU did not converge: a rod misses its squared length by {self.rod_error_:.2g} of the "
                "mean one; raise n_neighbors, or leave out objects that hang on by a single very long or short rod"
            )
        self.unfolding_ = Y * np.sqrt(unit)
        variances = self.unfolding_.var(axis=0)
        self.cost_ = -float(variances.sum())
        self.explained_variance_ratio_ = variances[: self.n_components] / variances.sum()
        return self.unfolding_[:, : self.n_components].copy()


def _from_products(K: Floats) -> Floats:
    """Return the points, shape (N, N - 1), about their mean and along their principal axes, of K without object 0."""
    values, vectors = np.linalg.eigh(K)
    Y = np.zeros((len(K) + 1, len(K)))
    Y[1:] = vectors * np.sqrt(np.maximum(values, 0.0))
    Y -= Y.mean(axis=0)
    U, lengths, _ = np.linalg.svd(Y, full_matrices=False)
    return turned(U) * lengths


def _products(rods: Ints, squares: Floats, N: int) -> Floats:
    """Return K without object 0, shape (N - 1, N - 1), from rods, i < j, and their squared lengths.

    What is solved is the dual: min squares . v, sum_e v_e A_e - J positive semidefinite; K is its multiplier.
    """
    try:
        from cvxopt import matrix, solvers, spmatrix
    except ImportError:
        raise ImportError(
            "MVU solves a semidefinite program with CVXOPT, which is not installed; "
            'pip install "notebook_sne[unfolding]" installs it'
        ) from None
    n, at, of, entries = N - 1, [], [], []
    for e, (i, j) in enumerate((rods - 1).tolist()):  # i < j, and object 0 is at -1
        parts = [(j, j, 1.0)] if i < 0 else [(i, i, 1.0), (j, j, 1.0), (i, j, -1.0), (j, i, -1.0)]
        for row, column, entry in parts:
            at.append(column * n + row)
            of.append(e)
            entries.append(-entry)
    A = spmatrix(entries, at, of, (n * n, len(rods)))
    J = np.eye(n) - 1.0 / N
    options = {"show_progress": False, "dsdp": {"DSDP_Monitor": 0, "DSDP_GapTolerance": 1e-8}}
    with one_thread():  # once more: CVXOPT has brought a library of its own
        found = solvers.sdp(matrix(squares), Gs=[A], hs=[matrix(-J)], solver="dsdp", options=options)
    if found["zs"] is None:
        raise RuntimeError(f"the solver of MVU found nothing: {found['status']}; raise n_neighbors")
    K = np.array(found["zs"][0])
    return np.tril(K) + np.tril(K, -1).T
