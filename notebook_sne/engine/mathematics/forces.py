"""The forces on one object, spring by spring, and its share of the cost.

The force on object i, minus the gradient of the objective, is a sum over all other objects of a pull toward them and
a push away from them:

.. math:: -dC/dy_i = sum_j pull_ij (y_j - y_i) - sum_j push_ij (y_j - y_i)

============= ======================= ======================= ====================
model         pull                    push                    source
============= ======================= ======================= ====================
SNE           2 a (p_{j|i} + p_{i|j}) 2 (q_{j|i} + q_{i|j})   [Hinton2002, Eq. 5]
symmetric SNE 4 a p_ij                4 q_ij                  [Nabney, Eq. 8]
UNI-SNE       4 p_ij (r_ij + a - 1)   4 R e_ij / Z            `unisne`
t-SNE         4 a p_ij w_ij           4 q_ij w_ij             [Nabney, Eq. 10]
elastic       4 p_ij                  4 lambda e_ij           `elastic`
============= ======================= ======================= ====================

with the exaggeration a. An object's share of the cost is the part that comes from its own pairs:

.. math:: C_i = sum_j p_ij log(p_ij / q_ij),   C = sum_i C_i

Under a joint P a share can be negative, because only their sum is a divergence. This is plain NumPy, because it is done
for one object at a time, or a few times a second.
"""

from typing import NamedTuple

import numpy as np

from notebook_sne.engine.mathematics.isolated import isolated_rows
from notebook_sne.engine.mathematics.sne import ISOLATED
from notebook_sne.engine.mathematics.unisne import normalizer
from notebook_sne.engine.sums.pair_sums import gaussian_sums, student_sums

__all__ = ["Forces", "sne_costs", "sne_forces", "student_costs", "student_forces", "uniform_costs", "uniform_forces"]


class Forces(NamedTuple):
    """The springs of one object i; every array has shape (N,), with 0 at i itself.

    The force toward j is pull_j (y_j - y_i), the force away from j is push_j (y_i - y_j), in nats per map unit; p is
    p_{j|i} or p_ij, and q alike.
    """

    pull: np.ndarray
    push: np.ndarray
    p: np.ndarray
    q: np.ndarray


def sne_forces(P, Y, i, exaggeration=1.0):
    """Return the Forces on object i under SNE, the pull times the exaggeration.

    P is sparse and conditional, Y has shape (N, d).
    """
    log_z = _log_z(Y)
    d = _squared(Y, i)
    p, back = P[[i]].toarray()[0], P[:, [i]].toarray()[:, 0]
    q = np.exp(-d - log_z[i])
    return Forces(2.0 * exaggeration * (p + back), 2.0 * (q + np.exp(-d - log_z)), p, q)


def sne_costs(P, Y):
    """Return KL(P_i || Q_i) of every object in nats, shape (N,); P is sparse and conditional, Y has shape (N, d)."""
    rows, d = _stored_distances(P, Y)
    return _shares(P, rows, -d - _log_z(Y)[rows])


def uniform_forces(P, Y, i, background=0.0, exaggeration=1.0):
    """Return the Forces on object i under UNI-SNE, or symmetric SNE at background 0.

    P is sparse and joint, Y has shape (N, d); exaggeration is a factor on the attraction.
    """
    log_z, _ = normalizer(Y, gaussian_sums)
    p, near = P[[i]].toarray()[0], np.exp(-_squared(Y, i) - log_z)
    if background == 0.0:
        return Forces(4.0 * exaggeration * p, 4.0 * near, p, near)
    _, d = _stored_distances(P, Y)
    log_near = np.log1p(-background) - d - log_z
    total = float(np.sum(P.data * np.exp(log_near - _with_background(log_near, background, len(Y)))))
    q = (1.0 - background) * near + background / (len(Y) * (len(Y) - 1.0))
    q[i] = 0.0
    share = np.divide((1.0 - background) * near, q, out=np.zeros(len(Y)), where=q > 0)
    return Forces(4.0 * p * (share + (exaggeration - 1.0)), 4.0 * total * near, p, q)


def uniform_costs(P, Y, background=0.0):
    """Return each object's share of the cost of UNI-SNE in nats, shape (N,).

    P is sparse and joint, Y has shape (N, d); background 0 is symmetric SNE.
    """
    rows, d = _stored_distances(P, Y)
    log_q = np.log1p(-background) - d - normalizer(Y, gaussian_sums)[0]
    return _shares(P, rows, _with_background(log_q, background, len(Y)))


def student_forces(P, Y, i, exaggeration=1.0, degrees_of_freedom=1.0):
    """Return the Forces on object i under t-SNE, the pull times the exaggeration.

    P is sparse and joint, Y has shape (N, d); degrees_of_freedom are those of Student's t.
    """
    half = 0.5 * (degrees_of_freedom + 1.0)
    Z = student_sums(Y, degrees_of_freedom=degrees_of_freedom)[0].sum()
    w = 1.0 / (1.0 + _squared(Y, i) / degrees_of_freedom)
    p, q, slope = P[[i]].toarray()[0], w**half / Z, half / degrees_of_freedom * w
    return Forces(4.0 * exaggeration * p * slope, 4.0 * q * slope, p, q)


def student_costs(P, Y, degrees_of_freedom=1.0):
    """Return each object's share of the cost of t-SNE in nats, shape (N,).

    P is sparse and joint, Y has shape (N, d); degrees_of_freedom are those of Student's t.
    """
    rows, d = _stored_distances(P, Y)
    Z = student_sums(Y, degrees_of_freedom=degrees_of_freedom)[0].sum()
    return _shares(P, rows, -0.5 * (degrees_of_freedom + 1.0) * np.log1p(d / degrees_of_freedom) - np.log(Z))


def _squared(Y, i):
    """Return the squared distances of object i, infinite to itself."""
    d = np.square(Y - Y[i]).sum(axis=1)
    d[i] = np.inf
    return d


def _stored_distances(P, Y):
    """Return the row and the squared distance of each stored pair of a CSR matrix."""
    rows = np.repeat(np.arange(len(Y)), np.diff(P.indptr))
    return rows, np.square(Y[rows] - Y[P.indices]).sum(axis=1)


def _shares(P, rows, log_q):
    p = P.data
    terms = np.zeros(len(p))
    np.multiply(p, np.log(p, out=np.zeros(len(p)), where=p > 0) - log_q, out=terms, where=p > 0)
    return np.bincount(rows, weights=terms, minlength=P.shape[0])


def _with_background(log_near, background, n_objects):
    """Return log(near + b / (N (N - 1)))."""
    if background == 0.0:
        return log_near
    return np.logaddexp(log_near, np.log(background / (n_objects * (n_objects - 1.0))))


def _log_z(Y):
    z = gaussian_sums(Y)[0]
    log_z, alone = np.log(z), np.flatnonzero(z < ISOLATED)
    if alone.size:
        log_z[alone] = isolated_rows(Y, alone)[0]
    return log_z
