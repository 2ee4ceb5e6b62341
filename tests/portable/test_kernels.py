"""kernels.wasm against plain NumPy and against Python's own runs, in wasmtime and in Node."""

from functools import partial

import numpy as np
import pytest
from scipy import sparse

from notebook_sne.engine.portable.exports import EXPORTS
from tests import reference
from tests.mathematics.test_costs import random_p
from tests.portable.engines import NODE, WASM, Kernels, in_wasmtime
from tests.portable.problems import KNOBS, MODELS, REFERENCES, STEADY, Course, each_model, settings, stored, unit_of
from tests.tables import in_one_test
from tools.wasm.module import sections_of

pytest.importorskip("wasmtime")
needs_node = pytest.mark.skipif(NODE is None, reason="no Node found; install it to compare two engines")


def test_nothing_is_imported_and_every_function_is_exported():
    kinds = [kind for kind, _ in sections_of(WASM.read_bytes())]
    assert 2 not in kinds and len(kinds) > 6
    exports = Kernels().exports
    assert set(exports) == {"memory", "allocate", "release", *EXPORTS}


def test_nothing_of_a_machine_is_inside():
    module = WASM.read_bytes()
    for word in (b"/home", b"/tmp", b"/usr", b".py", b"site-packages", b"numba.", b"Error"):
        assert word not in module


def evaluated(name, P, Y, **knobs):
    """Objective, cost and gradient of the kernels."""
    number, _ = MODELS[name]
    pairs = REFERENCES[name][0].attractive_pairs(sparse.csr_array(P))
    N = len(Y)
    arrays = {**stored(pairs), "Y": Y, "settings": settings(**knobs), "gradient": np.zeros((N, 2))}
    arrays["numbers"] = np.zeros(4)
    call = ("evaluate", number, N, "pointers", "columns", "strengths", pairs.negentropy)
    _, after = in_wasmtime(arrays, [(*call, "Y", "settings", "gradient", "numbers")])
    return *after["numbers"][:2], after["gradient"]


def places(N, spread, seed=1):
    return spread * np.random.default_rng(seed).normal(size=(N, 2))


@each_model
@in_one_test("spread", [1e-4, 1.0, 10.0, 20.0])
@in_one_test("density", [0.3, 1.0])
def test_cost_and_gradient_are_those_of_the_formula(name, spread, density):
    P, Y = random_p(40, REFERENCES[name][-1], density=density), places(40, spread)
    objective, cost, gradient = evaluated(name, P, Y, **KNOBS.get(name, {}))
    wanted, slope = REFERENCES[name][2](P, Y)
    assert np.linalg.norm(gradient - slope) < 1e-5 * unit_of(name, P, Y, slope)
    assert cost == pytest.approx(wanted, rel=1e-6, abs=1e-6) and objective == cost


@each_model
@in_one_test("penalty", [0.0, 0.3])
def test_exaggeration_and_penalty_are_those_of_python(name, penalty):
    P, Y = random_p(30, REFERENCES[name][-1]), places(30, 1.0)
    module, evaluate = REFERENCES[name][:2]
    more = {} if name == "elastic" else {"exaggeration": 4.0}
    here = evaluate(module.attractive_pairs(sparse.csr_array(P)), Y, **more)
    objective, cost, gradient = evaluated(name, P, Y, penalty=penalty, **more, **KNOBS.get(name, {}))
    assert objective == pytest.approx(here.objective + 0.5 * penalty * np.sum(Y**2), rel=1e-6)
    assert cost == pytest.approx(here.cost, rel=1e-6)  # sums over all pairs are in single precision
    np.testing.assert_allclose(gradient, here.gradient + penalty * Y, atol=1e-5 * np.abs(gradient).max())


@pytest.mark.parametrize("freedom", [0.3, 2.0, 30.0])
def test_any_number_of_degrees_of_freedom_is_that_of_the_formula(freedom):
    P, Y = random_p(30, True), places(30, 2.0)
    cost, gradient = evaluated("tsne", P, Y, degrees_of_freedom=freedom)[1:]
    wanted = partial(reference.student_cost, P, freedom=freedom)
    assert cost == pytest.approx(wanted(Y), rel=1e-6)
    numeric = reference.central_difference(wanted, Y)
    assert np.linalg.norm(gradient - numeric) < 1e-5 * np.linalg.norm(numeric)


@each_model
@in_one_test("far", ["one", "all"])
def test_isolated_objects_cost_what_the_formula_says(name, far):
    P, Y = random_p(12, REFERENCES[name][-1]), places(12, 1.0)
    if far == "one":
        Y[3] += 40.0  # exp(-1600 * 2) is 0 in any precision
    else:
        Y *= 30.0
    cost, gradient = evaluated(name, P, Y, **KNOBS.get(name, {}))[1:]
    wanted, slope = REFERENCES[name][2](P, Y)
    assert cost == pytest.approx(wanted, rel=1e-6)
    np.testing.assert_allclose(gradient, slope, rtol=1e-4, atol=1e-5 * np.abs(slope).max())


