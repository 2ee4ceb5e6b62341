"""The table of exports: the functions that a page calls, with their arguments.

Every pointer is a number of bytes from the beginning of the exported ``memory``. Whole numbers have 32 bits, reals 64.
E is the number of stored pairs:

================== ==================================================================================================
``distances``      (N, n_features, X, first, last, D): the squared distances of pairs i < j, i from `first` to `last`,
                   at both of their places; D (N, N) is complete when all i are done
``of_distances``   (N, D, perplexity, least_p, equal, first, last, capacity, pointers, columns, values, tied) -> the
                   first row that wasn't made: rows of a conditional P, from `first` to `last`, a slice at a time;
                   pointers[0] is 0. It is a row below `last` if that row might need more than `capacity` entries: then
                   continue from there with larger columns and values.
``nearest``        (N, n_features, X, K, first, last, neighbors, near): the K < N nearest objects of some
``of_neighbors``   (N, K, neighbors, near, n_neighbors, perplexity, least_p, equal, first, last, capacity, pointers,
                   columns, values, tied) -> the same as `of_distances`, over the n_neighbors <= K nearest of them
``closest``        (N, K, neighbors, near, n, first, last, chosen, R): the n nearest of these K for some objects, and
                   their distances, not squared. With K = N, `near` is D, and `neighbors` isn't read.
``smooth``         (N, n, R, total, first, last, A): UMAP's weights of some objects' neighbors, which sum to `total`
``fuzzy_union``    (N, n, chosen, A, least_p, capacity, pointers, columns, values): UMAP's joint P, the union of the
                   weights over its sum; `capacity` is 2 N n
``fitted_kernel``  (min_dist, spread, into): write a and b of UMAP's kernel into (2,); min_dist is at most spread
``symmetric_size`` (N, pointers, columns, values) -> how many entries P + P.T has
``symmetrize``     (N, pointers, columns, values, scale, new_pointers, new_columns, strengths): scale (P + P.T). Of a
                   conditional P: scale 1 for SNE, 1 / (2 N) for the joint P, 1 / N for the elastic embedding.
``negentropy``     (E, values) -> sum p log p
``springs``        (model, N, pointers, columns, values, Y, i, settings, pull, push, p, q): the springs on object i,
                   each (N,), of the P of the model, conditional or joint
``costs``          (model, N, pointers, columns, values, Y, settings, shares): each object's share of the cost, (N,)
``allocate``       (bytes) -> pointer, a multiple of 64. The memory grows if it must, so make views of it anew; if it
                   can't, this traps.
``release``        (pointer). Room comes back once all that was allocated later has been released too.
``evaluate``       (model, N, pointers, columns, strengths, negentropy, Y, settings, gradient, numbers): write the
                   gradient, as Y, and into numbers, (4,), objective and cost.
``begin``          (model, N, pointers, columns, strengths, negentropy, settings, held, forget, state, numbers) -> 1 if
                   the objective is finite. forget = 2 forgets all, at the start and under another model; 1 forgets
                   best place and halvings, after a drag, a pin, a new P or a knob that changes the objective; 0
                   forgets nothing, to continue from a saved state.
``step``           (model, N, pointers, columns, strengths, negentropy, settings, held, seed, iteration, state,
                   numbers) -> 0 moved, 1 went back to its best place, 2 diverged: nothing has changed.
``copies_begin``   (model, N, settings, state, reals, whole): begin a round of copy moves of several maps, in the place
                   of an update
``copies_some``    (model, N, pointers, columns, strengths, settings, first, last, reals, whole): find the moves of the
                   objects from `first` to `last`
``copies_end``     (model, N, pointers, columns, strengths, negentropy, settings, held, reals, whole, state, numbers) ->
                   how many copies were moved; 0: nothing has changed, and an update is to be made.
``add_noise``      (n_seeds, seeds, sd, n, values): add ``sd * default_rng(seeds).standard_normal((n, 2))``.
================== ==================================================================================================

=============== ======== ==========================================================================================
model                    0 SNE, 1 UNI-SNE (and symmetric SNE, at background 0), 2 t-SNE, 3 elastic embedding, 4 UMAP;
                         5 aspect maps, 6 joint ones, 7 multiple maps t-SNE, all with free proportions
pointers        int64    (N + 1,): row i of a sparse matrix has the places pointers[i] to pointers[i + 1]
columns         int32    (E,): the objects of these places, rising in each row
strengths       float64  (E,): P + P.T of SNE; the joint P of UNI-SNE, t-SNE and UMAP; twice that of the elastic
                         embedding; P + P.T of several maps
negentropy      float64  sum p log p over P, 0 of the elastic embedding and UMAP
Y               float64  (N, 2); of M maps (R, 2), R = ceil(3 M N / 2): the points of one map after the other, then
                         the M N weights in the same order
settings        float64  (18,), as described in `evaluation.SETTINGS`
held            uint8    (N,), of several maps (M N,): 1 for a point that is pinned
state           float64  (5, N, 2), of several maps (5, R, 2), as `descent.STATE` says: the first layer are the
                         positions
numbers         float64  (4,), as `descent.NUMBERS` says
reals           float64  (6 M N + 3 N,): what a round keeps between its calls, as `copies.room` says
whole           int64    (2 M N + M + N,): the same
seeds           uint32   (n_seeds,), at most four
X               float64  (N, n_features), with unit spread (`mathematics.distances.unit_spread`)
D               float64  (N, N), squared distances; the diagonal isn't read
neighbors       int32    (N, K), the nearest objects of each, in rising order
near            float64  (N, K), their squared distances
chosen          int32    (N, n), the n nearest objects of each, in rising order; R and A, float64, are theirs
equal           number   `mathematics.perplexity.equal_share`: 1e-13, or 1e-6 of data in single precision
tied            uint8    (N,): 1 for more nearest neighbors than the perplexity, 2 for too few in all
values          float64  (E,): P itself
=============== ======== ==========================================================================================
"""

