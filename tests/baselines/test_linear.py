"""PCA leaves the least variance out; LDA tells classes by their means."""

import numpy as np
import pytest

from notebook_sne.baselines import LDA, PCA


def test_the_cost_of_pca_is_the_variance_left_out():
    X = np.random.default_rng(0).standard_normal((50, 4)) * [3, 2, 1, 0.5] + 100
    pca = PCA().fit(X)
    rebuilt = X.mean(axis=0) + pca.embedding_ @ pca.components_
    assert pca.cost_ == pytest.approx(np.square(X - rebuilt).sum() / 50, rel=1e-9)
    values = np.sort(np.linalg.eigvalsh(np.cov(X.T, bias=True)))
    assert pca.cost_ == pytest.approx(values[:2].sum(), rel=1e-9)
    assert pca.explained_variance_ratio_.sum() == pytest.approx(values[2:].sum() / values.sum(), rel=1e-9)
    assert PCA(n_components=4).fit(X).cost_ < 1e-9


def test_many_objects_and_few_give_the_same_components():
    """Below ten objects a feature the work goes another way."""
    X = np.random.default_rng(1).standard_normal((39, 4)) * [3, 2, 1, 0.5]
    few, many = PCA().fit(X), PCA().fit(np.concatenate([X, X]))
    assert np.allclose(np.abs(few.components_), np.abs(many.components_))
    assert np.allclose(np.abs(few.embedding_), np.abs(many.embedding_[:39]))


def test_pca_has_no_more_components_than_features():
    with pytest.raises(ValueError, match=r"n_components must be at most min\(N, n_features\) = 3, got 4"):
        PCA(n_components=4).fit(np.random.default_rng(0).random((10, 3)))


def classes(n_each=40, seed=0):
    """Three classes that differ along the second and third axis, beside a first one that is wide and says nothing."""
    rng = np.random.default_rng(seed)
    y = np.repeat(["a", "b", "c"], n_each)
    means = np.repeat([[0, 0, 0], [0, 3, 0], [0, 0, 3]], n_each, axis=0)
    return rng.standard_normal((3 * n_each, 3)) * [20, 1, 1] + means, y


def test_lda_finds_the_directions_in_which_means_differ():
    X, y = classes()
    lda = LDA().fit(X, y)
    assert lda.classes_ == ("a", "b", "c")
    assert abs(np.corrcoef(lda.embedding_[:, 0], X[:, 0])[0, 1]) < 0.2
    within = np.concatenate([lda.embedding_[y == k] - lda.embedding_[y == k].mean(axis=0) for k in "abc"])
    spread = within.T @ within / (len(y) - 3)
    assert np.allclose(spread, np.eye(2), atol=0.05)  # scikit-learn divides by N where this divides by N - 3


def test_the_cost_of_lda_is_wilks_lambda_and_no_projection_has_less():
    X, y = classes()

    def wilks(Y):
        within = sum(np.cov(Y[y == k].T, bias=True) for k in "abc") / 3
        return np.linalg.det(within) / np.linalg.det(np.cov(Y.T, bias=True))

    lda = LDA().fit(X, y)
    assert lda.cost_ == pytest.approx(wilks(lda.embedding_), rel=1e-9)
    rng = np.random.default_rng(0)
    assert all(wilks(X @ rng.standard_normal((3, 2))) >= lda.cost_ for _ in range(20))


def test_objects_without_a_class_have_a_place_and_no_say():
    X, y = classes()
    some = y.astype(object)
    some[::5] = None
    known = np.array([label is not None for label in some])
    lda, alone = LDA().fit(X, some), LDA().fit(X[known], y[known])
    assert np.allclose(lda.embedding_[known], alone.embedding_) and lda.cost_ == pytest.approx(alone.cost_)
    assert np.allclose(lda.embedding_[~known], alone.transform(X[~known]))


def test_labels_of_lda_stand_in_for_those_of_a_fit():
    X, y = classes()
    lda = LDA().fit(X, y)
    assert np.allclose(LDA(labels=y).fit(X).embedding_, lda.embedding_)
    assert np.allclose(LDA(labels=y[::-1]).fit(X, y).embedding_, lda.embedding_)
    assert np.allclose(next(LDA().iterate(X, y=y)).embedding, lda.embedding_)


def test_lda_wants_classes_and_enough_of_them():
    X, y = classes()
    with pytest.raises(ValueError, match="LDA requires y to be passed"):
        LDA().fit(X)
    with pytest.raises(ValueError, match="LDA requires y"):
        LDA().iterate(X)
    with pytest.raises(ValueError, match="at most 1 with 2 classes"):
        LDA().fit(X, y == "a")
    with pytest.raises(ValueError, match="labels"):
        LDA().fit(X, y[:5])
