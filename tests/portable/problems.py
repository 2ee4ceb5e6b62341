"""Small problems as the kernels take them, beside the same in Python."""

from functools import partial
from itertools import islice, pairwise

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.engine.mathematics import umap
from notebook_sne.engine.portable import descent, evaluation
from tests import reference
from tests.mathematics.test_costs import MODELS as COSTS
from tests.portable.engines import in_node, in_wasmtime

# name in the tests of costs: (model by number, its class)
MODELS = {
    "sne": (evaluation.SNE, ns.SNE),
    "symmetric": (evaluation.UNISNE, ns.SymmetricSNE),
    "unisne": (evaluation.UNISNE, ns.UNISNE),
    "tsne": (evaluation.TSNE, ns.TSNE),
    "elastic": (evaluation.ELASTIC, ns.ElasticEmbedding),
    "umap": (evaluation.UMAP, ns.UMAP),
}
each_model = pytest.mark.parametrize("name", MODELS)

_UMAP = {"a": 1.6, "b": 0.9}
KNOBS = {"unisne": {"background": 0.2}, "elastic": {"repulsion": 0.02}, "umap": {**_UMAP, "negative_sample_rate": 5.0}}
"""Those of the settings with which the formulas are compared."""

REFERENCES = {
    **COSTS,
    "umap": (
        umap,
        partial(umap.cost_and_gradient, **_UMAP, rate=5.0),
        partial(reference.umap_with_gradient, **_UMAP, rate=5.0),
        None,
        True,
    ),
}
"""name: (module, evaluation in Python, cost and gradient in plain NumPy, ..., whether P is joint)."""

OBJECTIVE = ("exaggeration", "background", "repulsion", "degrees_of_freedom", "penalty")
OBJECTIVE += ("min_dist", "spread", "negative_sample_rate")


def settings(**values):
    """An array of settings; what is not given is 0, but exaggeration and degrees of freedom are 1."""
    values = {"exaggeration": 1.0, "degrees_of_freedom": 1.0, **values}
    return np.array([values.get(name, 0.0) for name in evaluation.SETTINGS])


def unit_of(name, P, Y, slope):
    """What errors of a gradient are measured by: the sum of all attraction, or of UMAP, all in double, the gradient."""
    if name == "umap":
        return np.linalg.norm(slope)
    return reference.attraction_norm(P, Y, name if name in ("sne", "tsne") else "symmetric")


def stored(pairs):
    """The arrays of stored pairs, by name; writable copies."""
    return {name: np.array(getattr(pairs, name)) for name in ("pointers", "columns", "strengths")}


STEADY = {"umap": {"negative_sample_rate": 5.0, "learning_rate": 15.0}}
"""Options without which a run multiplies the last digit: by 1e11 in fifty updates of UMAP at its own rate."""


def joined(Y, weights=None):
    """Points, and the weights of several maps, as the kernels take them."""
    flat = np.concatenate([Y.ravel(), [] if weights is None else weights.ravel()])
    return np.pad(flat, (0, flat.size % 2)).reshape(-1, 2)


def theta_of(state):
    return joined(state.Y, state.memory.get("weights"))


