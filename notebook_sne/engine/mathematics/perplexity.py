"""The search for each object's sigma: how wide must its Gaussian be to have k effective neighbors?

.. math::

    p_{j|i} = exp(-b_i D_ij) / sum_{h != i} exp(-b_i D_ih),   b_i = 1 / (2 sigma_i^2)          [Hinton2002, Eq. 1-2]

    H_i = -sum_j p_{j|i} log2 p_{j|i} = log2(perplexity)

H falls as b grows, at a rate given by the spread of the distances, in nats:

.. math:: dH_i / d(log b_i) = -b_i^2 Var_i(D)

Newton steps in log b, kept inside a shrinking bracket, reach the target entropy in a few sweeps. Distances are measured
from the nearest neighbor, so that an object far from all others doesn't lead to 0 / 0.

If m neighbors are nearest, all at one distance, H stays above log2(m), however large b is. If m exceeds the perplexity,
P_i is the limit of narrow Gaussians, in which these m neighbors share the mass evenly:

.. math:: p_{j|i} = 1 / m   (the m nearest),     p_{j|i} = 0   (all others)
"""

import math

import numpy as np

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.exponential import exp_minus
from notebook_sne.engine.machine.parallel import FAST_BY_ROWS, FAST_SERIAL, by_rows

__all__ = ["equal_share", "one_sigma", "probabilities_at_perplexity", "search_row", "squares_in_units"]

# Squared distances that differ by a smaller share count as equal: so much rounding may leave of equal ones.
_EQUAL, _EQUAL_IN_SINGLE = 1e-13, 1e-6

_TOLERANCE = 1e-8  # nats; the promise to users is 1e-5 bits
_SWEEPS = 200
_LEAST = 1e-150  # the square is a normal number
BEYOND = 1e20  # squared distances: at no perplexity up to the number of those within 1 has it a share
# Newton's steps need about ten sweeps, or they jump to and fro for ever; from here on the bracket is halved instead.
_PATIENCE = 60


def probabilities_at_perplexity(D, perplexity, equal=_EQUAL):
    """Return p_{j|i}, shape (N, K), and the precisions b_i, shape (N,), from squared distances D, shape (N, K).

    Infinite distances get p = 0. If more neighbors than the perplexity are nearest, at distances that differ by less
    than the share `equal`, they share the mass evenly, and b_i is infinite. b_i is NaN if there are fewer neighbors
    than the perplexity. [Hinton2002, section 2]
    """
    # Copied only where it has to be: a read-only array would be another type, and compiled for anew.
    D = np.require(D, np.float64, ["C", "W"])
    P, precisions = np.zeros(D.shape), np.empty(len(D))
    _search_rows(len(D), D, math.log(perplexity), float(equal), P, precisions)
    n = math.floor(perplexity)
    again = np.flatnonzero(np.isnan(precisions)) if n < D.shape[1] else ()
    if len(again):
        # The distances span too many orders of magnitude. So many objects are near enough that what is far beyond them
        # has no part in P, and may as well be infinitely far.
        scaled, P_again, b = D[again], np.zeros((len(again), D.shape[1])), np.empty(len(again))
        unit = np.partition(scaled, n, axis=1)[:, n]
        unit[~(unit < np.inf)] = 1.0
        with np.errstate(over="ignore"):
            scaled /= unit[:, None]
        scaled[scaled > BEYOND] = np.inf
        _search_rows(len(scaled), scaled, math.log(perplexity), float(equal), P_again, b)
        with np.errstate(over="ignore"):
            precisions[again] = np.minimum(b / unit, 1e308)
        precisions[again[np.isinf(b)]] = np.inf
        P[again] = P_again
    return P, precisions


