"""Facts about the generators, on functions whose answer is known."""

from itertools import islice

import numpy as np
import pytest

from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.optimizers import alternating, conjugate, descent, lbfgs, spectral
from notebook_sne.engine.optimizers.iterate import DivergedError, generate
from notebook_sne.engine.optimizers.schedules import Decay, Share, Steps, last_change, value_at
from tests.tables import in_one_test


def bowl(theta):
    """A long valley: condition 100."""
    scale = np.geomspace(1, 100, len(theta))
    value = 0.5 * float(np.sum(scale * theta**2))
    return Evaluation(value, scale * theta, value)


def raised(theta):
    there = bowl(theta - 3)
    return there._replace(objective=there.objective + 1)


def rosenbrock(theta):
    x, y = theta
    value = (1 - x) ** 2 + 100 * (y - x * x) ** 2
    return Evaluation(value, np.array([-2 * (1 - x) - 400 * x * (y - x * x), 200 * (y - x * x)]), value)


def run(module, evaluate, theta, n_steps, **options):
    start = module.begin(0, np.array(theta, float), evaluate)
    return list(islice(generate(start, module.step, evaluate, **options), n_steps + 1))


RECIPES = {
    descent: {"learning_rate": 5e-3, "momentum": 0.5},
    lbfgs: {},
    conjugate: {},
    alternating: {"improved": lambda theta: 0.7 * theta},
    spectral: {"solve": lambda gradient: gradient / np.linspace(2, 90, len(gradient))},
}
each_optimizer = pytest.mark.parametrize("module", RECIPES)
each_search = pytest.mark.parametrize("module", [lbfgs, conjugate])


@each_optimizer
def test_it_finds_the_bottom_of_a_valley(module):
    states = run(module, bowl, np.ones(20), 1500 if module is descent else 60, **RECIPES[module])
    assert states[-1].objective < 1e-8 * states[0].objective


@each_search
def test_it_follows_a_bent_valley(module):
    states = run(module, rosenbrock, [-1.2, 1.0], 60)
    np.testing.assert_allclose(states[-1].theta, 1, atol=1e-5)


@each_optimizer
def test_it_yields_the_start_first_and_counts_one_by_one(module):
    states = run(module, bowl, np.ones(4), 5, **RECIPES[module])
    assert [s.iteration for s in states] == list(range(6))
    np.testing.assert_array_equal(states[0].theta, np.ones(4))


@each_optimizer
def test_each_iterate_holds_the_cost_and_gradient_of_its_own_theta(module):
    for state in run(module, bowl, np.ones(4), 8, **RECIPES[module]):
        assert state.objective == bowl(state.theta).objective
        np.testing.assert_array_equal(state.gradient, bowl(state.theta).gradient)


@each_optimizer
def test_iterates_are_a_film_and_not_one_frame_repeated(module):
    options = (
        {"learning_rate": 1e-4} if module is descent else RECIPES[module]
    )  # too slow to go back, which repeats a theta
    states = run(module, bowl, np.ones(4), 5, **options)
    assert len({s.theta.tobytes() for s in states}) == 6
    for state in states:
        with pytest.raises(ValueError, match="read-only"):
            state.theta[0] = 3


@each_optimizer
@in_one_test("middle", [1, 7, 20])
def test_a_run_resumed_from_any_iterate_is_the_run_that_never_stopped(module, middle):
    options = RECIPES[module]
    if module is descent:
        options = {**options, "jitter": 0.01, "seed": 5, "gains": (0.2, 0.8, 0.01, 20.0)}
    whole = run(module, bowl, np.ones(6), 30, **options)
    then = whole[middle]
    again = module.begin(then.iteration, then.theta, bowl, then.memory)
    for one, two in zip(whole[middle:], generate(again, module.step, bowl, **options), strict=False):
        assert np.array_equal(one.theta, two.theta)
        assert one.objective == two.objective


def test_a_rate_that_is_too_large_costs_time_and_not_the_result():
    states = run(descent, bowl, np.ones(6), 900, learning_rate=1.0, momentum=0.5)
    assert states[-1].objective < 1e-3 * states[0].objective
    assert states[-1].memory["rate_scale"] < 1
    assert max(s.objective for s in states) <= 1.01 * states[0].objective


def test_going_back_clears_velocity_and_gains():
    states = run(descent, bowl, np.ones(6), 3, learning_rate=10.0, momentum=0.9, gains=(0.2, 0.8, 0.01, 20.0))
    assert np.array_equal(states[1].theta, states[0].theta)
    assert states[1].memory["rate_scale"] == 0.5
    assert not states[1].memory["velocity"].any()
    assert np.all(states[1].memory["gains"] == 1)


