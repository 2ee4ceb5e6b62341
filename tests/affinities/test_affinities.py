import warnings
from contextlib import nullcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import notebook_sne as ns
from notebook_sne import affinities
from notebook_sne.affinities.probabilities import at_perplexity
from notebook_sne.engine.fitting import inputs
from notebook_sne.engine.machine import allocation as room
from tests import reference
from tests.standins.process import printed
from tests.tables import in_one_test


def objects(n_objects=80, n_features=5, seed=0):
    return np.random.default_rng(seed).normal(size=(n_objects, n_features))


def entropy_bits(P):
    return -np.sum(P * np.log2(np.where(P > 0, P, 1)), axis=1)


def test_conditional_rows_have_the_perplexity():
    P = affinities.conditional(objects(), 12)
    assert np.abs(entropy_bits(P) - np.log2(12)).max() < 1e-5
    np.testing.assert_allclose(P.sum(1), 1, rtol=1e-12)
    assert not P.diagonal().any()


def test_sparse_conditional_rows_have_the_perplexity_over_the_exact_neighbors():
    X = objects()
    P = affinities.conditional(X, 12, neighbors=36)
    assert isinstance(P, sparse.csr_array)
    dense = P.toarray()
    assert np.abs(entropy_bits(dense) - np.log2(12)).max() < 1e-5
    D = np.square(X[:, None] - X[None]).sum(-1)
    np.fill_diagonal(D, np.inf)
    nearest = np.sort(np.argsort(D, axis=1)[:, :36], axis=1)
    assert np.array_equal(P.indices.reshape(80, 36), nearest)


def test_all_neighbors_sparse_is_the_dense_p():
    X = objects(30)
    found = affinities.conditional(X, 5, neighbors=29).toarray()
    np.testing.assert_allclose(found, affinities.conditional(X, 5), atol=1e-9)


def test_coincident_objects_are_neighbors_of_each_other_and_never_of_themselves():
    X = np.repeat(objects(20), 2, axis=0)
    P = affinities.conditional(X, 4, neighbors=12)
    assert not P.diagonal().any()
    assert P[[0], [1]] > 0


@pytest.mark.slow
def test_p_has_the_same_bits_whatever_the_threads():
    """Of enough objects that they are shared out, with equals at the edge of many neighborhoods."""
    code = """
import hashlib
import numpy as np
from tests.affinities.test_nearest import HARD
import notebook_sne as ns
from notebook_sne import affinities
from notebook_sne.engine.fitting import inputs
from notebook_sne.engine.machine import allocation as room
from notebook_sne.affinities.probabilities import at_perplexity
for kind in ("plain", "single precision", "coincident", "two values", "tight clusters", "copies"):
    X = np.concatenate([HARD["plain" if kind == "copies" else kind] + k % 7 for k in range(15)])
    if kind == "copies":
        X[np.random.default_rng(0).permutation(len(X))[:1500]] = X[0]
    P = affinities.conditional(X, 100, neighbors=200)
    J = affinities.joint(affinities.keep_large(P)[0])
    for A in (P, J):
        print(kind, hashlib.sha256(A.data.tobytes() + A.indices.tobytes() + A.indptr.tobytes()).hexdigest())
"""
    seen = {printed(code, NUMBA_NUM_THREADS=n, OMP_NUM_THREADS=n, OPENBLAS_NUM_THREADS=n) for n in ("1", "3")}
    assert len(seen) == 1


@pytest.mark.parametrize("wanted", [1, 2])
def test_the_search_for_neighbors_keeps_to_the_threads_it_is_given(wanted, monkeypatch):
    from sklearn.neighbors import NearestNeighbors
    from threadpoolctl import threadpool_info, threadpool_limits

    from notebook_sne.engine.machine.parallel import threads

    seen, search = [], NearestNeighbors.kneighbors

    def look(self, *arguments, **options):
        seen.extend(library["num_threads"] for library in threadpool_info() if library["filepath"] in free)
        return search(self, *arguments, **options)

    monkeypatch.setattr(NearestNeighbors, "kneighbors", look)
    monkeypatch.setattr("notebook_sne.engine.machine.parallel.usable", lambda: 8)
    with threads(wanted), threadpool_limits(3):
        # But for libraries that are built for one thread, as that which comes with a solver of semidefinite programs.
        free = {library["filepath"] for library in threadpool_info() if library["num_threads"] == 3}
        affinities.conditional(objects(4000), 5, neighbors=15)
        assert seen and set(seen) == {wanted}
        after = {library["num_threads"] for library in threadpool_info() if library["filepath"] in free}
        assert after == {3}  # all is as it was
    del seen[:]
    with threads(wanted), threadpool_limits(1):  # nor does it take what the user has forbidden
        affinities.conditional(objects(4000), 5, neighbors=15)
    assert set(seen) == {1}


