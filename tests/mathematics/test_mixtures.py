"""Aspect maps and images against their formulas in plain NumPy, and against the single maps that they contain."""

import numpy as np
import pytest
from scipy import sparse

from notebook_sne.engine.mathematics import aspects, images, mixing, sne, unisne
from notebook_sne.engine.sums.pair_sums import gaussian_sums, student_sums
from tests import reference
from tests.mathematics.test_costs import random_p
from tests.tables import in_one_test

KINDS = {
    "aspect maps": {"joint": False, "student": False},
    "aspect maps, joint": {"joint": True, "student": False},
    "conditional with the t kernel": {"joint": False, "student": True},
    "multiple maps t-SNE": {"joint": True, "student": True},
}
each_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


def setting(joint=False, n_maps=3, n_objects=10, n_components=2, density=0.5, seed=0):
    rng = np.random.default_rng(seed)
    P = random_p(n_objects, joint, seed, density)
    Y, W = rng.normal(size=(n_maps, n_objects, n_components)), rng.normal(size=(n_maps, n_objects))
    return P, aspects.attractive_pairs(sparse.csr_array(P)), Y, W


def double(pairs, Y, W, penalty=0.0, **kind):
    return aspects.cost_and_gradient(pairs, Y, W, penalty, dtype=np.float64, **kind)


def assert_is_gradient(found, function, place):
    numeric = reference.central_difference(function, place)
    assert np.linalg.norm(found - numeric) < 1e-6 * np.linalg.norm(numeric)


@pytest.mark.plain
@each_kind
@in_one_test("n_components", [1, 2, 3])
def test_gradients_with_an_object_far_away_are_those_of_central_differences(kind, n_components):
    P, pairs, Y, W = setting(kind["joint"], n_components=n_components)
    Y[:, 2] += 9.0  # alone in every map: exp(-81) is below the floor of single precision
    here = double(pairs, Y, W, 0.3, **kind)
    assert here.cost == pytest.approx(reference.aspects(P, Y, W, 0.3, **kind)[0], rel=1e-10)
    assert_is_gradient(here.maps, lambda Y: reference.aspects(P, Y, W, 0.3, **kind)[1], Y)
    assert_is_gradient(here.weights, lambda W: reference.aspects(P, Y, W, 0.3, **kind)[1], W)


@pytest.mark.plain
@each_kind
def test_single_precision_is_near_the_formula(kind):
    P, pairs, Y, W = setting(kind["joint"], n_objects=40, n_maps=4)
    exact, here = double(pairs, Y, W, 0.48, **kind), aspects.cost_and_gradient(pairs, Y, W, 0.48, **kind)
    assert here.cost == pytest.approx(reference.aspects(P, Y, W, **kind)[0], rel=1e-6)
    np.testing.assert_allclose(here.maps, exact.maps, atol=1e-5 * np.abs(exact.maps).max())
    np.testing.assert_allclose(here.weights, exact.weights, atol=1e-5 * np.abs(exact.weights).max())


@each_kind
def test_a_map_in_which_all_objects_are_far_apart_has_a_finite_cost(kind):
    P, pairs, Y, W = setting(kind["joint"])
    Y *= 100
    here = aspects.cost_and_gradient(pairs, Y, W, **kind)
    assert here.cost == pytest.approx(reference.aspects(P, Y, W, **kind)[0], rel=1e-6)
    assert np.isfinite(here.maps).all() and np.isfinite(here.weights).all()


@pytest.mark.plain
@each_kind
def test_negligible_proportions_change_a_cost_less_than_single_precision_does(kind):
    _, pairs, Y, W = setting(kind["joint"], n_objects=60, n_maps=5)
    W *= 15  # many proportions are next to nothing
    mixing_ = np.exp(mixing.log_proportions(W))
    assert np.mean(mixing_ < aspects.NEGLIGIBLE) > 0.3
    here, full = double(pairs, Y, W, **kind), double(pairs, Y, W, negligible=0.0, **kind)
    assert here.cost == pytest.approx(full.cost, rel=1e-6)
    np.testing.assert_allclose(here.maps, full.maps, atol=1e-4 * np.abs(full.maps).max())


