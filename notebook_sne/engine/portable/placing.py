"""One new object among the fitted ones: its row of P and its place in their map, as one compiled function.

Distances, the search for sigma and the descents are the functions that Python's `transform` calls. ``placing.wasm`` has
this function alone, so that a drawing asks for a quarter of the bytes of ``kernels.wasm``.

``place(N, n_features, X, Y, x, perplexity, least_p, student, background, d, found)`` returns the cost in nats, or NaN
if no row of P has this perplexity. X (N, n_features) are the fitted objects, Y (N, 2) their map points and x the new
object, float64 as everything; `student` is 1 for Student's t, 0 for the Gaussian with a `background`. It writes the
squared distances d, (N,), and the place `found`, (2,).
"""

import math

import numpy as np
from numba import carray, types

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.parallel import on_one_thread
from notebook_sne.engine.mathematics import out_of_sample
from notebook_sne.engine.mathematics.distances import squared_distance
from notebook_sne.engine.portable.affinities import conditional_rows_among
from notebook_sne.engine.portable.sums import WHOLE, centered, middle

__all__ = ["EXPORTS"]

_EQUAL = 1e-13  # as `perplexity.equal_share` of data in double precision
_place_rows = on_one_thread(out_of_sample.place_rows, forceinline=False)


@njit(**WHOLE)
def _place_new(X, Y, x, perplexity, least_p, student, background, d, found):
    N = X.shape[0]
    listed, near, tied = np.empty((1, N), np.int32), np.empty((1, N)), np.empty(1, np.uint8)
    pointers, columns, p = np.zeros(2, np.int64), np.empty(N, np.int32), np.empty(N)
    for j in range(N):
        listed[0, j] = j
        d[j] = near[0, j] = squared_distance(X[j], x)
    conditional_rows_among(listed, near, N, perplexity, least_p, _EQUAL, 0, 1, pointers, columns, p, tied)
    if pointers[1] == 0:
        return math.nan
    left, up = middle(Y)
    shifted, costs, place, chosen = np.empty((N, 2)), np.empty(1), np.empty((1, 2)), np.empty(N, np.int64)
    for j in range(N):
        shifted[j, 0], shifted[j, 1], chosen[j] = Y[j, 0] - left, Y[j, 1] - up, columns[j]
    log_even = math.log(background / N) if background > 0.0 else -math.inf
    _place_rows(
        0, 1, pointers, chosen, p, shifted, centered(Y), student, math.log(1.0 - background), log_even, place, costs
    )
    found[0], found[1] = place[0, 0] + left, place[0, 1] + up
    return costs[0]


def _place(N, n_features, X, Y, x, perplexity, least_p, student, background, d, found):
    return _place_new(
        carray(X, (N, n_features)), carray(Y, (N, 2)), carray(x, (n_features,)), perplexity, least_p, student != 0,
        background, carray(d, (N,)), carray(found, (2,)),
    )  # fmt: skip


_int, _real, _Reals = types.int32, types.float64, types.CPointer(types.float64)

EXPORTS = {"place": (_place, _real(_int, _int, _Reals, _Reals, _Reals, _real, _real, _int, _real, _Reals, _Reals))}
"""{name: (function, signature)} of what is compiled."""
