"""The scores of each fit in a sweep: measures of `notebook_sne.quality`, by name, and functions."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from notebook_sne import quality
from notebook_sne.affinities.metrics import input_of
from notebook_sne.checks.numbers import as_list, show
from notebook_sne.models.several import SeveralMaps

__all__ = ["Score", "check_scores", "score"]

Score = str | Callable[[Any, Any], float]
"""A measure of `notebook_sne.quality`, or a function of the fitted model and X that returns a number."""

# What a measure is given, by the name of its parameter.
_KNOWN = {"X", "Y", "labels"}


def check_scores(scores: Any, model: Any, labels: Any, taken: tuple[str, ...]) -> dict[str, Score]:
    """Return {column: score} of a list of names and functions, or of a dict of them by column; none in `taken`.

    None stands, of one map, for `knn_error` where labels are classes, and of vectors `neighbor_recall` and
    `trustworthiness`; of several maps for nothing. `taken` are columns that the table has already. A TypeError or
    ValueError says that a score is none, or cannot be had of this model and these data.
    """
    several = isinstance(model, SeveralMaps)
    vectors = input_of(model) == "vectors"
    if scores is None:
        if several:
            return {}
        classes = labels is not None and labels.dtype.kind != "f"  # floats are values
        names = [*(["knn_error"] if classes else []), *(["neighbor_recall", "trustworthiness"] if vectors else [])]
        return dict(zip(names, names, strict=True))
    if isinstance(scores, Mapping):
        found = dict(scores)
    else:
        listed = as_list("scores", [scores] if callable(scores) else scores)
        found = {each if isinstance(each, str) else getattr(each, "__name__", ""): each for each in listed}
        if len(found) < len(listed) or "" in found or "<lambda>" in found:
            raise ValueError(
                f"scores must have names that differ, got {show(listed)}; give a dict, as "
                "{'error of 5': functools.partial(...)}"
            )
    for column, each in found.items():
        if not isinstance(column, str) or column in taken:
            raise ValueError(f"scores must have columns of their own, got {show(column)}; give a dict with other names")
        if isinstance(each, str):
            needed = _needed(each)
            have = {"Y"} | ({"X"} if vectors else set()) | ({"labels"} if labels is not None else set())
            if several or not needed <= have:
                lacking = "a single map" if several else " and ".join(sorted(needed - have))
                raise ValueError(
                    f"scores must be measures of what is there, but {each} needs {lacking}; give a function of the "
                    "fitted model and X instead"
                )
        elif not callable(each):
            raise TypeError(f"scores must be names of notebook_sne.quality or functions, got {show(each)}")
    return found


def _needed(name: str) -> set[str]:
    """Return what a measure must be given; a ValueError for what is no measure of one map."""
    measures = {}
    for each in quality.__all__:
        if inspect.isfunction(function := getattr(quality, each)):
            parameters = inspect.signature(function).parameters.values()
            needed = {parameter.name for parameter in parameters if parameter.default is parameter.empty}
            # An Estimate is a float with its uncertainty.
            if {"Y"} < needed <= _KNOWN and inspect.signature(function).return_annotation in ("float", "Estimate"):
                measures[each] = needed
    if name not in measures:
        raise ValueError(f"scores must be measures of one map, {', '.join(measures)}, or functions, got {show(name)}")
    return measures[name]


def score(each: Score, fitted: Any, X: Any, labels: Any) -> float:
    """Return what a score says of a fitted model, a float."""
    if not isinstance(each, str):
        return float(each(fitted, X))
    given = {"X": X, "Y": fitted.embedding_, "labels": labels}
    return float(getattr(quality, each)(**{name: given[name] for name in _needed(each)}))
