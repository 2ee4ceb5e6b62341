"""Copy moves: further copies of objects that lower the objective at once, where no gradient would show it.

An object that has gathered in one map has almost no proportion in the others, and so almost no gradient there. Ties to
a group in another map stay unexplained, however long a run goes on. A move puts a copy of the object into the middle of
such a group, like the wormholes of [Hinton2002, section 5]. With all other objects held, a copy at y in map m takes the
proportion a, and all other proportions of the object shrink by one factor. This makes

.. math::

    S'_ij = (1 - a) (S_ij - S_ij^m) / (1 - pi_i^m) + a pi_j^m K(|y - y_j^m|^2)

of S_ij [Cook2007, Eq. 7], whose part in map m is S_ij^m, and changes the objective of `aspects` by

.. math::

    - sum_j s_ij log(S'_ij / S_ij) + log(z'_i / z_i) + sum_j log(z'_j / z_j) + lambda / 2 (|y|^2 - |y_i^m|^2)

    s_ij = p_{j|i} + p_{i|j},   z'_i = sum_j S'_ij,   z'_j = z_j + S'_ij - S_ij

or, in the joint form, with log(Z' / Z) for all the z. A few maps are tried: those with most of the ties of i that Q
doesn't explain, each at the mode of these ties, found by a mean shift. The best of all places and proportions is taken
if it lowers the objective. Objects take turns, and each starts from the current places of the others. So every move
lowers the objective, and nothing is random.

Longer than 300 lines because the parts of one kernel stand beside it.
"""

from typing import NamedTuple

import numpy as np

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.exponential import exp_minus, log_of
from notebook_sne.engine.machine.parallel import FAST_BY_ROWS, FAST_SERIAL
from notebook_sne.engine.mathematics.mixing import log_proportions
from notebook_sne.engine.sums.pair_sums import gaussian_sums, student_sums
from notebook_sne.engine.sums.stored_pairs import read_only

__all__ = ["CopyMoves", "Gathered", "gather", "move_copies", "search"]
__all__ += ["climb", "explain", "kernel", "moved"]

PROPORTIONS = (0.1, 0.25, 0.5, 0.8)  # of a new copy: descent finds what lies between
TRIED = 8  # maps, those first where most of the unexplained ties have their home
AT_HOME = 0.3  # with a greater proportion in a map an object needs no further copy there
UNEXPLAINED = 0.1  # share of an object's ties below which none is tried
SHIFTS = 5  # steps of the mean shift
LEAST = 1e-3  # by which the objective must fall, as a share of the object's ties
# A smaller proportion is left out of the sums over a map: it would make early rounds twice as long, and change no end.
NEGLIGIBLE = 5e-3
_LINEAR = 0.02  # log(1 + x) is x below: the sum over a row is wrong by a hundredth at most
TINY = 1e-250  # below every sum, so that logarithms and quotients exist


class CopyMoves(NamedTuple):
    """The result of a round of moves."""

    maps: np.ndarray  # float64, shape (M, N, d): map points; those of the moved copies are new
    weights: np.ndarray  # float64, shape (M, N): of each moved object, that of its copy is new
    moved: np.ndarray  # int64, shape (K, 2): object and map of each copy, first those that lower the objective most
    change: float  # of the objective, in nats, as foreseen


class Gathered(NamedTuple):
    """The objects that count in each map, one map after the other."""

    counts: np.ndarray  # int64, shape (M,): how many do
    members: np.ndarray  # int64, shape (M, N): who they are
    places: np.ndarray  # int64, shape (M, N): where each object stands among them; -1 for one that does not count
    points: np.ndarray  # float64, shape (M, d, N): their points
    weights: np.ndarray  # float64, shape (M, N): their proportions


