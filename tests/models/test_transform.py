"""New objects in the map of a fitted model: where they land, and what is refused."""

import itertools
import pickle
import tracemalloc

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import notebook_sne as ns
from notebook_sne import affinities
from notebook_sne.engine.fitting import inputs, out_of_sample
from notebook_sne.engine.mathematics.perplexity import probabilities_at_perplexity
from notebook_sne.models import family
from notebook_sne.models.single import SingleMap
from tests import reference
from tests.tables import in_one_test

# Those with a rule for new objects.
MODELS = tuple(
    kind for kind in map(family.class_of, family.members()) if kind._kernel or kind._places is not SingleMap._places
)
each_model = pytest.mark.parametrize("model", MODELS)


def clusters(n_each=25, seed=0):
    rng = np.random.default_rng(seed)
    return np.concatenate([rng.normal(size=(n_each, 5)) + 8 * np.eye(5)[k] for k in range(3)])


def fit(model, X=None, **options):
    X = clusters() if X is None else X
    return model(**{"perplexity": 8, "random_state": 0, "max_iter": 250, "progress": False, **options}).fit(X)


def across(X, Z):
    """Distances, not squared."""
    return np.sqrt(np.square(X[:, None] - Z[None]).sum(-1))


@pytest.mark.parametrize(
    "model", [pytest.param(model, marks=[] if model is ns.SymmetricSNE else [pytest.mark.slow]) for model in MODELS]
)
def test_digits_land_among_their_own_as_well_as_those_of_the_map(model):
    digits = ns.datasets.load_digits()
    order = np.random.default_rng(0).permutation(1797)[:900]
    old, new = order[:700], order[700:]
    fitted = fit(model, digits.X[old], perplexity=20, max_iter=500)
    nearest = across(fitted.transform(digits.X[new]), fitted.embedding_).argmin(1)
    error = np.mean(digits.labels[old][nearest] != digits.labels[new])
    # Of 200 digits each tenth of a per cent is less than one; the map itself may be that much luckier.
    assert error < ns.quality.knn_error(fitted.embedding_, digits.labels[old]) + 0.06


@pytest.mark.sampled(3)
@each_model
def test_a_fitted_object_lands_near_its_own_place(model):
    X = clusters()
    fitted = fit(model, X)
    off = np.linalg.norm(fitted.transform(X) - fitted.embedding_, axis=1)
    spread = np.linalg.norm(fitted.embedding_ - fitted.embedding_.mean(0), axis=1)
    assert np.median(off) < 0.1 * np.median(spread)
    assert not np.array_equal(fitted.transform(X), fitted.embedding_)  # it is placed anew


@pytest.mark.sampled(7)
@pytest.mark.parametrize("model", [kind for kind in MODELS if kind is not ns.UMAP])  # whose loss is no divergence
def test_a_place_has_the_least_cost_at_the_perplexity_of_the_fit(model):
    X, new = clusters(), clusters(4, seed=1)
    fitted = fit(model, X)
    P, _ = probabilities_at_perplexity(across(new, X) ** 2, 8.0)
    Y, options = fitted.embedding_, {}
    if model._kernel == "student":
        options["student"] = True
    if model is ns.UNISNE:
        options["background"] = 0.2
    for p, y in zip(P, fitted.transform(new), strict=True):
        cost, gradient = reference.out_of_sample(p, Y, y, **options)
        assert np.linalg.norm(gradient) < 2e-3
        assert cost < min(reference.out_of_sample(p, Y, start, **options)[0] for start in Y) + 1e-6


@pytest.mark.sampled(7)
@each_model
def test_every_new_object_is_placed_as_if_alone_to_the_bit_in_any_block_on_any_threads(model, monkeypatch):
    new = clusters(4, seed=1)
    fitted = fit(model)
    together = fitted.transform(new)
    for i in range(len(new)):
        assert np.array_equal(fitted.transform(new[i : i + 1])[0], together[i])
    assert np.array_equal(fitted.transform(new[::-1])[::-1], together)
    monkeypatch.setattr(out_of_sample, "_ENTRIES", 75 * 7)
    assert np.array_equal(fitted.set_params(n_jobs=1).transform(new), together)


