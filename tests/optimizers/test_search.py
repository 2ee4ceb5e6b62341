"""Facts about the line search, on functions of one coordinate."""

import numpy as np
import pytest

from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.optimizers import conjugate
from notebook_sne.engine.optimizers.search import first_length, on_plateau, wolfe_step
from tests.tables import in_one_test

FUNCTIONS = {  # f and f' along the line; downhill at 0
    "parabola": (lambda x: (x - 3) ** 2, lambda x: 2 * (x - 3)),
    "far parabola": (lambda x: (x / 1e4 - 3) ** 2, lambda x: 2e-4 * (x / 1e4 - 3)),
    "narrow parabola": (lambda x: (1e4 * x - 3) ** 2, lambda x: 2e4 * (1e4 * x - 3)),
    "wave": (lambda x: -np.sin(x) + 0.01 * x, lambda x: -np.cos(x) + 0.01),
    "hill that steepens": (lambda x: np.cosh(x - 5) - 80 / (1 + (x - 5) ** 2), None),
    "quartic": (lambda x: (x - 2) ** 4, lambda x: 4 * (x - 2) ** 3),
}


def line(name):
    f, slope = FUNCTIONS[name]
    slope = slope or (lambda x: np.sinh(x - 5) + 160 * (x - 5) / (1 + (x - 5) ** 2) ** 2)
    calls = []

    def evaluate(theta):
        calls.append(float(theta[0]))
        return Evaluation(float(f(theta[0])), np.array([slope(theta[0])], float), 0.0)

    return evaluate, calls


@in_one_test("foresee", [False, True])
@in_one_test("curvature", [0.9, 0.1])
@in_one_test("length", [0.01, 1.0, 100.0])
@in_one_test("name", FUNCTIONS)
def test_a_step_meets_both_wolfe_conditions(name, length, curvature, foresee):
    evaluate, calls = line(name)
    now = conjugate.begin(0, np.zeros(1), evaluate)
    direction = -np.sign(now.gradient)
    slope = now.gradient @ direction
    found = wolfe_step(now, evaluate, direction, length, curvature=curvature, foresee=foresee)
    assert found.evaluation.objective <= now.objective + 1e-4 * found.length * slope
    assert abs(found.evaluation.gradient @ direction) <= curvature * abs(slope)
    np.testing.assert_array_equal(found.theta, now.theta + found.length * direction)
    assert len(calls) <= 26


def test_a_cubic_foresees_the_minimum_of_a_parabola_in_two_evaluations():
    evaluate, calls = line("parabola")
    now = conjugate.begin(0, np.zeros(1), evaluate)
    found = wolfe_step(now, evaluate, np.ones(1), 1.0, curvature=0.1, foresee=True)
    assert found.length == pytest.approx(3)
    assert len(calls) == 3  # one of them is the start


def test_a_step_that_is_foreseen_is_at_most_four_times_the_last():
    evaluate, calls = line("far parabola")
    now = conjugate.begin(0, np.zeros(1), evaluate)
    wolfe_step(now, evaluate, np.ones(1), 1.0, curvature=0.1, foresee=True)
    ratios = np.array(calls[2:]) / calls[1:-1]
    assert np.all(ratios <= 4)
    assert np.all(ratios[:5] == 4)


def test_a_search_ends_after_its_trials_with_the_best_step_seen():
    evaluate, calls = line("far parabola")
    now = conjugate.begin(0, np.zeros(1), evaluate)
    found = wolfe_step(now, evaluate, np.ones(1), 1.0, curvature=0.1, trials=3)
    assert calls == [0, 1, 4, 16]
    assert found.length == 16


@pytest.mark.parametrize("length", [0.0, 1.0])
def test_no_step_is_found_uphill_or_with_no_length(length):
    evaluate, calls = line("parabola")
    now = conjugate.begin(0, np.zeros(1), evaluate)
    direction = np.ones(1) if length == 0 else -np.ones(1)
    assert wolfe_step(now, evaluate, direction, length, curvature=0.1) is None
    assert len(calls) == 1


def test_a_place_with_a_gradient_that_is_not_finite_is_too_far():
    def evaluate(theta):
        x = theta[0]
        return Evaluation((x - 1) ** 2, np.array([2 * (x - 1) if x < 1.2 else np.nan]), 0.0)

    now = conjugate.begin(0, np.zeros(1), evaluate)
    found = wolfe_step(now, evaluate, np.ones(1), 1.5, curvature=0.1)
    assert found.length == pytest.approx(1, abs=0.1)


def test_the_first_step_moves_no_farther_than_one():
    assert first_length(np.array([3.0, 4.0])) == pytest.approx(0.2)
    assert first_length(np.array([0.03, 0.04])) == 1
    assert first_length(np.zeros(2)) == 1


def test_a_map_that_moves_is_on_no_plateau():
    flat = lambda theta: Evaluation(1.0 - 1e-9 * theta[0], np.array([-1e-9]), 1.0)  # noqa: E731
    now = conjugate.begin(0, np.ones(1), flat)
    far = wolfe_step(now, flat, np.ones(1), 1.0, curvature=0.9, trials=2)
    near = wolfe_step(now, flat, np.ones(1), 1e-4, curvature=0.9, trials=1)
    assert not on_plateau(now, far)
    assert on_plateau(now, near)
