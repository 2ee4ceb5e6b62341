"""Ranks of neighbors, counted and not sorted: of some objects among all others, exactly.

The rank of j for i in one space is 1 and the number of objects that are nearer to i than j is, or as near and of a
lower number. Counting how many of them come before each of k thresholds takes one pass through the distances of i. So
all ranks for trustworthiness and continuity take a time that grows with N^2, and the memory of some rows. Only a curve
over all k needs the rank of every object.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from notebook_sne.engine.checks.arrays import Array, Floats, Ints
from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.parallel import FAST_BY_ROWS, FAST_SERIAL, by_rows
from notebook_sne.engine.mathematics.neighbors import squares_between
from notebook_sne.engine.mathematics.selection import nth_smallest

__all__ = ["larger_ranks", "rank_excess", "row_blocks"]

_ENTRIES = 2_000_000  # of one block of distances: 16 MB


def row_blocks(rows: Ints, n_objects: int) -> Iterator[slice]:
    """Yield slices of `rows` whose distances to all objects fit into a small memory."""
    step = max(1, _ENTRIES // n_objects)
    for first in range(0, len(rows), step):
        yield slice(first, min(first + step, len(rows)))


def rank_excess(X: Array, Y: Array, rows: Ints, k: int) -> tuple[Floats, Floats, Floats]:
    """Return by how much neighbors in one space come too late in the other one, and how many are in both.

    Three arrays of shape (R,), for the objects `rows`: the sum of rank - k in X over the k nearest in Y that aren't
    among the k nearest in X; the same with X and Y exchanged; and the number of neighbors in both.
    """
    sums = np.empty((3, len(rows)))
    for part in row_blocks(rows, len(X)):
        D, E = _distances(X, rows[part]), _distances(Y, rows[part])
        _excess(len(D), D, E, k, sums[0, part], sums[2, part])
        _excess(len(D), E, D, k, sums[1, part], sums[2, part])
    return sums[0], sums[1], sums[2]


def larger_ranks(X: Array, Y: Array, rows: Ints) -> Iterator[tuple[slice, Ints]]:
    """Yield for some rows at a time how many others have k as the larger of their two ranks: (rows, counts).

    `counts` has shape (r, N), k running from 0, which no pair has, to N - 1. A neighbor with a larger rank of at most
    k is among the k nearest in both spaces.
    """
    for part in row_blocks(rows, len(X)):
        D, E = _distances(X, rows[part]), _distances(Y, rows[part])
        counts = np.zeros(D.shape, np.int64)
        _count_larger(len(D), D, E, counts)
        yield part, counts


def _distances(X: Array, rows: Ints) -> Floats:
    """Return the squared distances of some objects to all, (R, N), infinite to themselves."""
    D = squares_between(X[rows], X)
    D[np.arange(len(rows)), rows] = np.inf
    return D


@njit(**FAST_SERIAL)
def _nearest(d, k):
    """Return the k nearest, of equal distances the first, in rising order of their numbers."""
    last = nth_smallest(d, k)
    ties = k
    for j in range(d.shape[0]):
        ties -= d[j] < last
    chosen = np.empty(k, np.int64)
    place = 0
    for j in range(d.shape[0]):
        if d[j] < last or (d[j] == last and ties > 0):
            ties -= d[j] == last
            chosen[place] = j
            place += 1
    return chosen


@by_rows
@njit(**FAST_BY_ROWS)
def _excess(first, last, D, E, k, excess, kept):
    """Write of each row by how much the k nearest of E come too late in D, and how many do not."""
    for r in range(first, last):
        d = D[r]
        chosen = _nearest(E[r], k)
        chosen = chosen[np.argsort(d[chosen], kind="mergesort")]
        before = np.zeros(k + 1, np.int64)
        farthest = d[chosen[k - 1]]
        for j in range(d.shape[0]):
            if d[j] > farthest:
                continue
            low, high = 0, k  # the first of those chosen that comes after j
            while low < high:
                middle = (low + high) // 2
                other = chosen[middle]
                if d[j] < d[other] or (d[j] == d[other] and j < other):
                    high = middle
                else:
                    low = middle + 1
            before[low] += 1
        rank, total, near = 1, 0, 0
        for place in range(k):
            rank += before[place]
            if rank <= k:
                near += 1
            else:
                total += rank - k
        excess[r], kept[r] = total, near


@by_rows
@njit(**FAST_BY_ROWS)
def _count_larger(first, last, D, E, counts):
    N = D.shape[1]
    for r in range(first, last):
        rank = np.empty(N, np.int64)
        order = np.argsort(D[r], kind="mergesort")
        for place in range(N):
            rank[order[place]] = place + 1
        order = np.argsort(E[r], kind="mergesort")
        for place in range(N - 1):  # the last one is the object itself
            counts[r, max(rank[order[place]], place + 1)] += 1