def move_copies(pairs, Y, W, penalty=0.0, *, joint=False, student=False, negligible=NEGLIGIBLE, dtype=np.float32):
    """Return the CopyMoves of a round: where each object should have a further copy, at most one an object.

    `pairs`, Y, shape (M, N, d), W, shape (M, N), `penalty`, `joint` and `student` are those of
    `aspects.cost_and_gradient`. Sums over a map leave out proportions below `negligible`; `dtype` is the precision of
    the sums over all pairs with which the moves begin.
    """
    log_mixing = log_proportions(W)
    points, mixing = np.array(Y, dtype=np.float64, order="C"), np.exp(log_mixing)
    M, N, d = points.shape
    counted = mixing >= negligible
    here, groups = np.flatnonzero(counted), np.concatenate([[0], np.cumsum(counted.sum(axis=1))])
    sums = student_sums if student else gaussian_sums
    values, _ = sums(points.reshape(-1, d)[here], mixing.ravel()[here], groups=groups, dtype=dtype)
    z = np.maximum(np.bincount(here % N, mixing.ravel()[here] * values, minlength=N), TINY)
    penalties = read_only(np.broadcast_to(penalty, d), np.float64)
    arrays = (read_only(a, a.dtype) for a in (pairs.pointers, pairs.columns, pairs.strengths))
    target, proportion, changes = np.full(N, -1), np.zeros(N), np.zeros(N)
    gathered = Gathered(
        np.zeros(M, np.int64), np.empty((M, N), np.int64), np.empty((M, N), np.int64), np.empty((M, d, N)),
        np.empty((M, N)),
    )  # fmt: skip
    gather(points, mixing, float(negligible), *gathered)
    search(
        0, N, *arrays, points, mixing, z, penalties, np.array(PROPORTIONS), joint, student, float(negligible),
        *gathered, target, proportion, changes,
    )  # fmt: skip
    return moved(points, W, target, proportion, changes)


def moved(points, W, target, proportion, changes):
    """Return the CopyMoves of the objects that have a target; points, (M, N, d), are the places of their copies."""
    objects = np.argsort(changes, kind="stable")[: np.count_nonzero(target >= 0)]
    maps, a = target[objects], proportion[objects]
    # The softmax has the proportion a where exp(w) is a / (1 - a) times the sum of all others.
    others = np.array(W[:, objects])
    others[maps, np.arange(len(objects))] = -np.inf
    top = others.max(axis=0)
    weights = np.array(W)
    weights[maps, objects] = np.log(a / (1 - a)) + top + np.log(np.exp(others - top).sum(axis=0))
    return CopyMoves(points, weights, np.column_stack([objects, maps]), float(changes.sum()))


@njit(**FAST_SERIAL)
def kernel(x, y, student):
    """Return K(|x - y|^2)."""
    d = 0.0
    for k in range(len(y)):
        d += (x[k] - y[k]) ** 2
    return 1.0 / (1.0 + d) if student else exp_minus(d)


@njit(**FAST_SERIAL)
def explain(Y, mixing, i, columns, strengths, z, Z, joint, student, S, lacking, home):
    """Write S_ij of the ties of object i, the part of each that Q doesn't explain, and how much of it is in each map.

    Return the sum of the ties, or 0 if the unexplained part is too small for a move.
    """
    ties, missed = 0.0, 0.0
    for k in range(len(columns)):
        j, both = columns[k], TINY
        # Ties are told with all maps: of what is little, logarithms are wanted.
        for m in range(len(home)):
            both += mixing[m, i] * mixing[m, j] * kernel(Y[m, j], Y[m, i], student)
        S[k] = both
        explained = both * (2.0 / Z if joint else 1.0 / z[i] + 1.0 / z[j])
        lacking[k] = strengths[k] - explained if explained < 0.5 * strengths[k] else 0.0
        ties += strengths[k]
        missed += lacking[k]
    if missed <= UNEXPLAINED * ties:
        return 0.0
    home[:] = 0.0
    for k in range(len(columns)):
        if lacking[k] > 0.0:
            for m in range(len(home)):
                home[m] += lacking[k] * mixing[m, columns[k]]
    for m in range(len(home)):
        if mixing[m, i] > AT_HOME:
            home[m] = 0.0
    return ties


