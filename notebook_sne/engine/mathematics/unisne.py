"""Symmetric SNE, and UNI-SNE: symmetric SNE with a uniform background.

One distribution over all ordered pairs, in which a share b of the mass, the background, is spread evenly:

.. math::

    q_ij = (1 - b) e_ij / Z + b / (N (N - 1)),   e_ij = exp(-d_ij),   Z = sum_{k != l} e_kl          [Cook2007, Eq. 9]

    C = KL(P || Q) = sum_ij p_ij log p_ij - sum_ij p_ij log q_ij                                   [Cook2007, Eq. 6]

    dC/dy_i = 4 sum_j (p_ij r_ij - R e_ij / Z) (y_i - y_j)
    r_ij = (1 - b) e_ij / (Z q_ij),   R = sum_ij p_ij r_ij               (the share of q that isn't background)

The background explains the many dissimilar pairs, so that they need not be pushed apart, which would crush the middle
of the map. b = 0 is symmetric SNE, in which r = R = 1 and the force is

.. math:: dC/dy_i = 4 sum_j (p_ij - q_ij) (y_i - y_j)

[Cook2007, Eq. 5] normalizes over unordered pairs and Eq. 6 sums over ordered ones; here both run over ordered pairs,
which makes the cost of their Eq. 6 twice ours. The lecture [Hinton2013] has q over unordered pairs and p over ordered
ones: its cost is (C - log 2) / 2, and the 2 in its gradient belongs to that.
"""

import numpy as np

from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.mathematics.isolated import isolated_rows
from notebook_sne.engine.sums.pair_sums import gaussian_sums
from notebook_sne.engine.sums.stored_pairs import gaussian_pull, store, uniform_background_pull

__all__ = ["attractive_pairs", "cost_and_gradient", "normalizer"]

# The floor of the fast exponential adds at most N^2 2^-100 to Z; a Z below N^2 times this would feel it.
ALL_ISOLATED = 1e-23


def attractive_pairs(P):
    """Return the stored pairs of a joint P, sparse, symmetric, summing to 1."""
    return store(P, P, single=True)


def cost_and_gradient(pairs, Y, background=0.0, exaggeration=1.0, *, sums=gaussian_sums):
    """Return the Evaluation of UNI-SNE at map points Y, shape (N, d), finite.

    `pairs` come from `attractive_pairs`. The background is the share b of Q that is spread evenly over all pairs, 0 <=
    b < 1. With the exaggeration a of the attraction of P, 1 for none, the objective is C + (a - 1) sum_ij p_ij d_ij,
    and the cost is still C. The added springs are those of symmetric SNE, even for pairs that the background releases.
    `sums` is `gaussian_sums` or another function of the same form.
    """
    log_z, push = normalizer(Y, sums)
    if background == 0.0:
        energy, pull = gaussian_pull(pairs, Y)
        cost = pairs.negentropy + energy + log_z
        return Evaluation(cost + (exaggeration - 1.0) * energy, 4.0 * (exaggeration * pull - push), cost)
    energy, pull, share = uniform_background_pull(pairs, Y, background, log_z)
    cost = pairs.negentropy + energy
    here = Evaluation(cost, 4.0 * (pull - share * push), cost)
    if exaggeration == 1.0:
        return here
    springs, force = gaussian_pull(pairs, Y)
    more = exaggeration - 1.0
    return here._replace(objective=cost + more * springs, gradient=here.gradient + 4.0 * more * force)


def normalizer(Y, sums):
    """Return log Z and the push sum_j (e_ij / Z) (y_i - y_j), shape (N, d).

    Y has shape (N, d); `sums` is `gaussian_sums` or another function of the same form.
    """
    N = len(Y)
    z, differences = sums(Y)
    Z = z.sum()
    if Z >= N * N * ALL_ISOLATED:
        return np.log(Z), differences / Z
    # All objects are far from each other: the same sums with exponents that cannot underflow.
    log_z, outgoing, _ = isolated_rows(Y, np.arange(N))
    top = log_z.max()
    weights = np.exp(log_z - top)
    return top + np.log(weights.sum()), outgoing * (weights / weights.sum())[:, None]
