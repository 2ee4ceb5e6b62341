"""The fits of a sweep: the settings of a grid, the seeds, and a key that tells them apart."""

import itertools
import pickle
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.base import clone

from notebook_sne.checks.arguments import check_count
from notebook_sne.checks.numbers import as_list, is_sparse, show

__all__ = ["check_seeds", "check_settings", "digest", "matters", "settings_of"]

DEFAULT_SEEDS = (0, 1, 2)
_LARGEST_SEED = 2**32 - 1  # what scikit-learn takes
# Parameters that change no bit of a fit, and the seed, which has a column of its own.
_NO_MATTER = ("random_state", "progress", "n_jobs")


def settings_of(grid: Any) -> list[dict[str, Any]]:
    """Return the settings of a grid, each a dict of parameters.

    The grid is a dict of lists, for all combinations of the values that each parameter has, the last parameter changing
    first; or the settings themselves. A TypeError or ValueError says that it is neither, or that there is no setting.
    """
    if isinstance(grid, Mapping):
        for name, values in grid.items():
            if isinstance(values, Mapping):
                raise TypeError(f"grid[{name!r}] must list values, got {show(values)}; put them into a list")
        lists = [as_list(f"grid[{name!r}]", values) for name, values in grid.items()]
        empty = [name for name, values in zip(grid, lists, strict=True) if not values]
        if empty or not lists:
            what = f"no value of {empty[0]}" if empty else show(grid)
            raise ValueError(f"grid must have at least one setting, got {what}; [{{}}] tries seeds alone")
        settings = [dict(zip(grid, values, strict=True)) for values in itertools.product(*lists)]
    else:
        if isinstance(grid, str) or not isinstance(grid, Iterable):
            raise TypeError(
                f"grid must be a dict of lists or a list of dicts, got {show(grid)}; as {{'perplexity': [5, 30]}}"
            )
        settings = list(grid)
        if not settings:
            raise ValueError(f"grid must have at least one setting, got {show(grid)}; [{{}}] tries seeds alone")
        for setting in settings:
            if not isinstance(setting, Mapping):
                raise TypeError(f"grid must list dicts, one a setting, got {show(setting)} among them")
    return [{name: _plain(value) for name, value in setting.items()} for setting in settings]


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def check_settings(model: Any, settings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return all parameters of a model at each setting.

    A TypeError says that the model is no estimator, a ValueError that it lacks a parameter, or that a setting says what
    a sweep sets itself.
    """
    if isinstance(model, type) or not hasattr(model, "fit") or not hasattr(model, "get_params"):
        kind = f"the class {model.__name__}" if isinstance(model, type) else show(model)
        raise TypeError(f"model must be an estimator, such as TSNE(), got {kind}")
    whole = []
    for setting in settings:
        for name, instead in (("random_state", "the argument seeds"), ("progress", "the argument progress")):
            if name in setting:
                raise ValueError(f"grid must not name {name}, got {show(setting)}; give {instead}")
        try:
            whole.append(clone(model).set_params(**setting).get_params())
        except (TypeError, ValueError) as error:
            raise ValueError(f"grid must name parameters of the model, got {show(setting)}: {error}") from None
    return whole


def check_seeds(model: Any, seeds: Any) -> list[int | None]:
    """Return the seeds; only None for a model that takes none.

    A TypeError or ValueError says that one is no whole number that a fit can be repeated with, or is there twice.
    """
    if "random_state" not in model.get_params():
        if seeds is not None:
            raise ValueError(
                f"seeds change nothing where the model has no random_state, got {show(seeds)} and "
                f"{type(model).__name__}; leave them out"
            )
        return [None]
    found = as_list("seeds", DEFAULT_SEEDS if seeds is None else seeds)
    if not found:
        raise ValueError(f"seeds must name at least one seed, got {show(seeds)}; give range(3)")
    for seed in found:
        if isinstance(seed, bool) or not isinstance(seed, Integral):
            raise TypeError(
                f"seeds must be whole numbers, so that each fit can be repeated, got {show(seed)}; give range(3)"
            )
        if check_count("seeds", seed, 0) > _LARGEST_SEED:
            raise ValueError(f"seeds must be at most {_LARGEST_SEED}, got {show(seed)}")
    if len(set(found)) < len(found):
        raise ValueError(f"seeds must differ, got {show(found)}; one fit would be counted twice")
    return [int(seed) for seed in found]


def matters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that change what a fit finds."""
    return {name: value for name, value in parameters.items() if name not in _NO_MATTER}


def digest(value: Any) -> str | None:
    """Return what tells values apart in a later process as well, or None where pickle does not know one of them."""
    import joblib

    try:
        return str(joblib.hash(_alike(value)))
    except (pickle.PicklingError, AttributeError, TypeError):
        return None


def _alike(value: Any) -> Any:
    """Return a value in one form: 30 and 30.0 are one perplexity, and an array has one order in memory."""
    if isinstance(value, Mapping):
        return {name: _alike(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_alike(item) for item in value]
    if isinstance(value, Real) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:  # no model takes it, which is for the model to say
            return value
    if is_sparse(value):
        return [value.shape, *(_alike(part) for part in (value.data, value.indices, value.indptr))]
    return np.ascontiguousarray(value) if isinstance(value, np.ndarray) else value
