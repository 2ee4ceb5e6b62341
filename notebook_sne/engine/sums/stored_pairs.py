"""The stored pairs of a sparse P: the whole influence of P on a map.

Attraction, and the part of the cost that depends on P, concern only pairs with p > 0. They are held as the three arrays
of a compressed sparse row matrix. With the strength s_ij of a pair, P or P + P.T, the three kernels have these sums of
energy and force:

.. math::

    sum_ij s_ij d_ij,             sum_j s_ij (y_i - y_j)                    (the Gaussian, whose -log K is d)
    sum_ij s_ij log(1 + d_ij),    sum_j s_ij (y_i - y_j) / (1 + d_ij)       (Student's t)
    -sum_ij s_ij log q_ij,        sum_j s_ij r_ij (y_i - y_j)               (the Gaussian with a background)

Positions and their differences are in double precision: in single precision, maps of 200 units had forces wrong by
2e-5. The sums of a row are in the precision of its strengths. For one map with `MANY` pairs that is single precision:
its error, 1e-6, is far below that of the sums over all pairs there, and half of the time was that of double precision.
"""

from typing import NamedTuple

import numpy as np
from numba import prange
from scipy import sparse

from notebook_sne.engine.checks.numbers import canonical
from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.exponential import exp_minus, log_of
from notebook_sne.engine.machine.parallel import FAST, FAST_SERIAL, exclusive
from notebook_sne.engine.machine.simd import N_DOUBLES, call, eight, fetch, in_type_of, larger, smaller, total

__all__ = ["MANY", "StoredPairs", "gaussian_pull", "in_plane", "read_only", "share_out", "store", "student_pull"]
__all__ += ["uniform_background_pull"]

MANY = 2**20
"""Stored pairs, above which their strengths are in single precision and their objects in `memory_order`: 10,000 objects
at a perplexity of 30."""


class StoredPairs(NamedTuple):
    """A symmetric sparse matrix of pair strengths, and the part of the cost that no map can change.

    Strengths are in single precision where there are `MANY`, and for one map.
    """

    pointers: np.ndarray  # int64, shape (N + 1,): row i occupies places pointers[i] to pointers[i + 1]
    columns: np.ndarray  # int32, shape (n_pairs,): the objects j of the stored pairs, row by row
    strengths: np.ndarray  # float64 or float32, shape (n_pairs,): s_ij in the same places
    negentropy: float  # sum p log p in nats, over the entries of P
    radii: np.ndarray | None = None  # log local radii in the data, shape (N,), where densities are to be kept


def store(S, P, *, single=False):
    """Return the symmetric strengths S, a sparse matrix, as stored pairs with the negentropy of P.

    If S is read-only, as the P of a model is, its arrays aren't copied. With `single`, as for one map, more than
    `MANY` strengths are kept in single precision, and those that are in single precision as they are.
    """
    S = canonical(sparse.csr_array(S))
    kind = np.float32 if single and (S.data.dtype == np.float32 or len(S.data) > MANY) else np.float64
    return StoredPairs(
        _kept(S.indptr, np.int64),
        _kept(S.indices, np.int32),
        _kept(S.data, kind),
        _negentropy(sparse.csr_array(P).data),
    )


def _negentropy(p):
    """Return sum p log p in nats, in parts where there are many terms; fewer terms keep their last bits."""
    if len(p) > _PART:
        return float(sum(_negentropy(p[first : first + _PART]) for first in range(0, len(p), _PART)))
    p = np.asarray(p[p > 0], np.float64)
    return float(np.sum(p * np.log(p)))


def _kept(a, dtype):
    """Return a read-only array of this type: the array itself, if it is one already."""
    if a.flags.writeable or a.dtype != dtype:
        a = a.astype(dtype)
        a.flags.writeable = False
    return a


def share_out(pairs):
    """Return the arguments of a kernel over rows: pointers, columns, strengths, and where blocks of rows begin and end.

    Threads get whole blocks with equal numbers of pairs, even if some rows are long and others short. The arrays are
    views; the last, int64 of shape (n_blocks + 1,), rises from 0 to N.
    """
    # A row counts one more than its pairs, so that empty rows are shared out too.
    ends = pairs.pointers + np.arange(len(pairs.pointers))
    blocks = np.searchsorted(ends, np.linspace(0, ends[-1], _BLOCKS + 1))
    # A kernel may read eight pairs at a time, counted or not.
    lacking = max(0, N_DOUBLES - len(pairs.columns))
    columns, strengths = (np.pad(a, (0, lacking)) if lacking else a for a in (pairs.columns, pairs.strengths))
    return (
        read_only(pairs.pointers, np.int64),
        read_only(columns, np.int32),
        read_only(strengths, strengths.dtype),
        read_only(blocks, np.int64),
    )


