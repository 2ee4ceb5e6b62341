"""How models sum over all pairs: exactly, by a mesh, or by whichever is the quicker."""

import itertools

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.engine.fitting.problem import Problem

SINGLE = [ns.SNE, ns.SymmetricSNE, ns.UNISNE, ns.TSNE]
SEVERAL = [
    (ns.AspectMaps, {"n_maps": 3}),
    (ns.AspectMaps, {"n_maps": 3, "normalization": "joint"}),
    (ns.MultipleMapsTSNE, {"n_maps": 3}),
    (ns.AspectMaps, {"n_maps": 3, "mixing": "equal"}),
]


@pytest.fixture(scope="module")
def clusters():
    return ns.datasets.load_clusters(n_objects=(150,) * 6, widths=(1.0,) * 6, n_features=10).X


def gradient(model, X, states):
    """The evaluation of a model where others have come to, knobs and all."""
    problem = Problem(model, X)
    state = states[-1]
    evaluate = problem.evaluation(dict(state.knobs))
    return evaluate(problem.layout.theta_of(state, own=True, seed=0))


@pytest.mark.slow
@pytest.mark.sampled(8)
@pytest.mark.parametrize(("kind", "options"), [*((kind, {}) for kind in SINGLE), *SEVERAL])
@pytest.mark.parametrize("n_updates", [0, 3, 60])
def test_a_mesh_gives_the_cost_and_gradient_of_exact_sums(kind, options, n_updates, clusters):
    start = kind(sums="exact", random_state=0, **options)
    states = list(itertools.islice(start.iterate(clusters), n_updates + 1))
    exact = gradient(start, clusters, states)
    mesh = gradient(kind(sums="mesh", random_state=0, **options), clusters, states)
    assert mesh.cost == pytest.approx(exact.cost, rel=1e-4)
    assert not np.array_equal(mesh.gradient, exact.gradient)
    # Once a run has settled the gradient is the little that is left of forces that cancel.
    scale = max(state.gradient_norm for state in states)
    assert np.linalg.norm(mesh.gradient - exact.gradient) <= 1e-2 * scale


@pytest.mark.slow
@pytest.mark.parametrize("kind", SINGLE)
def test_a_fit_by_mesh_ends_where_an_exact_one_does(kind, clusters):
    costs = [
        kind(sums=sums, max_iter=250, random_state=0, progress=False).fit(clusters).cost_ for sums in ("exact", "mesh")
    ]
    assert costs[1] == pytest.approx(costs[0], rel=0.02)


def test_a_run_by_mesh_goes_on_bit_for_bit(clusters):
    model = ns.TSNE(sums="mesh", random_state=0)
    states = list(itertools.islice(model.iterate(clusters), 21))
    again = list(itertools.islice(model.iterate(clusters, start=states[10]), 11))
    assert np.array_equal(again[-1].Y, states[-1].Y)
    one_thread = list(itertools.islice(ns.TSNE(sums="mesh", random_state=0, n_jobs=1).iterate(clusters), 21))
    assert np.array_equal(one_thread[-1].Y, states[-1].Y)


def test_small_maps_are_summed_exactly_by_default(clusters):
    last = {}
    for sums in ("auto", "exact"):
        model = ns.SNE(sums=sums, random_state=0)
        last[sums] = list(itertools.islice(model.iterate(clusters), 10))[-1].Y
    assert np.array_equal(last["auto"], last["exact"])


def test_sums_that_do_not_fit_are_refused(clusters):
    with pytest.raises(ValueError, match="sums must be one of 'auto', 'exact', 'mesh', got 'fft'"):
        ns.TSNE(sums="fft").fit(clusters)
    with pytest.raises(ValueError, match=r"sums='mesh' needs maps of one or two dimensions, got 3, .*sums='auto'"):
        ns.TSNE(sums="mesh", n_components=3).fit(clusters)
    with pytest.raises(ValueError, match="sums='mesh' needs maps of one or two dimensions, got 4, extra ones included"):
        ns.AspectMaps(sums="mesh", n_maps=2, extra_dimensions=2).fit(clusters)
    with pytest.raises(ValueError, match="sums='mesh' does not fit MixtureSNE"):
        ns.MixtureSNE(sums="mesh").fit(clusters)


@pytest.mark.slow
def test_maps_of_three_dimensions_are_summed_exactly_by_default(clusters):
    for kind in (ns.TSNE, ns.SNE):
        for state in itertools.islice(kind(n_components=3, random_state=0).iterate(clusters), 3):
            assert np.isfinite(state.cost)
    model = ns.AspectMaps(n_maps=2, extra_dimensions=1, max_iter=40, random_state=0, progress=False)
    assert model.fit(clusters).maps_.shape == (2, 900, 2)


def test_a_map_on_a_line_may_use_a_mesh(clusters):
    by = {
        sums: list(itertools.islice(ns.SNE(n_components=1, sums=sums, random_state=0).iterate(clusters), 5))[-1].cost
        for sums in ("mesh", "exact")
    }
    assert by["mesh"] == pytest.approx(by["exact"], rel=1e-4)
