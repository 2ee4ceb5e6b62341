from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from notebook_sne.engine.sums.pair_sums import gaussian_sums, student_sums
from tests.reference import squared
from tests.standins.threads import no_bit_depends_on_threads
from tests.tables import in_one_test

KERNELS = {
    gaussian_sums: (lambda D: np.exp(-D), lambda D: np.exp(-D)),
    student_sums: (lambda D: 1 / (1 + D), lambda D: 1 / (1 + D) ** 2),
}


def plain(sums, Y, weights):
    kernel, slope = KERNELS[sums]
    D = squared(Y)
    strengths = slope(D) * weights
    return kernel(D) @ weights, strengths.sum(1)[:, None] * Y - strengths @ Y


@in_one_test("sums", KERNELS)
@in_one_test("n_dimensions", [1, 2, 3, 5])
@in_one_test("n_objects", [3, 20, 70])
def test_sums_are_those_of_the_formula(sums, n_dimensions, n_objects):
    rng = np.random.default_rng(n_objects)
    Y = rng.normal(size=(n_objects, n_dimensions))
    weights = rng.random(n_objects)
    value, force = plain(sums, Y, weights)
    # 1e-6: a few roundings in single precision.
    for dtype, tolerance in ((np.float32, 1e-6), (np.float64, 1e-13)):
        v, f = sums(Y, weights, dtype=dtype)
        np.testing.assert_allclose(v, value, rtol=10 * tolerance)
        assert np.linalg.norm(f - force) < tolerance * np.linalg.norm(force)


@pytest.mark.parametrize("sums", KERNELS)
def test_blocks_of_a_row_join_without_a_gap(sums):
    # More objects than one block of the kernel for other than two dimensions, and not a multiple of it.
    Y = np.random.default_rng(0).normal(size=(1100, 3)) if _compiled() else np.zeros((30, 3))
    value, force = plain(sums, Y, np.ones(len(Y)))
    v, f = sums(Y, dtype=np.float64)
    np.testing.assert_allclose(v, value, rtol=1e-12)
    np.testing.assert_allclose(f, force, atol=1e-10)


@pytest.mark.parametrize("sums", KERNELS)
def test_a_small_sum_keeps_its_digits_beside_the_self_term(sums):
    # Were K(0) = 1 of the pair (i, i) added and taken off again, nothing would be left of 1e-14.
    Y = np.array([[0.0, 0.0], [5.7, 0.0], [5.7, 0.1]])
    value, _ = plain(sums, Y, np.ones(3))
    np.testing.assert_allclose(sums(Y)[0], value, rtol=1e-5)


@pytest.mark.parametrize("sums", KERNELS)
def test_coincident_points_have_no_force(sums):
    value, force = sums(np.ones((5, 2)))
    np.testing.assert_allclose(value, 4, rtol=1e-6)
    assert not force.any()


@pytest.mark.parametrize("sums", KERNELS)
def test_the_bits_do_not_depend_on_the_number_of_threads(sums):
    Y = np.random.default_rng(1).normal(size=(257, 2)) * 5
    no_bit_depends_on_threads(lambda: sums(Y))


@pytest.mark.parametrize("sums", KERNELS)
def test_read_only_and_strided_points_are_taken(sums):
    Y = np.random.default_rng(2).normal(size=(12, 4))[:, ::2]
    Y.flags.writeable = False
    np.testing.assert_array_equal(sums(Y)[0], sums(Y.copy())[0])


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.floats(-1e4, 1e4), st.floats(0, 6.3))
def test_moving_and_turning_a_map_moves_no_value_and_turns_the_force(seed, shift, angle):
    Y = np.random.default_rng(seed).normal(size=(9, 2))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    for sums in map(lambda f: partial(f, dtype=np.float64), KERNELS):
        value, force = sums(Y)
        moved_value, moved_force = sums(Y @ turn.T + shift)
        np.testing.assert_allclose(moved_value, value, rtol=1e-9)
        np.testing.assert_allclose(moved_force, force @ turn.T, atol=1e-9)


def _compiled():
    import numba

    return not numba.config.DISABLE_JIT
