"""Small problems as the kernels take them, beside the same in Python."""

from functools import partial
from itertools import islice, pairwise

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.engine.mathematics import umap
from notebook_sne.engine.portable import evaluation
from tests import reference
from tests.mathematics.test_costs import MODELS as COSTS

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


class Course:
    """The first states of a fit in Python, and the calls that make the same ones."""

    def __init__(self, name, n_updates=50, n_objects=120, gains=True, **options):
        self.number, kind = MODELS[name]
        digits = ns.datasets.load_digits()
        if name == "tsne" and gains:  # which come with a momentum of one's own
            options.setdefault("momentum", 0.5)
        self.model = kind(perplexity=10, random_state=3, n_jobs=1, **options)
        if name != "tsne" and not gains:
            self.model._gains = None
        run = self.model.iterate(digits.X[:n_objects])
        self.states = list(islice(run, n_updates + 1))
        self.problem = run._problem
        self.pairs = self.problem.made_at(self.states[0].knobs).pairs
        self.N = n_objects

    def settings(self, state, before=None):
        """The settings with which a state was made from the one before; both are asked where a run may go back."""
        values = dict(state.knobs)
        values["slack"] = 1e-3 * self.problem.cost_scale
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
        own, layers = state.memory["own"], np.zeros((5, self.N, 2))
        layers[0] = state.Y[0]
        layers[1], layers[2] = own["velocity"].reshape(-1, 2), own["gains"].reshape(-1, 2)
        if own["best_theta"] is not None:
            layers[3] = own["best_theta"].reshape(-1, 2)
        numbers = np.array([0.0, 0.0, own["rate_scale"], own["best_objective"]])
        return {"state": layers, "numbers": numbers, "held": np.zeros(self.N, np.uint8)}

    def work(self):
        """The arrays and the calls of the engines."""
        first = self.states[0]
        arrays = {**stored(self.pairs), **self.remembered(first)}
        common = (self.number, self.N, "pointers", "columns", "strengths", self.pairs.negentropy)
        calls, before = [], None
        for now in self.states:
            t = now.iteration
            wanted = tuple(now.knobs.get(name) for name in OBJECTIVE)
            key = f"settings{t}"
            arrays[key] = self.settings(now)
            if wanted != before:
                forget = int(before is not None)
                calls.append(("begin", *common, key, "held", forget, "state", "numbers"))
            if now is not first:
                seed = now.memory["seed"]
                calls.append(("step", *common, key, "held", seed, t - 1, "state", "numbers"))
            before = wanted
        return arrays, calls

    def steps(self):
        """Of each state but the last: arrays with it, and the calls that lead to the next one."""
        for before, now in pairwise(self.states):
            common = (self.number, self.N, "pointers", "columns", "strengths", self.pairs.negentropy)
            arrays = {**stored(self.pairs), **self.remembered(before), "settings": self.settings(now, before)}
            more = ("settings", "held", now.memory["seed"], before.iteration, "state", "numbers")
            begin = ("begin", *common, "settings", "held", 0, "state", "numbers")
            yield arrays, [begin, ("step", *common, *more)], now
