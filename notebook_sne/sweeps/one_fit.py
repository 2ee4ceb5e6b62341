"""One fit of a sweep, wherever it is made: a model, a setting and a seed become a row."""

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from notebook_sne.affinities.metrics import input_of
from notebook_sne.fitting.inputs import Target, largest_scale, perplexity_for
from notebook_sne.models.base import Model
from notebook_sne.optimizers.schedules import value_at
from notebook_sne.sweeps.scores import Score, score

__all__ = ["Fit", "Row", "failed"]

Row = dict[str, Any]
"""cost, updates, seconds, error, what was scored and, where wanted, embedding and mixing; and whether it is final."""

# The P of the last fit in this process. The next one finds it there, if it is of the same data and perplexity.
_held: list[Target] = []


@dataclass(frozen=True, eq=False)
class Fit:
    """Fits clones of a model to data and says what became of each; survives pickling."""

    model: Any
    X: Any
    labels: Any
    scores: Mapping[str, Score]
    embeddings: bool  # whether the map is part of the row
    raises: bool  # whether an error is raised, instead of being told in the row
    one_thread: bool = False  # whether a model that says nothing of threads uses one, as other fits run beside it

    def __call__(self, setting: Mapping[str, Any], seed: int | None) -> Row:
        """Return the row of one setting and seed."""
        try:
            return self._row(setting, seed)
        except Exception as error:  # of whatever kind: a row tells it
            if self.raises:
                error.add_note(f"in the sweep at {dict(setting)}, seed {seed}")
                raise
            return failed(error)

    def _row(self, setting: Mapping[str, Any], seed: int | None) -> Row:
        model = clone(self.model).set_params(**setting)
        parameters = model.get_params()
        if seed is not None:
            model.set_params(random_state=seed)
        if "progress" in parameters:
            model.set_params(progress=False)
        if self.one_thread and parameters.get("n_jobs", 1) is None:
            model.set_params(n_jobs=1)
        _hold(model, self.X)
        began = time.perf_counter()
        model.fit(self.X)
        row: Row = {
            "cost": float(getattr(model, "cost_", np.nan)),
            "updates": int(model.n_iter_) if getattr(model, "n_iter_", None) is not None else None,
            "seconds": time.perf_counter() - began,
            "error": "",
            "final": True,
        }
        for column, each in self.scores.items():
            row[column] = score(each, model, self.X, self.labels)
        if self.embeddings:
            row["embedding"] = np.array(model.embedding_ if hasattr(model, "embedding_") else model.maps_)
            if hasattr(model, "mixing_"):
                row["mixing"] = np.array(model.mixing_)
        return row


def failed(error: BaseException) -> Row:
    """Return the row of a fit that an error ended.

    It is final, unless it was the machine that failed: then another try may do better.
    """
    final = not isinstance(error, (MemoryError, OSError)) and type(error).__name__ != "KilledWorker"
    return {"cost": np.nan, "updates": None, "seconds": np.nan, "error": _told(error), "final": final}


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".strip().removesuffix(":")


def _hold(model: Any, X: Any) -> None:
    """Make the P that a model will ask for, unless it is held already, and hold it until another one is wanted."""
    if not isinstance(model, Model):
        return
    with suppress(Exception):  # whatever is wrong with data or perplexity, the fit says it
        X, input = model._checked_input(X), input_of(model)
        given = largest_scale(X, input, perplexity_for(getattr(model, "perplexity", None), X, input))
        perplexity, least_p = (value_at(one, 0) for one in (given, getattr(model, "least_p", None)))
        _held[:] = [model._target(X, perplexity, least_p)]
