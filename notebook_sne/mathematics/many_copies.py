"""Copy moves of very many objects, each judged by fields and not by a sum over all others.

What `mathematics.copies` asks of a place y in map m, at each of N objects, are two sums over all the others, and both
are fields that a mesh gives at all places at once:

.. math::

    F_m(y) = sum_j pi_j^m K(|y - y_j^m|^2),     G_m(y) = sum_j pi_j^m / z_j K(|y - y_j^m|^2)

With f_i^m = pi_i^m F_m(y_i^m) and g_i^m alike, a copy of object i at y with the proportion a, for which its other
proportions shrink by the factor b = (1 - a) / (1 - pi_i^m), makes

.. math::

    z'_i = a F_m(y) + b (z_i - f_i^m),     z_i = sum_m f_i^m

    sum_j log(z'_j / z_j)  <=  a G_m(y) + b (g_i - g_i^m) - g_i,     g_i = sum_m g_i^m

as log(1 + x) <= x; for those that i is tied to, x is replaced by log(1 + x). So a move promises no more than it brings
by itself. Those of one part of the objects are found for all of them at once, and none of them knows of the others:
after each part, the fields are summed anew. Maps, places and proportions that are tried are those of
`mathematics.copies`.
"""

import numpy as np
from numba import prange

from notebook_sne.machine.compiled import njit
from notebook_sne.machine.exponential import exp_minus, log_of
from notebook_sne.machine.parallel import FAST, FAST_SERIAL, exclusive
from notebook_sne.mathematics.copies import (
    AT_HOME,
    LEAST,
    NEGLIGIBLE,
    PROPORTIONS,
    SHIFTS,
    TINY,
    TRIED,
    UNEXPLAINED,
    CopyMoves,
)  # fmt: skip
from notebook_sne.mathematics.mixing import log_proportions
from notebook_sne.sums.pair_sums import gaussian_sums, student_sums
from notebook_sne.sums.stored_pairs import read_only

__all__ = ["PARTS", "move_copies"]

PARTS = 32
"""How many parts of the objects have their turn one after the other."""

_LEAST_Z = 1e-5  # below it a mesh rounds, and an object by itself would outweigh all others in a field


def move_copies(pairs, Y, W, penalty=0.0, *, joint=False, student=False, negligible=NEGLIGIBLE, parts=PARTS, sums=None):
    """Return the CopyMoves of a round: where each object should have a further copy, at most one an object.

    `pairs`, Y, shape (M, N, d), W, shape (M, N), `penalty`, `joint`, `student` and `sums` are those of
    `aspects.cost_and_gradient`. A proportion below `negligible` is left out of the fields. Objects i, i + parts,
    i + 2 parts and so on are judged at once.
    """
    sums = sums or (student_sums if student else gaussian_sums)
    N, d = Y.shape[1:]
    # All that one object has in all maps lies side by side.
    places = np.array(np.moveaxis(Y, 0, 1), dtype=np.float64, order="C")
    mixing = np.exp(log_proportions(W)).T.copy()
    penalties = read_only(np.broadcast_to(penalty, d), np.float64)
    arrays = tuple(read_only(a, a.dtype) for a in (pairs.pointers, pairs.columns, pairs.strengths))
    S = np.empty(len(pairs.columns))
    target, proportion, changes = np.full(N, -1), np.zeros(N), np.zeros(N)
    for part in range(min(parts, N)):
        words = np.arange(part, N, parts)
        z, g, f_own, g_own, counted, at = _fields(places, mixing, negligible, sums)
        tried, where = np.full((len(words), TRIED), -1), np.zeros((len(words), TRIED, d))
        _propose(words, *arrays, places, mixing, z, joint, student, S, tried, where)
        f, of_z = _at(tried, where, *at)
        move = target[words], proportion[words], changes[words], np.zeros((len(words), d))
        _judge(
            words, *arrays, places, mixing, z, g, f_own, g_own, counted, S, tried, where, f, of_z, penalties,
            np.array(PROPORTIONS), joint, student, *move,
        )  # fmt: skip
        target[words], proportion[words], changes[words] = move[:3]
        moved = np.flatnonzero(move[0] >= 0)
        who, maps, a = words[moved], move[0][moved], move[1][moved]
        mixing[who] *= ((1 - a) / (1 - mixing[who, maps]))[:, None]
        mixing[who, maps], places[who, maps] = a, move[3][moved]
    return _moves(places, W, target, proportion, changes)


