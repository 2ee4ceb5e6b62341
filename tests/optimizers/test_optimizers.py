"""Facts about the generators, on functions whose answer is known."""

from itertools import islice

import numpy as np
import pytest

from notebook_sne.mathematics.evaluation import Evaluation
from notebook_sne.optimizers import descent, lbfgs
from notebook_sne.optimizers.iterate import DivergedError, generate
from notebook_sne.optimizers.schedules import Decay, Steps, last_change, value_at


def bowl(theta):
    """A long valley: condition 100."""
    scale = np.geomspace(1, 100, len(theta))
    value = 0.5 * float(np.sum(scale * theta**2))
    return Evaluation(value, scale * theta, value)


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
}
each_optimizer = pytest.mark.parametrize("module", RECIPES)


@each_optimizer
def test_it_finds_the_bottom_of_a_valley(module):
    states = run(module, bowl, np.ones(20), 1500 if module is descent else 60, **RECIPES[module])
    assert states[-1].objective < 1e-8 * states[0].objective


def test_lbfgs_follows_a_bent_valley():
    states = run(lbfgs, rosenbrock, [-1.2, 1.0], 60)
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
    options = {"learning_rate": 1e-4} if module is descent else {}  # too slow to go back, which repeats a theta
    states = run(module, bowl, np.ones(4), 5, **options)
    assert len({s.theta.tobytes() for s in states}) == 6
    for state in states:
        with pytest.raises(ValueError, match="read-only"):
            state.theta[0] = 3


@each_optimizer
@pytest.mark.parametrize("middle", [1, 7, 20])
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


def test_lbfgs_leaves_a_plateau_with_an_empty_memory_and_repeats_its_place_once_converged():
    def raised(theta):
        there = bowl(theta - 3)
        return there._replace(objective=there.objective + 1)

    states = run(lbfgs, raised, np.ones(5), 120)
    assert states[-1].memory["converged"]
    assert states[-1].memory["pairs"] == ()
    assert np.array_equal(states[-1].theta, states[-2].theta)
    assert states[-1].iteration == states[-2].iteration + 1


def test_lbfgs_never_rises():
    objectives = [s.objective for s in run(lbfgs, rosenbrock, [-1.2, 1.0], 50)]
    assert np.all(np.diff(objectives) <= 0)


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
