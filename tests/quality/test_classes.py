import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from notebook_sne.quality import knn_confusion, knn_error
from tests.quality.slow import slow_neighbors

RANDOM = np.random.default_rng(0)


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


def test_three_labeled_objects_are_enough():
    Y, labels = [[0.0], [1.0], [9.0], [2.0]], ["a", "a", None, "b"]
    assert knn_error(Y, labels) == 1 / 3
    with pytest.raises(ValueError, match="got those of 2; the others are unlabeled and left out"):
        knn_error(Y, ["a", "a", None, None])


def test_read_only_input_and_lists_are_taken():
    Y = RANDOM.normal(size=(10, 2))
    Y.flags.writeable = False
    assert knn_error(Y, [0, 1] * 5) == knn_error(Y.tolist(), np.array([0, 1] * 5))
