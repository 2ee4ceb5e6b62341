"""P from data, as compiled functions: the search for sigma, the threshold, and the sum P + P.T.

`probabilities` and SciPy work on a whole matrix; these functions work row by row, so that a page can answer in between.
The squared distances, the selection of neighbors and the search are the same functions that Python calls. Distances
come first and P after them, so that another perplexity needs no new distances. The search makes its first steps in
single precision, and calls `search_row` if that isn't enough.
"""

import math

import numpy as np

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.exponential import exp_minus
from notebook_sne.engine.machine.parallel import FAST_SERIAL
from notebook_sne.engine.mathematics.distances import smallest, squared_distance
from notebook_sne.engine.mathematics.perplexity import BEYOND, search_row
from notebook_sne.engine.mathematics.selection import nth_smallest
from notebook_sne.engine.sums.symmetric import step, turn

__all__ = ["conditional_rows", "conditional_rows_among", "distance_rows", "nearest_rows"]
__all__ += ["negentropy", "symmetric_size", "symmetrize"]

_WHOLE = {**FAST_SERIAL, "forceinline": False}
_NOTHING = 1e-290  # what the fast exponential returns at its floor is below it
TIED, UNREACHED = 1, 2
"""Of an object: more nearest neighbors at one distance than the perplexity, which share the mass; or too few in all."""
_ROUGHLY, _NEARLY = 1e-3, 1e-4  # nats from the wanted entropy: where single precision ends, and where one step is left
_SWEEPS = 20  # of either kind, before another search is tried
_BEGIN, _LONGEST = 2.5, 2.0  # where log b, in units of 1 / mean, begins, and its longest step
_NARROWEST = 9.0  # log b in units of 1 / mean: narrower Gaussians see differences that count as none


@njit(**_WHOLE)
def _slope(z, first, second):
    """Return the entropy in nats, and how fast it falls with log b, from sums of w = exp(-t), w t and w t^2."""
    mean = first / z
    return math.log(z) + mean, second / z - mean * mean


@njit(**_WHOLE)
def _quickly(d, target, e, p):
    """Write p of one row with the entropy `target` and return the precision, or NaN if that needs more care.

    The steps are those of `search_row`: as many as needed in single precision, whose sweeps take a quarter of the time,
    then one in double precision. The remaining change of b is a millionth, and p follows it by its series. e, float32,
    is room for as many numbers as d has.
    """
    K = d.shape[0]
    nearest, scale, low, high, u = d.min(), 0.0, -math.inf, math.inf, _BEGIN
    for k in range(K):
        scale += d[k] - nearest
    scale /= K
    if not (0.0 < scale < math.inf):
        return math.nan
    for k in range(K):
        e[k] = (d[k] - nearest) / scale
    excess = math.inf
    for _ in range(_SWEEPS):
        b, z, first, second = np.float32(math.exp(u)), np.float32(0.0), np.float32(0.0), np.float32(0.0)
        for k in range(K):
            t = b * e[k]
            w = exp_minus(t)
            z += w
            first += w * t
            second += w * t * t
        entropy, slope = _slope(np.float64(z), np.float64(first), np.float64(second))
        excess = entropy - target
        if excess > 0.0:
            low = u
        else:
            high = u
        u += min(max(excess / slope if slope > 1e-3 else math.copysign(_LONGEST, excess), -_LONGEST), _LONGEST)
        if not low < u < high:
            u = 0.5 * (low + high)
        if not abs(u) < _NARROWEST:
            return math.nan
        if abs(excess) < _ROUGHLY:
            break
    if not abs(excess) < _ROUGHLY:
        return math.nan
    for _ in range(_SWEEPS):
        b, z, first, second = math.exp(u) / scale, 0.0, 0.0, 0.0  # type: ignore[assignment]
        for k in range(K):
            t = b * (d[k] - nearest)
            w = exp_minus(t)
            p[k] = w
            z += w
            first += w * t
            second += w * t * t
        entropy, slope = _slope(z, first, second)
        excess = entropy - target
        if abs(excess) < _NEARLY:
            break
        u += excess / slope
    if not abs(excess) < _NEARLY:
        return math.nan
    more, z = math.exp(excess / slope) - 1.0, 0.0  # type: ignore[assignment]
    for k in range(K):
        x = more * b * (d[k] - nearest)
        p[k] *= 1.0 - x * (1.0 - x * (0.5 - x / 6.0))
        z += p[k]
    for k in range(K):
        p[k] /= z
    return b * (1.0 + more)


@njit(**_WHOLE)
def _searched(d, perplexity, equal, p):
    """Write p_{j|i} of one row, from finite squared distances d to others, and return the precision, or NaN."""
    n, K = math.floor(perplexity), d.shape[0]
    b = _quickly(d, math.log(perplexity), np.empty(K, np.float32), p)
    if b == b:
        return b
    b = search_row(d.copy(), math.log(perplexity), equal, p)
    if b == b or n >= K:
        return b
    # As in `probabilities_at_perplexity`: the distances span too many orders of magnitude.
    unit = nth_smallest(d, n + 1)
    unit = unit if 0.0 < unit < math.inf else 1.0
    near = np.empty(K, np.int64)
    m = 0
    for k in range(K):
        if d[k] / unit <= BEYOND:
            near[m] = k
            m += 1
    scaled, found = np.empty(m), np.empty(m)
    for k in range(m):
        scaled[k] = d[near[k]] / unit
    b = search_row(scaled, math.log(perplexity), equal, found)
    for k in range(K):
        p[k] = 0.0
    for k in range(m):
        p[near[k]] = found[k]
    return b


