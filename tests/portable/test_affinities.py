"""P of kernels.wasm, its springs and its costs, against Python's and against plain NumPy."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import brentq

import notebook_sne as ns
from notebook_sne.engine.fitting.inputs import target
from notebook_sne.engine.mathematics import elastic, forces, umap
from notebook_sne.engine.mathematics.distances import squared_distances, unit_spread
from tests.mathematics.test_costs import random_p
from tests.portable.engines import NODE, in_node, in_wasmtime
from tests.portable.problems import KNOBS, MODELS, REFERENCES, each_model, settings
from tests.portable.test_kernels import places
from tests.tables import in_one_test

pytest.importorskip("wasmtime")


def conditional_work(X, perplexity, least_p=1e-6, slices=3, capacity=None, among=None, n_neighbors=None):
    """Arrays and calls that make P over all pairs, or of `n_neighbors` of the `among` nearest objects."""
    N = len(X)
    capacity = N * (n_neighbors or N - 1) if capacity is None else capacity
    arrays = {
        "X": unit_spread(X), "pointers": np.zeros(N + 1, np.int64), "columns": np.zeros(capacity, np.int32),
        "values": np.zeros(capacity), "tied": np.full(N, 9, np.uint8),
    }  # fmt: skip
    if among is None:
        arrays["D"] = np.full((N, N), np.nan)
        measured, of = ("D",), ("of_distances", N, "D")
        measure = ("distances", N, X.shape[1], "X")
    else:
        arrays |= {"neighbors": np.zeros((N, among), np.int32), "near": np.zeros((N, among))}
        measured, of = ("neighbors", "near"), ("of_neighbors", N, among, "neighbors", "near", n_neighbors)
        measure = ("nearest", N, X.shape[1], "X", among)
    bounds = list(pairwise(np.linspace(0, N, slices + 1).astype(int).tolist()))
    end = (capacity, "pointers", "columns", "values", "tied")
    calls = [(*measure, first, last, *measured) for first, last in bounds]
    calls += [(*of, perplexity, least_p, 1e-13, first, last, *end) for first, last in bounds]
    return arrays, calls, [None] * slices + [last for _, last in bounds]


def exact_p(D, perplexity):
    """P of squared distances in plain NumPy, its precisions by another search, to the last digits."""
    D = np.where(np.eye(len(D), dtype=bool), np.inf, D)
    P = np.zeros_like(D)
    for i, d in enumerate(D):
        d = d - d.min()
        d = d / d[d < np.inf].mean()

        def excess(u, d=d):
            p = np.exp(-np.exp(u) * d)
            p /= p.sum()
            return -np.sum(p[p > 0.0] * np.log(p[p > 0.0])) - np.log(perplexity)

        p = np.exp(-np.exp(brentq(excess, -20.0, 20.0, xtol=1e-14, rtol=1e-14)) * d)
        P[i] = p / p.sum()
    P[P < 1e-6] = 0.0
    return sparse.csr_array(P / P.sum(axis=1, keepdims=True))


def csr(after, N, names=("pointers", "columns", "values")):
    pointers, columns, values = (after[name] for name in names)
    E = pointers[-1]
    return sparse.csr_array((values[:E], columns[:E], pointers), shape=(N, N))


def assert_same(P, Q, rtol=1e-9):
    assert np.array_equal(P.indptr, Q.indptr) and np.array_equal(P.indices, Q.indices)
    np.testing.assert_allclose(P.data, Q.data, rtol=rtol)


NEAR = 1e-6  # Python's search ends within 1e-8 nats; of a p of 1e-6 that may be 14 times as much, by a spread below 1


def objects():
    # Without the pixels' whole numbers, of whose equal distances one or another may be the sixtieth.
    return ns.datasets.load_digits().X[:200] + 0.1 * np.random.default_rng(0).normal(size=(200, 64))


@pytest.mark.parametrize("perplexity", [2.5, 20.0, 150.0])
def test_p_of_vectors_is_that_of_python_and_of_the_formula(perplexity):
    X = objects()
    arrays, calls, reached = conditional_work(X, perplexity)
    results, after = in_wasmtime(arrays, calls)
    assert results == reached and not after["tied"].any()
    assert_same(csr(after, 200), exact_p(squared_distances(unit_spread(X)), perplexity))
    assert_same(csr(after, 200), target(X, "vectors", perplexity, "conditional").P, NEAR)
    D = np.where(np.eye(200, dtype=bool), 0.0, after["D"])
    np.testing.assert_allclose(D, np.where(np.eye(200, dtype=bool), 0.0, squared_distances(unit_spread(X))), rtol=1e-13)


@pytest.mark.parametrize("among", [60, 90])
def test_p_of_neighbors_is_that_of_python(among):
    X = objects()
    arrays, calls, reached = conditional_work(X, 20.0, among=among, n_neighbors=60)
    results, after = in_wasmtime(arrays, calls)
    assert results == reached and not after["tied"].any()
    wanted = ns.affinities.keep_large(ns.affinities.conditional(X, 20.0, neighbors=60))[0]
    assert_same(csr(after, 200), wanted, NEAR)


def test_p_of_distances_is_that_of_python():
    D = np.sqrt(np.where(np.eye(50), 0, squared_distances(np.random.default_rng(0).normal(size=(50, 3)))))
    D[3] *= 2.0  # j is farther for 3 than 3 for j
    arrays = {
        "D": D**2, "pointers": np.zeros(51, np.int64), "columns": np.zeros(50 * 49, np.int32),
        "values": np.zeros(50 * 49), "tied": np.zeros(50, np.uint8),
    }  # fmt: skip
    call = ("of_distances", 50, "D", 8.0, 1e-6, 1e-13, 0, 50, 50 * 49, "pointers", "columns", "values", "tied")
    results, after = in_wasmtime(arrays, [call])
    assert results == [50]
    assert_same(csr(after, 50), exact_p(D**2, 8.0))
    assert_same(csr(after, 50), target(D, "distances", 8.0, "conditional").P, NEAR)


def test_duplicates_share_the_mass_and_are_told():
    X = np.random.default_rng(1).normal(size=(40, 3))
    X[:12] = X[0]
    arrays, calls, _ = conditional_work(X, 5.0)
    _, after = in_wasmtime(arrays, calls)
    wanted = target(X, "vectors", 5.0, "conditional")
    assert np.flatnonzero(after["tied"] == 1).tolist() == wanted.tied.tolist() and after["tied"][:12].all()
    assert_same(csr(after, 40), wanted.P, NEAR)
    assert_same(csr(after, 40)[:12], wanted.P[:12])


def test_distances_of_very_different_orders_have_the_p_of_python():
    X = np.concatenate([np.random.default_rng(2).normal(size=(20, 2)), [[1e13, 0.0], [0.0, 1e20]]])
    arrays, calls, _ = conditional_work(X, 5.0)
    _, after = in_wasmtime(arrays, calls)
    P, Q = csr(after, 22), target(X, "vectors", 5.0, "conditional").P
    np.testing.assert_allclose(P.toarray(), Q.toarray(), atol=1e-6)


def test_where_there_is_no_room_for_a_row_it_is_not_begun():
    X = ns.datasets.load_digits().X[:30]
    arrays, calls, _ = conditional_work(X, 5.0, slices=1, capacity=150)
    (_, reached), after = in_wasmtime(arrays, calls)
    whole = exact_p(squared_distances(unit_spread(X)), 5.0)
    assert 0 < reached < 30 and not after["pointers"][reached + 1 :].any()
    assert 150 - 29 < after["pointers"][reached] <= 150
    n = whole.indptr[reached]
    np.testing.assert_allclose(after["values"][:n], whole.data[:n], rtol=1e-9)


def test_p_and_its_transpose_are_added_as_in_python():
    P = sparse.csr_array(random_p(30, False, density=0.2))
    P.eliminate_zeros()
    P.sort_indices()
    wanted = sparse.csr_array(P + P.T)
    E = wanted.nnz
    arrays = {
        "pointers": P.indptr.astype(np.int64), "columns": P.indices.astype(np.int32), "values": P.data,
        "rows": np.zeros(31, np.int64), "there": np.zeros(E, np.int32), "strengths": np.zeros(E),
    }  # fmt: skip
    whole = ("pointers", "columns", "values")
    calls = [
        ("symmetric_size", 30, *whole),
        ("symmetrize", 30, *whole, 0.25, "rows", "there", "strengths"),
        ("negentropy", P.nnz, "values"),
    ]
    results, after = in_wasmtime(arrays, calls)
    assert results[0] == E
    assert_same(csr(after, 30, ("rows", "there", "strengths")), 0.25 * wanted)
    assert results[2] == pytest.approx(np.sum(P.data * np.log(P.data)), rel=1e-12)


def seen(name, P, Y, i, **knobs):
    number, _ = MODELS[name]
    N, P = len(Y), sparse.csr_array(P)
    arrays = {
        "pointers": P.indptr.astype(np.int64), "columns": P.indices.astype(np.int32), "values": P.data, "Y": Y,
        "settings": settings(**knobs), **{key: np.full(N, 7.0) for key in ("pull", "push", "p", "q", "shares")},
    }  # fmt: skip
    common = (number, N, "pointers", "columns", "values", "Y")
    calls = [("springs", *common, i, "settings", "pull", "push", "p", "q"), ("costs", *common, "settings", "shares")]
    return in_wasmtime(arrays, calls)[1]


@each_model
@in_one_test("spread", [0.5, 4.0])
def test_springs_and_costs_are_those_of_python(name, spread):
    P, Y = random_p(30, REFERENCES[name][-1], density=0.5), places(30, spread)
    Q, knobs = sparse.csr_array(P), KNOBS.get(name, {})
    of = {
        "sne": (forces.sne_forces(Q, Y, 4, 2.0), forces.sne_costs(Q, Y)),
        "symmetric": (forces.uniform_forces(Q, Y, 4, 0.0, 2.0), forces.uniform_costs(Q, Y)),
        "unisne": (forces.uniform_forces(Q, Y, 4, 0.2, 2.0), forces.uniform_costs(Q, Y, 0.2)),
        "tsne": (forces.student_forces(Q, Y, 4, 2.0, 3.0), forces.student_costs(Q, Y, 3.0)),
        "elastic": (elastic.elastic_forces(Q, Y, 4, 0.02), elastic.elastic_costs(Q, Y, 0.02)),
        "umap": (umap.umap_forces(Q, Y, 4, 1.6, 0.9, 5.0, 2.0), umap.umap_costs(Q, Y, 1.6, 0.9, 5.0)),
    }
    wanted, shares = of[name]
    after = seen(name, P, Y, 4, exaggeration=2.0, degrees_of_freedom=3.0, **knobs)
    for key in ("pull", "push", "p", "q"):
        array = getattr(wanted, key)
        np.testing.assert_allclose(after[key], array, rtol=1e-5, atol=1e-6 * np.abs(array).max())
    np.testing.assert_allclose(after["shares"], shares, rtol=1e-5, atol=1e-6 * np.abs(shares).max())


@each_model
def test_springs_are_the_gradient_and_costs_the_cost(name):
    P, Y = random_p(25, REFERENCES[name][-1]), places(25, 1.0)
    cost, gradient = REFERENCES[name][2](P, Y)
    after = seen(name, P, Y, 6, **KNOBS.get(name, {}))
    force = ((after["pull"] - after["push"])[:, None] * (Y - Y[6])).sum(axis=0)
    np.testing.assert_allclose(force, -gradient[6], rtol=1e-4, atol=1e-5 * np.abs(gradient).max())
    assert after["shares"].sum() == pytest.approx(cost, rel=1e-5, abs=1e-6)


@pytest.mark.skipif(NODE is None, reason="no Node found; install it to compare two engines")
@pytest.mark.parametrize("how", [{}, {"among": 60, "n_neighbors": 45}], ids=["all", "nearest"])
def test_two_engines_make_the_same_p(how):
    arrays, calls, _ = conditional_work(ns.datasets.load_digits().X[:120], 15.0, **how)
    (results, after), (others, there) = in_wasmtime(arrays, calls), in_node(arrays, calls)
    assert results == others
    assert all(after[name].tobytes() == there[name].tobytes() for name in arrays)