class Course:
    """The first states of a fit in Python, and the calls that make the same ones."""

    def __init__(self, name, n_updates=50, n_objects=120, gains=True, **options):
        number, kind = MODELS[name]
        if name == "tsne" and gains:  # which come with a momentum of one's own
            options.setdefault("momentum", 0.5)
        model = kind(perplexity=10, random_state=3, n_jobs=1, **options)
        if name != "tsne" and not gains:
            model._gains = None
        self.follow(number, model, ns.datasets.load_digits().X[:n_objects], n_updates)

    def follow(self, number, model, X, n_updates):
        run = model.iterate(X)
        self.model, self.states = model, list(islice(run, n_updates + 1))
        self.problem = run._problem
        self.pairs = self.problem.made_at(self.states[0].knobs).pairs
        self.M, self.N, _ = self.states[0].Y.shape
        self.common = (number, self.N, "pointers", "columns", "strengths", self.pairs.negentropy)

    def settings(self, state, before=None):
        """The settings with which a state was made from the one before; both are asked where a run may go back."""
        values = {**state.knobs, "slack": 1e-3 * self.problem.cost_scale, "n_maps": self.M}
        if self.model._rises:
            k = state.memory["own"].get("steps", 1) - 1
            k = before.memory["own"].get("steps", 0) if k < 0 and before else max(k, 0)  # it went back: counted anew
            values["momentum"] = min(values["momentum"], k / (k + 3))
        values["adaptive"] = float(self.model.adaptive_step)
        if "repulsion" in values:
            values["repulsion"] /= self.N * (self.N - 1.0)
        if "min_dist" in values:
            values["a"], values["b"] = umap.kernel_of(values["min_dist"], values["spread"])
        if self.model._gains:
            values |= zip(("increment", "factor", "least_gain", "greatest_gain"), self.model._gains, strict=True)
        return settings(**values)

    def remembered(self, state):
        """The state and the numbers of the kernels at a state of Python."""
        own, theta = state.memory["own"], theta_of(state)
        layers = np.zeros((5, *theta.shape))
        layers[0] = theta
        for k, key in ((1, "velocity"), (2, "gains"), (3, "best_theta")):
            if own[key] is not None:
                layers[k] = joined(own[key])
        numbers = np.array([0.0, 0.0, own["rate_scale"], own["best_objective"]])
        return {"state": layers, "numbers": numbers, "held": np.zeros(self.M * self.N, np.uint8)}

    def work(self):
        """The arrays and the calls of the engines."""
        first = self.states[0]
        arrays = {**stored(self.pairs), **self.remembered(first)}
        calls, before = [], None
        for now in self.states:
            t = now.iteration
            wanted = tuple(now.knobs.get(name) for name in OBJECTIVE)
            key = f"settings{t}"
            arrays[key] = self.settings(now)
            if wanted != before:
                forget = descent.FORGET_ALL if before is None else descent.FORGET_OBJECTIVE
                calls.append(("begin", *self.common, key, "held", forget, "state", "numbers"))
            if now is not first:
                seed = now.memory["seed"]
                calls.append(("step", *self.common, key, "held", seed, t - 1, "state", "numbers"))
            before = wanted
        return arrays, calls

    def pairs_of_states(self):
        """Each two states after each other, with the arrays at the first, and the call that begins there."""
        for before, now in pairwise(self.states):
            arrays = {**stored(self.pairs), **self.remembered(before), "settings": self.settings(now, before)}
            yield before, now, arrays, ("begin", *self.common, "settings", "held", 0, "state", "numbers")

    def compare_each_update(self):
        """Hold each update by itself to be that of Python."""
        for before, now, arrays, begin in self.pairs_of_states():
            more = ("settings", "held", now.memory["seed"], before.iteration, "state", "numbers")
            results, after = in_wasmtime(arrays, [begin, ("step", *self.common, *more)])
            own, theta = now.memory["own"], theta_of(now)
            assert results[0] == 1 and results[1] in (0, 1) and after["numbers"][2] == own["rate_scale"]
            assert np.linalg.norm(after["state"][0] - theta) < 1e-6 * np.linalg.norm(theta)
            gains = after["state"][2].ravel()[: own["gains"].size]
            # A slope that rounds to either side of 0 turns its gain the other way: one in an update, not two.
            assert (~np.isclose(gains, own["gains"], rtol=1e-12, atol=0)).sum() <= 1
            assert after["numbers"][:2] == pytest.approx([now.objective, now.cost], rel=1e-6)

    def compare(self, tolerance=1e-6, of_costs=1e-6):
        """Hold all updates together to be those of Python; return the arrays after them."""
        arrays, calls = self.work()
        results, after = in_wasmtime(arrays, calls)
        last, theta = self.states[-1], theta_of(self.states[-1])
        assert np.linalg.norm(theta - theta_of(self.states[0])) > 0 and set(results) <= {0, 1}
        assert np.linalg.norm(after["state"][0] - theta) < tolerance * np.linalg.norm(theta)
        assert after["numbers"][:2] == pytest.approx([last.objective, last.cost], rel=of_costs)
        return after

    def compare_engines(self):
        """Hold two engines to compute the same bits."""
        arrays, calls = self.work()
        (results, after), (others, there) = in_wasmtime(arrays, calls), in_node(arrays, calls)
        assert results == others
        for key in ("state", "numbers"):
            assert after[key].tobytes() == there[key].tobytes()
