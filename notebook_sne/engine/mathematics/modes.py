"""Modes: where the associates of one object lie together, in each of several maps.

A component of a mixture (`notebook_sne.engine.mathematics.row_mixtures`) begins at the mode of

.. math:: h_m(y) = sum_j p_j pi_j^m K(|y_j^m - y|^2)

found by mean shift [Comaniciu & Meer 2002] from the strongest associates: each step goes to the mean of the associates'
points, weighted by the terms of h_m (times 1 / (1 + d) for Student's t), and no step lowers h_m.
"""

import numpy as np

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.exponential import exp_minus
from notebook_sne.engine.machine.parallel import FAST_SERIAL

__all__ = ["kernel", "square_to", "start"]

# A map that is home to a smaller part of the associates is not tried, unless no map is home to much more.
_LEAST_MASS = 0.02
_SEEDS, _SHIFTS = 3, 10  # a mode is sought from so many of the strongest associates, by so many shifts of the mean


@njit(**FAST_SERIAL)
def kernel(d, student):
    """Return K at the squared distance d: 1 / (1 + d) with `student`, exp(-d) without."""
    return 1.0 / (1.0 + d) if student else exp_minus(d)


@njit(**FAST_SERIAL)
def square_to(Y, m, j, y):
    """Return the squared distance from object j of map m, with points Y, shape (M, N, d), to a place y."""
    total = 0.0
    for a in range(y.shape[0]):
        total += (Y[m, j, a] - y[a]) ** 2
    return total


@njit(**FAST_SERIAL)
def _mode(p, J, m, Y, pi, student, best, y, mean):
    """Write the place where the associates are densest in one map, and return sum_j p_j pi_j K there.

    Each search moves to the mean of the associates' points, weighted by p_j pi_j K (and k of Student's t).
    """
    d, n = best.shape[0], J.shape[0]
    highest, stronger, last = 0.0, np.inf, -1
    for _ in range(_SEEDS):
        seed, most = -1, 0.0
        for t in range(n):
            w = p[t] * pi[m, J[t]]
            if w > most and (w < stronger or (w == stronger and t > last)):
                seed, most = t, w
        if seed < 0:
            break
        stronger, last = most, seed
        height = 0.0
        for shift in range(_SHIFTS + 1):
            for a in range(d):
                if shift == 0:
                    y[a] = Y[m, J[seed], a]
                elif height > 0.0:
                    y[a] = mean[a]
                mean[a] = 0.0
            height = total = 0.0
            for t in range(n):
                square = square_to(Y, m, J[t], y)
                w = p[t] * pi[m, J[t]] * kernel(square, student)
                height += w
                if student:
                    w /= 1.0 + square
                total += w
                for a in range(d):
                    mean[a] += w * Y[m, J[t], a]
            if total > 0.0:
                for a in range(d):
                    mean[a] /= total
        if height > highest:
            highest = height
            for a in range(d):
                best[a] = y[a]
    return highest


@njit(**FAST_SERIAL)
def start(p, J, Y, pi, student, which, places):
    """Find the maps where the associates are densest; return how many there are, at most C.

    The associates J have weights p. Y, shape (M, N, d), has the points and pi, shape (M, N), the proportions; `student`
    says which kernel. The maps are written to `which`, shape (C,), and the modes there to `places`, shape (C, d).
    """
    M, d = Y.shape[0], Y.shape[2]
    homes, heights, modes, y, mean = np.zeros(M), np.zeros(M), np.empty((M, d)), np.empty(d), np.empty(d)
    most = 0.0
    for m in range(M):
        for t in range(J.shape[0]):
            homes[m] += p[t] * pi[m, J[t]]
        most = max(most, homes[m])
    for m in range(M):
        if homes[m] >= min(_LEAST_MASS, 0.5 * most):
            heights[m] = _mode(p, J, m, Y, pi, student, modes[m], y, mean)
    for c in range(which.shape[0]):
        highest = 0.0
        for m in range(M):
            if heights[m] > highest:
                highest = heights[m]
                which[c] = m
        if highest <= 0.0:
            return c
        heights[which[c]] = 0.0
        for a in range(d):
            places[c, a] = modes[which[c], a]
    return which.shape[0]