def test_distances_may_be_asymmetric():
    D = np.random.default_rng(0).random((20, 20))
    np.fill_diagonal(D, 0)
    P = affinities.from_distances(D, 5)
    assert np.abs(entropy_bits(P) - np.log2(5)).max() < 1e-5
    nearest = np.where(np.eye(20, dtype=bool), np.inf, D).argmin(1)
    assert np.array_equal(P.argmax(1), nearest)


def test_distances_give_what_the_vectors_give():
    X = objects()
    D = np.sqrt(np.square(X[:, None] - X[None]).sum(-1))
    np.testing.assert_allclose(affinities.from_distances(D, 7), affinities.conditional(X, 7), atol=1e-9)


def test_without_a_perplexity_p_falls_with_the_squared_distance():
    D = np.random.default_rng(0).random((6, 6)) * 40  # exp(-1600) is 0 in any precision
    np.fill_diagonal(D, 0)
    P = affinities.from_distances(D)
    expected = -np.square(D)
    np.fill_diagonal(expected, -np.inf)
    expected = np.exp(expected - expected.max(1, keepdims=True))
    np.testing.assert_allclose(P, expected / expected.sum(1, keepdims=True), rtol=1e-12)


TIED = {
    "whole numbers": np.round(objects(90, 2)),
    "two values": (objects(90, 3) > 0) * 1.0,
    "copies": np.concatenate([objects(40), np.repeat(3 + objects(1, seed=1), 30, axis=0)]),
    "equal distances": np.eye(30),
}
ties = pytest.mark.filterwarnings("ignore:.*more nearest neighbors at one distance")


@ties
@pytest.mark.parametrize("kind", TIED)
def test_with_ties_every_row_is_that_of_the_reference(kind):
    X = TIED[kind]
    D = np.square(X[:, None] - X[None]).sum(axis=2)
    np.fill_diagonal(D, np.inf)
    expected = reference.conditional(D, 6)
    np.testing.assert_allclose(affinities.conditional(X, 6), expected, atol=1e-6)
    np.fill_diagonal(D, 0)
    np.testing.assert_allclose(affinities.from_distances(np.sqrt(D), 6), expected, atol=1e-6)


@ties
@pytest.mark.parametrize("kind", TIED)
def test_relabeling_objects_relabels_p_also_with_ties(kind):
    X = TIED[kind]
    order = np.random.default_rng(3).permutation(len(X))
    P = affinities.conditional(X, 6)
    np.testing.assert_allclose(affinities.conditional(X[order], 6), P[order][:, order], atol=1e-9)


@pytest.mark.filterwarnings("ignore:perplexity 35 is above a third")
@ties
def test_copies_that_are_told_apart_by_very_little_keep_the_mass_among_them():
    # More of them than the perplexity: then P does not tend to that of ties, but its mass stays where theirs is.
    X = TIED["copies"]
    P = affinities.conditional(X + 1e-9 * objects(len(X), seed=5), 6)
    np.testing.assert_allclose(P[40:, 40:].sum(axis=1), 1, rtol=1e-12)
    assert np.abs(entropy_bits(P) - np.log2(6)).max() < 1e-5
    # At a perplexity above their number, P tends to that of copies.
    P, near = affinities.conditional(X, 35), affinities.conditional(X + 1e-9 * objects(len(X), seed=5), 35)
    np.testing.assert_allclose(near, P, atol=1e-6)


