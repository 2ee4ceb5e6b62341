import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from notebook_sne import quality
from notebook_sne.quality import knn_confusion, knn_error, neighbor_recall, procrustes_disparity, trustworthiness

RANDOM = np.random.default_rng(0)


def slow_neighbors(X, k):
    """The k nearest others of each object, lower numbers first where distances agree."""
    D = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    np.fill_diagonal(D, np.inf)
    return np.argsort(D, axis=1, kind="stable")[:, :k]


def test_knn_error_is_that_of_a_hold_one_out_classifier():
    Y, labels = RANDOM.normal(size=(60, 2)), RANDOM.integers(0, 3, 60)
    wrong = 0
    for i in range(60):
        others = np.arange(60) != i
        wrong += KNeighborsClassifier(1).fit(Y[others], labels[others]).predict(Y[[i]])[0] != labels[i]
    assert knn_error(Y, labels) == wrong / 60


def test_a_tied_vote_counts_as_the_share_of_wrong_winners():
    Y = [[0.0], [-1.0], [1.1], [-1.2], [1.15]]
    labels = ["a", "a", "b", "a", "b"]
    # The two nearest of 0 are 1 (a) and 2 (b); of 2, 4 (b) and 0 (a); of 4, 2 (b) and 0 (a). Those of 1 and 3 are a.
    assert knn_error(Y, labels, k=2) == pytest.approx((0.5 + 0 + 0.5 + 0 + 0.5) / 5)


def test_the_names_of_classes_do_not_matter():
    Y, labels = RANDOM.normal(size=(50, 2)), RANDOM.integers(0, 4, 50)
    renamed = np.array(["z", "b", "y", "a"])[labels]
    for k in (1, 2, 6):
        assert knn_error(Y, labels, k) == knn_error(Y, renamed, k) == knn_error(Y, renamed.astype(object), k)


def test_confusion_counts_who_is_taken_for_whom():
    Y, labels = RANDOM.normal(size=(60, 2)), RANDOM.integers(0, 3, 60)
    nearest = slow_neighbors(Y, 1)[:, 0]
    expected = np.zeros((3, 3), dtype=int)
    for own, guess in zip(labels, labels[nearest], strict=True):
        expected[own, guess] += 1
    found = knn_confusion(Y, labels)
    assert not (expected == expected.T).all()  # or rows and columns could be exchanged unseen
    np.testing.assert_array_equal(found.to_numpy(), expected)
    assert (found.dtypes == np.int64).all()


def test_confusion_divides_a_tied_object_among_the_winners():
    Y = [[0.0], [-1.0], [1.1], [-1.2], [1.15]]
    labels = ["a", "a", "b", "a", "b"]
    # As above: 0, 2 and 4 are tied between a and b, 1 and 3 are guessed a.
    found = knn_confusion(Y, labels, k=2)
    np.testing.assert_array_equal(found, [[2.5, 0.5], [1, 1]])
    assert list(found.index) == list(found.columns) == ["a", "b"]
    assert (found.index.name, found.columns.name) == ("class", "guessed")


@pytest.mark.parametrize("k", [1, 2, 3, 6, 299])
def test_what_lies_off_the_diagonal_is_the_knn_error(k):
    Y, labels = RANDOM.normal(size=(300, 2)), RANDOM.choice(["x", "y", "z", "w"], 300, p=[0.1, 0.2, 0.3, 0.4])
    found = knn_confusion(Y, labels, k)
    np.testing.assert_allclose(found.sum(axis=1), [(labels == name).sum() for name in found.index], rtol=1e-12)
    # Sums of a few hundred fractions in another order.
    assert 1 - np.trace(found) / 300 == pytest.approx(knn_error(Y, labels, k), abs=1e-12)


def test_confusion_knows_a_class_that_nobody_is_taken_for():
    found = knn_confusion([[0.0], [1.0], [1.5], [9.0]], [0, 0, 0, 7])
    np.testing.assert_array_equal(found, [[3, 0], [1, 0]])
    assert found.loc[7, 0] == 1


