"""What a place in the list of models brings with it: a public name, switching to it and from it, and a player.

That a model is added as CONTRIBUTING.md says is tried in `tests/test_contributing.py`, with these tests among others.
"""

import inspect
import re

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne import models
from notebook_sne.engine.sums.stored_pairs import StoredPairs
from notebook_sne.models import MODELS, family
from notebook_sne.models.estimator import estimator
from notebook_sne.models.single import SingleMap
from notebook_sne.models.symmetric import SymmetricSNE

X = ns.datasets.load_digits().X[:80]
each_model = pytest.mark.parametrize("name", family.members())


def test_the_list_is_whole():
    """What tools read, what is public, and what the modules hold are the same."""
    read = re.findall(r"^    from notebook_sne\.models\.(\w+) import (\w+) as \2$", inspect.getsource(models), re.M)
    assert sorted(read) == sorted((model.module, name) for name, model in MODELS.items())
    assert ns.__all__[: len(MODELS)] == list(MODELS)
    for name in MODELS:
        kind = getattr(ns, name)
        assert kind is family.class_of(name) and kind.__name__ == name
        assert issubclass(kind, SingleMap) == (name in family.members())
        assert hasattr(kind, "paper") == bool(MODELS[name].source)


@each_model
def test_a_run_goes_on_under_it_and_from_it(name):
    other, label = "SymmetricSNE" if name == "SNE" else "SNE", MODELS[name].label
    with ns.Run(family.class_of(other)(perplexity=10, random_state=0), X) as run:
        run.steps(5)
        assert name in family.relatives(run.model)
        for wanted in (name, other):
            before = run.state
            run.switch(family.successor(run.model, wanted))
            run.steps(5)
            assert run.state.model == wanted and run.state.iteration == before.iteration + 5
        labels = [MODELS[other].label, label]
        assert [mark.text for mark in run.recording.marks if mark.kind == "model"] == labels[::-1]
        assert repr(run.recording).startswith(f"<Recording of {' → '.join(labels)}")


@each_model
def test_it_is_watched(name):
    player = ns.watch(family.class_of(name)(perplexity=10, random_state=0), X, autoplay=False)
    try:
        player.run.steps(3)
        offered = [(choice["label"], choice["group"]) for choice in player.models]
        assert (MODELS[name].label, "go on") in offered
        assert ((MODELS[name].label, "paper") in offered) == bool(MODELS[name].source)
        try:
            forces = player.run.forces(0)
        except NotImplementedError as error:
            assert f"{name} does not tell its forces" in str(error)
        else:
            assert len(forces.pull) == len(X) and np.isfinite(forces.push).all()
    finally:
        player.close()


@estimator
class Bare(SymmetricSNE):
    """A model that leaves out what it may: a rule for new objects."""

    _kernel = None

    def _evaluate(self, pairs, Y, knobs):
        return SymmetricSNE()._evaluate(pairs, Y, knobs)


class Pairless(Bare):
    """One whose pairs lack what the end of a fit asks for."""

    def _attractive_pairs(self, P):
        return tuple(super()._attractive_pairs(P))

    def _evaluate(self, pairs, Y, knobs):
        return super()._evaluate(StoredPairs(*pairs), Y, knobs)


def test_without_a_rule_for_new_objects_it_refuses_to_place_them():
    model = Bare(perplexity=10, random_state=0, max_iter=20, progress=False).fit(X[:70])
    with pytest.raises(NotImplementedError, match="Bare has no rule for new objects, so transform cannot place"):
        model.transform(X[70:])


def test_pairs_without_a_negentropy_are_refused_before_the_first_update():
    said = r"what Pairless\._attractive_pairs returns must have negentropy, .* got a tuple; return what .*store makes"
    with pytest.raises(TypeError, match=said):
        Pairless(perplexity=10, random_state=0).iterate(X)
