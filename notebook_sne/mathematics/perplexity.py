"""The search for each object's sigma: how wide must its Gaussian be to have k effective neighbours?

.. math::

    p_{j|i} = exp(-b_i D_ij) / sum_{h != i} exp(-b_i D_ih),   b_i = 1 / (2 sigma_i^2)            [Hinton2002, Eq. 1]

    H_i = -sum_j p_{j|i} log2 p_{j|i} = log2(perplexity)

H falls as b grows, at a rate that the spread of the distances gives, in nats:

.. math:: dH_i / d(log b_i) = -b_i^2 Var_i(D)

Newton's steps in log b, kept inside a shrinking bracket, reach the wanted entropy in a handful of sweeps. Distances are
measured from the nearest neighbour, so that an object far from all others is not 0 / 0.
"""

import math

import numpy as np
from numba import prange

from notebook_sne.mathematics.compiled import njit
from notebook_sne.mathematics.exponential import exp_minus
from notebook_sne.mathematics.parallel import FAST, FAST_SERIAL, exclusive

__all__ = ["one_sigma", "probabilities_at_perplexity"]

_TOLERANCE = 1e-8  # nats; the promise to users is 1e-5 bits
_SWEEPS = 200
# Newton's steps need about ten sweeps, or they jump to and fro for ever; from here on the bracket is halved instead.
_PATIENCE = 60


def probabilities_at_perplexity(D, perplexity):
    """Return p_{j|i}, shape (N, K), and the precisions b_i, shape (N,), from squared distances D, shape (N, K).

    Infinite distances get p = 0. Where the perplexity cannot be reached b_i is NaN.  [Hinton2002, Eq. 1]
    """
    P, precisions = np.zeros(D.shape), np.empty(len(D))
    # Copied only where it has to be: a read-only array would be another type, and compiled for anew.
    _search_rows(np.require(D, np.float64, ["C", "W"]), math.log(perplexity), P, precisions)
    return P, precisions


def one_sigma(D, perplexity):
    """Return the joint P, shape (N, N), of one global sigma, and its precision b = 1 / (2 sigma^2).

    p_ij is proportional to exp(-b D_ij) over all pairs [Cook2007, Eq. 4], D being squared distances; b gives P the
    entropy that N objects with `perplexity` equal neighbours each would have, log2(N perplexity). b is NaN where this
    cannot be reached.
    """
    N = len(D)
    P, precisions = np.zeros((1, N * N)), np.empty(1)
    _search_rows(np.array(D, dtype=np.float64).reshape(1, N * N), math.log(N * perplexity), P, precisions)
    return P.reshape(N, N), precisions[0]


@njit(**FAST_SERIAL)
def _entropy(d, b, p):
    """Return the entropy in nats of p proportional to exp(-b d), b^2 Var(d), and z; leave z p in p."""
    z = first = second = 0.0
    for j in range(d.shape[0]):
        t = b * d[j]
        e = exp_minus(t)
        p[j] = e
        z += e
        first += e * t
        second += e * t * t
    mean = first / z
    return math.log(z) + mean, second / z - mean * mean, z


@njit(**FAST_SERIAL)
def _search(d, target, p):
    """Return the b at which p proportional to exp(-b d) has the target entropy, or NaN; p is left normalised."""
    nearest = d.min()
    d -= nearest
    scale = d.mean()
    if not scale > 0.0:
        return np.nan
    d /= scale
    low, high, u = -np.inf, np.inf, 1.0  # u = log b
    for sweep in range(_SWEEPS):
        entropy, slope, z = _entropy(d, math.exp(u), p)
        excess = entropy - target
        if abs(excess) < _TOLERANCE:
            for j in range(p.shape[0]):
                p[j] /= z
            return math.exp(u) / scale
        if excess > 0.0:
            low = u
        else:
            high = u
        step = excess / slope if slope > 1e-12 else math.copysign(1.0, excess)
        u += min(max(step, -4.0), 4.0)
        if not low < u < high or (sweep > _PATIENCE and high - low < np.inf):
            u = 0.5 * (low + high)
        if not abs(u) < 600.0:
            break
    return np.nan


@exclusive
@njit(**FAST)
def _search_rows(D, target, P, precisions):
    for i in prange(D.shape[0]):
        near = np.flatnonzero(D[i] < np.inf)
        p = np.empty(near.shape[0])
        precisions[i] = _search(D[i][near], target, p) if near.shape[0] > 0 else np.nan
        if precisions[i] == precisions[i]:
            for k in range(near.shape[0]):
                # exp_minus never returns 0: what lies at its floor is nothing.
                P[i, near[k]] = p[k] if p[k] > 1e-290 else 0.0
