"""A start on principal components is the same for any seed, and for none."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse

import notebook_sne as ns
from notebook_sne.engine.fitting.initialization import scaled

RANDOM = np.random.default_rng(0)


@pytest.mark.slow
@pytest.mark.parametrize(
    "X",
    [
        RANDOM.normal(size=(300, 20)),
        RANDOM.normal(size=(600, 70)),  # of which scikit-learn finds components by random numbers
        RANDOM.normal(size=(40, 600)),
        sparse.csr_array(RANDOM.poisson(0.3, size=(300, 40)).astype(float)),
    ],
    ids=["few features", "many features", "more features than objects", "sparse"],
)
def test_a_start_on_principal_components_needs_no_seed(X):
    made = [ns.TSNE(perplexity=5, max_iter=3, progress=False, random_state=seed).fit(X) for seed in (None, None, 0, 7)]
    for other in made[1:]:
        assert np.array_equal(made[0].embedding_, other.embedding_)
    labels = np.arange(X.shape[0]) % 3
    if not sparse.issparse(X):
        nca = [ns.baselines.NCA(max_iter=2, init="pca", progress=False).fit(X, labels).embedding_ for _ in range(2)]
        assert np.array_equal(*nca)


def test_without_a_seed_a_random_start_is_another_each_time():
    X = RANDOM.normal(size=(60, 5))
    made = [ns.TSNE(perplexity=5, max_iter=3, progress=False, init="random").fit(X).embedding_ for _ in range(2)]
    assert not np.array_equal(*made)


@pytest.mark.parametrize("best", [1e-9, 3.0])
def test_a_map_in_the_unit_of_the_data_gets_the_width_that_costs_least(best):
    theta = 50.0 * RANDOM.normal(size=40)

    def evaluate(there):
        width = np.sqrt(np.mean(there**2))
        return SimpleNamespace(gradient=(1 - best / width) * there)

    there = scaled(theta, 40, evaluate, data_units=True)
    assert np.sqrt(np.mean(there**2)) == pytest.approx(best, rel=1e-2)
    np.testing.assert_allclose(there / there[0], theta / theta[0])
