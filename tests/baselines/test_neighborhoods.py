"""Isomap, LLE and Laplacian eigenmaps: their costs by definition, cases with a known answer, and graphs in parts."""

import numpy as np
import pytest
from scipy.sparse.csgraph import dijkstra
from scipy.spatial.distance import pdist, squareform

import notebook_sne as ns
from notebook_sne.baselines import LLE, ClassicalMDS, Isomap, LaplacianEigenmaps, graph_parts

GRAPHS = (Isomap, LLE, LaplacianEigenmaps)


def neighbors_of(X, k):
    D = squareform(pdist(X))
    np.fill_diagonal(D, np.inf)
    return np.argsort(D, axis=1)[:, :k], D


def arc(n=50):
    angle = np.linspace(0, 4.5, n)
    return np.column_stack([np.cos(angle), np.sin(angle)]), angle


def test_isomap_is_classical_scaling_of_the_shortest_paths():
    X = ns.datasets.load_swiss_roll(150).X
    nearest, D = neighbors_of(X, 8)
    links = np.zeros_like(D)
    rows = np.arange(150)[:, None]
    links[rows, nearest] = D[rows, nearest]
    paths = dijkstra(np.maximum(links, links.T), directed=False)
    isomap, scaled = Isomap(n_neighbors=8).fit(X), ClassicalMDS(input="distances").fit(paths)
    assert np.allclose(isomap.path_lengths_, paths)
    assert isomap.cost_ == pytest.approx(scaled.cost_, rel=1e-6)
    assert np.allclose(
        np.abs(isomap.embedding_), np.abs(scaled.embedding_), atol=1e-6 * np.abs(scaled.embedding_).max()
    )


def test_isomap_makes_an_arc_straight():
    X, angle = arc()
    isomap = Isomap(n_neighbors=2, n_components=1).fit(X)
    # Its ends have a second neighbor that is two steps away, so two chords are counted for two steps each.
    assert abs(np.corrcoef(isomap.embedding_[:, 0], angle)[0, 1]) > 0.9999
    assert isomap.residual_variance_ < 1e-3


def test_the_cost_of_lle_is_the_reconstruction_error_of_its_map():
    X = ns.datasets.load_swiss_roll(150).X
    nearest, _ = neighbors_of(X, 10)
    Y = (lle := LLE(n_neighbors=10, reg=1e-3).fit(X)).embedding_
    error = 0.0
    for i, near in enumerate(nearest):
        Z = X[near] - X[i]
        G = Z @ Z.T
        w = np.linalg.solve(G + 1e-3 * np.trace(G) * np.eye(10), np.ones(10))
        error += np.square(Y[i] - (w / w.sum()) @ Y[near]).sum()
    assert lle.cost_ == pytest.approx(error, rel=1e-6)
    assert np.allclose(Y.T @ Y / 150, np.eye(2), atol=1e-8) and np.abs(Y.mean(axis=0)).max() < 1e-4


@pytest.mark.parametrize("method", ["standard", "modified", "hessian", "ltsa"])
def test_each_variant_of_lle_orders_an_arc(method):
    X, angle = arc()
    lle = LLE(n_neighbors=6, n_components=1, method=method).fit(X)
    assert abs(np.corrcoef(lle.embedding_[:, 0], angle)[0, 1]) > 0.98


def test_lle_wants_enough_neighbors_for_its_variant():
    X = ns.datasets.load_swiss_roll(100).X
    with pytest.raises(ValueError, match="n_neighbors must be at least 6 for method='hessian'"):
        LLE(n_neighbors=5, method="hessian").fit(X)
    with pytest.raises(ValueError, match="method must be one of"):
        LLE(method="other").fit(X)
    with pytest.raises(ValueError, match="reg must satisfy"):
        LLE(reg=-1).fit(X)


def test_the_cost_of_laplacian_eigenmaps_is_the_least_eigenvalues():
    X = ns.datasets.load_swiss_roll(150).X
    nearest, _ = neighbors_of(X, 8)
    W = np.zeros((150, 150))
    W[np.arange(150)[:, None], nearest] = 1
    W = np.maximum(W, W.T)
    degrees = W.sum(axis=1)
    scale = 1 / np.sqrt(degrees)
    values = np.linalg.eigvalsh(np.eye(150) - scale[:, None] * W * scale)
    model = LaplacianEigenmaps(n_neighbors=8).fit(X)
    assert model.cost_ == pytest.approx(values[1:3].sum(), rel=1e-6)
    Y = model.embedding_
    by_pairs = 0.5 * (W * squareform(pdist(Y, "sqeuclidean"))).sum() / degrees.sum()
    assert model.cost_ == pytest.approx(by_pairs, rel=1e-6)
    assert np.allclose(Y.T @ (degrees[:, None] * Y) / degrees.sum(), np.eye(2), atol=1e-6)
    assert np.abs(degrees @ Y).max() < 1e-6 * degrees.sum()


def test_a_ring_stays_a_ring_under_laplacian_eigenmaps():
    ring = ns.datasets.load_circle(40).X @ np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    Y = LaplacianEigenmaps(n_neighbors=2).fit_transform(ring)
    assert np.hypot(*Y.T) == pytest.approx(np.full(40, np.sqrt(2)), rel=1e-6)


def two_clusters(distance):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 3))
    X[[4, 9, 17, 20]] += distance
    return X


@pytest.mark.parametrize("model", GRAPHS)
def test_a_graph_in_parts_is_refused_and_its_objects_are_named(model):
    X = two_clusters(50)
    with pytest.raises(ValueError, match=r"it has 2 parts: .* of 26 objects, there are objects 4, 9, 17, 20; raise"):
        model(n_neighbors=3).fit(X)
    assert model(n_neighbors=5).fit(X).embedding_.shape == (30, 2)
    parts = graph_parts(X, 3)
    assert np.flatnonzero(parts).tolist() == [4, 9, 17, 20]
    assert model(n_neighbors=3).fit(X[parts == 0]).embedding_.shape == (26, 2)


def test_many_parts_are_counted_and_the_first_of_them_named():
    X = np.concatenate([np.random.default_rng(0).random((6 - k // 4, 2)) + 100 * k for k in range(8)])
    with pytest.raises(ValueError, match=r"8 parts: beside the largest, of 6 objects, .*objects 6, .*; .*, and 4 more"):
        Isomap(n_neighbors=2).fit(X)
    assert sorted(np.bincount(graph_parts(X, 2)), reverse=True) == [6, 6, 6, 6, 5, 5, 5, 5]


def test_parts_of_distances_are_those_of_vectors():
    X = two_clusters(50)
    assert np.array_equal(graph_parts(squareform(pdist(X)), 3, input="distances"), graph_parts(X, 3))


@pytest.mark.parametrize("model", GRAPHS)
def test_there_is_at_least_one_neighbor(model):
    with pytest.raises(ValueError, match="n_neighbors must be at least 1"):
        model(n_neighbors=0).fit(two_clusters(0))


@pytest.mark.parametrize("model", GRAPHS)
def test_identical_objects_get_a_map(model):
    X = two_clusters(0)
    X[:4] = X[0]
    Y = model(n_neighbors=8).fit_transform(X)
    assert np.isfinite(Y).all() and np.abs(Y[:4] - Y[0]).max() < np.abs(Y).max()