@pytest.mark.parametrize("how", ["vectors", "neighbors", "distances"])
def test_the_warning_tells_how_many_objects_are_tied_where_it_was_called(how):
    X = TIED["copies"]
    with pytest.warns(UserWarning, match=r"^30 objects have .* perplexity 6 .*\(objects 40, .* and 25 more\)") as told:
        if how == "distances":
            affinities.from_distances(np.sqrt(np.square(X[:, None] - X[None]).sum(axis=2)), 6)
        else:
            affinities.conditional(X, 6, neighbors=18 if how == "neighbors" else None)
    assert len(told) == 1 and told[0].filename == __file__


@in_one_test("far", [1e10, 1e20, 1e100, 1e139])
@in_one_test("neighbors", [None, 20])
@ties
def test_an_object_however_far_leaves_the_others_as_they_are(far, neighbors):
    X = objects(61)
    X[7] = far
    P = affinities.conditional(X, 6, neighbors=neighbors)
    P = P if neighbors is None else P.toarray()
    others = np.arange(61) != 7
    expected = affinities.conditional(X[others], 6, neighbors=neighbors)
    expected = expected if neighbors is None else expected.toarray()
    np.testing.assert_allclose(P[others][:, others], expected, atol=1e-6)
    D = np.sqrt(np.square(X[:, None] - X[None]).sum(axis=2)) if neighbors is None else None
    if D is not None:
        P = affinities.from_distances(D, 6)
        np.testing.assert_allclose(P[others][:, others], expected, atol=1e-6)


def test_a_far_object_is_named_where_it_has_equals_everywhere():
    X = objects(60)
    X[7] = 1e100
    with pytest.warns(UserWarning, match=r"1 object has .* very far away \(object 7\)"):
        P = affinities.conditional(X, 6)
    np.testing.assert_array_equal(P[7], np.where(np.arange(60) == 7, 0, 1 / 59))


def test_distances_of_any_span_have_an_answer():
    D = np.sqrt(np.square(objects(60)[:, None] - objects(60)[None]).sum(axis=2)) * 1e-140
    expected = affinities.from_distances(D, 6)
    far = np.pad(D, (0, 1), constant_values=1e150)
    far[-1, -1] = 0
    with pytest.warns(UserWarning, match=r"\(object 60\)"):
        P = affinities.from_distances(far, 6)
    np.testing.assert_allclose(P[:-1, :-1], expected, atol=1e-6)


@pytest.mark.parametrize("form", [np.array, sparse.csr_array, sparse.coo_matrix])
def test_counts_become_shares_of_their_row(form):
    P = affinities.from_counts(form([[0, 3, 1], [2, 0, 0], [1, 1, 0]]))
    P = P.toarray() if sparse.issparse(P) else P
    np.testing.assert_allclose(P, [[0, 0.75, 0.25], [1, 0, 0], [0.5, 0.5, 0]])


@pytest.mark.parametrize("unit", [1.0, 1e-310, 1e-320, 1e300])
def test_weights_of_any_unit_become_shares(unit):
    W = np.array([[0, 1, 3, 0], [2, 0, 0, 2], [1, 0, 0, 4], [0, 0, 0, 0]]) * unit
    W[1:3] /= unit  # other rows keep theirs
    expected = np.array([[0, 0.25, 0.75, 0], [0.5, 0, 0, 0.5], [0.2, 0, 0, 0.8], [0, 0, 0, 0]])
    P = affinities.from_graph(sparse.csr_array(W), joint=True).P.toarray()
    np.testing.assert_allclose(P, (expected + expected.T) / 6, rtol=1e-3)
    W[3, 0] = 1
    for A in (W, sparse.csr_array(W)):
        for P in (affinities.from_counts(A), affinities.from_graph(A).P):
            P = P.toarray() if sparse.issparse(P) else P
            np.testing.assert_allclose(P[:3], expected[:3], rtol=1e-3)  # 1e-320 has three digits
            np.testing.assert_allclose(P.sum(axis=1), 1.0)


def of_neighbors(X, perplexity):
    D = np.linalg.norm(X[:, None] - X, axis=2)
    order = np.argsort(D, axis=1)
    return affinities.from_neighbors(order, np.take_along_axis(D, order, axis=1), perplexity)


