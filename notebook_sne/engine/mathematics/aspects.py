"""Aspect maps: one set of similarities, explained by several maps at once.

"Can" is like *trash* and like *bottle*, which aren't like each other; no single map can show that. In a mixture
of M maps every object has a point y_i^m and a mixing proportion pi_i^m in each, and

.. math::

    q_{j|i} = S_ij / z_i,   S_ij = sum_m pi_i^m pi_j^m K(d_ij^m),   z_i = sum_{h != i} S_ih          [Cook2007, Eq. 7]

with K(d) = exp(-d). So a pair is near if it is near in at least one map in which both objects have a large proportion.
For a conditional P, with rows that sum to 1, the cost and the two kinds of forces are

.. math::

    C = sum_ij p_{j|i} log p_{j|i} - sum_ij p_{j|i} log S_ij + sum_i log z_i

    dC/dy_i^m        =  2 sum_j (s_ij r_ij^m - u_ij^m) (y_i^m - y_j^m)
    dC/d(log pi_i^m) =  - sum_j (s_ij r_ij^m - u_ij^m)

    s_ij   = p_{j|i} + p_{i|j}                                (the pull of P on a stored pair)
    r_ij^m = pi_i^m pi_j^m K(d_ij^m) / S_ij                   (the share of it that map m explains)
    u_ij^m = pi_i^m pi_j^m K(d_ij^m) (1 / z_i + 1 / z_j)      (the push between all pairs of each map)

The joint form of the lecture has one Z for all pairs, which replaces each z above [Hinton2013]:

.. math:: q_ij = S_ij / Z,   Z = sum_{k != l} S_kl

With the kernel K(d) = 1 / (1 + d) this is multiple maps t-SNE [Maaten2012]; each force is then multiplied by K. A
penalty holds together maps that would otherwise drift apart; its gradient is lambda y:

.. math:: C + (lambda / 2) sum_{i,m} |y_i^m|^2

[Cook2007] differs in a few places. Its dC/dy lacks the sum over j,

.. math:: dC/dy_i = 2 sum_j (dC/dd_ij + dC/dd_ji) (y_i - y_j) + lambda y_i

and "log q z" is log(q z). One line has pi_h pi_h instead of pi_k pi_h. The force in section 2 points along y_j - y_i.
Its last lines for dC/dpi and dC/dd hold for rows of P that sum to 1, a zero diagonal, and a z_i without its own term;
public functions check this. Its proportions are made of exp(-w), ours of exp(w), so its dC/dw has the other sign.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from notebook_sne.engine.mathematics.isolated import isolated_mixture
from notebook_sne.engine.mathematics.mixing import log_proportions, weight_gradient
from notebook_sne.engine.sums.pair_sums import gaussian_sums, student_sums
from notebook_sne.engine.sums.stored_mixtures import mixture_pull
from notebook_sne.engine.sums.stored_pairs import store

__all__ = ["MixtureEvaluation", "cost_and_gradient", "attractive_pairs"]

# A smaller proportion is left out of the sums over all pairs of a map: at fitted maps of a thousand words this changes
# the cost by 1e-8 of itself and a gradient by less than 1e-4 of its norm, as single precision does. At 1e-5 it would be
# 1e-4 and 5 %. To pick the others out pays only where few remain.
NEGLIGIBLE = 1e-7
PAYS = 0.7
# Below the first two the floor of the fast exponential, 2^-100 a far pair, would show; below the last, a mesh rounds.
ISOLATED, ALL_ISOLATED, _ISOLATED_ON_MESH = 1e-19, 1e-23, 1e-5


class MixtureEvaluation(NamedTuple):
    """Cost and gradient of a mixture at one place."""

    objective: float  # in nats: what an optimizer lowers, the cost with its penalty
    maps: np.ndarray  # float64, shape (M, N, d): gradient of the objective with respect to the map points
    weights: np.ndarray  # float64, shape (M, N): its gradient with respect to the weights
    cost: float  # Kullback-Leibler divergence of Q from P in nats


def attractive_pairs(P):
    """Return the stored pairs of P, sparse, conditional or joint."""
    return store(P + P.T, P)


def cost_and_gradient(
    pairs, Y, W, penalty=0.0, *, joint=False, student=False, exaggeration=1.0, negligible=NEGLIGIBLE,
    dtype=np.float32, sums=None,
):  # fmt: skip
    """Return the MixtureEvaluation of M aspect maps with points Y, shape (M, N, d), and weights W, shape (M, N).

    Y is finite, the proportions pi are the softmax of W over the maps, and `pairs` come from `attractive_pairs`. The
    penalty is lambda, one number or one for each coordinate, shape (d,). With `joint`, P and Q are joint; with
    `student`, K is Student's t. The exaggeration a of the attraction adds -(a - 1) sum_ij p_ij log S_ij to the
    objective, and nothing to the cost.

    The sums over all pairs leave out proportions below `negligible`. They are exact, in the precision `dtype`, unless
    `sums` is given: a function of the form of `gaussian_mesh_sums` or, with `student`, of `student_mesh_sums`.
    """
    log_mixing = log_proportions(W)
    mixing = np.exp(log_mixing)
    isolated = ISOLATED if sums is None else _ISOLATED_ON_MESH
    sums = sums or partial(student_sums if student else gaussian_sums, dtype=dtype)
    log_z, push, pushed_shares = _push(Y, mixing, log_mixing, joint, student, negligible, sums, isolated)
    energy, pull, shares = mixture_pull(pairs, Y, log_mixing, student, dtype=dtype)
    # energy runs over P + P.T, in which every p log S stands twice.
    cost = float(pairs.negentropy + 0.5 * energy + log_z)
    gradient = 2.0 * (exaggeration * pull - push) + penalty * Y
    objective = cost + 0.5 * float(np.sum(penalty * np.square(Y))) + (exaggeration - 1.0) * 0.5 * float(energy)
    return MixtureEvaluation(objective, gradient, weight_gradient(pushed_shares - exaggeration * shares, mixing), cost)


def _push(Y, mixing, log_mixing, joint, student, negligible, sums, isolated):
    """Return sum_i log z_i (or log Z), the push on every point (M, N, d), and its share in d(log pi), (M, N)."""
    M, N, d = Y.shape
    matters = mixing >= negligible
    # Points of all maps in one row, and which of them are summed: those that matter, or all, without a copy.
    here: slice | np.ndarray = slice(None)
    groups = np.arange(0, M * N + 1, N)
    if matters.mean() <= PAYS:
        here, groups = np.flatnonzero(matters), np.concatenate([[0], np.cumsum(matters.sum(axis=1))])
    points, proportions, owners = Y.reshape(-1, d)[here], mixing.ravel()[here], np.tile(np.arange(N), M)[here]

    def weighted(weights):
        """Return sum_j weight_j K and its force, times the proportion of i."""
        values, forces = sums(points, weights, groups=groups)
        return proportions * values, proportions[:, None] * forces

    values, forces = weighted(proportions)
    z = np.bincount(owners, values, minlength=N)
    push, shares = np.zeros((M * N, d)), np.zeros(M * N)
    if joint:
        Z = z.sum()
        if Z < N * N * ALL_ISOLATED:
            log_z, outgoing, _, given, _ = isolated_mixture(Y, log_mixing, np.arange(N), student)
            top = log_z.max()
            row = np.exp(log_z - top)
            row /= row.sum()
            return top + np.log(np.exp(log_z - top).sum()), 2.0 * outgoing * row[:, None], 2.0 * given * row
        push[here], shares[here] = 2.0 / Z * forces, 2.0 / Z * values
        return np.log(Z), push.reshape(Y.shape), shares.reshape(M, N)
    alone = z < isolated
    precision = np.zeros(N)
    np.divide(1.0, z, out=precision, where=~alone)
    received, received_forces = weighted(proportions * precision[owners])
    shares[here] = precision[owners] * values + received
    push[here] = precision[owners, None] * forces + received_forces
    push, shares = push.reshape(Y.shape), shares.reshape(M, N)
    log_z = np.log(z, out=np.zeros(N), where=~alone)
    if alone.any():
        rows = np.flatnonzero(alone)
        log_z[rows], outgoing, incoming, given, taken = isolated_mixture(Y, log_mixing, rows, student)
        push[:, rows] += outgoing
        push += incoming
        shares[:, rows] += given
        shares += taken
    return log_z.sum(), push, shares