import numpy as np
from numba import carray, types

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.mathematics.umap_kernel import fitted_kernel
from notebook_sne.engine.portable import affinities, copies, descent, evaluation, fuzzy, noise, seen
from notebook_sne.engine.portable.sums import WHOLE

__all__ = ["EXPORTS"]

_int, _real = types.int32, types.float64
_Reals, _Pointers, _Columns, _Bytes, _Words = (
    types.CPointer(kind) for kind in (types.float64, types.int64, types.int32, types.uint8, types.uint32)
)
_PAIRS = (_Pointers, _Columns, _Reals)

_N_SETTINGS, _N_NUMBERS, _N_STATE = len(evaluation.SETTINGS), len(descent.NUMBERS), len(descent.STATE)


@njit(**WHOLE)
def _sizes(model, N, settings):
    """Return how many points there are, and how many rows hold them and their weights."""
    if model < evaluation.ASPECTS:
        return N, N
    n = N * int(settings[evaluation.N_MAPS])
    return n, n + (n + 1) // 2


def _evaluate(model, N, pointers, columns, strengths, negentropy, Y, settings, gradient, numbers):
    rows, given, found = carray(pointers, (N + 1,)), carray(settings, (_N_SETTINGS,)), carray(numbers, (_N_NUMBERS,))
    E, (_, R) = rows[N], _sizes(model, N, given)
    found[0], found[1] = evaluation.evaluate(
        model, rows, carray(columns, (E,)), carray(strengths, (E,)), negentropy,
        carray(Y, (R, 2)), given, carray(gradient, (R, 2)),
    )  # fmt: skip


def _begin(model, N, pointers, columns, strengths, negentropy, settings, held, forget, state, numbers):
    rows, given, found = carray(pointers, (N + 1,)), carray(settings, (_N_SETTINGS,)), carray(numbers, (_N_NUMBERS,))
    E, (n, R) = rows[N], _sizes(model, N, given)
    return descent.begin(
        model, rows, carray(columns, (E,)), carray(strengths, (E,)), negentropy, given, carray(held, (n,)), forget,
        carray(state, (_N_STATE, R, 2)), found,
    )  # fmt: skip


def _step(model, N, pointers, columns, strengths, negentropy, settings, held, seed, iteration, state, numbers):
    rows, given, found = carray(pointers, (N + 1,)), carray(settings, (_N_SETTINGS,)), carray(numbers, (_N_NUMBERS,))
    E, (n, R) = rows[N], _sizes(model, N, given)
    return descent.step(
        model, rows, carray(columns, (E,)), carray(strengths, (E,)), negentropy, given, carray(held, (n,)),
        np.int64(np.uint32(seed)), iteration, carray(state, (_N_STATE, R, 2)), found,
    )  # fmt: skip


