"""P + P.T of a sparse P, in little memory: the attraction of SNE and, divided by 2 N, the joint P of a conditional one.

Only P, the sum and the transpose are in memory; with very many entries, the transpose and the sum are in single
precision. The rows of P and of the transpose are both sorted, and are merged row by row, so that several threads can do
it.
"""

import numpy as np
from scipy import sparse

from notebook_sne.engine.machine.allocation import room_for
from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.parallel import FAST_BY_ROWS, FAST_SERIAL, by_rows

__all__ = ["MOST_IN_DOUBLE", "precision_of", "step", "turn", "with_transpose"]

MOST_IN_DOUBLE = 2**25
"""Stored pairs above which they are kept in single precision: some 260,000 objects at a perplexity of 30.

That rounds each by less than 6e-8 of itself, where the sums over all pairs err by 1e-3 to 1e-2 (`mesh_sums`).
"""


def precision_of(n_pairs):
    """Return the data type for this number of stored pairs."""
    return np.float64 if n_pairs <= MOST_IN_DOUBLE else np.float32


def with_transpose(P):
    """Return P + P.T, a CSR array in canonical format, in single precision where it has many entries.

    P, CSR of shape (N, N), isn't negative and has no entry twice; unsorted rows are sorted.
    """
    N = P.shape[0]
    P.sort_indices()
    pointers, columns, values = _whole(P.indptr, np.int64), _whole(P.indices, np.int32), _whole(P.data, np.float64)
    starts, rows = np.zeros(N + 1, np.int64), room_for(P.nnz, np.int32)
    turned = room_for(P.nnz, precision_of(P.nnz))  # that of the sum, which has no fewer entries, or a higher one
    turn(pointers, columns, values, starts, rows, turned)
    ends = np.zeros(N + 1, np.int64)
    _count(N, pointers, columns, values, starts, rows, turned, ends)
    np.cumsum(ends, out=ends)
    indices, data = room_for(ends[-1], np.int32), room_for(ends[-1], precision_of(ends[-1]))
    _merge(N, pointers, columns, values, starts, rows, turned, ends, indices, data)
    kind = np.int32 if ends[-1] < 2**31 else np.int64  # the type of the pointers is that which the columns get
    return sparse.csr_array((data, indices, ends.astype(kind)), shape=P.shape)


def _whole(a, dtype):
    """Return an array for the kernels, copied only if needed; a read-only array is another type to them."""
    a = np.ascontiguousarray(a, dtype=dtype).view()
    a.flags.writeable = False
    return a


@njit(**FAST_SERIAL)
def turn(pointers, columns, values, starts, rows, turned):
    """Write of each column which rows have an entry there, rising, and these entries."""
    N = pointers.shape[0] - 1
    for k in range(columns.shape[0]):
        starts[columns[k] + 1] += 1
    for i in range(N):
        starts[i + 1] += starts[i]
    following = starts.copy()
    for i in range(N):
        for k in range(pointers[i], pointers[i + 1]):
            there = following[columns[k]]
            rows[there], turned[there] = i, values[k]
            following[columns[k]] = there + 1


@njit(**FAST_SERIAL)
def step(a, last, b, final, columns, values, rows, turned):
    """Return the least column of two rows from a and b on, the sum there, and where both go on."""
    j = columns[a] if a < last else rows[b]
    if b < final and rows[b] < j:
        j = rows[b]
    total = 0.0
    if a < last and columns[a] == j:
        total += values[a]
        a += 1
    if b < final and rows[b] == j:
        total += turned[b]
        b += 1
    return j, total, a, b


@by_rows
@njit(**FAST_BY_ROWS)
def _count(begin, end, pointers, columns, values, starts, rows, turned, ends):
    """Write how many entries of the sum each row has, one row late."""
    for i in range(begin, end):
        a, b, n = pointers[i], starts[i], 0
        while a < pointers[i + 1] or b < starts[i + 1]:
            _, total, a, b = step(a, pointers[i + 1], b, starts[i + 1], columns, values, rows, turned)
            n += total != 0.0
        ends[i + 1] = n


@by_rows
@njit(**FAST_BY_ROWS)
def _merge(begin, end, pointers, columns, values, starts, rows, turned, ends, indices, data):
    for i in range(begin, end):
        a, b, n = pointers[i], starts[i], ends[i]
        while a < pointers[i + 1] or b < starts[i + 1]:
            j, total, a, b = step(a, pointers[i + 1], b, starts[i + 1], columns, values, rows, turned)
            if total != 0.0:
                indices[n], data[n] = j, total
                n += 1
