"""Densities of the data kept in t-SNE and UMAP: the term, where it enters, every input, and what refuses it."""

from itertools import islice

import numpy as np
import pytest
from scipy import sparse
from sklearn.neighbors import kneighbors_graph

import notebook_sne as ns
from notebook_sne.browser.pages.recipes import why_not
from notebook_sne.engine.fitting.radii import log_radii
from notebook_sne.engine.mathematics import tsne
from notebook_sne.engine.mathematics.density import with_density
from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.runs.recording import Recording
from notebook_sne.engine.sums.memory_order import in_memory_order
from tests import reference
from tests.mathematics.test_costs import random_p
from tests.tables import in_one_test

QUIET = {"random_state": 0, "progress": False, "perplexity": 10}
each_model = pytest.mark.parametrize("model", [ns.TSNE, ns.UMAP])
ALWAYS = ns.Steps(0.5, 0.5, at=0)


@pytest.fixture(scope="module")
def widths():
    """Two clusters in five dimensions, one ten times as wide as the other; and which object is in the wide one."""
    rng = np.random.default_rng(0)
    wide = np.repeat([False, True], 60)
    return rng.normal(size=(120, 5)) * np.where(wide, 5.0, 0.5)[:, None] + 40.0 * wide[:, None], wide


def stored(n=12, d=2, seed=0):
    P = random_p(n, joint=True, density=0.6, seed=seed)
    rng = np.random.default_rng(seed)
    return P, tsne.attractive_pairs(sparse.csr_array(P)), rng.normal(size=(n, d)), rng.normal(size=n)


def nothing(Y):
    return Evaluation(0.0, np.zeros(Y.shape), 0.0)


@in_one_test("d", [1, 2, 3])
@in_one_test("scale", [0.01, 1.0, 100.0])
def test_the_term_is_that_of_its_formula_and_so_is_its_gradient(d, scale):
    P, pairs, Y, R = stored(d=d)
    pairs, Y = pairs._replace(radii=R), scale * Y
    here = with_density(nothing(Y), pairs, Y, 0.7)
    assert here.cost == 0.0
    assert here.objective == pytest.approx(-0.7 * reference.density_correlation(P, Y, R), rel=1e-9)
    numeric = reference.central_difference(
        lambda Y: with_density(nothing(Y), pairs, Y, 0.7).objective, Y, step=1e-5 * scale
    )
    assert np.linalg.norm(here.gradient - numeric) < 1e-6 * np.linalg.norm(numeric)


def test_an_object_without_a_radius_has_no_part_in_it_but_as_a_neighbor():
    P, pairs, Y, R = stored()
    R[3] = np.nan
    pairs = pairs._replace(radii=R)
    here = with_density(nothing(Y), pairs, Y, 1.0)
    known = np.flatnonzero(~np.isnan(R))
    near = (((P > 0) / (1.0 + reference.squared(Y))).sum(1) / (P > 0).sum(1))[known]
    r = np.log(1.0 / near - 1.0 + 1e-4)
    wanted = np.corrcoef(r, R[known])[0, 1] * r.std() / np.sqrt(r.var() + 0.1)
    assert here.objective == pytest.approx(-wanted, rel=1e-9)
    numeric = reference.central_difference(lambda Y: with_density(nothing(Y), pairs, Y, 1.0).objective, Y)
    assert np.linalg.norm(here.gradient - numeric) < 1e-6 * np.linalg.norm(numeric)


@pytest.mark.parametrize("R", [np.full(12, 2.5), np.full(12, np.nan)])
def test_where_all_radii_are_alike_or_unknown_nothing_is_added(R):
    _, pairs, Y, _ = stored()
    here = nothing(Y)
    assert with_density(here, pairs._replace(radii=R), Y, 1.0) is here


def test_objects_in_one_place_have_a_finite_term_and_no_gradient():
    _, pairs, Y, R = stored()
    here = with_density(nothing(Y), pairs._replace(radii=R), np.ones_like(Y), 1.0)
    assert abs(here.objective) < 1e-12 and not here.gradient.any()


