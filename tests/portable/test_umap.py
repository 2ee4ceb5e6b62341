"""UMAP in kernels.wasm: its graph, its kernel and the table of its repulsion, against Python's and the formulas."""

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.engine.fitting.inputs import umap_target
from notebook_sne.engine.mathematics import umap
from notebook_sne.engine.mathematics.distances import unit_spread
from tests import reference
from tests.portable.engines import in_wasmtime
from tests.portable.problems import settings, stored
from tests.portable.test_affinities import assert_same, csr, objects
from tests.tables import in_one_test

pytest.importorskip("wasmtime")


def graph_work(X, n_neighbors, least_p=1e-6, among=None):
    """Arrays and calls that make UMAP's P from all distances, or from the `among` nearest objects."""
    N, n = len(X), n_neighbors - 1
    K = among or N
    arrays = {
        "X": unit_spread(X), "near": np.full((N, K), np.nan), "neighbors": np.zeros((N, K), np.int32),
        "chosen": np.zeros((N, n), np.int32), "R": np.zeros((N, n)), "A": np.zeros((N, n)),
        "pointers": np.zeros(N + 1, np.int64), "columns": np.zeros(2 * N * n, np.int32), "values": np.zeros(2 * N * n),
    }  # fmt: skip
    measure = ("nearest", N, X.shape[1], "X", K, 0, N, "neighbors", "near")
    if among is None:
        measure = ("distances", N, X.shape[1], "X", 0, N, "near")
    calls = [measure]
    for first, last in ((0, N // 3), (N // 3, N)):
        calls.append(("closest", N, K, "neighbors", "near", n, first, last, "chosen", "R"))
    for first, last in ((0, N // 2), (N // 2, N)):
        calls.append(("smooth", N, n, "R", np.log2(n_neighbors), first, last, "A"))
    return arrays, [*calls, ("fuzzy_union", N, n, "chosen", "A", least_p, 2 * N * n, "pointers", "columns", "values")]


@pytest.mark.parametrize("n_neighbors", [3, 15, 60])
@pytest.mark.parametrize("among", [None, 90])
def test_the_graph_is_that_of_python(n_neighbors, among):
    arrays, calls = graph_work(objects(), n_neighbors, among=among)
    P = csr(in_wasmtime(arrays, calls)[1], 200)
    assert_same(P, ns.affinities.umap(objects(), n_neighbors))


@pytest.mark.parametrize("least_p", [0.0, 2e-3])
def test_small_weights_are_left_out_as_in_python(least_p):
    arrays, calls = graph_work(objects(), 15, least_p)
    P, wanted = (
        csr(in_wasmtime(arrays, calls)[1], 200),
        umap_target(objects(), "vectors", 15, least_p, 0.0, "euclidean"),
    )
    assert_same(P, wanted.P)
    assert (wanted.dropped_mass > 0) == (least_p > 0)


def test_identical_objects_have_the_weights_of_python():
    X = np.repeat(np.random.default_rng(4).normal(size=(12, 3)), 3, axis=0)
    X += 1e-3 * np.random.default_rng(5).normal(size=X.shape) * (np.arange(36) % 3 == 2)[:, None]
    arrays, calls = graph_work(X, 4)
    assert_same(csr(in_wasmtime(arrays, calls)[1], 36), umap_target(X, "vectors", 4, None, 0.0, "euclidean").P)


def test_more_identical_objects_than_neighbors_choose_some_of_each_other():
    X = np.random.default_rng(4).normal(size=(36, 3))
    X[:12] = X[0]
    arrays, calls = graph_work(X, 4)
    P = csr(in_wasmtime(arrays, calls)[1], 36)
    assert np.isfinite(P.data).all() and P.sum() == pytest.approx(1.0)
    assert (P[:12, :12].sum(axis=1) > 0).all() and not P[:12, 12:].toarray()[3:].any()


@in_one_test("spread", [1e-3, 0.2, 1.0, 5.0, 50.0])
@in_one_test("nearest", [0.0, 0.1, 0.5, 1.0])
def test_the_kernel_is_that_of_python(nearest, spread):
    arrays = {"found": np.zeros(2)}
    _, after = in_wasmtime(arrays, [("fitted_kernel", nearest * spread, spread, "found")])
    assert after["found"] == pytest.approx(umap.kernel_of(nearest * spread, spread), rel=1e-12)


@in_one_test(
    ("nearest", "spread"), [(0.1, 1e-6), (1.0, 1e-2), (0.0, 1.0), (1.0, 1.0), (0.1, 30.0), (0.0, 3e3), (0.1, 1e5)]
)
def test_the_table_is_the_repulsion_pair_by_pair(nearest, spread):
    Y, P = spread * np.random.default_rng(0).normal(size=(60, 2)), ns.affinities.umap(objects()[:60], 8)
    a, b = umap.kernel_of(nearest, 1.0)
    pairs = umap.attractive_pairs(P)
    arrays = {
        **stored(pairs), "Y": Y, "settings": settings(a=a, b=b, negative_sample_rate=5.0),
        "gradient": np.zeros((60, 2)), "numbers": np.zeros(4),
    }  # fmt: skip
    call = ("evaluate", 4, 60, "pointers", "columns", "strengths", 0.0, "Y", "settings", "gradient", "numbers")
    _, after = in_wasmtime(arrays, [call])
    cost, gradient = reference.umap_with_gradient(P.toarray(), Y, a, b, 5.0)
    # Where w is nearly 1, log(1 - w) of the reference has lost some digits.
    assert after["numbers"][:2] == pytest.approx([cost, cost], rel=1e-9 if spread < 1e-3 else 1e-11)
    np.testing.assert_allclose(after["gradient"], gradient, atol=1e-10 * np.abs(gradient).max())
