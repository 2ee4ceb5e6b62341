"""The nearest neighbors of each object, exactly, also where a search rounds or objects are identical.

scikit-learn proposes candidates, or, where some neighbors may be missed, `neighbor_lists` does; distances that are
summed from differences decide (`mathematics.distances`). Where more objects are identical than neighbors are wanted,
those are known without a search (`mathematics.coincident`).
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, pairwise
from typing import Any

import numpy as np

from notebook_sne.engine.checks.arrays import Array, Floats, Ints
from notebook_sne.engine.checks.numbers import is_sparse
from notebook_sne.engine.machine.parallel import limit_libraries, number_of_threads

__all__ = ["Approximate", "nearest_neighbors", "when_searching"]

# The search below rounds; among so many more candidates, the exact distances decide.
_SPARE = 8
# Objects whose neighbors are searched at a time: the arrays between the search and P then take some 50 MB.
_ROWS = 32_768
_LEVEL_ROWS = 64  # objects whose distances to all others are held at a time: 36 MB at 70,000 objects
# From this many objects in a call per thread, scikit-learn divides these among its threads, and not the candidates.
# Only then its order, and so its choice among equally near ones, does not depend on the number of threads.
_ROWS_PER_THREAD = 1024
# Objects whose neighbors are sought among all, to choose how many lists to search, and as many to measure the recall:
# among 90 neighbors each, its standard error is about 0.002.
_SAMPLE = 300
_SHORT = 0.02  # of the recall that is wanted: more than a sample of so many objects errs by


_listening = threading.local()


@contextmanager
def when_searching(tell: Callable[[int, int], None]) -> Iterator[None]:
    """Call ``tell(n, N)`` whenever, inside the block and in its thread, the neighbors of n of N objects are known."""
    before = getattr(_listening, "tell", None)
    _listening.tell = tell
    try:
        yield
    finally:
        _listening.tell = before


class Approximate:
    """How well neighbors are to be found, and, once they have been, how well they were.

    `wanted` is the share of the true neighbors that is to be found; `recall` the share of the true neighbors, or of
    others that are as near, that was found, on a sample of 300 objects.
    """

    def __init__(self, wanted: float) -> None:
        self.wanted, self.recall = wanted, 1.0


def nearest_neighbors(
    X: Any, n: int, equal: Any, approximate: Approximate | None = None
) -> Iterator[tuple[Ints, Array, Floats]]:
    """Yield some objects, the n nearest neighbors of each in rising order, and the squared distances of these.

    X, float64 or CSR of shape (N, n_features), are the objects, with unit spread; they may be moved. 1 < n < N, and an
    object is never its own neighbor. Squared distances that differ by less than the fraction `equal` count as equal.
    `approximate` says how many neighbors are to be found at least, and at the end is told how many were; left out, all
    are.

    Each time come objects that weren't yielded before, in the end all, shape (R,); their neighbors, int32 of shape
    (R, n); and the squared distances, float64 of that shape. Where more than n are nearest, all at one distance,
    different objects have different ones.
    """
    from sklearn.neighbors import NearestNeighbors
    from threadpoolctl import ThreadpoolController

    from notebook_sne.engine.mathematics.coincident import Coincident

    if is_sparse(X):
        from notebook_sne.affinities.sparse_distances import nearest_among, nearest_of_all

        rows = [slice(first, last) for first, last in pairwise(X.indptr)]
        same = Coincident([np.concatenate([X.indices[row], X.data[row]]) for row in rows], n)
    else:
        from notebook_sne.engine.mathematics.distances import nearest_among, nearest_of_all

        norms = np.sqrt(np.einsum("ij,ij->i", X, X))
        far = norms > 1e3 * np.median(norms)
        if far.any():  # a few far objects move the mean away from all others, whose differences would be rounded off
            X -= np.median(X[~far], axis=0)
        same = Coincident(X, n)
    asking, asked, known = np.arange(X.shape[0]), None, X
    if same.groups:
        asking, asked = same.outside(), same.enough(1 + _SPARE)
        known = X[asked]
    for g, members in enumerate(same.groups):
        neighbors = same.neighbors(g)
        for start in range(0, len(members), _ROWS):
            part = slice(start, start + _ROWS)
            yield members[part], neighbors[part], np.zeros(neighbors[part].shape)
    search = NearestNeighbors(n_neighbors=min(n + 1 + _SPARE, known.shape[0]), algorithm="brute").fit(known)
    libraries = ThreadpoolController()
    allowed: dict[str, int] = {}
    for library in libraries.info():  # of several of a kind one may be built for a single thread
        kind = library["user_api"]
        allowed[kind] = max(allowed.get(kind, 0), library["num_threads"])

    def exactly(who: Ints, block: Array) -> tuple[Ints, Floats]:
        most = max(1, min(number_of_threads(), (len(who) - 1) // _ROWS_PER_THREAD))
        with limit_libraries({name: min(most, number) for name, number in allowed.items()}):
            candidates = search.kneighbors(block, return_distance=False)
        if asked is not None:
            candidates = asked[candidates]
        neighbors, D, sure = nearest_among(X, who, candidates, n)
        if not sure.all():
            neighbors[~sure], D[~sure] = nearest_of_all(X, who[~sure], n)
        return neighbors, D

    found = None
    if approximate is not None and len(asking):
        found = _by_lists(X, n, equal, known, asking, asked, same.groups, exactly, approximate)
    if found is None:
        found = (
            # Blocks are views, where they can be.
            (who, *exactly(who, X[start : start + _ROWS] if asked is None else X[who]))
            for start in range(0, len(asking), _ROWS)
            for who in [asking[start : start + _ROWS]]
        )
    start = 0
    for who, neighbors, D in found:
        if same.groups:
            same.take_turns(neighbors, D, np.arange(start, start + len(who)))
        # Where all that were found are equally near there may be more such; for identical ones that is done above.
        groups = same.group[neighbors]
        alike = (groups[:, 0] >= 0) & (groups == groups[:, :1]).all(axis=1)
        level = np.flatnonzero((D.max(axis=1) <= D.min(axis=1) * (1 + equal)) & ~alike)
        for first in range(0, len(level), _LEVEL_ROWS):
            r = level[first : first + _LEVEL_ROWS]
            neighbors[r], D[r] = _some_of_the_nearest(X, who[r], n, equal)
        yield who, neighbors, D
        start += len(who)
        if (tell := getattr(_listening, "tell", None)) is not None:
            tell(X.shape[0] - len(asking) + start, X.shape[0])


def _by_lists(
    X: Array,
    n: int,
    equal: Any,
    known: Array,
    asking: Ints,
    asked: Ints | None,
    groups: Sequence[Ints],
    exactly: Callable[[Ints, Array], tuple[Ints, Floats]],
    approximate: Approximate,
) -> Iterator[tuple[Ints, Ints, Floats]] | None:
    """Return an iterator over objects, neighbors and squared distances by lists, or None where all are as quick.

    `known`, X or the rows `asked` of it, is searched, for the neighbors of the objects `asking`; of identical objects,
    which stand in `groups`, only some are known.
    """
    from notebook_sne.affinities.neighbor_lists import Lists
    from notebook_sne.engine.mathematics.distances import nearest_among, nearest_of_all

    lists = Lists(known)
    places = asking if asked is None else np.searchsorted(asked, asking)  # in `known`
    inside = np.flatnonzero(~lists.far[places])
    # By another seed than that of the lists, whose first centers are no fair sample.
    sample = inside[np.random.RandomState(1).permutation(len(inside))[: 2 * _SAMPLE]]
    first, second = np.sort(sample[:_SAMPLE]), np.sort(sample[_SAMPLE:])
    true, _ = exactly(asking[first], X[asking[first]])
    if asked is None:
        list_of = lists.list_of
    else:
        list_of = np.full(len(X), -1)
        list_of[asked] = lists.list_of
        for members in groups:
            list_of[members] = list_of[members[0]]
    n_probes = lists.probes(places[first], list_of[true], approximate.wanted)
    if n_probes is None:
        return None
    object_of = np.empty(len(known), np.int64)
    object_of[places] = asking

    def found(rows: Ints) -> Iterator[tuple[Ints, Ints, Floats]]:
        for some, candidates in lists.candidates(rows, n_probes, n + 1 + _SPARE):
            who = object_of[some]
            neighbors, D = np.empty((len(who), n), np.int32), np.empty((len(who), n))
            enough = (candidates >= 0).all(axis=1)
            listed = candidates[enough] if asked is None else asked[candidates[enough]]
            neighbors[enough], D[enough], _ = nearest_among(X, who[enough], listed, n)
            if not enough.all():
                neighbors[~enough], D[~enough] = nearest_of_all(X, who[~enough], n)
            yield who, neighbors, D

    farthest = np.zeros(len(X))  # of the true neighbors
    farthest[asking[second]] = exactly(asking[second], X[asking[second]])[1].max(axis=1) * (1 + equal)
    hits = [D <= farthest[who, None] for who, _, D in found(places[second])]
    recall = float(np.concatenate(hits).mean())
    if recall < approximate.wanted - _SHORT:  # distances so small beside others that single precision has none of them
        return None
    approximate.recall = recall
    far = asking[lists.far[places]]
    return chain([(far, *nearest_of_all(X, far, n))] if len(far) else [], found(places[inside]))


def _some_of_the_nearest(X: Array, rows: Ints, n: int, equal: Any) -> tuple[Ints, Floats]:
    """Return n of the nearest objects of each object of `rows`, in rising order, and their squared distances.

    Where more are equally near, different objects have different ones of them, as among identical objects.
    """
    from notebook_sne.engine.mathematics.coincident import shapeless

    if is_sparse(X):
        from notebook_sne.affinities.sparse_distances import squares_between
    else:
        from notebook_sne.engine.mathematics.neighbors import squares_between
    neighbors, D = np.empty((len(rows), n), np.int32), squares_between(X[rows], X)
    D[np.arange(len(rows)), rows] = np.inf
    for r, i in enumerate(rows):
        ties = np.flatnonzero(D[r] <= D[r].min() * (1 + equal))
        if len(ties) < n:  # equal but for one more rounding
            ties = np.argsort(D[r], kind="stable")[:n]
        neighbors[r] = np.sort(ties[(np.searchsorted(ties, i) + shapeless(len(ties), n)) % len(ties)])
    return neighbors, np.take_along_axis(D, neighbors.astype(np.int64), axis=1)
