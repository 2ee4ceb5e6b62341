"""The elastic embedding: the springs of SNE, with a push whose strength is given.

.. math::

    E = sum_ij p_ij d_ij + sum_ij lambda_i exp(-d_ij),   d_ij = |y_i - y_j|^2      [CarreiraPerpinan2010, Eq. 3]

    dE/dy_i = 2 sum_j (p_ij + p_ji - (lambda_i + lambda_j) exp(-d_ij)) (y_i - y_j)

Laplacian eigenmaps minimize the first sum alone. The second sum does the work of the logarithms of the normalizing sums
in SNE. The cost of SNE, C = const + sum_ij p_{j|i} d_ij + sum_i log z_i, has the gradient of E at lambda_i = 1 / z_i.
The cost of symmetric SNE, with sum_ij p_ij d_ij + log Z, has it at lambda = 1 / Z for all objects. With a constant
lambda, the push doesn't weaken as a map spreads, and the forces need no sum over all pairs first.
"""

import numpy as np

from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.mathematics.forces import Forces
from notebook_sne.engine.sums.pair_sums import gaussian_sums
from notebook_sne.engine.sums.stored_pairs import gaussian_pull, store

__all__ = ["attractive_pairs", "cost_and_gradient", "elastic_costs", "elastic_forces"]


def attractive_pairs(P):
    """Return the stored pairs of P, sparse; it need not be symmetric."""
    return store(P + P.T, P)


def cost_and_gradient(pairs, Y, repulsion, *, sums=gaussian_sums):
    """Return the Evaluation of the elastic embedding at map points Y, shape (N, d), finite: E and its gradient.

    `pairs` come from `attractive_pairs`; `repulsion` is lambda, or lambda_i of each object, shape (N,); `sums` is
    `gaussian_sums` or another function of the same form.
    """
    if np.ndim(repulsion) == 0 and repulsion == 0:  # springs alone, and no sum over all pairs
        z = push = np.zeros(1)
    else:
        z, push = sums(Y)
    if np.ndim(repulsion):
        push = repulsion[:, None] * push + sums(Y, repulsion)[1]
    else:
        push = 2.0 * repulsion * push
    energy, pull = gaussian_pull(pairs, Y)
    # energy runs over P + P.T, in which every p_ij d_ij stands twice.
    energy = 0.5 * energy + np.sum(repulsion * z)
    return Evaluation(energy, 2.0 * (pull - push), energy)


def elastic_forces(P, Y, i, repulsion):
    """Return the Forces on object i, at the same repulsion lambda for all.

    P is sparse and joint, Y has shape (N, d). q is that of symmetric SNE, exp(-d_ij) / Z.
    """
    near = np.exp(-np.square(Y - Y[i]).sum(axis=1))
    near[i] = 0.0
    p = P[[i]].toarray()[0]
    return Forces(4.0 * p, 4.0 * repulsion * near, p, near / gaussian_sums(Y)[0].sum())


def elastic_costs(P, Y, repulsion):
    """Return each object's share of the energy at the same repulsion for all, shape (N,); P and Y as above."""
    rows = np.repeat(np.arange(len(Y)), np.diff(P.indptr))
    pulls = P.data * np.square(Y[rows] - Y[P.indices]).sum(axis=1)
    return np.bincount(rows, weights=pulls, minlength=len(Y)) + repulsion * gaussian_sums(Y)[0]
