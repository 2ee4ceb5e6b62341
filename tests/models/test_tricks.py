"""The papers' tricks are options of every model that they make sense for, and show in states and trace."""

from itertools import islice, pairwise

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne import affinities
from notebook_sne.engine.fitting import inputs
from notebook_sne.engine.optimizers.schedules import Share, Stages
from notebook_sne.models import family
from tests import reference
from tests.tables import in_one_test

X = ns.datasets.load_digits().X[:60]
SINGLE = tuple(family.class_of(name) for name in family.members())
ALL = (*SINGLE, ns.AspectMaps, ns.MultipleMapsTSNE, ns.MixtureSNE)
each_model = pytest.mark.parametrize("model", ALL)
each_single_map = pytest.mark.parametrize("model", SINGLE)


def quick(model, **options):
    own = {"n_maps": 2} if model in (ns.AspectMaps, ns.MultipleMapsTSNE) else {}
    return model(**{"perplexity": 8, "random_state": 0, "max_iter": 36, "progress": False, **own, **options})


def film(model, n, **options):
    return list(islice(model.iterate(X, **options), n + 1))


@each_model
def test_a_run_without_tricks_has_none_in_its_states_and_trace(model):
    fitted = quick(model, max_iter=2).fit(X)
    usual = {"penalty"} if model in (ns.AspectMaps, ns.MultipleMapsTSNE) else set()
    tricks = {"least_p", "penalty", "flattening", "degrees_of_freedom", "density", "step"}
    assert tricks & set(fitted.trace_.columns) == usual


@each_model
def test_the_perplexity_may_follow_a_schedule(model):
    states = film(quick(model, perplexity=ns.Steps(20, 8, at=3)), 6)
    assert [s.knobs["perplexity"] for s in states[1:]] == [20, 20, 20, 8, 8, 8]
    again = film(quick(model, perplexity=ns.Steps(20, 8, at=3), random_state=9), 4, start=states[2])
    assert np.array_equal(again[-1].Y, states[6].Y) and again[-1].cost == states[6].cost


def test_costs_under_a_schedule_are_those_against_the_p_of_their_time():
    states = film(quick(ns.SNE, perplexity=lambda t: 20 - t), 3)
    for state in states[1:]:
        P = affinities.keep_large(affinities.conditional(X, state.knobs["perplexity"]))[0]
        # The knob of a state is the one that its update was made with.
        assert state.cost == pytest.approx(reference.sne(P.toarray(), np.array(state.embedding))[0], rel=1e-6)


@in_one_test(
    ("options", "words"),
    [
        ({"perplexity": ns.Steps(80, 8, at=3)}, "perplexity must be below N - 1 = 59, got 80"),
        ({"perplexity": ns.Steps(8, 80, at=3)}, "perplexity must be below N - 1 = 59, got 80"),
        ({"perplexity": ns.Decay(30, 3)}, "perplexity must satisfy 1 < perplexity"),
        ({"least_p": 0.5}, r"least_p must satisfy 0 <= least_p < 0\.0166"),
        ({"least_p": -1.0}, "least_p must satisfy 0 <= least_p"),
        ({"penalty": -1.0}, "penalty must satisfy 0 <= penalty"),
        ({"extra_dimensions": -1}, "extra_dimensions must be"),
        ({"extra_dimensions": 1, "sums": "mesh"}, "needs maps of one or two dimensions, got 3"),
        ({"exaggeration": 0.0}, "exaggeration must satisfy 0 < exaggeration"),
    ],
)
def test_a_wrong_trick_is_refused_before_anything_is_computed(options, words):
    with pytest.raises(ValueError, match=words):
        quick(ns.SNE, **options).iterate(X)


