"""The family: which models a run can go on under, with what settings, and the papers' recipes for the same data.

A lecturer who goes from one model to the next wants the same objects, the same P where both know it, and the map as it
stands. So a successor keeps what says what the data are, and begins without what belongs to a start from nothing:
UNI-SNE has its background at once, as in the step from Fig. 7 to Fig. 8 of [Cook2007], and t-SNE exaggerates nothing.
"""

import math
from importlib import import_module
from typing import Any

from notebook_sne.given import show
from notebook_sne.models import MODELS
from notebook_sne.optimizers.schedules import last_change, value_at

__all__ = ["class_of", "members", "recipe", "relatives", "successor"]

_DATA = ("n_components", "input", "least_p", "sums", "random_state", "n_jobs", "progress")


def members() -> list[str]:
    """Return the names of all models that a run can go on under: those with one map."""
    return [name for name, model in MODELS.items() if model.what]


def class_of(name: str) -> Any:
    """Return a listed model's class."""
    return getattr(import_module(f"notebook_sne.models.{MODELS[name].module}"), name)


def relatives(model: Any) -> list[str]:
    """Return the names of the members that can take over from a model, itself included; none for several maps."""
    if type(model).__name__ not in members():
        return []
    return [name for name in members() if not (model.input == "joint" and class_of(name)._convention == "conditional")]


def successor(model: Any, name: str) -> Any:
    """Return the member `name`, made to go on from where a run of `model` stands.

    Parameters
    ----------
    model : estimator
        Of the family; its data settings and perplexity are kept.
    name : str
        One of ``relatives(model)``.

    Raises
    ------
    ValueError
        If no such member can take over.
    """
    settings = {**_settings(model, name), "perplexity": _last(model.perplexity)}
    return class_of(name)(**settings, **class_of(name)._going_on(model))


def recipe(model: Any, name: str, n_objects: int | None = None) -> Any:
    """Return the member `name` with its paper's recipe, for the data that `model` takes.

    Parameters and errors are those of `successor`. With `n_objects`, a perplexity that so few objects cannot have is
    lowered to a third of the others.
    """
    settings = _settings(model, name)
    if model.perplexity is None:
        settings["perplexity"] = None  # distances in a unit of their own
    made = class_of(name).paper(**settings)
    if n_objects is not None and made.perplexity is not None:
        made.perplexity = min(made.perplexity, (n_objects - 1) / 3)  # few objects have no 30 neighbors
    return made


def _settings(model: Any, name: str) -> dict[str, Any]:
    possible = relatives(model)
    if name not in possible:
        raise ValueError(
            f"model must be one of {', '.join(possible) or 'none'} here, got {show(name)}; "
            "with several maps, or a joint P, make another Run"
        )
    return {key: _last(getattr(model, key)) for key in _DATA}


def _last(schedule: Any) -> Any:
    """Return the value at which a schedule stays; what is no schedule, or never stays, as it is."""
    return value_at(schedule, end) if callable(schedule) and (end := last_change(schedule)) < math.inf else schedule
