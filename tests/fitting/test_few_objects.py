"""What "auto" is with few objects: a first example works, and one sentence says what it took."""

import warnings

import numpy as np
import pytest
from scipy import sparse

import notebook_sne as ns
from notebook_sne.engine.fitting.inputs import perplexity_for
from tests.tables import in_one_test

X = np.random.default_rng(0).normal(size=(100, 5))
ONE_MAP = (ns.TSNE, ns.SNE, ns.SymmetricSNE, ns.UNISNE, ns.MixtureSNE, ns.NegTSNE)


def warned(model, X):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model.set_params(max_iter=3, random_state=0, progress=False).fit(X)
    maps = getattr(model, "embedding_", None)
    assert np.isfinite(model.maps_ if maps is None else maps).all()
    return [str(warning.message) for warning in said]


@in_one_test("n_objects", [4, 5, 12, 31, 90])
@in_one_test("model", ONE_MAP)
def test_a_perplexity_of_auto_fits_few_objects_and_says_so(model, n_objects):
    (text,) = warned(model(), X[:n_objects])
    assert "perplexity" in text and "auto" in text and str(n_objects) in text


@pytest.mark.parametrize("model", (*ONE_MAP, ns.UMAP))
def test_many_objects_need_no_warning(model):
    assert warned(model(), X) == []


@pytest.mark.parametrize("model", ONE_MAP)
def test_a_perplexity_that_is_given_is_not_lowered(model):
    with pytest.raises(ValueError, match="perplexity must be below N - 1 = 11, got 30"):
        model(perplexity=30).fit(X[:12])


@in_one_test("n_objects", [4, 12, 15])
@in_one_test("n_neighbors", ["auto", 15, 400])
def test_neighbors_of_umap_are_at_most_the_others_and_say_so(n_neighbors, n_objects):
    model = ns.UMAP(n_neighbors=n_neighbors)
    (text,) = warned(model, X[:n_objects])
    assert text.startswith(f"n_neighbors is {n_objects - 1} with these {n_objects} objects")
    assert model.transform(X[:2]).shape == (2, 2)
    fitting = ns.UMAP(n_neighbors=n_objects - 1)
    assert warned(fitting, X[:n_objects]) == []
    assert np.array_equal(model.embedding_, fitting.embedding_)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found, expected = (ns.affinities.umap(X[:n_objects], n) for n in (n_neighbors, n_objects - 1))
        assert (found != expected).nnz == 0


def test_three_objects_have_a_map():
    for model in (ns.TSNE(), ns.UMAP()):
        assert warned(model, X[:3])


def test_of_given_neighbors_the_usual_number_counts_and_not_that_of_a_hub():
    graph = np.zeros((60, 60))
    for i in range(60):
        graph[i, (i + np.arange(1, 7)) % 60] = 1.0
    graph[0, 1:] = 1.0
    assert perplexity_for("auto", sparse.csr_array(graph), "neighbors") == pytest.approx(4)
