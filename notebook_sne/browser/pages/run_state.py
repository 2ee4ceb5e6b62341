"""Where a run stands: one in this process, one that was recorded, or a fit."""

import inspect
from collections.abc import Mapping
from typing import Any, NamedTuple

from notebook_sne.engine.fitting.state import State

__all__ = ["Standing", "standing_after"]


class Standing(NamedTuple):
    """Where a run stands."""

    model: Any  # the estimator at work
    origin: Any  # the estimator that a restart begins with
    state: State  # the latest
    turned: Mapping[str, float]  # knobs that are held by hand
    chapters: list[tuple[int, Any]]  # (iteration, estimator): from this iteration on, this model made the states
    done: int  # updates of the model so far
    limit: int  # updates of the model after which `play` ends
    plays: bool  # whether it is playing


def standing_after(fitted: Any) -> tuple[Any, Standing]:
    """Return the P of a fit of several maps, and where a run of such a P stands that has made the fit.

    A fitted estimator keeps P, not the objects. A ValueError where it is no such fit.
    """
    from sklearn.base import clone

    name, P = type(fitted).__name__, getattr(fitted, "affinities_", None)
    state = getattr(fitted, "state_", None)
    if getattr(fitted, "maps_", None) is None or state is None or P is None:
        raise ValueError(
            f"live=True needs a run, or a fit of several maps that has its state, got {name}; give "
            f"explore(Run(model, X), names) after some steps, or leave live out"
        )
    # No perplexity is left to be searched for: P is there.
    settings = {"input": "joint" if fitted._convention == "joint" else "probabilities", "metric": "euclidean"}
    perplexity = inspect.signature(type(fitted)).parameters["perplexity"].default
    model = clone(fitted).set_params(**settings, perplexity=perplexity, least_p=None)
    limit = max(model.max_iter, state.iteration)
    return P, Standing(model, model, state, {}, [(0, model)], state.iteration, limit, False)