@njit(**WHOLE)
def _kept(N, settings, reals, whole):
    """Return the number of maps, and what is kept of a round."""
    M = int(settings[evaluation.N_MAPS])
    n_reals, n_whole = copies.room(M, np.int64(N))
    return M, carray(reals, (n_reals,)), carray(whole, (n_whole,))


def _copies_begin(model, N, settings, state, reals, whole):
    given = carray(settings, (_N_SETTINGS,))
    M, real, integer = _kept(N, given, reals, whole)
    _, R = _sizes(model, N, given)
    student = model == evaluation.MULTIPLE_MAPS
    copies.prepare(carray(state, (_N_STATE, R, 2))[0], M, np.int64(N), student, real, integer)


def _copies_some(model, N, pointers, columns, strengths, settings, first, last, reals, whole):
    rows, given = carray(pointers, (N + 1,)), carray(settings, (_N_SETTINGS,))
    E = rows[N]
    M, real, integer = _kept(N, given, reals, whole)
    copies.search_some(
        first, last, rows, carray(columns, (E,)), carray(strengths, (E,)), M, model != evaluation.ASPECTS,
        model == evaluation.MULTIPLE_MAPS, given[evaluation.PENALTY], real, integer,
    )  # fmt: skip


def _copies_end(
    model, N, pointers, columns, strengths, negentropy, settings, held, reals, whole, state, numbers
):  # fmt: skip
    rows, given, found = carray(pointers, (N + 1,)), carray(settings, (_N_SETTINGS,)), carray(numbers, (_N_NUMBERS,))
    E, (n, R) = rows[N], _sizes(model, N, given)
    _, real, integer = _kept(N, given, reals, whole)
    return descent.copies(
        model, rows, carray(columns, (E,)), carray(strengths, (E,)), negentropy, given, carray(held, (n,)), real,
        integer, carray(state, (_N_STATE, R, 2)), found,
    )  # fmt: skip


def _add_noise(n_seeds, seeds, sd, n, values):
    words, given = np.empty(n_seeds, np.int64), carray(seeds, (n_seeds,))
    for k in range(n_seeds):
        words[k] = given[k]
    noise.add_noise(words, sd, carray(values, (n, 2)))


def _distances(N, n_features, X, first, last, D):
    affinities.distance_rows(carray(X, (N, n_features)), first, last, carray(D, (N, N)))


def _of_distances(N, D, perplexity, least_p, equal, first, last, capacity, pointers, columns, values, tied):
    return affinities.conditional_rows(
        carray(D, (N, N)), perplexity, least_p, equal, first, last, carray(pointers, (N + 1,)),
        carray(columns, (capacity,)), carray(values, (capacity,)), carray(tied, (N,)),
    )  # fmt: skip


def _nearest(N, n_features, X, K, first, last, neighbors, near):
    affinities.nearest_rows(
        carray(X, (N, n_features)), first, last, carray(neighbors, (N, K)), carray(near, (N, K))
    )  # fmt: skip


def _of_neighbors(
    N, K, neighbors, near, n_neighbors, perplexity, least_p, equal, first, last, capacity, pointers, columns, values,
    tied,
):  # fmt: skip
    return affinities.conditional_rows_among(
        carray(neighbors, (N, K)), carray(near, (N, K)), n_neighbors, perplexity, least_p, equal, first, last,
        carray(pointers, (N + 1,)), carray(columns, (capacity,)), carray(values, (capacity,)), carray(tied, (N,)),
    )  # fmt: skip


def _closest(N, K, neighbors, near, n, first, last, chosen, R):
    fuzzy.closest_rows(
        carray(neighbors, (N, K)), carray(near, (N, K)), first, last, carray(chosen, (N, n)), carray(R, (N, n))
    )  # fmt: skip


def _smooth(N, n, R, total, first, last, A):
    fuzzy.smooth_weights(carray(R, (N, n)), total, first, last, carray(A, (N, n)))


def _fuzzy_union(N, n, chosen, A, least_p, capacity, pointers, columns, values):
    fuzzy.fuzzy_union(
        carray(chosen, (N, n)), carray(A, (N, n)), least_p, carray(pointers, (N + 1,)), carray(columns, (capacity,)),
        carray(values, (capacity,)),
    )  # fmt: skip