@njit(**FAST_SERIAL)
def climb(points, mixing, columns, lacking, student, y, sums):
    """Write the mode of the unexplained ties in one map to y: a mean shift from the heaviest of them."""
    heaviest, at = -1.0, 0
    for k in range(len(columns)):
        weight = lacking[k] * mixing[columns[k]]
        if weight > heaviest:
            heaviest, at = weight, columns[k]
    for c in range(len(y)):  # an assignment of arrays brings the text of its errors with it: four seconds to compile
        y[c] = points[at, c]
    for _ in range(SHIFTS):
        total = TINY
        sums[:] = 0.0
        for k in range(len(columns)):
            j = columns[k]
            if lacking[k] > 0.0:
                weight = lacking[k] * mixing[j] * kernel(points[j], y, student)
                total += weight
                for c in range(len(y)):
                    sums[c] += weight * points[j, c]
        for c in range(len(y)):
            y[c] = sums[c] / total


@njit(**FAST_SERIAL)
def gather(Y, mixing, negligible, count, members, places, points, weights):
    """Write which objects count in each map of Y, (M, N, d): those whose mixing, (M, N), is more than negligible.

    count, members, places, points and weights are the fields of `Gathered`.
    """
    M, N = mixing.shape
    for m in range(M):
        count[m] = 0
        for i in range(N):
            places[m, i] = -1
            if mixing[m, i] >= negligible:
                _enter(Y, mixing, m, i, count, members, places, points, weights)


@njit(**FAST_SERIAL)
def _enter(Y, mixing, m, i, count, members, places, points, weights):
    """Record the place of object i in map m, and its proportion there."""
    a = places[m, i]
    if a < 0:
        a = count[m]
        count[m] += 1
        members[m, a], places[m, i] = i, a
    weights[m, a] = mixing[m, i]
    for c in range(Y.shape[2]):
        points[m, c, a] = Y[m, i, c]


@njit(**FAST_SERIAL)
def _from(y, points, weights, student, squares, near):
    """Write pi_j^m K(|y - y_j^m|^2) of all objects that count in map m."""
    n = len(near)
    squares[:] = 0.0
    for c in range(len(y)):
        for a in range(n):
            t = points[c, a] - y[c]
            squares[a] += t * t
    if student:
        for a in range(n):
            near[a] = weights[a] / (1.0 + squares[a])
    else:
        for a in range(n):
            near[a] = weights[a] * exp_minus(squares[a])


@njit(**FAST_SERIAL)
def _connect(Y, mixing, i, negligible, count, members, points, weights, student, squares, near, S):
    """Write S_ij for all j, over the maps in which both objects count."""
    S[:] = 0.0
    for m in range(Y.shape[0]):
        n, mine = count[m], mixing[m, i]
        if mine < negligible:
            continue
        _from(Y[m, i], points[m, :, :n], weights[m, :n], student, squares[:n], near[:n])
        for a in range(n):
            S[members[m, a]] += mine * near[a]
    S[i] = 0.0


@njit(**FAST_SERIAL)
def _weigh(proportions, remaining, i, columns, strengths, S, kept, new, z, Z, joint, large):
    """Return the best proportion of a copy and the change of the cost that it makes.

    `kept` are S_ij without the map of the copy, `new` those of a copy with proportion 1, `remaining` is 1 - pi_i^m.
    """
    before, rest, copy = S.sum(), kept.sum(), new.sum()
    small_before, small_rest, small_copy, n_large = 0.0, 0.0, 0.0, 0
    if not joint:
        for h in range(len(z)):
            if S[h] + new[h] > _LINEAR * z[h]:
                large[n_large] = h
                n_large += 1
            else:
                precision = 1.0 / z[h]
                small_before += S[h] * precision
                small_rest += kept[h] * precision
                small_copy += new[h] * precision
    best, chosen = np.inf, 0.0
    for a in proportions:
        shrunk = (1.0 - a) / remaining
        change = 0.0
        for k in range(len(columns)):
            j = columns[k]
            change -= strengths[k] * log_of(max(shrunk * kept[j] + a * new[j], TINY) / S[j])
        difference = shrunk * rest + a * copy - before
        if joint:
            change += log_of(max((Z + 2.0 * difference) / Z, TINY))
        else:
            change += log_of(max((z[i] + difference) / z[i], TINY))
            change += shrunk * small_rest + a * small_copy - small_before
            for k in range(n_large):
                h = large[k]
                change += log_of(max((z[h] + shrunk * kept[h] + a * new[h] - S[h]) / z[h], TINY))
        if change < best:
            best, chosen = change, a
    return chosen, best