def test_an_object_without_neighbors_has_a_finite_term():
    P, _, Y, R = stored()
    P[3] = P[:, 3] = 0.0
    R[3] = np.nan
    here = with_density(nothing(Y), tsne.attractive_pairs(sparse.csr_array(P))._replace(radii=R), Y, 1.0)
    assert np.isfinite(here.objective) and np.isfinite(here.gradient).all() and not here.gradient[3].any()


def test_radii_go_along_where_objects_are_put_into_another_order():
    _, pairs, _, R = stored()
    order, there = in_memory_order(pairs._replace(radii=R))
    np.testing.assert_array_equal(there.radii, R[order.order])


def test_the_radii_of_every_input_are_those_of_its_distances(widths):
    X, _ = widths
    D = np.sqrt(np.square(X[:, None] - X).sum(2))
    P = ns.TSNE(max_iter=1, **QUIET).fit(X).affinities_
    dense = P.toarray()
    wanted = np.log((dense * D**2).sum(1) / dense.sum(1))

    def off(found):  # the unit of distances is free
        return np.ptp(found - wanted)

    assert off(log_radii(X, "vectors", "euclidean", P)) < 1e-9
    assert off(log_radii(1e200 * X + 1e201, "vectors", "euclidean", P)) < 1e-9
    assert off(log_radii(sparse.csr_array(X), "vectors", "euclidean", P)) < 1e-9
    assert off(log_radii(D, "distances", "euclidean", P)) < 1e-9
    blocks = np.abs(X[:, None] - X).sum(2)
    wanted = np.log((dense * blocks**2).sum(1) / dense.sum(1))
    assert off(log_radii(X, "vectors", "manhattan", P)) < 1e-9


def test_of_given_neighbors_a_distance_counts_in_both_directions(widths):
    X, _ = widths
    X = np.vstack([X, X[:3]])  # whose nearest neighbor is at distance 0, and stored
    graph = sparse.csr_array(kneighbors_graph(X, 20, mode="distance"))
    P = ns.TSNE(max_iter=1, input="neighbors", **QUIET).fit(graph).affinities_
    dense = P.toarray()
    squares = np.square(X[:, None] - X).sum(2)
    wanted = np.log((dense * squares).sum(1) / dense.sum(1))
    assert np.ptp(log_radii(graph, "neighbors", "euclidean", P) - wanted) < 1e-9


def test_duplicates_have_no_radius():
    X = np.vstack([np.zeros((8, 2)), np.random.default_rng(0).normal(size=(20, 2)) + 50.0])
    with pytest.warns(UserWarning, match="nearest neighbors"):
        P = ns.TSNE(perplexity=4, max_iter=1, progress=False).fit(X).affinities_
    R = log_radii(X, "vectors", "euclidean", P)
    assert np.isnan(R[:8]).all() and np.isfinite(R[8:]).all()
    assert not R.flags.writeable


@pytest.mark.sampled(5)
@each_model
def test_the_wide_cluster_of_the_data_is_the_wide_one_of_the_map(model, widths):
    X, wide = widths

    def radius(Y):
        return np.linalg.norm(Y - np.median(Y, axis=0), axis=1).mean()

    # From principal components UMAP with this P may stay where one cluster lies within the other.
    own = {"max_iter": 300, "init": "random", **QUIET}
    plain, kept = (model(density=strength, **own).fit_transform(X) for strength in (None, 2.0))
    assert radius(kept[wide]) / radius(kept[~wide]) > 1.15 * radius(plain[wide]) / radius(plain[~wide])


