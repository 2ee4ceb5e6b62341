"""Several maps in kernels.wasm: aspect maps and multiple maps t-SNE against plain NumPy and Python's runs."""

from functools import partial

import numpy as np
import pytest
from scipy import sparse

import notebook_sne as ns
from notebook_sne.engine.mathematics import aspects
from notebook_sne.engine.optimizers.schedules import is_round
from notebook_sne.engine.portable import copies, evaluation
from tests import reference
from tests.mathematics.test_costs import random_p
from tests.portable.engines import NODE, in_node, in_wasmtime
from tests.portable.problems import Course, joined, settings, stored, theta_of

pytest.importorskip("wasmtime")

# name: (model by number, estimator, what the reference is told)
KINDS = {
    "aspects": (evaluation.ASPECTS, ns.AspectMaps, {}),
    "joint": (evaluation.JOINT_ASPECTS, partial(ns.AspectMaps, normalization="joint"), {"joint": True}),
    "multiple": (evaluation.MULTIPLE_MAPS, ns.MultipleMapsTSNE, {"joint": True, "student": True}),
}
each_kind = pytest.mark.parametrize("name", KINDS)


def evaluated(name, P, Y, W, **knobs):
    """Objective, cost, and the gradients of points and weights."""
    number, _, _ = KINDS[name]
    M, N = W.shape
    pairs = aspects.attractive_pairs(sparse.csr_array(P))
    theta = joined(Y, W)
    arrays = {
        **stored(pairs), "Y": theta, "settings": settings(n_maps=M, **knobs), "gradient": np.full(theta.shape, 9.0),
        "numbers": np.zeros(4),
    }  # fmt: skip
    call = ("evaluate", number, N, "pointers", "columns", "strengths", pairs.negentropy)
    _, after = in_wasmtime(arrays, [(*call, "Y", "settings", "gradient", "numbers")])
    flat = after["gradient"].ravel()
    return *after["numbers"][:2], flat[: Y.size].reshape(Y.shape), flat[Y.size : Y.size + W.size].reshape(W.shape)


def drawn(M, N, spread, contrast=1.0, seed=0):
    rng = np.random.default_rng(seed)
    return spread * rng.normal(size=(M, N, 2)), contrast * rng.normal(size=(M, N))


@pytest.mark.sampled(5)
@each_kind
@pytest.mark.parametrize("M", [1, 2, 3, 20])
@pytest.mark.parametrize("spread", [0.1, 3.0])
def test_the_cost_is_that_of_the_formula_and_the_gradient_that_of_the_cost(name, M, spread):
    more = KINDS[name][2]
    P, (Y, W) = random_p(12, bool(more)), drawn(M, 12, spread)
    objective, cost, maps, weights = evaluated(name, P, Y, W, penalty=0.1)
    wanted = reference.aspects(P, Y, W, penalty=0.1, **more)
    assert [cost, objective] == pytest.approx(wanted, rel=1e-6)
    slope = reference.central_difference(lambda Y: reference.aspects(P, Y, W, penalty=0.1, **more)[1], Y)
    assert np.linalg.norm(maps - slope) < 1e-5 * max(np.linalg.norm(slope), reference.attraction_norm(P, Y[0], "sne"))
    slope = reference.central_difference(lambda W: reference.aspects(P, Y, W, penalty=0.1, **more)[1], W)
    np.testing.assert_allclose(weights, slope, atol=1e-5 * max(1.0 / (len(P) if more else 1), np.abs(slope).max()))


@pytest.mark.slow
@each_kind
@pytest.mark.parametrize(("spread", "contrast"), [(2.0, 12.0), (60.0, 1.0), (400.0, 1.0)])
def test_faint_copies_and_isolated_objects_are_those_of_python(name, spread, contrast):
    more = KINDS[name][2]
    P, (Y, W) = random_p(15, bool(more)), drawn(3, 15, spread, contrast)
    Y[:, 4] += 500.0
    here = aspects.cost_and_gradient(aspects.attractive_pairs(sparse.csr_array(P)), Y, W, exaggeration=2.0, **more)
    objective, cost, maps, weights = evaluated(name, P, Y, W, exaggeration=2.0)
    assert [objective, cost] == pytest.approx([here.objective, here.cost], rel=1e-6)
    np.testing.assert_allclose(maps, here.maps, atol=1e-5 * np.abs(here.maps).max())
    np.testing.assert_allclose(weights, here.weights, atol=1e-5 * np.abs(here.weights).max())


