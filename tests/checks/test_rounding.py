"""Numbers that were rounded are taken for what they were; what misses a rule by more is refused."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import notebook_sne as ns
from notebook_sne import affinities, baselines, quality
from notebook_sne.engine.checks.maps import check_mixing
from tests import calls
from tests.tables import in_one_test

DIGITS = ns.datasets.load_digits().X[:60]
FEW = {"perplexity": 8, "max_iter": 5, "random_state": 0, "progress": False}


def cosines(dtype):
    """Return 1 - cosine similarity: rounded, so that some entries are negative, and the diagonal is not 0."""
    U = DIGITS.astype(dtype)
    U /= np.linalg.norm(U, axis=1)[:, None]
    D = 1 - U @ U.T
    assert D.dtype == dtype and D.min() < 0 and D.diagonal().any()
    return D


def embedded(D, model=ns.TSNE, **parameters):
    parameters = {"input": "distances", **FEW, **parameters}
    return model(**{name: parameters[name] for name in parameters if name in model().get_params()}).fit_transform(D)


def nearest(D):
    J = np.argsort(D, axis=1)[:, :20]
    return J, np.take_along_axis(D, J, axis=1)


def graph(D):
    J, near = nearest(D)
    return sparse.csr_array((near.ravel(), J.ravel(), np.arange(0, J.size + 1, J.shape[1])), shape=D.shape)


OF_DISTANCES = {
    "TSNE": embedded,
    "UMAP": lambda D: embedded(D, ns.UMAP),
    "metric": lambda D: ns.TSNE(metric="precomputed", **FEW).fit_transform(D),
    "neighbors": lambda D: embedded(graph(D), input="neighbors"),
    "transform": lambda D: (
        ns.TSNE(input="distances", **FEW).fit(np.maximum(D[:50, :50], 0) * (1 - np.eye(50))).transform(D[50:, :50])
    ),
    "from_distances": lambda D: affinities.from_distances(D, 8),
    "from_neighbors": lambda D: affinities.from_neighbors(*nearest(D), 8),
    "ClassicalMDS": lambda D: embedded(D, baselines.ClassicalMDS),
    "MetricMDS": lambda D: embedded(D, baselines.MetricMDS),
    "Isomap": lambda D: embedded(D, baselines.Isomap, n_neighbors=20),
}


@in_one_test("dtype", [np.float64, np.float32])
@in_one_test("entrance", OF_DISTANCES)
def test_distances_that_were_rounded_below_0_are_0(entrance, dtype):
    function, D = OF_DISTANCES[entrance], cosines(dtype)
    before = D.copy()
    found, expected = (dense(function(given)) for given in (D, np.maximum(D, 0)))
    assert np.array_equal(found, expected)
    assert np.array_equal(D, before)


def test_a_table_may_be_rounded():
    D = cosines(np.float32)
    assert np.array_equal(embedded(pd.DataFrame(D)), embedded(np.maximum(D, 0)))


def dense(A):
    return A.toarray() if sparse.issparse(A) else np.asarray(A)


@in_one_test("entrance", OF_DISTANCES)
def test_distances_that_are_negative_are_refused(entrance):
    D = np.maximum(cosines(np.float64), 0)
    D[55, 3] = D[3, 55] = -1e-3
    with pytest.raises(ValueError, match=r"not (be )?negative.* is -0.001 .*maximum\(|must hold distances, .* -0.001"):
        OF_DISTANCES[entrance](D)


@pytest.mark.parametrize("form", [np.array, sparse.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
def test_a_p_keeps_its_rules_as_well_as_its_type_can(dtype, form):
    if dtype is np.float16 and form is sparse.csr_array:
        pytest.skip("SciPy has none in half precision")
    P, J = calls.P.copy(), affinities.joint(calls.P)
    slack = 4 * np.finfo(dtype).eps
    P[0, 0], P[1, 0] = slack * P.max(), -slack * P.max()
    P[2] *= 1 + slack
    J[0, 0], J[1, 2] = slack * J.max(), J[1, 2] - slack * J.max()
    P, J = form(P.astype(dtype)), form(J.astype(dtype))
    for fit in (
        lambda: calls.fit(ns.SNE, P, input="probabilities"),
        lambda: calls.fit(ns.SNE, calls.P, input="probabilities").transform(P),
        lambda: affinities.joint(P),
        lambda: quality.kl_divergence(calls.Y, P, kernel="gaussian"),
        lambda: calls.fit(ns.TSNE, J, input="joint"),
        lambda: affinities.keep_large(J, whole=True),
    ):
        fit()


@pytest.mark.parametrize(
    "change, rule",
    [
        (lambda P: P * 1.001, "sum to 1"),
        (lambda P: P - 1e-3 * np.eye(len(P))[::-1], "not be negative"),
        (lambda P: P + 1e-3 * np.eye(len(P)), "zero diagonal"),
        (lambda P: P + 1e-3 * (np.triu(P) - np.tril(P)), "symmetric|sum to 1"),
    ],
)
def test_a_p_that_breaks_a_rule_by_more_is_refused(change, rule):
    for input, P in (("probabilities", calls.P), ("joint", affinities.joint(calls.P))):
        with pytest.raises(ValueError, match=rule):
            calls.fit(ns.TSNE, change(P), input=input)


def test_mixing_proportions_of_single_precision_are_taken():
    mixing = np.float32([[1 + 2e-7, 0.1], [-2e-7, 0.9000003]])
    assert check_mixing("mixing", mixing, 2, 2).min() == 0
    with pytest.raises(ValueError, match="sum to 1"):
        check_mixing("mixing", mixing * 1.001, 2, 2)
    with pytest.raises(ValueError, match="not be negative"):
        check_mixing("mixing", [[1.001, 0.1], [-0.001, 0.9]], 2, 2)


def test_rounded_distances_given_as_vectors_are_warned_of():
    with pytest.warns(UserWarning, match="if it holds distances"):
        ns.TSNE(**FEW).fit(cosines(np.float64))
