"""One object among fitted ones: its row of Q is a mixture with one component a map.

While all other objects stay where they are, the choice of object i in M aspect maps is

.. math::

    q_{j|i} = sum_m a_m f_m(j),   f_m(j) = pi_j^m K(d_j^m) / z_m,   z_m = sum_{h != i} pi_h^m K(d_h^m),

    d_j^m = |y_m - y_j^m|^2

with a place y_m in each map and a_m, the *share* of the row that this map explains. Shares and the mixing proportions
of the object say the same [Cook2007, Eq. 7]:

.. math:: a_m = pi_i^m z_m / sum_k pi_i^k z_k,   pi_i^m = (a_m / z_m) / sum_k (a_k / z_k)

So the shares that explain given associates p_j best are found by expectation and maximization, exactly as in any
mixture. r_mj is the part of associate j that map m explains:

.. math::

    r_mj = a_m f_m(j) / (sum_k a_k f_k(j) + a_0 / N),   a_m = sum_j p_j r_mj

The last component, a_0, is even over all objects and takes what no map explains. The place of a component climbs, by
steps that are shortened until they do, what it can gain:

.. math:: d/dy_m sum_j p_j r_mj log f_m(j) = 2 sum_j (p_j r_mj - a_m f_m(j)) (y_j^m - y_m) k_j

(k is 1 for the Gaussian, 1 / (1 + d) for Student's t.) A component begins where most associates lie together: at the
mode of p_j pi_j^m K in its map, found by mean shift [Comaniciu & Meer 2002]. A map in which the object has no
proportion yet is tried like any other, so that what a descent has missed, as nothing pulled it there, is found. These
jumps are the "wormholes" of [Hinton2002, section 5].

All is in double precision, and one thread does all of one object, so that neither the other objects nor the number of
threads change a bit.
"""

import math
from typing import NamedTuple

import numpy as np

from notebook_sne.machine.compiled import njit
from notebook_sne.machine.exponential import exp_minus
from notebook_sne.machine.parallel import FAST_BY_ROWS, FAST_SERIAL, by_rows

__all__ = ["RowMixtures", "row_mixtures"]

N_COMPONENTS = 8
# An object with a smaller proportion in a map is left out of z: in fitted maps of 5,000 words this changes no share by
# more than a thousandth.
_PRESENT = 1e-4
# A map that is home to a smaller part of the associates is not tried.
_LEAST_MASS = 0.02
_SEEDS, _SHIFTS = 3, 10  # a mode is sought from so many of the strongest associates, by so many shifts of the mean
_TURNS, _SWEEPS = 11, 5  # the places move after so many sweeps of expectation and maximization, but for the last turn
_EVEN = 0.05  # the share of the even component at the start
_UNUSED = 1e-6  # a component with a smaller share has nothing to be moved by
_NOTHING = 1e-300


class RowMixtures(NamedTuple):
    """The mixtures of n objects, with at most C components each; largest shares first.

    Attributes
    ----------
    maps : ndarray of int, shape (n, C)
        The map of each component; -1 where an object has fewer.
    places : ndarray, shape (n, C, d)
        y_m.
    shares : ndarray, shape (n, C)
        a_m.
    unexplained : ndarray, shape (n,)
        a_0, what no map explains; with the shares it sums to 1.
    weights : ndarray, shape (n, C)
        z_m; a proportion is a_m / z_m, divided by the sum of these.
    parts : ndarray, shape (number of stored entries of the rows, C)
        r_mj, in the order of the stored entries.
    """

    maps: np.ndarray
    places: np.ndarray
    shares: np.ndarray
    unexplained: np.ndarray
    weights: np.ndarray
    parts: np.ndarray

    def mixing(self, n_maps):
        """Return the proportions that belong to the shares, shape (n_maps, n); 0 where an object has no component."""
        ratio = np.divide(self.shares, self.weights, out=np.zeros_like(self.shares), where=self.weights > 0)
        total = ratio.sum(axis=1, keepdims=True)
        ratio = np.divide(ratio, total, out=np.zeros_like(ratio), where=total > 0)
        mixing = np.zeros((n_maps, len(self.maps)))
        rows, columns = np.nonzero(self.maps >= 0)
        mixing[self.maps[rows, columns], rows] = ratio[rows, columns]
        return mixing


