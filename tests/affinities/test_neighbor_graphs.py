"""Neighbors that others found, and graphs, make the P that they say; what contradicts itself is refused in words."""

import warnings

import networkx
import numpy as np
import pytest
from scipy import sparse
from sklearn.neighbors import KNeighborsTransformer, NearestNeighbors

import notebook_sne as ns
from notebook_sne import affinities
from notebook_sne.browser.widgets.neighbors import all_nearest, nearest
from tests.tables import in_one_test

N = 60


def objects(n_objects=N, seed=0):
    return np.random.default_rng(seed).normal(size=(n_objects, 4))


def lists(X=None, K=20):
    """Indices and distances of the K nearest others, in rising order."""
    D, J = NearestNeighbors(n_neighbors=K).fit(objects() if X is None else X).kneighbors()
    return J, D


def graph(K=20, **options):
    """Distances of neighbors as scikit-learn keeps them: each object is its own first neighbor, at distance 0."""
    return KNeighborsTransformer(mode="distance", n_neighbors=K, **options).fit_transform(objects())


def quick(model=ns.SNE, **options):
    return model(**{"perplexity": 5, "max_iter": 3, "random_state": 0, "progress": False, **options})


def shuffled(G):
    """The same matrix, its columns in another order in each row."""
    G = sparse.csr_matrix(G, copy=True)
    for i in range(G.shape[0]):
        row = slice(G.indptr[i], G.indptr[i + 1])
        order = np.random.default_rng(i).permutation(row.stop - row.start)
        G.indices[row], G.data[row] = G.indices[row][order], G.data[row][order]
    G.has_sorted_indices = False
    return G


@pytest.mark.parametrize(
    "kind", ["matrix", "array", "columns", "places", "out of order", "pair", "three of them twice", "single precision"]
)
def test_a_model_takes_neighbors_in_the_forms_in_which_they_are_kept(kind):
    G, (J, D) = graph(), lists()
    X = {
        "matrix": G,
        "array": sparse.csr_array(G),
        "columns": sparse.csc_array(G),
        "places": sparse.coo_array(G),
        "out of order": shuffled(G),
        "pair": lists(),
        "three of them twice": (np.hstack([J[:, :3], J]), np.hstack([D[:, :3] + 1.0, D])),  # the nearest entry counts
        "single precision": sparse.csr_array(G, dtype=np.float32),
    }[kind]
    expected = affinities.conditional(objects(), 5, neighbors=20)
    P = quick(input="neighbors", least_p=0.0).fit(X).affinities_
    assert abs(P - expected).max() < (1e-5 if kind == "single precision" else 1e-7)


def test_neighbors_of_a_joint_model_can_be_annealed_and_pulled_by_a_run():
    fitted = quick(ns.TSNE, input="neighbors", perplexity=ns.Steps(10, 5, at=2)).fit(graph())
    expected = affinities.joint(affinities.conditional(objects(), 5, neighbors=20))
    assert abs(fitted.affinities_ - expected).max() < 1e-6
    assert fitted.neighbor_recall_ == 1.0 and fitted.objects_ is None


def test_new_objects_are_placed_by_their_neighbors():
    X, new = objects(), objects(7, seed=1)
    fitted = quick(input="neighbors", max_iter=60).fit(graph())
    by_vectors = quick(max_iter=60, init=fitted.embedding_).fit(X)
    by_vectors.embedding_ = fitted.embedding_
    search = NearestNeighbors(n_neighbors=20).fit(X)
    D, J = search.kneighbors(new)
    # Up to 2,000 objects, vectors are measured against all: so both have few neighbors that matter.
    near = NearestNeighbors(n_neighbors=N).fit(X).kneighbors_graph(new, mode="distance")
    assert np.abs(fitted.transform(near) - by_vectors.transform(new)).max() < 1e-3
    Y = fitted.transform((J, D))
    assert np.allclose(Y, fitted.transform(search.kneighbors_graph(new, mode="distance")))
    assert np.array_equal(Y[2:3], fitted.transform((J[2:3], D[2:3])))
    with pytest.raises(ValueError, match="at least 6 others of each object, better 15"):
        fitted.transform((J[:, :4], D[:, :4]))
    with pytest.raises(ValueError, match="indices must be from 0 to N - 1 = 59"):
        fitted.transform((J + N, D))
    with pytest.raises(ValueError, match="shape \\(n, N\\) with N = 60"):
        fitted.transform(sparse.csr_array((3, 50)))