@pytest.mark.sampled(7)
@each_model
def test_dask_may_place_them_in_chunks_of_any_size_on_any_number_of_threads(model):
    array = pytest.importorskip("dask.array")
    new = clusters(20, seed=1)
    fitted = fit(model, max_iter=50)
    whole = fitted.transform(new)
    for size in (60, 17, 3):
        chunks = array.from_array(new, chunks=(size, 5))
        lazy = array.map_blocks(fitted.transform, chunks, dtype=float, chunks=(chunks.chunks[0], (2,)))
        for scheduler in ("threads", "synchronous"):
            assert np.array_equal(lazy.compute(scheduler=scheduler), whole)


def many(n=3100, seed=0):
    # Small whole numbers: many distances are equal, and the search for neighbors has to choose.
    return np.random.default_rng(seed).integers(0, 30, size=(n, 4)).astype(float)


def test_among_many_objects_too_the_neighbors_are_the_nearest_and_nothing_depends_on_the_others(monkeypatch):
    X, new = many(), many(60, seed=1) + 0.25
    fitted = fit(ns.TSNE, X, perplexity=5, max_iter=40)
    seen, plain = [], fitted._places
    monkeypatch.setattr(fitted, "_places", lambda P, *rest: seen.append(P) or plain(P, *rest))
    together = fitted.transform(new)
    P, D = seen[0], across(new, X)
    for i in range(60):
        chosen = P.indices[P.indptr[i] : P.indptr[i + 1]]
        assert len(chosen) <= 15
        assert D[i, chosen].max() <= np.sort(D[i])[14] + 1e-12
    for i in (0, 7, 59):
        assert np.array_equal(fitted.transform(new[i : i + 1])[0], together[i])
    monkeypatch.setattr(out_of_sample, "_ENTRIES", 15 * 16)
    assert np.array_equal(fitted.set_params(n_jobs=1).transform(new), together)


def test_above_three_thousand_objects_the_nearest_are_enough(monkeypatch):
    X, new = clusters(100), clusters(5, seed=1)
    fitted = fit(ns.TSNE, X)
    all_pairs = fitted.transform(new)
    monkeypatch.setattr(out_of_sample, "MOST_SEARCHED_OBJECTS", 100)
    off = np.linalg.norm(fitted.transform(new) - all_pairs, axis=1)
    assert 0 < off.max() < 1.0  # in a map some 40 wide


@pytest.mark.sampled(7)
@each_model
def test_inputs_of_every_kind_lead_to_the_same_places(model):
    X, new = clusters(), clusters(4, seed=1)
    D, P = across(new, X), probabilities_at_perplexity(across(new, X) ** 2, 8.0)[0]
    start = fit(model, X).embedding_
    expected = fit(model, X, init=start, max_iter=1).transform(new)
    by_distances = fit(model, across(X, X), init=start, max_iter=1, input="distances")
    by_rows = fit(model, affinities.conditional(X, 8), init=start, max_iter=1, input="probabilities")
    np.testing.assert_allclose(by_distances.transform(D), expected, atol=5e-3)
    np.testing.assert_allclose(by_rows.transform(P), expected, atol=5e-3)
    sparse_rows = sparse.csr_array(P)
    assert np.array_equal(by_rows.transform(sparse_rows), by_rows.transform(P))
    for i in range(len(new)):
        for fitted, rows in ((by_distances, D), (by_rows, P)):
            assert np.array_equal(fitted.transform(rows[i : i + 1])[0], fitted.transform(rows)[i])


def test_distances_without_a_perplexity_are_taken_in_their_own_unit():
    line = np.arange(12.0)
    fitted = fit(ns.SNE, across(line[:, None], line[:, None]), input="distances", perplexity=None)
    new = across(np.array([[3.5], [10.2]]), line[:, None])
    P = np.exp(-(new**2))
    by_rows = fit(ns.SNE, affinities.from_distances(across(line[:, None], line[:, None])), input="probabilities")
    by_rows.embedding_ = fitted.embedding_
    np.testing.assert_allclose(fitted.transform(new), by_rows.transform(P / P.sum(1, keepdims=True)), atol=1e-4)
    with pytest.raises(ValueError, match=r"1e\+150"):
        fitted.transform(np.full((1, 12), 1e200))


def test_what_is_set_for_the_next_fit_does_not_touch_this_one():
    new = clusters(4, seed=1)
    fitted = fit(ns.UNISNE)
    before = fitted.transform(new)
    fitted.set_params(perplexity=30.0, input="joint", background=0.9)
    assert np.array_equal(fitted.transform(new), before)


