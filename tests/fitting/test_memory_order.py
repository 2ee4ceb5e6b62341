"""Fits of very many objects: their order in memory shows in no state but by the rounding of sums."""

import itertools

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.engine.fitting import problem
from notebook_sne.engine.sums import memory_order

X = np.concatenate([np.random.default_rng(seed).normal(seed, 1, (40, 5)) for seed in range(4)])
SINGLE = [ns.TSNE, ns.SymmetricSNE, ns.UNISNE, ns.SNE, ns.NegTSNE, ns.InfoNCTSNE, ns.UMAP, ns.ElasticEmbedding]


@pytest.fixture
def many(monkeypatch):
    """Take 160 objects for very many."""
    monkeypatch.setattr(problem, "MANY", 100)
    monkeypatch.setattr(problem, "FEW", 0)
    monkeypatch.setattr(memory_order, "_CELL", 20)


def states(model, n=12, **options):
    model = model(**{"perplexity": 10, "random_state": 0, "max_iter": 100, "progress": False, **options})
    return list(itertools.islice(model.iterate(X), n))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("model", SINGLE)
@pytest.mark.parametrize("optimizer", ["momentum", "lbfgs"])
def test_a_fit_is_that_of_the_objects_as_they_are_given(model, optimizer, request):
    n = 12 if optimizer == "momentum" else 2  # whose searches along a line magnify what rounding leaves
    expected = states(model, n, optimizer=optimizer)
    request.getfixturevalue("many")
    found = states(model, n, optimizer=optimizer)
    assert any(not np.array_equal(a.Y, b.Y) for a, b in zip(found, expected, strict=True))  # by rounding: it was sorted
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one.cost, other.cost, rtol=1e-6)
        np.testing.assert_allclose(one.Y, other.Y, atol=1e-4 * np.abs(other.Y).max())


def test_knobs_and_extra_dimensions_are_none_of_its_business(request):
    options = {"extra_dimensions": 1, "jitter": 0.01, "n_components": 2}
    expected = states(ns.SymmetricSNE, **options)
    request.getfixturevalue("many")
    for one, other in zip(states(ns.SymmetricSNE, **options), expected, strict=True):
        np.testing.assert_allclose(one.Y, other.Y, atol=1e-4 * np.abs(other.Y).max())


@pytest.mark.usefixtures("many")
def test_a_run_that_goes_on_has_the_bits_of_one_that_never_stopped():
    whole = states(ns.TSNE, 20)
    model = ns.TSNE(perplexity=10, random_state=0, max_iter=100, progress=False)
    for state in itertools.islice(model.iterate(X, start=whole[9]), 11):
        np.testing.assert_array_equal(state.Y, whole[state.iteration].Y)


def test_a_solver_has_the_objects_as_they_are_given(request):
    expected = states(ns.TSNE, optimizer="spectral")
    request.getfixturevalue("many")
    for one, other in zip(states(ns.TSNE, optimizer="spectral"), expected, strict=True):
        np.testing.assert_array_equal(one.Y, other.Y)
