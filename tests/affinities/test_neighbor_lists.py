"""Neighbors by lists: as many as were wanted, as many as is said, and the same for any number of threads."""

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.affinities import nearest, neighbor_lists
from notebook_sne.engine.fitting import inputs
from notebook_sne.engine.machine.parallel import threads
from notebook_sne.engine.mathematics.distances import unit_spread
from tests.affinities.test_nearest import search
from tests.tables import in_one_test

N = 4000


def clusters(n_objects=N, n_features=10, seed=0):
    """Clusters of very different width and size."""
    rng = np.random.default_rng(seed)
    centers, widths = 5 * rng.normal(size=(30, n_features)), 10 ** rng.uniform(-3, 0, size=30)
    k = rng.choice(30, n_objects, p=rng.dirichlet(np.ones(30)))
    return centers[k] + widths[k][:, None] * rng.normal(size=(n_objects, n_features))


def recall_of(D, exact):
    """Share of neighbors that are as near as the true ones."""
    return np.mean(D <= exact.max(axis=1, keepdims=True) * (1 + 1e-9))


HARD = {
    "clusters": clusters(),
    "in a plane": np.random.default_rng(0).random((N, 2)),
    "single precision": clusters().astype(np.float32),
    # From the middle of the data, differences of single precision would lose every digit of the smaller distances.
    "tight clusters": 1e-5 * np.random.default_rng(0).normal(size=(N, 3)) + np.repeat(np.eye(3), 1334, axis=0)[:N],
    "far objects": np.concatenate([clusters(N - 3), 1e9 * np.random.default_rng(0).normal(size=(3, 10))]),
    "identical objects": np.concatenate([clusters(N - 900), np.zeros((500, 10)), np.ones((400, 10))]),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", HARD)
def test_as_many_neighbors_are_found_as_were_wanted_and_as_many_as_is_said(kind):
    found, D, said = search(HARD[kind], 20, 0.95)
    assert (np.diff(found, axis=1) > 0).all() and not (found == np.arange(N)[:, None]).any()
    X = unit_spread(HARD[kind])
    np.testing.assert_allclose(D, np.square(X[:, None] - X[found]).sum(axis=2), rtol=1e-6, atol=1e-30)
    there = recall_of(D, search(HARD[kind], 20)[1])
    assert there > 0.92  # 0.95, but for what a sample of 300 objects cannot tell
    assert said == pytest.approx(there, abs=0.03)


@pytest.mark.slow
def test_more_are_found_where_more_are_wanted():
    exact = search(clusters(), 20)[1]
    shares = [recall_of(search(clusters(), 20, wanted)[1], exact) for wanted in (0.6, 0.9, 0.99)]
    assert shares[0] < shares[1] < shares[2] < 1 and shares[2] > 0.97


def test_among_objects_without_clusters_in_many_dimensions_all_are_found():
    X = np.random.default_rng(0).normal(size=(N, 60))
    found, D, said = search(X, 20, 0.99)
    exact = search(X, 20)
    assert np.array_equal(found, exact[0]) and np.array_equal(D, exact[1]) and said == 1.0


@pytest.mark.slow
def test_the_number_of_threads_does_not_change_a_bit():
    X = clusters(9000)  # several blocks
    with threads(1):
        one = search(X, 20, 0.95)
    with threads(2):
        two = search(X, 20, 0.95)
    assert np.array_equal(one[0], two[0]) and np.array_equal(one[1], two[1]) and one[2] == two[2]


def test_a_list_that_stays_empty_begins_anew():
    # All but a few objects in one place: most of the first centers are the same.
    Z = np.zeros((500, 2), np.float32)
    Z[:20] = np.random.default_rng(0).normal(size=(20, 2))
    centers = neighbor_lists._centers(Z[np.random.default_rng(1).permutation(500)], 12)
    assert np.isfinite(centers).all() and len(np.unique(centers, axis=0)) > 3
    # The first objects, at which all centers begin, are the same: without others they would hold one list for ever.
    Z = np.random.default_rng(2).normal(size=(500, 2)).astype(np.float32)
    Z[:12] = 5.0
    assert len(np.unique(neighbor_lists._nearest_centers(Z, neighbor_lists._centers(Z, 12)))) >= 10


def test_more_lists_than_different_objects_are_no_error():
    X = np.repeat(clusters(40), 100, axis=0)[:N] + 0.0
    _, D, said = search(X, 150, 0.9)
    assert said == 1.0 and recall_of(D, search(X, 150)[1]) == 1.0


def quick(**options):
    return ns.SymmetricSNE(perplexity=10, max_iter=1, random_state=0, progress=False, **options)


@pytest.mark.slow
def test_a_model_takes_approximate_neighbors_from_its_size_on(monkeypatch):
    X = clusters()
    exact = quick().fit(X)
    assert exact.neighbor_recall_ == 1.0
    monkeypatch.setattr(inputs, "MOST_EXACT_OBJECTS", N - 1)
    fitted, kept = quick().fit(X), quick(neighbors="exact").fit(X)
    assert 0.97 < fitted.neighbor_recall_ < 1.0 and kept.neighbor_recall_ == 1.0
    for name in ("data", "indices", "indptr"):
        assert np.array_equal(getattr(kept.affinities_, name), getattr(exact.affinities_, name))
    assert abs(fitted.affinities_ - exact.affinities_).sum() < 0.03


def test_a_model_takes_the_recall_that_it_is_given():
    fitted = quick(neighbors=0.8).fit(clusters())
    assert 0.75 < fitted.neighbor_recall_ < 0.95


@in_one_test("wrong", ["fast", 90, 0.3, 1.0, None, True, np.ones(3), float("nan")])
def test_neighbors_that_are_no_share_are_refused(wrong):
    with pytest.raises(ValueError, match="neighbors must be 'auto', 'exact' or the share of them to be found") as told:
        quick(neighbors=wrong).fit(clusters(100))
    assert "follows from the perplexity" in str(told.value)


@pytest.mark.parametrize("wanted", [None, 0.9])
def test_a_search_tells_of_how_many_objects_the_neighbors_are_known(wanted, monkeypatch):
    monkeypatch.setattr(nearest, "_ROWS", 1000)
    monkeypatch.setattr(neighbor_lists, "_BLOCK", 64)
    X, told = clusters(), []
    X[:200] = X[0]  # identical ones are known without a search
    with nearest.when_searching(lambda known, all_of_them: told.append((known, all_of_them))):
        search(X, 20, wanted)
    known = [n for n, _ in told]
    assert len(told) >= 3 and known == sorted(known) and known[-1] == N and {n for _, n in told} == {N}
    search(X, 20, wanted)
    assert len(told) == len(known)  # nothing is told after the block
