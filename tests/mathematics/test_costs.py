"""The evaluations of the models with one map: precision, limits and hard cases, beside their formulas in plain NumPy.

That each gradient is that of its cost, at every setting, is in `tests/models/test_costs.py`.
"""

from functools import partial

import numpy as np
import pytest
from scipy import sparse

from notebook_sne.engine.mathematics import elastic, sne, tsne, unisne
from notebook_sne.engine.mathematics.evaluation import penalized
from notebook_sne.engine.sums.pair_sums import gaussian_sums, student_sums
from tests import reference
from tests.tables import in_one_test


def model(module, evaluate, plain, sums, joint=True, error=None, **knobs):
    """Module, evaluation, reference, double-precision sums, and whether P is joint."""
    precise = {} if error is None else {"error": error}
    return module, partial(evaluate, **knobs, **precise), partial(plain, **knobs), sums, joint


SAMPLED = tsne, tsne.negative_sampling, reference.negative_sampling, student_sums
MODELS = {
    "sne": model(sne, sne.cost_and_gradient, reference.sne, gaussian_sums, joint=False),
    "symmetric": model(unisne, unisne.cost_and_gradient, reference.unisne, gaussian_sums),
    "unisne": model(unisne, unisne.cost_and_gradient, reference.unisne, gaussian_sums, background=0.2),
    "tsne": model(tsne, tsne.cost_and_gradient, reference.tsne, student_sums),
    "elastic": model(elastic, elastic.cost_and_gradient, reference.elastic, gaussian_sums, repulsion=0.02),
    "negative sampling": model(*SAMPLED, error=1e-15, z_bar=0.05, n_negatives=5.0),
}
# Their losses are no divergence, and their springs have no factor.
OTHERS = "elastic", "negative sampling"
STUDENT = "tsne", "negative sampling"
each_model = pytest.mark.parametrize("name", MODELS)
each_divergence = pytest.mark.parametrize("name", [name for name in MODELS if name not in OTHERS])


def random_p(n_objects, joint, seed=0, density=1.0):
    rng = np.random.default_rng(seed)
    P = rng.random((n_objects, n_objects)) * (rng.random((n_objects, n_objects)) < density)
    P += np.eye(n_objects, k=1) + np.eye(n_objects, k=1 - n_objects)  # no empty row
    np.fill_diagonal(P, 0)
    P /= P.sum(1, keepdims=True)
    return (P + P.T) / (2 * n_objects) if joint else P


def setting(name, n_objects=10, spread=1.0, n_components=2, seed=0, density=1.0):
    module, evaluate, plain, sums, joint = MODELS[name]
    P = random_p(n_objects, joint, seed, density)
    Y = spread * np.random.default_rng(seed + 1).normal(size=(n_objects, n_components))
    return P, module.attractive_pairs(sparse.csr_array(P)), Y, evaluate, plain, partial(sums, dtype=np.float64)


@pytest.mark.parametrize("spread", [0.1, 1.0])
def test_the_elastic_embedding_with_the_push_of_sne_has_the_gradient_of_sne(spread):
    P, _, Y, evaluate, _, double = setting("sne", n_objects=12, spread=spread)
    pairs = elastic.attractive_pairs(sparse.csr_array(P))
    repulsion = 1 / double(Y)[0]  # 1 / z_i
    here = elastic.cost_and_gradient(pairs, Y, repulsion, sums=double)
    there = evaluate(sne.attractive_pairs(sparse.csr_array(P)), Y, sums=double)
    np.testing.assert_allclose(here.gradient, there.gradient, atol=1e-12 * np.abs(there.gradient).max())
    energy, gradient = reference.elastic(P, Y, repulsion)
    assert here.cost == pytest.approx(energy, rel=1e-12)
    np.testing.assert_allclose(here.gradient, gradient, atol=1e-12 * np.abs(gradient).max())
    # Held fast: by central differences at this repulsion, which does not follow the map.
    numeric = reference.central_difference(
        lambda Y: elastic.cost_and_gradient(pairs, Y, repulsion, sums=double).cost, Y
    )
    assert np.linalg.norm(here.gradient - numeric) < 1e-6 * np.linalg.norm(here.gradient + repulsion.max())


def test_the_elastic_embedding_with_the_push_of_symmetric_sne_has_its_gradient():
    P, joint, Y, evaluate, _, double = setting("symmetric", n_objects=12)
    pairs = elastic.attractive_pairs(sparse.csr_array(P))
    here = elastic.cost_and_gradient(pairs, Y, 1 / double(Y)[0].sum(), sums=double)
    there = evaluate(joint, Y, sums=double)
    np.testing.assert_allclose(here.gradient, there.gradient, atol=1e-12 * np.abs(there.gradient).max())


