"""Where a recorded run stands at its end."""

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from notebook_sne.browser.pages.run_state import Standing
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.runs.protocols import max_iter_of
from notebook_sne.engine.runs.recording.frames import Frame, state_of
from notebook_sne.engine.runs.recording.history import Chapter
from notebook_sne.models import MODELS, family

__all__ = ["standing_in"]


class Recorded(Protocol):
    """The interface of a Recording, which is above: it writes its page by this."""

    @property
    def recorded_to(self) -> int | None: ...
    @property
    def chapters(self) -> tuple[Chapter, ...]: ...
    def frame_at(self, iteration: int) -> Frame | None: ...
    def state_at(self, iteration: int) -> State | None: ...
    def pins_at(self, iteration: int) -> np.ndarray: ...
    def turned_at(self, iteration: int) -> Mapping[str, float]: ...


def standing_in(recording: Recorded) -> Standing:
    """Return where a recorded run stands at its end; a ValueError where the recording doesn't know its models."""
    end = recording.recorded_to
    frame = None if end is None else recording.frame_at(end)
    if end is None or frame is None:
        raise ValueError(
            "recording must hold something to go on from, but nothing is recorded yet; play or step the run"
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