class Run(Course):
    """The first states of a fit of several maps."""

    def __init__(self, name, n_updates, gains=True, X=None, **options):
        number, kind, _ = KINDS[name]
        options = {"n_maps": 3, "perplexity": 8, "copy_moves": 0, **options}
        model = kind(random_state=1, n_jobs=1, sums="exact", optimizer="momentum", **options)
        if not gains:
            model._gains = None
        self.follow(number, model, ns.datasets.load_digits().X[:61] if X is None else X, n_updates)

    def room(self):
        """What a round of copy moves keeps between its calls."""
        n_reals, n_whole = copies.room(self.M, self.N)
        return {"reals": np.zeros(n_reals), "whole": np.zeros(n_whole, np.int64)}

    def round(self, some):
        """The calls of a round, so many objects at a time."""
        kept, pairs = ("reals", "whole"), ("pointers", "columns", "strengths")
        yield ("copies_begin", *self.common[:2], "settings", "state", *kept)
        for k in range(0, self.N, some):
            yield "copies_some", *self.common[:2], *pairs, "settings", k, min(k + some, self.N), *kept
        yield "copies_end", *self.common, "settings", "held", *kept, "state", "numbers"


@pytest.mark.sampled(3)
@each_kind
@pytest.mark.parametrize("jitter", [0.0, 0.01])
def test_each_of_fifty_updates_is_that_of_python(name, jitter):
    Run(name, 50, jitter=jitter).compare_each_update()


# Maps that leave a random start multiply what single precision rounds, here to 5e-6; gains do so more (test_kernels).
@pytest.mark.slow
@each_kind
def test_fifty_updates_are_those_of_python(name):
    run = Run(name, 50, gains=False)
    run.compare(1e-4, 1e-5)
    if NODE is not None:
        run.compare_engines()


# A move that is barely worth while, or not, may be decided by a last digit, and the moves after it see what it did.
NEARLY_ALL = 0.95


@pytest.mark.sampled(3)
@each_kind
def test_rounds_of_copy_moves_are_those_of_python(name):
    P = ns.datasets.load_word_relations().P
    run = Run(name, 41, X=P, n_maps=5, copy_moves=5, init="random", input="probabilities")
    rounds = [each for before, *each in run.pairs_of_states() if is_round(before.iteration, 5)]
    assert len(rounds) == 5 and all(len(now.copies) > 5 for now, *_ in rounds)
    for now, arrays, begin in rounds:
        i, m = now.copies[0]
        arrays["held"][m * run.N + i] = 1  # of all that would move this one stays
        arrays |= run.room()
        calls = [begin, *run.round(200)]
        (begun, *_, moved), after = in_wasmtime(arrays, calls)
        assert begun == 1 and moved == pytest.approx(len(now.copies) - 1, rel=1 - NEARLY_ALL, abs=2)
        there, own = after["state"], now.memory["own"]
        free = np.ones(there[0].size, bool)
        free[2 * (m * run.N + i) : 2 * (m * run.N + i) + 2] = False
        free[2 * run.M * run.N + m * run.N + i] = False
        np.testing.assert_array_equal(there[0].ravel()[~free], arrays["state"][0].ravel()[~free])
        theta = theta_of(now).ravel()
        same = np.isclose(there[0].ravel()[free], theta[free], rtol=1e-6, atol=1e-6)
        assert same.mean() > 1 - (1 - NEARLY_ALL) * moved / (run.M * run.N)
        for k, key in ((1, "velocity"), (2, "gains")):  # what moved is at rest
            still = np.isclose(there[k].ravel()[free], joined(own[key]).ravel()[free], rtol=1e-9, atol=1e-12)
            assert still.mean() > 1 - (1 - NEARLY_ALL) * moved / (run.M * run.N)
        assert after["numbers"][0] == pytest.approx(now.objective, rel=0.02)
    if NODE is not None:
        others, after_node = in_node(arrays, calls)
        assert others[-1] == moved and after_node["state"].tobytes() == after["state"].tobytes()


@each_kind
def test_a_round_that_moves_nothing_changes_nothing(name):
    run = Run(name, 5)
    *_, (_, _, arrays, begin) = run.pairs_of_states()
    arrays["held"][:] = 1
    _, begun = in_wasmtime(arrays, [begin])
    results, after = in_wasmtime(arrays | run.room(), [begin, *run.round(20)])
    assert (results[0], results[-1]) == (1, 0)
    for key in ("state", "numbers"):
        np.testing.assert_array_equal(after[key], begun[key])
