"""Copy moves by fields against the same formula in plain NumPy, and against the objective itself."""

from functools import partial

import numpy as np
import pytest

from notebook_sne.engine.mathematics import copies as in_turn
from notebook_sne.engine.mathematics import many_copies as copies
from notebook_sne.engine.mathematics.mixing import log_proportions
from notebook_sne.engine.sums.mesh_sums import gaussian_mesh_sums, student_mesh_sums
from notebook_sne.engine.sums.pair_sums import gaussian_sums, student_sums
from tests import reference
from tests.mathematics.test_copies import RULES, penalty_of
from tests.mathematics.test_mixtures import double, each_kind, setting


def exact(kind):
    return partial(student_sums if kind["student"] else gaussian_sums, dtype=np.float64)


@pytest.mark.plain
@pytest.mark.sampled(6)
@each_kind
@pytest.mark.parametrize("n_components", [1, 2, 3])
@pytest.mark.parametrize("parts", [1, 3])
def test_the_moves_are_those_of_the_formula(kind, n_components, parts):
    P, pairs, Y, W = setting(kind["joint"], n_maps=4, n_objects=14, n_components=n_components, density=0.3)
    penalty = np.linspace(0.5, 1.5, n_components) * penalty_of(kind)
    found = copies.move_copies(pairs, Y, 2 * W, penalty, negligible=0.0, parts=parts, sums=exact(kind), **kind)
    maps, mixing, moved, change = reference.copy_moves_by_fields(P, Y, 2 * W, penalty, parts, **RULES, **kind)
    assert len(moved) > 3
    assert sorted(found.moved.tolist()) == [list(pair) for pair in moved]
    np.testing.assert_allclose(found.maps, maps, atol=1e-9)
    np.testing.assert_allclose(np.exp(log_proportions(found.weights)), mixing, atol=1e-9)
    assert found.change == pytest.approx(change, rel=1e-9)


@pytest.mark.slow
@pytest.mark.compiled
@each_kind
def test_one_after_the_other_they_bring_what_they_promise_and_more(kind):
    _, pairs, Y, W = setting(kind["joint"], n_maps=5, n_objects=60, density=0.1)
    penalty = penalty_of(kind)
    before = double(pairs, Y, 3 * W, penalty, negligible=0.0, **kind).objective
    found = copies.move_copies(pairs, Y, 3 * W, penalty, negligible=0.0, parts=60, sums=exact(kind), **kind)
    brought = double(pairs, found.maps, found.weights, penalty, negligible=0.0, **kind).objective - before
    assert brought < found.change < 0 or brought == pytest.approx(found.change, rel=1e-6)
    # Nearly as much as those that are judged by every other object.
    best = in_turn.move_copies(pairs, Y, 3 * W, penalty, negligible=0.0, **kind).change
    assert brought < 0.8 * best
    # What is left out by default is little, and many at once bring most of it.
    at_once = copies.move_copies(pairs, Y, 3 * W, penalty, parts=8, **kind)
    assert double(pairs, at_once.maps, at_once.weights, penalty, negligible=0.0, **kind).objective - before < 0.7 * best


@pytest.mark.slow
@pytest.mark.compiled
@each_kind
def test_fields_by_a_mesh_find_the_same(kind):
    _, pairs, Y, W = setting(kind["joint"], n_maps=4, n_objects=300, density=0.03)
    mesh = student_mesh_sums if kind["student"] else gaussian_mesh_sums
    by_mesh = copies.move_copies(pairs, 2 * Y, 3 * W, penalty_of(kind), sums=mesh, **kind)
    best = copies.move_copies(pairs, 2 * Y, 3 * W, penalty_of(kind), sums=exact(kind), **kind)
    assert by_mesh.change == pytest.approx(best.change, rel=0.02)
    same = {tuple(pair) for pair in by_mesh.moved.tolist()} & {tuple(pair) for pair in best.moved.tolist()}
    assert len(same) > 0.9 * len(best.moved)
