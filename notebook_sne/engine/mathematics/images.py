"""The mixture of images: one map in which an object can have several places.

Object i has M images at y_i1 ... y_iM with proportions pi_i1 ... pi_iM. Each image chooses among the images of all
other objects, and the object is the mixture of its images:

.. math::

    q_{j|i} = sum_b pi_ib sum_c pi_jc exp(-|y_ib - y_jc|^2) / z_ib                                [Hinton2002, Eq. 6]
    z_ib = sum_{k != i} sum_c pi_kc exp(-|y_ib - y_kc|^2)

    C = sum_ij p_{j|i} log(p_{j|i} / q_{j|i})                                                     [Hinton2002, Eq. 4]

An object doesn't choose its own images: self terms are left out throughout, because the diagonal of P is 0. Each pair
of images has a share r_ij^bc in q_{j|i}, and each image has a load t_ib. All gradients are differences between the
choices in P and the choices in Q of images under that load:

.. math::

    dC/dy_ib = 2 sum_jc (y_ib - y_jc) (p_{j|i} r_ij^bc - t_ib q_{ib,jc} + p_{i|j} r_ji^cb - t_jc q_{jc,ib})

    t_ib = sum_j p_{j|i} sum_c r_ij^bc                           (how much of the choices of i its image b makes)
    q_{ib,jc} = pi_jc exp(-|y_ib - y_jc|^2) / z_ib               (what image b would choose by itself)

An exaggeration a counts the attraction of two objects a times, whichever of their images explain it. The descent then
lowers C + (a - 1) A, which for one image is that of SNE:

.. math::

    A = -sum_ij p_{j|i} log S_ij,     S_ij = sum_bc pi_ib pi_jc exp(-|y_ib - y_jc|^2)

In the simplified model of the paper's experiment, all proportions are 1/M. A force ties the images of an object; it is
linear up to a separation and constant beyond, so that images part only if P demands it.
"""

from typing import NamedTuple

import numpy as np
from scipy import sparse

from notebook_sne.engine.mathematics.aspects import MixtureEvaluation
from notebook_sne.engine.mathematics.isolated import isolated_images
from notebook_sne.engine.mathematics.mixing import log_proportions, weight_gradient
from notebook_sne.engine.sums.pair_sums import gaussian_sums
from notebook_sne.engine.sums.stored_mixtures import image_pull
from notebook_sne.engine.sums.stored_pairs import StoredPairs, store

__all__ = ["ImagePairs", "cost_and_gradient", "attractive_pairs", "tie"]

_ISOLATED = 1e-19  # as in sne


class ImagePairs(NamedTuple):
    """P and its transpose, both at every place where one of them is stored."""

    pairs: StoredPairs  # p_{j|i}
    incoming: np.ndarray  # float64: p_{i|j} in the same places

    @property
    def negentropy(self):
        """float: sum p log p in nats."""
        return self.pairs.negentropy


def attractive_pairs(P):
    """Return the ImagePairs of a conditional P."""
    P = sparse.csr_array(P)
    both = sparse.csr_array(P + 1j * P.T)
    both.sort_indices()  # as `store` does with the pattern, which shares these arrays
    pattern = store(sparse.csr_array((np.ones(both.nnz), both.indices, both.indptr), both.shape), P)
    pairs = StoredPairs(pattern.pointers, pattern.columns, both.data.real.copy(), pattern.negentropy)
    return ImagePairs(pairs, both.data.imag.copy())


def cost_and_gradient(attractive, Y, W, pull=0.0, reach=0.05, exaggeration=1.0, *, dtype=np.float32):
    """Return the MixtureEvaluation of M images an object at their places Y, shape (M, N, d), finite.

    `attractive` comes from the function `attractive_pairs`. The proportions are the softmax of the weights W, shape
    (M, N), over the images. `pull`, in nats per map unit, is the force between the images of one object beyond the
    separation `reach`. The exaggeration, 1 for none, enters the objective and its gradients, never the cost; `dtype` is
    the precision of the sums over all pairs.
    """
    pairs, incoming = attractive
    M = len(Y)
    log_mixing = log_proportions(W)
    mixing = np.exp(log_mixing)

    def sums(weights):
        """Return the sums of each image over all images of other objects, (M, N) and (M, N, d)."""
        values, forces = np.zeros(mixing.shape), np.zeros(Y.shape)
        for b in range(M):
            for c in range(M):
                value, force = gaussian_sums(Y[c], weights[c], targets=Y[b], dtype=dtype)
                values[b] += value
                forces[b] += force
        return values, forces

    z, forces = sums(mixing)
    alone = z < _ISOLATED
    log_z = np.log(z, out=np.zeros(z.shape), where=~alone)
    if alone.any():
        log_z[alone], pushes = isolated_images(Y, log_mixing, *np.nonzero(alone))
    energy, pulled, shares, loads = image_pull(pairs, incoming, Y, log_mixing, log_z)
    precision = np.divide(loads, z, out=np.zeros(z.shape), where=~alone)
    received, received_forces = sums(precision)
    push = precision[..., None] * forces + mixing[..., None] * received_forces
    chosen = mixing * received
    if alone.any():
        outgoing, incoming_forces, taken = pushes(loads[alone])
        push[alone] += outgoing
        push += incoming_forces
        chosen += taken
    cost = float(pairs.negentropy + energy)
    more = exaggeration - 1.0
    if more:
        attraction, pulled_more, shares_more, _ = image_pull(pairs, incoming, Y, log_mixing, np.zeros(z.shape))
        pulled, shares = pulled + more * pulled_more, shares + more * shares_more
    else:
        attraction = 0.0
    tied, tie_forces = tie(Y, pull, reach)
    return MixtureEvaluation(
        cost + more * attraction + tied,
        2.0 * (pulled - push) + tie_forces,
        weight_gradient(chosen - shares, mixing),
        cost,
    )


def tie(Y, pull, reach=0.05):
    """Return the energy of the ties between the images of each object, and its gradient, shape (M, N, d).

    .. math::

        E = sum_i sum_{b < c} u(s),     s = |y_ib - y_ic|

        u(s) = pull s^2 / (2 reach)              (where s is below the reach: the force grows with s)
        u(s) = pull (s - reach / 2)              (beyond: it is constant)

    Y has shape (M, N, d). [Hinton2002, section 4] has a reach of 0.05 and a pull of 0.025 nats per unit length.
    """
    energy, gradient = 0.0, np.zeros(Y.shape)
    if pull == 0:
        return energy, gradient
    for b in range(len(Y)):
        for c in range(b):
            difference = Y[b] - Y[c]
            separation = np.sqrt(np.square(difference).sum(axis=1))
            near = separation < reach
            energy += pull * float(np.sum(np.where(near, np.square(separation) / (2 * reach), separation - reach / 2)))
            force = pull / np.maximum(separation, reach)[:, None] * difference
            gradient[b] += force
            gradient[c] -= force
    return energy, gradient