def row_mixtures(rows, maps, mixing, owners=None, *, student=False, n_components=N_COMPONENTS):
    """Return the mixtures that explain given associates.

    Parameters
    ----------
    rows : scipy.sparse.csr_array, shape (n, N)
        The associates of each object among N fitted ones and their weights, above 0; read up to a factor. A row may be
        empty.
    maps : ndarray of float64, shape (M, N, d)
        Map points of the fitted objects; finite.
    mixing : ndarray of float64, shape (M, N)
        Their proportions.
    owners : ndarray of int, shape (n,), optional
        Which fitted object each row belongs to: it is no associate of itself. -1, or left out, for new objects.
    student : bool
        Whether K(d) is 1 / (1 + d) instead of exp(-d).
    n_components : int
        C, at least 1.

    Returns
    -------
    mixtures : RowMixtures
    """
    n, M, d = rows.shape[0], maps.shape[0], maps.shape[2]
    C = min(n_components, M)
    owners = np.full(n, -1) if owners is None else owners
    found = RowMixtures(
        np.full((n, C), -1),
        np.zeros((n, C, d)),
        np.zeros((n, C)),
        np.ones(n),
        np.zeros((n, C)),
        np.zeros((rows.nnz, C)),
    )
    kinds = ((rows.indptr, np.int64), (rows.indices, np.int64), (rows.data, np.float64), (owners, np.int64))
    parts = [np.require(part, kind, ["C", "W"]) for part, kind in kinds]
    Y, pi = (np.require(a, np.float64, ["C", "W"]) for a in (maps, mixing))
    _mixtures(n, *parts, Y, pi, *_present(Y, pi), student, *found)
    return found


def _present(Y, mixing):
    """Return, map by map, the points and proportions of the objects that are present, and where each map begins."""
    here = mixing >= _PRESENT
    begins = np.concatenate([[0], np.cumsum(here.sum(axis=1))]).astype(np.int64)
    return begins, np.ascontiguousarray(Y[here].T), mixing[here]


@njit(**FAST_SERIAL)
def _kernel(d, student):
    return 1.0 / (1.0 + d) if student else exp_minus(d)


@njit(**FAST_SERIAL)
def _square(a, b):
    total = 0.0
    for k in range(a.shape[0]):
        total += (a[k] - b[k]) ** 2
    return total


@njit(**FAST_SERIAL)
def _shift(p, J, Y, pi, student, y, mean):
    """Return sum_j p_j pi_j K at y; write the mean of the associates' points, weighted by it (and k of Student's t)."""
    height = total = 0.0
    mean[:] = 0.0
    for t in range(J.shape[0]):
        square = _square(Y[J[t]], y)
        w = p[t] * pi[J[t]] * _kernel(square, student)
        height += w
        if student:
            w /= 1.0 + square
        total += w
        for a in range(y.shape[0]):
            mean[a] += w * Y[J[t], a]
    if total > 0.0:
        for a in range(y.shape[0]):
            mean[a] /= total
    return height


@njit(**FAST_SERIAL)
def _mode(p, J, Y, pi, student, best):
    """Write the place where most of the associates lie together in one map, and return sum_j p_j pi_j K there."""
    y, mean = np.empty(best.shape[0]), np.empty(best.shape[0])
    highest, stronger = 0.0, np.inf
    for _ in range(_SEEDS):
        seed, most = -1, 0.0
        for t in range(J.shape[0]):
            w = p[t] * pi[J[t]]
            if most < w < stronger:
                seed, most = t, w
        if seed < 0:
            break
        stronger = most
        y[:] = Y[J[seed]]
        height = 0.0
        for shift in range(_SHIFTS + 1):
            height = _shift(p, J, Y, pi, student, y, mean)
            if height > 0.0 and shift < _SHIFTS:
                y[:] = mean
        if height > highest:
            highest = height
            best[:] = y
    return highest


@njit(**FAST_SERIAL)
def _start(p, J, Y, pi, student, which, places):
    """Write the maps where the associates lie together best, and the places there; return how many."""
    M, d = Y.shape[0], Y.shape[2]
    heights, modes = np.zeros(M), np.empty((M, d))
    for m in range(M):
        home = 0.0
        for t in range(J.shape[0]):
            home += p[t] * pi[m, J[t]]
        if home >= _LEAST_MASS:
            heights[m] = _mode(p, J, Y[m], pi[m], student, modes[m])
    count = 0
    while count < which.shape[0]:
        m = int(np.argmax(heights))
        if heights[m] <= 0.0:
            break
        which[count] = m
        places[count] = modes[m]
        heights[m] = 0.0
        count += 1
    return count