@in_one_test("z_bar", [1e-5, 1e-3, 0.2, 5.0])
@in_one_test("spread", [0.1, 10.0])
def test_the_push_of_negative_sampling_is_that_of_its_formula_with_few_nodes(z_bar, spread):
    P, pairs, Y, _, _, double = setting("tsne", n_objects=12, spread=spread)
    for n_negatives in (1.0, 500.0):
        cost, gradient = reference.negative_sampling(P, Y, z_bar, n_negatives)
        here = tsne.negative_sampling(pairs, Y, z_bar, n_negatives, sums=double)
        assert here.cost == pytest.approx(cost, rel=1e-8)
        np.testing.assert_allclose(here.gradient, gradient, atol=1e-7 * np.abs(gradient).max())


def test_negative_sampling_with_the_sum_of_a_map_and_many_pairs_has_the_gradient_of_tsne():
    _, pairs, Y, evaluate, _, double = setting("tsne", n_objects=12)
    z_bar = double(Y)[0].sum() / (12 * 11)
    there = evaluate(pairs, Y, sums=double).gradient
    for n_negatives, error in ((1e3, 2e-2), (1e6, 2e-5)):
        here = tsne.negative_sampling(pairs, Y, z_bar, n_negatives, sums=double).gradient
        assert np.linalg.norm(here - there) < error * np.linalg.norm(there)


def test_a_larger_sum_than_that_of_the_map_is_an_exaggeration():
    _, pairs, Y, evaluate, _, double = setting("tsne", n_objects=12)
    z_bar = double(Y)[0].sum() / (12 * 11)
    here = 4.0 * tsne.negative_sampling(pairs, Y, 4.0 * z_bar, 1e6, sums=double).gradient
    there = evaluate(pairs, Y, 4.0, sums=double).gradient
    assert np.linalg.norm(here - there) < 1e-4 * np.linalg.norm(there)


def test_a_penalty_adds_its_energy_and_its_gradient():
    _, pairs, Y, _, _, double = setting("tsne", n_components=3)
    penalty = np.array([0.1, 0.1, 2.0])

    def evaluate(Y):
        return penalized(tsne.cost_and_gradient(pairs, Y, sums=double), Y, penalty)

    numeric = reference.central_difference(lambda Y: evaluate(Y).objective, Y)
    assert np.linalg.norm(evaluate(Y).gradient - numeric) < 1e-6 * np.linalg.norm(numeric)
    assert evaluate(Y).cost == tsne.cost_and_gradient(pairs, Y, sums=double).cost


@pytest.mark.parametrize("name", ["sne", "symmetric", "unisne", "tsne"])
def test_under_an_exaggeration_the_gradient_is_that_of_the_objective_and_the_cost_stays(name):
    _, pairs, Y, evaluate, _, double = setting(name, n_objects=8)
    here = partial(evaluate, pairs, exaggeration=4.0, sums=double)
    numeric = reference.central_difference(lambda Y: here(Y).objective, Y)
    np.testing.assert_allclose(here(Y).gradient, numeric, rtol=1e-5, atol=1e-7)
    assert here(Y).cost == pytest.approx(evaluate(pairs, Y, sums=double).cost)


@each_model
@in_one_test("spread", [1e-4, 1.0, 10.0, 100.0])
@in_one_test(("density", "n_objects"), [(0.3, 25), (1.0, 25), (1.0, 3)])
def test_double_precision_is_the_formula(name, spread, density, n_objects):
    P, pairs, Y, evaluate, plain, double = setting(name, n_objects=n_objects, spread=spread, density=density)
    cost, gradient = plain(P, Y)
    here = evaluate(pairs, Y, sums=double)
    assert here.cost == pytest.approx(cost, rel=1e-12, abs=1e-12)
    np.testing.assert_allclose(here.gradient, gradient, rtol=1e-9, atol=1e-12 * np.abs(Y).max())


# Up to maps 100 units wide, as fitted ones are. Over 600 units 40 points hardly attract each other at all.
@each_model
@in_one_test("spread", [1e-4, 1.0, 10.0, 20.0])
def test_single_precision_errs_less_than_a_hundred_thousandth_of_the_attraction(name, spread):
    P, pairs, Y, evaluate, plain, _ = setting(name, n_objects=40, spread=spread)
    cost, gradient = plain(P, Y)
    here = evaluate(pairs, Y)
    kind = "tsne" if name in STUDENT else name if name == "sne" else "symmetric"
    assert np.linalg.norm(here.gradient - gradient) < 1e-5 * reference.attraction_norm(P, Y, kind)
    assert here.cost == pytest.approx(cost, rel=1e-6, abs=1e-6)