@pytest.mark.parametrize(
    "make",
    [
        affinities.conditional,
        lambda X, perplexity: affinities.conditional(X, perplexity, neighbors=40),
        lambda X, perplexity: affinities.from_distances(np.linalg.norm(X[:, None] - X, axis=2), perplexity),
        of_neighbors,
        affinities.joint_with_one_sigma,
    ],
)
def test_a_perplexity_above_a_third_of_the_objects_is_warned_of(make):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        make(objects(60), 20)
    with pytest.warns(UserWarning, match=r"perplexity 21 is above a third of the 60 objects: .* to 20 or less") as told:
        make(objects(60), 21)
    assert len(told) == 1 and told[0].filename == __file__


def test_of_three_objects_no_lower_perplexity_is_advised():
    with pytest.warns(UserWarning, match="neighborhoods; give more objects"):
        affinities.conditional(objects(3), 1.5)


@pytest.mark.parametrize("make", [affinities.conditional, affinities.joint_with_one_sigma])
def test_vectors_that_look_like_distances_are_warned_of(make):
    D = np.linalg.norm(objects()[:, None] - objects(), axis=2)
    with pytest.warns(UserWarning, match="as distances of 80 objects have, .* give it to from_distances") as told:
        make(D, 5)
    assert len(told) == 1


@pytest.mark.parametrize("neighbors", [None, 30])
def test_joint_is_symmetric_sums_to_one_and_leaves_nobody_out(neighbors):
    P = affinities.conditional(objects(), 10, neighbors=neighbors)
    J = affinities.joint(P)
    assert sparse.issparse(J) == (neighbors is not None)
    J = J.toarray() if sparse.issparse(J) else J
    np.testing.assert_allclose(J, J.T, atol=1e-18)
    assert J.sum() == pytest.approx(1)
    assert J.sum(1).min() >= 1 / (2 * 80) - 1e-12


def test_one_sigma_leaves_a_far_object_nearly_without_mass():
    X = objects()
    X[0] += 20
    J = affinities.joint_with_one_sigma(X, 10)
    assert J.sum() == pytest.approx(1)
    assert J[0].sum() < 1e-10
    assert affinities.joint(affinities.conditional(X, 10))[0].sum() >= 1 / 160 - 1e-12


def test_large_entries_are_kept_and_the_rest_reported():
    P = np.array([[0, 0.9, 0.1], [0.999, 0, 0.001], [0.5, 0.5, 0]])
    kept, dropped = affinities.keep_large(P, 0.01)
    np.testing.assert_allclose(kept.toarray(), [[0, 0.9, 0.1], [1, 0, 0], [0.5, 0.5, 0]])
    assert dropped == pytest.approx(0.001 / 3)
    assert P[1, 2] == 0.001  # what was given is left alone


def test_of_a_joint_p_only_what_is_small_for_both_objects_is_left_out():
    P = np.array([[0, 0.4, 1e-9, 1e-3], [0.4, 0, 0, 0], [1e-9, 0, 0, 0], [1e-3, 0, 0, 0]])
    kept, dropped = affinities.keep_large(P / P.sum(), 0.01, whole=True)
    assert kept.nnz == 6  # the third object keeps the little that it has
    assert dropped == 0
    P[2, 3] = P[3, 2] = 1e-14
    kept, dropped = affinities.keep_large(P / P.sum(), 0.01, whole=True)
    assert kept.nnz == 6
    assert kept.sum() == pytest.approx(1)
    assert dropped == pytest.approx(2e-14 / P.sum(), rel=0.1)


@in_one_test("offset", [0.0, 1e6, 1e8])
@in_one_test("scale", [1e-170, 1.0, 1e150])
def test_neither_a_common_offset_nor_the_unit_of_the_data_changes_p(offset, scale):
    X = np.round(objects(60) * 64) / 64  # so that adding 1e8 loses no digits
    expected = affinities.conditional(X, 8)
    for neighbors in (None, 24):
        P = affinities.conditional((X + offset) * scale, 8, neighbors=neighbors)
        if neighbors is not None:
            expected = affinities.conditional(X, 8, neighbors=24).toarray()
            P = P.toarray()
        np.testing.assert_allclose(P, expected, atol=1e-6)


def bad(position=(1, 2), value=np.nan):
    X = objects(10)
    X[position] = value
    return X


