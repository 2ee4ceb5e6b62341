"""What methods that go down a gradient promise, as models do: one run, however it is made, stopped or handed over."""

from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.models import BASELINES, WITHOUT_UNIT
from notebook_sne.models.base import Model
from notebook_sne.models.family import class_of, relatives, successor
from tests.models.test_models import clusters, states

METHODS = tuple(class_of(name) for name in BASELINES if name not in ("SOM", "GTM"))  # those are in test_nets
STRESSES = (ns.baselines.MetricMDS, ns.baselines.Sammon)
each_method = pytest.mark.parametrize("method", METHODS)
each_stress = pytest.mark.parametrize("method", STRESSES)
LABELS = np.repeat(["a", "b", "c"], 20)


def quick(method, **options):
    labels = {"labels": LABELS} if method is ns.baselines.NCA else {}
    return method(**{"random_state": 0, "max_iter": 40, "progress": False, **labels, **options})


def distances(X):
    return np.sqrt(np.square(X[:, None] - X).sum(axis=2))


def test_all_that_have_states_are_listed_and_public():
    kinds = {name: getattr(ns.baselines, name) for name in ns.baselines.__all__}
    kinds = {name: kind for name, kind in kinds.items() if isinstance(kind, type)}
    assert {name for name, kind in kinds.items() if issubclass(kind, Model)} == set(BASELINES)
    assert set(kinds) <= set(WITHOUT_UNIT)
    assert all(class_of(name) is kinds[name] for name in BASELINES)


@pytest.mark.parametrize("far", [1e50, 1e80, 1e99, 1e149])
@pytest.mark.filterwarnings("ignore:the map of this NCA")
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_nca_takes_or_names_an_object_very_far_away(far):
    X = clusters()
    X[-1] *= far
    refused = pytest.raises(ValueError, match=r"object 59 must lie within 1e[+]60 times the spread of the others")
    with refused if far > 1e60 else nullcontext():
        fitted = quick(ns.baselines.NCA, max_iter=5).fit(X)
        assert np.isfinite(fitted.embedding_).all() and np.isfinite(fitted.trace_.gradient_norm).all()


@each_method
def test_a_fit_ends_below_its_start_and_keeps_clusters(method):
    fitted = quick(method, max_iter=200, init="random").fit(clusters())
    assert fitted.cost_ < 0.7 * fitted.trace_.cost[0]
    assert fitted.embedding_.shape == (60, 2)
    assert ns.quality.knn_error(fitted.embedding_, LABELS) < 0.1


@each_method
def test_objects_can_be_moved_by_hand(method):
    with ns.Run(quick(method), clusters()) as run:
        before = run.steps(3)
        far = np.abs(before.Y).max() * 3
        run.move([5], [[far, far]])
        run.wait()
        assert not np.array_equal(run.state.Y[0][5], before.Y[0][5])
        assert run.steps(3).cost < run.trace.costs.max() + 1


@each_stress
def test_distances_are_as_good_as_the_vectors_they_are_of(method):
    X = clusters()
    one = quick(method, init="classical").fit(X)
    two = quick(method, init="classical", input="distances").fit(distances(X))
    assert two.cost_ == pytest.approx(one.cost_, rel=0.01)  # distances of another sum have other last bits
    assert two.trace_.cost[0] == pytest.approx(one.trace_.cost[0], rel=1e-6)


@each_stress
@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_the_unit_of_the_data_is_that_of_the_map(method, unit):
    one, two = (quick(method, max_iter=200).fit(u * clusters()) for u in (1.0, unit))
    # The noise of the start, and where L-BFGS first looks, know a unit: both runs end at one cost, not at one bit.
    power = 2 if method is ns.baselines.MetricMDS else 0
    assert two.cost_ == pytest.approx(one.cost_ * unit**power, rel=0.01)


@each_method
@pytest.mark.parametrize("n_components", [1, 3])
def test_other_numbers_of_dimensions(method, n_components):
    fitted = quick(method, n_components=n_components).fit(clusters())
    assert fitted.embedding_.shape == (60, n_components)
    assert fitted.cost_ <= fitted.trace_.cost[0]


# ---- handing over ----


