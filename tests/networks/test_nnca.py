"""Non-linear NCA: its gradient, what it does on long curved classes, and what it promises as all models do."""

import sys
from itertools import islice

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

import notebook_sne as ns
from notebook_sne.engine.fitting.problem import Problem
from tests import reference
from tests.models.test_models import states

pytest.importorskip("autograd")
NNCA = ns.networks.NNCA
LABELS = np.repeat(["a", "b", "c"], 10)


def objects(n=30, n_features=4, seed=0):
    """Return values from 0 to 1, of which the first tells the classes apart a little."""
    X = np.random.default_rng(seed).random((n, n_features))
    X[:, 0] = 0.8 * X[:, 0] + 0.1 * np.repeat([0, 1, 2], n // 3)
    return X


def quick(**options):
    return NNCA(**{"hidden": (5,), "labels": LABELS, "max_iter": 20, "random_state": 0, "progress": False, **options})


def codes(model, X):
    """Return what a network with one hidden layer makes of objects, from its weights: first the code layer's."""
    n, d, k = X.shape[1], model.embedding_.shape[1], model.hidden[0]
    W, b, V, c = np.split(model.weights_[: (k + 1) * d + (n + 1) * k], np.cumsum([k * d, d, n * k]))
    mean = model.state_fit_.mean(axis=0)
    h = np.tanh((X - mean) / np.sqrt(np.mean((model.state_fit_ - mean) ** 2)) @ V.reshape(n, k) + c)
    return h @ W.reshape(k, d) + b


def plain(Y, classes, objective):
    """Return C of codes."""
    near = np.exp(-reference.squared(Y))
    np.fill_diagonal(near, 0.0)
    own = np.sum(near * (classes[:, None] == classes), axis=1) / near.sum(axis=1)
    return -np.mean(np.log(own)) if objective == "log" else 1 - np.mean(own)


@pytest.mark.slow
@pytest.mark.parametrize("objective", ["log", "accuracy"])
@pytest.mark.parametrize("strength", [None, 0.5])
def test_the_gradient_by_the_weights_is_that_of_central_differences(objective, strength):
    model = quick(objective=objective, strength=strength, penalty=0.3, hidden=(3,), labels=[*"aaabbbccc"])
    problem = Problem(model, objects(n=9, n_features=3))
    state = problem.begin().now
    evaluate = problem.evaluation({"penalty": 0.3, **({} if strength is None else {"strength": strength})})
    numeric = reference.central_difference(lambda w: evaluate(w).objective, np.array(state.theta))
    assert np.linalg.norm(evaluate(state.theta).gradient - numeric) < 1e-6 * np.linalg.norm(numeric)


@pytest.mark.parametrize("objective", ["log", "accuracy"])
def test_the_cost_is_the_formula_at_the_codes_and_the_objective_has_penalty_and_reconstruction(objective):
    X = objects()
    fitted = quick(objective=objective, penalty=0.3, strength=0.5).fit(X)
    Y = fitted.embedding_
    assert fitted.cost_ == pytest.approx(plain(Y, LABELS, objective), rel=1e-10)
    made = fitted.network_.decoded(fitted.weights_, Y)
    missed = -np.mean(np.sum(X * np.log(made) + (1 - X) * np.log(1 - made), axis=1))
    penalty = 0.15 * np.mean(np.sum(Y**2, axis=1))
    assert fitted.objective_ == pytest.approx(fitted.cost_ + penalty + 0.5 * missed, rel=1e-10)


def test_the_codes_are_the_formula_of_the_network():
    X = objects()
    fitted = quick().fit(X)
    fitted.state_fit_ = X
    np.testing.assert_allclose(codes(fitted, X), fitted.embedding_, rtol=1e-9, atol=1e-12)


@pytest.mark.slow
def test_strands_that_no_projection_parts_are_parted_and_new_objects_find_theirs():
    wrong = {"NCA": [], "NNCA": []}
    for seed in range(2):
        rope = ns.datasets.load_rope(450, random_state=seed)
        linear = ns.baselines.NCA(random_state=seed)
        bent = NNCA(hidden=(30,), max_iter=100, random_state=seed, progress=False)
        for name, model in (("NCA", linear), ("NNCA", bent)):
            model.fit(rope.X[:300], rope.labels[:300])
            guess = KNeighborsClassifier(1).fit(model.embedding_, rope.labels[:300])
            wrong[name].append(1 - guess.score(model.transform(rope.X[300:]), rope.labels[300:]))
    assert np.mean(wrong["NNCA"]) < 0.5 * np.mean(wrong["NCA"])


def test_a_code_depends_on_its_object_alone():
    fitted = quick().fit(objects())
    new = objects(n=9, seed=1)
    np.testing.assert_allclose(fitted.transform(objects()), fitted.embedding_, atol=1e-12)
    np.testing.assert_allclose(fitted.transform(new[:2]), fitted.transform(new)[:2], atol=1e-12)


def test_a_run_takes_its_classes_from_the_model_and_its_knobs_are_live():
    with ns.Run(quick(optimizer="momentum", strength=0.5), objects()) as run:
        state = run.steps(3)
        assert {"penalty", "strength", "learning_rate"} <= set(state.knobs)
        np.testing.assert_allclose(run.costs().sum(), state.cost, rtol=1e-9)
        run.set(penalty=2.0, learning_rate=0.05, strength=0.0)
        after = run.steps(1)
        assert (after.knobs["penalty"], after.knobs["learning_rate"], after.knobs["strength"]) == (2.0, 0.05, 0.0)


def test_classes_are_given_to_fit_or_to_the_model():
    one, two = quick(labels=None).fit(objects(), LABELS), quick().fit(objects())
    third = next(islice(quick(labels=None).iterate(objects(), y=LABELS), 3, None))
    assert np.array_equal(one.embedding_, two.embedding_)
    assert one.trace_.cost[3] == third.cost
    assert one.labels is None and one.n_features_in_ == 4


@pytest.mark.parametrize(
    ("labels", "y", "message"),
    [
        (None, None, "NNCA requires y to be passed"),
        (LABELS, LABELS, "given once, got both y and labels"),
        (None, ["a"] * 30, "at least two classes, got one class"),
        (None, ["a", None] * 15, "missing for objects 1, 3"),
        (None, ["a", "b"], "30"),
        (None, ["a"] * 15 + ["b"] * 14 + ["c"], "two objects with objective='log', but object 29"),
    ],
)
def test_classes_that_are_missing_or_too_few_are_refused(labels, y, message):
    with pytest.raises(ValueError, match=message):
        quick(labels=labels).fit(objects(), y)


def test_the_expected_accuracy_takes_a_class_of_one():
    labels = ["a"] * 15 + ["b"] * 14 + ["c"]
    fitted = quick(labels=labels, objective="accuracy").fit(objects())
    assert 1 / 30 < fitted.cost_ < 1


def test_a_hyperparameter_out_of_its_range_and_objects_that_do_not_fit_are_refused():
    for options, message in (
        ({"objective": "margin"}, "objective must be one of 'log', 'accuracy', got 'margin'"),
        ({"penalty": -1}, "penalty must satisfy 0 <= penalty"),
        ({"strength": -1}, "strength must satisfy 0 <= strength"),
        ({"hidden": (0,)}, "hidden must be at least 1, got 0"),
    ):
        with pytest.raises(ValueError, match=message):
            quick(**options).fit(objects())
    with pytest.raises(ValueError, match="X must lie from 0 to 1"):
        quick(strength=1.0).fit(2 * objects())
    quick().fit(2 * objects())  # nothing to reconstruct, no range


def test_without_the_library_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "autograd", None)
    with pytest.raises(ImportError, match=r"notebook_sne\[networks\]"):
        quick().fit(objects())


def test_where_it_begins_in_a_heap_there_is_a_gradient_still():
    """From a map of nothing, as another model may hand over, the logarithms lead out."""
    heap = next(iter(ns.SNE(perplexity=5, init=1e-6 * np.eye(30, 2)).iterate(objects())))
    run = states(quick(penalty=None), objects(), 20, start=heap)
    assert run[-1].cost < run[0].cost