def read_only(a, dtype):
    """Return an array for kernels: of this dtype, contiguous, read-only. So each kernel is compiled once."""
    a = np.ascontiguousarray(a, dtype=dtype).view()
    a.flags.writeable = False
    return a


_PART = 1 << 24  # terms of the negentropy that are computed together
_AHEAD = 64  # pairs whose points are called for before they are fetched: otherwise the processor waits for each
_BLOCKS = 240  # equal parts for 2, 3, 4, 5, 6 and 8 threads, and few rows in each


def gaussian_pull(pairs, Y):
    """Return sum_ij s_ij d_ij and the forces sum_j s_ij (y_i - y_j), shape (N, d).

    `pairs` are the stored pairs, Y has shape (N, d).
    """
    return _pull(pairs, Y, ())[:2]


def student_pull(pairs, Y):
    """Return sum_ij s_ij log(1 + d_ij) and the forces sum_j s_ij (y_i - y_j) / (1 + d_ij), shape (N, d).

    `pairs` are the stored pairs, Y has shape (N, d).
    """
    return _pull(pairs, Y, (1.0,))[:2]


def uniform_background_pull(pairs, Y, background, log_z):
    """Return three sums of UNI-SNE over the stored pairs, at a background b > 0.  [Cook2007, Eq. 9]

    .. math::

        q_ij = (1 - b) e_ij / Z + b / (N (N - 1)),   r_ij = (1 - b) e_ij / (Z q_ij)

    They are -sum_ij s_ij log q_ij; the forces sum_j s_ij r_ij (y_i - y_j), shape (N, d); and R = sum_ij s_ij r_ij.
    `pairs` are the stored pairs, Y has shape (N, d), `background` is b and `log_z` the logarithm of Z.
    """
    N = len(Y)
    return _pull(pairs, Y, (np.log1p(-background) - log_z, background / (N * (N - 1.0))))


def _pull(pairs, Y, kernel):
    N, d = Y.shape
    # In the plane the coordinates of a point lie side by side: one look at memory fetches both.
    points = np.array(Y if d == 2 else Y.T, dtype=np.float64, order="C")
    energy, share, forces = np.empty(N), np.empty(N), np.empty((N, d))
    (in_plane if d == 2 else _space)(*share_out(pairs), points, kernel, energy, share, forces)
    # A point that has gone to infinity shows in the forces; a logarithm that reads exponent bits does not tell of it.
    return energy.sum() + 0.0 * forces.sum(), forces, share.sum()


# (1 - b) e / Z is at most 1, as a pair is one of those in Z: its exponent is above 0 by rounding only. At the other
# end, 1e-282 is no part of a q with a background, but its product with s is a normal number; others cost much time.
_FAR = 650.0


# In the plane a row is taken in blocks of eight pairs. Its last block reaches back, or for the very first rows on, to
# pairs of other rows, whose strengths count nothing: _COUNTS holds eight factors for every part of a block.
_COUNTS = np.array(
    [a <= lane < b for a in range(N_DOUBLES) for b in range(N_DOUBLES + 1) for lane in range(N_DOUBLES)], float
)


@njit(**FAST_SERIAL)
def _block(start, stop, strengths):
    """Return the place k of the block that begins with pair `start` of a row, and its strengths."""
    k = max(min(start, stop - N_DOUBLES), 0)
    counted = N_DOUBLES * ((N_DOUBLES + 1) * (start - k) + min(stop - k, N_DOUBLES))
    s = eight(strengths, k)
    return k, s * in_type_of(eight(_COUNTS, counted), s)


@njit(**FAST_SERIAL)
def _nothing(strengths):
    """Return eight zeros of the type of the strengths."""
    return in_type_of(eight(_COUNTS, 0), eight(strengths, 0))


@njit(**FAST_SERIAL)
def _away(columns, k, points, x, y, s):
    """Return how far (x, y) is from eight points, along both axes, in the type of s."""
    ahead = min(k + _AHEAD, columns.shape[0] - N_DOUBLES)
    for lane in range(N_DOUBLES):
        call(points, 2 * columns[ahead + lane])
    there_x, there_y = fetch(points, columns, k)
    return in_type_of(x - there_x, s), in_type_of(y - there_y, s)