@pytest.mark.parametrize("n_features", [2, 40])
def test_neighbors_are_exact_also_among_ties(n_features):
    lattice = RANDOM.integers(0, 2, (120, n_features)).astype(float)
    smooth = 1e3 + RANDOM.normal(size=(120, n_features))
    for X in (lattice, smooth):
        for k in (1, 7, 118, 119):
            found = np.sort(quality._neighbors(X, k), axis=1)
            np.testing.assert_array_equal(found, np.sort(slow_neighbors(X, k), axis=1))


def test_coincident_objects_have_neighbors_other_than_themselves():
    Y = np.zeros((6, 2))
    Y[5] = 1
    np.testing.assert_array_equal(quality._neighbors(Y, 1)[:, 0], [1, 0, 0, 0, 0, 0])


def test_recall_is_the_mean_share_of_kept_neighbors():
    X, Y = RANDOM.normal(size=(40, 5)), RANDOM.normal(size=(40, 2))
    kept = [len(set(a) & set(b)) / 6 for a, b in zip(slow_neighbors(X, 6), slow_neighbors(Y, 6), strict=True)]
    assert neighbor_recall(X, Y, 6) == pytest.approx(np.mean(kept))
    assert neighbor_recall(X, X, 6) == 1.0
    assert neighbor_recall(X, Y, 39) == 1.0


def test_a_map_that_is_the_data_is_trustworthy():
    X = RANDOM.normal(size=(40, 2))
    assert trustworthiness(X, X, 5) == 1.0
    assert trustworthiness(X, RANDOM.normal(size=(40, 2)), 5) < 0.7


def test_procrustes_disparity_sees_through_turning_mirroring_moving_and_scaling():
    A = RANDOM.normal(size=(30, 2))
    B = 3 * A @ np.array([[0.6, 0.8], [0.8, -0.6]]) + [5, -7]
    assert procrustes_disparity(A, B) == pytest.approx(0, abs=1e-12)
    assert 0.5 < procrustes_disparity(A, RANDOM.normal(size=(30, 2))) <= 1


def test_read_only_input_and_lists_are_taken():
    Y = RANDOM.normal(size=(10, 2))
    Y.flags.writeable = False
    assert knn_error(Y, [0, 1] * 5) == knn_error(Y.tolist(), np.array([0, 1] * 5))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda Y: knn_error(Y, [0] * 9), "labels must hold one entry for each of the 10 objects, got 9"),
        (lambda Y: knn_error(Y, [np.inf] * 10), "labels must be finite, got inf at object 0"),
        (lambda Y: knn_error(Y, ["a", None] + [np.nan] * 8), "labels must name the classes of at least 3 .* of 1; the"),
        (lambda Y: knn_error(Y, [0] * 8 + [None] * 2, k=8), "k must be below N, so at most 7, got 8; lower it"),
        (lambda Y: knn_error(Y, [0] * 10, k=10), "k must be below N, so at most 9, got 10; lower it"),
        (lambda Y: knn_error(Y, [0] * 10, k=0), "k must be at least 1, got 0"),
        (lambda Y: knn_error(Y * np.nan, [0] * 10), r"Y must be finite, but Y\[0, 0\] is NaN"),
        (lambda Y: knn_confusion(Y, [0] * 9), "labels must hold one entry for each of the 10 objects, got 9"),
        (lambda Y: knn_confusion(Y, [0] * 10, k=10), "k must be below N, so at most 9, got 10; lower it"),
        (lambda Y: knn_confusion(Y * np.nan, [0] * 10), r"Y must be finite, but Y\[0, 0\] is NaN"),
        (lambda Y: neighbor_recall(Y, Y[:9]), "X and Y must hold the same objects, got 10 and 9"),
        (lambda Y: trustworthiness(Y, Y, k=5), "k must be below N / 2, so at most 4, got 5"),
        (lambda Y: procrustes_disparity(Y, Y[:, :1]), r"A and B must have the same shape, got \(10, 2\) and \(10, 1\)"),
    ],
)
def test_errors_name_the_argument_and_the_rule(call, message):
    with pytest.raises(ValueError, match=message):
        call(np.random.default_rng(1).normal(size=(10, 2)))


def test_ranks_over_too_many_objects_are_refused():
    Y = np.zeros((10_001, 1))
    Y[0] = 1
    with pytest.raises(ValueError, match="at most 10000 objects"):
        trustworthiness(Y, Y)
