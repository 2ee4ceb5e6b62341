"""Several maps in kernels.wasm: aspect maps and multiple maps t-SNE against plain NumPy and Python's runs."""

from functools import partial
from itertools import islice, pairwise

import numpy as np
import pytest
from scipy import sparse

import notebook_sne as ns
from notebook_sne.engine.fitting.rounds import is_round
from notebook_sne.engine.mathematics import aspects
from notebook_sne.engine.portable import copies, evaluation
from tests import reference
from tests.mathematics.test_costs import random_p
from tests.portable.engines import NODE, in_node, in_wasmtime
from tests.portable.problems import settings, stored

pytest.importorskip("wasmtime")

# name: (model by number, estimator, what the reference is told)
KINDS = {
    "aspects": (evaluation.ASPECTS, ns.AspectMaps, {}),
    "joint": (evaluation.JOINT_ASPECTS, partial(ns.AspectMaps, normalization="joint"), {"joint": True}),
    "multiple": (evaluation.MULTIPLE_MAPS, ns.MultipleMapsTSNE, {"joint": True, "student": True}),
}
each_kind = pytest.mark.parametrize("name", KINDS)


def joined(Y, W):
    """Points and weights as the kernels take them."""
    flat = np.concatenate([Y.ravel(), W.ravel()])
    return np.pad(flat, (0, flat.size % 2)).reshape(-1, 2)


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


class Run:
    """The first states of a fit of several maps in Python, and the calls that make the same ones."""

    def __init__(self, name, n_updates, gains=True, X=None, **options):
        self.number = KINDS[name][0]
        model = KINDS[name][1](
            **{"n_maps": 3, "perplexity": 8, "copy_moves": 0, **options},
            random_state=1,
            n_jobs=1,
            sums="exact",
            optimizer="momentum",
        )
        if not gains:
            model._gains = None
        run = model.iterate(ns.datasets.load_digits().X[:61] if X is None else X)
        self.states = list(islice(run, n_updates + 1))
        self.problem, self.gains = run._problem, model._gains
        self.pairs = self.problem.made_at(self.states[0].knobs).pairs
        self.M, self.N, _ = self.states[0].Y.shape

    def remembered(self, state):
        own, weights = state.memory["own"], state.memory["weights"]
        theta = joined(state.Y, weights)
        layers = np.zeros((5, *theta.shape))
        layers[0] = theta
        for k, key in ((1, "velocity"), (2, "gains"), (3, "best_theta")):
            if own[key] is not None:
                layers[k] = np.pad(own[key], (0, own[key].size % 2)).reshape(-1, 2)
        numbers = np.array([0.0, 0.0, own["rate_scale"], own["best_objective"]])
        return {"state": layers, "numbers": numbers, "held": np.zeros(self.M * self.N, np.uint8)}

    def settings(self, state):
        values = {**state.knobs, "slack": 1e-3 * self.problem.cost_scale, "n_maps": self.M}
        if self.gains:
            values |= zip(("increment", "factor", "least_gain", "greatest_gain"), self.gains, strict=True)
        return settings(**values)

    def room(self):
        """What a round of copy moves keeps between its calls."""
        n_reals, n_whole = copies.room(self.M, self.N)
        return {"reals": np.zeros(n_reals), "whole": np.zeros(n_whole, np.int64)}

    def round(self, some):
        """The calls of a round, so many objects at a time."""
        kept, pairs = ("reals", "whole"), ("pointers", "columns", "strengths")
        yield ("copies_begin", self.number, self.N, "settings", "state", *kept)
        for k in range(0, self.N, some):
            yield "copies_some", self.number, self.N, *pairs, "settings", k, min(k + some, self.N), *kept
        yield "copies_end", *self.common(), "settings", "held", *kept, "state", "numbers"

    def common(self):
        return self.number, self.N, "pointers", "columns", "strengths", self.pairs.negentropy


@pytest.mark.sampled(3)
@each_kind
@pytest.mark.parametrize("jitter", [0.0, 0.01])
def test_each_of_fifty_updates_is_that_of_python(name, jitter):
    run = Run(name, 50, jitter=jitter)
    for before, now in pairwise(run.states):
        arrays = {**stored(run.pairs), **run.remembered(before), "settings": run.settings(now)}
        more = ("held", now.memory["seed"], before.iteration, "state", "numbers")
        calls = [
            ("begin", *run.common(), "settings", "held", 0, "state", "numbers"),
            ("step", *run.common(), "settings", *more),
        ]
        results, after = in_wasmtime(arrays, calls)
        theta = joined(now.Y, now.memory["weights"])
        assert results[0] == 1 and after["numbers"][2] == now.memory["own"]["rate_scale"]
        assert np.linalg.norm(after["state"][0] - theta) < 1e-6 * np.linalg.norm(theta)
        assert after["numbers"][:2] == pytest.approx([now.objective, now.cost], rel=1e-6)