SIMILAR = np.exp(-np.abs(np.subtract.outer(np.arange(9.0), np.arange(9.0))))


@in_one_test(
    ("call", "words"),
    [
        (lambda: affinities.conditional(bad(), 3), [r"X\[1, 2\] is NaN", "remove"]),
        (lambda: affinities.conditional(bad(value=-np.inf), 3), [r"X\[1, 2\] is infinity"]),
        (lambda: affinities.conditional(objects(10), 9), ["perplexity", "N - 1 = 9", "lower it"]),
        (lambda: affinities.from_distances(SIMILAR, 2), ["D must hold", "similarities", r"from_counts\(D\), with"]),
        (lambda: affinities.conditional(objects(10), 1), ["perplexity", "1 < perplexity"]),
        (lambda: affinities.conditional(objects(10), np.nan), ["perplexity", "nan"]),
        (lambda: affinities.conditional(objects(2), 1.5), ["at least 3 objects", "n_samples = 2"]),
        (lambda: affinities.conditional(np.ones((10, 3)), 3), ["constant"]),
        (lambda: affinities.conditional(objects(10)[0], 3), ["2D array"]),
        (lambda: affinities.conditional(objects(20_000), 30), ["20000 objects", "3.2 GB", "neighbors"]),
        (lambda: affinities.conditional(objects(10), 4, neighbors=4), ["neighbors", "above the perplexity"]),
        (lambda: affinities.conditional(objects(10), 4, neighbors=10), ["neighbors", "below N = 10"]),
        (lambda: affinities.conditional(bad(value=1e200), 3), ["object 1 must lie within", "leave out"]),
        (lambda: affinities.conditional(bad(value=1e200), 3, neighbors=5), ["object 1 must lie within", "leave out"]),
        (lambda: affinities.from_distances(objects(10)), ["D must be square", r"\(10, 5\)"]),
        (lambda: affinities.from_distances(-np.ones((4, 4)) + np.eye(4)), ["negative", "-1"]),
        (lambda: affinities.from_distances(np.ones((4, 4))), ["zero diagonal", "objects 0, 1, 2, 3"]),
        (lambda: affinities.from_distances(np.zeros((4, 4))), ["constant"]),
        (lambda: affinities.from_distances((1 - np.eye(4)) * 1e200), ["must not exceed", "rescale"]),
        (lambda: affinities.from_counts((1 - np.eye(4)) * 1e308), ["finite sum", "objects 0, 1, 2, 3"]),
        (lambda: affinities.keep_large((1 - np.eye(4)) / 3, 0.5), ["threshold", "0.25"]),
        (lambda: affinities.from_counts([[0, 1, 0], [0, 0, 0], [1, 1, 0]]), ["empty for object 1", "leave"]),
        (lambda: affinities.joint(np.ones((4, 4)) - np.eye(4)), ["sum to 1", r"object 0 misses that by \+2"]),
        (lambda: affinities.joint_with_one_sigma(bad(value=1e200), 3), ["object 1 must lie within", "leave out"]),
        (lambda: at_perplexity(np.array([[1.0, np.inf, np.inf]]), 2, 1e-13), ["2 must be below the number of neigh"]),
    ],
)
def test_bad_input_is_named_with_its_rule_and_the_way_out(call, words):
    with pytest.raises(ValueError) as error:
        call()
    for word in words:
        assert __import__("re").search(word, str(error.value)), str(error.value)


@pytest.mark.parametrize(
    "call",
    [
        lambda: affinities.conditional(objects(10), "3"),
        lambda: affinities.conditional(objects(10), True),
        lambda: affinities.conditional(objects(10), 3, neighbors=4.5),
        lambda: affinities.from_distances(sparse.eye_array(5)),
        lambda: affinities.from_distances(np.ones((4, 4)) * 1j),
        lambda: affinities.from_counts([["a", "b", "c"]] * 3),
    ],
)
def test_a_wrong_type_is_a_type_error(call):
    with pytest.raises(TypeError):
        call()


@pytest.mark.parametrize("neighbors", [None, 20])
@pytest.mark.parametrize("number", [1e17, 1e200, 1e300])
def test_a_column_of_one_number_changes_nothing(number, neighbors):
    X = np.random.default_rng(0).normal(size=(60, 4))
    more = np.hstack([X, np.full((60, 2), number)])
    P, expected = (affinities.conditional(A, 5, neighbors=neighbors) for A in (more, X))
    assert abs(P - expected).max() < 1e-14


