"""Stochastic neighbor embedding, as in its first paper.

Each object i chooses a neighbor j with probability p_{j|i} in the data and q_{j|i} in the map:

.. math::

    q_{j|i} = exp(-d_ij) / z_i,   z_i = sum_{h != i} exp(-d_ih),   d_ij = |y_i - y_j|^2            [Hinton2002, Eq. 3]

    C = sum_i KL(P_i || Q_i) = sum_ij p_{j|i} log(p_{j|i} / q_{j|i})                             [Hinton2002, Eq. 4]
      = sum_ij p_{j|i} log p_{j|i} + sum_ij p_{j|i} d_ij + sum_i log z_i                           (as summed here)

    dC/dy_i = 2 sum_j (y_i - y_j) (p_{j|i} - q_{j|i} + p_{i|j} - q_{i|j})                        [Hinton2002, Eq. 5]

A spring pulls i toward j while p exceeds q, and pushes it away while q exceeds p. The pull of P acts on stored pairs,
through S = P + P.T. The push needs two sums over all pairs: one for z, and one with weights 1 / z.

The lecture [Hinton2013] prints the direction of descent, which is minus the gradient, under the same name;
[Nabney, Eq. 4] lacks the factor 2.
"""

import numpy as np

from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.mathematics.isolated import isolated_rows
from notebook_sne.engine.sums.pair_sums import gaussian_sums
from notebook_sne.engine.sums.stored_pairs import gaussian_pull, store
from notebook_sne.engine.sums.symmetric import with_transpose

__all__ = ["ISOLATED", "cost_and_gradient", "attractive_pairs"]

ISOLATED = 1e-19
"""Below this z_i the floor of the fast exponential, 2**-100 for each far pair, would show in its seventh digit."""


def attractive_pairs(P):
    """Return the stored pairs of a conditional P, sparse, rows summing to 1."""
    return store(with_transpose(P), P, single=True)


def cost_and_gradient(pairs, Y, exaggeration=1.0, *, sums=gaussian_sums):
    """Return the Evaluation of SNE at map points Y, shape (N, d), finite; the cost sums over all N objects.

    `pairs` come from `attractive_pairs`. The exaggeration is a factor on the pull of P, 1 for none: it enters the
    objective and its gradient, never the cost. `sums` is `gaussian_sums` or another function of the same form.
    """
    z, differences = sums(Y)
    alone = z < ISOLATED
    precision = np.zeros(len(z))
    np.divide(1.0, z, out=precision, where=~alone)
    # sum_j q_{j|i} (y_i - y_j), what i's own choices push, and sum_j q_{i|j} (y_i - y_j), what other objects' do.
    push = precision[:, None] * differences + sums(Y, precision)[1]
    log_z = np.log(z)
    if alone.any():
        rows = np.flatnonzero(alone)
        log_z[rows], outgoing, incoming = isolated_rows(Y, rows)
        push[rows] += outgoing
        push += incoming
    energy, pull = gaussian_pull(pairs, Y)
    # energy runs over S = P + P.T, in which every p_{j|i} d_ij stands twice.
    cost = pairs.negentropy + 0.5 * energy + log_z.sum()
    return Evaluation(cost + (exaggeration - 1.0) * 0.5 * energy, 2.0 * (exaggeration * pull - push), cost)