@pytest.mark.plain
def test_one_aspect_map_is_plain_sne():
    P, pairs, Y, W = setting(n_maps=1)
    here = double(pairs, Y, W)
    single = sne.cost_and_gradient(
        sne.attractive_pairs(sparse.csr_array(P)), Y[0], sums=lambda Y, w=None: gaussian_sums(Y, w, dtype=np.float64)
    )
    assert here.cost == pytest.approx(single.cost, rel=1e-12)
    np.testing.assert_allclose(here.maps[0], single.gradient, atol=1e-12)
    np.testing.assert_allclose(here.weights, 0, atol=1e-12)


@pytest.mark.plain
def test_a_collapsed_second_map_is_a_uniform_background():
    P, pairs, Y, W = setting(joint=True, n_maps=2, n_objects=12)
    Y[1] = 0.7
    W[:] = np.array([[0.4], [-0.3]])
    here = double(pairs, Y, W, joint=True)
    share = np.exp(W[:, 0]) / np.exp(W[:, 0]).sum()
    near = share[0] ** 2 * np.exp(-reference.squared(Y[0])).sum()
    flat = share[1] ** 2 * 12 * 11
    cost, _ = reference.unisne(P, Y[0], flat / (near + flat))  # a background that depends on Z, and so on the map
    assert here.cost == pytest.approx(cost, rel=1e-12)
    np.testing.assert_allclose(here.maps[1], 0, atol=1e-15)
    assert unisne.cost_and_gradient(unisne.attractive_pairs(sparse.csr_array(P)), Y[0], flat / (near + flat)).cost == (
        pytest.approx(cost, rel=1e-6)
    )


@pytest.mark.plain
@each_kind
def test_moving_turning_and_mirroring_a_map_changes_no_cost_without_a_penalty(kind):
    _, pairs, Y, W = setting(kind["joint"])
    before = double(pairs, Y, W, **kind)
    angle = 0.7
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ np.diag([1, -1])
    moved = Y.copy()
    moved[1] = Y[1] @ turn.T + [3.0, -5.0]
    after = double(pairs, moved, W, **kind)
    assert after.cost == pytest.approx(before.cost, rel=1e-12)
    np.testing.assert_allclose(after.maps[1], before.maps[1] @ turn.T, atol=1e-11)
    assert double(pairs, moved, W, 0.5, **kind).objective > double(pairs, Y, W, 0.5, **kind).objective


@pytest.mark.plain
@each_kind
def test_relabeling_maps_and_objects_relabels_the_gradient(kind):
    P, pairs, Y, W = setting(kind["joint"])
    rng = np.random.default_rng(3)
    maps, objects = rng.permutation(3), rng.permutation(10)
    other = aspects.attractive_pairs(sparse.csr_array(P[np.ix_(objects, objects)]))
    one, two = double(pairs, Y, W, **kind), double(other, Y[maps][:, objects], W[maps][:, objects], **kind)
    assert two.cost == pytest.approx(one.cost, rel=1e-12)
    np.testing.assert_allclose(two.maps, one.maps[maps][:, objects], atol=1e-12)
    np.testing.assert_allclose(two.weights, one.weights[maps][:, objects], atol=1e-12)


@pytest.mark.plain
@each_kind
def test_a_common_offset_of_the_weights_of_an_object_changes_nothing(kind):
    _, pairs, Y, W = setting(kind["joint"])
    one, two = double(pairs, Y, W, **kind), double(pairs, Y, W + np.linspace(-3, 50, 10), **kind)
    assert two.cost == pytest.approx(one.cost, rel=1e-12)
    np.testing.assert_allclose(one.weights.sum(axis=0), 0, atol=1e-12)


@pytest.mark.plain
def test_each_coordinate_may_have_its_own_penalty():
    P, pairs, Y, W = setting(n_components=3)
    penalty = np.array([0.1, 0.1, 2.0])
    here = double(pairs, Y, W, penalty)
    assert here.objective - here.cost == pytest.approx(0.5 * np.sum(penalty * Y**2))
    assert_is_gradient(here.maps, lambda Y: reference.aspects(P, Y, W, penalty)[1], Y)


