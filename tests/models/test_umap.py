"""UMAP as an estimator: its graph or another P, live knobs, threads, new objects, and what it refuses."""

import warnings
from itertools import islice

import numpy as np
import pytest
from scipy import sparse

import notebook_sne as ns
from notebook_sne.engine.mathematics import umap
from notebook_sne.models import family

QUIET = {"random_state": 0, "progress": False}


@pytest.fixture(scope="module")
def digits():
    return ns.datasets.load_digits().sample(30, random_state=0)


@pytest.mark.compiled
def test_a_fit_has_the_same_bits_on_any_number_of_threads():
    X = ns.datasets.load_digits().sample(80, random_state=0).X  # 800 objects: a mesh sums for them
    one, two = (ns.UMAP(max_iter=70, n_jobs=n, **QUIET).fit(X) for n in (1, 2))
    np.testing.assert_array_equal(one.embedding_, two.embedding_)
    assert one.cost_ == two.cost_


def test_it_keeps_classes_apart_and_its_cost_falls_below_that_of_an_even_map(digits):
    model = ns.UMAP(exaggeration=4, **QUIET).fit(digits.X)
    assert ns.quality.knn_error(model.embedding_, digits.labels) < 0.1
    assert model.cost_ < 0.5 * umap.least_even_cost(*umap.kernel_of(0.03, 1.0), 10.0)
    assert list(dict.fromkeys(model.trace_["phase"])) == ["exaggeration", "descent"]


def test_with_a_perplexity_its_p_is_that_of_tsne_and_without_one_its_own_graph(digits):
    own, other = ns.UMAP(max_iter=1, **QUIET), ns.UMAP(max_iter=1, perplexity=20, **QUIET)
    assert "perplexity" not in next(own.iterate(digits.X)).knobs
    np.testing.assert_allclose(own.fit(digits.X).affinities_.toarray(), ns.affinities.umap(digits.X).toarray())
    tsne = ns.TSNE(perplexity=20, max_iter=1, **QUIET).fit(digits.X)
    np.testing.assert_array_equal(other.fit(digits.X).affinities_.toarray(), tsne.affinities_.toarray())


@pytest.mark.slow
def test_short_steps_at_the_end_bring_near_objects_to_rest():
    X = ns.datasets.load_digits().X[:1400]
    short, long = ns.UMAP(**QUIET).fit(X), ns.UMAP(learning_rate=350.0, **QUIET).fit(X)
    assert short.cost_ < 0.98 * long.cost_
    assert ns.quality.neighbor_recall(X, short.embedding_) > ns.quality.neighbor_recall(X, long.embedding_) + 0.02


@pytest.mark.parametrize(("exaggeration", "rates"), [(1.0, [100, 100, 100, 25]), (4.0, [50, 100, 100, 25])])
def test_its_rate_falls_with_the_exaggeration_and_in_the_last_sixth(exaggeration, rates):
    schedule = ns.UMAP(exaggeration=exaggeration)._schedules(400)["learning_rate"]
    assert [schedule(t) for t in (0, 60, 249, 250)] == rates


@pytest.mark.slow
def test_min_dist_can_be_turned_while_it_runs(digits):
    knobs = ns.Knobs()
    states = ns.UMAP(max_iter=200, **QUIET).iterate(digits.X, knobs=knobs)
    tight = next(islice(states, 150, None))
    knobs.set(min_dist=0.9)
    wide = next(islice(states, 150, None))

    def nearest(Y):
        D = np.linalg.norm(Y[:, None] - Y, axis=2) + np.diag(np.full(len(Y), np.inf))
        return np.median(D.min(axis=1))

    assert tight.knobs["min_dist"] == 0.03 and wide.knobs["min_dist"] == 0.9
    assert nearest(wide.embedding) > 2 * nearest(tight.embedding)


def test_a_min_dist_above_the_spread_is_refused_before_the_first_update(digits):
    with pytest.raises(ValueError, match="min_dist must be at most spread, got min_dist=2 and spread=1"):
        ns.UMAP(min_dist=2.0).iterate(digits.X)


def test_it_takes_over_from_tsne_with_its_p_and_hands_on_its_own_settings(digits):
    from_tsne = family.successor(ns.TSNE(perplexity=12), "UMAP", 300)
    assert from_tsne.perplexity == 12
    again = family.successor(ns.UMAP(n_neighbors=7, min_dist=0.3), "UMAP", 300)
    assert (again.n_neighbors, again.min_dist, again.perplexity) == (7, 0.3, None)
    for make in (family.successor, family.recipe):
        assert make(ns.UMAP(), "TSNE", 60).perplexity == 59 / 3  # a graph of 15 neighbors is no perplexity
    state = next(islice(from_tsne.iterate(digits.X, start=next(ns.TSNE(perplexity=12).iterate(digits.X))), 5, None))
    assert np.isfinite(state.Y).all()


@pytest.mark.parametrize("input", ["vectors", "distances"])
def test_new_objects_lie_among_their_class(digits, input):
    order = np.random.default_rng(0).permutation(300)
    old, new = order[:260], order[260:]
    D = np.linalg.norm(digits.X[:, None] - digits.X, axis=2)
    X = digits.X[old] if input == "vectors" else D[np.ix_(old, old)]
    Z = digits.X[new] if input == "vectors" else D[np.ix_(new, old)]
    model = ns.UMAP(input=input, init="random", max_iter=200, **QUIET).fit(X)
    there = model.transform(Z)
    np.testing.assert_array_equal(there[:5], model.transform(Z[:5]))  # each by itself
    nearest = np.argmin(np.linalg.norm(there[:, None] - model.embedding_, axis=2), axis=1)
    assert np.mean(digits.labels[old][nearest] == digits.labels[new]) > 0.8


@pytest.mark.parametrize("n_components", [2, 3])
def test_a_new_object_between_two_places_lies_at_one_of_them(n_components):
    Y = np.zeros((2, n_components))
    Y[:, 0] = -20, 20  # the middle is a place to rest, where the loss is higher
    there = umap.places(sparse.csr_array([[1.0, 1.0]]), Y, np.zeros(2), 1.6, 0.9, 0.01)
    assert np.linalg.norm(there - Y, axis=1).min() < 5


def test_a_y_is_not_dropped_without_a_word():
    X = np.random.default_rng(0).normal(size=(40, 4))
    model = ns.UMAP(n_neighbors=5, max_iter=5, random_state=0, progress=False)
    with pytest.warns(UserWarning, match=r"y has no effect: unlike umap-learn's, this UMAP is never supervised"):
        guided = model.fit_transform(X, np.arange(40) % 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.array_equal(model.fit_transform(X), guided)
        ns.TSNE(perplexity=5, max_iter=5, progress=False).fit(X, np.arange(40) % 2)  # of t-SNE nobody expects it