def neighbor_lists(X, n, dtype=float):
    """The n nearest other objects of each, nearest first, and their distances."""
    D = np.sqrt(np.square(X[:, None] - X[None]).sum(-1))
    np.fill_diagonal(D, np.inf)
    indices = np.argsort(D, axis=1)[:, :n]
    return indices, np.take_along_axis(D, indices, axis=1).astype(dtype)


@pytest.mark.parametrize("whole", [np.int32, np.int64, np.uint16, list])
def test_p_of_the_nearest_neighbors_is_that_of_the_vectors(whole):
    X = objects()
    indices, distances = neighbor_lists(X, 36)
    P = affinities.from_neighbors(indices.tolist() if whole is list else indices.astype(whole), distances, 12)
    assert isinstance(P, sparse.csr_array)
    assert P.has_canonical_format
    np.testing.assert_allclose(P.toarray(), affinities.conditional(X, 12, neighbors=36).toarray(), atol=1e-9)
    single = affinities.from_neighbors(indices, distances.astype(np.float32), 12)
    np.testing.assert_allclose(P.toarray(), single.toarray(), atol=1e-5)


def test_all_others_as_neighbors_are_p_of_the_distances():
    X = objects(30)
    indices, distances = neighbor_lists(X, 29)
    D = np.sqrt(np.square(X[:, None] - X[None]).sum(-1))
    P = affinities.from_neighbors(indices, 1e-200 * distances, 7).toarray()  # in whatever unit
    np.testing.assert_allclose(P, affinities.from_distances(D, 7), atol=1e-9)


@settings(max_examples=50)
@given(st.integers(0, 2**32 - 1))
def test_order_own_entries_repeated_ones_and_gaps_change_nothing(seed):
    random = np.random.default_rng(seed)
    X = random.normal(size=(12, 3))
    indices, distances = neighbor_lists(X, 7)
    P = affinities.from_neighbors(indices, distances, 4)
    again = random.integers(0, 7, (12, 2))
    more = np.hstack(
        # Itself, none, and twice, the second time farther away.
        [np.arange(12)[:, None], np.full((12, 1), -1), indices, np.take_along_axis(indices, again, axis=1)]
    )
    farther = np.take_along_axis(distances, again, axis=1) * random.choice([1.0, 1.5], (12, 2))
    nowhere = random.choice([np.nan, np.inf, -1.0, 0.0], (12, 1))
    own = random.choice([0.0, 1e-7, 5.0], (12, 1))
    lengths = np.hstack([own, nowhere, distances, farther])
    order = random.permuted(np.tile(np.arange(lengths.shape[1]), (12, 1)), axis=1)
    given = np.take_along_axis(more, order, axis=1), np.take_along_axis(lengths, order, axis=1)
    kept = [array.copy() for array in given]
    Q = affinities.from_neighbors(*given, 4)
    np.testing.assert_allclose(Q.toarray(), P.toarray(), rtol=1e-12)
    np.testing.assert_array_equal(given[0], kept[0])
    np.testing.assert_array_equal(given[1], kept[1])
    np.testing.assert_allclose(Q.sum(axis=1), 1, rtol=1e-12)
    assert not Q.diagonal().any()


def test_objects_may_have_different_numbers_of_neighbors():
    indices, distances = neighbor_lists(objects(), 36)
    cut = indices.copy()
    cut[::2, 20:] = -1
    P = affinities.from_neighbors(cut, distances, 12)
    whole, part = (affinities.from_neighbors(indices[:, :n], distances[:, :n], 12) for n in (36, 20))
    expected = np.where(np.arange(80)[:, None] % 2, whole.toarray(), part.toarray())
    np.testing.assert_allclose(P.toarray(), expected, rtol=1e-9, atol=1e-15)
    assert np.abs(entropy_bits(P.toarray()) - np.log2(12)).max() < 1e-5


