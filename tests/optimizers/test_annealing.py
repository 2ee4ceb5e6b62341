"""Annealing in two passes: the rule for the emergence of structure, and runs that follow it."""

import warnings
from itertools import islice

import numpy as np
import pytest

import notebook_sne as ns

NOISE = ns.Annealed(4.0, 0.02, fast=60, slow=80)
X = ns.datasets.load_digits().sample(15, labels=range(5), random_state=0).X


def sne(jitter=NOISE, kind=ns.SNE, **options):
    shared = {"perplexity": 10, "init": "random", "random_state": 0, "n_jobs": 1, "progress": False}
    return kind(jitter=jitter, **{**shared, **options})


def states(model, n, **options):
    return list(islice(model.iterate(X, **options), n))


def film(n=150, **options):
    return states(sne(**options), n)


def test_both_passes_fall_by_a_factor_and_end_in_none():
    noise = ns.Annealed(8.0, 0.5, fast=4, slow=3, above=2.0)
    assert noise.ends == 7
    np.testing.assert_allclose([noise(t) for t in range(4)], [8, 4, 2, 1])
    np.testing.assert_allclose([noise(t, emerged=2.0) for t in (4, 5, 6)], [4, 2, 1])
    assert [noise(t, emerged=2.0) for t in (7, 100)] == [0, 0]
    assert noise(4, emerged=np.nan) == noise(4) == 8
    assert noise(4, emerged=1e-3) == 0.5  # never below the end of a pass


@pytest.mark.parametrize("middle", [2.0, 0.5, 0.1])
@pytest.mark.parametrize("floor", [0.05, 0.6])
def test_the_rule_finds_the_noise_at_which_a_known_ratio_has_fallen_halfway(middle, floor):
    schedule = ns.Annealed(10.0, 0.01, fast=300)
    noise = np.array([schedule(t) for t in range(300)])
    ratio = floor + (1 - floor) / (1 + (middle / noise) ** 4)
    shaken = ratio + 0.03 * np.random.default_rng(0).standard_normal(300)
    for seen in (ratio, shaken):
        emerged = schedule.emergence(np.column_stack([noise, seen]))
        assert 0.85 < emerged / middle < 1.18


def test_what_was_not_seen_is_left_out_by_the_rule():
    schedule = ns.Annealed(10.0, 0.01, fast=300)
    noise = np.array([schedule(t) for t in range(300)])
    rows = np.column_stack([noise, 1 / (1 + (0.5 / noise) ** 4)])
    rows[::7] = np.nan
    assert 0.85 < schedule.emergence(rows) / 0.5 < 1.18
    assert np.isnan(schedule.emergence(np.full((300, 2), np.nan)))


def test_where_the_ratio_stays_high_no_structure_has_emerged():
    schedule = ns.Annealed(10.0, 0.01, fast=300)
    noise = np.array([schedule(t) for t in range(300)])
    assert np.isnan(schedule.emergence(np.column_stack([noise, np.full(300, 0.97)])))


@pytest.mark.slow
def test_the_emergence_does_not_depend_on_the_noise_that_a_pass_begins_with():
    """The steepest fall of the cost itself does: the noise heats the map, so it is at the highest noise always."""
    found, steepest = [], []
    for high in (4.0, 16.0):
        fast = round(40 * np.log(high / 0.02))  # alike in updates for each factor of the noise
        noise = ns.Annealed(high, 0.02, fast=fast)
        film = states(sne(noise), fast + 2)
        found.append(film[-1].emerged)
        costs = [state.cost for state in film[21 : fast + 1]]  # without the start, a heap
        means = np.array([np.mean(costs[k : k + 30]) for k in range(0, len(costs) - 30, 30)])
        steepest.append(noise(20 + 30 * int(1 + np.diff(means).argmin())))
    assert 0.5 < found[0] / found[1] < 2
    assert steepest[1] > 2.5 * steepest[0]


def test_the_passes_are_phases_and_the_trace_shows_the_noise():
    model = sne(max_iter=200).fit(X)
    trace = model.trace_
    assert trace["phase"].unique().tolist() == ["fast pass", "slow pass", "descent"]
    first = trace.groupby("phase", sort=False)["iteration"].first()
    assert first.to_dict() == {"fast pass": 0, "slow pass": 61, "descent": 141}  # the first state that shows it
    emerged = model.state_.emerged
    assert trace["jitter"][61] == pytest.approx(2 * emerged)
    assert trace["jitter"][141] == 0
    assert model.state_.ratios.shape == (60, 2)
    np.testing.assert_array_equal(model.state_.ratios[:, 0], trace["jitter"][1:61])


def test_the_ratio_is_near_one_at_first_and_far_below_at_the_end():
    ratios = film(62)[-1].ratios[:, 1]
    assert ratios[:15].mean() > 0.6
    assert ratios[-5:].mean() < 0.4