@each_stress
@pytest.mark.parametrize("unit", [1e-3, 1.0, 1e4])
def test_a_map_of_sne_goes_on_under_stress_in_the_unit_of_the_data_and_back(method, unit):
    X = unit * clusters()
    sne = states(ns.SNE(perplexity=8, random_state=0), X, 60)[-1]
    first, *_, last = states(quick(method), X, 20, start=sne)
    scale = np.linalg.norm(first.Y) / np.linalg.norm(sne.Y)
    np.testing.assert_allclose(first.Y, scale * sne.Y)  # the same map
    assert (first.iteration, last.iteration) == (60, 80)
    # At the best scale, to within the steps of its search: others cost more.
    for factor in (0.97, 1.03):
        other = next(iter(quick(method, init=factor * first.embedding).iterate(X)))
        assert first.cost < other.cost
    assert last.cost < first.cost
    back, *_, later = states(ns.TSNE(perplexity=8, exaggeration=1, random_state=0), X, 100, start=last)
    scale = np.linalg.norm(back.Y) / np.linalg.norm(last.Y)
    np.testing.assert_allclose(back.Y, scale * last.Y)
    assert later.cost < back.cost
    assert ns.quality.knn_error(later.embedding, LABELS) == 0


def test_between_two_stresses_nothing_is_scaled():
    X = clusters()
    one = states(quick(ns.baselines.MetricMDS), X, 5)[-1]
    assert np.array_equal(next(iter(quick(ns.baselines.Sammon).iterate(X, start=one))).Y, one.Y)


def test_map_points_given_as_init_are_taken_as_they_are():
    Y = np.random.default_rng(0).normal(size=(60, 2))
    for method in STRESSES:
        assert np.array_equal(next(iter(quick(method, init=Y).iterate(clusters()))).embedding, Y)


def test_the_player_offers_them_where_distances_are_known():
    assert {"MetricMDS", "Sammon"} <= set(relatives(ns.SNE(input="distances")))
    assert {"SOM", "GTM"} <= set(relatives(ns.SNE())) - set(relatives(ns.SNE(input="distances")))
    assert not {"MetricMDS", "Sammon"} & set(relatives(ns.TSNE(input="joint")))
    assert "NCA" not in relatives(ns.SNE()) and "TSNE" in relatives(quick(ns.baselines.NCA))


def test_a_successor_keeps_what_it_knows():
    after = successor(ns.SNE(perplexity=5, random_state=3, n_components=3), "Sammon")
    assert (after.random_state, after.n_components) == (3, 3)
    back = successor(after, "SNE", 40)
    assert (back.random_state, back.perplexity) == (3, 13)  # so few objects have no 30 neighbors


@pytest.mark.parametrize(
    "names",
    [
        ("Sammon", "MetricMDS", "TSNE", "ElasticEmbedding"),
        ("SOM", "TSNE", "SOM", "Sammon"),
        ("GTM", "TSNE", "GTM", "Sammon"),
    ],
)
def test_a_run_switches_to_them_and_back(names):
    X = clusters()
    with ns.Run(ns.SNE(perplexity=8, random_state=0), X) as run:
        run.steps(30)
        for name in names:
            run.switch(successor(run.model, name, len(X)))
            run.wait()
            assert run.state.model == name
            run.steps(3)
        assert run.state.iteration == 42
        run.seek(35)
        run.wait()
        assert run.state.model in names[:2]


# ---- what is refused ----


@each_stress
def test_data_that_do_not_fit_are_refused_with_the_way_out(method):
    with pytest.raises(ValueError, match="input must be one of 'vectors', 'distances'"):
        method(input="probabilities").fit(np.full((5, 5), 0.25) * (1 - np.eye(5)))
    D = distances(clusters())
    D[3, 4] += 1
    with pytest.raises(ValueError, match=r"must be symmetric.*X\[3, 4\].*\(X \+ X.T\) / 2"):
        method(input="distances").fit(D)
    with pytest.raises(ValueError, match=r"10001 objects would take 0.8 GB, and at most 10000"):
        method().fit(np.random.default_rng(0).random((10_001, 2)))


@each_method
@pytest.mark.parametrize("name", ["perplexity", "sums"])
def test_what_belongs_to_a_p_is_no_parameter(method, name):
    with pytest.raises(TypeError, match=f"has no parameter '{name}'"):
        method(**{name: 5})


def test_weights_that_cannot_be_are_refused():
    for weights, message in (
        (np.ones((3, 3)), r"shape \(N, N\)"),
        (-np.ones((60, 60)), "not be negative"),
        (np.triu(np.ones((60, 60))), r"must be symmetric.*\(weights \+ weights.T\) / 2"),
        (np.kron(np.eye(2), np.ones((30, 30))), "join all objects"),
        (np.full((60, 60), np.nan), "finite"),
    ):
        with pytest.raises(ValueError, match=message):
            ns.baselines.MetricMDS(weights=weights).fit(clusters())


def test_a_state_with_moved_positions_is_evaluated_anew():
    X = clusters()
    state = states(quick(ns.baselines.Sammon), X, 5)[-1]
    moved = replace(state, Y=state.Y * 1.5)
    assert next(iter(quick(ns.baselines.Sammon).iterate(X, start=moved))).cost > state.cost
