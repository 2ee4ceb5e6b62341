import numpy as np
import pytest
from scipy import sparse

import notebook_sne as ns
from notebook_sne import affinities
from notebook_sne.engine.machine.parallel import threads
from notebook_sne.quality import divergence, kl_divergence, object_costs

RANDOM = np.random.default_rng(0)
X, Y = RANDOM.normal(size=(40, 5)), RANDOM.normal(size=(40, 2))
CONDITIONAL = affinities.conditional(X, 8)
JOINT = affinities.joint(CONDITIONAL)


def slow(P, Y, kernel, freedom=1.0, background=0.0):
    """Each object's share of KL(P || Q), from whole tables."""
    d = ((Y[:, None] - Y) ** 2).sum(axis=2)
    K = np.exp(-d) if kernel == "gaussian" else (1 + d / freedom) ** (-(freedom + 1) / 2)
    np.fill_diagonal(K, 0)
    joint = abs(P.sum() - 1) < 1e-6
    Q = (1 - background) * K / (K.sum() if joint else K.sum(axis=1, keepdims=True))
    Q += background / (len(Y) * (len(Y) - 1))
    there = P > 0
    return np.where(there, P * np.log(np.where(there, P, 1) / np.where(there, Q, 1)), 0).sum(axis=1)


@pytest.mark.parametrize("P", [CONDITIONAL, JOINT], ids=["conditional", "joint"])
@pytest.mark.parametrize(("kernel", "freedom"), [("gaussian", 1), ("student", 1), ("student", 2.5)])
def test_it_is_the_sum_over_all_pairs(P, kernel, freedom, monkeypatch):
    monkeypatch.setattr(divergence, "_ENTRIES", 130)  # several blocks of rows and of stored pairs
    wanted = slow(P, Y, kernel, freedom)
    for given in (P, sparse.csr_array(P), P.tolist()):
        costs = object_costs(Y, given, kernel=kernel, degrees_of_freedom=freedom)
        np.testing.assert_allclose(costs, wanted, rtol=1e-12, atol=1e-14)
    assert kl_divergence(Y, P, kernel=kernel, degrees_of_freedom=freedom) == pytest.approx(wanted.sum(), rel=1e-12)


def test_a_background_is_that_of_uni_sne():
    found = object_costs(Y, JOINT, kernel="gaussian", background=0.2)
    np.testing.assert_allclose(found, slow(JOINT, Y, "gaussian", background=0.2), rtol=1e-12, atol=1e-15)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("model", "options"),
    [
        (ns.SNE, {"kernel": "gaussian"}),
        (ns.SymmetricSNE, {"kernel": "gaussian"}),
        (ns.UNISNE, {"kernel": "gaussian", "background": "background"}),
        (ns.TSNE, {"kernel": "student"}),
    ],
)
def test_it_is_the_cost_of_the_models(model, options):
    digits = ns.datasets.load_digits().sample(30, random_state=0)
    fitted = model(perplexity=15, random_state=0, max_iter=60, progress=False).fit(digits.X)
    if "background" in options:
        options = {**options, "background": fitted.state_.knobs["background"]}
        assert options["background"] > 0
    # The models sum in single precision.
    assert kl_divergence(fitted.embedding_, fitted.affinities_, **options) == pytest.approx(fitted.cost_, rel=1e-5)
    convention = "conditional" if model is ns.SNE else "joint"
    of_objects = kl_divergence(fitted.embedding_, X=digits.X, perplexity=15, convention=convention, **options)
    assert of_objects == pytest.approx(fitted.cost_, rel=1e-5)
    states = model(perplexity=15, random_state=0).iterate(digits.X, start=fitted.state_)
    costs = object_costs(fitted.embedding_, fitted.affinities_, **options)
    np.testing.assert_allclose(costs, states.costs(next(states)), atol=1e-5 * np.abs(costs).max())


def test_the_kernel_says_which_p_is_made_of_objects():
    for kernel, convention in (("gaussian", "conditional"), ("student", "joint")):
        one = kl_divergence(Y, X=X, perplexity=8, kernel=kernel)
        assert one == kl_divergence(Y, X=X, perplexity=8, kernel=kernel, convention=convention)
        # Of each row, up to a millionth of the mass in small entries is left out where the models make P.
        whole = kl_divergence(Y, CONDITIONAL if kernel == "gaussian" else JOINT, kernel=kernel)
        assert one == pytest.approx(whole, rel=1e-5)


@pytest.mark.parametrize("kernel", ["gaussian", "student"])
def test_far_objects_and_maps_of_any_size_keep_their_digits(kernel):
    far = Y.copy()
    far[0] = 1e4  # exp(-1e8) is no number
    for P in (CONDITIONAL, JOINT):
        costs = object_costs(far, P, kernel=kernel)
        assert np.isfinite(costs).all() and costs[0] > 0
    equal = (np.ones((40, 40)) - np.eye(40)) / 39
    # Under equal p a map much smaller than its kernel is right, and costs nothing.
    assert kl_divergence(1e-9 * Y, equal, kernel=kernel) == pytest.approx(0, abs=1e-9)
    d = ((1e3 * Y[:, None] - 1e3 * Y) ** 2).sum(axis=2)
    if kernel == "gaussian":
        np.fill_diagonal(d, np.inf)
        wanted = (CONDITIONAL[CONDITIONAL > 0] * np.log(CONDITIONAL[CONDITIONAL > 0])).sum()
        wanted += (CONDITIONAL * np.where(np.isfinite(d), d, 0)).sum() + np.log(
            np.exp(d.min(1, keepdims=True) - d).sum(1)
        ).sum()
        wanted -= d.min(axis=1).sum()
        assert kl_divergence(1e3 * Y, CONDITIONAL, kernel=kernel) == pytest.approx(wanted, rel=1e-12)


def test_the_number_of_threads_changes_no_bit():
    with threads(1):
        alone = kl_divergence(Y, JOINT)
    assert alone == kl_divergence(Y, JOINT)


def test_it_measures_the_map_of_another_package_by_its_own_formula():
    openTSNE = pytest.importorskip("openTSNE")
    digits = ns.datasets.load_digits().sample(60, random_state=0)
    P = openTSNE.affinity.PerplexityBasedNN(digits.X, perplexity=20, method="exact", random_state=0)
    start = openTSNE.initialization.pca(digits.X, random_state=0)
    found = openTSNE.TSNEEmbedding(start, P, negative_gradient_method="bh", theta=0.0, random_state=0)
    found = found.optimize(250, exaggeration=12, momentum=0.5).optimize(250, momentum=0.8)
    theirs = found.kl_divergence
    # Their sum over all pairs is Barnes-Hut's, here without any approximation, and they report the last update but one.
    assert kl_divergence(np.asarray(found), P.P) == pytest.approx(theirs, rel=1e-3)
