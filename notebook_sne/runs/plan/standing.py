"""Where a run stands: one in this process, one that was recorded, or a fit."""

import inspect
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np

from notebook_sne.fitting.state import State
from notebook_sne.models import MODELS, family
from notebook_sne.runs.control import BUSY
from notebook_sne.runs.protocols import max_iter_of
from notebook_sne.runs.recording.frames import Frame, state_of
from notebook_sne.runs.recording.history import Chapter
from notebook_sne.runs.worker import Worker

__all__ = ["Standing", "standing_after", "standing_in", "standing_of"]


class Standing(NamedTuple):
    """Where a run stands.

    Attributes
    ----------
    model : estimator
        At work.
    origin : estimator
        The one that a restart begins with.
    state : State
        The latest.
    turned : mapping
        Knobs that are held by hand.
    chapters : list of (int, estimator)
        From this iteration on, this model made the states.
    done, limit : int
        Updates of the model so far, and those after which `play` ends.
    plays : bool
        Whether it is playing.
    """

    model: Any
    origin: Any
    state: State
    turned: Mapping[str, float]
    chapters: list[tuple[int, Any]]
    done: int
    limit: int
    plays: bool


class Recorded(Protocol):
    """What is asked of a Recording, which is above: it writes its page by this."""

    @property
    def recorded_to(self) -> int | None: ...
    @property
    def chapters(self) -> tuple[Chapter, ...]: ...
    def frame_at(self, iteration: int) -> Frame | None: ...
    def state_at(self, iteration: int) -> State | None: ...
    def pins_at(self, iteration: int) -> np.ndarray: ...
    def turned_at(self, iteration: int) -> Mapping[str, float]: ...


def standing_of(worker: Worker) -> Standing:
    """Return where the run of a worker stands; a ValueError where it has no map yet."""
    with worker.changed:
        control = worker.control
        state = control.state
        if state is None:
            raise ValueError("live=True needs a run with a map, and this one has none yet; play or step first")
        begun, model = control.past.segment_at(state.iteration)
        done = state.iteration - begun
        limit = control.limit if model is control.model else max(max_iter_of(model), done)
        plays = control.status in BUSY and control.at_end == "finished"
        turned, chapters = worker.maker.knobs.turned(), list(control.past.segments)
        return Standing(model, control.origin[0], state, turned, chapters, done, limit, plays)


def standing_in(recording: Recorded) -> Standing:
    """Return where a recorded run stands at its end; a ValueError where the recording does not know its models."""
    end = recording.recorded_to
    frame = None if end is None else recording.frame_at(end)
    if end is None or frame is None:
        raise ValueError(
            "recording must hold something to go on from, and nothing is recorded yet; play or step the run"
        )
    chapters = [(chapter.iteration, _estimator_of(chapter)) for chapter in recording.chapters]
    state = recording.state_at(end)
    if state is None or state.iteration != frame.iteration:
        state = state_of(frame, state, recording.pins_at(frame.iteration))
    begun, model = next(chapter for chapter in reversed(chapters) if chapter[0] <= state.iteration)
    done = state.iteration - begun
    limit = max(max_iter_of(model), done)
    return Standing(model, chapters[0][1], state, recording.turned_at(end), chapters, done, limit, False)


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
    limit = max(max_iter_of(model), state.iteration)
    return P, Standing(model, model, state, {}, [(0, model)], state.iteration, limit, False)


def _estimator_of(chapter: Chapter) -> Any:
    """Return the model of a chapter, from a file made again; a ValueError where that does not hold all of it."""
    if chapter.estimator is not None:
        return chapter.estimator
    name = chapter.model
    kind = family.class_of(name) if name in MODELS else None
    lacking = [] if kind is None else sorted(set(kind._get_param_names()) - set(chapter.parameters))
    if kind is None or lacking:
        told = f"its {', '.join(lacking)}" if lacking else f"how {name} is made"
        raise ValueError(
            f"live=True needs the models of the recording, and its file does not hold {told}; write the page from "
            "the run or the player, or leave live out"
        )
    return kind(**chapter.parameters)