@njit(**FAST_SERIAL)
def _density(J, m, y, Y, pi, begins, points, proportions, owner, student, work, f, mean):
    """Return z_m at y; write f_m of the associates, and the mean of k (y_j - y) under f_m."""
    d, first, n = y.shape[0], begins[m], begins[m + 1] - begins[m]
    squares, weights = work[0], work[1]
    for h in range(n):
        squares[h] = 0.0
    for a in range(d):
        for h in range(n):
            squares[h] += (points[a, first + h] - y[a]) ** 2
    z = 0.0
    for h in range(n):
        weights[h] = proportions[first + h] * _kernel(squares[h], student)
        z += weights[h]
    if student:
        for h in range(n):
            weights[h] /= 1.0 + squares[h]
    for a in range(d):
        mean[a] = 0.0
        for h in range(n):
            mean[a] += weights[h] * (points[a, first + h] - y[a])
    if owner >= 0 and pi[m, owner] >= _PRESENT:  # no object is its own associate
        square = _square(Y[m, owner], y)
        w = pi[m, owner] * _kernel(square, student)
        z -= w
        if student:
            w /= 1.0 + square
        for a in range(d):
            mean[a] -= w * (Y[m, owner, a] - y[a])
    z = max(z, _NOTHING)
    for a in range(d):
        mean[a] /= z
    for t in range(J.shape[0]):
        f[t] = pi[m, J[t]] * _kernel(_square(Y[m, J[t]], y), student) / z
    return z


@njit(**FAST_SERIAL)
def _sweep(p, f, shares, r):
    """Write r_mj and then the shares; the last component is the even one."""
    for t in range(p.shape[0]):
        q = 0.0
        for c in range(shares.shape[0]):
            r[c, t] = shares[c] * f[c, t]
            q += r[c, t]
        for c in range(shares.shape[0]):
            r[c, t] /= q
    for c in range(shares.shape[0]):
        shares[c] = 0.0
        for t in range(p.shape[0]):
            shares[c] += p[t] * r[c, t]


@njit(**FAST_SERIAL)
def _gain(p, r, tried, f):
    """Return sum_j p_j r_j log(tried_j / f_j), what another place gains."""
    total = 0.0
    for t in range(p.shape[0]):
        if r[t] > 0.0:
            total += p[t] * r[t] * (math.log(max(tried[t], _NOTHING)) - math.log(max(f[t], _NOTHING)))
    return total


@njit(**FAST_SERIAL)
def _settle(p, J, owner, Y, pi, begins, points, proportions, student, which, places, shares, z, r, work):
    """Let shares and places of given components climb; the last entry of shares and r is the even component."""
    count, n, d = which.shape[0], J.shape[0], Y.shape[2]
    f, means, next_places = np.empty((count + 1, n)), np.empty((count, d)), places.copy()
    f[count] = 1.0 / Y.shape[1]
    shares[:count] = (1.0 - _EVEN) / count
    shares[count] = _EVEN
    steps, tried, mean = np.full(count, 0.5), np.empty(n), np.empty(d)
    for turn in range(_TURNS):
        for c in range(count):
            if turn > 0 and shares[c] < _UNUSED:
                continue
            there = _density(
                J, which[c], next_places[c], Y, pi, begins, points, proportions, owner, student, work, tried, mean
            )
            if turn == 0 or _gain(p, r[c], tried, f[c]) >= 0.0:
                places[c] = next_places[c]
                f[c], means[c], z[c] = tried, mean, there
            else:
                steps[c] *= 0.5
        for _ in range(_SWEEPS):
            _sweep(p, f, shares, r)
        for c in range(count):
            next_places[c] = places[c] - steps[c] * means[c]
            for t in range(n):
                w = steps[c] * p[t] * r[c, t] / max(shares[c], _UNUSED)
                if student:
                    w /= 1.0 + _square(Y[which[c], J[t]], places[c])
                for a in range(d):
                    next_places[c, a] += w * (Y[which[c], J[t], a] - places[c, a])


@by_rows
@njit(**FAST_BY_ROWS)
def _mixtures(
    begin, end, indptr, indices, data, owners, Y, pi, begins, points, proportions, student,
    maps, places, shares, unexplained, weights, parts,
):  # fmt: skip
    C, d = maps.shape[1], Y.shape[2]
    work = np.empty((2, np.max(begins[1:] - begins[:-1])))
    for i in range(begin, end):
        row = slice(indptr[i], indptr[i + 1])
        J, p = indices[row], data[row] / data[row].sum()
        which, at = np.empty(C, np.int64), np.empty((C, d))
        count = _start(p, J, Y, pi, student, which, at)
        if count == 0:
            continue
        which, at = which[:count], at[:count]
        share, z, r = np.empty(count + 1), np.empty(count), np.empty((count + 1, J.shape[0]))
        _settle(p, J, owners[i], Y, pi, begins, points, proportions, student, which, at, share, z, r, work)
        order = np.argsort(-share[:count], kind="mergesort")
        unexplained[i] = share[count]
        for c in range(count):
            k = order[c]
            maps[i, c], places[i, c], shares[i, c], weights[i, c] = which[k], at[k], share[k], z[k]
            parts[row, c] = r[k]
