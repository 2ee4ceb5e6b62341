"""What the models with one map promise: the same run as an estimator, as a generator, and from any of its states."""

import pickle
import re
import weakref
from itertools import islice

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

import notebook_sne as ns
from notebook_sne import affinities
from notebook_sne.models import MODELS as LISTED
from notebook_sne.models import family
from tests import reference
from tests.costs import COSTS
from tests.standins.process import printed
from tests.tables import in_one_test

MODELS = tuple(family.class_of(name) for name in family.members())
each_model = pytest.mark.parametrize("model", MODELS)
# What takes some seconds for each: the fast lane tries one.
each_model_in_time = pytest.mark.parametrize(
    "model", [pytest.param(model, marks=[] if model is ns.SymmetricSNE else [pytest.mark.slow]) for model in MODELS]
)


def clusters(n_each=20, seed=0):
    rng = np.random.default_rng(seed)
    return np.concatenate([rng.normal(size=(n_each, 5)) + 8 * np.eye(5)[k] for k in range(3)])


def quick(model, **options):
    return model(**{"perplexity": 8, "random_state": 0, "max_iter": 60, "progress": False, **options})


def states(model, X, n, **options):
    return list(islice(model.iterate(X, **options), n + 1))


def same(one, two):
    return np.array_equal(one.Y, two.Y) and one.objective == two.objective and one.iteration == two.iteration


@pytest.mark.sampled(4)
@each_model
def test_a_fit_ends_well_below_the_uniform_q(model):
    X = clusters()
    fitted = quick(model, max_iter=400).fit(X)
    # A run of UMAP does not start at a uniform Q, but as wide as its map will be.
    assert fitted.cost_ < (0.85 if model is ns.UMAP else 0.7) * fitted.trace_.cost[0]
    assert fitted.embedding_.shape == (60, 2)
    labels = np.repeat(range(3), 20)
    assert ns.quality.knn_error(fitted.embedding_, labels) == 0


@each_model
@in_one_test("optimizer", ["momentum", "lbfgs"])
def test_a_state_holds_the_cost_of_its_own_positions(model, optimizer):
    P = affinities.keep_large(affinities.conditional(clusters(), 8))[0]
    P = affinities.joint(P) if model._convention == "joint" else P
    for state in states(quick(model, optimizer=optimizer), clusters(), 25)[::5]:
        cost = COSTS[model.__name__].formula(P.toarray(), state.Y, None, state.knobs)
        assert state.cost == pytest.approx(cost, rel=1e-6)


@each_model
def test_a_start_of_another_model_gives_its_positions_only(model):
    X = clusters()
    other = states(quick(ns.TSNE if model is ns.SNE else ns.SNE), X, 20)[-1]
    first, second = states(quick(model), X, 1, start=other)
    assert np.array_equal(first.Y, other.Y)
    assert (first.iteration, second.iteration) == (20, 21)
    assert first.model == model.__name__
    assert first.knobs == states(quick(model), X, 0)[0].knobs  # schedules start anew


@each_model
def test_states_are_frozen_distinct_and_weakly_referenced(model):
    one, two = states(quick(model), clusters(), 1)
    assert one != two
    assert one == one
    assert weakref.ref(one)() is one
    for state in (one, two, pickle.loads(pickle.dumps(two))):
        assert state.Y.dtype == np.float64
        with pytest.raises(ValueError, match="read-only"):
            state.Y[0, 0, 0] = 1
        with pytest.raises(AttributeError):
            state.cost = 0
    assert one.embedding.shape == (60, 2)
    assert one.gradient_norm > 0


@each_model
def test_a_turned_knob_wins_over_its_schedule_and_stands_in_the_state(model):
    knobs = ns.Knobs()
    run = quick(model).iterate(clusters(), knobs=knobs)
    for _ in range(5):
        before = next(run)
    knobs.set(learning_rate=0.123, momentum=0.25)
    turned = next(run)
    assert (turned.knobs["learning_rate"], turned.knobs["momentum"]) == (0.123, 0.25)
    knobs.release()
    assert next(run).knobs["learning_rate"] == before.knobs["learning_rate"]


