"""The cost and gradient of NCA against the formulas, against scikit-learn, and a map that only moves as a whole."""

from itertools import islice

import numpy as np
import pytest
from scipy import sparse

import notebook_sne as ns
from notebook_sne.baselines.components import LabeledObjects, LinearLayout, cost_and_forces, cost_and_gradient, shares
from notebook_sne.engine.mathematics import sne
from tests import reference

NCA = ns.baselines.NCA


def setting(n_objects=12, n_features=4, n_components=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_objects, n_features))
    X -= X.mean(axis=0)
    return LabeledObjects(X, rng.integers(0, 3, n_objects)), 0.7 * rng.normal(size=(n_components, n_features))


def choices(Y):
    near = np.exp(-reference.squared(Y))
    np.fill_diagonal(near, 0.0)
    return near / near.sum(axis=1, keepdims=True)


def plain(objects, Y, log=False):
    own = np.sum(choices(Y) * (objects.classes[:, None] == objects.classes), axis=1)
    return -np.mean(np.log(own)) if log else 1 - np.mean(own)


def two_crosses(seed=0):
    """Two classes that only the third of five features tells apart, which varies least."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], 40)
    X = rng.normal(size=(80, 5)) * [1, 1, 0.2, 1, 1]
    X[:, 2] += y
    return X, y


@pytest.mark.parametrize("n_components", [1, 2, 3])
def test_cost_is_the_formula_and_the_gradient_that_of_central_differences(n_components):
    objects, A = setting(n_components=n_components)
    here = cost_and_gradient(objects, objects.X @ A.T)
    assert here.cost == pytest.approx(plain(objects, objects.X @ A.T), rel=1e-12)
    numeric = reference.central_difference(lambda A: cost_and_gradient(objects, objects.X @ A.T).cost, A)
    assert np.linalg.norm(here.gradient - numeric.ravel()) < 1e-6 * np.linalg.norm(numeric)
    assert shares(objects.classes, objects.X @ A.T).sum() == pytest.approx(here.cost, rel=1e-12)


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("n_components", [1, 2, 3])
def test_the_forces_on_map_points_are_those_of_central_differences(n_components, log):
    objects, A = setting(n_components=n_components)
    Y = objects.X @ A.T
    cost, forces = cost_and_forces(objects.classes, Y, log)
    assert cost == pytest.approx(plain(objects, Y, log), rel=1e-12)
    numeric = reference.central_difference(lambda Y: cost_and_forces(objects.classes, Y, log)[0], Y)
    assert np.linalg.norm(forces - numeric) < 1e-6 * np.linalg.norm(numeric)
    assert shares(objects.classes, Y, log).sum() == pytest.approx(cost, rel=1e-12)


def test_in_logarithms_it_is_sne_whose_neighbors_are_those_chosen_within_the_class():
    objects, A = setting(40)
    Y = objects.X @ A.T
    P = choices(Y) * (objects.classes[:, None] == objects.classes)
    P /= P.sum(axis=1, keepdims=True)
    there = sne.cost_and_gradient(sne.attractive_pairs(sparse.csr_array(P)), Y)
    cost, forces = cost_and_forces(objects.classes, Y, log=True)
    # The sums of SNE are in single precision.
    assert cost == pytest.approx(there.cost / 40, rel=1e-4)
    np.testing.assert_allclose(forces, there.gradient / 40, atol=1e-5 * np.abs(forces).max())


def test_logarithms_draw_an_object_back_to_its_class_from_however_far():
    classes = np.array([0, 0, 1, 1])
    Y = np.array([[0.0], [100.0], [101.0], [102.0]])  # exp(-100^2) is 0 in double precision
    cost, forces = cost_and_forces(classes, Y, log=True)
    assert cost == pytest.approx((100**2 - 1) / 4, rel=1e-3)  # the second object's; the others are near their own
    assert forces[1, 0] > 40
    assert forces[0, 0] < -40
    assert np.abs(cost_and_forces(classes, Y)[1]).max() < 1


def test_far_objects_still_choose():
    objects, A = setting()
    Y = objects.X @ A.T * 1e4  # exp(-d) is 0 for all
    assert np.isfinite(cost_and_gradient(objects, Y).gradient).all()
    nearest = reference.squared(Y).argmin(axis=1)
    assert cost_and_gradient(objects, Y).cost == pytest.approx(np.mean(objects.classes[nearest] != objects.classes))


@pytest.mark.slow
def test_it_ends_as_scikit_learn_does():
    from sklearn.datasets import load_iris
    from sklearn.neighbors import NeighborhoodComponentsAnalysis

    X, y = load_iris(return_X_y=True)
    ours = NCA(init="pca", random_state=0).fit(X, y)
    theirs = NeighborhoodComponentsAnalysis(2, init="pca", max_iter=200, random_state=0).fit(X, y)
    cost = plain(LabeledObjects(X, y), theirs.transform(X))
    assert ours.cost_ < cost + 0.01 < 0.2 * ours.trace_.cost[0]
    nearest = reference.squared(ours.transform(X)).argmin(axis=1)  # the map is so wide that no other is chosen
    assert ours.cost_ == pytest.approx(np.mean(y[nearest] != y), abs=1e-6)


def test_it_finds_the_feature_that_tells_the_classes_apart():
    X, y = two_crosses()
    fitted = NCA(n_components=1, init="random", random_state=0).fit(X, y)
    direction = np.abs(fitted.components_[0])
    assert fitted.cost_ < 0.1 < fitted.trace_.cost[0]
    assert direction[2] > 3 * np.delete(direction, 2).max()


def test_new_objects_go_where_the_matrix_has_them():
    X, y = two_crosses()
    fitted = NCA(max_iter=20, random_state=0).fit(X, y)
    np.testing.assert_allclose(fitted.transform(X), fitted.embedding_, atol=1e-9)
    assert np.array_equal(fitted.transform(X[:3]), fitted.transform(X)[:3])


def test_classes_are_given_to_fit_or_to_the_model():
    X, y = two_crosses()
    one = NCA(max_iter=10, random_state=0).fit(X, y)
    two = NCA(labels=y.astype(str), max_iter=10, random_state=0).fit(X)
    states = NCA(max_iter=10, random_state=0).iterate(X, y=y)
    assert np.array_equal(one.embedding_, two.embedding_)
    assert one.trace_.cost[3] == next(islice(states, 3, None)).cost
    assert one.labels is None and one.n_features_in_ == 5


@pytest.mark.parametrize(
    ("labels", "y", "message"),
    [
        (None, None, "requires y to be passed"),
        ([0, 1] * 40, [0, 1] * 40, "given once, got both y and labels"),
        (None, [0] * 80, "at least two classes, got one class"),
        (None, [0, None] * 40, "missing for objects 1, 3"),
        (None, [0, 1] * 30, "80"),
    ],
)
def test_classes_that_are_missing_or_too_few_are_refused(labels, y, message):
    with pytest.raises(ValueError, match=message):
        NCA(labels=labels).fit(two_crosses()[0], y)


@pytest.mark.parametrize(("init", "n_components"), [("lda", 2), ("pca", 6)])
def test_a_start_with_too_few_components_is_refused(init, n_components):
    with pytest.raises(ValueError, match=f"init='{init}' gives"):
        NCA(init=init, n_components=n_components).fit(*two_crosses())


def test_positions_of_others_become_those_of_the_nearest_linear_map():
    X, y = two_crosses()
    linear = X @ np.random.default_rng(1).normal(size=(5, 2))
    layout = LinearLayout(X - X.mean(axis=0), 2)
    np.testing.assert_allclose(layout.split(layout.join(linear[None], None))[0][0], linear - linear.mean(axis=0))
    state = next(iter(ns.SNE(perplexity=8, random_state=0, init=linear).iterate(X)))
    first = next(NCA(labels=y).iterate(X, start=state))
    np.testing.assert_allclose(first.embedding, linear - linear.mean(axis=0))
