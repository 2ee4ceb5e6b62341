"""A round of copy moves, on one thread: further copies of objects that lower the objective of several maps at once.

The moves are those of `mathematics.copies`, by the same compiled search; the NumPy code around it is repeated here, for
one array of points and weights as in `portable.maps`. The objects are searched a slice at a time, so that a page can
answer in between: call `prepare`, then `search_some` until all have had their turn, then `take`. Two arrays of numbers,
real and whole, of `room` places, are kept between these calls.
"""

import math

import numpy as np

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.parallel import on_one_thread
from notebook_sne.engine.mathematics.copies import NEGLIGIBLE, PROPORTIONS, TINY, gather, search
from notebook_sne.engine.portable.maps import bounds, counted, gathered, log_proportions
from notebook_sne.engine.portable.sums import WHOLE, over_all

__all__ = ["prepare", "room", "search_some", "take"]

_search = on_one_thread(search, forceinline=False)
_PROPORTIONS = np.array(PROPORTIONS)


@njit(**WHOLE)
def room(M, N):
    """Return how many real numbers and how many whole numbers are kept between the calls."""
    return 6 * M * N + 3 * N, 2 * M * N + M + N


@njit(**WHOLE)
def _reals(reals, M, N):
    """Return points (M, N, 2), proportions (M, N), z, proportions and changes of the moves (N,), all of them views."""
    n = M * N
    return (
        reals[: 2 * n].reshape((M, N, 2)), reals[2 * n : 3 * n].reshape((M, N)),
        reals[6 * n : 6 * n + N], reals[6 * n + N : 6 * n + 2 * N], reals[6 * n + 2 * N :],
    )  # fmt: skip


@njit(**WHOLE)
def _gathered(reals, whole, M, N):
    """Return count, members, places, points and weights, as in `mathematics.copies.Gathered`, all of them views."""
    n = M * N
    return (
        whole[2 * n : 2 * n + M], whole[:n].reshape((M, N)), whole[n : 2 * n].reshape((M, N)),
        reals[3 * n : 5 * n].reshape((M, 2, N)), reals[5 * n : 6 * n].reshape((M, N)),
    )  # fmt: skip


@njit(**WHOLE)
def _totals(Y, mixing, student, z):
    """Write z_i without its own terms, shape (N,), of the proportions that count."""
    N = mixing.shape[1]
    here, groups = counted(mixing, NEGLIGIBLE)
    n = here.shape[0]
    points, weights, values = gathered(Y, here, groups), np.empty(n, np.float32), np.empty(n)
    for k in range(n):
        weights[k] = mixing[here[k] // N, here[k] % N]
    first, last, own = bounds(groups)
    over_all(points, points, weights, first, last, own, 1.0 if student else np.inf, values, np.empty((n, 2)))
    z[:] = 0.0
    for k in range(n):
        z[here[k] % N] += mixing[here[k] // N, here[k] % N] * values[k]
    for i in range(N):
        z[i] = max(z[i], TINY)


@njit(**WHOLE)
def prepare(theta, M, N, student, reals, whole):
    """Write the start of the search: points and weights theta, shape (R, 2)."""
    Y, mixing, z, proportion, changes = _reals(reals, M, N)
    count, members, places, points, weights = _gathered(reals, whole, M, N)
    logs = log_proportions(theta, M, N)
    for m in range(M):
        for i in range(N):
            Y[m, i, 0], Y[m, i, 1] = theta[m * N + i, 0], theta[m * N + i, 1]
            mixing[m, i] = math.exp(logs[m, i])
    _totals(Y, mixing, student, z)
    gather(Y, mixing, NEGLIGIBLE, count, members, places, points, weights)
    for i in range(N):
        proportion[i] = changes[i] = 0.0
        whole[2 * M * N + M + i] = -1


@njit(**WHOLE)
def search_some(begin, end, pointers, columns, strengths, M, joint, student, penalty, reals, whole):
    """Find the moves of some objects; stored pairs as for `maps.several_maps`."""
    N = pointers.shape[0] - 1
    Y, mixing, z, proportion, changes = _reals(reals, M, N)
    count, members, places, points, weights = _gathered(reals, whole, M, N)
    _search(
        begin, end, pointers, columns, strengths, Y, mixing, z, np.full(2, penalty), _PROPORTIONS, joint, student,
        NEGLIGIBLE, count, members, places, points, weights, whole[2 * M * N + M :], proportion, changes,
    )  # fmt: skip


@njit(**WHOLE)
def take(theta, M, N, held, reals, whole):
    """Put the copies that were found into theta, except for held points, (M N,), and return how many."""
    Y, _, _, proportion, _ = _reals(reals, M, N)
    target, moved = whole[2 * M * N + M :], 0
    for i in range(N):
        at, a = target[i] * N + i, proportion[i]
        if target[i] < 0 or held[at]:
            continue
        moved += 1
        theta[at, 0], theta[at, 1] = Y[target[i], i, 0], Y[target[i], i, 1]
        # The softmax has the proportion a where exp(w) is a / (1 - a) times the sum of all others.
        top, total = -math.inf, 0.0
        for turn in range(2):
            for m in range(M):
                k = m * N + i
                w = theta[M * N + k // 2, k % 2]
                if m != target[i]:
                    if turn:
                        total += math.exp(w - top)
                    else:
                        top = max(top, w)
        theta[M * N + at // 2, at % 2] = math.log(a / (1.0 - a)) + top + math.log(total)
    return moved