@each_model
def test_turning_the_perplexity_changes_the_p_that_the_cost_is_measured_against(model):
    X, knobs = clusters(), ns.Knobs()
    run = quick(model).iterate(X, knobs=knobs)
    before = [next(run) for _ in range(3)][-1]
    knobs.set(perplexity=15)
    after = next(run)
    direct = quick(model, perplexity=15, init=np.array(after.embedding))
    assert after.cost == pytest.approx(next(direct.iterate(X)).cost, rel=1e-9)
    assert after.cost != before.cost


def test_turning_the_background_turns_the_objective_at_once():
    knobs = ns.Knobs(background=0.4)
    state = states(quick(ns.UNISNE), clusters(), 5, knobs=knobs)[-1]
    P = affinities.joint(affinities.keep_large(affinities.conditional(clusters(), 8))[0]).toarray()
    assert state.phase == "background"
    assert state.cost == pytest.approx(reference.unisne(P, np.array(state.embedding), 0.4)[0], rel=1e-6)


def test_unisne_is_symmetric_first_and_then_opens():
    run = states(quick(ns.UNISNE), clusters(), 60)
    symmetric = states(quick(ns.SymmetricSNE), clusters(), 24)
    assert all(np.array_equal(a.Y, b.Y) for a, b in zip(run, symmetric, strict=False))
    assert [s.phase for s in run[1:]] == ["symmetric"] * 24 + ["background"] * 36
    assert run[-1].knobs["background"] == 0.2


@pytest.mark.parametrize("name", [name for name, model in LISTED.items() if model.source])
def test_paper_is_the_papers_recipe_and_takes_changes(name):
    model = family.class_of(name)
    recipe = model.paper(random_state=3)
    assert (recipe.init, recipe.random_state) == ("random", 3)
    assert getattr(recipe, "copy_moves", 0) == 0  # of this package
    assert clone(recipe).get_params() == recipe.get_params()
    assert states(model.paper(perplexity=8, random_state=0), clusters(), 2)[-1].iteration == 2
    with pytest.raises(TypeError, match="has no parameter 'n_iter'"):
        model.paper(n_iter=3)


def test_the_papers_recipe_of_sne_has_jitter_and_then_none():
    recipe = ns.SNE.paper()
    assert (recipe.perplexity, recipe.learning_rate, recipe.momentum, recipe.max_iter) == (15, 0.2, 0, 4000)
    assert [recipe.jitter(t) for t in (0, 3499, 3500)] == [0.3, 0.3, 0]


@pytest.mark.sampled(5)
@each_model
@pytest.mark.parametrize("n_components", [1, 3])
def test_maps_may_have_other_numbers_of_dimensions(model, n_components):
    fitted = quick(model, n_components=n_components, max_iter=200).fit(clusters())
    assert fitted.embedding_.shape == (60, n_components)
    assert fitted.cost_ < (0.9 if model is ns.UMAP else 0.8) * fitted.trace_.cost[0]


@each_model
def test_inputs_of_every_kind_lead_to_the_same_p(model):
    X = clusters()
    P = affinities.conditional(X, 8)
    D = np.sqrt(np.square(X[:, None] - X[None]).sum(-1))
    start = np.random.default_rng(0).normal(size=(60, 2))
    kinds = {"vectors": X, "distances": D, "probabilities": P}
    if model is not ns.SNE:
        kinds["joint"] = affinities.joint(P)
    costs = [
        next(quick(model, input=kind, init=start).iterate(form(data))).cost
        for kind, data in kinds.items()
        for form in ((np.asarray, sparse.csr_array) if kind in ("probabilities", "joint") else (np.asarray,))
    ]
    np.testing.assert_allclose(costs, costs[0], rtol=1e-4)