def _moves(places, W, target, proportion, changes):
    """Return the CopyMoves of objects that have a target, as `mathematics.copies` returns them."""
    objects = np.argsort(changes, kind="stable")[: np.count_nonzero(target >= 0)]
    maps, a = target[objects], proportion[objects]
    # The softmax has the proportion a where exp(w) is a / (1 - a) times the sum of all others.
    others = np.array(W[:, objects])
    others[maps, np.arange(len(objects))] = -np.inf
    top = others.max(axis=0)
    weights = np.array(W)
    weights[maps, objects] = np.log(a / (1 - a)) + top + np.log(np.exp(others - top).sum(axis=0))
    points = np.ascontiguousarray(np.moveaxis(places, 1, 0))
    return CopyMoves(points, weights, np.column_stack([objects, maps]), float(changes.sum()))


def _fields(places, mixing, negligible, sums):
    """Return z_i and g_i, f_i^m and g_i^m (both (N, M)), which proportions count, and what `_at` asks for."""
    N, M = mixing.shape
    counted = mixing >= negligible
    maps, objects = np.nonzero(counted.T)
    points, weights = places[objects, maps], mixing[objects, maps]
    groups = np.concatenate([[0], np.cumsum(counted.sum(axis=0))])
    values, _ = sums(points, weights, groups=groups)
    z = np.maximum(np.bincount(objects, weights * values, minlength=N), _LEAST_Z)
    shares = weights / z[objects]
    by_z, _ = sums(points, shares, groups=groups)
    f_own, g_own = np.zeros((N, M)), np.zeros((N, M))
    f_own[objects, maps], g_own[objects, maps] = weights * values, weights * by_z
    return z, g_own.sum(axis=1), f_own, g_own, counted, (maps, points, weights, shares, sums, M)


def _at(tried, where, maps, points, weights, shares, sums, M):
    """Return F and G at the places that are tried, both of shape (n, TRIED)."""
    # They stand among the points of their map, with no weight: what they are given is the field.
    there = tried >= 0
    nothing = np.zeros(np.count_nonzero(there))
    owners = np.concatenate([maps, tried[there]])
    order = np.argsort(owners, kind="stable")
    groups = np.searchsorted(owners[order], np.arange(M + 1))
    joined = np.concatenate([points, where[there]])[order]
    found = []
    for charges in (weights, shares):
        values, field = np.empty(len(order)), np.zeros(tried.shape)
        values[order] = sums(joined, np.concatenate([charges, nothing])[order], groups=groups)[0]
        field[there] = values[len(maps) :]
        found.append(field)
    return found


@njit(**FAST_SERIAL)
def _near(x, y, student):
    """Return K(|x - y|^2)."""
    d = 0.0
    for k in range(len(y)):
        d += (x[k] - y[k]) ** 2
    return 1.0 / (1.0 + d) if student else exp_minus(d)


@njit(**FAST_SERIAL)
def _climb(places, mixing, m, columns, lacking, student, y, sums):
    """Write the mode of the unexplained ties in map m to y: a mean shift from the heaviest of them."""
    heaviest, at = -1.0, 0
    for k in range(len(columns)):
        weight = lacking[k] * mixing[columns[k], m]
        if weight > heaviest:
            heaviest, at = weight, columns[k]
    y[:] = places[at, m]
    for _ in range(SHIFTS):
        total = TINY
        sums[:] = 0.0
        for k in range(len(columns)):
            j = columns[k]
            if lacking[k] > 0.0:
                weight = lacking[k] * mixing[j, m] * _near(places[j, m], y, student)
                total += weight
                for c in range(len(y)):
                    sums[c] += weight * places[j, m, c]
        for c in range(len(y)):
            y[c] = sums[c] / total


