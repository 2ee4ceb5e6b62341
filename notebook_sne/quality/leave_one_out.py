"""One object moved among all others, which stay: where would it go?

In a map at rest, all points but that of object i are held. The cost of the map is then a function of one place, up to a
constant:

.. math:: L_i(y) = -2 sum_{j != i} p_ij log w(y - y_j) + log(Z_i + 2 sum_{j != i} w(y - y_j))   [Liu2025, LOO loss]

with the joint P, w = 1 / (1 + d) for t-SNE and w = exp(-d) for symmetric SNE. d is a squared distance in the map, and
Z_i the sum of w over all ordered pairs without i. At rest, y_i is one of its minima.

*Perturbation*: object i is moved in the data, by a length along a direction. Only row and column i of P change: p_{j|i}
is found anew at the perplexity, p_{i|j} at the widths that the others have already (the second of the approximations
that [Liu2025] offer). The descent of L_i under this P begins at y_i and at the points of the two objects that it is now
most alike; the lowest of the minima is where the object would go. Where a map has a jump, as between two clusters that
it shows farther apart than they are, an object goes far.

*Singularity*: at y_i, how flat is L_i? Its second derivatives H_i are a block of the Hessian of the cost of the map,
and 1 / (least eigenvalue of H_i) bounds how far y_i moves as its object moves a little.

With c_j = y - y_j, Z = Z_i + 2 V, and V, B, F and T as in `sums.moments`, whose second derivative of V is 4 T - 2 B,

.. math::

    dL/dy = 4 sum_j p_ij r_j c_j - 4 F / Z,   r_j = 1 (the Gaussian), w_j (Student's t)

    H = 4 sum_j p_ij r_j I - 8 sum_j p_ij w_j^2 c_j c_j' + (8 T - 4 B I) / Z - 16 F F' / Z^2

where the second sum belongs to Student's t alone. [Liu2025] is spelled out in `notebook_sne.quality`.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy import sparse

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.exponential import log_of
from notebook_sne.engine.machine.parallel import FAST_BY_ROWS, FAST_SERIAL, by_rows, one_thread
from notebook_sne.engine.mathematics.neighbors import squares_between
from notebook_sne.engine.mathematics.out_of_sample import _dot, _newton
from notebook_sne.engine.mathematics.perplexity import probabilities_at_perplexity
from notebook_sne.engine.sums.moments import moments

__all__ = ["Widths", "curvatures", "joint_rows", "moved", "squares_moved", "widths_of"]

_STARTS = 3  # of a descent: the object's own place, and those of the two that it is most alike
_MOST_LOOKS = 60
_SETTLED = 1e-7  # in nats of N L_i: a step from which less is expected is not taken; single precision tells no less
_LONGEST_STEP = 3.0  # map units, at first
_LEAST_P = 1e-6  # share of the mass of a row: what is less attracts nothing, as in the models


class Widths(NamedTuple):
    """The part of each object j that stays when another one moves: how it chooses its neighbors.

    Made by `widths_of`.
    """

    nearest: np.ndarray
    """D of its nearest neighbor, from which its distances are measured, shape (N,)."""
    precisions: np.ndarray
    """b_j, shape (N,); infinite where it is tied."""
    totals: np.ndarray
    """sum_h exp(-b_j (D_jh - nearest_j)), shape (N,)."""


def joint_rows(
    widths: Widths, D: np.ndarray, D_moved: np.ndarray, perplexity: float, kept: int, equal: float
) -> np.ndarray:
    """Return row i of the joint P for some objects that were moved, shape (R, N).

    `widths` are those of all objects. D and D_moved, shape (R, N), are squared distances of the objects before and
    after, infinite to themselves; those that differ by less than the share `equal` count as equal. The row of an object
    that was moved has the perplexity. The `kept` nearest neighbors choose and are chosen; N - 1 are all, as
    `affinities.conditional` has it.
    """
    N = D.shape[1]
    own, _ = probabilities_at_perplexity(_nearest_alone(D_moved, kept), perplexity, equal)
    with np.errstate(over="ignore", invalid="ignore"):
        before = np.exp(widths.precisions * (widths.nearest - D))
        after = np.exp(np.minimum(widths.precisions * (widths.nearest - D_moved), 600.0))
        others = after / (np.maximum(widths.totals - before, 0.0) + after)
    tied = ~np.isfinite(widths.precisions)
    if tied.any():  # whose neighbors share the mass evenly: of one that moves away, nothing is left
        others[:, tied] = (D_moved <= widths.nearest)[:, tied] / widths.totals[tied]
    return (own + np.nan_to_num(others)) / (2.0 * N)


def _nearest_alone(D, kept):
    """Return D with all but the `kept` least of each row infinite."""
    if kept >= D.shape[1] - 1:
        return D
    last = np.partition(D, kept - 1, axis=1)[:, kept - 1 : kept]
    return np.where(last >= D, D, np.inf)


def moved(
    P: np.ndarray, Y: np.ndarray, rows: np.ndarray, rest: np.ndarray, *, student: bool = True, dtype=np.float32
) -> tuple[np.ndarray, np.ndarray]:
    """Return where each of R objects goes under another row of P, all others staying, shape (R, d), and L_i there.

    P, shape (R, N), has the joint p_ij of each object i after it was moved; `rows` are the numbers i, and `rest` their
    Z_i. Y, float64, shape (N, d), are map points, finite. Of a `student`, w is 1 / (1 + d) instead of exp(-d). The sums
    over all points are made in the precision `dtype`, float32 or float64.
    """
    shifted = np.ascontiguousarray(Y - np.median(Y, axis=0))
    points = np.array(shifted.T, dtype=dtype, order="C")
    starts = np.empty((len(rows), _STARTS), np.int64)
    starts[:, 0] = rows
    starts[:, 1:] = np.argpartition(P, -2, axis=1)[:, -2:]
    small = np.where(P < _LEAST_P * P.sum(axis=1, keepdims=True), 0.0, P)
    pairs = sparse.csr_array(small)
    places, costs = np.empty((len(rows), Y.shape[1])), np.empty(len(rows))
    _descend_rows(len(rows), *_parts(pairs), shifted, points, student, _ints(rows), starts, rest, places, costs)
    return places + np.median(Y, axis=0), costs


def curvatures(P, Y, rest, *, student=True, dtype=np.float32):
    """Return L_i, its gradient and H_i of every object at its place: shapes (N,), (N, d) and (N, d, d).

    P is sparse and joint; the other arguments are those of `moved`, for all objects.
    """
    shifted = np.ascontiguousarray(Y - np.median(Y, axis=0))
    points = np.array(shifted.T, dtype=dtype, order="C")
    n, d = Y.shape
    costs, gradients, H = np.empty(n), np.empty((n, d)), np.empty((n, d, d))
    rows = np.arange(n)
    _look_rows(n, *_parts(sparse.csr_array(P)), shifted, points, student, rows, rest, shifted, costs, gradients, H)
    return costs, gradients, H


def widths_of(D, perplexity, equal):
    """Return precisions, nearest and totals of some rows of squared distances, shape (R, K); infinite ones are none."""
    p, precisions = probabilities_at_perplexity(D, perplexity, equal)
    # Of the nearest neighbor the exponential is 1, so that its share of the mass is 1 / the total.
    return D.min(axis=1), precisions, 1.0 / p.max(axis=1)


@one_thread()
def squares_moved(X, rows, directions, length):
    """Return squared distances of some objects before, (R, N), and after moves along each direction, (R, K, N).

    `X` has shape (N, n_features), `directions`, of length 1, (K, n_features); to itself an object is infinitely far.
    """
    D = squares_between(X[rows], X)
    along = X @ directions.T
    shift = along[rows][:, None, :] - along[None]  # (R, N, K)
    moved = D[:, None, :] + 2.0 * length * np.moveaxis(shift, 2, 1) + length**2
    np.maximum(moved, 0.0, out=moved)
    D[np.arange(len(rows)), rows] = np.inf
    moved[np.arange(len(rows)), :, rows] = np.inf
    return D, moved


def _parts(P):
    """Return the parts of a CSR matrix in the types that kernels are compiled for."""
    kinds = ((P.indptr, np.int64), (P.indices, np.int64), (P.data, np.float64))
    return [np.require(part, kind, ["C", "W"]) for part, kind in kinds]


def _ints(rows):
    return np.require(rows, np.int64, ["C", "W"])


@njit(**FAST_SERIAL)
def _evaluate(points, Y, i, near, p, rest, y, student, g, H):
    """Return L_i at y; write its gradient and its second derivatives."""
    n = y.shape[0]
    F, T = np.empty(n), np.empty((n, n))
    seen_from = y.astype(points.dtype)
    V, B = moments(points, seen_from, points.dtype.type(0), student, F, T)
    # The sums run over all points; i itself is taken out as it went in, in their precision.
    d = 0.0
    for a in range(n):
        t = float(seen_from[a]) - float(points[a, i])
        d += t * t
    k = 1.0 / (1.0 + d) if student else math.exp(-d)
    k1 = k * k if student else k
    k2 = 2.0 * k * k1 if student else k
    V -= k
    B -= k1
    for a in range(n):
        ca = float(seen_from[a]) - float(points[a, i])
        F[a] -= k1 * ca
        for c in range(n):
            T[a, c] -= k2 * ca * (float(seen_from[c]) - float(points[c, i]))
    Z = rest + 2.0 * V
    cost = math.log(Z)
    for a in range(n):
        g[a] = -4.0 * F[a] / Z
        for c in range(n):
            H[a, c] = 8.0 * T[a, c] / Z - 16.0 * F[a] * F[c] / Z**2
        H[a, a] -= 4.0 * B / Z
    for m in range(near.shape[0]):
        j = near[m]
        d = 0.0
        for a in range(n):
            t = y[a] - Y[j, a]
            d += t * t
        w = 1.0 / (1.0 + d) if student else 1.0
        cost += 2.0 * p[m] * (log_of(1.0 + d) if student else d)
        for a in range(n):
            ca = y[a] - Y[j, a]
            g[a] += 4.0 * p[m] * w * ca
            H[a, a] += 4.0 * p[m] * w
            if student:
                for c in range(n):
                    H[a, c] -= 8.0 * p[m] * w * w * ca * (y[c] - Y[j, c])
    return cost


@njit(**FAST_SERIAL)
def _descend(points, Y, i, near, p, rest, student, scale, y):
    """Lead y to the minimum of L_i below it, and return the cost there; damped steps of Newton.

    `scale` is what L_i is multiplied with, N: its curvatures are then of the order of 1, as `_newton` has it.
    """
    n = y.shape[0]
    there, step, L = np.empty(n), np.empty(n), np.zeros((n, n))
    g, H, new_g, new_H = np.empty(n), np.empty((n, n)), np.empty(n), np.empty((n, n))
    damping, longest = 0.0, _LONGEST_STEP
    cost = scale * _evaluate(points, Y, i, near, p, rest, y, student, g, H)
    g *= scale
    H *= scale
    for _ in range(_MOST_LOOKS):
        damping = _newton(H, g, damping, longest, L, step)
        if not -0.5 * _dot(g, step) > _SETTLED:
            break
        for a in range(n):
            there[a] = y[a] + step[a]
        new_cost = scale * _evaluate(points, Y, i, near, p, rest, there, student, new_g, new_H)
        if new_cost < cost:
            cost = new_cost
            for a in range(n):
                y[a], g[a] = there[a], scale * new_g[a]
                for c in range(n):
                    H[a, c] = scale * new_H[a, c]
            damping = 0.1 * damping if damping > 0.01 else 0.0
            if _dot(step, step) > 0.25 * longest**2:
                longest *= 2.0
        else:
            damping = max(0.01, 4.0 * damping)
    return cost / scale


@by_rows
@njit(**FAST_BY_ROWS)
def _descend_rows(first, last, indptr, indices, data, Y, points, student, rows, starts, rest, places, costs):
    y = np.empty(Y.shape[1])
    for r in range(first, last):
        near, p = indices[indptr[r] : indptr[r + 1]], data[indptr[r] : indptr[r + 1]]
        costs[r] = np.inf
        for s in range(starts.shape[1]):
            if s == 2 and starts[r, 2] == starts[r, 0]:
                continue
            for a in range(y.shape[0]):
                y[a] = Y[starts[r, s], a]
            cost = _descend(points, Y, rows[r], near, p, rest[r], student, float(Y.shape[0]), y)
            if cost < costs[r]:
                costs[r] = cost
                for a in range(y.shape[0]):
                    places[r, a] = y[a]


@by_rows
@njit(**FAST_BY_ROWS)
def _look_rows(first, last, indptr, indices, data, Y, points, student, rows, rest, at, costs, gradients, H):
    for r in range(first, last):
        near, p = indices[indptr[r] : indptr[r + 1]], data[indptr[r] : indptr[r + 1]]
        costs[r] = _evaluate(points, Y, rows[r], near, p, rest[r], at[r], student, gradients[r], H[r])