@njit(**FAST_SERIAL)
def _gaussian_row(columns, strengths, start, stop, points, x, y):
    """Return the energy of a row seen from (x, y), its share r, and the two components of its force."""
    energy = force_x = force_y = _nothing(strengths)
    for first in range(start, stop, N_DOUBLES):
        k, s = _block(first, stop, strengths)
        dx, dy = _away(columns, k, points, x, y, s)
        energy = energy + s * (dx * dx + dy * dy)
        force_x = force_x + s * dx
        force_y = force_y + s * dy
    return total(energy), 0.0, total(force_x), total(force_y)


@njit(**FAST_SERIAL)
def _student_row(columns, strengths, start, stop, points, x, y):
    energy = force_x = force_y = _nothing(strengths)
    for first in range(start, stop, N_DOUBLES):
        k, s = _block(first, stop, strengths)
        dx, dy = _away(columns, k, points, x, y, s)
        far = 1.0 + dx * dx + dy * dy
        energy = energy + s * log_of(far)
        s = s / far
        force_x = force_x + s * dx
        force_y = force_y + s * dy
    return total(energy), 0.0, total(force_x), total(force_y)


@njit(**FAST_SERIAL)
def _uniform_row(columns, strengths, start, stop, points, x, y, offset, uniform):
    energy = share = force_x = force_y = _nothing(strengths)
    for first in range(start, stop, N_DOUBLES):
        k, s = _block(first, stop, strengths)
        dx, dy = _away(columns, k, points, x, y, s)
        near = exp_minus(smaller(larger(dx * dx + dy * dy - offset, 0.0), _FAR))
        q = near + uniform
        energy = energy - s * log_of(q)
        s = s * near / q
        share = share + s
        force_x = force_x + s * dx
        force_y = force_y + s * dy
    return total(energy), total(share), total(force_x), total(force_y)


@exclusive
@njit(**FAST)
def in_plane(pointers, columns, strengths, blocks, points, kernel, energy, share, forces):
    """Write the energy, the share and the force of each row, one block of rows after the other.

    `kernel` is () for the Gaussian, (1.0,) for Student's t, and with a background (log((1 - b) / Z), b / (N (N - 1))).
    The count is a type: each is compiled without the others.
    """
    for b in prange(blocks.shape[0] - 1):
        for i in range(blocks[b], blocks[b + 1]):
            start, stop, x, y = pointers[i], pointers[i + 1], points[i, 0], points[i, 1]
            if len(kernel) == 0:
                here = _gaussian_row(columns, strengths, start, stop, points, x, y)
            elif len(kernel) == 1:
                here = _student_row(columns, strengths, start, stop, points, x, y)
            else:
                here = _uniform_row(columns, strengths, start, stop, points, x, y, kernel[0], kernel[1])
            energy[i], share[i], forces[i, 0], forces[i, 1] = here


# In any other number of dimensions the differences of a row are kept for its force.


@njit(**FAST_SERIAL)
def _space_row(columns, strengths, points, i, kernel, force):
    """Return the energy and the share r of row i, and write its force, shape (d,)."""
    n_dimensions, n = points.shape[0], columns.shape[0]
    differences = np.empty((n_dimensions, n))
    d = np.zeros(n)
    for a in range(n_dimensions):
        x, xi, t = points[a], points[a, i], differences[a]
        for k in range(n):
            t[k] = xi - x[columns[k]]
            d[k] += t[k] * t[k]
    energy = share = 0.0
    if len(kernel) == 0:
        for k in range(n):
            energy += strengths[k] * d[k]
            d[k] = strengths[k]
    elif len(kernel) == 1:
        for k in range(n):
            energy += strengths[k] * log_of(1.0 + d[k])
            d[k] = strengths[k] / (1.0 + d[k])
    else:
        for k in range(n):
            near = exp_minus(min(max(d[k] - kernel[0], 0.0), _FAR))
            q = near + kernel[1]
            energy -= strengths[k] * log_of(q)
            d[k] = strengths[k] * near / q
            share += d[k]
    for a in range(n_dimensions):
        t = differences[a]
        f = 0.0
        for k in range(n):
            f += d[k] * t[k]
        force[a] = f
    return energy, share


@exclusive
@njit(**FAST)
def _space(pointers, columns, strengths, blocks, points, kernel, energy, share, forces):
    for b in prange(blocks.shape[0] - 1):
        for i in range(blocks[b], blocks[b + 1]):
            there, s = columns[pointers[i] : pointers[i + 1]], strengths[pointers[i] : pointers[i + 1]]
            energy[i], share[i] = _space_row(there, s, points, i, kernel, forces[i])