@njit(**FAST_BY_ROWS)
def search(
    begin, end, pointers, columns, strengths, Y, mixing, z, penalties, proportions, joint, student, negligible,
    count, members, places, points, weights, target, proportion, changes,
):  # fmt: skip
    """Change Y, mixing and z by the moves of objects, one after the other; write map, proportion and change of each.

    Objects from begin to end are searched. pointers, columns and strengths are the rows of P; penalties, proportions,
    joint and student define the cost, and negligible the proportions that count; count, members, places, points and
    weights are the fields of `Gathered`. target, proportion and changes take the results.
    """
    M, N, n_dimensions = Y.shape
    S, kept, new, best_S, squares, near = (
        np.empty(N), np.empty(N), np.empty(N), np.empty(N), np.empty(N), np.empty(N),
    )  # fmt: skip
    Z = z.sum()
    large, lackings, tied = np.empty(N, np.int64), np.empty(N), np.empty(N)
    y, sums, best_y, home = np.empty(n_dimensions), np.empty(n_dimensions), np.empty(n_dimensions), np.empty(M)
    for i in range(begin, end):
        own, s = columns[pointers[i] : pointers[i + 1]], strengths[pointers[i] : pointers[i + 1]]
        lacking = lackings[: len(own)]
        _connect(Y, mixing, i, negligible, count, members, points, weights, student, squares, near, S)
        ties = explain(Y, mixing, i, own, s, z, Z, joint, student, tied, lacking, home)
        if ties == 0.0:
            continue
        for k in range(len(own)):
            S[own[k]] = tied[k]
        best, best_map, best_proportion = -LEAST * ties, -1, 0.0
        for _ in range(TRIED):
            m = int(home.argmax())
            if home[m] <= 0.0:
                break
            home[m] = 0.0
            n, mine = count[m], mixing[m, i]
            climb(Y[m], mixing[m], own, lacking, student, y, sums)
            for h in range(N):
                kept[h], new[h] = S[h], 0.0
            _from(y, points[m, :, :n], weights[m, :n], student, squares[:n], near[:n])
            for a in range(n):
                new[members[m, a]] = near[a]
            if mine >= negligible:
                _from(Y[m, i], points[m, :, :n], weights[m, :n], student, squares[:n], near[:n])
                for a in range(n):
                    kept[members[m, a]] -= mine * near[a]
            for j in own:
                new[j] = mixing[m, j] * kernel(Y[m, j], y, student)
                kept[j] = S[j] - mine * mixing[m, j] * kernel(Y[m, j], Y[m, i], student)
            kept[i] = new[i] = 0.0
            remaining = 1.0 - mine
            a, change = _weigh(proportions, remaining, i, own, s, S, kept, new, z, Z, joint, large)
            for c in range(n_dimensions):
                change += 0.5 * penalties[c] * (y[c] ** 2 - Y[m, i, c] ** 2)
            if change < best:
                best, best_map, best_proportion = change, m, a
                for c in range(n_dimensions):
                    best_y[c] = y[c]
                for h in range(N):
                    best_S[h] = (1.0 - a) / remaining * kept[h] + a * new[h]
        if best_map < 0:
            continue
        for h in range(N):
            z[h] = max(z[h] + best_S[h] - S[h], TINY)
        mine = max(z[i] + best_S.sum() - S.sum(), TINY)
        Z += 2.0 * (mine - z[i])
        z[i] = mine
        shrunk = (1.0 - best_proportion) / (1.0 - mixing[best_map, i])
        for m in range(M):
            mixing[m, i] *= shrunk
        mixing[best_map, i] = best_proportion
        for c in range(n_dimensions):
            Y[best_map, i, c] = best_y[c]
        for m in range(M):
            if places[m, i] >= 0 or m == best_map:
                _enter(Y, mixing, m, i, count, members, places, points, weights)
        target[i], proportion[i], changes[i] = best_map, best_proportion, best
