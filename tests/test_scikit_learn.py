"""scikit-learn's own checks of all public estimators, and why one of them cannot hold.

They are about how an estimator is called, in some fifty fits: few updates show it as well as many, and of the 20
objects of a fit a perplexity of 30 is too much. Everything else is at its default, unless a comment says why not.
"""

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
MAPS_AND_MIXING = dict.fromkeys(
    (
        "check_estimators_pickle", "check_fit_idempotent", "check_methods_sample_order_invariance",
        "check_methods_subset_invariance", "check_transformer_data_not_an_array", "check_transformer_general",
    ),
    "makes one array of what transform returns; but an object has a place in each of several maps and a proportion of "
    "each, which are two arrays of different shapes",
)  # fmt: skip
IN_PARTS = dict.fromkeys(
    ("check_estimators_pickle", "check_pipeline_consistency", "check_positive_only_tag_during_fit"),
    "fits clusters apart, or a few identical objects, which no graph of nearest neighbors joins; such data are "
    "refused, as any distance between the parts would be invented",
)
IN_PARTS_PLACED = IN_PARTS | dict.fromkeys(
    ("check_transformer_data_not_an_array", "check_transformer_general"),
    IN_PARTS["check_pipeline_consistency"],
)
BRIEF = {"max_iter": 5, "perplexity": 3}

ESTIMATORS = {
    **{name: (BRIEF, PLACED_ANEW) for name in members()},
    # By default there are 50 maps, and at most as many as objects.
    "AspectMaps": (BRIEF | {"n_maps": 2}, MAPS_AND_MIXING),
    "MultipleMapsTSNE": (BRIEF | {"n_maps": 2}, MAPS_AND_MIXING),
    "MixtureSNE": (BRIEF, MAPS_AND_MIXING),
    "PCA": ({}, {}),
    # Most of its data have two classes, whose means span one dimension.
    "LDA": (
        {"n_components": 1},
        {"check_transformer_data_not_an_array": "gives classes in a holder that is no array"},
    ),
    "NCA": ({"max_iter": 5}, {}),
    "ClassicalMDS": ({}, {}),
    "MetricMDS": ({"max_iter": 5}, {}),
    "Sammon": (
        {"max_iter": 5},
        {"check_positive_only_tag_during_fit": "fits identical objects, of which Sammon's stress has no value"},
    ),
    # Some data have ten objects: fewer than 12 neighbors.
    "Isomap": ({"n_neighbors": 8}, IN_PARTS_PLACED),
    "LLE": (
        {"n_neighbors": 8},
        IN_PARTS_PLACED | {"check_transformer_n_iter": IN_PARTS["check_pipeline_consistency"]},
    ),
    "LaplacianEigenmaps": ({"n_neighbors": 8}, IN_PARTS),
    "MVU": ({}, IN_PARTS),
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


def test_no_public_estimator_is_left_out():
    assert set(public()) == set(ESTIMATORS)


@each_in_time
def test_scikit_learns_checks_pass_but_those_with_a_reason(name):
    options, expected = ESTIMATORS[name]
    results = check_estimator(public()[name](**options), expected_failed_checks=expected, on_skip=None)
    assert {result["status"] for result in results} <= {"passed", "skipped", "xfail"}
    assert {result["check_name"] for result in results if result["status"] == "xfail"} == set(expected)


@pytest.mark.slow
@pytest.mark.parametrize("perplexity", [[2, 5], "multiscale"])
def test_several_perplexities_pass_them_too(perplexity):
    model = ns.SNE(perplexity=perplexity, max_iter=3)
    results = check_estimator(model, expected_failed_checks=PLACED_ANEW, on_skip=None)
    assert {result["status"] for result in results} <= {"passed", "skipped", "xfail"}
