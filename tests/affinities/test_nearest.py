"""The neighbors of each object are the nearest; of many identical ones all are chosen as often."""

import numpy as np
import pytest
from scipy import sparse

from notebook_sne.affinities import nearest
from notebook_sne.engine.mathematics import distances


def objects(n_objects=80, n_features=5, seed=0):
    return np.random.default_rng(seed).normal(size=(n_objects, n_features))


def search(X, n, wanted=None):
    """Neighbors and squared distances, shape (N, n), and the recall that is said."""
    X = distances.unit_spread(X)
    approximate = None if wanted is None else nearest.Approximate(wanted)
    found, D, times = np.empty((len(X), n), int), np.empty((len(X), n)), np.zeros(len(X))
    for rows, neighbors, squares in nearest.nearest_neighbors(X, n, 1e-13, approximate):
        found[rows], D[rows] = neighbors, squares
        times[rows] += 1
    assert (times == 1).all()
    return found, D, approximate and approximate.recall


def neighbors_of(X, n):
    return search(X, n)[:2]


CLUSTERS = np.repeat(np.eye(3), 80, axis=0)
HARD = {
    "plain": objects(240),
    "single precision": objects(240).astype(np.float32),
    "far from the origin": objects(240) + 1e8,
    "huge": objects(240) * 1e200,
    "coincident": np.repeat(objects(8), 30, axis=0),
    "whole numbers": np.round(objects(240)),
    "two values": (objects(240, 12) > 0) * 1.0,
    "on a line": objects(240, 1),
    # Below, distances by inner products lose every digit.
    "tight clusters": 1e-9 * np.round(objects(240, 3) * 64) / 64 + 8 * CLUSTERS,
    "a far object": np.concatenate([objects(240), np.full((1, 5), 1e12)]),
    "far objects": np.concatenate([objects(240), 1e11 * objects(5)]),
}


@pytest.mark.parametrize("kind", HARD)
def test_the_neighbors_are_the_nearest_of_all(kind, monkeypatch):
    monkeypatch.setattr(nearest, "_ROWS", 100)  # in several parts
    X = np.asarray(HARD[kind], np.float64) / (1e200 if kind == "huge" else 1)
    D = np.square(X[:, None] - X[None]).sum(axis=2)
    np.fill_diagonal(D, np.inf)
    indices, _ = neighbors_of(HARD[kind], 20)
    assert (np.diff(indices, axis=1) > 0).all() and not (indices == np.arange(len(X))[:, None]).any()
    # Equals may stand for each other; so the distances are compared. The common offset costs 1e-16 of itself.
    rtol = {"tight clusters": 1e-5, "far from the origin": 1e-6, "single precision": 1e-6, "a far object": 1e-3}
    np.testing.assert_allclose(
        np.sort(np.take_along_axis(D, indices, axis=1)), np.sort(D)[:, :20], rtol=rtol.get(kind, 1e-12)
    )


def crowd(n_same=400, n_others=200, seed=0):
    """Many copies of one object among others, in any order, and which are the copies."""
    X = objects(n_others + n_same, seed=seed)
    same = np.sort(np.random.default_rng(seed).permutation(len(X))[:n_same])
    X[same] = 0.1
    return X, same


@pytest.mark.parametrize("n_same", [10, 11, 12, 20, 400])
def test_neighbors_among_identical_objects_are_at_distance_0(n_same):
    X, same = crowd(n_same)
    indices, D = neighbors_of(X, 10)
    assert (np.diff(indices, axis=1) > 0).all() and not (indices == np.arange(len(X))[:, None]).any()
    assert np.count_nonzero(D[same]) == (n_same if n_same == 10 else 0)
    expected = np.sort(distances.squared_distances(distances.unit_spread(X)))[:, :10]
    np.testing.assert_allclose(np.sort(D), expected, rtol=1e-12)


def test_each_of_many_identical_objects_is_chosen_as_often():
    X, same = crowd()
    indices, _ = neighbors_of(X, 10)
    assert np.isin(indices[same], same).all()
    assert (np.bincount(indices[same].ravel(), minlength=len(X))[same] == 10).all()


def test_many_identical_objects_are_neither_a_thread_nor_in_pieces():
    X, same = crowd(4000)
    indices, _ = neighbors_of(X, 15)
    joined = sparse.csr_array((np.ones(indices.size), indices.ravel(), np.arange(0, indices.size + 1, 15)))[same][
        :, same
    ]
    reached = np.zeros(len(same), bool)
    reached[0] = True
    # A thread of 4000 objects, each tied to the next 15, would take 134 steps to its middle.
    for _ in range(8):
        reached |= (joined + joined.T) @ reached > 0
    assert reached.all()


def test_others_take_turns_with_many_identical_neighbors():
    X = np.concatenate([np.zeros((400, 3)), np.eye(3)[np.arange(200) % 3] + 1e-3 * objects(200, 3)])
    X[400:] *= np.arange(1, 201)[:, None] * 10.0  # so sparse that all of them have the identical ones about them
    indices, D = neighbors_of(X, 150)
    assert (np.diff(indices, axis=1) > 0).all()
    chosen = np.bincount(indices[400:].ravel(), minlength=600)[:400]
    assert chosen.sum() > 5000
    assert chosen.max() <= chosen.mean() + 0.2 * chosen.mean() + 1
    U = distances.unit_spread(X)
    np.testing.assert_allclose(D, np.square(U[:, None] - U[indices]).sum(axis=2), rtol=1e-12)


@pytest.mark.parametrize("X", [np.eye(300), np.concatenate([np.eye(300), np.zeros((1, 300))])])
def test_of_many_others_at_one_distance_all_are_chosen_about_as_often(X):
    indices, D = neighbors_of(X, 10)
    assert (np.diff(indices, axis=1) > 0).all() and not (indices == np.arange(len(X))[:, None]).any()
    expected = np.sort(distances.squared_distances(distances.unit_spread(X)))[:, :10]
    np.testing.assert_allclose(np.sort(D), expected, rtol=1e-12)
    if len(X) == 300:
        assert np.bincount(indices.ravel(), minlength=300).max() <= 20
    else:  # the last one is the nearest of all others
        assert (indices[:-1] == 300).sum(axis=1).all()


def test_many_identical_objects_are_not_compared_with_all_others(monkeypatch):
    looked_at = []
    monkeypatch.setattr(distances, "nearest_of_all", lambda X, rows, n: looked_at.append(rows))
    neighbors_of(crowd(3000)[0], 30)
    assert not looked_at


def test_minus_zero_is_zero():
    X = np.where(objects(60, 2) > 0, 0.0, -0.0)
    X[:20] = objects(20, 2)
    X[20:] *= np.where(np.arange(40) % 2, 1.0, -1.0)[:, None]
    X -= X.mean(axis=0) * 0.0
    from notebook_sne.engine.mathematics.coincident import Coincident

    assert [len(members) for members in Coincident(X, 10).groups] == [40]
