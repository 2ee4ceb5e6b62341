"""Neighborhood components analysis: how often a neighbor chosen in the map is of another class.

.. math::

    q_{j|i} = exp(-d_ij) / sum_{h != i} exp(-d_ih),   y_i = A x_i,   d_ij = |y_i - y_j|^2     [Goldberger2005, Eq. 1]

    C = 1 - sum_i r_i / N,   r_i = sum_{j of the class of i} q_{j|i}                          [Goldberger2005, Eq. 2-3]

    dC/dy_i = 2 sum_j (v_ij + v_ji) (y_i - y_j) / N,   v_ij = q_{j|i} (s_ij - r_i)

    dC/dA = sum_i dC/dy_i x_i'                                                                [Goldberger2005, Eq. 5]

where s_ij is 1 for two objects of one class and 0 for others. The choice of a neighbor is that of SNE; what it is held
to are the classes, and not the neighbors in the data. All pairs are summed, in double precision, at a cost of N^2.

The other cost takes the logarithm of each r_i, so that an object whose neighbors all are of other classes counts for
more than one object:

.. math::

    C = -sum_i log r_i / N,   v_ij = t_{j|i} - q_{j|i},   t_{j|i} = s_ij q_{j|i} / r_i        [Hinton2013]

As -log r_i is KL(t_i || q_i), this is the cost of SNE, and its forces, with a P that follows the map: the neighbors
that an object chooses now, as far as they are of its class. log r_i is formed from distances, as r_i may underflow.
"""

from typing import NamedTuple

import numpy as np
from numba import prange

from notebook_sne.engine.checks.numbers import list_objects
from notebook_sne.engine.fitting.layout import Layout
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.exponential import exp_minus
from notebook_sne.engine.machine.parallel import FAST, FAST_SERIAL, exclusive, one_thread
from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.objects.labels import UNLABELED, sort_classes
from notebook_sne.engine.sums.moments import first_moment, squares

__all__ = ["LabeledObjects", "LinearLayout", "cost_and_forces", "cost_and_gradient", "numbered", "shares"]
__all__ += ["uniform_cost"]


class LabeledObjects(NamedTuple):
    """The rules that the choices must meet."""

    X: np.ndarray  # float64, shape (N, n_features): the objects, measured from their mean
    classes: np.ndarray  # int64, shape (N,): the number of each object's class

    @property
    def size(self):
        """How many numbers an update reads beside the map points."""
        return self.X.size