def test_other_wrong_tricks():
    with pytest.raises(TypeError, match="adaptive_step must be True or False, got 'yes'"):
        quick(ns.SNE, adaptive_step="yes").iterate(X)
    with pytest.raises(ValueError, match="degrees_of_freedom must satisfy 0 < degrees_of_freedom < inf, got inf"):
        quick(ns.TSNE, degrees_of_freedom=np.inf).iterate(X)
    P = affinities.conditional(X, 8)
    with pytest.raises(ValueError, match=r"perplexity must be a number with input='probabilities'.*cannot be annealed"):
        quick(ns.AspectMaps, perplexity=ns.Steps(20, 8, at=3), input="probabilities").iterate(P)


@pytest.mark.slow
@each_model
def test_a_penalty_that_is_relaxed_keeps_the_map_small_at_first(model):
    scale = 1.0 if model in (ns.SNE, ns.AspectMaps, ns.MixtureSNE) else 1 / len(X)
    if model is ns.ElasticEmbedding:  # whose push does not fall as the map grows denser
        scale *= 5
    tight = film(quick(model, penalty=ns.Steps(2 * scale, 0.0, at=30)), 36)
    free = film(quick(model, penalty=0.0), 36)
    assert [s.knobs["penalty"] for s in (tight[1], tight[30], tight[31])] == [2 * scale, 2 * scale, 0.0]
    assert np.abs(tight[30].Y).max() < 0.5 * np.abs(free[30].Y).max()
    state = tight[20]
    wanted = state.cost + scale * np.square(state.Y).sum()
    if "exaggeration" not in state.knobs:
        assert state.objective == pytest.approx(wanted, rel=1e-6)
    assert tight[36].objective <= tight[36].cost * 1.5


@each_single_map
def test_a_penalty_of_zero_keeps_every_bit_and_can_be_turned(model):
    plain, knobs = film(quick(model), 6), ns.Knobs()
    states = quick(model, penalty=0.0).iterate(X, knobs=knobs)
    assert all(np.array_equal(one.Y, two.Y) for one, two in zip(plain, islice(states, 7), strict=True))
    knobs.set(penalty=5.0)
    wide, small = np.abs(plain[-1].Y).max(), np.abs(list(islice(states, 40))[-1].Y).max()
    assert small < max(wide, 0.5)


@pytest.mark.sampled(6)
@each_model
@pytest.mark.parametrize("optimizer", ["momentum", "lbfgs"])
def test_extra_dimensions_are_there_at_first_and_then_gone(model, optimizer):
    fitted = quick(model, extra_dimensions=1, optimizer=optimizer)
    states = film(fitted, 24)
    d = [s.Y.shape[2] for s in states]
    assert d == [3] * 19 + [2] * 6
    assert {s.phase for s in states if s.knobs["flattening"] > 0 and s.knobs.get("exaggeration", 1) == 1} == {
        "flattening"
    }
    for middle in (2, 10, 18, 19, 20):  # also where they go
        again = film(quick(model, extra_dimensions=1, optimizer=optimizer, random_state=9), 24 - middle,
                     start=states[middle])  # fmt: skip
        assert np.array_equal(again[-1].Y, states[-1].Y)
    places = fitted.fit(X)
    assert (places.embedding_ if model in SINGLE else places.maps_).shape[-1] == 2


def test_extra_dimensions_of_a_start_that_is_given_are_small_and_not_zero():
    init = np.random.default_rng(0).normal(size=(60, 2))
    start = film(quick(ns.TSNE, init=init, extra_dimensions=2), 0)[0]
    assert np.array_equal(start.Y[0, :, :2], init)
    assert 0 < np.abs(start.Y[0, :, 2:]).max() < 1e-2
    maps = np.stack([init, init])
    assert film(quick(ns.AspectMaps, init=maps, extra_dimensions=1), 0)[0].Y.shape == (2, 60, 3)


