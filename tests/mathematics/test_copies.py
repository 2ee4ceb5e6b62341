"""Copy moves, one after the other and by fields: against the objective itself in plain NumPy, and what they are for."""

from functools import partial

import numpy as np
import pytest
from scipy import sparse

from notebook_sne.engine.mathematics import aspects, copies, many_copies
from notebook_sne.engine.mathematics.mixing import log_proportions, weights_of
from notebook_sne.engine.sums.mesh_sums import gaussian_mesh_sums, student_mesh_sums
from notebook_sne.engine.sums.pair_sums import gaussian_sums, student_sums
from tests import reference
from tests.mathematics.test_mixtures import double, each_kind, setting
from tests.tables import in_one_test

RULES = {
    "proportions": copies.PROPORTIONS,
    "tried": copies.TRIED,
    "at_home": copies.AT_HOME,
    "unexplained": copies.UNEXPLAINED,
    "shifts": copies.SHIFTS,
    "least": copies.LEAST,
}
each_way = pytest.mark.parametrize("way", [copies, many_copies])


def penalty_of(kind):
    return 0.01 if kind["joint"] else 0.3


@pytest.mark.plain
@each_kind
@in_one_test("n_components", [1, 2, 3])
def test_the_moves_are_those_of_the_formula(kind, n_components):
    P, pairs, Y, W = setting(kind["joint"], n_maps=4, n_objects=14, n_components=n_components, density=0.3)
    penalty = np.linspace(0.5, 1.5, n_components) * penalty_of(kind)
    found = copies.move_copies(pairs, Y, 2 * W, penalty, negligible=0.0, dtype=np.float64, **kind)
    maps, mixing, moved = reference.copy_moves(P, Y, 2 * W, penalty, **RULES, **kind)
    assert len(moved) > 3
    assert sorted(found.moved.tolist()) == [list(pair) for pair in moved]
    np.testing.assert_allclose(found.maps, maps, atol=1e-9)
    np.testing.assert_allclose(np.exp(log_proportions(found.weights)), mixing, atol=1e-9)


@pytest.mark.plain
@each_kind
def test_the_objective_falls_by_what_is_foreseen(kind):
    _, pairs, Y, W = setting(kind["joint"], n_maps=5, n_objects=60, density=0.1)
    penalty = penalty_of(kind)
    before = double(pairs, Y, 3 * W, penalty, negligible=0.0, **kind).objective
    found = copies.move_copies(pairs, Y, 3 * W, penalty, negligible=0.0, **kind)
    after = double(pairs, found.maps, found.weights, penalty, negligible=0.0, **kind).objective
    assert after < before
    assert after - before == pytest.approx(found.change, rel=1e-2)
    # What is left out by default is little.
    assert copies.move_copies(pairs, Y, 3 * W, penalty, **kind).change == pytest.approx(found.change, rel=0.05)


@pytest.mark.plain
def test_a_word_of_two_groups_gets_a_copy_in_the_map_of_the_other():
    # Two groups of five, each at home in a map of its own, and object 0, tied to both, in the first map only.
    P = np.zeros((11, 11))
    for group in (range(1, 6), range(6, 11)):
        P[np.ix_(group, group)] = 1
        P[0, group] = P[group, 0] = 1
    np.fill_diagonal(P, 0)
    P /= P.sum(axis=1, keepdims=True)
    rng = np.random.default_rng(0)
    Y = 0.1 * rng.normal(size=(2, 11, 2)) + np.array([[[1.0, 2.0]], [[-3.0, 1.0]]])
    mixing = np.full((2, 11), 1e-9)
    mixing[0, :6] = mixing[1, 6:] = 1 - 1e-9
    Y[1, 0] = 0
    pairs, W = aspects.attractive_pairs(sparse.csr_array(P)), weights_of(mixing)
    gradient = double(pairs, Y, W, 0.0).weights[1, 0]
    assert abs(gradient) < 1e-3  # the reason for moves
    found = copies.move_copies(pairs, Y, W)
    assert [0, 1] in found.moved.tolist()
    np.testing.assert_allclose(found.maps[1, 0], [-3, 1], atol=0.2)
    assert 0.2 < np.exp(log_proportions(found.weights))[1, 0] < 0.9


