"""The springs of one object add up to the gradient, and the shares of the cost to the cost."""

from functools import partial

import numpy as np
import pytest
from scipy import sparse

from notebook_sne.engine.mathematics import elastic, forces, infonce, sne, tsne, umap, unisne
from notebook_sne.engine.sums.pair_sums import student_sums
from tests.mathematics.test_costs import random_p
from tests.tables import in_one_test


def model(module, evaluate, springs, costs, joint=True, factor=None, sums=None, **knobs):
    """Stored pairs, evaluation, springs, costs, and whether P is joint; the factor is an exaggeration, of no cost."""
    pulled = knobs if factor is None else {**knobs, "exaggeration": factor}
    evaluate = partial(evaluate, **pulled, **({} if sums is None else {"sums": sums}))
    return module.attractive_pairs, evaluate, partial(springs, **pulled), partial(costs, **knobs), joint


SNE = sne, sne.cost_and_gradient, forces.sne_forces, forces.sne_costs, False
UNIFORM = unisne, unisne.cost_and_gradient, forces.uniform_forces, forces.uniform_costs
STUDENT = tsne, tsne.cost_and_gradient, forces.student_forces, forces.student_costs
ELASTIC = elastic, elastic.cost_and_gradient, elastic.elastic_forces, elastic.elastic_costs
SAMPLED = tsne, tsne.negative_sampling, tsne.negative_sampling_forces, tsne.negative_sampling_costs
INFONCE = tsne, infonce.cost_and_gradient, infonce.infonce_forces, infonce.infonce_costs
UMAP = umap, umap.cost_and_gradient, umap.umap_forces, umap.umap_costs
HEAVY = partial(student_sums, degrees_of_freedom=0.5)
MODELS = {
    "sne": model(*SNE),
    "symmetric": model(*UNIFORM),
    "unisne": model(*UNIFORM, background=0.2),
    "tsne": model(*STUDENT),
    "elastic": model(*ELASTIC, repulsion=0.02),
    "negative sampling": model(*SAMPLED, z_bar=0.05, n_negatives=5.0),
    "infonce": model(*INFONCE, n_negatives=5.0),
    "umap": model(*UMAP, a=1.6, b=0.9, rate=5.0),
    "exaggerated umap": model(*UMAP, factor=4.0, a=1.6, b=0.9, rate=5.0),
    "exaggerated": model(*STUDENT, factor=4.0),
    "exaggerated sne": model(*SNE, factor=4.0),
    "exaggerated, background 0.0": model(*UNIFORM, factor=4.0, background=0.0),
    "exaggerated, background 0.2": model(*UNIFORM, factor=4.0, background=0.2),
    "heavy": model(*STUDENT, sums=HEAVY, degrees_of_freedom=0.5),
}
each_model = pytest.mark.parametrize("name", MODELS)


def setting(name, spread=1.0, n_components=2, density=0.6):
    springs, evaluate, forces, costs, joint = MODELS[name]
    P = sparse.csr_array(random_p(12, joint, density=density))
    Y = spread * np.random.default_rng(3).normal(size=(12, n_components))
    return P, Y, evaluate(springs(P), Y), forces, costs


@each_model
@in_one_test("n_components", [1, 2, 3])
def test_pull_and_push_add_up_to_the_gradient(name, n_components):
    P, Y, here, forces, _ = setting(name, n_components=n_components)
    for i in (0, 7):
        f = forces(P, Y, i)
        force = ((f.pull - f.push)[:, None] * (Y - Y[i])).sum(axis=0)
        # Sums over all pairs are single precision: so are these forces.
        np.testing.assert_allclose(force, -here.gradient[i], atol=2e-6 * np.abs(here.gradient).max())
        assert f.pull[i] == f.push[i] == f.p[i] == f.q[i] == 0
        assert (f.pull >= 0).all() and (f.push >= 0).all()


@each_model
def test_shares_add_up_to_the_cost(name):
    P, Y, here, _, costs = setting(name)
    shares = costs(P, Y)
    assert shares.shape == (12,)
    np.testing.assert_allclose(shares.sum(), here.cost, rtol=1e-6)


def test_each_share_of_sne_is_a_divergence_of_its_own():
    P, Y, _, _, costs = setting("sne", density=1.0)
    D = np.square(Y[:, None] - Y[None]).sum(-1)
    np.fill_diagonal(D, np.inf)
    Q = np.exp(-D) / np.exp(-D).sum(1, keepdims=True)
    p = P.toarray()
    here = p > 0
    terms = np.zeros_like(p)
    terms[here] = p[here] * np.log(p[here] / Q[here])
    np.testing.assert_allclose(costs(P, Y), terms.sum(1), rtol=1e-5)
    assert (costs(P, Y) >= 0).all()


@each_model
def test_p_and_q_are_distributions_over_the_right_pairs(name):
    P, Y, _, forces, _ = setting(name)
    every = [forces(P, Y, i) for i in range(12)]
    p, q = np.array([f.p for f in every]), np.array([f.q for f in every])
    np.testing.assert_allclose(p, P.toarray())
    np.testing.assert_allclose(q.sum() if MODELS[name][-1] else q.sum(axis=1), 1.0, rtol=1e-5)


@pytest.mark.parametrize("name", ["sne", "symmetric", "unisne"])
def test_objects_far_from_all_others_have_finite_forces(name):
    P, Y, here, forces, costs = setting(name, spread=40.0)
    for i in range(12):
        f = forces(P, Y, i)
        assert all(np.isfinite(part).all() for part in f)
        force = ((f.pull - f.push)[:, None] * (Y - Y[i])).sum(axis=0)
        # Where pull and push cancel, what single precision leaves of either remains; of exponents near 100 it keeps
        # five digits.
        pull = (f.pull * np.sqrt(np.square(Y - Y[i]).sum(axis=1))).sum()
        np.testing.assert_allclose(force, -here.gradient[i], atol=2e-5 * pull + 1e-12)
    np.testing.assert_allclose(costs(P, Y).sum(), here.cost, rtol=1e-6)