@pytest.mark.sampled(8)
@each_model
@pytest.mark.parametrize("n_components", [1, 3])
def test_maps_may_have_other_numbers_of_dimensions(model, n_components):
    on_a_line = model is ns.UMAP and n_components == 1  # with the repulsion that is its default it tears every cluster
    fitted = fit(model, n_components=n_components, **({"negative_sample_rate": 5} if on_a_line else {}))
    found = fitted.transform(clusters(4, seed=1))
    assert found.shape == (12, n_components)
    labels = np.repeat(range(3), 25)
    wrong = labels[across(found, fitted.embedding_).argmin(1)] != np.repeat(range(3), 4)
    # Even so, of 48 fits on a line, 4 had one object in another's part.
    assert np.count_nonzero(wrong) <= on_a_line


@pytest.mark.sampled(7)
@each_model
def test_units_and_offsets_of_the_data_do_not_matter(model):
    X, new = clusters(), clusters(4, seed=1)
    fitted = fit(model, X)
    for scale in (1e-140, 1e8, 1e140):
        other = fit(model, scale * (X + 3), init=fitted.embedding_, max_iter=1)
        other.embedding_ = fitted.embedding_
        np.testing.assert_allclose(other.transform(scale * (new + 3)), fitted.transform(new), atol=5e-3)


def test_single_precision_data_and_lists_are_taken():
    X, new = clusters().astype(np.float32), clusters(4, seed=1)
    fitted = fit(ns.TSNE, X)
    assert fitted.objects_ is X
    assert fitted.transform(new.tolist()).shape == (12, 2)
    # The distances of new float32 objects are those of their values, to the last bit.
    assert np.array_equal(fitted.transform(new.astype(np.float32)), fitted.transform(new.astype(np.float32) * 1.0))


def test_an_interrupted_and_a_diverged_fit_place_objects_too(monkeypatch):
    from notebook_sne.engine.mathematics import unisne

    plain, calls = unisne.cost_and_gradient, itertools.count()

    def interrupted(*arguments, **options):
        if next(calls) > 80:
            raise KeyboardInterrupt
        return plain(*arguments, **options)

    monkeypatch.setattr(unisne, "cost_and_gradient", interrupted)
    model = ns.UNISNE(perplexity=8, random_state=0, max_iter=250, progress=False)
    with pytest.raises(KeyboardInterrupt):
        model.fit(clusters())
    monkeypatch.undo()
    assert model.state_.knobs["background"] == 0  # it was symmetric still, and objects are placed as the map was made
    P, _ = probabilities_at_perplexity(across(clusters(4, seed=1), clusters()) ** 2, 8.0)
    for p, y in zip(P, model.transform(clusters(4, seed=1)), strict=True):
        assert np.linalg.norm(reference.out_of_sample(p, model.embedding_, y)[1]) < 2e-3
        assert np.linalg.norm(reference.out_of_sample(p, model.embedding_, y, background=0.2)[1]) > 5e-3
    astray = ns.SNE(perplexity=8, learning_rate=1e300, jitter=0.1, random_state=0, progress=False)
    with pytest.raises(ns.DivergedError):
        astray.fit(clusters())
    assert np.isfinite(astray.transform(clusters(4, seed=1))).all()


@pytest.mark.slow
@pytest.mark.sampled(4)
@each_model
def test_a_model_survives_pickling_cloning_and_a_pipeline(model):
    X, new = clusters(), clusters(4, seed=1)
    fitted = fit(model, X)
    assert np.array_equal(pickle.loads(pickle.dumps(fitted)).transform(new), fitted.transform(new))
    with pytest.raises(NotFittedError):
        clone(fitted).transform(new)
    pipeline = make_pipeline(StandardScaler(), clone(fitted)).fit(X)
    assert pipeline.transform(new).shape == (12, 2)
    named = clone(fitted).set_output(transform="pandas").fit(X).transform(new)
    assert list(named.columns) == [f"{model.__name__.lower()}{k}" for k in range(2)]


