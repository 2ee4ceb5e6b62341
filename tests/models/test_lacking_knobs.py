"""A knob that a model does not have is refused, wherever it is turned; proportions that were changed are honored."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.engine.fitting.knobs import KNOBS
from notebook_sne.models import MODELS, family

X = ns.datasets.load_digits().X[:60]
USUAL = {name: (knob.range.low + min(knob.range.high, knob.range.low + 2)) / 2 for name, knob in KNOBS.items()}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", MODELS)
def test_every_knob_is_in_the_states_or_is_refused(name):
    model = family.class_of(name)(perplexity=10, random_state=0)
    start = next(model.iterate(X))
    for knob, value in USUAL.items():
        knobs = ns.Knobs(**{knob: value})
        if knob in start.knobs:
            *_, last = islice(model.iterate(X, knobs=knobs), 2)
            assert last.knobs[knob] == value
        else:
            with pytest.raises(ValueError, match=f"{name} has no knob '{knob}' here, but perplexity"):
                model.iterate(X, knobs=knobs)


def test_a_knob_turned_on_the_way_is_refused_and_the_run_goes_on_without():
    knobs = ns.Knobs()
    states = ns.TSNE(perplexity=10, random_state=0).iterate(X, knobs=knobs)
    before = list(islice(states, 3))[-1]
    knobs.set(background=0.3)
    with pytest.raises(ValueError, match=r"no knob 'background'.*release it"):
        next(states)
    knobs.release()
    assert next(states).iteration == before.iteration + 1


@pytest.mark.parametrize(
    ("model", "knob", "words"),
    [
        (ns.SNE(perplexity=10, optimizer="lbfgs"), "jitter", "optimizer='lbfgs' has none, optimizer='momentum' does"),
        (ns.SNE(perplexity=None, input="distances"), "perplexity", "nothing to be searched"),
        (ns.SNE(perplexity=10), "background", "no schedule of this model has it"),
    ],
)
def test_the_refusal_says_what_to_do(model, knob, words):
    D = np.sqrt(np.square(X[:, None] - X[None]).sum(-1))
    with pytest.raises(ValueError, match=words):
        model.iterate(X if model.input == "vectors" else D, knobs=ns.Knobs(**{knob: USUAL[knob]}))


def test_a_run_refuses_at_once_what_its_model_lacks():
    with ns.Run(ns.UNISNE(perplexity=10, random_state=0), X) as run:
        run.set(background=0.3)
        run.steps(2)
        with pytest.raises(ValueError, match="UNISNE has no knob 'exaggeration'"):
            run.set(exaggeration=2.0, jitter=0.1)
        with pytest.raises(ValueError, match="there is no knob 'speed'"):
            run.set(speed=1.0)
        assert run.knobs.turned() == {"background": 0.3}


def test_a_run_that_begins_with_a_lacking_knob_fails_until_it_is_released():
    with ns.Run(ns.TSNE(perplexity=10, random_state=0), X, knobs=ns.Knobs(background=0.3)) as run:
        with pytest.raises(ValueError, match="TSNE has no knob 'background'"):
            run.steps(1)
        run.release("background")
        assert run.steps(1).iteration == 1


def test_a_switch_releases_what_the_next_model_lacks_and_a_seek_brings_it_back():
    with ns.Run(ns.UNISNE(perplexity=10, random_state=0), X) as run:
        run.set(background=0.3, momentum=0.7)
        before = run.steps(3)
        run.switch(ns.TSNE(perplexity=10))
        run.set(exaggeration=3.0)  # of the model to come
        after = run.steps(2)
        assert after.knobs["exaggeration"] == 3.0
        assert run.knobs.turned() == {"momentum": 0.7, "exaggeration": 3.0}
        run.seek(2)
        run.wait()
        assert run.knobs.turned() == {"background": 0.3, "momentum": 0.7}
        assert np.array_equal(run.steps(1).Y, before.Y)


def weighted(seed=0):
    made = np.random.default_rng(seed).random((3, 60)) + 0.01
    return made / made.sum(axis=0)


@pytest.mark.parametrize("model", [ns.AspectMaps(n_maps=3), ns.MultipleMapsTSNE(n_maps=3), ns.MixtureSNE(n_images=3)])
def test_changed_proportions_are_honored_and_unchanged_ones_keep_every_bit(model):
    model.set_params(perplexity=10, random_state=0)
    states = model.iterate(X)
    film = list(islice(states, 12))
    for start in (film[6], replace(film[6])):
        states.resume(start)
        assert np.array_equal(list(islice(states, 6))[-1].Y, film[11].Y)
    M = weighted()
    states.resume(replace(film[6], mixing=M))
    changed, later = islice(states, 2)
    np.testing.assert_allclose(changed.mixing, M, rtol=1e-12)
    assert changed.objective != film[6].objective and later.objective != film[7].objective
    assert next(model.iterate(X, start=replace(film[6], mixing=M))).objective == changed.objective
    with pytest.raises(ValueError, match=r"state\.mixing must sum to 1"):
        states.resume(replace(film[6], mixing=2 * M))


def test_proportions_that_a_model_was_given_cannot_be_changed_in_a_run():
    states = ns.AspectMaps(n_maps=3, mixing="equal", perplexity=10, random_state=0).iterate(X)
    film = list(islice(states, 4))
    states.resume(film[2])
    assert np.array_equal(list(islice(states, 2))[-1].Y, film[3].Y)
    with pytest.raises(ValueError, match="must be the proportions that AspectMaps was given"):
        states.resume(replace(film[2], mixing=weighted()))