@pytest.mark.sampled(3)
@pytest.mark.parametrize("middle", [1, 30, 60, 61, 100, 141])
def test_a_run_resumed_in_either_pass_is_the_run_that_never_stopped(middle):
    whole = film()
    again = states(sne(), 150 - middle, start=whole[middle])
    for one, other in zip(whole[middle:], again, strict=True):
        np.testing.assert_array_equal(one.Y, other.Y)
        assert (one.cost, one.emerged, one.phase) == (other.cost, other.emerged, other.phase)
        np.testing.assert_array_equal(one.ratios, other.ratios)


def test_states_of_both_passes_survive_a_file(tmp_path):
    recording = ns.Recording()
    for state in film():
        recording.add(state)
    texts = [mark.text for mark in recording.marks if mark.kind == "phase"]
    assert texts == [f"fast pass → slow pass, structure at noise {film()[-1].emerged:.2g}", "slow pass → descent"]
    kept = ns.Recording.load(recording.save(tmp_path / "film.npz"))
    for one, other in zip(recording.states, kept.states, strict=True):
        assert one.emerged == other.emerged
        np.testing.assert_array_equal(one.ratios, other.ratios)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("kind", "options"),
    [
        (ns.SymmetricSNE, {}),
        (ns.UNISNE, {}),
        (ns.TSNE, {"exaggeration": 1}),
        (ns.AspectMaps, {"n_maps": 2}),
        (ns.AspectMaps, {"n_maps": 2, "extra_dimensions": 1, "max_iter": 40}),
        (ns.MultipleMapsTSNE, {"n_maps": 2}),
        (ns.MixtureSNE, {}),
    ],
)
@pytest.mark.filterwarnings("ignore:no structure emerged", "ignore:there was structure")
def test_every_model_takes_it_and_resumes(kind, options):
    noise = ns.Annealed(0.5, 0.02, fast=30, slow=20)
    model = sne(noise, kind, **options)
    whole = states(model, 60)
    assert (whole[10].phase, whole[40].phase) == ("fast pass", "slow pass")
    for middle in (20, 40):
        np.testing.assert_array_equal(states(model, 60 - middle, start=whole[middle])[-1].Y, whole[-1].Y)


def test_other_runs_remember_nothing_of_it():
    state = film(3, jitter=0.1)[-1]
    assert state.emerged is None and state.ratios.shape == (0, 2)
    assert not {"ratios", "emerged"} & set(state.memory)


def test_a_pass_without_structure_says_so_and_begins_again_at_its_height():
    noise = ns.Annealed(0.5, 0.4, fast=20, slow=20)
    shapeless = np.random.default_rng(0).standard_normal((60, 200))
    with pytest.warns(UserWarning, match=r"no structure emerged in the fast pass, from noise 0.5 to 0.4 in 20 updates"):
        last = list(islice(sne(noise, perplexity=55).iterate(shapeless), 22))[-1]
    assert np.isnan(last.emerged) and last.knobs["jitter"] == 0.5


def test_a_start_that_is_too_cold_says_so():
    noise = ns.Annealed(0.05, 0.02, fast=40, slow=20)
    with pytest.warns(UserWarning, match=r"there was structure at noise 0.0\d+ already.*raise high to 0.2"):
        film(42, jitter=noise)


def test_a_noise_held_by_hand_wins_over_both_passes():
    knobs = ns.Knobs(jitter=0.3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        held = states(sne(), 70, knobs=knobs)
    assert {state.knobs["jitter"] for state in held[1:]} == {0.3}
    np.testing.assert_array_equal(held[-1].ratios[:, 0], 0.3)


@pytest.mark.parametrize(
    ("values", "error", "words"),
    [
        ({"low": 4.0}, ValueError, "low must be below high = 4, got 4"),
        ({"low": 0.0}, ValueError, "low must satisfy 0 < low"),
        ({"high": np.inf}, ValueError, "high must satisfy 0 < high and be finite"),
        ({"high": "hot"}, TypeError, "high must be a number, got 'hot'"),
        ({"fast": 1}, ValueError, "fast must be at least 2, got 1"),
        ({"slow": 2.5}, TypeError, "slow must be a whole number, got 2.5"),
        ({"above": 0.9}, ValueError, "above must satisfy 1 <= above"),
    ],
)
def test_a_wrong_parameter_is_refused(values, error, words):
    with pytest.raises(error, match=words):
        ns.Annealed(**{"high": 4.0, "low": 0.02, **values})


def test_only_the_jitter_is_annealed():
    with pytest.raises(ValueError, match="learning_rate must not be Annealed, which is a schedule of the jitter"):
        sne(0.1, learning_rate=NOISE).fit(X)
