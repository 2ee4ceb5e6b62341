"""Metrics by name: P is that of the distances which SciPy measures, for any model, for new objects and in views."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.base import clone
from sklearn.manifold import TSNE, _t_sne
from sklearn.metrics import pairwise_distances
from sklearn.metrics.pairwise import _VALID_METRICS

import notebook_sne as ns
from notebook_sne import affinities
from notebook_sne.affinities import metrics
from notebook_sne.browser.widgets.neighbors import all_nearest, nearest
from notebook_sne.engine.fitting import inputs
from tests.standins import until
from tests.tables import in_one_test


def objects(n_objects=60, seed=0):
    return 1 + np.random.default_rng(seed).normal(size=(n_objects, 6))


def quick(model=ns.SNE, **options):
    return model(**{"perplexity": 5, "max_iter": 3, "random_state": 0, "progress": False, "least_p": 0.0, **options})


def measured(metric, X, Z=None):
    """The distances that our P is made of, by SciPy."""
    name = {"manhattan": "cityblock", "l1": "cityblock"}.get(metric, metric)
    unit = {"VI": np.linalg.inv(np.cov(Z.T))} if metric == "mahalanobis" and Z is not None else {}  # that of the fit
    D = squareform(pdist(X, name)) if Z is None else cdist(X, Z, name, **unit)
    return np.sqrt(2 * np.maximum(D, 0)) if metric in metrics.DIRECTIONS else D


EACH = np.arange(60)[:, None]
OF_NUMBERS = ["cosine", "correlation", "manhattan", "cityblock", "l1", "chebyshev", "canberra", "braycurtis"]
OF_NUMBERS += ["minkowski", "seuclidean", "mahalanobis"]
OF_SETS = ["jaccard", "dice", "rogerstanimoto", "russellrao", "sokalsneath", "hamming"]


@in_one_test("metric", OF_NUMBERS)
def test_p_is_that_of_the_distances(metric):
    expected = affinities.from_distances(measured(metric, objects()), 5)
    P = quick(metric=metric).fit(objects()).affinities_.toarray()
    np.testing.assert_allclose(P, expected, atol=1e-7)


@pytest.mark.filterwarnings("ignore:.*more nearest neighbors at one distance")
@pytest.mark.parametrize("metric", OF_SETS)
def test_sets_are_compared_as_sets(metric):
    X = (np.random.default_rng(0).random((60, 40)) < 0.4) * 1.0
    expected = affinities.from_distances(measured(metric, X.astype(bool)), 5)
    np.testing.assert_allclose(quick(metric=metric).fit(X).affinities_.toarray(), expected, atol=1e-7)
    if metric != "hamming":
        with pytest.raises(ValueError, match="needs an X of 0 and 1"):
            quick(metric=metric).fit(objects())


@pytest.mark.parametrize("model", [ns.SNE, ns.TSNE, ns.UNISNE, ns.ElasticEmbedding])
def test_models_take_a_metric(model):
    assert np.isfinite(quick(model, metric="cosine").fit_transform(objects())).all()


def test_the_length_of_a_vector_does_not_matter_to_cosines(monkeypatch):
    X = objects()
    scaled = X * np.random.default_rng(0).uniform(0.1, 900, size=(60, 1))
    one, other = (quick(metric="cosine").fit(each) for each in (X, scaled))
    assert abs(one.affinities_ - other.affinities_).max() < 1e-8
    monkeypatch.setattr(inputs, "MOST_SEARCHED_OBJECTS", 50)  # by a search for neighbors
    found = quick(metric="cosine").fit(scaled).affinities_
    expected = affinities.conditional(metrics.unit_vectors(X, "cosine"), 5, neighbors=15)
    assert abs(found - expected).max() < 1e-8


def test_vectors_of_one_direction_are_the_same():
    X = np.repeat(objects(10), 8, axis=0) * np.arange(1, 81)[:, None] / 7
    with pytest.warns(UserWarning, match="80 objects have more nearest neighbors at one distance"):
        P = quick(metric="cosine").fit(X).affinities_.toarray()
    same = np.repeat(np.arange(10), 8)
    np.testing.assert_allclose(P, (same[:, None] == same) * (1 - np.eye(80)) / 7, atol=1e-12)


@pytest.mark.parametrize("metric", ["cosine", "correlation", "manhattan", "canberra", "jensenshannon", "mahalanobis"])
def test_new_objects_are_measured_by_the_metric(metric):
    X, new = objects(), objects(5, seed=1)
    if metric == "jensenshannon":
        X, new = np.abs(X), np.abs(new)
    fitted = quick(metric=metric, max_iter=40).fit(X)
    by_distances = quick(input="distances", init=fitted.embedding_).fit(measured(metric, X))
    by_distances.embedding_ = fitted.embedding_
    expected = by_distances.transform(measured(metric, new, X))
    np.testing.assert_allclose(fitted.transform(new), expected, atol=2e-3)
    assert np.array_equal(fitted.transform(new)[1:2], fitted.transform(new[1:2]))
    assert fitted.objects_ is not None and np.array_equal(fitted.objects_, X)


def test_the_nearest_are_told_by_the_metric():
    X = objects() * np.random.default_rng(0).uniform(0.1, 900, size=(60, 1))
    for metric in ("cosine", "chebyshev"):
        D = measured(metric, X) + 1e9 * np.eye(60)
        assert list(nearest(X, "vectors", 4, metric=metric)) == list(np.argsort(D[4])[:8])
        assert np.array_equal(all_nearest(X, "vectors", metric=metric), np.argsort(D, axis=1)[:, :8])


def test_the_metrics_of_others_are_known_by_their_names():
    left_out = {"sqeuclidean", "nan_euclidean", "matching", "wminkowski", "sokalmichener", "kulsinski"}
    assert set(metrics.METRICS) == {*_VALID_METRICS, "jensenshannon"} - left_out
    constant = objects() * (np.arange(objects().shape[1]) != 2)
    for metric in ("seuclidean", "mahalanobis"):  # a feature that is the same everywhere tells nothing apart
        found = [metrics.distances_by(metric, X) for X in (constant, np.delete(constant, 2, axis=1))]
        np.testing.assert_allclose(*found, atol=1e-9)
    with pytest.raises(ValueError, match=r"distances by metric=.* must not be negative"):
        quick(metric=lambda a, b: float(a @ b)).fit(objects())


def test_a_metric_can_be_searched_for_like_any_parameter():
    model = quick(metric="cosine")
    assert model.get_params()["metric"] == "cosine"
    assert quick().set_params(metric="l2").fit(objects()).affinities_.shape == (60, 60)
    with pytest.raises(TypeError, match="no parameter 'metric'"):
        ns.baselines.PCA(metric="cosine")


@pytest.mark.parametrize(
    ("metric", "told"),
    [
        ("cosin", "did you mean 'cosine'"),
        ("sqeuclidean", "it is no distance but the square of one"),
        ("no such", "any other distance is given with input='distances'"),
        (None, "got None"),
        (3, "got 3"),
    ],
)
def test_a_metric_that_is_none_is_refused(metric, told):
    with pytest.raises((TypeError, ValueError), match="metric must be") as error:
        quick(metric=metric).fit(objects())
    assert told in str(error.value)


@pytest.mark.parametrize(
    ("X", "options", "told"),
    [
        (np.where(EACH == 7, 0.0, objects()), {"metric": "cosine"}, "not 0 everywhere.* object 7"),
        (np.where(EACH == 7, 4.1, objects()), {"metric": "correlation"}, "the same number.* object 7"),
        (np.where(EACH < 2, 0.0, objects()), {"metric": "braycurtis"}, "objects 0, 1.* leave these"),
        (objects(), {"metric": "haversine"}, "latitude and longitude"),
        (np.arange(10_001)[:, None] + [0, 0], {"metric": "manhattan"}, "at most 10000 objects, got 10001"),
        (np.ones((60, 60)) - np.eye(60), {"metric": "cosine", "input": "distances"}, "leaves nothing to measure"),
    ],
)
def test_what_a_metric_cannot_measure_is_refused(X, options, told):
    with pytest.raises(ValueError, match=told):
        quick(**options).fit(X)


# Latitude and longitude, in degrees.
TOWNS = np.array([[52.5, 13.4], [53.6, 10.0], [38.9, -77.0], [42.4, -71.1], [-27.5, 153.0], [-37.8, 145.0], [89.9, 9]])


@pytest.mark.parametrize(
    ("X", "told"),
    [
        (TOWNS, r"radians, .* X\[0, 0\] is 52.5 \(14 such entries\); give numpy.radians\(X\)"),
        (np.radians(TOWNS)[:, ::-1], r"X\[4, 0\] is 2.67.*; give X\[:, ::-1\] if longitude stands first"),
        (TOWNS[:, ::-1], r"; give numpy.radians\(X\[:, ::-1\]\) if these are degrees"),
        (np.radians(TOWNS[:, [0, 1, 1]]), "got 3 features"),
    ],
)
def test_angles_that_cannot_be_radians_are_refused(X, told):
    with pytest.raises(ValueError, match=f"metric='haversine' needs latitude and longitude.*{told}"):
        quick(metric="haversine", perplexity=2).fit(X)


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_radians_of_the_whole_globe_are_taken_and_degrees_of_new_objects_are_not(kind):
    X = np.radians(np.vstack([TOWNS, [[90, 180], [-90, -360]]])).astype(kind)
    fitted = quick(metric="haversine", perplexity=2).fit(X)
    nearest_of = fitted.affinities_.toarray().argmax(axis=1)
    assert nearest_of[0] == 1 and nearest_of[4] == 5  # Hamburg of Berlin, Melbourne of Brisbane
    with pytest.raises(ValueError, match=r"give numpy.radians\(X\)"):
        fitted.transform(TOWNS[:2])


@pytest.mark.parametrize("model", [ns.SNE, ns.TSNE, ns.UNISNE])
def test_precomputed_is_another_name_of_given_distances(model):
    D = measured("euclidean", objects())
    named, said = quick(model, metric="precomputed"), quick(model, input="distances")
    assert clone(named).get_params() == named.get_params() and (named.input, named.metric) == ("vectors", "precomputed")
    assert named.__sklearn_tags__().input_tags.pairwise
    assert np.array_equal(named.fit(D).state_.Y, said.fit(D).state_.Y)
    assert named.objects_ is None and np.array_equal(named.transform(D[:3] + 1), said.transform(D[:3] + 1))
    assert np.array_equal(quick(model, metric="precomputed", input="distances").fit(D).state_.Y, said.state_.Y)
    for input in ("neighbors", "probabilities"):
        with pytest.raises(ValueError, match=f"another name of input='distances', got input='{input}'"):
            quick(model, metric="precomputed", input=input).fit(D)


def test_a_run_of_precomputed_distances_knows_what_it_was_given():
    D = measured("euclidean", objects())
    player = ns.watch(quick(metric="precomputed"), D, autoplay=False)
    assert np.array_equal(player.describe().neighbors, np.argsort(D, axis=1)[:, 1:9])
    assert until(lambda: "perturbation" in player.uncolored)
    assert "distance" not in {k for k, why in player.uncolored.items() if why}
    player.run.close()


def test_the_root_of_twice_the_cosine_distances_is_what_our_cosine_takes():
    for metric in metrics.DIRECTIONS:
        D = pairwise_distances(objects(), metric=metric)
        P = quick(metric=metric).fit(objects()).affinities_.toarray()
        by_table = quick(input="distances").fit(np.sqrt(2 * D)).affinities_.toarray()
        np.testing.assert_allclose(by_table, P, atol=1e-7)


def test_given_cosine_distances_make_the_p_that_scikit_learn_makes_by_cosine(monkeypatch):
    theirs, made = [], _t_sne._joint_probabilities

    def kept(*arguments):
        theirs.append(made(*arguments))
        return theirs[-1]

    monkeypatch.setattr(_t_sne, "_joint_probabilities", kept)
    TSNE(perplexity=5, metric="cosine", method="exact", init="random", max_iter=250, random_state=0).fit(objects())
    D = pairwise_distances(objects(), metric="cosine")
    by_table, by_name = (
        quick(ns.TSNE, **options).fit(X).affinities_.toarray()
        for options, X in (({"input": "distances"}, D), ({"metric": "cosine"}, objects()))
    )
    expected = squareform(theirs[0])
    np.testing.assert_allclose(by_table, expected, atol=1e-3 * expected.max())
    assert np.abs(by_name - expected).max() > 0.1 * expected.max()