@pytest.mark.parametrize("model", [ns.SNE, ns.SymmetricSNE, ns.UNISNE, ns.TSNE])
def test_exaggeration_is_in_the_objective_of_the_whole_family_and_never_in_the_cost(model):
    run = quick(model, exaggeration=4.0)
    states = film(run, 12)
    P = affinities.keep_large(affinities.conditional(X, 8))[0]
    P = P if model is ns.SNE else affinities.joint(P)
    plain = {ns.SNE: reference.sne, ns.TSNE: reference.tsne}.get(model, reference.unisne)
    Y = np.array(states[5].embedding)
    assert states[5].phase == "exaggeration" and states[12].phase != "exaggeration"
    assert states[5].cost == pytest.approx(plain(P.toarray(), Y)[0], rel=1e-6)
    squares = np.square(Y[:, None] - Y).sum(-1)
    springs = np.sum(P.toarray() * (np.log1p(squares) if model is ns.TSNE else squares))
    assert states[5].objective == pytest.approx(states[5].cost + 3.0 * springs, rel=1e-6)
    assert states[12].objective == states[12].cost
    rate = film(quick(model, exaggeration=1.0), 1)[1].knobs["learning_rate"]
    first = rate / 2 if model is ns.TSNE else rate / 4  # at most N / 2
    assert (states[5].knobs["learning_rate"], states[12].knobs["learning_rate"]) == (first, rate)


@pytest.mark.parametrize("model", [ns.AspectMaps, ns.MultipleMapsTSNE])
def test_exaggeration_of_several_maps_is_in_the_objective_and_can_be_turned(model):
    knobs = ns.Knobs()
    states = quick(model, exaggeration=4.0, penalty=0.0).iterate(X, knobs=knobs)
    run = list(islice(states, 13))
    assert [run[k].phase for k in (5, 12)] == ["exaggeration", "descent"]
    assert run[5].objective > run[5].cost and run[12].objective == run[12].cost
    knobs.set(exaggeration=2.0)
    assert next(states).phase == "exaggeration"


@pytest.mark.slow
@each_model
def test_an_adaptive_step_grows_while_the_objective_falls_and_is_in_the_trace(model):
    fitted = quick(model, adaptive_step=True).fit(X)
    step = fitted.trace_["step"].to_numpy() / fitted.trace_["learning_rate"].to_numpy()
    falls = np.diff(fitted.trace_["objective"].to_numpy()) < 0
    changed = step[1:] / step[:-1]
    same_objective = np.ones(len(falls), bool)
    if "copies" in fitted.trace_:
        same_objective = fitted.trace_["copies"].to_numpy()[1:] == 0
    for name in ("exaggeration", "background", "penalty"):
        if name in fitted.trace_:
            same_objective = same_objective & (np.diff(fitted.trace_[name].to_numpy()) == 0)
    # A fall may also be the way back to the best place, at half the step.
    fallen, risen = (np.unique(changed[same_objective & which].round(9)) for which in (falls, ~falls))
    assert 1.05 in fallen and set(fallen) <= {1.05, 0.5} and set(risen) <= {0.8, 0.5}
    assert step.max() > 1.1  # UMAP's own is nearly as large as can be
    states = film(quick(model, adaptive_step=True), 20)
    again = film(quick(model, adaptive_step=True), 12, start=states[8])
    assert np.array_equal(again[-1].Y, states[20].Y)


def test_an_adaptive_step_is_held_while_there_is_jitter():
    states = film(quick(ns.SNE, adaptive_step=True, jitter=0.01), 10)
    assert {s.memory["own"]["rate_scale"] for s in states} == {1.0}


def test_an_adaptive_fit_still_stops_by_itself():
    fitted = quick(ns.SNE, adaptive_step=True, max_iter=5000).fit(X)
    assert fitted.n_iter_ < 2000


@each_model
def test_small_p_can_be_left_out(model):
    fitted = quick(model, least_p=0.01, max_iter=2).fit(X)
    P, dropped = affinities.keep_large(affinities.conditional(X, 8), 0.01)
    expected = P if fitted._convention == "conditional" else affinities.joint(P)
    np.testing.assert_allclose(fitted.affinities_.toarray(), expected.toarray())
    assert fitted.dropped_mass_ == pytest.approx(dropped) and dropped > 0.005
    assert list(fitted.trace_["least_p"]) == [0.01] * 3