def test_distances_without_a_perplexity_are_taken_in_their_own_unit():
    D = np.abs(np.subtract.outer(np.arange(12.0), np.arange(12.0)))
    fitted = ns.SNE(input="distances", perplexity=None, random_state=0, max_iter=30, progress=False).fit(D)
    expected, _ = affinities.keep_large(affinities.from_distances(D))
    np.testing.assert_allclose(fitted.affinities_.toarray(), expected.toarray())
    assert "perplexity" not in fitted.trace_.columns


def test_three_objects_can_be_mapped():
    X = np.array([[0.0, 0], [1, 0], [0, 3]])
    for model in MODELS:
        assert np.isfinite(quick(model, perplexity=1.5, max_iter=20).fit_transform(X)).all()


def test_above_three_thousand_objects_p_is_sparse():
    X = np.random.default_rng(0).normal(size=(3100, 3))
    fitted = ns.TSNE(perplexity=5, max_iter=3, progress=False, random_state=0).fit(X)
    assert fitted.affinities_.nnz <= 3100 * 15 * 2
    assert fitted.affinities_.sum() == pytest.approx(1)


def test_the_share_left_out_with_small_entries_is_reported():
    fitted = quick(ns.SNE).fit(clusters())
    exact = affinities.conditional(clusters(), 8)
    assert fitted.dropped_mass_ == pytest.approx(exact[exact < 1e-6].sum() / 60, rel=1e-3, abs=1e-12)
    np.testing.assert_allclose(fitted.affinities_.sum(axis=1), 1)


def test_fit_stops_when_nothing_moves_any_more():
    fitted = quick(ns.SNE, max_iter=5000).fit(clusters())
    assert fitted.n_iter_ < 2000
    assert abs(np.diff(fitted.trace_.objective.iloc[-50:])).sum() < 1e-3 * fitted.objective_


def test_fit_does_not_stop_on_the_first_plateau():
    # From a start this small the cost stays that of the uniform Q for a while.
    fitted = quick(ns.SymmetricSNE, max_iter=400, init=1e-9 * np.random.default_rng(0).normal(size=(60, 2))).fit(
        clusters()
    )
    assert fitted.cost_ < 0.7 * fitted.trace_.cost[0]


def test_an_interrupt_keeps_the_last_state(monkeypatch):
    model = quick(ns.SNE)
    from notebook_sne.engine.mathematics import sne

    plain, calls = sne.cost_and_gradient, []

    def interrupted(*arguments, **options):
        calls.append(1)
        if len(calls) > 10:
            raise KeyboardInterrupt
        return plain(*arguments, **options)

    monkeypatch.setattr(sne, "cost_and_gradient", interrupted)
    with pytest.raises(KeyboardInterrupt):
        model.fit(clusters())
    assert model.n_iter_ == 9
    assert np.isfinite(model.embedding_).all()
    assert len(model.trace_) == 10


def test_a_diverging_fit_says_so_and_keeps_the_last_finite_positions():
    model = quick(ns.SNE, learning_rate=1e300, jitter=0.1)
    with pytest.raises(ns.DivergedError, match="lower the learning rate") as error:
        model.fit(clusters())
    assert np.isfinite(model.embedding_).all()
    assert isinstance(error.value.last, ns.State)


def test_a_progress_bar_appears_only_when_asked_or_after_a_second(capsys):
    quick(ns.SNE, progress=False).fit(clusters())
    assert capsys.readouterr().err == ""
    quick(ns.SNE, progress=True).fit(clusters())
    assert "SNE" in capsys.readouterr().err


def test_where_the_affinities_alone_take_a_second_the_bar_says_so(capsys, monkeypatch):
    monkeypatch.setattr("notebook_sne.engine.fitting.progress.is_watched", lambda: True)
    X = np.random.default_rng(0).normal(size=(3100, 3))
    ns.TSNE(perplexity=5, max_iter=2, random_state=0).fit(X)
    assert "TSNE, affinities" in capsys.readouterr().err