def _fitted_kernel(min_dist, spread, into):
    found = carray(into, (2,))
    found[0], found[1] = fitted_kernel(min_dist, spread)


def _symmetric_size(N, pointers, columns, values):
    rows = carray(pointers, (N + 1,))
    E = rows[N]
    return affinities.symmetric_size(rows, carray(columns, (E,)), carray(values, (E,)))


def _symmetrize(N, pointers, columns, values, scale, new_pointers, new_columns, strengths):
    rows = carray(pointers, (N + 1,))
    E = rows[N]
    most = 2 * E  # more than there are
    affinities.symmetrize(
        rows, carray(columns, (E,)), carray(values, (E,)), scale, carray(new_pointers, (N + 1,)),
        carray(new_columns, (most,)), carray(strengths, (most,)),
    )  # fmt: skip


def _negentropy(E, values):
    return affinities.negentropy(carray(values, (E,)))


def _springs(model, N, pointers, columns, values, Y, i, settings, pull, push, p, q):
    rows = carray(pointers, (N + 1,))
    E = rows[N]
    seen.springs(
        model, rows, carray(columns, (E,)), carray(values, (E,)), carray(Y, (N, 2)), i,
        carray(settings, (_N_SETTINGS,)), carray(pull, (N,)), carray(push, (N,)), carray(p, (N,)), carray(q, (N,)),
    )  # fmt: skip


def _costs(model, N, pointers, columns, values, Y, settings, shares):
    rows = carray(pointers, (N + 1,))
    E = rows[N]
    seen.costs(
        model, rows, carray(columns, (E,)), carray(values, (E,)), carray(Y, (N, 2)), carray(settings, (_N_SETTINGS,)),
        carray(shares, (N,)),
    )  # fmt: skip


_ROWS = (_real, _real, _real, _int, _int, _int, _Pointers, _Columns, _Reals, _Bytes)

EXPORTS = {
    "distances": (_distances, types.void(_int, _int, _Reals, _int, _int, _Reals)),
    "of_distances": (_of_distances, _int(_int, _Reals, *_ROWS)),
    "nearest": (_nearest, types.void(_int, _int, _Reals, _int, _int, _int, _Columns, _Reals)),
    "of_neighbors": (_of_neighbors, _int(_int, _int, _Columns, _Reals, _int, *_ROWS)),
    "closest": (_closest, types.void(_int, _int, _Columns, _Reals, _int, _int, _int, _Columns, _Reals)),
    "smooth": (_smooth, types.void(_int, _int, _Reals, _real, _int, _int, _Reals)),
    "fuzzy_union": (_fuzzy_union, types.void(_int, _int, _Columns, _Reals, _real, _int, *_PAIRS)),
    "fitted_kernel": (_fitted_kernel, types.void(_real, _real, _Reals)),
    "symmetric_size": (_symmetric_size, _int(_int, *_PAIRS)),
    "symmetrize": (_symmetrize, types.void(_int, *_PAIRS, _real, *_PAIRS)),
    "negentropy": (_negentropy, _real(_int, _Reals)),
    "evaluate": (_evaluate, types.void(_int, _int, *_PAIRS, _real, _Reals, _Reals, _Reals, _Reals)),
    "begin": (_begin, _int(_int, _int, *_PAIRS, _real, _Reals, _Bytes, _int, _Reals, _Reals)),
    "step": (_step, _int(_int, _int, *_PAIRS, _real, _Reals, _Bytes, _int, _int, _Reals, _Reals)),
    "copies_begin": (_copies_begin, types.void(_int, _int, _Reals, _Reals, _Reals, _Pointers)),
    "copies_some": (_copies_some, types.void(_int, _int, *_PAIRS, _Reals, _int, _int, _Reals, _Pointers)),
    "copies_end": (_copies_end, _int(_int, _int, *_PAIRS, _real, _Reals, _Bytes, _Reals, _Pointers, _Reals, _Reals)),
    "springs": (_springs, types.void(_int, _int, *_PAIRS, _Reals, _int, _Reals, _Reals, _Reals, _Reals, _Reals)),
    "costs": (_costs, types.void(_int, _int, *_PAIRS, _Reals, _Reals, _Reals)),
    "add_noise": (_add_noise, types.void(_int, _Words, _real, _int, _Reals)),
}
"""{name: (function, signature)} of what is compiled; `allocate` and `release` are written out in the build."""
