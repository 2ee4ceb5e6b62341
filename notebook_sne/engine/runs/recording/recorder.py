"""The side of a recording that a run writes to, one state after the other, and how that is kept within bounds.

`Recording` adds what there is to see, and files. Most states aren't kept: the newest lies beside those that are
until the next one comes, so that a state which isn't due costs a few comparisons.
"""

import math
import threading
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Self

import numpy as np

from notebook_sne.engine.checks.arguments import check_count, check_number
from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.fitting.state import NO_PINS, State
from notebook_sne.engine.machine.process import free_in_children
from notebook_sne.engine.objects.labels import read_labels
from notebook_sne.engine.objects.region_pairs import with_pairs
from notebook_sne.engine.runs.recording.facts import FACTS, check_facts
from notebook_sne.engine.runs.recording.file import Contents
from notebook_sne.engine.runs.recording.frames import Frame, frame_of
from notebook_sne.engine.runs.recording.history import NOTHING, History
from notebook_sne.engine.runs.recording.marks import Marks, copies_text, phase_text, pins_text, turn_text
from notebook_sne.engine.runs.recording.series import BoundedSeries
from notebook_sne.models import WITHOUT_UNIT, label_of

__all__ = ["Recorder"]

_STATE_STRIDE = 10


class Recorder:
    """The side of a `Recording` that a run writes to; not used by itself."""

    without_unit = WITHOUT_UNIT
    """Class names of the methods whose cost is no divergence, and so is not in nats."""

    labels: Any
    values: Any
    names: Any
    images: Any
    neighbors: Any
    title: Any
    columns: Any
    importance: Any
    certainty: Any
    label_colors: Any

    def __init__(
        self, *, limit: float = 64e6, most_frames: int = 1024, states_limit: float = 128e6, most_states: int = 128
    ) -> None:
        for name, value in (("limit", limit), ("states_limit", states_limit)):
            check_number(name, value, 0, closed=False)
        self._lock = free_in_children(threading.RLock())
        self._frames: BoundedSeries[Frame] = BoundedSeries(limit, check_count("most_frames", most_frames, 2))
        most = check_count("most_states", most_states, 2)
        self._states: BoundedSeries[State] = BoundedSeries(states_limit, most, _STATE_STRIDE)
        self._marks, self._history = Marks(), History()
        self._n_objects: int | None = None
        for name in FACTS:
            setattr(self, name, None)
        self._reset()

    def _reset(self) -> None:
        self._end: int | None = None  # how far the record goes
        self._newest: State | None = None  # the state at the end
        self._newest_frame: Frame | None = None  # of that state, once somebody asked for it
        self._held: Mapping[str, float] = NOTHING
        self._phase = ""
        self._pins = NO_PINS

    def add(
        self,
        state: State,
        *,
        model: Any = None,
        moved: int | Sequence[int] | np.ndarray | None = None,
        turned: Mapping[str, float] | Collection[str] = (),
    ) -> None:
        """Record the next state of a run. Where no frame is due, this takes microseconds.

        A state with the same iteration as the last one takes its place, as after a switch of models or a move by
        hand. One with a lower iteration cuts the recording there first: a run went back or began again.

        Parameters
        ----------
        state : State
            What the run yielded.
        model : estimator, optional
            The model at work; another object than before begins a new chapter.
        moved : int or sequence, optional
            How many objects, or which, a hand moved just before this state.
        turned : mapping of str to float, or collection of str
            The knobs that were held when this state was made: best as read by that very update. With names alone, the
            values are those in the state. Not read at the start of a generator, which no update has made.

        Raises
        ------
        ValueError
            If the state has another number of objects, or isn't finite.
        """
        with self._lock:
            self._check(state)
            at = state.iteration
            if self._end is not None and at < self._end:
                self.truncate(at)
            first = self._end is None
            held = self._held if first or at == self._end else _held(state, turned)
            marked = broken = False
            if first:
                self._history.work(state, model)
                self._marks.add(at, "start", f"start with {label_of(state.model)}")
                marked = broken = True
            elif self._history.work(state, model):
                self._marks.add(at, "model", label_of(state.model))
                marked = broken = True
            elif state.phase != self._phase:
                self._marks.add(at, "phase", phase_text(self._phase, state))
                marked = True
            if len(state.copies):
                self._marks.add(at, "copies", copies_text(state.copies, self.names))
                marked = True
            if moved is not None:
                n = moved if isinstance(moved, int | np.integer) else len(moved)
                self._marks.add(at, "moved", f"moved {n} object{'' if n == 1 else 's'}")
                marked = broken = True
            if state.pins is not self._pins and not np.array_equal(state.pins, self._pins):
                self._marks.add(at, "pinned", pins_text(state.pins, self.names))
                self._history.hold(at, state.pins)
                marked = broken = True
            self._pins = state.pins
            if held != self._held:
                names, text = turn_text(*({k: v for k, v in m.items() if k in state.knobs} for m in (self._held, held)))
                if names:
                    self._marks.add(at, "knob", text, names)
                    marked = True
                self._history.turn(at, held)
                self._held = dict(held)
            if broken:
                self._history.break_off(at)
            self._phase, self._end, self._newest, self._newest_frame = state.phase, at, state, None
            if marked or self._frames.due(at):
                self._newest_frame = self._frame_of(state)
                self._frames.keep(self._newest_frame, self._marked)
            if broken or self._states.due(at):
                self._states.keep(state, lambda: self._history.breaks)

    def _check(self, state: State) -> None:
        n_objects = state.Y.shape[1]
        if n_objects != self._n_objects:
            if self._n_objects is not None:
                raise ValueError(
                    f"state must have the {self._n_objects} objects of this recording, got {n_objects}; "
                    "begin a new Recording for other data"
                )
            self._n_objects = n_objects
        if not (math.isfinite(state.cost) and math.isfinite(state.objective)):
            raise ValueError(f"state must have a finite cost and objective, got {state.cost} and {state.objective}")

    def _frame_of(self, state: State) -> Frame:
        held = self._history.turned_at(state.iteration)
        return frame_of(state, tuple(sorted(name for name in held if name in state.knobs)))

    def _marked(self) -> list[int]:
        return [mark.iteration for mark in self._marks.all()]

    def truncate(self, iteration: int) -> None:
        """Cut off what lies after an iteration, as when a run goes on from an earlier state."""
        with self._lock:
            if self._end is None or iteration >= self._end:
                return
            for part in (self._frames, self._states, self._marks, self._history):
                part.truncate(iteration)
            self._reset()
            if self._frames.items:
                self._end, self._held = iteration, self._history.turned_at(iteration)
                self._pins = self._history.pins_at(iteration)
                last = self._states.items[-1]
                if last.iteration > self._frames.iterations[-1]:  # states may be the denser ones: show the last
                    self._frames.keep(self._frame_of(last), self._marked)
                self._phase = self._frames.items[-1].phase

    def describe(
        self,
        *,
        labels: Any = None,
        values: Any = None,
        names: Sequence[str] | None = None,
        images: Any = None,
        neighbors: Any = None,
        title: str | None = None,
        columns: Any = None,
        importance: Any = None,
        certainty: Any = None,
        label_colors: Any = None,
    ) -> Self:
        """Say what is known of the objects; what is left out stays as it was.

        Parameters
        ----------
        labels : array-like, shape (N,), optional
            Classes, or floats for a continuous color scale. Some may be missing (None, NaN, masked): kept as None, or
            as NaN among floats.
        values : array-like, shape (N,), optional
            Numbers for a continuous color scale, where labels are classes.
        names : sequence of str, optional
            A name for each object; an empty text is kept where one is missing.
        images : array-like, shape (N, height, width) or (N, height, width, 3), optional
            Gray images, kept as 8-bit gray, black and white being the extremes of all of them; or images in color, red,
            green and blue from 0 to 255 or as floats from 0 to 1, kept as 8 bits each.
        neighbors : array-like of int, shape (N, K), optional
            The K nearest objects in the data, nearest first, without the object itself.
        title : str, optional
            A heading.
        columns : DataFrame or mapping, optional
            What else is known of each object: numbers, dates, truth values or texts, at most 64 columns.
        importance : str or array-like, shape (N,), optional
            Which names are written first: a number for each object, NaN where there is none, or the name of a column
            of numbers or dates.
        certainty : Certainty, optional
            What `notebook_sne.certainty` returns of several fits, with the labels as regions; kept without its shares
            for single objects. Labels that are given without one leave out the one that was there.
        label_colors : mapping of classes to colors, or sequence, optional
            The colors of at most 50 classes, as for `watch`. Other labels have their own, or none.

        Returns
        -------
        self

        Raises
        ------
        ValueError, TypeError
            If one of them doesn't fit the objects; then none is taken.
        """
        given = dict(labels=labels, values=values, names=names, images=images, neighbors=neighbors, title=title)
        given |= {"columns": columns, "importance": importance, "certainty": certainty, "label_colors": label_colors}
        with self._lock:
            n_objects, kept = check_facts(self._n_objects, given, self.columns or (), self.labels)
            if certainty is not None:
                with_pairs(read_labels(kept.get("labels", self.labels), n_objects), kept["certainty"], n_objects)
            if labels is not None:
                self.certainty = self.label_colors = None  # which were those of the labels before
            self._n_objects = n_objects
            for name, value in kept.items():
                setattr(self, name, value)
        return self

    def fresh(self) -> Self:
        """Return an empty recording with the same limits and the same facts about the objects."""
        frames, states = self._frames, self._states
        made = type(self)(
            limit=frames.limit, most_frames=frames.most, states_limit=states.limit, most_states=states.most
        )
        with self._lock:
            facts = {name: getattr(self, name) for name in FACTS}
            for name, value in facts.items():
                setattr(made, name, value)  # checked when they were given
            if any(value is not None for value in facts.values()):
                made._n_objects = self._n_objects
        return made

    def _take(self, contents: Contents) -> None:
        self._n_objects = contents.n_objects
        for name, value in contents.facts.items():
            setattr(self, name, value)
        self._marks, self._history = Marks(contents.marks), contents.history
        self._frames.fill(contents.frames, contents.strides[0])
        self._states.fill(contents.states, contents.strides[1])
        last = contents.frames[-1]
        self._end, self._phase, self._held = contents.end, last.phase, self._history.turned_at(contents.end)
        self._pins = self._history.pins_at(contents.end)
        if contents.states and contents.states[-1].iteration == contents.end:
            self._newest, self._newest_frame = contents.states[-1], last


def _held(state: State, turned: Mapping[str, float] | Collection[str]) -> Mapping[str, float]:
    """Return the held knobs as a mapping, from one or from their names."""
    if not turned:
        return NOTHING
    if isinstance(turned, Mapping):
        return turned
    if isinstance(turned, str):
        raise TypeError(
            f"turned must be a mapping or a collection of names, got {show(turned)}; write ({show(turned)},)"
        )
    return {name: state.knobs[name] for name in turned if name in state.knobs}