@in_one_test(
    ("options", "words"),
    [
        ({"perplexity": 60}, ["perplexity", "N - 1 = 59", "60"]),
        ({"perplexity": None}, ["perplexity", "None"]),
        ({"n_components": 0}, ["n_components", "at least 1"]),
        ({"max_iter": 0}, ["max_iter", "at least 1"]),
        ({"optimizer": "adam"}, ["optimizer", "'momentum'", "'adam'"]),
        ({"learning_rate": -1.0}, ["learning_rate", "-1"]),
        ({"learning_rate": np.inf}, ["learning_rate", "inf"]),
        ({"momentum": 1.0}, ["momentum", "1"]),
        ({"jitter": -0.1}, ["jitter", "-0.1"]),
        ({"init": "spectral"}, ["init", "'pca'", "'spectral'"]),
        ({"init": np.zeros((60, 3))}, ["init", r"\(60, 2\)", r"\(60, 3\)"]),
        ({"init": np.full((60, 2), np.nan)}, ["init", "NaN"]),
        ({"input": "images"}, ["input", "'vectors'", "'images'"]),
        ({"input": "distances"}, ["square", r"\(60, 5\)"]),
        ({"input": "joint"}, ["square"]),
        ({"sums": "fft"}, ["sums", "'exact'", "'fft'"]),
        ({"n_jobs": 0}, ["n_jobs", "at least 1"]),
        ({"random_state": -1}, ["random_state", "at least 0"]),
        ({"progress": "yes"}, ["progress", "'yes'"]),
        ({"momentum": ns.Steps(0.5, 2.0, at=5)}, ["momentum < 1, got 2"]),
        ({"jitter": lambda t: -1.0 if t > 3 else 0.1}, ["jitter"]),
        ({"init": np.ones((60, 2))}, ["one place"]),
        ({"init": 1e16 * np.random.default_rng(0).normal(size=(60, 2))}, ["1e\\+15"]),
        ({"random_state": 2**40}, ["random_state must be at most"]),
        ({"init": "pca", "n_components": 7}, ["gives 5 components"]),
    ],
)
def test_a_bad_hyperparameter_is_named(options, words):
    with pytest.raises(ValueError) as error:
        quick(ns.SNE, **options).fit(clusters())
    for word in words:
        assert re.search(word, str(error.value)), str(error.value)


def test_errors_of_iterate_come_at_once():
    X = clusters()
    with pytest.raises(ValueError, match="perplexity"):
        quick(ns.SNE, perplexity=100).iterate(X)
    with pytest.raises(TypeError, match="State"):
        quick(ns.SNE).iterate(X, start=np.zeros((60, 2)))
    with pytest.raises(ValueError, match=r"start must hold positions of shape"):
        quick(ns.SNE).iterate(X, start=states(quick(ns.SNE), X[:30], 0)[0])
    with pytest.raises(TypeError, match="Knobs"):
        quick(ns.SNE).iterate(X, knobs={"jitter": 1})
    with pytest.raises(ValueError, match="conditional"):
        quick(ns.SNE, input="joint").iterate(affinities.joint(affinities.conditional(X, 8)))
    with pytest.raises(ValueError, match=r"symmetric"):
        skewed = affinities.conditional(X, 8) / 60
        quick(ns.TSNE, input="joint").iterate(skewed)
    with pytest.raises(ValueError, match=r"background"):
        quick(ns.UNISNE, background=1.5).iterate(X)
    with pytest.raises(ValueError, match=r"exaggeration"):
        quick(ns.TSNE, exaggeration=0).iterate(X)


def test_what_is_given_is_never_changed():
    X, start = clusters(), np.zeros((60, 2))
    start += np.random.default_rng(0).normal(size=(60, 2))
    for model in MODELS:
        for kind, data in (("vectors", X.copy()), ("probabilities", affinities.conditional(X, 8))):
            before, first = data.copy(), start.copy()
            quick(model, input=kind, init=first, max_iter=2).fit(data)
            assert np.array_equal(data, before)
            assert np.array_equal(first, start)
            data.flags.writeable = False
            first.flags.writeable = False
            quick(model, input=kind, init=first, max_iter=2).fit(data)