# Maps that leave a random start multiply what single precision rounds, here to 5e-6; gains do so more (test_kernels).
@pytest.mark.slow
@each_kind
def test_fifty_updates_are_those_of_python(name):
    run = Run(name, 50, gains=False)
    assert {tuple(state.knobs.get(key) for key in ("exaggeration", "penalty")) for state in run.states[1:]} == {
        (run.states[0].knobs.get("exaggeration"), run.states[0].knobs.get("penalty"))
    }
    arrays = {**stored(run.pairs), **run.remembered(run.states[0])}
    arrays["settings0"] = run.settings(run.states[0])
    calls = [("begin", *run.common(), "settings0", "held", 2, "state", "numbers")]
    for t, now in enumerate(run.states[1:]):
        arrays[f"settings{t + 1}"] = run.settings(now)
        calls.append(("step", *run.common(), f"settings{t + 1}", "held", 0, t, "state", "numbers"))
    results, after = in_wasmtime(arrays, calls)
    last = run.states[-1]
    theta = joined(last.Y, last.memory["weights"])
    assert set(results) <= {0, 1}
    assert np.linalg.norm(after["state"][0] - theta) < 1e-4 * np.linalg.norm(theta)
    assert after["numbers"][1] == pytest.approx(last.cost, rel=1e-5)
    if NODE is not None:
        others, there = in_node(arrays, calls)
        assert others == results and there["state"].tobytes() == after["state"].tobytes()


# A move that is barely worth while, or not, may be decided by a last digit, and the moves after it see what it did.
NEARLY_ALL = 0.95


@pytest.mark.sampled(3)
@each_kind
def test_rounds_of_copy_moves_are_those_of_python(name):
    P = ns.datasets.load_word_relations().P
    run = Run(name, 41, X=P, n_maps=5, copy_moves=5, init="random", input="probabilities")
    rounds = [(before, now) for before, now in pairwise(run.states) if is_round(before.iteration, 5)]
    assert len(rounds) == 5 and all(len(now.copies) > 5 for _, now in rounds)
    for before, now in rounds:
        arrays = {**stored(run.pairs), **run.remembered(before), "settings": run.settings(now)}
        i, m = now.copies[0]
        arrays["held"][m * run.N + i] = 1  # of all that would move this one stays
        arrays |= run.room()
        calls = [("begin", *run.common(), "settings", "held", 0, "state", "numbers"), *run.round(200)]
        (begun, *_, moved), after = in_wasmtime(arrays, calls)
        assert begun == 1 and moved == pytest.approx(len(now.copies) - 1, rel=1 - NEARLY_ALL, abs=2)
        there, own = after["state"], now.memory["own"]
        free = np.ones(there[0].size, bool)
        free[2 * (m * run.N + i) : 2 * (m * run.N + i) + 2] = False
        free[2 * run.M * run.N + m * run.N + i] = False
        np.testing.assert_array_equal(there[0].ravel()[~free], arrays["state"][0].ravel()[~free])
        theta = joined(now.Y, now.memory["weights"]).ravel()
        same = np.isclose(there[0].ravel()[free], theta[free], rtol=1e-6, atol=1e-6)
        assert same.mean() > 1 - (1 - NEARLY_ALL) * moved / (run.M * run.N)
        for k, key in ((1, "velocity"), (2, "gains")):  # what moved is at rest
            wanted = np.pad(own[key], (0, own[key].size % 2))
            still = np.isclose(there[k].ravel()[free], wanted[free], rtol=1e-9, atol=1e-12)
            assert still.mean() > 1 - (1 - NEARLY_ALL) * moved / (run.M * run.N)
        assert after["numbers"][0] == pytest.approx(now.objective, rel=0.02)
    if NODE is not None:
        others, after_node = in_node(arrays, calls)
        assert others[-1] == moved and after_node["state"].tobytes() == after["state"].tobytes()


@each_kind
def test_a_round_that_moves_nothing_changes_nothing(name):
    run = Run(name, 5)
    before, now = run.states[-2:]
    arrays = {**stored(run.pairs), **run.remembered(before), "settings": run.settings(now)}
    arrays["held"][:] = 1
    calls = [("begin", *run.common(), "settings", "held", 0, "state", "numbers")]
    _, begun = in_wasmtime(arrays, calls)
    results, after = in_wasmtime(arrays | run.room(), [*calls, *run.round(20)])
    assert (results[0], results[-1]) == (1, 0)
    for key in ("state", "numbers"):
        np.testing.assert_array_equal(after[key], begun[key])
