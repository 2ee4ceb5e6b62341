"""InfoNCE: which of m + 1 pairs was drawn from P? Its mean over all samples, without sampling.

.. math::

    C = sum_ij p_ij E[log(w_ij + S)] - sum_ij p_ij log w_ij,   w_ij = 1 / (1 + d_ij)             [Damrich2023]

S is the sum of the similarities w of m pairs, drawn evenly from all N (N - 1). The logarithm is an integral of
exponentials, and the exponential of a sum of independent numbers has a mean that is a product:

.. math::

    E[log(w + S)] = int_0^inf (e^-t - e^(-t w) A(t)^m) dt / t,   A(t) = sum_kl e^(-t w_kl) / (N (N - 1))

So the loss needs only A: how many pairs of the map have which similarity. This is a histogram, over all pairs of all
objects and not for each of them, and one pass of `sums.pair_counts` counts it. With B(t) = sum_ij p_ij e^(-t w_ij),

.. math::

    dC/dy_i = 4 sum_j (p_ij (w_ij - w_ij^2 L'(w_ij)) - m / (N (N - 1)) F(w_ij) w_ij^2) (y_i - y_j)

    L'(w) = int A^m e^(-t w) dt,     F(w) = int A^(m-1) B e^(-t w) dt

where F is one function of distance, by which all pairs push each other. As m grows, S nears its mean m Z / (N (N - 1)),
and this is t-SNE. The mean in the place of S, a mean field, would be an upper bound by Jensen's inequality, far above
for few pairs: most of Z is in a few near pairs, which few draws ever meet. In t, integrals are sums over an even grid
of log t, whose error falls exponentially with its spacing.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.mathematics.forces import Forces
from notebook_sne.engine.sums.pair_counts import (
    STEP,
    coefficients,
    count_pairs,
    count_stored,
    forces_of_all,
    forces_of_stored,
    grid,
    slopes_at,
    values_at,
)
from notebook_sne.engine.sums.pair_sums import student_sums
from notebook_sne.engine.sums.stored_pairs import store

__all__ = ["cost_and_gradient", "infonce_costs", "infonce_forces"]

_SPACING = 0.4  # of log t: the error is exp(-pi^2 / 0.4), 2e-11
_LEAST, _MOST = 1e-12, 40.0  # of t times what it is multiplied with: below, nothing is left of the integrand's slope
_NOTHING = 1e-100  # a mean of exponentials below which e^(-t w) is 0, too


class _Loss(NamedTuple):
    """The loss at one map, as functions of x = log(1 + d), by their coefficients, shape (n_bins,)."""

    of_pair: Floats  # E[log(w + S)] - log w
    push: Floats  # minus what a further pair of all at x adds to the cost; falls with x
    counts: Floats  # of the pairs of P
    places: Floats  # x


def cost_and_gradient(pairs, Y, n_negatives, *, always=None):
    """Return the Evaluation of InfoNCE at Y, shape (N, d), averaged over all samples.

    The cost is the loss in nats; `n_negatives` is m, above 0; `pairs` are those of a joint P, and `always` is as for
    `count_pairs`.
    """
    loss = _loss(pairs, Y, n_negatives, always)
    pull = forces_of_stored(pairs, Y, loss.of_pair)
    push = forces_of_all(Y, loss.push, always=always)
    cost = float(loss.counts @ loss.of_pair)
    return Evaluation(cost, 4.0 * (pull + push), cost)


def _loss(pairs, Y, m, always=None):
    N, x = len(Y), grid(Y)
    t, E, C = _exponentials(len(x), float(x[-1]), m)
    counts = count_stored(pairs, Y, len(x))
    n_pairs = N * (N - 1.0)
    A = np.maximum(count_pairs(Y, len(x), always=always) @ C / n_pairs, _NOTHING)
    left = A**m
    of_pair = x + _SPACING * (np.exp(-t).sum() - E @ left)
    near = np.where(A > _NOTHING, left / A * (counts @ C), 0.0)
    return _Loss(coefficients(of_pair), -_SPACING * m / n_pairs * (C @ near), counts, x)


@lru_cache(maxsize=8)
def _exponentials(n_bins, farthest, m):
    """Return t, e^(-t w) on the grid of x, shape (n_bins, n_t), and its coefficients."""
    x = farthest - STEP * np.arange(n_bins)[::-1]
    least = np.exp(-farthest)
    s = np.arange(np.log(_LEAST / (1.0 + m)), np.log(_MOST * max(1.0, 1.0 / (least * (1.0 + m)))), _SPACING)
    t = np.exp(s)
    E = np.exp(-t * np.exp(-x)[:, None])
    return t, E, coefficients(E)


def infonce_forces(P, Y, i, n_negatives):
    """Return the Forces on object i; q is that of t-SNE. P is sparse and joint, Y has shape (N, d)."""
    loss = _loss(store(P, P), Y, n_negatives)
    w = 1.0 / (1.0 + np.square(Y - Y[i]).sum(axis=1))
    x, p = -np.log(w), P[[i]].toarray()[0]
    pull, push = (4.0 * w * slopes_at(x, c) for c in (loss.of_pair, -loss.push))
    push[i] = w[i] = 0.0
    return Forces(p * pull, push, p, w / student_sums(Y)[0].sum())


def infonce_costs(P, Y, n_negatives):
    """Return each object's share of the loss, shape (N,); P and Y as above."""
    loss = _loss(store(P, P), Y, n_negatives)
    rows = np.repeat(np.arange(len(Y)), np.diff(P.indptr))
    x = np.log1p(np.square(Y[rows] - Y[P.indices]).sum(axis=1))
    return np.bincount(rows, weights=P.data * values_at(x, loss.of_pair), minlength=len(Y))
