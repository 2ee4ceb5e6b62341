"""scikit-learn's own checks of all public estimators, and why one of them cannot hold.

They are about how an estimator is called, in some fifty fits: few updates show it as well as many, and of the 20
objects of a fit a perplexity of 30 is too much. Everything else is at its default, unless a comment says why not.
"""

import pickle

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import check_estimator

import notebook_sne as ns
from notebook_sne.models.family import members

PLACED_ANEW = dict.fromkeys(
    ("check_transformer_general", "check_transformer_data_not_an_array"),
    "wants transform(X) to be the map of the fit; but a fit arranges all objects together, and transform places each "
    "by itself, also one that has been fitted",
)
# Fewer neighbors leave clusters of ten, or one of fifty irises, in parts of a graph, which are refused: any distance
# between the parts would be invented.
JOINED = {"n_neighbors": 50}
BRIEF = {"max_iter": 5, "perplexity": 3}

ESTIMATORS = {
    **{name: (BRIEF, PLACED_ANEW) for name in members()},
    # By default there are 50 maps, and at most as many as objects.
    "AspectMaps": (BRIEF | {"n_maps": 2}, {}),
    "MultipleMapsTSNE": (BRIEF | {"n_maps": 2}, {}),
    "MixtureSNE": (BRIEF, {}),
    "PCA": ({}, {}),
    # Most of its data have two classes, whose means span one dimension.
    "LDA": ({"n_components": 1}, {}),
    "NCA": ({"max_iter": 5}, {}),
    "ClassicalMDS": ({}, {}),
    "MetricMDS": ({"max_iter": 5}, {}),
    "Sammon": (
        {"max_iter": 5},
        {"check_positive_only_tag_during_fit": "fits two identical irises, and Sammon's stress divides by distances"},
    ),
    "Isomap": (JOINED, {}),
    "LLE": (JOINED, PLACED_ANEW),
    "LaplacianEigenmaps": (JOINED, {}),
    "MVU": (
        {"n_neighbors": 20},  # as above; of 50 there would be too many rods
        {"check_positive_only_tag_during_fit": "fits irises: 50 of them are in a part of their own, two identical"},
    ),
    "SOM": ({}, {}),
    "GTM": ({}, {}),
    "ParametricMap": ({"max_iter": 5, "hidden": (5,), "model": ns.TSNE(perplexity=3)}, {}),
    "NNCA": ({"max_iter": 5, "hidden": (5,)}, {}),
    "Autoencoder": ({"max_iter": 5, "hidden": (5,)}, {}),
}
# What takes seconds for each: the fast lane tries one of several maps.
each_in_time = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name == "AspectMaps" else [pytest.mark.slow]) for name in ESTIMATORS]
)


def public():
    """Return the public estimators by name."""
    names = {
        name: getattr(room, name)
        for room in (ns, ns.baselines, ns.networks)
        for name in getattr(room, "__all__", dir(room))
    }
    return {name: kind for name, kind in names.items() if isinstance(kind, type) and issubclass(kind, BaseEstimator)}


DIGITS = ns.datasets.load_digits()
IN_TIME = [pytest.param(name, marks=pytest.mark.slow if name in ("MVU", "MixtureSNE") else []) for name in ESTIMATORS]
# Neighbors of 60 digits are in one part from 12 on.
SMALL = {"perplexity": 8, "n_neighbors": 12, "model": ns.TSNE(perplexity=8), "random_state": 0, "progress": False}


def fitted(name, dtype=np.float64):
    """Return an estimator, brief as above, after a fit to a few digits, and five more of these."""
    options, X = ESTIMATORS[name][0], DIGITS.X[:65].astype(dtype)
    model = public()[name](**options)
    model.set_params(**{key: value for key, value in SMALL.items() if key in model.get_params()})
    return model.fit(X[:60], *([DIGITS.labels[:60]] if name in ("LDA", "NCA", "NNCA") else [])), X[60:]


def places(model, new):
    """Return all places that a fitted model has, and those of new objects."""
    found = [getattr(model, one) for one in ("embedding_", "maps_", "mixing_") if hasattr(model, one)]
    found += [model.transform(new)] if hasattr(model, "transform") else []
    return [*found, *(model.place(new) if hasattr(model, "place") else ())]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", IN_TIME)
def test_places_have_the_type_of_the_objects_and_are_found_in_double_precision(name):
    single, double = (places(*fitted(name, dtype)) for dtype in (np.float32, np.float64))
    assert {one.dtype for one in single} == {np.dtype(np.float32)}
    assert {one.dtype for one in double} == {np.dtype(np.float64)}
    assert {one.dtype for one in places(*fitted(name, np.int64))} == {np.dtype(np.float64)}
    model, _ = fitted(name, np.float32)
    if (state := getattr(model, "state_", None)) is not None:  # from which a run goes on to the bit
        assert state.Y.dtype == np.float64
        assert np.array_equal(state.Y.astype(np.float32).reshape(single[0].shape), single[0])


def by_pickle(model):
    return pickle.loads(pickle.dumps(model))


def by_skops(model):
    io = pytest.importorskip("skops.io")  # with which mlflow stores models, too
    stored = io.dumps(model)
    return io.loads(stored, trusted=io.get_untrusted_types(data=stored))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", IN_TIME)
@pytest.mark.parametrize("stored", [by_pickle, pytest.param(by_skops, marks=pytest.mark.slow)])
def test_a_fitted_model_comes_back_the_same(stored, name):
    model, new = fitted(name)
    known = {"builtins", "numpy", "scipy", "sklearn", "notebook_sne", "collections"}  # to skops
    assert {type(value).__module__.partition(".")[0] for value in vars(model).values()} <= known
    again = stored(model)
    for one, other in zip(places(model, new), places(again, new), strict=True):
        assert np.array_equal(one, other, equal_nan=True)
    for table in ("trace_", "restarts_"):
        assert hasattr(model, table) == hasattr(again, table)
        if hasattr(model, table):
            assert getattr(model, table).equals(getattr(again, table))


def test_no_public_estimator_is_left_out():
    assert set(public()) == set(ESTIMATORS)


@each_in_time
def test_scikit_learns_checks_pass_but_those_with_a_reason(name):
    options, expected = ESTIMATORS[name]
    results = check_estimator(public()[name](**options), expected_failed_checks=expected, on_skip=None)
    assert {result["status"] for result in results} <= {"passed", "skipped", "xfail"}
    assert {result["check_name"] for result in results if result["status"] == "xfail"} == set(expected)


@pytest.mark.slow
@pytest.mark.parametrize("own", [{"perplexity": [2, 5]}, {"perplexity": "multiscale"}, {"metric": "mahalanobis"}])
def test_several_perplexities_and_other_metrics_pass_them_too(own):
    model = ns.SNE(max_iter=3, **own)
    results = check_estimator(model, expected_failed_checks=PLACED_ANEW, on_skip=None)
    assert {result["status"] for result in results} <= {"passed", "skipped", "xfail"}
