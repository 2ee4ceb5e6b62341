"""A model as data: its schedules, the settings of its optimizer, and the names of its phases.

A page computes what is compiled for it: the models with maps in the plane, one or several, by gradient descent. Of
every other one `why_not` says so.
"""

from typing import Any

from notebook_sne.affinities.fuzzy import neighbors_of
from notebook_sne.affinities.metrics import input_of
from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.fitting.problem import Problem
from notebook_sne.engine.optimizers.annealing import Annealed
from notebook_sne.engine.optimizers.schedules import Decay, Shrinking, Steps, last_change
from notebook_sne.models import family, label_of

__all__ = ["FIXED_BY_P", "KEPT", "graph_of", "recipe_of", "schedule_of", "why_not"]

_KINDS = {
    "SNE": "sne", "SymmetricSNE": "uniform", "UNISNE": "uniform", "TSNE": "student", "ElasticEmbedding": "elastic",
    "UMAP": "umap", "AspectMaps": "aspects", "MultipleMapsTSNE": "multiple",
}  # fmt: skip

FIXED_BY_P = ("perplexity", "least_p")
"""The knobs that P is made with: they stay where only P is there, and not the objects."""

KEPT = {
    "UNISNE": "background", "ElasticEmbedding": "repulsion",
    "UMAP": "n_neighbors min_dist spread negative_sample_rate",
}  # fmt: skip
"""What a model of the same class keeps where it takes over, as its `_going_on` says: knobs, and the neighbors of P."""

_EXAGGERATED, _NOISY = ("exaggeration", "not", 1, "exaggeration"), ("jitter", "above", 0, "jitter")
# What `_phase` of each model says, the first rule that holds; then what there is where none holds.
_PHASES = {
    "TSNE": ((_EXAGGERATED,), "descent"),
    "UNISNE": ((_EXAGGERATED, ("background", "above", 0, "background")), "symmetric"),
}
_OTHERS = ((_EXAGGERATED, _NOISY), "descent")

_LONGEST_TABLE = 4  # times `max_iter`: so far a schedule that is any function is written down


def why_not(model: Any) -> str:
    """Return why a page can't compute a model, or an empty str if it can."""
    name = type(model).__name__
    if name not in _KINDS or type(model) is not family.class_of(name):
        return f"only Python computes {label_of(name)}"
    if model.n_components != 2:
        return f"a page computes maps in the plane, and this one has n_components={show(model.n_components)}"
    if model.extra_dimensions:
        return "a page computes maps in the plane from the start, without extra_dimensions"
    if getattr(model, "density", None) is not None:
        return f"a page keeps no densities, and this model has density={show(model.density)}"
    if model.optimizer not in ("auto", "momentum"):
        return f"a page descends along the gradient, and this model has optimizer={show(model.optimizer)}"
    if isinstance(model.jitter, Annealed):
        return "a page has no annealing in two passes; give the jitter as a number, Steps or Decay"
    if model.sums == "mesh":
        return "a page sums over all pairs, and this model has sums='mesh'"
    if not (isinstance(mixing := getattr(model, "mixing", "free"), str) and mixing == "free"):
        return f"a page finds the proportions with the maps, and this model has mixing={show(mixing)}"
    if getattr(model, "locations", "free") != "free":
        return f"a page moves the objects in their maps, and this model has locations={show(model.locations)}"
    return ""


def graph_of(model: Any) -> Any:
    """Return how many neighbors the graph of a model is to have, or None where its P is another one."""
    if type(model).__name__ != "UMAP" or model.perplexity is not None or input_of(model) in ("probabilities", "joint"):
        return None
    return model.n_neighbors


def _kind_of(model: Any) -> str:
    """Return how a page calls what a model sums."""
    kind = _KINDS[type(model).__name__]
    return "joint aspects" if kind == "aspects" and model._convention == "joint" else kind


def recipe_of(problem: Problem, start: int = 0, seed: int | None = None) -> dict[str, Any]:
    """Return what an update of a model asks for, as JSON takes it.

    Raises a ValueError if a page can't compute the model, with the reason. `start` is the number of the positions that
    it begins at, `seed` that of the jitter; the problem's where left out.
    """
    model = problem.model
    name = type(model).__name__
    if why := why_not(model):
        raise ValueError(f"live=True needs a model that a page can compute, but {why}")
    phases, rest = _PHASES.get(name, _OTHERS)
    longest = _LONGEST_TABLE * problem.max_iter
    return {
        "id": name,
        "label": label_of(name),
        "convention": model._convention,
        "kind": _kind_of(model),
        "n_maps": problem.layout.shape[0],
        "rounds": problem.rounds,
        "gains": None if model._gains is None else list(model._gains),
        "rises": bool(model._rises),
        "adaptive": bool(model.adaptive_step),
        "slack": 1e-3 * (problem.n_objects if model._convention == "conditional" else 1),
        "max_iter": problem.max_iter,
        "seed": problem.seed if seed is None else seed,
        "schedules": {name: schedule_of(schedule, longest) for name, schedule in problem.schedules.items()},
        "n_neighbors": None if (wanted := graph_of(model)) is None else neighbors_of(wanted, problem.n_objects),
        "scales": list(problem.scales) if isinstance(problem.scales, tuple) else problem.scales,
        "phases": [list(rule) for rule in phases],
        "rest": rest,
        "start": start,
    }


def schedule_of(schedule: Any, longest: int) -> Any:
    """Return a schedule as JSON takes it: when it ends, at which value, and how it comes there.

    That is a formula, or each value with the first update that has it; any function is held after its first `longest`.
    """
    if not callable(schedule):
        return float(schedule)
    known = isinstance(schedule, Steps | Decay | Shrinking)
    end = int(last_change(schedule) if known else min(longest, last_change(schedule)))
    told = {"kind": type(schedule).__name__.lower(), "ends": end, "last": float(schedule(end))}
    match schedule:
        case Decay(start, time):
            return told | {"start": float(start), "time": float(time)}
        case Shrinking(first):
            return told | {"start": float(first)}
    values = [float(schedule(t)) for t in range(min(end, 1) if isinstance(schedule, Steps) else end)]
    return told | {"values": [[t, value] for t, value in enumerate(values) if t == 0 or value != values[t - 1]]}