def test_neighbors_at_one_distance_share_the_mass_with_a_warning():
    indices = (np.arange(9)[:, None] + np.arange(1, 6)) % 9
    distances = np.tile([1.0, 1.0, 1.0, 2.0, 3.0], (9, 1))
    distances[0] = 0.0  # five duplicates
    with pytest.warns(UserWarning, match="9 objects have more nearest neighbors at one distance than perplexity 2"):
        P = affinities.from_neighbors(indices, distances, 2).toarray()
    np.testing.assert_allclose(P[0, indices[0]], 0.2)
    np.testing.assert_allclose(P[3, indices[3]], [1 / 3, 1 / 3, 1 / 3, 0, 0])


RING_OF_5 = (np.arange(5)[:, None] + [1, 2, 3]) % 5, np.tile([1.0, 2.0, 3.0], (5, 1))


def changed(which, place, value):
    arrays = [array.copy() for array in RING_OF_5]
    if isinstance(value, float):
        arrays[which] = arrays[which].astype(float)
    arrays[which][place] = value
    return arrays


@in_one_test(
    ("given", "perplexity", "error", "message"),
    [
        (changed(0, (1, 2), 5), 2, ValueError, r"from 0 to N - 1 = 4, or -1 for none, but indices\[1, 2\] is 5"),
        (changed(0, (1, 2), -2), 2, ValueError, r"indices\[1, 2\] is -2 \(1 such entries\); correct them"),
        (changed(0, (1, 2), 1.0), 2, TypeError, r"whole numbers, got .* float64; give indices.astype\(int\)"),
        (changed(1, (3, 0), -1e-3), 2, ValueError, r"distances\[3, 0\] is -0.001 .* numpy.maximum\(distances, 0\)"),
        (changed(1, (3, 0), np.nan), 2, ValueError, r"distances must be finite and not negative, but for index -1"),
        (changed(1, (3, 0), np.inf), 2, ValueError, r"distances\[3, 0\] is inf \(1 such"),
        (changed(0, (2, 0), -1), 2, ValueError, "the distances to 2 others are given for object 2; lower it"),
        (changed(0, (2, 0), 2), 2, ValueError, "to 2 others are given for object 2"),
        (changed(0, (2, 0), 4), 2, ValueError, "to 2 others are given for object 2"),
        (RING_OF_5, 3, ValueError, "got 3, but the distances to 3 others are given for objects 0, 1, 2, 3, 4; lower"),
        (RING_OF_5, 1, ValueError, "perplexity must satisfy 1 < perplexity"),
        ((RING_OF_5[0], RING_OF_5[1][:, :2]), 2, ValueError, r"the same shape, got \(5, 3\) and \(5, 2\)"),
        (([[1, 0]] * 2, [[1.0, 0.0]] * 2), 1.5, ValueError, "at least 3 objects, got 2"),
        ((sparse.eye_array(5), RING_OF_5[1]), 2, TypeError, "indices must be a dense array"),
    ],
)
def test_neighbors_that_are_none_are_refused(given, perplexity, error, message):
    with pytest.raises(error, match=message):
        affinities.from_neighbors(*given, perplexity)


def test_p_may_lie_on_a_disk_and_is_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr(inputs, "MOST_SEARCHED_OBJECTS", 100)
    monkeypatch.setattr(room, "_LEAST", 1)
    X = np.random.default_rng(3).normal(size=(300, 4))
    for model in (ns.TSNE, ns.SNE):
        fitted = []
        for place in (nullcontext(), affinities.on_disk(tmp_path)):
            with place:
                fitted.append(model(perplexity=5, max_iter=5, random_state=0, progress=False).fit(X))
        in_memory, on_disk = fitted
        np.testing.assert_array_equal(on_disk.embedding_, in_memory.embedding_)
        assert abs(on_disk.affinities_ - in_memory.affinities_).max() == 0
        assert [is_mapped(fit.affinities_.data) for fit in fitted] == [False, True]
        assert is_mapped(on_disk.affinities_.indices)


def is_mapped(a):
    """Tell whether the numbers of an array lie in a file."""
    while isinstance(a, np.ndarray) and not isinstance(a, np.memmap):
        a = a.base
    return isinstance(a, np.memmap)


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"folder must be a folder that is there, got .*nowhere"):
        with affinities.on_disk(tmp_path / "nowhere"):
            pass