def test_the_help_of_a_model_tells_all_its_parameters_and_results():
    for model in MODELS:
        for name in model().get_params():
            assert f"{name} :" in model.__doc__, (model, name)
        for name in ("embedding_", "affinities_", "dropped_mass_", "cost_", "n_iter_", "trace_"):
            assert f"{name} :" in model.__doc__


@pytest.mark.sampled(9)
@each_model
@pytest.mark.parametrize("optimizer", ["momentum", "lbfgs"])
def test_a_run_with_halvings_and_turned_knobs_can_be_continued(model, optimizer):
    # A rate far too large, so that keep-best and halving are at work, and knobs turned on the way.
    X = clusters()
    options = {"optimizer": optimizer, "learning_rate": 1e4}

    def played(start=None, first=0):
        knobs, run = ns.Knobs(), None
        out = []
        for iteration in range(first, 26):
            if iteration >= 5:
                knobs.set(perplexity=12)
            if iteration >= 10 and optimizer == "momentum":
                knobs.set(learning_rate=50.0)
            run = run or quick(model, **options).iterate(X, start=start, knobs=knobs)
            out.append(next(run))
        return out

    whole = played()
    if optimizer == "momentum":
        assert any(s.memory["own"]["rate_scale"] < 1 for s in whole)
    for middle in (3, 5, 9, 10, 17):
        again = played(pickle.loads(pickle.dumps(whole[middle])), middle)
        assert all(same(one, two) for one, two in zip(whole[middle:], again, strict=True)), middle


def test_a_rate_turned_by_hand_holds_whatever_the_halvings_before():
    knobs = ns.Knobs()
    run = quick(ns.SNE, learning_rate=1e4).iterate(clusters(), knobs=knobs)
    before = [next(run) for _ in range(25)][-1]
    assert before.memory["own"]["rate_scale"] < 1e-2
    knobs.set(learning_rate=0.1)
    after = [next(run) for _ in range(40)]
    assert after[0].memory["own"]["rate_scale"] == 1
    assert after[-1].cost < 0.95 * before.cost


def test_another_optimizer_takes_over_the_schedules():
    X = clusters()
    late = states(quick(ns.TSNE), X, 20)[-1]
    assert late.phase == "descent"
    polished = states(quick(ns.TSNE, optimizer="lbfgs"), X, 20, start=late)
    assert {s.phase for s in polished} == {"descent"}
    assert polished[-1].cost < late.cost


def test_lbfgs_has_no_jitter():
    run = states(ns.SNE.paper(optimizer="lbfgs", perplexity=8, random_state=0), clusters(), 3)
    assert set(run[-1].knobs) == {"perplexity"}
    assert run[-1].phase == "descent"


@pytest.mark.slow
@pytest.mark.parametrize("optimizer", ["momentum", "lbfgs"])
@each_model_in_time
def test_no_optimizer_mistakes_the_start_for_the_end(model, optimizer):
    # All objects in a heap: the objective hardly changes, and single precision hardly tells.
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(1100, 4)) + 8 * np.eye(4)[k] for k in range(4)])
    made = model(perplexity=10, max_iter=60, optimizer=optimizer, init="random", random_state=0, progress=False)
    fitted = made.fit(X)
    assert fitted.cost_ < 0.75 * fitted.trace_.cost[0]


@each_model
def test_data_on_a_line_do_not_bind_the_map_to_a_line(model):
    X = np.zeros((60, 3))
    X[:, 0] = np.random.default_rng(0).normal(size=60)
    fitted = quick(model).fit(X)
    assert np.linalg.svd(fitted.embedding_ - fitted.embedding_.mean(0), compute_uv=False)[1] > 0.01
    with pytest.raises(ValueError, match="gives 1 components"):
        quick(model, init="pca").iterate(X)


