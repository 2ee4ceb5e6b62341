"""New objects among the fitted ones of several maps."""

import pickle
from functools import partial

import numpy as np
import pytest
from scipy import sparse

import notebook_sne as ns
from notebook_sne import affinities
from notebook_sne.engine.fitting import out_of_sample
from notebook_sne.engine.mathematics.perplexity import probabilities_at_perplexity
from notebook_sne.engine.mathematics.row_mixtures import row_mixtures
from tests.models.test_transform import across, clusters, fit

MAPS = ns.AspectMaps, ns.MultipleMapsTSNE
each_model = pytest.mark.parametrize("model", MAPS)
each_model_and_images = pytest.mark.parametrize("model", [*MAPS, pytest.param(ns.MixtureSNE, marks=pytest.mark.slow)])


def same(one, other):
    return all(np.array_equal(a, b, equal_nan=True) for a, b in zip(one, other, strict=True))


def several(model, X=None, **options):
    own = {"pull": 0.1} if model is ns.MixtureSNE else {"n_maps": 3}
    return fit(model, X, **{"max_iter": 120, **own, **options})


@each_model
def test_places_and_proportions_are_those_of_the_mixture_of_the_row(model):
    X, new = clusters(), clusters(4, seed=1)
    fitted = several(model, X)
    P, _ = probabilities_at_perplexity(across(new, X) ** 2, 8.0)
    P[P < 1e-6] = 0.0
    found = row_mixtures(sparse.csr_array(P), fitted.maps_, fitted.mixing_, student=model is ns.MultipleMapsTSNE)
    maps, mixing = fitted.place(new)
    assert maps.shape == (3, 12, 2) and mixing.shape == (3, 12)
    np.testing.assert_allclose(mixing, found.mixing(3), atol=1e-6)
    np.testing.assert_allclose(mixing.sum(axis=0), 1.0)
    assert np.array_equal(np.isnan(maps).all(axis=2), mixing == 0) and not np.isnan(maps[mixing > 0]).any()


@each_model
def test_new_objects_lie_among_their_own(model):
    fitted, labels = several(model), np.repeat(range(3), 25)
    maps, mixing = fitted.place(clusters(4, seed=1))
    for i, m in enumerate(mixing.argmax(axis=0)):
        strength = -np.square(fitted.maps_[m] - maps[m, i]).sum(axis=1) + np.log(fitted.mixing_[m])
        assert labels[strength.argmax()] == i // 4


@each_model_and_images
def test_each_is_placed_as_if_alone_whatever_the_blocks_and_threads(model, monkeypatch):
    new, fitted = clusters(4, seed=1), several(model)
    together = fitted.place(new)
    for i in range(len(new)):
        alone = fitted.place(new[[i]])
        assert same(alone, (together.maps[:, [i]], together.mixing[:, [i]]))
    monkeypatch.setattr(out_of_sample, "_ENTRIES", 75 * 5)
    assert same(fitted.set_params(n_jobs=1).place(new), together)
    assert same(pickle.loads(pickle.dumps(fitted)).place(new), together)


@each_model_and_images
def test_inputs_of_every_kind_lead_to_the_same_places(model):
    X, new = clusters(), clusters(4, seed=1)
    D, P = across(new, X), probabilities_at_perplexity(across(new, X) ** 2, 8.0)[0]
    by_vectors = several(model, X)
    expected = by_vectors.place(new)
    by_distances = several(model, across(X, X), input="distances", max_iter=1)
    by_rows = several(model, affinities.conditional(X, 8), input="probabilities", max_iter=1)
    for other in (by_distances, by_rows):
        other.maps_, other.mixing_ = by_vectors.maps_, by_vectors.mixing_
    for found in (by_distances.place(D), by_rows.place(P)):
        np.testing.assert_allclose(found.mixing, expected.mixing, atol=1e-4)
        np.testing.assert_allclose(found.maps, expected.maps, atol=1e-3)
    assert same(by_rows.place(sparse.csr_array(P)), by_rows.place(P))


@pytest.mark.parametrize(
    ("one", "most"),
    [(partial(several, ns.AspectMaps, n_maps=1), np.inf), (partial(several, ns.MixtureSNE, n_images=1), 2e-3)],
)
def test_what_has_one_map_has_the_places_of_sne(one, most):
    X, new = clusters(), clusters(4, seed=1)
    one, single = one(X), fit(ns.SNE, X, max_iter=2)
    single.embedding_ = one.maps_[0]
    maps, mixing = one.place(new)
    assert (mixing == 1.0).all()
    off = np.linalg.norm(maps[0] - single.transform(new), axis=1)
    # Of aspect maps, what lies far is left to the even component here.
    assert np.median(off) < 0.3 and off.max() < most


@pytest.mark.parametrize("mixing", ["equal", "free"])
def test_a_fit_with_fixed_proportions_places_objects_too(mixing):
    for model in (ns.AspectMaps, ns.MixtureSNE):
        placed = several(model, mixing=mixing).place(clusters(2, seed=1))
        np.testing.assert_allclose(placed.mixing.sum(axis=0), 1.0)
        assert (placed.mixing == 1 / len(placed.mixing)).all() == (mixing == "equal" and model is ns.MixtureSNE)


@pytest.mark.slow
def test_the_images_of_new_objects_lie_among_their_own():
    fitted, labels = several(ns.MixtureSNE), np.repeat(range(3), 25)
    maps, mixing = fitted.place(clusters(4, seed=1))
    assert maps.shape == (2, 12, 2) and mixing.shape == (2, 12) and np.isfinite(maps).all()
    np.testing.assert_allclose(mixing.sum(axis=0), 1.0)
    for i, b in enumerate(mixing.argmax(axis=0)):
        squares = np.square(fitted.maps_ - maps[b, i]).sum(axis=2) - np.log(fitted.mixing_)
        assert labels[squares.min(axis=0).argmin()] == i // 4


def test_a_new_object_between_two_groups_has_an_image_in_each():
    X = clusters()
    P = affinities.conditional(X, 8)
    fitted = several(ns.MixtureSNE, P, input="probabilities", pull=0.02, mixing="equal")
    maps, _ = fitted.place(np.stack([0.5 * P[0] + 0.5 * P[30], P[0]]))
    assert np.linalg.norm(maps[0, 0] - maps[1, 0]) > 2 * np.linalg.norm(maps[0, 1] - maps[1, 1])
    group = [np.square(fitted.maps_ - maps[b, 0]).sum(axis=2).min(axis=0).argmin() // 25 for b in (0, 1)]
    assert sorted(group) == [0, 1]