@each_model
def test_the_least_number_of_objects_and_coincident_ones(name):
    P, Y = random_p(3, REFERENCES[name][-1]), places(3, 1.0)
    cost = evaluated(name, P, Y, **KNOBS.get(name, {}))[1]
    assert cost == pytest.approx(REFERENCES[name][2](P, Y)[0], rel=1e-6)
    cost, gradient = evaluated(name, P, np.zeros((3, 2)), **KNOBS.get(name, {}))[1:]
    assert np.isfinite(cost) and not gradient.any()


# A gain grows or shrinks with the sign of a number that is near 0 where a coordinate has found its place. So sums over
# pairs in single precision, which add in another order here, make another gain now and then, and fifty updates of t-SNE
# part by 1e-3. Each of them by itself is that of Python (below), and so are fifty without gains.
@each_model
def test_fifty_updates_are_those_of_python(name):
    Course(name, gains=False, **STEADY.get(name, {})).compare()


def test_ten_updates_with_gains_are_those_of_python():
    Course("tsne", n_updates=10).compare()


@pytest.mark.sampled(4)
@each_model
@pytest.mark.parametrize("jitter", [0.0, 0.02])
def test_each_of_fifty_updates_is_that_of_python(name, jitter):
    Course(name, jitter=jitter, penalty=0.01).compare_each_update()


def test_noise_and_schedules_are_those_of_python():
    Course("sne", jitter=0.05, penalty=0.1).compare()
    Course("unisne", max_iter=50).compare()  # the background begins after 20 updates
    Course("symmetric", exaggeration=4.0, max_iter=80).compare()  # which ends after 20


def test_a_rate_that_is_too_large_goes_back_as_in_python():
    course = Course("symmetric", learning_rate=400.0)
    assert any(state.memory["own"]["rate_scale"] < 1 for state in course.states)
    arrays, calls = course.work()
    results, after = in_wasmtime(arrays, calls)
    assert 1 in results
    assert after["numbers"][2] == course.states[-1].memory["own"]["rate_scale"]


def test_a_rate_that_adapts_is_that_of_python():
    course = Course("sne", adaptive_step=True)
    assert course.compare()["numbers"][2] == course.states[-1].memory["own"]["rate_scale"] != 1


def test_a_run_that_diverges_says_so_and_stays():
    course = Course("sne", n_updates=1, jitter=0.1)
    arrays, calls = course.work()
    step = list(calls[1])
    broken = arrays["settings1"].copy()
    broken[0] = 1e300
    arrays["broken"], step[7] = broken, "broken"
    results, after = in_wasmtime(arrays, [calls[0], tuple(step)])
    assert results == [1, 2]
    np.testing.assert_array_equal(after["state"][0], arrays["state"][0])
    np.testing.assert_array_equal(after["state"][1], 0.0)


def test_a_held_point_stays():
    course = Course("tsne", jitter=0.01)
    arrays, calls = course.work()
    arrays["held"][7] = 1
    _, after = in_wasmtime(arrays, calls)
    np.testing.assert_array_equal(after["state"][0, 7], arrays["state"][0, 7])
    assert (np.abs(after["state"][0] - arrays["state"][0]).max(axis=1) > 0).sum() == course.N - 1


@pytest.mark.parametrize("seeds", [(0,), (5, 17), (2**32 - 1, 0, 1), (1, 2, 3, 4)], ids=str)
def test_the_noise_is_that_of_numpy(seeds):
    n = 20_000
    arrays = {"seeds": np.array(seeds, np.uint32), "values": np.ones((n, 2))}
    _, after = in_wasmtime(arrays, [("add_noise", len(seeds), "seeds", 0.5, n, "values")])
    wanted = 1.0 + 0.5 * np.random.default_rng(seeds).standard_normal((n, 2))
    np.testing.assert_allclose(after["values"], wanted, rtol=0, atol=1e-14)


def test_memory_comes_back_and_grows():
    kernels = Kernels()
    first = kernels.call("allocate", 100)
    second = kernels.call("allocate", 10_000_000)
    assert first % 64 == second % 64 == 0 and second >= first + 100
    kernels.call("release", first)
    third = kernels.call("allocate", 8)
    assert third >= second + 10_000_000
    kernels.call("release", third)
    kernels.call("release", second)
    assert kernels.call("allocate", 100) == first


def test_a_thousand_updates_take_no_more_memory_than_one():
    course = Course("sne", n_updates=1)
    arrays, calls = course.work()
    kernels = Kernels()
    for name, array in arrays.items():
        kernels.put(name, array)
    for call in calls:
        kernels.call(*call)
    size = kernels.memory.data_len(kernels.store)
    for _ in range(300):
        kernels.call(*calls[-1])
    assert kernels.memory.data_len(kernels.store) == size


@pytest.mark.slow
@needs_node
@each_model
def test_two_engines_compute_the_same_bits(name):
    Course(name, n_updates=60, jitter=0.001).compare_engines()
