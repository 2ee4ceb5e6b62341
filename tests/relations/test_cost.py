"""The cost and gradient of linear relational embedding against the formula, and against those of SNE."""

from functools import partial

import numpy as np
import pytest
from scipy import sparse

from notebook_sne.engine.mathematics import sne
from notebook_sne.engine.sums.pair_sums import gaussian_sums
from notebook_sne.relations.cost import answers, cost_and_gradient, evaluation, facts_of
from tests import reference


def setting(d=3, N=9, K=4, n=20, seed=0, reflexive=True):
    rng = np.random.default_rng(seed)
    triples = np.unique(np.stack([rng.integers(0, top, n) for top in (N, K, N)], axis=1), axis=0)
    if not reflexive:
        triples = triples[triples[:, 0] != triples[:, 2]]
    return triples, rng.uniform(0.5, 2, len(triples)), rng.normal(size=(N, d)), 0.7 * rng.normal(size=(K, d, d))


@pytest.mark.slow
@pytest.mark.parametrize("d", [1, 2, 5])
@pytest.mark.parametrize("reflexive", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_cost_is_the_formula_and_the_gradient_that_of_central_differences(d, reflexive, weighted):
    triples, weights, V, matrices = setting(d, reflexive=reflexive)
    weights = weights if weighted else np.ones(len(weights))
    facts = facts_of(triples, weights, len(V), len(matrices), reflexive)
    cost, of_vectors, of_matrices = cost_and_gradient(facts, V, matrices)
    assert cost == pytest.approx(reference.lre(triples, V, matrices, reflexive, weights), rel=1e-10)
    for analytic, numeric in (
        (of_vectors, reference.central_difference(lambda V: cost_and_gradient(facts, V, matrices)[0], V)),
        (of_matrices, reference.central_difference(lambda R: cost_and_gradient(facts, V, R)[0], matrices)),
    ):
        assert np.linalg.norm(analytic - numeric) < 1e-6 * np.linalg.norm(numeric)


def test_a_fixed_matrix_has_no_part_in_the_flat_gradient():
    triples, weights, V, matrices = setting()
    facts = facts_of(triples, weights, len(V), len(matrices), True)
    assert evaluation(facts, V, matrices, True).gradient.size == V.size + matrices.size
    np.testing.assert_array_equal(
        evaluation(facts, V, matrices, False).gradient, cost_and_gradient(facts, V, matrices)[1].ravel()
    )


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("scale", [0.1, 1.0, 3.0])
def test_with_the_identity_as_its_one_relation_it_is_sne(d, scale):
    rng = np.random.default_rng(1)
    N = 40
    P = rng.random((N, N)) ** 4
    np.fill_diagonal(P, 0.0)
    P /= P.sum(axis=1, keepdims=True)
    Y = scale * rng.normal(size=(N, d))
    a, b = np.nonzero(P)
    triples = np.stack([a, np.zeros_like(a), b], axis=1)
    facts = facts_of(triples, P[a, b], N, 1, reflexive=False)
    cost, gradient, _ = cost_and_gradient(facts, Y, np.eye(d)[None])
    sums = partial(gaussian_sums, dtype=np.float64)
    there = sne.cost_and_gradient(sne.attractive_pairs(sparse.csr_array(P)), Y, sums=sums)
    assert cost == pytest.approx(there.cost, rel=1e-8)
    assert np.abs(gradient - there.gradient).max() < 1e-8 * np.abs(there.gradient).max()


def test_far_vectors_still_have_a_cost():
    triples, weights, V, matrices = setting()
    facts = facts_of(triples, weights, len(V), len(matrices), True)
    cost, of_vectors, of_matrices = cost_and_gradient(facts, 1e4 * V, matrices)  # exp(-d) is 0 for all
    assert np.isfinite(cost) and np.isfinite(of_vectors).all() and np.isfinite(of_matrices).all()


def test_all_in_one_place_cost_what_a_uniform_q_does():
    for reflexive in (True, False):
        triples, weights, V, matrices = setting(reflexive=reflexive)
        facts = facts_of(triples, weights, len(V), len(matrices), reflexive)
        assert cost_and_gradient(facts, np.zeros_like(V), matrices)[0] == pytest.approx(facts.uniform_cost, rel=1e-10)


def test_turning_vectors_and_matrices_together_changes_no_cost():
    triples, weights, V, matrices = setting(4)
    facts = facts_of(triples, weights, len(V), len(matrices), True)
    turn = np.linalg.qr(np.random.default_rng(3).normal(size=(4, 4)))[0]
    assert cost_and_gradient(facts, V @ turn, turn.T @ matrices @ turn)[0] == pytest.approx(
        cost_and_gradient(facts, V, matrices)[0], rel=1e-10
    )


def test_a_triple_that_comes_twice_adds_its_weight():
    triples, weights, V, matrices = setting()
    twice = facts_of(
        np.concatenate([triples, triples[:4]]), np.append(weights, np.ones(4)), len(V), len(matrices), True
    )
    once = facts_of(triples, weights + (np.arange(len(weights)) < 4), len(V), len(matrices), True)
    for one, other in zip(once, twice, strict=True):
        np.testing.assert_allclose(one, other)


def test_answers_are_probabilities_and_leave_out_what_may_be_none():
    _, _, V, matrices = setting()
    told = V @ matrices[0].T
    everyone = np.arange(len(V))
    np.testing.assert_allclose(answers(told, V).sum(axis=1), 1.0)
    others = answers(told, V, everyone)
    np.testing.assert_allclose(others.sum(axis=1), 1.0)
    assert not others[everyone, everyone].any()