@njit(**_WHOLE)
def _store_row(listed, d, perplexity, least_p, equal, place, columns, values):
    """Write the kept part of a row from `place` on; return the place after it, and whether the object is tied."""
    K = d.shape[0]
    p = np.empty(K)
    precision = _searched(d, perplexity, equal, p)
    if precision != precision:
        return place, UNREACHED
    total = 0.0
    for k in range(K):
        if p[k] <= _NOTHING:
            p[k] = 0.0
        total += p[k]
    kept, start = 0.0, place
    for k in range(K):
        if p[k] > 0.0 and not p[k] < least_p * total:
            columns[place], values[place] = listed[k], p[k]
            kept += p[k]
            place += 1
    for k in range(start, place):
        values[k] *= 1.0 / kept
    return place, TIED if precision == math.inf else 0


@njit(**_WHOLE)
def distance_rows(X, first, last, D):
    """Write the squared distances of pairs i < j with i from `first` to `last`, at both places in D, (N, N)."""
    for j in range(first + 1, X.shape[0]):
        for i in range(first, min(last, j)):
            D[i, j] = D[j, i] = squared_distance(X[i], X[j])


@njit(**_WHOLE)
def nearest_rows(X, first, last, neighbors, D):
    """Write the nearest objects of some, in rising order, and their squared distances, (N, K) each, K < N.

    X, float64 of shape (N, n_features), has unit spread. Of equally near objects, the first are taken.
    """
    N, K = X.shape[0], D.shape[1]
    listed, d, found = np.empty(N - 1, np.int64), np.empty(N - 1), np.empty(K, np.int64)
    for i in range(first, last):
        for k in range(N - 1):
            listed[k] = k + (k >= i)
            d[k] = squared_distance(X[i], X[listed[k]])
        smallest(d, listed, found, D[i])
        for k in range(K):
            neighbors[i, k] = found[k]


@njit(**_WHOLE)
def conditional_rows(D, perplexity, least_p, equal, first, last, pointers, columns, values, tied):
    """Make rows of a conditional P, one after the other, and return the first row that wasn't made.

    D, shape (N, N), are squared distances, in any unit; the diagonal isn't read. `perplexity`, `least_p` and `equal`
    are as for `models`, and for `probabilities_at_perplexity`. Rows from `first` to before `last` are to be made; those
    before `first` exist already. `pointers`, `columns` and `values`, int64, int32 and float64, are the sparse matrix,
    written from pointers[first] on; a row for which there may be no room isn't written at all. `tied`, uint8 of shape
    (N,), takes `TIED`, `UNREACHED` or 0.
    """
    N = D.shape[0]
    listed, d = np.empty(N - 1, np.int64), np.empty(N - 1)
    for i in range(first, last):
        if pointers[i] + N - 1 > columns.shape[0]:
            return i
        for k in range(N - 1):
            listed[k] = k + (k >= i)
            d[k] = D[i, listed[k]]
        pointers[i + 1], tied[i] = _store_row(listed, d, perplexity, least_p, equal, pointers[i], columns, values)
    return last


@njit(**_WHOLE)
def conditional_rows_among(
    neighbors, D, n_neighbors, perplexity, least_p, equal, first, last, pointers, columns, values, tied
):
    """Do the same from the nearest objects and their squared distances, (N, K); the n_neighbors nearest are used."""
    K = D.shape[1]
    n = min(n_neighbors, K)
    listed, found, near = np.empty(K, np.int64), np.empty(n, np.int64), np.empty(n)
    for i in range(first, last):
        if pointers[i] + n > columns.shape[0]:
            return i
        for k in range(K):
            listed[k] = neighbors[i, k]
        if n < K:
            smallest(D[i], listed, found, near)
            made = _store_row(found, near, perplexity, least_p, equal, pointers[i], columns, values)
        else:
            made = _store_row(listed, D[i], perplexity, least_p, equal, pointers[i], columns, values)
        pointers[i + 1], tied[i] = made
    return last


@njit(**_WHOLE)
def _merge(pointers, columns, values, scale, write, new_pointers, new_columns, strengths):
    """Write scale (P + P.T), if asked to, and return how many entries it has."""
    N, n = pointers.shape[0] - 1, 0
    starts, rows, turned = np.zeros(N + 1, np.int64), np.empty(pointers[N], np.int32), np.empty(pointers[N])
    turn(pointers, columns, values, starts, rows, turned)
    for i in range(N):
        a, b = pointers[i], starts[i]
        while a < pointers[i + 1] or b < starts[i + 1]:
            j, s, a, b = step(a, pointers[i + 1], b, starts[i + 1], columns, values, rows, turned)
            if write:
                new_columns[n], strengths[n] = j, scale * s
            n += 1
        if write:
            new_pointers[i + 1] = n
    return n


@njit(**_WHOLE)
def symmetric_size(pointers, columns, values):
    """Return how many entries P + P.T has; the columns of P rise in each row."""
    return _merge(pointers, columns, values, 1.0, False, pointers, columns, values)


@njit(**_WHOLE)
def symmetrize(pointers, columns, values, scale, new_pointers, new_columns, strengths):
    """Write scale (P + P.T); the joint P of a conditional one has the scale 1 / (2 N)."""
    new_pointers[0] = 0
    _merge(pointers, columns, values, scale, True, new_pointers, new_columns, strengths)


@njit(**_WHOLE)
def negentropy(values):
    """Return sum p log p in nats over the entries of P."""
    total = 0.0
    for k in range(values.shape[0]):
        if values[k] > 0.0:
            total += values[k] * math.log(values[k])
    return total