@pytest.mark.parametrize("n_images", [1, 2, 3])
@pytest.mark.parametrize("n_components", [1, 2])
def test_gradients_of_images_with_one_far_away_are_those_of_central_differences(n_images, n_components):
    P, _, Y, W = setting(n_maps=n_images, n_components=n_components)
    Y[:, 2] += 12.0
    here = images.cost_and_gradient(images.attractive_pairs(sparse.csr_array(P)), Y, W, dtype=np.float64)
    assert here.cost == pytest.approx(reference.images(P, Y, W), rel=1e-10)
    assert_is_gradient(here.maps, lambda Y: reference.images(P, Y, W), Y)
    if n_images > 1:
        assert_is_gradient(here.weights, lambda W: reference.images(P, Y, W), W)


@pytest.mark.parametrize("n_images", [1, 2])
def test_images_in_one_place_are_plain_sne_also_where_p_is_stored_out_of_order(n_images):
    # However its mass is divided between them.
    P, _, Y, W = setting(n_maps=n_images, n_objects=30)
    Y[:] = Y[0]
    P = sparse.csr_array(P)
    order = np.concatenate([np.arange(P.indptr[i + 1] - 1, P.indptr[i] - 1, -1) for i in range(30)])
    shuffled = sparse.csr_array((P.data[order], P.indices[order], P.indptr), P.shape)
    assert not shuffled.has_sorted_indices
    cost, gradient = reference.sne(P.toarray(), Y[0])
    for stored in (P, shuffled):
        here = images.cost_and_gradient(images.attractive_pairs(stored), Y, W, dtype=np.float64)
        assert here.cost == pytest.approx(cost, rel=1e-12)
        np.testing.assert_allclose(here.maps.sum(axis=0), gradient, atol=1e-12)
    one = aspects.cost_and_gradient(aspects.attractive_pairs(shuffled), Y, W, dtype=np.float64)
    assert one.cost == pytest.approx(reference.aspects(P.toarray(), Y, W)[0], rel=1e-12)


def test_the_tie_of_images_is_linear_and_then_constant():
    Y = np.zeros((2, 3, 2))
    Y[1, :, 0] = [0.01, 0.05, 4.0]
    energy, gradient = images.tie(Y, pull=0.025, reach=0.05)
    np.testing.assert_allclose(gradient[1, :, 0], [0.005, 0.025, 0.025])
    np.testing.assert_allclose(gradient[0], -gradient[1])
    assert energy == pytest.approx(0.025 * (0.01**2 / 0.1 + 0.025 + 4.0 - 0.025))
    spread = np.random.default_rng(0).normal(scale=0.05, size=(3, 6, 2))
    assert_is_gradient(images.tie(spread, 0.3)[1], lambda Y: images.tie(Y, 0.3)[0], spread)


@pytest.mark.parametrize("sums", [gaussian_sums, student_sums])
@pytest.mark.parametrize("n_components", [2, 3])
def test_sums_in_groups_are_the_sums_of_each_group(sums, n_components):
    rng = np.random.default_rng(0)
    Y, w = rng.normal(size=(20, n_components)), rng.random(20)
    Y[4] += 1e5  # one that is far from its own group
    groups = np.array([0, 7, 7, 8, 20])
    values, forces = sums(Y, w, groups=groups)
    for start, stop in ((0, 7), (8, 20)):
        value, force = sums(Y[start:stop], w[start:stop])
        np.testing.assert_array_equal(values[start:stop], value)
        np.testing.assert_array_equal(forces[start:stop], force)
    assert values[7] == 0 and not forces[7].any()


@pytest.mark.parametrize("n_components", [2, 3])
def test_sums_seen_from_elsewhere_leave_the_object_itself_out(n_components):
    rng = np.random.default_rng(0)
    Y, elsewhere = rng.normal(size=(2, 9, n_components))
    values, forces = gaussian_sums(Y, targets=elsewhere, dtype=np.float64)
    differences = elsewhere[:, None] - Y[None]
    near = np.exp(-np.square(differences).sum(-1)) * (1 - np.eye(9))
    np.testing.assert_allclose(values, near.sum(1), rtol=1e-12)
    np.testing.assert_allclose(forces, (near[..., None] * differences).sum(1), rtol=1e-10, atol=1e-14)


def test_weights_come_back_from_their_proportions():
    W = np.random.default_rng(0).normal(size=(3, 5))
    P = np.exp(mixing.log_proportions(W))
    np.testing.assert_allclose(P.sum(axis=0), 1)
    np.testing.assert_allclose(np.exp(mixing.log_proportions(mixing.weights_of(P))), P)
    assert np.isfinite(mixing.weights_of(np.array([[0.0], [1.0]]))).all()
