"""Classical scaling is PCA where distances are Euclidean, and tells where they are not."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from notebook_sne.baselines import PCA, ClassicalMDS
from notebook_sne.baselines.scaling import double_centered


def test_double_centering_makes_the_inner_products_of_centered_vectors():
    X = np.random.default_rng(0).standard_normal((20, 5))
    B = double_centered(squareform(pdist(X, "sqeuclidean")))
    centered = X - X.mean(axis=0)
    assert np.allclose(B, centered @ centered.T, atol=1e-12)
    assert np.abs(B.mean(axis=0)).max() < 1e-12 and np.abs(B.mean(axis=1)).max() < 1e-12


@pytest.mark.parametrize("n_components", [1, 2, 5])
def test_of_euclidean_distances_it_is_pca(n_components):
    X = np.random.default_rng(0).standard_normal((60, 5)) * [5, 4, 3, 2, 1]
    pca = PCA(n_components=n_components).fit(X)
    width = np.abs(pca.embedding_).max()
    for mds in (
        ClassicalMDS(n_components=n_components).fit(X),
        ClassicalMDS(n_components=n_components, input="distances").fit(squareform(pdist(X))),
    ):
        assert np.abs(np.abs(mds.embedding_) - np.abs(pca.embedding_)).max() < 1e-12 * width
        assert np.abs(mds.eigenvalues_[5:]).max() < 1e-12 * mds.eigenvalues_[0]
        left = mds.eigenvalues_[n_components:]
        assert mds.cost_ == pytest.approx(np.square(left).sum(), rel=1e-9, abs=1e-18 * mds.eigenvalues_[0] ** 2)


def test_the_cost_is_the_strain():
    X = np.random.default_rng(0).standard_normal((30, 4))
    D = squareform(pdist(X, "cityblock"))
    mds = ClassicalMDS(input="distances").fit(D)
    strain = np.square(double_centered(D**2) - mds.embedding_ @ mds.embedding_.T).sum()
    assert mds.cost_ == pytest.approx(strain, rel=1e-9)


def test_distances_that_no_vectors_have_give_negative_eigenvalues():
    """Three objects at distance 2 from each other, and a fourth at 1 from all: it would be in the middle, at 1.155."""
    D = 2.0 * (1 - np.eye(4))
    D[3, :3] = D[:3, 3] = 1.0
    mds = ClassicalMDS(n_components=3, input="distances").fit(D)
    assert np.allclose(mds.eigenvalues_, [2, 2, 0, -0.25], atol=1e-12)
    assert np.all(np.abs(mds.embedding_[:, 2]) < 1e-6)
    assert mds.cost_ == pytest.approx(0.25**2)


def test_an_axis_that_the_fitted_objects_do_not_reach_places_no_new_one():
    t = np.random.default_rng(0).standard_normal((20, 1))
    for factor in (1.0, 1.1, 1.3, 1.7, 1.9):  # as rounding has it, the second eigenvalue lies above or below 0
        mds = ClassicalMDS(n_components=2).fit(factor * t * [3.0, 4.0])
        placed = mds.transform([[4.0, -3.0], [50.0, 20.0]])
        assert np.abs(placed[:, 1]).max() < 1e-4


def test_new_objects_are_placed_as_by_pca():
    X = np.random.default_rng(0).standard_normal((60, 5)) * [5, 4, 3, 2, 1]
    pca, mds = PCA().fit(X[:40]), ClassicalMDS().fit(X[:40])
    signs = np.sign((pca.embedding_ * mds.embedding_).sum(axis=0))
    assert np.allclose(mds.transform(X[40:]), signs * pca.transform(X[40:]), atol=1e-10)