def one_sigma(D, perplexity, equal=_EQUAL):
    """Return the joint P, shape (N, N), of one global sigma, and its precision b = 1 / (2 sigma^2).

    p_ij is proportional to exp(-b D_ij) over all pairs [Cook2007, Eq. 4], where D are squared distances. b gives P the
    entropy of N objects with `perplexity` equal neighbors each, log2(N perplexity). If more pairs than that are
    nearest, they share the mass evenly, and b is infinite.
    """
    N = len(D)
    P, precisions = probabilities_at_perplexity(np.reshape(D, (1, N * N)), N * perplexity, equal)
    return P.reshape(N, N), precisions[0]


def equal_share(*arrays):
    """Return the relative difference up to which squared distances of objects count as equal, from their arrays."""
    return _EQUAL_IN_SINGLE if any(a.dtype == np.float32 for a in arrays) else _EQUAL


def squares_in_units(D, largest, perplexity):
    """Return squares of distances D, shape (n, N), in units of `largest`, one number or one per row, shape (n, 1).

    Only identical objects may have squares of 0. If the squares of positive distances would be 0 too, the unit of the
    row is the distance to one of its nearest objects, within the perplexity: objects that are then infinitely far have
    no part in P.
    """
    with np.errstate(over="ignore"):
        squares = D / largest
        np.square(squares, out=squares)
        lost = np.flatnonzero(((D > 0.0) & (D < _LEAST * largest)).any(axis=1))
        if len(lost):
            unit = np.partition(D[lost], math.floor(perplexity), axis=1)[:, math.floor(perplexity)]
            least = np.where(D[lost] > 0.0, D[lost], np.inf).min(axis=1)
            squares[lost] = np.square(D[lost] / np.where(unit > 0.0, unit, least)[:, None])
    return squares


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
def search_row(d, target, equal, p):
    """Return the b at which p proportional to exp(-b d) has the entropy `target`, or NaN; p is left normalized.

    Distances that exceed the least by at most the share `equal` of it count as equal to it. If more of them are nearest
    than the entropy requires, they share p evenly, and b is infinite. d is changed.
    """
    # Loops, where array functions would say the same: each of those takes half a second to compile.
    nearest = d[0]
    for j in range(1, d.shape[0]):
        nearest = min(nearest, d[j])
    for j in range(d.shape[0]):
        d[j] -= nearest
    ties = 0
    for j in range(d.shape[0]):
        ties += d[j] <= equal * nearest
    if math.log(ties) > target + _TOLERANCE:
        for j in range(d.shape[0]):
            p[j] = 1.0 / ties if d[j] <= equal * nearest else 0.0
        return np.inf
    scale = 0.0
    for j in range(d.shape[0]):
        scale += d[j] / d.shape[0]
    if not scale > 0.0:
        return np.nan
    for j in range(d.shape[0]):
        d[j] /= scale
    low, high, u = -np.inf, np.inf, 1.0  # u = log b
    for sweep in range(_SWEEPS):
        entropy, slope, z = _entropy(d, math.exp(u), p)
        excess = entropy - target
        if abs(excess) < _TOLERANCE:
            for j in range(p.shape[0]):
                p[j] /= z
            return min(math.exp(u) / scale, 1e308)
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


@by_rows
@njit(**FAST_BY_ROWS)
def _search_rows(first, last, D, target, equal, P, precisions):
    # 64 numbers apart: where few are written just behind those that are read, a compiled loop adds them one by one, and
    # else several at a time, in another order. So the bits would depend on where memory happens to be free.
    near, room = np.empty(D.shape[1], np.int64), np.empty((2, D.shape[1] + 64))
    d, p = room[0], room[1]
    for i in range(first, last):
        n = 0
        for j in range(D.shape[1]):
            if D[i, j] < np.inf:
                near[n], d[n] = j, D[i, j]
                n += 1
        precisions[i] = search_row(d[:n], target, equal, p[:n]) if n > 0 else np.nan
        if precisions[i] == precisions[i]:
            for k in range(n):
                # exp_minus never returns 0: what lies at its floor is nothing.
                P[i, near[k]] = p[k] if p[k] > 1e-290 else 0.0