def test_the_nearest_of_neighbors_are_told_nearest_first():
    J, _ = lists()
    G = ns.SNE(input="neighbors")._read(graph())
    assert list(nearest(G, "neighbors", 3)) == list(J[3, :8])
    assert np.array_equal(all_nearest(G, "neighbors"), J[:, :8])


def changed(i=3, k=2, value=-1.0):
    G = sparse.csr_array(graph())
    G.data[G.indptr[i] + k] = value
    return G


def doubled():
    G = sparse.coo_array(graph())
    row, col = np.append(G.row, G.row[45]), np.append(G.col, G.col[45])
    return sparse.coo_array((np.append(G.data, 1.0), (row, col)), shape=G.shape)


def doubled_rows():
    G = sparse.csr_array(graph())
    G.indices[G.indptr[4] + 1] = G.indices[G.indptr[4]]
    G.has_canonical_format = G.has_sorted_indices = False
    return G


def emptied():
    G = sparse.lil_array(graph())
    G[5] = 0
    return sparse.csr_array(G)


@in_one_test(
    ("X", "told"),
    [
        (graph(4), ["perplexity must be below the number of neighbors", "to 4 others", "at least 6", "better 15"]),
        (changed(), ["X must hold distances, finite and not negative", "X[3, ", "is -1"]),
        (changed(value=np.nan), ["finite", "is nan"]),
        (doubled(), ["once", "keep the nearest entry"]),
        (doubled_rows(), ["once", "object 4"]),
        (emptied(), ["a neighbor of each object", "object 5"]),
        (graph()[:, :50], ["X must be square", "(60, 50)"]),
        (objects(), ["sparse matrix of distances", "pair (indices, distances)", "input='distances'"]),
        ((lists()[0],), ["pair (indices, distances)", "a tuple of 1"]),
        (lists()[::-1], ["indices must be whole numbers"]),
        ((lists()[0] + 1, lists()[1]), ["indices must be from 0 to N - 1 = 59", "is 60"]),
        ((lists()[0], -lists()[1]), ["distances must be finite and not negative"]),
        (sparse.csr_array(graph() * 0), ["must not be constant"]),
    ],
)
def test_neighbors_that_contradict_themselves_are_refused(X, told):
    with pytest.raises((TypeError, ValueError)) as error:
        quick(input="neighbors").fit(X)
    for part in told:
        assert part in str(error.value)


def test_a_graph_is_read_with_its_nodes_and_weights():
    G = networkx.les_miserables_graph()
    made = affinities.from_graph(G)
    weights = networkx.to_numpy_array(G)
    assert made.nodes == list(G) and made.isolated == []
    np.testing.assert_allclose(made.P.toarray(), weights / weights.sum(axis=1, keepdims=True))
    plain = affinities.from_graph(G, weight=None).P
    np.testing.assert_allclose(plain.toarray(), (weights > 0) / (weights > 0).sum(axis=1, keepdims=True))
    both = affinities.from_graph(G, joint=True).P
    np.testing.assert_allclose(both.toarray(), affinities.joint(made.P).toarray())
    assert np.isfinite(quick(input="probabilities").fit(made.P).embedding_).all()


def test_isolated_nodes_are_set_aside_by_name_or_kept():
    G = networkx.path_graph(6)
    G.add_nodes_from(["alone", "too"])
    G.add_edge("too", "too")  # a loop
    with pytest.warns(UserWarning, match="2 of 8 nodes .*'alone', 'too'.* set aside"):
        made = affinities.from_graph(G)
    assert made.nodes == list(range(6)) and made.isolated == ["alone", "too"] and made.P.shape == (6, 6)
    kept = affinities.from_graph(G, joint=True)
    assert kept.nodes == [*range(6), "alone", "too"] and kept.isolated == ["alone", "too"]
    assert kept.P.sum() == pytest.approx(1) and not kept.P[[6, 7]].sum()
    np.testing.assert_allclose(kept.P[:6, :6].toarray(), affinities.joint(made.P).toarray())
    assert np.isfinite(quick(ns.TSNE, input="joint").fit(kept.P).embedding_).all()


