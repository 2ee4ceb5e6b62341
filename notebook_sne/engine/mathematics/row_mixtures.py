"""One object among fitted ones: its row of Q is a mixture with one component per map.

While all other objects stay where they are, the choice of object i in M aspect maps is

.. math::

    q_{j|i} = sum_m a_m f_m(j),   f_m(j) = pi_j^m K(d_j^m) / z_m,   z_m = sum_{h != i} pi_h^m K(d_h^m),

    d_j^m = |y_m - y_j^m|^2

with a place y_m in each map and a_m, the *share* of the row that this map explains. The shares and the mixing
proportions of the object follow from each other [Cook2007, Eq. 7]:

.. math:: a_m = pi_i^m z_m / sum_k pi_i^k z_k,   pi_i^m = (a_m / z_m) / sum_k (a_k / z_k)

So expectation maximization finds the shares that explain given associates p_j best, as in any mixture. r_mj is the part
of associate j that map m explains:

.. math::

    r_mj = a_m f_m(j) / (sum_k a_k f_k(j) + a_0 / N),   a_m = sum_j p_j r_mj

The last component, a_0, is uniform over all objects and takes what no map explains. The place of a component climbs its
gain, by steps that are shortened until they do:

.. math:: d/dy_m sum_j p_j r_mj log f_m(j) = 2 sum_j (p_j r_mj - a_m f_m(j)) (y_j^m - y_m) k_j

(k is 1 for the Gaussian, 1 / (1 + d) for Student's t.) A component begins where the associates are densest
(`notebook_sne.engine.mathematics.modes`). A map in which the object has no proportion yet is tried like any other. This
finds places that a descent has missed because nothing pulled the object there. These jumps are the "wormholes" of
[Hinton2002, section 5].

All sums are in double precision, and one thread does all the work for an object, so that neither the other objects nor
the number of threads change a bit.
"""

import math
from typing import NamedTuple

import numpy as np

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.parallel import FAST_BY_ROWS, FAST_SERIAL, by_rows
from notebook_sne.engine.mathematics.modes import kernel, square_to, start

__all__ = ["RowMixtures", "row_mixtures"]

N_COMPONENTS = 8
# An object with a smaller proportion in a map is left out of z: in a fit of 5,000 words to 50 maps this changes a share
# of 3 words in 1,000 by more than a thousandth.
_PRESENT = 1e-4
_TURNS, _SWEEPS = 11, 5  # in each turn but the first the places move; then so many sweeps of the shares
_EVEN = 0.05  # the share of the even component at the start
_UNUSED = 1e-6  # a component with a smaller share has nothing to be moved by
_NOTHING = 1e-300


class RowMixtures(NamedTuple):
    """The mixtures of n objects, with at most C components each; largest shares first."""

    maps: np.ndarray  # int, shape (n, C): the map of each component; -1 where an object has fewer
    places: np.ndarray  # shape (n, C, d): y_m
    shares: np.ndarray  # shape (n, C): a_m
    unexplained: np.ndarray  # shape (n,): a_0, what no map explains; with the shares it sums to 1
    weights: np.ndarray  # shape (n, C): z_m; a proportion is a_m / z_m, divided by the sum of these
    parts: np.ndarray  # shape (stored entries of the rows, C): r_mj, in their order; none where they are not kept

    def mixing(self, n_maps):
        """Return the proportions that belong to the shares, shape (n_maps, n); 0 where an object has no component."""
        ratio = np.divide(self.shares, self.weights, out=np.zeros_like(self.shares), where=self.weights > 0)
        total = ratio.sum(axis=1, keepdims=True)
        ratio = np.divide(ratio, total, out=np.zeros_like(ratio), where=total > 0)
        mixing = np.zeros((n_maps, len(self.maps)))
        rows, columns = np.nonzero(self.maps >= 0)
        mixing[self.maps[rows, columns], rows] = ratio[rows, columns]
        return mixing


