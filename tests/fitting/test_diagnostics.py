"""A fit whose map is of no use says so; no other does."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

import notebook_sne as ns
from tests.calls import MODELS

CIRCLE = ns.datasets.load_circle(50).X


def quick(model, **parameters):
    several = {"n_maps": 3} if "n_maps" in model().get_params() else {}
    several = {"n_images": 3} if model is ns.MixtureSNE else several
    return model(**{"perplexity": 10, "random_state": 0, "progress": False, **several, **parameters})


@pytest.mark.sampled(2)
@pytest.mark.parametrize("learning_rate", [1e9, 1e25])
def test_a_map_that_was_flung_apart_says_so(learning_rate):
    with pytest.warns(ConvergenceWarning, match=r"this TSNE reaches .* no neighborhoods; lower the learning"):
        fitted = quick(ns.TSNE, learning_rate=learning_rate).fit(CIRCLE)
    assert np.isfinite(fitted.cost_) and np.abs(fitted.embedding_).max() > 1e6


@pytest.mark.sampled(4)
@pytest.mark.parametrize("model", [ns.SymmetricSNE, ns.UNISNE, ns.TSNE, ns.MultipleMapsTSNE])
def test_a_start_that_is_too_wide_says_so(model):
    init = 1e14 * np.random.default_rng(0).normal(size=(50, 2))
    init = np.stack([init] * 3) if model is ns.MultipleMapsTSNE else init
    with pytest.warns(ConvergenceWarning, match=r"or start nearer, as with init='random'"):
        quick(model, init=init, max_iter=200).fit(CIRCLE)


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
def test_a_fit_that_never_got_anywhere_says_so_once_it_had_the_time(model):
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        quick(model, init="random", learning_rate=1e-9, max_iter=50).fit(CIRCLE)  # too short to tell
    with pytest.warns(ConvergenceWarning, match=r"no more of P than equal distances.* raise the learning_rate"):
        quick(model, init="random", learning_rate=1e-9, max_iter=2000 if model is ns.UNISNE else 700).fit(CIRCLE)


@pytest.mark.slow
@pytest.mark.sampled(5)
@pytest.mark.parametrize("model", MODELS)
def test_fits_that_are_of_use_say_nothing(model):
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        quick(model).fit(CIRCLE)
        quick(model, learning_rate=1e5).fit(CIRCLE)  # far too high, and yet it finds its way


def test_where_p_is_uniform_there_is_nothing_to_warn_of():
    D = np.ones((12, 12)) - np.eye(12)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        ns.SNE(input="distances", perplexity=None, random_state=0, max_iter=400, progress=False).fit(D)