def test_the_objects_of_the_fit_are_kept_without_a_copy_and_a_change_of_them_is_told():
    X = clusters()
    fitted = fit(ns.SNE, X)
    assert fitted.objects_ is X
    before = fitted.transform(clusters(2, seed=1))
    X[0, 0] += 1e-9
    with pytest.raises(ValueError, match=r"has been changed since.*X\.copy\(\)"):
        fitted.transform(clusters(2, seed=1))
    X[:] = clusters()
    assert np.array_equal(fitted.transform(clusters(2, seed=1)), before)
    assert fit(ns.SNE, across(X, X), input="distances").objects_ is None


def test_transform_changes_neither_the_model_nor_what_it_is_given():
    new = clusters(2, seed=1)
    for kind in ("vectors", "probabilities", "distances"):
        X = clusters()
        D = across(X, X)
        data = {"vectors": X, "distances": D, "probabilities": affinities.conditional(X, 8)}[kind]
        rows = across(new, X)
        given = {"vectors": new, "distances": rows, "probabilities": rows / rows.sum(1, keepdims=True)}[kind]
        fitted = fit(ns.TSNE, data, input=kind, max_iter=5)
        before, map_before = given.copy(), fitted.embedding_.copy()
        given.flags.writeable = False
        fitted.transform(given)
        assert np.array_equal(given, before)
        assert np.array_equal(fitted.embedding_, map_before)


@pytest.mark.slow
def test_a_block_takes_no_more_memory_for_more_objects(monkeypatch):
    monkeypatch.setattr(out_of_sample, "_ENTRIES", 20_000)
    fitted = fit(ns.TSNE, clusters(100), max_iter=5)

    def peak(n_each):
        new = clusters(n_each, seed=1)
        tracemalloc.start()
        fitted.transform(new)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most - 16 * len(new)  # the places themselves

    peak(30)
    few, more = peak(100), peak(2000)
    assert more < few + 6000 * 5 * 8  # one copy of the new objects at most; all rows of P would take 14 MB
    assert few < 10 * 8 * 20_000 + 500_000


# ---- what is refused ----


def test_what_is_not_fitted_is_told_so():
    with pytest.raises(NotFittedError, match="not fitted"):
        ns.SNE().transform(clusters())
    model = fit(ns.SNE)
    before = model.transform(clusters())
    with pytest.raises(ValueError):
        model.fit(np.full((40, 5), np.nan))
    assert np.array_equal(model.transform(clusters()), before)  # a fit that is refused takes nothing away


def holed(value):
    X = clusters(2)
    X[3, 1] = value
    return X


@pytest.mark.parametrize(
    ("new", "error", "words"),
    [
        (clusters()[:, :4], ValueError, "4 features, but SNE is expecting 5"),
        (holed(np.nan), ValueError, r"X\[3, 1\] is NaN"),
        (holed(np.inf), ValueError, r"X\[3, 1\] is infinity"),
        (holed(1e300), ValueError, "new object 3 must lie within"),
        (clusters()[0], ValueError, "2D array"),
        (np.empty((0, 5)), ValueError, "0 sample"),
        (sparse.csr_array(clusters()), TypeError, "X must be dense"),
    ],
)
def test_bad_vectors_are_named(new, error, words):
    with pytest.raises(error, match=words):
        fit(ns.SNE, max_iter=2).transform(new)


def test_a_data_set_in_place_of_an_array_is_named():
    digits = ns.datasets.load_digits()
    with pytest.raises(TypeError, match=r"give its field X, as in transform\(digits.X\)"):
        fit(ns.SNE, max_iter=2).transform(digits)
    with pytest.raises(TypeError, match=r"give its field X, as in place\(digits.X\)"):
        fit(ns.AspectMaps, n_maps=2, max_iter=2).place(digits)


def test_of_sparse_distances_it_is_said_what_to_fit_to():
    D = across(clusters(), clusters())
    with pytest.raises(TypeError, match=r"would read as 0; .* fit to neighbors, too, with input='neighbors'"):
        fit(ns.SNE, D, input="distances", max_iter=2).transform(sparse.csr_array(D))