def test_jitter_is_not_taken_back():
    states = run(descent, bowl, np.zeros(6), 5, learning_rate=1e-9, jitter=1.0)
    assert states[-1].objective > 1
    assert states[-1].memory["best_theta"] is None


def test_jitter_has_the_wanted_standard_deviation_and_is_fresh_each_time():
    flat = lambda theta: Evaluation(0.0, np.zeros_like(theta), 0.0)  # noqa: E731
    states = run(descent, flat, np.zeros(20_000), 2, learning_rate=1.0, jitter=0.3, seed=1)
    first, second = states[1].theta, states[2].theta - states[1].theta
    assert first.std() == pytest.approx(0.3, rel=0.03)
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.03


def test_a_run_that_diverges_under_jitter_says_so_and_keeps_the_last_finite_iterate():
    start = descent.begin(0, np.ones(3), bowl)
    with pytest.raises(DivergedError, match=r"learning rate .* lower") as error:
        list(islice(generate(start, descent.step, bowl, learning_rate=1e200, jitter=0.1), 10))
    assert np.isfinite(error.value.last.theta).all()


def test_a_start_without_a_finite_cost_is_refused():
    bad = lambda theta: Evaluation(np.nan, theta, np.nan)  # noqa: E731
    for module in RECIPES:
        with pytest.raises(DivergedError, match="start"):
            module.begin(0, np.ones(3), bad)


def test_lbfgs_measures_its_first_step_along_a_pair_by_it():
    """Of a bowl whose unit is a thousandth a step of length 1 is far too long, and costs evaluations."""
    asked = []

    def steep(theta):
        asked.append(theta)
        here = bowl(1e3 * theta)
        return Evaluation(here.objective, 1e3 * here.gradient, here.cost)

    states = run(lbfgs, steep, 1e-3 * np.ones(20), 12)
    assert len(asked) <= 1.5 * len(states) and states[-1].objective < 1e-3 * states[0].objective


def test_lbfgs_leaves_a_plateau_with_an_empty_memory_and_repeats_its_place_once_converged():
    states = run(lbfgs, raised, np.ones(5), 120)
    assert states[-1].memory["converged"]
    assert states[-1].memory["pairs"] == ()
    assert np.array_equal(states[-1].theta, states[-2].theta)
    assert states[-1].iteration == states[-2].iteration + 1


@each_search
def test_a_line_search_never_rises(module):
    objectives = [s.objective for s in run(module, rosenbrock, [-1.2, 1.0], 50)]
    assert np.all(np.diff(objectives) <= 0)


@each_search
@pytest.mark.parametrize("outside", [np.nan, np.inf])
def test_a_search_shrinks_its_step_where_the_objective_is_not_finite(module, outside):
    """The start is close to the edge, and the first step, of length 1, leads over it."""

    def walled(theta):
        x = theta[0]
        if x >= 0.5:
            return Evaluation(outside, np.full(1, outside), outside)
        value = -x - 0.1 * np.log1p(-2 * x)  # least at x = 0.4
        return Evaluation(value, np.array([-1 + 0.2 / (1 - 2 * x)]), value)

    states = run(module, walled, [0.0], 30)
    assert all(np.isfinite(s.objective) and np.isfinite(s.gradient).all() for s in states)
    np.testing.assert_allclose(states[-1].theta, 0.4, atol=1e-4)


@each_search
def test_nowhere_lower_is_converged(module):
    """All steps lead to a NaN, so that neither the direction nor steepest descent helps."""

    def needle(theta):
        inside = np.array_equal(theta, [1.0, 2.0])
        value = 1.0 if inside else np.nan
        return Evaluation(value, np.ones(2), value)

    states = run(module, needle, [1.0, 2.0], 2)
    assert states[1].memory["converged"]
    assert np.array_equal(states[2].theta, [1.0, 2.0])
    assert states[2].iteration == 2


@each_search
def test_a_slope_so_gentle_that_its_square_is_zero_can_be_gone_down(module):
    def tail(theta):
        """A cost with a least value that it never reaches, as that of NCA where all objects are told apart."""
        value = 1.0 + float(np.exp(-theta[0]))
        return Evaluation(value, -np.exp(-theta), value)

    states = run(module, tail, [5.0], 900)
    assert states[-1].theta[0] > 300
    assert np.all(np.diff([s.objective for s in states]) <= 0)