@each_model
def test_a_number_holds_for_the_last_updates_and_is_in_the_objective_alone(model, widths):
    X, _ = widths
    fitted = model(density=0.5, max_iter=40, **QUIET).fit(X)
    assert list(fitted.trace_["density"]) == [0.0] * 29 + [0.5] * 12
    P, Y = fitted.affinities_, fitted.embedding_
    R = log_radii(X, "vectors", "euclidean", P)
    corr = reference.density_correlation(P.toarray(), Y, R)
    assert fitted.objective_ == pytest.approx(fitted.cost_ - 0.5 * corr, rel=1e-6)
    plain = model(max_iter=40, **QUIET, init=Y, exaggeration=ns.Steps(1, 1, at=0))
    assert next(plain.iterate(X)).cost == pytest.approx(fitted.cost_, rel=1e-6)


@each_model
def test_zero_keeps_every_bit_and_a_knob_turns_it_on_and_a_resumed_run_goes_on_exactly(model, widths):
    X, _ = widths
    knobs = ns.Knobs()
    calm = {**QUIET, "exaggeration": ns.Steps(1.0, 1.0, at=0)}
    plain = list(islice(model(**calm).iterate(X), 9))
    run = model(density=ns.Steps(0.0, 0.0, at=0), **calm).iterate(X, knobs=knobs)
    states = list(islice(run, 9))
    assert all(np.array_equal(one.Y, two.Y) for one, two in zip(plain, states, strict=True))
    knobs.set(density=1.0)
    P, state = model(max_iter=1, **QUIET).fit(X).affinities_, next(run)
    corr = reference.density_correlation(P.toarray(), state.embedding, log_radii(X, "vectors", "euclidean", P))
    assert state.objective == pytest.approx(state.cost - corr, rel=1e-6)
    film = list(islice(model(density=ALWAYS, **QUIET).iterate(X), 25))
    again = list(islice(model(density=ALWAYS, **{**QUIET, "random_state": 5}).iterate(X, start=film[12]), 13))
    assert np.array_equal(again[-1].Y, film[24].Y) and again[-1].objective == film[24].objective


@each_model
def test_any_number_of_threads_has_the_same_bits(model, widths):
    X, _ = widths
    one, two = (model(density=ALWAYS, max_iter=20, n_jobs=n, **QUIET).fit(X) for n in (1, 2))
    np.testing.assert_array_equal(one.embedding_, two.embedding_)


@each_model
def test_it_is_refused_where_there_are_no_distances(model, widths):
    P = ns.affinities.conditional(widths[0], 10)
    for input, given in (("probabilities", P), ("joint", ns.affinities.joint(P))):
        with pytest.raises(ValueError, match=f"density needs the distances of the data.*got input='{input}'; give vec"):
            model(density=0.5, input=input, progress=False).iterate(given)
    with pytest.raises(ValueError, match=r"density must satisfy 0 <= density < inf, got -1"):
        model(density=-1.0, **QUIET).iterate(widths[0])
    with pytest.raises(TypeError, match="density must be a number, got 'much'"):
        model(density="much", **QUIET).iterate(widths[0])


def test_a_page_that_computes_refuses_it(widths, tmp_path):
    assert why_not(ns.TSNE()) == ""
    assert why_not(ns.TSNE(density=0.5)) == "a page keeps no densities, and this model has density=0.5"
    with ns.Run(ns.TSNE(density=0.5, **QUIET), widths[0]) as run:
        run.steps(1)
        with pytest.raises(
            ValueError, match="live=True needs a model that a page can compute, but a page keeps no den"
        ):
            ns.Player(run).to_html(tmp_path / "page.html", live=True)


def test_a_run_of_it_is_recorded_and_seeks_back(widths, tmp_path):
    with ns.Run(ns.TSNE(density=0.5, max_iter=20, **QUIET), widths[0]) as run:
        last = run.steps(20)
        run.seek(16)
        run.wait()
        assert np.array_equal(run.steps(4).Y, last.Y) and last.knobs["density"] == 0.5
        back = Recording.load(run.recording.save(tmp_path / "kept.npz"))
    assert back.chapters[-1].parameters["density"] == 0.5
