"""An order of many objects in memory that puts objects that attract each other side by side.

The attraction of stored pairs fetches, row by row, the places of an object's neighbors. In the given order of a million
objects, these lie anywhere in memory, and the processor waits for each; this takes two thirds of an update. The graph
of the pairs shows which objects belong together before there is a map. It is cut into Voronoi cells: each has the
objects that are fewer steps away from its center than from any other center. The cells are laid out one after the
other, each from its center outwards.

The order follows from the pairs alone, so a resumed run has the same order and the same bits.
"""

from typing import NamedTuple

import numpy as np

from notebook_sne.engine.machine.allocation import room_for
from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.parallel import FAST_BY_ROWS, FAST_SERIAL, by_rows
from notebook_sne.engine.sums.stored_pairs import StoredPairs

__all__ = ["FEW", "MemoryOrder", "in_memory_order"]

FEW = 8_000
"""Objects up to which an order is of no use: their places all lie in the 128 kB nearest to a core."""

_CELL = 10_000  # objects; their places fill a third of the 512 kB that a core has for itself


class MemoryOrder(NamedTuple):
    """The place of each object in memory."""

    order: np.ndarray  # int64, shape (N,): object order[r] is in place r
    rank: np.ndarray  # int32, shape (N,): object i is in place rank[i]

    def there(self, rows):
        """Return rows of objects, shape (N, d), as they are in memory."""
        return _taken(rows, self.order)

    def back(self, rows):
        """Return rows in memory, shape (N, d), as the objects are given."""
        return _taken(rows, self.rank)


def _taken(rows, where):
    # Into an array that is there, without a check of each index: a tenth of the time of rows[where].
    return np.take(rows, where, axis=0, out=np.empty_like(rows), mode="clip")


def in_memory_order(pairs):
    """Return a MemoryOrder of the objects, and the stored pairs of the objects in it, their rows sorted by columns."""
    N = len(pairs.pointers) - 1
    centers = np.random.default_rng(0).choice(N, max(1, N // _CELL), replace=False)
    order, starts = np.empty(N, np.int64), np.zeros(len(centers) + 1, np.int64)
    _cells(pairs.pointers, pairs.columns, centers, order, starts)
    rank = np.empty(N, np.int32)
    rank[order] = np.arange(N, dtype=np.int32)
    pointers = np.zeros(N + 1, np.int64)
    np.cumsum(np.diff(pairs.pointers)[order], out=pointers[1:])
    columns, strengths = room_for(pointers[-1], np.int32), room_for(pointers[-1], pairs.strengths.dtype)
    _renumber(N, pairs.pointers, pairs.columns, pairs.strengths, order, rank, pointers, columns, strengths)
    for a in (pointers, columns, strengths):
        a.flags.writeable = False
    radii = None if pairs.radii is None else pairs.radii[order]
    return MemoryOrder(order, rank), StoredPairs(pointers, columns, strengths, pairs.negentropy, radii)


@njit(**FAST_SERIAL)
def _cells(pointers, columns, centers, order, starts):
    """Write the objects cell by cell, in each by how many steps they are from its center; unreached ones come last."""
    N = order.shape[0]
    cell, queue = np.empty(N, np.int32), np.empty(N, np.int32)
    for i in range(N):
        cell[i] = -1
    n = 0
    for c in range(centers.shape[0]):
        cell[centers[c]], queue[n] = c, centers[c]
        n += 1
    at = 0
    while at < n:
        i = queue[at]
        for k in range(pointers[i], pointers[i + 1]):
            j = columns[k]
            if cell[j] < 0:
                cell[j], queue[n] = cell[i], j
                n += 1
        starts[cell[i] + 1] += 1
        at += 1
    for c in range(centers.shape[0]):
        starts[c + 1] += starts[c]
    for k in range(n):
        c = cell[queue[k]]
        order[starts[c]] = queue[k]
        starts[c] += 1
    for i in range(N):
        if cell[i] < 0:
            order[n] = i
            n += 1


@njit(**FAST_SERIAL)
def _sort(keys):
    """Sort in place, with shrinking gaps, as Shell did: Numba's own sort takes two seconds to compile."""
    gap = len(keys)
    while gap > 1:
        gap = max(gap * 4 // 9, 1)
        for k in range(gap, len(keys)):
            key, at = keys[k], k
            while at >= gap and keys[at - gap] > key:
                keys[at] = keys[at - gap]
                at -= gap
            keys[at] = key


@by_rows
@njit(**FAST_BY_ROWS)
def _renumber(first, last, pointers, columns, strengths, order, rank, new_pointers, new_columns, new_strengths):
    for r in range(first, last):
        begin, start, n = pointers[order[r]], new_pointers[r], new_pointers[r + 1] - new_pointers[r]
        keys = np.empty(n, np.int64)
        for k in range(n):
            keys[k] = (np.int64(rank[columns[begin + k]]) << 32) + k
        _sort(keys)
        for k in range(n):
            new_columns[start + k] = keys[k] >> 32
            new_strengths[start + k] = strengths[begin + (keys[k] & 0xFFFFFFFF)]
