"""The spectral direction: its equations, graphs in pieces, and what a run promises."""

from itertools import islice

import numpy as np
import pytest
from scipy import sparse

import notebook_sne as ns
from notebook_sne import affinities
from notebook_sne.engine.mathematics import sne, unisne
from notebook_sne.engine.optimizers.spectral import Laplacian
from notebook_sne.models import family

X = ns.datasets.load_digits().X[:80]
SINGLE = tuple(family.class_of(name) for name in family.members())
each_single_map = pytest.mark.parametrize("model", SINGLE)


def quick(model, **options):
    return model(
        **{"perplexity": 10, "random_state": 0, "max_iter": 60, "progress": False, "optimizer": "spectral", **options}
    )


def film(model, n, **options):
    return list(islice(model.iterate(X, **options), n + 1))


@pytest.mark.parametrize("exaggeration", [1.0, 4.0])
@pytest.mark.parametrize("joint", [False, True])
def test_it_solves_with_the_laplacian_of_what_attracts(joint, exaggeration):
    P = affinities.conditional(X[:8], 3)
    P = affinities.joint(P) if joint else P
    pairs, factor = (unisne.attractive_pairs(sparse.csr_array(P)), 4.0) if joint else (
        sne.attractive_pairs(sparse.csr_array(P)), 2.0)  # fmt: skip
    S = np.asarray(P) if joint else np.asarray(P + P.T)
    B = exaggeration * factor * (np.diag(S.sum(1)) - S)
    gradient = np.random.default_rng(0).normal(size=(8, 3))
    gradient -= gradient.mean(axis=0)  # no force moves the map as a whole
    penalties = np.array([0.0, 0.0, 0.5])
    found = Laplacian(pairs, factor).solve(gradient, penalties, exaggeration)
    np.testing.assert_allclose(B @ found[:, :2], gradient[:, :2], atol=1e-6)
    # A penalty counts as the power of two that is nearest to what it is beside the exaggeration.
    np.testing.assert_allclose((B + 0.5 * np.eye(8)) @ found[:, 2], gradient[:, 2], atol=1e-6)


@pytest.mark.sampled(4)
@each_single_map
def test_it_goes_downhill_and_well_below_the_start(model):
    states = film(quick(model, init="random"), 60)
    objectives = np.array([s.objective for s in states[17 : 24 if model is ns.UNISNE else None]])  # of one objective
    assert (np.diff(objectives) <= 2e-7 * objectives[:-1]).all()
    assert states[-1].cost < 0.7 * states[0].cost
    assert "learning_rate" not in states[0].knobs


def test_the_bits_do_not_depend_on_the_number_of_threads():
    one, two = (film(quick(ns.SymmetricSNE, n_jobs=n), 20)[-1] for n in (1, 2))
    assert np.array_equal(one.Y, two.Y)


def test_penalty_and_extra_dimensions_go_along():
    states = film(quick(ns.SNE, extra_dimensions=1, penalty=ns.Decay(0.1, 5), max_iter=120), 100)
    assert states[20].Y.shape[2] == 3 and states[-1].Y.shape[2] == 2
    assert states[-1].cost < 0.7 * states[0].cost


def test_a_graph_in_pieces_stays_together_and_isolated_objects_stay_finite():
    far = np.concatenate([X[:40], X[40:] + 1e4])
    fitted = quick(ns.SymmetricSNE).fit(far)
    assert fitted.cost_ < 0.8 * fitted.trace_["cost"][0]
    assert np.abs(fitted.embedding_).max() < 1e4
    P = affinities.joint(affinities.conditional(X[:30], 5)).copy()
    P[3] = P[:, 3] = 0
    fitted = quick(ns.SymmetricSNE, input="joint").fit(P / P.sum())
    assert np.isfinite(fitted.embedding_).all()
    assert fitted.cost_ < 0.8 * fitted.trace_["cost"][0]


@pytest.mark.parametrize("model", [ns.AspectMaps(n_maps=2), ns.MixtureSNE()])
def test_several_maps_are_refused(model):
    model.set_params(optimizer="spectral", perplexity=10)
    with pytest.raises(ValueError, match=r"optimizer='spectral' needs one map, got .*use optimizer='lbfgs'"):
        model.iterate(X)
