"""What a run is warned of: once, where it begins, and not at each turn of a knob."""

import itertools
import warnings

import numpy as np
import pytest

import notebook_sne as ns
from tests.calls import MODELS
from tests.tables import in_one_test

X = np.random.default_rng(0).normal(size=(60, 4))
D = np.linalg.norm(X[:, None] - X, axis=2)
NEAREST = np.argsort(D, axis=1)[:, 1:]


def quick(model, **parameters):
    several = {"n_maps": 2} if "n_maps" in model().get_params() else {}
    several = {"n_images": 2} if model is ns.MixtureSNE else several
    return model(**{"perplexity": 21, "max_iter": 2, "random_state": 0, "progress": False, **several, **parameters})


@in_one_test("model", MODELS)
def test_a_perplexity_above_a_third_of_the_objects_is_warned_of_once(model):
    with pytest.warns(UserWarning, match="perplexity 21 is above a third of the 60 objects") as told:
        quick(model).fit(X)
    assert len(told) == 1 and told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        quick(model, perplexity=20).fit(X)


@pytest.mark.parametrize(
    ("given", "input"), [(D, "distances"), ((NEAREST, np.take_along_axis(D, NEAREST, axis=1)), "neighbors")]
)
def test_it_is_warned_of_whatever_p_is_made_of(given, input):
    with pytest.warns(UserWarning, match="perplexity 21 is above a third"):
        quick(ns.SNE, input=input).fit(given)


def test_the_perplexity_at_the_end_of_a_schedule_counts():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        quick(ns.SNE, perplexity=ns.Steps(50, 5, at=1)).fit(X)
    with pytest.warns(UserWarning, match="perplexity 50 is above"):
        quick(ns.SNE, perplexity=ns.Steps(5, 50, at=1)).fit(X)


def test_a_knob_that_is_turned_and_a_run_that_goes_on_are_not_warned_of():
    knobs = ns.Knobs()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        states = quick(ns.SNE, perplexity=5).iterate(X, knobs=knobs)
        for perplexity in (30, 40, 50):
            knobs.set(perplexity=perplexity)
            state = next(itertools.islice(states, 1, None))
        assert state.knobs["perplexity"] == 50
        next(quick(ns.TSNE).iterate(X, start=state))


def test_a_p_that_is_given_has_no_perplexity_to_be_warned_of():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        quick(ns.SNE, input="probabilities").fit(ns.affinities.conditional(X, 20))


def test_a_start_of_more_dimensions_than_the_map_is_refused():
    state = next(quick(ns.TSNE, n_components=3, perplexity=5).iterate(X))
    with pytest.raises(ValueError, match=r"start must hold positions of shape .*got \(1, 60, 3\)"):
        next(quick(ns.TSNE, perplexity=5).iterate(X, start=state))