class LinearLayout(Layout):
    """A map that is linear in the objects: what an optimizer moves aren't the map points, but the matrix A.

    X, shape (N, n_features), are the objects, measured from their mean; d is `n_components`.
    """

    holds = False

    def __init__(self, X: np.ndarray, n_components: int) -> None:
        super().__init__(1, len(X), n_components, weighted=False)
        self._X = X

    def split(self, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        """Return the map points, shape (1, N, d), and A, shape (d, n_features)."""
        A = theta.reshape(self.shape[2], -1)
        return np.einsum("nk,dk->nd", self._X, A)[None], A  # no BLAS, whose bits change with the number of threads

    @one_thread()
    def join(self, Y: np.ndarray, W: np.ndarray | None) -> np.ndarray:
        """Return A, or where there is none the one whose map points come nearest to Y, of least norm."""
        if W is not None:
            return W.ravel()
        return np.linalg.lstsq(self._X, Y[0] - Y[0].mean(axis=0), rcond=1e-10)[0].T.ravel()

    def flat(self, theta: np.ndarray) -> np.ndarray:
        """Return theta: there are no extra dimensions."""
        return theta

    def n_coordinates(self, theta: np.ndarray) -> int:
        """Return how many entries of theta scale the map: all."""
        return theta.size

    def theta_of(self, state: State, own: bool, seed: int) -> np.ndarray:
        """Return the A of a state of NCA, and of others the one that comes nearest to their positions."""
        A = state.memory.get("weights") if own else None
        if A is not None and np.array_equal(self.split(A.ravel())[0], state.Y):
            return A.ravel()
        return self.join(state.Y, None)


def cost_and_gradient(objects, Y):
    """Return the Evaluation at Y, shape (N, d), its gradient that of A, flat, shape (d * n_features,)."""
    cost, forces = cost_and_forces(objects.classes, Y)
    gradient = np.einsum("nd,nk->dk", forces, objects.X)
    return Evaluation(cost, gradient.ravel(), cost)


def cost_and_forces(classes, Y, log=False):
    """Return the cost at Y, shape (N, d), and its gradient there, of the same shape.

    Classes are numbered, int64, shape (N,). With `log` the cost is that of the logarithms, in nats; no class may have
    one object alone then, whose r_i is 0 wherever it is.
    """
    points = _points(Y)
    log_z, log_own, own = _chosen(points, classes, log)
    forces = np.empty(Y.shape)
    _forces(points, classes, log_z, log_own, own, log, forces)
    cost = (log_z - log_own).mean() if log else 1.0 - own.sum() / len(Y)
    return float(cost), (2.0 / len(Y)) * forces


def uniform_cost(classes, log=False):
    """Return the cost of a map that tells nothing, as all objects are in one place."""
    own = (np.bincount(classes)[classes] - 1.0) / (len(classes) - 1)
    return float(-np.log(own).mean() if log else 1.0 - own.mean())


def numbered(labels, n_objects):
    """Return the classes of objects as numbers, int64, shape (N,), or raise a ValueError where one is missing."""
    _, classes = sort_classes(labels, n_objects)
    without = np.flatnonzero(classes == UNLABELED)
    if len(without):
        raise ValueError(
            f"y must hold a class for each object, but it is missing for {list_objects(without)}; leave them out"
        )
    if classes.max() == 0:
        raise ValueError("y must hold at least two classes, got one class; there is nothing to tell apart")
    return classes.astype(np.int64)


def shares(classes, Y, log=False):
    """Return each object's share of the cost, shape (N,)."""
    log_z, log_own, own = _chosen(_points(Y), classes, log)
    return (log_z - log_own if log else 1.0 - own) / len(own)


def _points(Y):
    return np.array(Y.T, dtype=np.float64, order="C")


def _chosen(points, classes, log):
    """Return log z_i, with `log` the logarithm of its part that is of the own class, and r_i."""
    log_z, log_own, own = np.empty((3, len(classes)))
    _choices(points, classes, log_z, own)
    if log:
        _own_choices(points, classes, log_own)
    return log_z, log_own, own


# Sums over j in this order: vectorized, they would come in another one in the code for one thread.
_IN_ORDER = {**FAST, "fastmath": {"contract", "nsz", "arcp", "afn"}}


@exclusive
@njit(**_IN_ORDER)
def _choices(points, classes, log_z, own):
    N = points.shape[1]
    for i in prange(N):
        d = np.empty(N)
        squares(points, points[:, i], d)
        d[i] = np.inf
        nearest = d.min()
        d[i] = nearest
        z = same = 0.0
        for j in range(N):
            q = exp_minus(d[j] - nearest) if j != i else 0.0
            z += q
            same += q if classes[j] == classes[i] else 0.0
        log_z[i] = np.log(z) - nearest
        own[i] = same / z


@exclusive
@njit(**_IN_ORDER)
def _own_choices(points, classes, log_own):
    N = points.shape[1]
    for i in prange(N):
        d = np.empty(N)
        squares(points, points[:, i], d)
        for j in range(N):
            d[j] = d[j] if classes[j] == classes[i] and j != i else np.inf
        # Measured from the nearest object of the same class: from the nearest of all, every exponential could round to
        # 0, and so could their sum.
        nearest, z = d.min(), 0.0
        for j in range(N):
            z += exp_minus(d[j] - nearest) if d[j] < np.inf else 0.0
        log_own[i] = np.log(z) - nearest


@njit(**FAST_SERIAL)
def _pull(d, log_sum):
    """Return exp(-d) over a sum that it is part of; by rounding alone an exponent would be above 0."""
    return exp_minus(max(d + log_sum, 0.0))


@exclusive
@njit(**FAST)
def _forces(points, classes, log_z, log_own, own, log, forces):
    n_dimensions, N = points.shape
    for i in prange(N):
        d = np.empty(N)
        squares(points, points[:, i], d)
        if log:
            for j in range(N):
                v = 0.0
                if classes[j] == classes[i]:
                    v = _pull(d[j], log_own[i]) + _pull(d[j], log_own[j])
                d[j] = v - _pull(d[j], log_z[i]) - _pull(d[j], log_z[j])
        else:
            for j in range(N):
                s = 1.0 if classes[j] == classes[i] else 0.0
                d[j] = _pull(d[j], log_z[i]) * (s - own[i]) + _pull(d[j], log_z[j]) * (s - own[j])
        for a in range(n_dimensions):
            forces[i, a] = first_moment(points[a], points[a, i], d)  # nothing comes of j = i
