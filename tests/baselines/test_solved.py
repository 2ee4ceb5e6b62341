"""What all maps that are found at once promise: vectors or distances, a cost, a start, and a run that stands."""

from itertools import islice

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform
from sklearn.base import clone

import notebook_sne as ns
from notebook_sne import baselines
from tests.standins.waiting import PATIENCE
from tests.tables import in_one_test

SOLVED = ["PCA", "LDA", "ClassicalMDS", "Isomap", "LLE", "LaplacianEigenmaps", "MVU"]
OF_DISTANCES = ["ClassicalMDS", "Isomap", "LaplacianEigenmaps", "MVU"]
PLACING = ["PCA", "LDA", "ClassicalMDS", "Isomap", "LLE"]
each = pytest.mark.parametrize("name", SOLVED)


def sheet(n=60, seed=0):
    """Objects on a bent sheet in four dimensions, and a class for each."""
    rng = np.random.default_rng(seed)
    a, b = rng.random((2, n)) * [[2.0], [1.0]]
    X = np.column_stack([np.cos(a), np.sin(a), b, 0.05 * rng.standard_normal(n)])
    return X, (3 * a / 2).astype(int)


def made(name, **options):
    if name in ("Isomap", "LLE", "LaplacianEigenmaps", "MVU"):
        options.setdefault("n_neighbors", 8)
    return getattr(baselines, name)(**options)


def agree(A, B):
    """Tell whether two maps are the same, but for what a rounding in other memory may do to an eigenvector."""
    return np.abs(A - B).max() < 1e-6 * np.abs(B).max()


@each
def test_a_fit_gives_a_finite_map_and_a_cost_and_keeps_the_last_one(name):
    X, y = sheet()
    model = made(name).fit(X, y)
    assert model.embedding_.shape == (60, 2) and np.isfinite(model.embedding_).all()
    assert model.embedding_.dtype == np.float64 and isinstance(model.cost_, float)
    assert model.n_iter_ == 1
    last = model.embedding_
    with pytest.raises(ValueError, match="must be finite"):
        model.fit(X * np.inf, y)
    assert model.embedding_ is last


@each
def test_the_same_data_give_the_same_map(name):
    X, y = sheet()
    first, second = made(name).fit(X, y), made(name).fit(X.copy(), y)
    assert agree(first.embedding_, second.embedding_) and first.cost_ == pytest.approx(second.cost_, rel=1e-9)
    assert agree(made(name).fit_transform(X, y), first.embedding_)


@each
def test_read_only_data_and_lists_are_taken_and_left_as_they_are(name):
    X, y = sheet()
    before = X.copy()
    X.flags.writeable = False
    Y = made(name).fit_transform(X, y)
    assert np.array_equal(X, before)
    assert agree(made(name).fit_transform(X.tolist(), y.tolist()), Y)


@pytest.mark.parametrize("name", OF_DISTANCES)
def test_distances_of_vectors_give_the_map_of_the_vectors(name):
    X, _ = sheet()
    of_vectors, of_distances = made(name).fit(X), made(name, input="distances").fit(squareform(pdist(X)))
    # Where the solver goes down in steps, roundings decide its last digits.
    loose = 1e-3 if name == "MVU" else 1e-6
    assert of_distances.cost_ == pytest.approx(of_vectors.cost_, rel=loose)
    width = np.abs(of_vectors.embedding_).max()
    gaps = np.abs(np.abs(of_distances.embedding_) - np.abs(of_vectors.embedding_))
    assert gaps.max() < loose * width


@pytest.mark.parametrize("name", sorted(set(SOLVED) - set(OF_DISTANCES)))
def test_distances_are_refused_with_the_way_out(name):
    X, y = sheet()
    with pytest.raises(ValueError, match=f"input='distances' does not fit {name}, .*use ClassicalMDS"):
        made(name, input="distances").fit(squareform(pdist(X)), y)


@pytest.mark.parametrize("name", OF_DISTANCES)
def test_asymmetric_distances_are_refused_by_name(name):
    D = squareform(pdist(sheet()[0]))
    D[3, 7] *= 2
    with pytest.raises(ValueError, match=r"must be symmetric.* X\[3, 7\]"):
        made(name, input="distances").fit(D)


@pytest.mark.parametrize("name", PLACING)
def test_objects_of_the_fit_are_placed_where_they_are(name):
    X, y = sheet()
    model = made(name).fit(X, y)
    width = np.abs(model.embedding_).max()
    # LLE makes an object of the others; that they make it well is all that can be asked.
    assert np.abs(model.transform(X) - model.embedding_).max() < (0.1 if name == "LLE" else 1e-6) * width


@pytest.mark.parametrize("name", ["ClassicalMDS", "Isomap"])
def test_distances_to_the_fitted_objects_place_new_ones(name):
    X, _ = sheet(80)
    D = squareform(pdist(X))
    of_vectors = made(name).fit(X[:60])
    of_distances = made(name, input="distances").fit(D[:60, :60])
    places = of_distances.transform(D[60:, :60])
    assert np.allclose(np.abs(places), np.abs(of_vectors.transform(X[60:])), atol=1e-6)
    with pytest.raises(ValueError, match=r"shape \(n, N\)|features"):
        of_distances.transform(D[60:, 60:])


