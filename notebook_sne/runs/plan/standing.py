"""Where a run stands: one in this process, or one that was recorded."""

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

__all__ = ["Standing", "standing_in", "standing_of"]


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
