"""The graph of UMAP, against its definition object by object, and its hard cases."""

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import brentq

import notebook_sne as ns
from notebook_sne.affinities import fuzzy


def by_definition(X, k):
    """mu by [McInnes2018, algorithm 3], one object at a time."""
    N = len(X)
    A = np.zeros((N, N))
    for i in range(N):
        r = np.linalg.norm(X - X[i], axis=1)
        near = [j for j in np.argsort(r, kind="stable") if j != i][: k - 1]
        apart = r[near]
        rho = apart[apart > 0].min() if (apart > 0).any() else 0.0
        beyond = np.maximum(apart - rho, 0.0)
        sigma = brentq(lambda s, beyond=beyond: np.exp(-beyond / s).sum() - np.log2(k), 1e-6, 1e6, xtol=1e-13)
        A[i, near] = np.exp(-beyond / sigma)
    return A + A.T - A * A.T


@pytest.mark.parametrize("k", [3, 5, 15])
def test_the_graph_is_that_of_its_definition(k):
    X = np.random.default_rng(0).normal(size=(60, 4))
    mu, recall = fuzzy.of_vectors(X.copy(), k)
    np.testing.assert_allclose(mu.toarray(), by_definition(X, k), atol=1e-8)
    assert recall == 1.0
    P = ns.affinities.umap(X, k)
    np.testing.assert_allclose(P.toarray(), (mu / mu.sum()).toarray(), rtol=1e-12)


def test_the_rows_of_weights_sum_to_log2_of_k():
    R = np.sort(np.random.default_rng(1).random((50, 14)), axis=1) + 0.1
    A = fuzzy.smooth_weights(R, np.log2(15))
    np.testing.assert_allclose(A.sum(axis=1), np.log2(15), rtol=1e-9)
    np.testing.assert_array_equal(A[:, 0], 1.0)


@pytest.mark.parametrize("unit", [1e-305, 1e300])
def test_the_weights_do_not_depend_on_the_unit(unit):
    R = np.array([[1.0, 2.0, 4.0, 5.0, np.inf], [0.0, 0.0, 3.0, 3.5, 7.0], [0.0, 0.0, 0.0, 0.0, 0.0]])
    wanted, there = fuzzy.smooth_weights(R, np.log2(6)), fuzzy.smooth_weights(unit * R, np.log2(6))
    np.testing.assert_allclose(there, wanted, rtol=1e-9)
    assert wanted[0, 0] == 1.0 and wanted[0, 4] == 0.0 and (wanted[2] == 1.0).all()
    assert wanted[0].sum() == pytest.approx(np.log2(6))


def test_the_unit_of_distances_does_not_matter():
    X = np.random.default_rng(2).normal(size=(40, 3))
    one, other = ns.affinities.umap(X, 5), ns.affinities.umap(1e-150 * X, 5)
    np.testing.assert_allclose(one.toarray(), other.toarray(), atol=1e-9)


@pytest.mark.parametrize("input", ["distances", "neighbors", "sparse"])
def test_distances_neighbors_and_sparse_vectors_give_the_graph_of_the_vectors(input):
    X = np.random.default_rng(3).normal(size=(40, 3))
    D = np.linalg.norm(X[:, None] - X, axis=2)
    near = np.argsort(D, axis=1)[:, 1:9]
    graph = sparse.csr_array((np.take_along_axis(D, near, 1).ravel(), near.ravel(), np.arange(0, 321, 8)), (40, 40))
    given = {"distances": D, "neighbors": graph, "sparse": sparse.csr_array(X)}[input]
    kind = "vectors" if input == "sparse" else input
    model = ns.UMAP(n_neighbors=6, input=kind, init="random", random_state=0, max_iter=1).fit(given)
    np.testing.assert_allclose(model.affinities_.toarray(), ns.affinities.umap(X, 6).toarray(), atol=1e-9)


def test_identical_objects_choose_each_other_with_weight_one():
    X = np.repeat(np.random.default_rng(4).normal(size=(12, 3)), 3, axis=0)
    P = ns.affinities.umap(X, 6).toarray()
    assert np.isfinite(P).all()
    assert P[0, 1] == P[0, 2] == P.max()


def test_objects_in_one_place_but_for_a_few_have_weights():
    X = np.vstack([np.zeros((30, 2)), np.random.default_rng(5).normal(size=(10, 2))])
    P = ns.affinities.umap(X, 5)
    assert np.isfinite(P.data).all()
    assert (P.sum(axis=1) > 0).all()


@pytest.mark.parametrize(
    ("k", "message"),
    [(2, r"n_neighbors must be at least 3, got 2"), (2.5, r"n_neighbors must be a whole number, got 2.5")],
)
def test_a_number_of_neighbors_that_cannot_be_is_refused(k, message):
    with pytest.raises((ValueError, TypeError), match=message):
        ns.affinities.umap(np.random.default_rng(0).normal(size=(20, 3)), k)


def test_too_few_given_neighbors_are_refused():
    near = np.array([[(i + s) % 20 for s in (1, 2, 3)] for i in range(20)])
    given = near, np.ones(near.shape)
    with pytest.raises(ValueError, match=r"n_neighbors must be at most 1 more than the neighbors of each object"):
        ns.UMAP(n_neighbors=6, input="neighbors", init="random").fit(given)
    model = ns.UMAP(n_neighbors="auto", input="neighbors", init="random", random_state=0, max_iter=2)
    new = near[:2], np.ones((2, 3))
    with pytest.warns(UserWarning, match=r"n_neighbors is 4, as an object of this graph has 3 .*, and not 15") as said:
        P = model.fit(given).affinities_.toarray()
    assert len(said) == 1 and np.isfinite(model.transform(new)).all()
    assert np.array_equal(model.set_params(n_neighbors=4).fit(given).affinities_.toarray(), P)
    with pytest.raises(ValueError, match=r"n_neighbors must be at most .* each new object, got 4 with 3 neighbors"):
        model.transform(new)


def test_weights_of_a_graph_that_are_no_union_are_refused():
    G = np.triu(ns.affinities.umap(np.random.default_rng(0).normal(size=(20, 3)), 5).toarray())
    with pytest.raises(ValueError, match="symmetric"):
        ns.UMAP(input="joint").fit(2 * G)