def test_nodes_that_lead_only_to_such_as_are_set_aside_are_set_aside_as_well():
    G = networkx.DiGraph([(0, 1), (1, 2), (2, 0), (3, 4), (4, 5)])
    with pytest.warns(UserWarning, match="3 of 6 nodes"):
        made = affinities.from_graph(G)
    assert made.nodes == [0, 1, 2] and made.isolated == [3, 4, 5]


@in_one_test(
    ("G", "error", "told"),
    [
        (networkx.path_graph(2), ValueError, "at least 3 nodes, got 2"),
        (networkx.empty_graph(9), ValueError, "3 nodes that are tied to others, got 0"),
        (networkx.Graph([(0, 1, {"weight": -1}), (1, 2)]), ValueError, "G must not be negative"),
        (networkx.Graph([(0, 1, {"weight": "a"}), (1, 2)]), TypeError, "'weight' is a number"),
        (networkx.Graph([(0, 1, {"weight": "3"}), (1, 2)]), TypeError, "'weight' is a number: .* got text"),
        (networkx.Graph([(0, 1, {"weight": 10**400}), (1, 2)]), TypeError, "a number: .* in double precision"),
        (np.array([["0", "3", "1"]] * 3), TypeError, "G must be numbers, got text"),
        (np.ones((3, 4)), ValueError, "G must be square"),
        ({"a": ["b"]}, TypeError, "G must be an array"),
    ],
)
def test_what_is_no_graph_is_refused(G, error, told):
    with pytest.raises(error, match=told):
        affinities.from_graph(G)


def test_distances_that_single_precision_has_no_room_for_are_as_good_as_others():
    indices, distances = lists()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        far = quick(input="neighbors").fit((indices, distances * 2.0**200)).affinities_
    assert np.array_equal(far.toarray(), quick(input="neighbors").fit((indices, distances)).affinities_.toarray())


def test_the_nearest_neighbors_that_scikit_learn_returns_are_named_as_such():
    for model in (ns.SNE(input="distances"), ns.baselines.Isomap(input="distances")):
        with pytest.raises(TypeError, match=r"dense array: .* as kneighbors_graph returns them, .* input='neighbors'"):
            model.fit(graph())
    with pytest.raises(TypeError, match="input='neighbors'"):
        affinities.from_distances(graph(), 5)


@pytest.mark.parametrize(
    ("n_objects", "K", "expected"),
    [(120, 14, 28 / 3), (120, 29, 58 / 3), (200, 60, 30.0), (60, 59, 59 / 3), (120, 2, 4 / 3)],
)
def test_the_perplexity_auto_follows_how_many_neighbors_are_given(n_objects, K, expected):
    X = np.random.default_rng(0).normal(size=(n_objects, 4))
    graph = NearestNeighbors(n_neighbors=K).fit(X).kneighbors_graph(mode="distance")
    fitted = ns.TSNE(input="neighbors", max_iter=2, progress=False, random_state=0).fit(graph)
    assert fitted.trace_.perplexity.tolist() == [pytest.approx(expected)] * 3
    assert fitted.perplexity == "auto"
    given = ns.TSNE(input="neighbors", max_iter=2, progress=False, random_state=0, perplexity=expected).fit(graph)
    assert np.array_equal(given.embedding_, fitted.embedding_)


def test_an_object_with_far_fewer_neighbors_is_named_under_auto_too():
    indices, distances = np.tile(np.arange(1, 16), (60, 1)), np.ones((60, 15))
    indices[30, 5:] = -1
    with pytest.raises(ValueError, match=r"got 10, but the distances to 5 others are given for object 30"):
        ns.TSNE(input="neighbors", progress=False).fit((indices, distances))


def test_all_other_inputs_have_a_perplexity_of_30():
    X = np.random.default_rng(0).normal(size=(100, 4))
    D = np.sqrt(np.square(X[:, None] - X).sum(axis=2))
    for fitted in (
        ns.SNE(max_iter=1, progress=False).fit(X),
        ns.SNE(max_iter=1, progress=False, input="distances").fit(D),
    ):
        assert fitted.trace_.perplexity.tolist() == [30.0, 30.0]
    with pytest.raises(
        TypeError, match="perplexity must be a number, a list of numbers, 'auto' or 'multiscale', got 'thirty'"
    ):
        ns.SNE(perplexity="thirty").fit(X)