@each_search
def test_a_place_without_a_slope_is_converged(module):
    states = run(module, bowl, np.zeros(3), 2)
    assert states[1].memory["converged"]
    assert np.array_equal(states[2].theta, np.zeros(3))


@each_search
def test_a_converged_run_evaluates_nothing(module):
    now = run(module, bowl, np.zeros(3), 1)[-1]
    assert module.step(now, None).iteration == 2


@each_search
def test_slopes_decide_where_single_precision_hides_the_objective(module):
    """An objective of about 1000 in steps of float32 says nothing of the last digits of theta; the gradient does."""

    def rounded(theta):
        there = bowl(theta - 3)
        value = float(np.float32(1000 + there.objective))
        return Evaluation(value, there.gradient.astype(np.float32).astype(float), value)

    states = run(module, rounded, np.ones(10), 60)
    assert states[-1].memory["converged"]
    # One step of float32 at 1000 is 6e-5, which hides gradients of up to sqrt(2 * 100 * 6e-5) = 0.1.
    assert np.abs(states[-1].gradient).max() < 0.03


def test_conjugate_gradients_need_about_as_many_searches_as_coordinates():
    scale = np.geomspace(1, 30, 6)
    quadratic = lambda theta: Evaluation(0.5 * np.sum(scale * theta**2), scale * theta, 0.0)  # noqa: E731
    states = run(conjugate, quadratic, np.ones(6), 9)  # searches that are not exact cost some more than 6
    assert states[-1].objective < 1e-6 * states[0].objective


def test_conjugate_gradients_follow_a_long_bent_valley_with_two_evaluations_a_search():
    calls = []

    def chain(theta):
        calls.append(1)
        x, y = theta[:-1], theta[1:]
        value = float(np.sum((1 - x) ** 2 + 100 * (y - x * x) ** 2))
        gradient = np.zeros_like(theta)
        gradient[:-1] = -2 * (1 - x) - 400 * x * (y - x * x)
        gradient[1:] += 200 * (y - x * x)
        return Evaluation(value, gradient, value)

    states = run(conjugate, chain, np.tile([-1.2, 1.0], 10), 300)
    assert states[-1].objective < 1e-9 * states[0].objective
    assert len(calls) < 2.2 * 300


def test_conjugate_gradients_leave_a_plateau_by_steepest_descent():
    states = run(conjugate, raised, np.ones(5), 60)
    plateaus = [s for s in states if s.memory["plateaus"]]
    assert [s.memory["plateaus"] for s in plateaus[:3]] == [1, 2, 3]
    assert all(s.memory["direction"] is None for s in plateaus)
    assert states[-1].memory["converged"]
    np.testing.assert_allclose(states[-1].theta, 3, atol=1e-6)
    assert np.array_equal(states[-1].theta, states[-2].theta)


def test_a_direction_that_does_not_help_is_replaced_by_steepest_descent():
    start = conjugate.begin(0, np.ones(4), bowl)
    fresh = conjugate.step(start, bowl)
    uphill = {**start.memory, "direction": start.gradient, "length": 1.0}
    assert np.array_equal(conjugate.step(conjugate.begin(0, np.ones(4), bowl, uphill), bowl).theta, fresh.theta)
    forgotten = conjugate.begin(0, np.ones(4), bowl, conjugate.forget(uphill))
    assert np.array_equal(conjugate.step(forgotten, bowl).theta, fresh.theta)


def test_the_direction_in_a_memory_is_read_only_and_leads_downhill():
    for state in run(conjugate, rosenbrock, [-1.2, 1.0], 15)[1:]:
        direction = state.memory["direction"]
        assert not direction.flags.writeable
        assert direction @ state.gradient < 0
        assert state.memory["length"] > 0


def test_schedules_change_when_they_say():
    steps = Steps(0.5, 0.8, at=3)
    assert [value_at(steps, t) for t in range(5)] == [0.5, 0.5, 0.5, 0.8, 0.8]
    assert last_change(steps) == 3
    decay = Decay(0.3, 10.0)
    assert value_at(decay, 0) == 0.3
    assert value_at(decay, 10) == pytest.approx(0.3 / np.e)
    assert value_at(decay, last_change(decay)) == 0
    assert value_at(0.7, 100) == 0.7
    assert last_change(0.7) == 0
    assert last_change(lambda t: t) == np.inf


def test_a_rate_that_is_shared_rests_when_both_of_its_parts_do():
    rate = Share(200.0, Steps(before=12.0, after=1.0, at=250))
    assert [value_at(rate, t) for t in (0, 249, 250)] == [200 / 12, 200 / 12, 200]
    assert last_change(rate) == 250
