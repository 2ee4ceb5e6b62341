"""Copy moves of very many objects, each judged by fields instead of a sum over all others.

For each of N objects, `mathematics.copies` needs two sums over all the others at a place y in map m. Both are fields,
which a mesh gives at all places at once:

.. math::

    F_m(y) = sum_j pi_j^m K(|y - y_j^m|^2),     G_m(y) = sum_j pi_j^m / z_j K(|y - y_j^m|^2)

Let f_i^m = pi_i^m F_m(y_i^m), and g_i^m likewise. A copy of object i at y takes the proportion a, and its other
proportions shrink by the factor b = (1 - a) / (1 - pi_i^m). This makes

.. math::

    z'_i = a F_m(y) + b (z_i - f_i^m),     z_i = sum_m f_i^m

    sum_j log(z'_j / z_j)  <=  a G_m(y) + b (g_i - g_i^m) - g_i,     g_i = sum_m g_i^m

because log(1 + x) <= x; for the objects to which i is tied, x is replaced by log(1 + x). So no move promises more than
it gains by itself. The moves of one part of the objects are found at once, independently of each other; after each
part, the fields are summed again. The fewer objects of a part move, the larger is the next one. The maps, places and
proportions to try are those of `mathematics.copies`.
"""

import numpy as np
from numba import prange

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.exponential import log_of
from notebook_sne.engine.machine.parallel import FAST, exclusive
from notebook_sne.engine.mathematics.copies import (
    LEAST,
    NEGLIGIBLE,
    PROPORTIONS,
    TINY,
    TRIED,
    climb,
    explain,
    kernel,
    moved,
)
from notebook_sne.engine.mathematics.mixing import log_proportions
from notebook_sne.engine.sums.pair_sums import gaussian_sums, student_sums
from notebook_sne.engine.sums.stored_pairs import read_only

__all__ = ["PARTS", "move_copies"]

PARTS = 32
"""How many parts of the objects have their turn one after the other, where all of them move."""

_LEAST_Z = 1e-5  # below it a mesh rounds, and an object by itself would outweigh all others in a field