@pytest.mark.slow
@each_way
@each_kind
def test_inputs_stay_as_they_are_and_other_numbers_are_not_touched(kind, way):
    _, pairs, Y, W = setting(kind["joint"], n_maps=4, n_objects=14)
    given = Y.copy(), W.copy()
    for a in (Y, W):
        a.flags.writeable = False
    found = way.move_copies(pairs, Y, W, 0.1, **kind)
    assert np.array_equal(Y, given[0]) and np.array_equal(W, given[1])
    elsewhere = np.ones(W.shape, dtype=bool)
    elsewhere[found.moved[:, 1], found.moved[:, 0]] = False
    assert np.array_equal(found.maps[elsewhere], Y[elsewhere])
    assert np.array_equal(found.weights[elsewhere], W[elsewhere])


@pytest.mark.slow
@each_way
def test_where_all_is_explained_nothing_moves(way):
    _, _, Y, W = setting(n_objects=12, density=1.0)
    # P is made of the maps themselves.
    log_mixing = log_proportions(W)
    S = np.einsum("mi,mj,mij->ij", *(2 * [np.exp(log_mixing)]), np.exp(-np.square(Y[:, :, None] - Y[:, None]).sum(-1)))
    np.fill_diagonal(S, 0)
    pairs = aspects.attractive_pairs(sparse.csr_array(S / S.sum(axis=1, keepdims=True)))
    found = way.move_copies(pairs, Y, W)
    assert found.moved.shape == (0, 2) and found.change == 0
    assert np.array_equal(found.maps, Y) and np.array_equal(found.weights, W)


# ---- many at once, by fields ----


def exact(kind):
    return partial(student_sums if kind["student"] else gaussian_sums, dtype=np.float64)


@pytest.mark.plain
@pytest.mark.sampled(6)
@each_kind
@pytest.mark.parametrize("n_components", [1, 2, 3])
@pytest.mark.parametrize("parts", [1, 3])
def test_the_moves_by_fields_are_those_of_the_formula(kind, n_components, parts):
    P, pairs, Y, W = setting(kind["joint"], n_maps=4, n_objects=14, n_components=n_components, density=0.3)
    penalty = np.linspace(0.5, 1.5, n_components) * penalty_of(kind)
    found = many_copies.move_copies(pairs, Y, 2 * W, penalty, negligible=0.0, parts=parts, sums=exact(kind), **kind)
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
    found = many_copies.move_copies(pairs, Y, 3 * W, penalty, negligible=0.0, parts=60, sums=exact(kind), **kind)
    brought = double(pairs, found.maps, found.weights, penalty, negligible=0.0, **kind).objective - before
    assert brought < found.change < 0 or brought == pytest.approx(found.change, rel=1e-6)
    # Nearly as much as those that are judged by every other object.
    best = copies.move_copies(pairs, Y, 3 * W, penalty, negligible=0.0, **kind).change
    assert brought < 0.8 * best
    # What is left out by default is little, and many at once bring most of it.
    at_once = many_copies.move_copies(pairs, Y, 3 * W, penalty, parts=8, **kind)
    assert double(pairs, at_once.maps, at_once.weights, penalty, negligible=0.0, **kind).objective - before < 0.7 * best


@pytest.mark.slow
@pytest.mark.compiled
@each_kind
def test_fields_by_a_mesh_find_the_same(kind):
    _, pairs, Y, W = setting(kind["joint"], n_maps=4, n_objects=300, density=0.03)
    mesh = student_mesh_sums if kind["student"] else gaussian_mesh_sums
    by_mesh = many_copies.move_copies(pairs, 2 * Y, 3 * W, penalty_of(kind), sums=mesh, **kind)
    best = many_copies.move_copies(pairs, 2 * Y, 3 * W, penalty_of(kind), sums=exact(kind), **kind)
    assert by_mesh.change == pytest.approx(best.change, rel=0.02)
    same = {tuple(pair) for pair in by_mesh.moved.tolist()} & {tuple(pair) for pair in best.moved.tolist()}
    assert len(same) > 0.9 * len(best.moved)
