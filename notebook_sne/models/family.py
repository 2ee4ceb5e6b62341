"""The family: models that can continue a run, their settings, and the papers' settings for the same data.

A lecturer who goes from one model to the next wants the same objects, the same P if both use one, and the current map.
So a successor keeps the settings that describe the data, and drops those for a new start: UNI-SNE has its background at
once, as in the step from Fig. 7 to Fig. 8 of [Cook2007], and t-SNE exaggerates nothing.
"""

import math
from importlib import import_module
from typing import Any

from notebook_sne.affinities.metrics import PRECOMPUTED, check_metric, input_of
from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.fitting.inputs import PERPLEXITY
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.optimizers.schedules import last_change, value_at
from notebook_sne.models import BASELINES, MODELS, NETWORKS, Listed

__all__ = ["class_of", "kernel_of", "listed", "members", "recipe", "relatives", "successor"]

_DATA = ("n_components", "input", "metric", "neighbors", "least_p", "sums", "random_state", "n_jobs", "progress")


def members() -> list[str]:
    """Return the names of all models that can continue a run: those with one map."""
    return [name for name, model in MODELS.items() if model.what]


def listed(name: str) -> Listed:
    """Return the facts about a model, a map by a network or a baseline with states, before it is loaded."""
    return {**MODELS, **BASELINES, **NETWORKS}[name]


def class_of(name: str) -> Any:
    """Return the class of what is listed."""
    room = "models" if name in MODELS else "networks" if name in NETWORKS else "baselines"
    return getattr(import_module(f"notebook_sne.{room}.{listed(name).module}"), name)


def kernel_of(model: Any) -> str:
    """Return how the strengths of a model fall with the distance, or those of the model of a State: gaussian, student.

    A model that says nothing of it has a Gaussian, as one that isn't listed and known by a state alone.
    """
    if isinstance(model, State):
        model = class_of(model.model) if model.model in {**MODELS, **BASELINES, **NETWORKS} else None
    return getattr(model, "_kernel", None) or "gaussian"


def relatives(model: Any, X: Any = None) -> list[str]:
    """Return the names of those that can take over from a model of X, itself included; none for several maps.

    They are the members of the family and, where distances or vectors that are measured by Euclidean distances are
    known, the baselines; those on a grid where the map is a plane.
    """
    possible = [*members(), *(name for name, baseline in BASELINES.items() if baseline.what)]
    if type(model).__name__ not in (*members(), *BASELINES, *NETWORKS):
        return []
    metric = check_metric(model.metric, model.input)
    return [name for name in possible if _takes(name, input_of(model, X), metric, model.n_components)]


def _takes(name: str, input: str, metric: str, n_components: int) -> bool:
    kind = class_of(name)
    if metric != "euclidean" and "metric" not in kind._get_param_names():
        return False
    if "n_components" not in kind._get_param_names() and kind.n_components != n_components:
        return False
    return input in kind._inputs and not (input == "joint" and kind._convention == "conditional")


def successor(model: Any, name: str, n_objects: int | None = None) -> Any:
    """Return the member `name`, made to go on from where a run of `model` stands; ValueError if it can't take over.

    It is one of ``relatives(model)``. The model's data settings and perplexity are kept. A baseline has no perplexity:
    after one, a model has that of its default, lowered to what `n_objects` can have if that is given.
    """
    kind, settings = class_of(name), _settings(model, name)
    if kind._convention == "none" or model._convention == "none":
        return _possible(kind(**settings, **kind._going_on(model)), n_objects)
    perplexity = _last(model.perplexity)
    if perplexity is None and input_of(model) != "distances":  # a graph of its own, which the other does not know
        return _possible(kind(**settings, **kind._going_on(model)), n_objects)
    return kind(**settings, perplexity=perplexity, **kind._going_on(model))


def recipe(model: Any, name: str, n_objects: int | None = None) -> Any:
    """Return the member `name` with its paper's recipe, for the data that `model` takes.

    Parameters and errors are those of `successor`. With `n_objects`, a perplexity that so few objects can't have is
    lowered to a third of the others.
    """
    settings = _settings(model, name)
    if model.perplexity is None and model._convention != "none" and input_of(model) == "distances":
        settings["perplexity"] = None  # distances in a unit of their own
    return _possible(class_of(name).paper(**settings), n_objects)


def _possible(model: Any, n_objects: int | None) -> Any:
    """Return the model, with a perplexity that so many objects can have."""
    counted = input_of(model) != "neighbors" and getattr(model, "metric", None) != PRECOMPUTED
    if n_objects is not None and model.perplexity is not None and counted:
        perplexity = PERPLEXITY if model.perplexity == "auto" else model.perplexity
        model.perplexity = min(perplexity, (n_objects - 1) / 3)  # few objects have no 30 neighbors
    return model


def _settings(model: Any, name: str) -> dict[str, Any]:
    possible = relatives(model)
    if name not in possible:
        raise ValueError(
            f"model must be one of {', '.join(possible) or 'none'} here, got {show(name)}; "
            "with several maps, or a joint P, make another Run"
        )
    known = set(class_of(name)._get_param_names()) & set(model._get_param_names())
    if type(model).__name__ in NETWORKS:
        known.discard("neighbors")  # which says there whose they are, not how they are found
    settings = {key: _last(getattr(model, key)) for key in _DATA if key in known}
    if "input" in known and "metric" not in known:
        settings["input"] = input_of(model)
    return settings


def _last(schedule: Any) -> Any:
    """Return the value at which a schedule stays; what is no schedule, or never stays, as it is."""
    return value_at(schedule, end) if callable(schedule) and (end := last_change(schedule)) < math.inf else schedule