@exclusive
@njit(**FAST)
def _propose(words, pointers, columns, strengths, places, mixing, z, joint, student, S, tried, where):
    """Write S_ij of the ties of some words, and which maps and places are worth a trial; -1 for none."""
    M, n_dimensions = places.shape[1:]
    Z = z.sum()
    for r in prange(len(words)):
        i = words[r]
        first, last = pointers[i], pointers[i + 1]
        own, s = columns[first:last], strengths[first:last]
        lacking, home = np.empty(len(own)), np.zeros(M)
        y, sums = np.empty(n_dimensions), np.empty(n_dimensions)
        ties, missed = 0.0, 0.0
        for k in range(len(own)):
            j = own[k]
            both = TINY
            for m in range(M):
                both += mixing[i, m] * mixing[j, m] * _near(places[j, m], places[i, m], student)
            S[first + k] = both
            explained = both * (2.0 / Z if joint else 1.0 / z[i] + 1.0 / z[j])
            lacking[k] = s[k] - explained if explained < 0.5 * s[k] else 0.0
            ties += s[k]
            missed += lacking[k]
        if missed <= UNEXPLAINED * ties:
            continue
        for k in range(len(own)):
            if lacking[k] > 0.0:
                for m in range(M):
                    home[m] += lacking[k] * mixing[own[k], m]
        for m in range(M):
            if mixing[i, m] > AT_HOME:
                home[m] = 0.0
        for t in range(TRIED):
            m = int(home.argmax())
            if home[m] <= 0.0:
                break
            home[m] = 0.0
            tried[r, t] = m
            _climb(places, mixing, m, own, lacking, student, y, sums)
            where[r, t] = y


@exclusive
@njit(**FAST)
def _judge(
    words, pointers, columns, strengths, places, mixing, z, g, f_own, g_own, counted, S, tried, where, f, by_z,
    penalties, proportions, joint, student, target, proportion, changes, found,
):  # fmt: skip
    """Write the best map of each word, the proportion and place of its copy there, and the change; -1 for no map."""
    Z = z.sum()
    for r in prange(len(words)):
        i = words[r]
        first, last = pointers[i], pointers[i + 1]
        own, s, ties_S = columns[first:last], strengths[first:last], S[first:last]
        new, kept = np.empty(len(own)), np.empty(len(own))
        best = -LEAST * s.sum()
        for t in range(tried.shape[1]):
            m = tried[r, t]
            if m < 0:
                break
            y, mine = where[r, t], mixing[i, m]
            value, share = f[r, t], by_z[r, t]
            if counted[i, m]:  # of the fields at y, the object itself is no part
                itself = mine * _near(places[i, m], y, student)
                value -= itself
                share -= itself / z[i]
            for k in range(len(own)):
                j = own[k]
                new[k] = mixing[j, m] * _near(places[j, m], y, student)
                kept[k] = max(ties_S[k] - mine * mixing[j, m] * _near(places[j, m], places[i, m], student), 0.0)
            moving = 0.0
            for c in range(len(y)):
                moving += 0.5 * penalties[c] * (y[c] ** 2 - places[i, m, c] ** 2)
            for a in proportions:
                shrunk = (1.0 - a) / (1.0 - mine)
                difference = a * value + shrunk * (z[i] - f_own[i, m]) - z[i]
                change = moving
                if joint:
                    change += log_of(max((Z + 2.0 * difference) / Z, TINY))
                else:
                    change += log_of(max((z[i] + difference) / z[i], TINY))
                    change += a * share + shrunk * (g[i] - g_own[i, m]) - g[i]
                for k in range(len(own)):
                    after = shrunk * kept[k] + a * new[k]
                    change -= s[k] * log_of(max(after, TINY) / ties_S[k])
                    if not joint:
                        x = (after - ties_S[k]) / z[own[k]]
                        change += log_of(max(1.0 + x, TINY)) - x
                if change < best:
                    best, target[r], proportion[r], changes[r] = change, m, a, change
                    found[r] = y