def test_small_p_can_be_turned_and_new_objects_leave_out_as_much():
    knobs = ns.Knobs()
    states = quick(ns.SNE, least_p=0.0).iterate(X, knobs=knobs)
    before = list(islice(states, 3))[-1]
    knobs.set(least_p=0.01)
    assert next(states).cost != before.cost
    one, other = (quick(ns.TSNE, least_p=p).fit(X[:50]) for p in (0.015, 1e-6))
    other.embedding_ = one.embedding_
    assert not np.array_equal(one.transform(X[50:]), other.transform(X[50:]))


def test_t_sne_of_other_degrees_of_freedom():
    states = film(quick(ns.TSNE, degrees_of_freedom=3.0, max_iter=200), 80)
    P = affinities.joint(affinities.keep_large(affinities.conditional(X, 8))[0]).toarray()
    for state in states[::20]:
        assert state.cost == pytest.approx(reference.student_cost(P, np.array(state.embedding), 3.0), rel=1e-6)
    plain = film(quick(ns.TSNE), 20)[-1]
    assert np.array_equal(film(quick(ns.TSNE, degrees_of_freedom=1.0), 20)[-1].Y, plain.Y)
    knobs = ns.Knobs(degrees_of_freedom=2.0)
    turned = film(quick(ns.TSNE, degrees_of_freedom=1.0), 20, knobs=knobs)[-1]
    assert turned.knobs["degrees_of_freedom"] == 2.0 and not np.array_equal(turned.Y, plain.Y)


def test_the_springs_and_shares_of_other_degrees_of_freedom_are_those_of_its_cost():
    states = quick(ns.TSNE, degrees_of_freedom=3.0, max_iter=200, init="random").iterate(X)
    state = list(islice(states, 80))[-1]
    assert states.costs(state).sum() == pytest.approx(state.cost, rel=1e-5)
    springs = [states.forces(state, i) for i in range(len(X))]
    Y = state.embedding
    forces = np.array([((s.pull - s.push)[:, None] * (Y[i] - Y)).sum(0) for i, s in enumerate(springs)])
    assert np.linalg.norm(forces) == pytest.approx(state.gradient_norm, rel=1e-3)


def test_new_objects_are_refused_under_other_degrees_of_freedom():
    fitted = quick(ns.TSNE, degrees_of_freedom=2.0).fit(X[:50])
    with pytest.raises(ValueError, match="under 1 degree of freedom, and this map has 2; fit with degrees_of"):
        fitted.transform(X[50:])


def test_who_takes_over_keeps_the_data_as_the_schedules_leave_them():
    model = ns.SNE(perplexity=ns.Steps(100, 15, at=50), least_p=1e-3)
    heir = family.successor(model, "TSNE")
    assert (heir.perplexity, heir.least_p) == (15, 1e-3)


def test_a_share_and_stages_say_when_they_end():
    share = Share(10.0, ns.Steps(4.0, 1.0, at=7))
    assert (share(6), share(7), share.ends) == (2.5, 10.0, 7)
    stages = Stages((3.0, 2.0), each=2)
    assert [stages(t) for t in range(5)] == [3, 3, 2, 2, 0] and stages.ends == 4
    assert all(a >= b for a, b in pairwise(stages(t) for t in range(5)))


def test_what_is_left_out_by_itself_is_below_what_may_be_however_many_objects_there_are(monkeypatch):
    assert inputs.least_share(400_000) == inputs.LEAST_P
    assert [inputs.least_share(n) * n for n in (500_000, 1_000_000, 10_000_000)] == [0.5] * 3
    monkeypatch.setattr(inputs, "LEAST_P", 1.0)  # as a millionth would be to a million objects
    fitted = quick(ns.TSNE, max_iter=1).fit(X)
    assert fitted.cost_ < np.inf and fitted.affinities_.nnz > 0
    assert ns.SNE(perplexity=5, max_iter=1, progress=False).fit(X).transform(X[:2]).shape == (2, 2)