def move_copies(pairs, Y, W, penalty=0.0, *, joint=False, student=False, negligible=NEGLIGIBLE, parts=PARTS, sums=None):
    """Return the CopyMoves of a round: where each object should have a further copy, at most one an object.

    `pairs`, Y, shape (M, N, d), W, shape (M, N), `penalty`, `joint`, `student` and `sums` are those of
    `aspects.cost_and_gradient`. The fields leave out proportions below `negligible`. At most about N / parts objects
    move at once: first of the objects 0, parts, 2 parts and so on, then of 1, parts + 1, ...
    """
    sums = sums or (student_sums if student else gaussian_sums)
    N, d = Y.shape[1:]
    # All that one object has in all maps lies side by side.
    Y = np.moveaxis(np.array(np.moveaxis(Y, 0, 1), dtype=np.float64, order="C"), 1, 0)
    mixing = np.array(np.exp(log_proportions(W)), order="F")
    penalties = read_only(np.broadcast_to(penalty, d), np.float64)
    arrays = tuple(read_only(a, a.dtype) for a in (pairs.pointers, pairs.columns, pairs.strengths))
    S = np.empty(len(pairs.columns))
    target, proportion, changes = np.full(N, -1), np.zeros(N), np.zeros(N)
    turns = np.argsort(np.arange(N) % parts, kind="stable")
    size = -(-N // parts)
    while len(turns):
        words, turns = turns[:size], turns[size:]
        z, g, f_own, g_own, counted, at = _fields(Y, mixing, negligible, sums)
        tried, where = np.full((len(words), TRIED), -1), np.zeros((len(words), TRIED, d))
        _propose(words, *arrays, Y, mixing, z, joint, student, S, tried, where)
        f, of_z = _at(tried, where, *at)
        move = target[words], proportion[words], changes[words], np.zeros((len(words), d))
        _judge(
            words, *arrays, Y, mixing, z, g, f_own, g_own, counted, S, tried, where, f, of_z, penalties,
            np.array(PROPORTIONS), joint, student, *move,
        )  # fmt: skip
        target[words], proportion[words], changes[words] = move[:3]
        moving = np.flatnonzero(move[0] >= 0)
        who, maps, a = words[moving], move[0][moving], move[1][moving]
        mixing[:, who] *= (1 - a) / (1 - mixing[maps, who])
        mixing[maps, who], Y[maps, who] = a, move[3][moving]
        # If as large a share of the next ones moves, as many move as the first part had objects.
        size = -(-N // parts) * len(words) // max(1, len(moving))
    return moved(np.ascontiguousarray(Y), W, target, proportion, changes)


def _fields(Y, mixing, negligible, sums):
    """Return z_i and g_i, f_i^m and g_i^m (both (M, N)), which proportions count, and the arguments of `_at`."""
    M, N = mixing.shape
    counted = mixing >= negligible
    maps, objects = np.nonzero(counted)
    points, weights = Y[maps, objects], mixing[maps, objects]
    groups = np.concatenate([[0], np.cumsum(counted.sum(axis=1))])
    values, _ = sums(points, weights, groups=groups)
    z = np.maximum(np.bincount(objects, weights * values, minlength=N), _LEAST_Z)
    shares = weights / z[objects]
    by_z, _ = sums(points, shares, groups=groups)
    f_own, g_own = np.zeros((M, N), order="F"), np.zeros((M, N), order="F")
    f_own[maps, objects], g_own[maps, objects] = weights * values, weights * by_z
    return z, g_own.sum(axis=0), f_own, g_own, counted, (maps, points, weights, shares, sums, M)


def _at(tried, where, maps, points, weights, shares, sums, M):
    """Return F and G at the places that are tried, both of shape (n, TRIED)."""
    # They stand among the points of their map, with no weight: what they are given is the field.
    there = tried >= 0
    owners = np.concatenate([maps, tried[there]])
    order = np.argsort(owners, kind="stable")
    groups = np.searchsorted(owners[order], np.arange(M + 1))
    joined = np.concatenate([points, where[there]])[order]
    found = []
    for charges in (weights, shares):
        values, field = np.empty(len(order)), np.zeros(tried.shape)
        values[order] = sums(joined, np.append(charges, np.zeros(np.count_nonzero(there)))[order], groups=groups)[0]
        field[there] = values[len(maps) :]
        found.append(field)
    return found


@exclusive
@njit(**FAST)
def _propose(words, pointers, columns, strengths, Y, mixing, z, joint, student, S, tried, where):
    """Write S_ij of the ties of some words, and the maps and places that are worth a trial; -1 for none."""
    Z = z.sum()
    for r in prange(len(words)):
        i = words[r]
        first, last = pointers[i], pointers[i + 1]
        own, lacking, home = columns[first:last], np.empty(last - first), np.empty(len(Y))
        y, sums = np.empty(Y.shape[2]), np.empty(Y.shape[2])
        if explain(Y, mixing, i, own, strengths[first:last], z, Z, joint, student, S[first:last], lacking, home) == 0.0:
            continue
        for t in range(TRIED):
            m = int(home.argmax())
            if home[m] <= 0.0:
                break
            home[m] = 0.0
            tried[r, t] = m
            climb(Y[m], mixing[m], own, lacking, student, y, sums)
            where[r, t] = y


@exclusive
@njit(**FAST)
def _judge(
    words, pointers, columns, strengths, Y, mixing, z, g, f_own, g_own, counted, S, tried, where, f, by_z,
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
            y, mine = where[r, t], mixing[m, i]
            value, share = f[r, t], by_z[r, t]
            if counted[m, i]:  # of the fields at y, the object itself is no part
                itself = mine * kernel(Y[m, i], y, student)
                value -= itself
                share -= itself / z[i]
            for k in range(len(own)):
                j = own[k]
                new[k] = mixing[m, j] * kernel(Y[m, j], y, student)
                kept[k] = max(ties_S[k] - mine * mixing[m, j] * kernel(Y[m, j], Y[m, i], student), 0.0)
            moving = 0.0
            for c in range(len(y)):
                moving += 0.5 * penalties[c] * (y[c] ** 2 - Y[m, i, c] ** 2)
            for a in proportions:
                shrunk = (1.0 - a) / (1.0 - mine)
                difference = a * value + shrunk * (z[i] - f_own[m, i]) - z[i]
                change = moving
                if joint:
                    change += log_of(max((Z + 2.0 * difference) / Z, TINY))
                else:
                    change += log_of(max((z[i] + difference) / z[i], TINY))
                    change += a * share + shrunk * (g[i] - g_own[m, i]) - g[i]
                for k in range(len(own)):
                    after = shrunk * kept[k] + a * new[k]
                    change -= s[k] * log_of(max(after, TINY) / ties_S[k])
                    if not joint:
                        x = (after - ties_S[k]) / z[own[k]]
                        change += log_of(max(1.0 + x, TINY)) - x
                if change < best:
                    best, target[r], proportion[r], changes[r] = change, m, a, change
                    found[r] = y
