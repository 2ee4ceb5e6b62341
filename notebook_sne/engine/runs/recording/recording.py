"""A recording: the record of a run, with bounded memory, from which the run can continue at any of its iterations.

It holds float32 frames to look at and, more sparsely, full states to continue from; when knobs, objects and models were
changed; and facts about the objects. From a full state to the wanted one, the run is computed again, bit for bit:
`turned_at` says which knobs were held at each update, and `model_at` which model was at work.

Longer than 300 lines because each of its readings is described where a reader looks for it.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np

from notebook_sne.engine.checks.arguments import check_number
from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.machine.lazy import from_above
from notebook_sne.engine.runs.recording.facts import FACTS
from notebook_sne.engine.runs.recording.file import Contents, load, save
from notebook_sne.engine.runs.recording.frames import Frame, state_of
from notebook_sne.engine.runs.recording.history import Chapter
from notebook_sne.engine.runs.recording.marks import Mark
from notebook_sne.engine.runs.recording.recorder import Recorder
from notebook_sne.engine.runs.recording.series import BoundedSeries
from notebook_sne.models import label_of

__all__ = ["Recording"]


class Recording(Recorder):
    """The record of a run: frames to look at, and states to continue from any iteration.

    Threads can add and read at the same time. A value that was read never changes.

    Parameters
    ----------
    limit : float, default=64e6
        Largest number of bytes of frames.
    most_frames : int, default=1024
        Largest number of frames, at least 2.
    states_limit : float, default=128e6
        Largest number of bytes of full states: float64 positions with the optimizer's memory, about ten times a frame.
    most_states : int, default=128
        Largest number of full states, at least 2. They are ten iterations apart or more; there is another one wherever
        objects were moved or models switched.

    Attributes
    ----------
    labels, values, names, images, neighbors, title, columns, importance, certainty, label_colors
        The facts about the objects that `describe` was given; None without it.

    Notes
    -----
    When there are too many frames or bytes, every second frame is dropped, and from then on frames are twice as far
    apart: a long run is kept as evenly as a short one. The first and the newest frame stay, and so do those at marks,
    as long as they take at most a quarter of the limit. Full states are thinned in the same way; those that didn't
    come from an update stay.

    See Also
    --------
    notebook_sne.replay
        Show one in a notebook.
    notebook_sne.Run
        Makes one by itself, ``run.recording``.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> from itertools import islice
    >>> circle = ns.datasets.load_circle(50)
    >>> recording = ns.Recording()
    >>> for state in islice(ns.SNE(perplexity=5, random_state=0).iterate(circle.X), 101):
    ...     recording.add(state)
    >>> recording.recorded_to, recording.frame_at(40).Y.shape
    (100, (1, 50, 2))
    """

    def __len__(self) -> int:
        with self._lock:
            return len(self._frames.items) + len(self._extra(self._frames))

    def _extra(self, series: BoundedSeries[Any]) -> tuple[State, ...]:
        """Return the newest state where it is not in a series: it is shown all the same."""
        newest = self._newest
        return () if newest is None or newest.iteration in series.iterations[-1:] else (newest,)

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The frames, a tuple of Frame in rising order of iteration; the newest state is always the last of them."""
        with self._lock:
            return (*self._frames.items, *map(self._last_frame, self._extra(self._frames)))

    def _last_frame(self, newest: State) -> Frame:
        if self._newest_frame is None:
            self._newest_frame = self._frame_of(newest)
        return self._newest_frame

    @property
    def iterations(self) -> np.ndarray:
        """The iterations of `frames`, an ndarray of int64."""
        with self._lock:
            extra = [state.iteration for state in self._extra(self._frames)]
            return np.array([*self._frames.iterations, *extra], dtype=np.int64)

    @property
    def states(self) -> tuple[State, ...]:
        """The full states, a tuple of State in rising order of iteration; the newest is among them."""
        with self._lock:
            return (*self._states.items, *self._extra(self._states))

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The events so far, a tuple of Mark in rising order of iteration; the same tuple until something happens."""
        with self._lock:
            return self._marks.all()

    @property
    def chapters(self) -> tuple[Chapter, ...]:
        """The models at work and their first iterations, a tuple of Chapter."""
        with self._lock:
            return tuple(self._history.chapters)

    @property
    def turns(self) -> tuple[tuple[int, Mapping[str, float]], ...]:
        """The values of held knobs and their first iterations, a tuple of (int, mapping)."""
        with self._lock:
            return tuple(self._history.turns)

    @property
    def n_objects(self) -> int | None:
        """int: N, the number of objects; None before anything is known."""
        return self._n_objects

    @property
    def recorded_to(self) -> int | None:
        """int: the last recorded iteration; None if nothing is recorded."""
        return self._end

    def frame_at(self, iteration: int) -> Frame | None:
        """Return the latest frame at or before an iteration, or else the first one; None if there is none."""
        with self._lock:
            if self._newest is not None and iteration >= self._newest.iteration:
                return self._last_frame(self._newest)
            frames = self._frames.items
            return frames[max(0, self._frames.at(iteration))] if frames else None

    def state_at(self, iteration: int) -> State | None:
        """Return the latest full state at or before an iteration; None if there is none."""
        with self._lock:
            if self._newest is not None and iteration >= self._newest.iteration:
                return self._newest
            k = self._states.at(iteration)
            return self._states.items[k] if k >= 0 else None

    def turned_at(self, iteration: int) -> Mapping[str, float]:
        """Return the knobs that were held when the state of an iteration was made, as a mapping to their values.

        To compute a state again, continue from ``state_at(iteration)`` with ``model_at(iteration)``; before the update
        to each iteration t, hold exactly ``turned_at(t)``.
        """
        with self._lock:
            return self._history.turned_at(iteration)

    def pins_at(self, iteration: int) -> np.ndarray:
        """Return the points that were held at an iteration, shape (K, 2): object and map, in rising order."""
        with self._lock:
            return self._history.pins_at(iteration)

    def model_at(self, iteration: int) -> Any:
        """Return the estimator that was at work at an iteration; None if it is unknown, as after loading."""
        with self._lock:
            chapter = self._history.chapter_at(iteration)
            return None if chapter is None else chapter.estimator

    def reaches(self, iteration: int) -> bool:
        """Tell whether the state of an iteration can be computed again from ``state_at(iteration)``, bit for bit.

        It can't if the full state after a move or a switch was dropped, or the record ends before.
        """
        with self._lock:
            state = self.state_at(iteration)
            if state is None or self._end is None or iteration > self._end:
                return False
            return self._history.leads(state.iteration, iteration)

    def __repr__(self) -> str:
        with self._lock:
            if self._end is None:
                return "<Recording: nothing yet>"
            first = self._frames.iterations[0]
            n_bytes = self._frames.n_bytes + self._states.n_bytes
            model = " → ".join(dict.fromkeys(label_of(chapter.model) for chapter in self._history.chapters))
            return (
                f"<Recording of {model}: {self._n_objects} objects, iterations {first} to {self._end}, "
                f"{len(self)} frames, {len(self.states)} states, {len(self.marks)} marks, {n_bytes / 1e6:.1f} MB>"
            )

    def _repr_html_(self) -> str:
        return from_above("browser.widgets.repr_html", "html_of_recording")(self)

    def start_for(self, iteration: int) -> State | None:
        """Return the State from which the state of an iteration is computed again, with ``turned_at`` for each update.

        It is a full state if one leads there bit for bit. Otherwise, as after more moves by hand than there was room
        for, it is a state with the positions of the nearest earlier frame and no memory. It is None if nothing is
        recorded.
        """
        with self._lock:
            if self.reaches(iteration):
                return self.state_at(iteration)
            frame, known = self.frame_at(iteration), self.state_at(iteration)
            pins = None if frame is None else self._history.pins_at(frame.iteration)
        return None if frame is None else state_of(frame, known, pins)

    # ---- files ----

    def save(self, path: str | Path) -> Path:
        """Write the recording into one file, whole or not at all. A run can go on in the meantime.

        Parameters
        ----------
        path : str or Path
            The file, ending in ``.npz``; it replaces an existing file and keeps its mode.

        Returns
        -------
        path : Path
            The file.

        Raises
        ------
        ValueError
            If nothing is recorded, or the path has another ending.
        TypeError
            If the memory of a state holds something that the file format doesn't know.
        OSError
            If the file is read-only or can't be written; an existing file then doesn't change.
        """
        with self._lock:
            contents = Contents(
                n_objects=self._n_objects or 0,
                end=self._end or 0,
                frames=self.frames,
                states=self.states,
                marks=self.marks,
                history=self._history.copy(),
                strides=(self._frames.stride, self._states.stride),
                facts={name: getattr(self, name) for name in FACTS},
            )
        return save(contents, path)

    @classmethod
    def load(cls, path: str | Path, *, limit: float = 1e9) -> Self:
        """Read a recording from a file. The file may come from anyone: nothing in it is ever run.

        Parameters
        ----------
        path : str or Path
            A file that `save` wrote.
        limit : float, default=1e9
            Largest number of bytes of the contents; a file that declares more is refused before it is read.

        Returns
        -------
        recording : Recording

        Raises
        ------
        ValueError
            If the file is no recording, is damaged, of a newer version, or too large, or contradicts itself; the
            message says which.
        OSError
            If there is no such file, or it can't be read.
        """
        recording = cls()
        recording._take(load(path, check_number("limit", limit, 0, closed=False)))
        return recording

    def to_html(
        self,
        path: str | Path,
        *,
        frames: int = 100,
        labels: Any = None,
        values: Any = None,
        names: Any = None,
        images: Any = None,
        title: str | None = None,
        columns: Any = None,
        importance: Any = None,
        certainty: Any = None,
        label_colors: Any = None,
        live: bool = False,
        X: Any = None,
        data: str | None = None,
    ) -> Path:
        """Write a page that plays the frames in any browser, with no kernel and no network.

        Parameters
        ----------
        path : str or Path
            The file.
        frames : int, default=100
            Largest number of frames in the page.
        labels, values, names, images, title, columns, importance, certainty, label_colors : optional
            As for `describe`; by default those given there.
        live : bool, default=False
            Whether the run goes on in the page, as in `Player.to_html`, from the end of the recording.
        X : array, optional
            The objects, as the models take them; only with `live`, which needs them.
        data : {"X", "P"}, optional
            With `live`: whether the page holds the objects or only P.

        Returns
        -------
        path : Path
            The file.

        Raises
        ------
        ValueError, TypeError
            If nothing is recorded, or if with `live` a page can't continue this run; the message says why.
        """
        from notebook_sne.browser.frontend.film_page import write_film

        place: Path = write_film(
            self, path, frames=frames, labels=labels, values=values, names=names, images=images, title=title,
            columns=columns, importance=importance, certainty=certainty, label_colors=label_colors,
            plan=self._plan(live, X, data),
        )  # fmt: skip
        return place

    def _plan(self, live: bool, X: Any, data: str | None) -> Any:
        """Return what a page needs to go on, or None where it does not."""
        if not isinstance(live, bool | np.bool_):
            raise TypeError(f"live must be True or False, got {show(live)}; False writes the film alone")
        if not live:
            given = next((name for name, value in {"X": X, "data": data}.items() if value is not None), None)
            if given is not None:
                raise ValueError(f"{given} must be left out without live=True: a page that plays a film holds no data")
            return None
        if X is None:
            raise ValueError("X must be given with live=True, as a recording does not hold the objects; write X=X")
        from notebook_sne.browser.pages.plan import plan_of
        from notebook_sne.engine.runs.recording.standing import standing_in

        return plan_of(X, standing_in(self), data)
