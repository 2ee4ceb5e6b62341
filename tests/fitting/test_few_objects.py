"""What "auto" is with few objects: a first example works, and one sentence says what it took."""

import warnings

import numpy as np
import pytest
from scipy import sparse

import notebook_sne as ns
from notebook_sne import baselines, networks
from notebook_sne.engine.fitting.inputs import perplexity_for
from tests.calls import MODELS
from tests.tables import in_one_test

X = np.random.default_rng(0).normal(size=(100, 5))
ONE_MAP = (ns.TSNE, ns.SNE, ns.SymmetricSNE, ns.UNISNE, ns.MixtureSNE, ns.NegTSNE)
BRIEF = {"max_iter": 3, "random_state": 0, "progress": False, "n_maps": 2, "hidden": (3,)}
# What "auto" is of, and the fewest objects that have all of it, for whatever has one.
AUTO = {
    **{kind: ({"perplexity": "auto"}, 91) for kind in MODELS},
    ns.UMAP: ({"n_neighbors": "auto"}, 16),
    networks.ParametricMap: ({"model": ns.TSNE()}, 91),
    networks.Autoencoder: ({"regularizer": ns.SNE()}, 91),
    **{kind: ({"n_neighbors": "auto"}, 13) for kind in (baselines.Isomap, baselines.LLE, baselines.LaplacianEigenmaps)},
    baselines.MVU: ({"n_neighbors": "auto"}, 5),
}


def warned(model, X):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model.set_params(**{name: value for name, value in BRIEF.items() if name in model.get_params()}).fit(X)
    maps = getattr(model, "embedding_", None)
    assert np.isfinite(model.maps_ if maps is None else maps).all()
    return [str(warning.message) for warning in said]


@in_one_test("n_objects", [4, 5, 10, 50, 90, 100])
@in_one_test("kind", AUTO)
def test_auto_fits_few_objects_and_says_so_in_one_sentence(kind, n_objects):
    options, enough = AUTO[kind]
    said = warned(kind(**options), X[:n_objects])
    assert len(said) == (n_objects < enough)
    for text in said:
        assert text.startswith(("perplexity is ", "n_neighbors is ")) and f" with these {n_objects}" in text


def test_three_objects_have_a_map_and_one_sentence_says_that_they_are_too_few():
    (said,) = warned(ns.TSNE(perplexity="auto"), X[:3])
    assert said.startswith("perplexity 1.25 is above a third of the 3 objects") and warned(ns.UMAP(), X[:3])


def test_every_kind_that_has_an_auto_is_asked():
    kinds = [getattr(room, name) for room in (ns, baselines, networks) for name in room.__all__]
    kinds = [kind for kind in kinds if hasattr(kind, "get_params") and kind not in AUTO]
    assert not [kind for kind in kinds if {"perplexity", "n_neighbors"} & {*kind().get_params()}]


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


def test_of_given_neighbors_the_usual_number_counts_and_not_that_of_a_hub():
    graph = np.zeros((60, 60))
    for i in range(60):
        graph[i, (i + np.arange(1, 7)) % 60] = 1.0
    graph[0, 1:] = 1.0
    assert perplexity_for("auto", sparse.csr_array(graph), "neighbors") == pytest.approx(4)