@pytest.mark.sampled(4)
@pytest.mark.compiled
@each_model
def test_single_precision_holds_on_a_fitted_map_with_a_p_of_neighbors(name):
    # Where it counts: pull and push nearly cancel, and only neighbors pull.
    from itertools import islice

    import notebook_sne as ns

    X = np.random.default_rng(0).normal(size=(300, 4)) + 8 * np.repeat(np.eye(4)[:3], 100, axis=0)
    model = {"sne": ns.SNE, "symmetric": ns.SymmetricSNE, "unisne": ns.UNISNE, "tsne": ns.TSNE}
    model |= {"elastic": ns.ElasticEmbedding}
    model = {**model, "negative sampling": partial(ns.NegTSNE, z_bar=0.05)}[name]
    P = ns.affinities.conditional(X, 10, neighbors=30)
    P = ns.affinities.joint(P) if MODELS[name][-1] else P
    kind = "joint" if MODELS[name][-1] else "probabilities"
    fit = model(input=kind, init="random", random_state=0, max_iter=400)
    Y = np.array(next(islice(fit.iterate(P), 400, None)).embedding)
    module, evaluate, plain, _, _ = MODELS[name]
    held = {"repulsion": 20 / (300 * 299)} if name == "elastic" else {}  # that of the fit
    gradient = evaluate(module.attractive_pairs(P), Y, **held).gradient
    scale = reference.attraction_norm(
        P.toarray(), Y, "tsne" if name in STUDENT else name if name == "sne" else "symmetric"
    )
    assert np.linalg.norm(gradient - plain(P.toarray(), Y, **held)[1]) < 1e-5 * scale


@each_model
def test_a_isolated_object_costs_what_the_formula_says(name):
    P, pairs, Y, evaluate, plain, _ = setting(name, n_objects=12)
    Y[3] += 40.0  # exp(-1600 * 2) is 0 in any precision
    cost, gradient = plain(P, Y)
    here = evaluate(pairs, Y)
    assert np.isfinite(here.gradient).all()
    assert here.cost == pytest.approx(cost, rel=1e-6)
    np.testing.assert_allclose(here.gradient, gradient, rtol=1e-4, atol=1e-5 * np.abs(gradient).max())


@each_model
def test_two_camps_that_cannot_see_each_other(name):
    P, pairs, Y, evaluate, plain, _ = setting(name, n_objects=12)
    Y[:6] += 1000.0
    assert evaluate(pairs, Y).cost == pytest.approx(plain(P, Y)[0], rel=1e-6)


@each_model
def test_coincident_objects_have_a_finite_cost_and_no_gradient(name):
    _, pairs, Y, evaluate, _, _ = setting(name)
    here = evaluate(pairs, np.zeros_like(Y))
    assert np.isfinite(here.cost)
    np.testing.assert_allclose(here.gradient, 0, atol=1e-12)


@each_divergence
def test_equal_probabilities_cost_nothing(name):
    # N = 3 objects on an equilateral triangle: Q is uniform, and so is P.
    module, evaluate, _, sums, joint = MODELS[name]
    P = (1 - np.eye(3)) / (6 if joint else 2)
    Y = np.array([[0, 0], [1, 0], [0.5, np.sqrt(0.75)]])
    here = evaluate(module.attractive_pairs(sparse.csr_array(P)), Y, sums=partial(sums, dtype=np.float64))
    assert here.cost == pytest.approx(0, abs=1e-14)


@each_model
def test_relabeling_objects_relabels_the_gradient(name):
    module, evaluate, _, sums, joint = MODELS[name]
    P, order = random_p(15, joint), np.random.default_rng(5).permutation(15)
    Y = np.random.default_rng(6).normal(size=(15, 2))
    double = partial(sums, dtype=np.float64)
    one = evaluate(module.attractive_pairs(sparse.csr_array(P)), Y, sums=double)
    two = evaluate(module.attractive_pairs(sparse.csr_array(P[np.ix_(order, order)])), Y[order], sums=double)
    assert two.cost == pytest.approx(one.cost, rel=1e-12)
    np.testing.assert_allclose(two.gradient, one.gradient[order], atol=1e-12)


@each_model
def test_the_cost_is_not_negative(name):
    for seed in range(10):
        _, pairs, Y, evaluate, _, _ = setting(name, n_objects=7, seed=seed)
        assert evaluate(pairs, Y).cost > 0


def test_a_uniform_q_costs_n_log_n_minus_one_over_the_perplexity():
    # All objects in one place make Q uniform; k equal neighbors make the entropy of each row log k.  [Hinton2002]
    N, k = 30, 5
    P = sum(np.roll(np.eye(N), shift, axis=1) for shift in range(1, k + 1)) / k
    here = sne.cost_and_gradient(sne.attractive_pairs(sparse.csr_array(P)), np.zeros((N, 2)))
    assert here.cost == pytest.approx(N * np.log((N - 1) / k), rel=1e-6)


def test_no_background_is_symmetric_sne():
    _, pairs, Y, _, _, _ = setting("unisne", n_objects=20)
    little, none = unisne.cost_and_gradient(pairs, Y, 1e-30), unisne.cost_and_gradient(pairs, Y, 0.0)
    assert little.cost == pytest.approx(none.cost, rel=1e-6)
    np.testing.assert_allclose(little.gradient, none.gradient, rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize("name", ["unisne", "tsne"])
def test_one_far_point_does_not_spoil_the_forces_on_the_others(name):
    P, pairs, Y, evaluate, plain, _ = setting(name, n_objects=40)
    Y[0] = 1e6
    error = np.linalg.norm((evaluate(pairs, Y).gradient - plain(P, Y)[1])[1:])
    assert error < 1e-5 * np.linalg.norm(plain(P, Y)[1][1:])