def row_mixtures(rows, maps, mixing, owners=None, *, student=False, n_components=N_COMPONENTS, parts=True):
    """Return the RowMixtures that explain given associates.

    `rows`, CSR of shape (n, N), has the associates of each object among N fitted ones and their weights, above 0,
    defined up to a factor. A row may be empty. `maps`, shape (M, N, d), and `mixing`, shape (M, N), are the map points
    of the fitted objects, finite, and their proportions. `owners`, int of shape (n,), says which fitted object each row
    belongs to, because an object isn't its own associate; -1, or left out, for new objects. K(d) is exp(-d) or, with
    `student`, 1 / (1 + d). `n_components` is C, at least 1; `parts` says whether to keep r_mj, C numbers for each
    stored entry of the rows.
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
        np.zeros((rows.nnz if parts else 0, C)),
    )
    kinds = ((rows.indptr, np.int64), (rows.indices, np.int64), (rows.data, np.float64), (owners, np.int64))
    given = [np.require(part, kind, ["C", "W"]) for part, kind in kinds]
    _mixtures(n, *given, *_present(maps, mixing), student, *found)
    return _by_share(found, np.repeat(np.arange(n), np.diff(rows.indptr))) if C > 1 else found


def _by_share(found, row_of_part):
    """Return the mixtures with the largest shares first; equal shares keep their order."""
    order = np.argsort(-found.shares, axis=1, kind="stable")
    maps, shares, weights = (np.take_along_axis(a, order, axis=1) for a in (found.maps, found.shares, found.weights))
    parts = found.parts
    if len(parts):
        parts = np.take_along_axis(parts, order[row_of_part], axis=1)
    places = np.take_along_axis(found.places, order[:, :, None], axis=1)
    return RowMixtures(maps, places, shares, found.unexplained, weights, parts)


def _present(maps, mixing):
    """Return all map points and proportions, and then, map by map, those of the objects that are present.

    Returns where each map begins, which entry an object is (or would be), the points and the proportions.
    """
    here = mixing >= _PRESENT
    Y, pi = (np.require(a, np.float64, ["C", "W"]) for a in (maps, mixing))
    entries = np.cumsum(here).reshape(here.shape) - here
    begins = np.concatenate([[0], np.cumsum(here.sum(axis=1))])
    return Y, pi, begins.astype(np.int64), entries.astype(np.int64), np.array(Y[here].T, order="C"), pi[here]


@njit(**FAST_SERIAL)
def _density(J, m, y, Y, pi, begins, entries, points, proportions, owner, student, work, f, mean):
    """Return z_m at y; write f_m of the associates, and the mean of k (y_j - y) under f_m."""
    d, first, n = y.shape[0], begins[m], begins[m + 1] - begins[m]
    squares, weights = work[0], work[1]
    for h in range(n):
        squares[h] = 0.0
    for a in range(d):
        for h in range(n):
            squares[h] += (points[a, first + h] - y[a]) ** 2
    for h in range(n):
        weights[h] = proportions[first + h] * kernel(squares[h], student)
    if owner >= 0 and pi[m, owner] >= _PRESENT:  # no object is its own associate
        weights[entries[m, owner] - first] = 0.0
    z = 0.0
    for h in range(n):
        z += weights[h]
    z = max(z, _NOTHING)
    if student:
        for h in range(n):
            weights[h] /= 1.0 + squares[h]
    for a in range(d):
        total = 0.0
        for h in range(n):
            total += weights[h] * (points[a, first + h] - y[a])
        mean[a] = total / z
    for t in range(J.shape[0]):
        # At most 1, also for an associate that is left out of z and has no other object near.
        f[t] = min(pi[m, J[t]] * kernel(square_to(Y, m, J[t], y), student) / z, 1.0)
    return z


@njit(**FAST_SERIAL)
def _sweep(p, f, shares, r):
    """Write r_mj and then the shares; the last component is the uniform one."""
    for t in range(p.shape[0]):
        q = 0.0
        for c in range(shares.shape[0]):
            r[c, t] = shares[c] * f[c, t]
            q += r[c, t]
        for c in range(shares.shape[0]):
            r[c, t] /= q
    for c in range(shares.shape[0]):
        share = 0.0
        for t in range(p.shape[0]):
            share += p[t] * r[c, t]
        shares[c] = share


@njit(**FAST_SERIAL)
def _gain(p, r, tried, f):
    """Return sum_j p_j r_j log(tried_j / f_j), the gain of another place."""
    total = 0.0
    for t in range(p.shape[0]):
        if r[t] > 0.0:
            total += p[t] * r[t] * (math.log(max(tried[t], _NOTHING)) - math.log(max(f[t], _NOTHING)))
    return total


@njit(**FAST_SERIAL)
def _settle(p, J, owner, Y, pi, begins, entries, points, proportions, student, which, places, shares, z, r, work):
    """Let shares and places of given components climb; the last entry of shares and r is the uniform component."""
    count, n, d = z.shape[0], J.shape[0], Y.shape[2]
    f, means, steps = np.empty((count + 1, n)), np.empty((count, d)), np.empty(count)
    tried, mean, y = np.empty(n), np.empty(d), np.empty(d)
    for t in range(n):
        f[count, t] = 1.0 / Y.shape[1]
    shares[count] = _EVEN
    for c in range(count):
        shares[c], steps[c] = (1.0 - _EVEN) / count, 0.5
    for turn in range(_TURNS):
        for c in range(count):
            if turn > 0 and shares[c] < _UNUSED:
                continue
            m = which[c]
            for a in range(d):
                y[a] = places[c, a]
            if turn > 0:
                for a in range(d):
                    y[a] -= steps[c] * means[c, a]
                for t in range(n):
                    w = steps[c] * p[t] * r[c, t] / shares[c]
                    if student:
                        w /= 1.0 + square_to(Y, m, J[t], places[c])
                    for a in range(d):
                        y[a] += w * (Y[m, J[t], a] - places[c, a])
            there = _density(J, m, y, Y, pi, begins, entries, points, proportions, owner, student, work, tried, mean)
            if turn == 0 or _gain(p, r[c], tried, f[c]) >= 0.0:
                z[c] = there
                for a in range(d):
                    places[c, a], means[c, a] = y[a], mean[a]
                for t in range(n):
                    f[c, t] = tried[t]
            else:
                steps[c] *= 0.5
        for _ in range(_SWEEPS):
            _sweep(p, f, shares, r)


@by_rows
@njit(**FAST_BY_ROWS)
def _mixtures(
    begin, end, indptr, indices, data, owners, Y, pi, begins, entries, points, proportions, student,
    maps, places, shares, unexplained, weights, parts,
):  # fmt: skip
    n_points = 0
    for m in range(Y.shape[0]):
        n_points = max(n_points, begins[m + 1] - begins[m])
    work = np.empty((2, n_points))
    for i in range(begin, end):
        first, n = indptr[i], indptr[i + 1] - indptr[i]
        J, p, total = indices[first : first + n], np.empty(n), 0.0
        for t in range(n):
            total += data[first + t]
        for t in range(n):
            p[t] = data[first + t] / total
        count = start(p, J, Y, pi, student, maps[i], places[i])
        if count == 0:
            continue
        share, r = np.empty(count + 1), np.empty((count + 1, n))
        _settle(
            p, J, owners[i], Y, pi, begins, entries, points, proportions, student,
            maps[i], places[i], share, weights[i, :count], r, work,
        )  # fmt: skip
        unexplained[i] = share[count]
        for c in range(count):
            shares[i, c] = share[c]
            if parts.shape[0] > 0:
                for t in range(n):
                    parts[first + t, c] = r[c, t]