def test_a_new_object_with_ties_is_told_of_by_its_own_number(monkeypatch):
    monkeypatch.setattr(out_of_sample, "_ENTRIES", 75 * 2)  # in several blocks
    distances = across(clusters(), clusters())
    fitted = fit(ns.SNE, distances, input="distances", perplexity=10, max_iter=50)
    new = np.concatenate([distances[:5] + 0.1, np.full((1, 75), 1.0), distances[:1] + 0.1, np.zeros((1, 75))])
    with pytest.warns(UserWarning, match=r"2 new objects have .* perplexity 10 .*\(new objects 5, 7\)") as told:
        places = fitted.transform(new)
    assert len(told) == 1 and told[0].filename == __file__
    # What is as likely to choose anybody lies where the mean under Q is the mean of all.
    np.testing.assert_array_equal(places[5], places[7])
    np.testing.assert_allclose(places[0], fitted.transform(new[:1])[0])
    even = fit(ns.SNE, affinities.conditional(clusters(), 10), input="probabilities", max_iter=50)
    even.embedding_ = fitted.embedding_
    np.testing.assert_allclose(places[5], even.transform(np.full((1, 75), 1 / 75))[0], atol=1e-6)


@pytest.mark.parametrize("searched", [True, False])
def test_a_new_object_like_many_fitted_ones_lies_among_them(searched, monkeypatch):
    if searched:
        monkeypatch.setattr(inputs, "MOST_SEARCHED_OBJECTS", 50)
        monkeypatch.setattr(out_of_sample, "MOST_SEARCHED_OBJECTS", 50)
    X = np.concatenate([clusters(), np.full((60, 5), 4.0)])
    with pytest.warns(UserWarning, match="60 objects have more nearest neighbors"):
        fitted = fit(ns.SymmetricSNE, X, init="random", max_iter=300)
    same = fitted.embedding_[75:]
    with pytest.warns(UserWarning, match=r"1 new object has .*new object 1\)"):
        places = fitted.transform(np.stack([X[0] + 0.1, X[-1]]))
    away = np.linalg.norm(same - same.mean(axis=0), axis=1)
    assert np.linalg.norm(places[1] - same.mean(axis=0)) < away.max()


@in_one_test(
    ("new", "error", "words"),
    [
        (np.ones((2, 74)), ValueError, r"shape \(n, N\) with N = 75.*\(2, 74\)"),
        (np.ones(75), ValueError, r"shape \(n, N\) with N = 75.*\(75,\)"),
        (np.empty((0, 75)), ValueError, "n at least 1"),
        (-np.ones((1, 75)), ValueError, r"X\[0, 0\] is -1"),
        (np.full((1, 75), np.nan), ValueError, r"X\[0, 0\] is NaN"),
        (np.full((1, 75), 1e200), ValueError, r"must not exceed 1e\+150"),
        (sparse.csr_array(np.ones((1, 75))), TypeError, "dense"),
        (1j * np.ones((1, 75)), TypeError, "real"),
        ([["a"] * 75], TypeError, "must be numbers, got text"),
    ],
)
def test_bad_distances_are_named(new, error, words):
    fitted = fit(ns.SNE, across(clusters(), clusters()), input="distances", max_iter=2)
    with pytest.raises(error, match=words):
        fitted.transform(new)


@in_one_test("form", [np.asarray, sparse.csr_array])
@in_one_test(
    ("row", "words"),
    [
        (np.full(75, 0.1), "new object 1 misses it by .6.5 .1 such rows.; divide each row"),
        (np.zeros(75), "new object 1 misses it by -1"),
        (np.eye(75)[0] - 1e-3 * np.eye(75)[1], r"X\[1, 1\] is -0.001"),
        (np.eye(75)[0] * np.nan, "X.1, .* is NaN"),
        (np.full(60, 1 / 60), "N = 75"),
    ],
)
def test_bad_probabilities_are_named(form, row, words):
    fitted = fit(ns.TSNE, affinities.conditional(clusters(), 8), input="probabilities", max_iter=2)
    good = np.full(len(row), 1 / len(row))
    with pytest.raises(ValueError, match=words):
        fitted.transform(form(np.stack([good, row])))


def test_after_a_joint_p_it_is_said_what_to_do():
    J = affinities.joint(affinities.conditional(clusters(), 8))
    one = fit(ns.TSNE, J, input="joint", max_iter=2)
    several = fit(ns.MultipleMapsTSNE, J, input="joint", max_iter=2, n_maps=2)
    for places in (one.transform, several.place):
        with pytest.raises(ValueError, match=r"input='joint'.*input='probabilities'"):
            places(J)


def test_the_digest_is_that_of_the_data_that_a_fit_saw():
    assert out_of_sample.Origin.of("vectors", clusters()).digest == inputs._digest(clusters())
    assert out_of_sample.Origin.of("joint", None).digest is None
