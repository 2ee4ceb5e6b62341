import os
import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

from notebook_sne import affinities
from notebook_sne.probabilities import at_perplexity
from tests import reference


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
    np.testing.assert_allclose(
        affinities.conditional(X, 5, neighbors=29).toarray(), affinities.conditional(X, 5), atol=1e-9
    )


def test_coincident_objects_are_neighbors_of_each_other_and_never_of_themselves():
    X = np.repeat(objects(20), 2, axis=0)
    P = affinities.conditional(X, 4, neighbors=12)
    assert not P.diagonal().any()
    assert P[[0], [1]] > 0


@pytest.mark.slow
def test_p_has_the_same_bits_whatever_the_threads():
    """Of enough objects that they are shared out, with equals at the edge of many neighborhoods."""
    code = f"""
import hashlib, sys
import numpy as np
sys.path.insert(0, {os.path.dirname(os.path.dirname(__file__))!r})
from tests.test_nearest import HARD
from notebook_sne import affinities
from notebook_sne.probabilities import at_perplexity
for kind in ("plain", "single precision", "coincident", "two values", "tight clusters", "copies"):
    X = np.concatenate([HARD["plain" if kind == "copies" else kind] + k % 7 for k in range(15)])
    if kind == "copies":
        X[np.random.default_rng(0).permutation(len(X))[:1500]] = X[0]
    P = affinities.conditional(X, 100, neighbors=200)
    J = affinities.joint(affinities.keep_large(P)[0])
    for A in (P, J):
        print(kind, hashlib.sha256(A.data.tobytes() + A.indices.tobytes() + A.indptr.tobytes()).hexdigest())
"""
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "NUMBA_NUM_THREADS": n, "OMP_NUM_THREADS": n, "OPENBLAS_NUM_THREADS": n},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for n in ("1", "2", "3")
    }
    assert len(seen) == 1


@pytest.mark.parametrize("wanted", [1, 2])
def test_the_search_for_neighbors_keeps_to_the_threads_it_is_given(wanted, monkeypatch):
    from sklearn.neighbors import NearestNeighbors
    from threadpoolctl import threadpool_info, threadpool_limits

    from notebook_sne.machine.parallel import threads

    seen, search = [], NearestNeighbors.kneighbors

    def look(self, *arguments, **options):
        seen.extend(library["num_threads"] for library in threadpool_info())
        return search(self, *arguments, **options)

    monkeypatch.setattr(NearestNeighbors, "kneighbors", look)
    monkeypatch.setattr("notebook_sne.machine.parallel.usable", lambda: 8)
    with threads(wanted), threadpool_limits(3):
        affinities.conditional(objects(4000), 5, neighbors=15)
        assert seen and set(seen) == {wanted}
        assert {library["num_threads"] for library in threadpool_info()} == {3}  # and afterwards all is as it was
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


@pytest.mark.parametrize("far", [1e10, 1e20, 1e100, 1e139])
@pytest.mark.parametrize("neighbors", [None, 20])
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


@pytest.mark.parametrize("offset", [0.0, 1e6, 1e8])
@pytest.mark.parametrize("scale", [1e-170, 1.0, 1e150])
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


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: affinities.conditional(bad(), 3), [r"X\[1, 2\] is NaN", "remove"]),
        (lambda: affinities.conditional(bad(value=-np.inf), 3), [r"X\[1, 2\] is infinity"]),
        (lambda: affinities.conditional(objects(10), 9), ["perplexity", "N - 1 = 9", "lower it"]),
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


def test_a_row_without_as_many_neighbors_as_the_perplexity_is_no_row_of_zeros():
    with pytest.raises(ValueError, match="perplexity 2 must be below the number of neighbors"):
        at_perplexity(np.array([[1.0, np.inf, np.inf]]), 2, 1e-13)