def test_states_cannot_be_changed_through_their_mappings():
    made = states(quick(ns.SNE), clusters(), 1)[-1]
    for state in (made, pickle.loads(pickle.dumps(made))):
        for mapping in (state.knobs, state.memory, state.memory["own"]):
            with pytest.raises(TypeError):
                mapping["momentum"] = 99


def stopped(*_, **__):
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    "kind",
    [ns.SNE, ns.AspectMaps, ns.baselines.PCA, ns.baselines.NCA, ns.baselines.SOM, ns.networks.NNCA],
    ids=lambda kind: kind.__name__,
)
def test_results_are_replaced_when_there_are_new_ones(kind, monkeypatch):
    X, y, options = clusters(), np.arange(60) % 3, kind().get_params()
    wanted = {"max_iter": 3, "perplexity": 8, "n_maps": 2, "grid": (3, 3), "hidden": (4,), "progress": False}
    model = kind(**{name: value for name, value in wanted.items() if name in options}).fit(X, y)
    before = {name: value for name, value in vars(model).items() if name not in options}
    assert "n_iter_" in before
    with pytest.raises(ValueError, match="NaN"):
        model.fit(np.full((40, 7), np.nan), y[:40])
    with monkeypatch.context() as patched:
        patched.setattr("notebook_sne.models.base.States", stopped)  # of what descends
        patched.setattr(ns.baselines.PCA, "_solve", stopped)
        with pytest.raises(KeyboardInterrupt):
            model.fit(X[:40], y[:40])
    after = {name: value for name, value in vars(model).items() if name not in options}
    assert after.keys() == before.keys() and all(after[name] is before[name] for name in before)
    model.fit(X[:40], y[:40])
    assert model.n_iter_ and all(vars(model)[name] is not before[name] for name in before if name.startswith("emb"))


@pytest.mark.parametrize("kind", [ns.TSNE, ns.UMAP])
def test_an_exaggeration_of_none_is_one_of_1(kind):
    maps = [quick(kind, exaggeration=one, max_iter=20).fit_transform(clusters()) for one in (None, 1)]
    assert np.array_equal(*maps)


@in_one_test(
    ("name", "value", "words"),
    [
        ("n_components", 1.5, "n_components"), ("perplexity", "many", "perplexity"), ("max_iter", "few", "max_iter"),
        ("jitter", "a", "jitter"), ("jitter", True, "jitter"), ("random_state", "a", "random_state"),
        ("learning_rate", "0.2", "learning_rate must be a number, got '0.2'"),
        ("random_state", np.random.default_rng(0), "give an int"), ("n_neighbors", [], "n_neighbors"),
    ],
)  # fmt: skip
def test_a_wrong_type_is_a_type_error_and_a_value_error(name, value, words):
    for error in (TypeError, ValueError):
        with pytest.raises(error, match=words):
            one = quick(ns.UMAP, perplexity=None) if name == "n_neighbors" else quick(ns.TSNE)
            one.set_params(**{name: value}).fit(clusters())


@pytest.mark.parametrize("kind", [ns.SNE, ns.TSNE, ns.UMAP])
def test_sparse_precomputed_distances_are_those_of_neighbors(kind):
    from sklearn.neighbors import KNeighborsTransformer

    X = clusters()
    neighbors = KNeighborsTransformer(n_neighbors=30, mode="distance").fit(X)
    graph = neighbors.transform(X)
    by_metric, by_input = (quick(kind, **how).fit(graph) for how in ({"metric": "precomputed"}, {"input": "neighbors"}))
    assert np.array_equal(by_metric.embedding_, by_input.embedding_)
    new = neighbors.transform(X[:3] + 0.1)
    assert np.array_equal(by_metric.transform(new), by_input.transform(new))


