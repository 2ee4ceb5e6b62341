"""UMAP's graph from the nearest neighbors, as compiled functions; `affinities.fuzzy` has its equations.

NumPy and SciPy work on whole matrices there. Here, rows come a slice at a time, and then the union of all of them.
"""

import math

import numpy as np

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.mathematics.distances import smallest
from notebook_sne.engine.mathematics.smooth_neighbors import LEAST_SIGMA, smooth_row
from notebook_sne.engine.portable.sums import WHOLE
from notebook_sne.engine.sums.symmetric import step, turn

__all__ = ["closest_rows", "fuzzy_union", "smooth_weights"]


@njit(**WHOLE)
def closest_rows(neighbors, D, first, last, chosen, R):
    """Write the nearest objects of some, int32 of shape (N, n), and their distances, not squared, of that shape.

    D, shape (N, K), are squared distances to `neighbors`, of that shape; with K = N those of all objects, and
    `neighbors` isn't read.
    """
    N, K = D.shape
    every, n = K == N, chosen.shape[1]
    candidates = K - 1 if every else K
    listed, d = np.empty(candidates, np.int64), np.empty(candidates)
    found, near = np.empty(n, np.int64), np.empty(n)
    for i in range(first, last):
        for k in range(candidates):
            place = k + (k >= i) if every else k
            listed[k], d[k] = place if every else neighbors[i, k], D[i, place]
        smallest(d, listed, found, near)
        for k in range(n):
            chosen[i, k], R[i, k] = found[k], math.sqrt(near[k])


@njit(**WHOLE)
def smooth_weights(R, total, first, last, A):
    """Write the weights A of some objects' neighbors at distances R, both of shape (N, n)."""
    N, n = R.shape
    overall = 0.0
    for i in range(N):
        for k in range(n):
            overall += R[i, k]
    overall /= N * n
    for i in range(first, last):
        rho, mean = math.inf, 0.0
        for k in range(n):
            mean += R[i, k] / n
            if R[i, k] > 0.0:
                rho = min(rho, R[i, k])
        if rho == math.inf:  # all neighbors are at the place of the object itself
            rho = 0.0
        smooth_row(R[i], rho, total, LEAST_SIGMA * (mean if rho > 0.0 else overall), A[i])


@njit(**WHOLE)
def fuzzy_union(chosen, A, least_p, pointers, columns, values):
    """Write the joint P of UMAP, the union of weights A over its sum, as a sparse matrix.

    `chosen` rise in each row. `columns` and `values` have room for 2 N n entries. As in `drop_small`, an entry is left
    out if it is below the share `least_p` of both its rows.
    """
    N, n = A.shape
    starts, places, weights = np.zeros(N + 1, np.int64), np.empty(N * n, np.int32), np.empty(N * n)
    E = 0
    for i in range(N):
        for k in range(n):
            if A[i, k] > 0.0:
                places[E], weights[E] = chosen[i, k], A[i, k]
                E += 1
        starts[i + 1] = E
    back, rows, turned = np.zeros(N + 1, np.int64), np.empty(E, np.int32), np.empty(E)
    turn(starts, places[:E], weights[:E], back, rows, turned)
    degrees, end, kept = np.zeros(N), 0, 0.0
    pointers[0] = 0
    for i in range(N):
        a, b = starts[i], back[i]
        while a < starts[i + 1] or b < back[i + 1]:
            before, other = a, b
            j, total, a, b = step(a, starts[i + 1], b, back[i + 1], places, weights, rows, turned)
            if a > before and b > other:
                total -= weights[before] * turned[other]
            columns[end], values[end] = j, total
            degrees[i] += total
            end += 1
        pointers[i + 1] = end
    place, first = 0, np.int64(0)
    for i in range(N):
        last = pointers[i + 1]
        for k in range(first, last):
            if not values[k] < least_p * min(degrees[i], degrees[columns[k]]):
                columns[place], values[place] = columns[k], values[k]
                kept += values[k]
                place += 1
        pointers[i + 1], first = place, last
    for k in range(place):
        values[k] /= kept