@pytest.mark.parametrize("name", ["LaplacianEigenmaps", "MVU"])
def test_what_has_no_place_for_new_objects_has_no_transform(name):
    assert not hasattr(made(name), "transform")


@each
def test_a_start_is_small_and_begins_the_run_of_a_model(name):
    X, y = sheet()
    model = made(name).fit(X, y)
    start = model.start()
    assert start.std(axis=0).max() == pytest.approx(1e-4) and np.abs(start.mean(axis=0)).max() < 1e-12
    first = next(ns.TSNE(perplexity=5, init=start, random_state=0).iterate(X))
    assert np.array_equal(first.embedding, start)
    assert model.start(sd=2.0).std(axis=0).max() == pytest.approx(2.0)
    with pytest.raises(ValueError, match="sd must satisfy 0 < sd"):
        model.start(sd=0)


@each
def test_its_run_stands_still_and_leaves_the_estimator_as_it_is(name):
    X, y = sheet()
    model = made(name, labels=y) if name == "LDA" else made(name)
    states = list(islice(model.iterate(X), 3))
    assert [state.iteration for state in states] == [0, 1, 2]
    assert not hasattr(model, "embedding_")
    fitted = clone(model).fit(X)
    for state in states:
        assert agree(state.embedding, fitted.embedding_) and state.cost == pytest.approx(fitted.cost_)
        assert state.model == name and state.gradient_norm == 0
    assert next(model.iterate(X, start=states[2])).iteration == 2
    with pytest.raises(ValueError, match="must be finite"):
        model.iterate(X * np.nan)


def test_a_run_goes_on_from_it_under_a_model():
    X, _ = sheet()
    with ns.Run(baselines.Isomap(n_neighbors=8), X) as run:
        still = run.steps(1)
        run.switch(ns.SymmetricSNE(perplexity=5, random_state=0))
        moved = run.steps(30)
    assert still.model == "Isomap" and moved.model == "SymmetricSNE" and moved.iteration > 1
    assert not np.array_equal(still.embedding, moved.embedding)


def test_several_stand_side_by_side_with_a_model():
    X, _ = sheet()
    views = {"PCA": baselines.PCA(), "LLE": baselines.LLE(n_neighbors=8), "t-SNE": ns.TSNE(perplexity=5, max_iter=5)}
    comparison = ns.compare(views, X)
    try:
        for player in comparison.players.values():
            assert player.run.wait(PATIENCE)
        assert comparison["PCA"].run.state.model == "PCA" and comparison["LLE"].run.status == "finished"
    finally:
        comparison.close()


@each
def test_wrong_parameters_are_named(name):
    X, y = sheet()
    with pytest.raises(TypeError, match=f"{name} has no parameter"):
        made(name, n_neighbour=3)
    with pytest.raises(ValueError, match=f"{name} has no parameter"):
        made(name).set_params(seed=3)
    with pytest.raises(ValueError, match="n_components must be at least 1"):
        made(name, n_components=0).fit(X, y)
    with pytest.raises(ValueError, match="n_components must be"):
        made(name, n_components=60).fit(X, y)
    with pytest.raises(ValueError, match="input must be one of"):
        made(name, input="joint").fit(X, y)


@each
def test_data_too_large_for_squares_are_refused(name):
    X, y = sheet()
    with pytest.raises(ValueError, match=r"X must not exceed 1e\+150"):
        made(name).fit(1e200 * X, y)


@in_one_test("far", [1e20, 1e80, 1e99, 1e149])
@in_one_test("name", ["Isomap", "ClassicalMDS", "PCA"])
@pytest.mark.filterwarnings("error")
def test_one_object_very_far_away_is_mapped_without_a_warning(name, far):
    X = np.random.default_rng(0).normal(size=(40, 4))
    X[-1] *= far
    fitted = made(name).fit(X)
    assert np.isfinite(fitted.embedding_).all() and fitted.cost_ >= 0


@pytest.mark.filterwarnings("error")
def test_paths_along_a_line_cost_nothing_in_two_dimensions():
    line = ns.baselines.Isomap(n_neighbors=3).fit(np.arange(40.0)[:, None] * [1, 2, 3])
    assert 0 <= line.cost_ < 1e-20 * np.square(line.path_lengths_).sum() ** 2
    assert line.residual_variance_ == pytest.approx(0, abs=1e-12)


def test_the_cost_of_isomap_is_that_of_scikit_learn():
    fitted = ns.baselines.Isomap(n_neighbors=8).fit(ns.datasets.load_swiss_roll(200).X)
    assert fitted.cost_ == pytest.approx((200 * fitted._isomap.reconstruction_error()) ** 2, rel=1e-9)


def test_what_scikit_learn_would_refuse_is_refused_with_numbers_and_a_way_out():
    X = np.random.default_rng(0).normal(size=(40, 2))
    with pytest.raises(ValueError, match="n_components must be at most the number of features, 2, got 3; lower it"):
        ns.baselines.LLE(n_components=3).fit(X)
    with pytest.raises(ValueError, match=r"needs more objects with a class.*got 40 objects in 40 classes; give more"):
        ns.baselines.LDA(n_components=1).fit(X, np.arange(40))
