"""Approximate neighbors by lists: exact search inside the lists that lie nearest to each object.

This is an inverted file [Sivic2003; Jegou2011]: k-means divides the objects into lists, and the neighbors of an object
are searched in the p lists whose centers are nearest to it, not among all objects. For a sample, the share of neighbors
there is known without a search, from the ranks of the lists that hold the true neighbors,

.. math:: recall(p) = mean over neighbors j of objects i of [rank_i(list of j) < p]

so p is the least that gives the requested recall on a sample, whatever the data are like. If that would be most of the
lists, as among objects without clusters in many dimensions, a search through all is as quick, and is used.

Distances come from matrix products in single precision, of differences from the center of a list. So their error is
small compared with the width of a list, not only with that of the data. They only propose candidates: as in the exact
search, distances summed from differences decide among these. One thread searches each block of objects from beginning
to end, so that the number of threads doesn't change a bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from notebook_sne.engine.checks.arrays import Array, Floats, Ints
from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.parallel import FAST_SERIAL, number_of_threads, one_thread
from notebook_sne.engine.mathematics.selection import smallest_first

__all__ = ["Lists"]

_LISTS = 3.0  # times the square root of the number of objects
_TRAINING = 48  # objects a list whose centers are sought
_ROUNDS = 6  # of k-means: more change the recall by less than seeds do
_BLOCK = 2048  # objects that are searched together: few enough to stay in the cache, and enough for a matrix product
_WINDOW = 16  # blocks between two answers
_PART = 1 << 16  # objects in single precision at a time
_MOST_PROBED = 0.4  # share of the lists, above which a search through all is as quick
_FAR = 1e6  # times the median distance from the middle: in single precision the square still is a number
_SERIAL = {**FAST_SERIAL, "nogil": True}


class Lists:
    """Objects in lists, and the search among them.

    X, float64 of shape (N, n_features), are the objects, measured from somewhere amidst them. `far`, bool of shape
    (N,), marks those so far from all others that they are in no list.
    """

    def __init__(self, X: Array) -> None:
        norms = np.sqrt(np.einsum("ij,ij->i", X, X))
        self._unit = float(np.median(norms) or norms.max() or 1.0)  # in which single precision serves
        self._X = X
        self.far = norms > _FAR * self._unit
        inside = np.flatnonzero(~self.far)
        n_lists = max(1, min(round(_LISTS * len(inside) ** 0.5), len(inside) // 8))
        chosen = np.random.RandomState(0).permutation(inside)[: _TRAINING * n_lists]  # whose stream is frozen
        self.list_of = np.full(len(X), -1)
        with one_thread():
            self.centers = _centers(self._single(chosen), n_lists)
            for first in range(0, len(inside), _PART):
                part = inside[first : first + _PART]
                self.list_of[part] = _nearest_centers(self._single(part), self.centers)
        self.members = inside[np.argsort(self.list_of[inside], kind="stable")].astype(np.int32)
        lists = self.list_of[self.members]
        self.starts = np.searchsorted(lists, np.arange(n_lists + 1))
        # What a list holds, measured from its center.
        self.rest = np.empty((len(inside), X.shape[1]), np.float32)
        for first in range(0, len(inside), _PART):
            here = slice(first, first + _PART)
            self.rest[here] = X[self.members[here]] / self._unit - self.centers[lists[here]]
        self.squares = np.einsum("ij,ij->i", self.rest, self.rest)

    def _single(self, rows: Ints) -> Floats:
        """Return objects in single precision, in units of how far out half of all are."""
        return (self._X[rows] / self._unit).astype(np.float32)

    def probes(self, rows: Ints, lists: Ints, recall: float) -> int | None:
        """Return how many lists to search, or None where a search through all is as quick.

        `rows`, shape (R,), are some objects, `lists`, shape (R, n), in which lists their true neighbors are, -1 for
        none, and `recall` the share of these to be found.
        """
        D = _to_centers(self._single(rows), self.centers)
        ranks = np.empty(D.shape, np.int64)
        np.put_along_axis(ranks, np.argsort(D, axis=1, kind="stable"), np.arange(D.shape[1])[None], axis=1)
        found = np.take_along_axis(ranks, np.maximum(lists, 0), axis=1)[lists >= 0]
        share = np.cumsum(np.bincount(found, minlength=D.shape[1])) / lists.size
        n = int(np.searchsorted(share, recall)) + 1
        return n if n <= _MOST_PROBED * D.shape[1] else None

    def candidates(self, rows: Ints, n_probes: int, n: int) -> Iterator[tuple[Ints, Ints]]:
        """Yield some objects of `rows` and the n objects that seem nearest to each, itself among them.

        `rows`, shape (R,), are objects that are in a list; `n_probes` is how many lists to search. Each time come the
        objects that the candidates are for, shape (B,), and candidates, int32 of shape (B, n), in no order; -1 where
        the lists don't hold as many.
        """
        order = _along_a_line(self.centers)
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        rows = rows[np.argsort(place[self.list_of[rows]], kind="stable")]  # those near each other, together
        blocks = [rows[first : first + _BLOCK] for first in range(0, len(rows), _BLOCK)]
        for first in range(0, len(blocks), _WINDOW):
            window = blocks[first : first + _WINDOW]
            with one_thread(), ThreadPoolExecutor(number_of_threads()) as pool:
                found = list(pool.map(lambda block: self._search(block, n_probes, n), window))
            yield np.concatenate(window), np.concatenate(found)

    def _search(self, rows: Ints, n_probes: int, n: int) -> Ints:
        """Return candidates for each of some objects, int32 of shape (B, n)."""
        here = self._single(rows)
        D = _to_centers(here, self.centers)
        if n_probes < D.shape[1]:
            probed = np.argpartition(D, n_probes - 1, axis=1)[:, :n_probes]
        else:
            probed = np.broadcast_to(np.arange(D.shape[1]), D.shape)
        # Who asks in each list, list by list.
        asking = np.argsort(probed, axis=None, kind="stable")
        lists, begins = np.unique(probed.ravel()[asking], return_index=True)
        asking //= probed.shape[1]
        ends = np.append(begins[1:], len(asking))
        best = np.full((len(rows), 2 * n), np.inf, np.float32)
        which = np.full((len(rows), 2 * n), -1, np.int32)
        filled, worst = np.zeros(len(rows), np.int64), np.full(len(rows), np.inf, np.float32)
        for each, begin, end in zip(lists, begins, ends, strict=True):
            first, last = self.starts[each], self.starts[each + 1]
            if first == last:
                continue
            who = asking[begin:end]
            away = here[who]
            away -= self.centers[each]
            dots = away @ self.rest[first:last].T
            _keep(who, away, dots, self.squares[first:last], self.members[first:last], n, best, which, filled, worst)
        _only(n, best, which, filled)
        return which[:, :n]


def _centers(Z: Floats, n: int) -> Floats:
    """Return n centers of k-means, shape (n, n_features)."""
    centers = Z[:n].copy()  # they come in no order
    for _ in range(_ROUNDS):
        nearest = _nearest_centers(Z, centers)
        sums, counts = np.zeros(centers.shape), np.bincount(nearest, minlength=n)
        _add(Z, nearest, sums)
        centers = (sums / np.maximum(counts, 1)[:, None]).astype(np.float32)
        empty = np.flatnonzero(counts == 0)
        centers[empty] = Z[len(Z) - len(empty) :]  # empty lists begin anew, at other objects
    return centers


def _nearest_centers(Z: Floats, centers: Floats) -> Ints:
    """Return which center is the nearest to each object, shape (N,)."""
    squares = np.einsum("ij,ij->i", centers, centers)
    nearest = np.empty(len(Z), np.int64)

    def look(first: int) -> None:
        part = slice(first, first + _BLOCK)
        _least(Z[part] @ centers.T, squares, nearest[part])

    with ThreadPoolExecutor(number_of_threads()) as pool:
        list(pool.map(look, range(0, len(Z), _BLOCK)))
    return nearest


def _to_centers(Z: Floats, centers: Floats) -> Floats:
    """Return squared distances to the centers, but for the square of each object, shape (n, L)."""
    D = Z @ centers.T
    D *= -2.0
    D += np.einsum("ij,ij->i", centers, centers)
    return D


def _along_a_line(centers: Floats) -> Ints:
    """Return an order of the centers in which those that follow each other are near: halves of halves, along axes."""
    order: list[Ints] = []
    waiting = [np.arange(len(centers))]
    while waiting:
        part = waiting.pop()
        if len(part) <= 2:
            order.append(part)
            continue
        axis = int(np.argmax(centers[part].var(axis=0)))
        part = part[np.argsort(centers[part, axis], kind="stable")]
        waiting += [part[len(part) // 2 :], part[: len(part) // 2]]
    return np.concatenate(order)


@njit(**_SERIAL)
def _least(dots, squares, nearest):
    for i in range(dots.shape[0]):
        best, least = 0, squares[0] - 2.0 * dots[i, 0]
        for j in range(dots.shape[1]):
            d = squares[j] - 2.0 * dots[i, j]
            if d < least:
                best, least = j, d
        nearest[i] = best


@njit(**_SERIAL)
def _add(Z, nearest, sums):
    for i in range(Z.shape[0]):
        for k in range(Z.shape[1]):
            sums[nearest[i], k] += Z[i, k]


@njit(**_SERIAL)
def _keep(who, away, dots, squares, members, n, best, which, filled, worst):
    """Note the members of a list that are nearer than the n-th of those noted before, for each object that asks."""
    for r in range(who.shape[0]):
        i = who[r]
        square = np.float32(0.0)
        for k in range(away.shape[1]):
            square += away[r, k] * away[r, k]
        limit, count = worst[i] - square, filled[i]
        for m in range(members.shape[0]):
            d = squares[m] - np.float32(2.0) * dots[r, m]
            if d < limit:
                best[i, count], which[i, count] = d + square, members[m]
                count += 1
                if count == 2 * n:
                    worst[i] = smallest_first(best[i], which[i], n)
                    limit, count = worst[i] - square, n
        filled[i] = count


@njit(**_SERIAL)
def _only(n, best, which, filled):
    """Leave the n nearest of what was noted at the front of each row."""
    for i in range(best.shape[0]):
        if filled[i] > n:
            smallest_first(best[i, : filled[i]], which[i, : filled[i]], n)