@pytest.mark.parametrize("kind", [ns.SNE, ns.TSNE, ns.UMAP])
def test_a_metric_may_be_a_function(kind):
    X = clusters()
    of_function, of_name = (
        quick(kind, metric=metric, max_iter=10).fit(X) for metric in (lambda u, v: np.abs(u - v).sum(), "manhattan")
    )
    np.testing.assert_allclose(of_function.embedding_, of_name.embedding_, atol=1e-6)
    np.testing.assert_allclose(of_function.transform(X[:3]), of_name.transform(X[:3]), atol=1e-6)


def test_what_a_fit_keeps_is_arrays_and_numbers_where_scikit_learn_keeps_them():
    fitted = quick(ns.TSNE).fit(clusters())
    assert not any(type(value).__module__.startswith("pandas") for value in vars(fitted).values())
    assert fitted.trace_.iteration.iloc[-1] == fitted.n_iter_


def test_a_sparse_p_counts_its_columns_too():
    P = sparse.csr_array(affinities.conditional(clusters(), 8))
    assert quick(ns.SNE, input="probabilities").fit(P).n_features_in_ == 60


def test_a_isolated_object_under_one_sigma_can_be_mapped():
    X = clusters()
    X[0] += 20
    fitted = quick(ns.SymmetricSNE, input="joint").fit(affinities.joint_with_one_sigma(X, 8))
    assert np.isfinite(fitted.embedding_).all()


def test_a_fit_that_only_goes_back_is_not_settled():
    X = clusters()
    half = states(quick(ns.SNE), X, 20)[-1]
    fitted = quick(ns.SNE, learning_rate=1e18, init=np.array(half.embedding), max_iter=400).fit(X)
    assert fitted.cost_ < 0.95 * half.cost


def test_the_number_of_threads_of_others_is_left_alone():
    import numba

    before = numba.get_num_threads()
    quick(ns.SNE, n_jobs=1, max_iter=2).fit(clusters())
    assert numba.get_num_threads() == before


@pytest.mark.slow
def test_the_bits_depend_neither_on_our_threads_nor_on_those_of_a_blas():
    code = """
import hashlib, itertools, numpy as np, notebook_sne as ns
rng = np.random.default_rng(0)
X = np.concatenate([rng.normal(size=(1100, 4)) + 8 * np.eye(4)[k] for k in range(4)])
start = 1e-4 * rng.normal(size=(len(X), 2))
for optimizer in ("momentum", "lbfgs"):
    run = ns.TSNE(perplexity=10, optimizer=optimizer, init=start, random_state=0).iterate(X)
    digest = hashlib.sha256()
    for state in itertools.islice(run, 8):
        digest.update(state.Y.tobytes() + np.float64([state.objective, state.gradient_norm]).tobytes())
    print(optimizer, digest.hexdigest())
"""
    seen = {printed(code, OPENBLAS_NUM_THREADS=n, OMP_NUM_THREADS=n, NUMBA_NUM_THREADS=n) for n in ("1", "2")}
    assert len(seen) == 1


def test_a_bar_of_a_fit_that_settles_is_full(monkeypatch):
    import tqdm.auto

    bars = []

    class Bar(tqdm.auto.tqdm):
        def close(self):
            if self not in bars:
                bars.append(self)
            super().close()

    monkeypatch.setattr(tqdm.auto, "tqdm", Bar)
    fitted = quick(ns.SNE, max_iter=5000, progress=True).fit(clusters())
    assert fitted.n_iter_ < 5000
    assert bars[0].n == bars[0].total == fitted.n_iter_


def test_a_data_set_in_place_of_an_array_is_named():
    with pytest.raises(TypeError, match="X must be an array, got a Dataset; give its field X"):
        quick(ns.SNE).fit(ns.datasets.load_digits())


@pytest.mark.slow
def test_too_many_distances_are_refused_before_they_are_copied():
    D = np.broadcast_to(np.float32(0), (12_000, 12_000))
    with pytest.raises(ValueError, match=r"12000 objects .* 1.2 GB.* input='probabilities'"):
        quick(ns.SNE, input="distances").fit(D)
