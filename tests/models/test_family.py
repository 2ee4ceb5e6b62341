"""Going on under another model, and what stays the same."""

import itertools

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.affinities.metrics import input_of
from notebook_sne.engine.fitting import inputs
from notebook_sne.models.family import members, recipe, relatives, successor

X = ns.datasets.load_digits().X[:120]


def run(model, n, start=None):
    return next(itertools.islice(model.iterate(X, start=start), n, None))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", members())
def test_a_successor_goes_on_from_the_same_positions_and_gets_better(name):
    before = ns.SymmetricSNE(perplexity=10, random_state=0)
    state = run(before, 60)
    after = successor(before, name)
    assert (after.perplexity, after.random_state) == (10, 0)
    states = after.iterate(X, start=state)
    first = next(states)
    assert np.array_equal(first.Y, state.Y) and first.iteration == state.iteration
    assert next(itertools.islice(states, 150, None)).cost < first.cost


def test_the_step_from_symmetric_to_uni_sne_has_its_background_at_once():
    model = ns.SymmetricSNE(perplexity=10, random_state=0)
    states = successor(model, "UNISNE").iterate(X, start=run(model, 20))
    assert next(states).knobs["background"] == 0.2
    assert next(states).phase == "background"
    own = ns.UNISNE(background=0.4)
    assert next(iter(successor(own, "UNISNE").iterate(X))).knobs["background"] == 0.4


def test_t_sne_goes_on_without_exaggeration():
    model = ns.SNE(perplexity=10, random_state=0)
    assert next(successor(model, "TSNE").iterate(X, start=run(model, 20))).knobs["exaggeration"] == 1.0


def test_a_recipe_is_the_paper_s_for_the_same_data():
    model = ns.TSNE(perplexity=5, random_state=3, n_components=1)
    made = recipe(model, "SNE")
    assert isinstance(made, ns.SNE)
    assert (made.perplexity, made.random_state, made.n_components) == (15.0, 3, 1)
    assert made.get_params() == ns.SNE.paper(random_state=3, n_components=1).get_params()


def test_a_successor_measures_as_the_model_before():
    cosines = ns.TSNE(metric="cosine", neighbors="exact", perplexity=10, random_state=0)
    for made in (successor(cosines, "SNE"), recipe(cosines, "UNISNE")):
        assert (made.metric, made.neighbors) == ("cosine", "exact")
    both = (cosines, successor(cosines, "SymmetricSNE"))
    one, other = (model.set_params(max_iter=2).fit(X).affinities_ for model in both)
    assert np.array_equal(one.toarray(), other.toarray())
    assert relatives(cosines) == members()  # methods without a metric would take Euclidean distances
    D = np.linalg.norm(X[:, None] - X, axis=2)
    named = ns.SNE(metric="precomputed", perplexity=10)
    assert relatives(named) == relatives(ns.SNE(input="distances"))
    for name in relatives(named):
        assert input_of(successor(named, name)) == "distances"
        next(successor(named, name).iterate(D))


def test_who_can_take_over():
    assert relatives(ns.SNE()) == relatives(ns.baselines.Sammon()) == [*members(), "MetricMDS", "Sammon", "SOM", "GTM"]
    assert relatives(ns.SNE(input="probabilities")) == members()
    assert "SNE" not in relatives(ns.TSNE(input="joint"))
    assert relatives(ns.AspectMaps()) == []
    joint = [name for name in members() if name != "SNE"]
    with pytest.raises(ValueError, match=f"one of {', '.join(joint)} here, got 'SNE'"):
        successor(ns.TSNE(input="joint"), "SNE")
    with pytest.raises(ValueError, match="one of none here"):
        recipe(ns.AspectMaps(), "SNE")


def test_a_successor_finds_the_p_that_is_in_use():
    model = ns.SymmetricSNE(perplexity=10)
    states = model.iterate(X)
    used = states._problem.target_of(next(states))
    other = successor(model, "TSNE").iterate(X)
    assert other._problem.target_of(next(other)) is used
    changed = X.copy()
    changed[3] += 1  # the same array, other data
    other = model.iterate(changed)
    assert other._problem.target_of(next(other)) is not used


def test_a_p_in_use_cannot_be_changed_by_who_reads_it():
    model = ns.SNE(perplexity=10, max_iter=2).fit(X)
    with pytest.raises(ValueError, match="read-only"):
        model.affinities_.data[0] = 1.0


def test_a_p_goes_with_its_last_run():
    states = ns.SNE(perplexity=7.5).iterate(X)
    keys = [key for key in inputs._in_use if key[2] == 7.5]
    assert len(keys) == 1
    del states
    assert not [key for key in inputs._in_use if key[2] == 7.5]


def test_resumed_states_evaluate_changed_positions_and_keep_the_rest():
    from dataclasses import replace

    states = ns.TSNE(perplexity=10, random_state=0).iterate(X)
    state = next(itertools.islice(states, 30, None))
    Y = state.Y.copy()
    Y[0, 5] += 3
    states.resume(replace(state, Y=Y))
    moved = next(states)
    assert np.array_equal(moved.Y, Y) and moved.iteration == state.iteration and moved.cost != state.cost
    assert next(states).iteration == state.iteration + 1


def test_resumed_states_of_an_unchanged_state_are_the_same_bits():
    states = ns.TSNE(perplexity=10, random_state=0).iterate(X)
    early = next(itertools.islice(states, 30, None))
    late = next(itertools.islice(states, 19, None))
    states.resume(early)
    assert np.array_equal(next(itertools.islice(states, 20, None)).Y, late.Y)


def test_states_tell_forces_and_costs():
    states = ns.UNISNE(perplexity=10, background=ns.Steps(0.2, 0.2, at=0), random_state=0).iterate(X)
    state = next(itertools.islice(states, 20, None))
    np.testing.assert_allclose(states.costs(state).sum(), state.cost, rtol=1e-6)
    assert states.forces(state, 4).p.shape == (120,)
    with pytest.raises(ValueError, match="from 0 to 119, got 120"):
        states.forces(state, 120)
    several = ns.AspectMaps(n_maps=2, perplexity=10, random_state=0).iterate(X)
    with pytest.raises(NotImplementedError, match="several maps"):
        several.forces(next(several), 0)
    with pytest.raises(NotImplementedError, match="several maps"):
        several.costs(next(several))


def test_after_an_error_states_stand_where_they_stood():
    knobs = ns.Knobs()
    states = ns.SNE(perplexity=10, random_state=0).iterate(X, knobs=knobs)
    state = next(itertools.islice(states, 5, None))
    knobs.set(perplexity=119)
    with pytest.raises(ValueError, match="perplexity"):
        next(states)
    knobs.release()
    assert next(states).iteration == state.iteration + 1
