"""An object with an empty row of a joint P: nothing pulls it, it is only pushed, and all stays finite."""

import warnings
from itertools import islice

import numpy as np
import pytest
from scipy import sparse

import notebook_sne as ns
from notebook_sne import affinities
from notebook_sne.browser.widgets.neighbors import all_nearest
from notebook_sne.engine.checks.arguments import check_joint
from notebook_sne.engine.mathematics import forces


def isolating(n_isolated=1, n_objects=40):
    """A joint P whose last objects have empty rows."""
    X = np.random.default_rng(0).normal(size=(n_objects, 4))
    P = np.zeros((n_objects + n_isolated,) * 2)
    P[:n_objects, :n_objects] = affinities.joint(affinities.conditional(X, 8))
    return P


def quick(model, **options):
    return model(**{"input": "joint", "random_state": 0, "max_iter": 300, "progress": False, **options})


JOINT = (
    (ns.SymmetricSNE, {}),
    (ns.UNISNE, {}),
    (ns.TSNE, {}),
    (ns.AspectMaps, {"n_maps": 2, "normalization": "joint", "penalty": 0.0}),
    (ns.MultipleMapsTSNE, {"n_maps": 2}),
)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("form", [np.array, sparse.csr_array])
@pytest.mark.parametrize(("model", "options"), JOINT)
def test_it_is_mapped_outside_of_the_others(model, options, form):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted = quick(model, **options).fit(form(isolating()))
    assert np.isfinite(fitted.cost_)
    assert fitted.affinities_[[40]].nnz == 0
    if model in (ns.AspectMaps, ns.MultipleMapsTSNE):
        assert np.isfinite(fitted.maps_).all() and np.isfinite(fitted.mixing_).all()
    else:
        away = np.linalg.norm(fitted.embedding_ - fitted.embedding_[:40].mean(axis=0), axis=1)
        assert away[:40].max() < away[40] < 10 * away[:40].max()


@pytest.mark.parametrize("optimizer", ["momentum", "lbfgs", "conjugate"])
def test_its_flight_comes_to_an_end_as_the_push_dies_away(optimizer):
    fitted = quick(ns.SymmetricSNE, optimizer=optimizer, max_iter=5000).fit(isolating(3))
    assert fitted.n_iter_ < 2500
    assert np.abs(fitted.embedding_).max() < 50


@pytest.mark.parametrize("model", [ns.SymmetricSNE, ns.UNISNE, ns.TSNE])
def test_forces_on_it_are_pushes_and_its_share_of_the_cost_is_0(model):
    states = quick(model).iterate(isolating())
    state = list(islice(states, 20))[-1]
    forces, costs = states.forces(state, 40), states.costs(state)
    assert not forces.pull.any() and forces.push.sum() > 0 and np.isfinite(forces.push).all()
    assert costs[40] == 0 and np.isfinite(costs).all()
    assert costs.sum() == pytest.approx(state.cost, rel=1e-5)


def test_shares_of_the_cost_of_a_background_are_finite():
    assert np.isfinite(
        forces.uniform_costs(sparse.csr_array(isolating()), np.random.default_rng(0).normal(size=(41, 2)), 0.2)
    ).all()


def test_small_entries_are_left_out_beside_it():
    kept, dropped = affinities.keep_large(isolating(), 1e-4, whole=True)
    assert kept[[40]].nnz == 0 and kept.sum() == pytest.approx(1)
    assert 0 < dropped < 0.01
    with pytest.raises(ValueError, match="must sum to 1"):
        affinities.keep_large(np.zeros((5, 5)), 1e-4, whole=True)


def test_it_is_its_own_nearest_neighbor_in_a_player():
    assert (all_nearest(isolating(), "joint")[40] == 40).all()


def test_its_run_can_be_described_and_written_as_a_page(tmp_path):
    player = ns.watch(ns.TSNE(input="joint", max_iter=3, random_state=0), isolating(), autoplay=False)
    try:
        player.run.steps(2)
        assert (player.describe().neighbors[40] == 40).all()
        assert player.to_html(tmp_path / "page.html").is_file()
    finally:
        player.close()


def test_in_a_conditional_p_it_stays_refused():
    P = isolating()
    P[:40] /= P[:40].sum(axis=1, keepdims=True)
    with pytest.raises(ValueError, match="empty for object 40"):
        quick(ns.SNE, input="probabilities").fit(P)


def test_one_sigma_may_isolate_objects_and_their_map_can_be_drawn():
    X = np.concatenate([np.zeros((20, 4)), np.random.default_rng(0).normal(size=(10, 4))])
    with pytest.warns(UserWarning, match=r"380 pairs of 20 objects .* 150 .* 10 objects have none") as told:
        J = check_joint(affinities.joint_with_one_sigma(X, 5))
    assert len(told) == 1 and told[0].filename == __file__
    assert np.isfinite(quick(ns.SymmetricSNE).fit(J).embedding_).all()
