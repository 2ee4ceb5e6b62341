"""A recording: the film of a run, bounded in memory, from which the run can go on at any of its moments.

It holds float32 frames to look at and, more sparsely, full states to continue from; what was turned, moved and
switched, and when; and what is known of the objects. Between a full state and a wanted moment the run is computed
again, bit for bit: `turned_at` says what a hand held at each update, and `model_at` which model was at work.
"""

import math
from dataclasses import replace

import numpy as np

from notebook_sne.checks import check_number
from notebook_sne.fitting.state import State
from notebook_sne.models import label_of
from notebook_sne.runs.recording.facts import FACTS
from notebook_sne.runs.recording.history import History
from notebook_sne.runs.recording.marks import Marks
from notebook_sne.runs.recording.tape import Tape

__all__ = ["Recording"]


class Recording(Tape):
    """A film of a run, with what is needed to go on from any of its moments.

    Threads may add and read at the same time. What has been read never changes.

    Parameters
    ----------
    limit : float, default=64e6
        Most bytes of frames.
    most_frames : int, default=1024
        Most frames, at least 2.
    states_limit : float, default=128e6
        Most bytes of full states: float64 positions with the optimizer's memory, some ten times a frame.
    most_states : int, default=128
        Most full states, at least 2. They are ten iterations apart or more; there is one besides wherever something
        was moved or switched.

    Attributes
    ----------
    labels, values, names, images, neighbors, title
        What `describe` was told of the objects; None without it.

    Notes
    -----
    When frames or bytes are too many, every second frame goes and from then on frames are twice as far apart: a long
    film is as even as a short one. The first and the newest frame stay, and so do those at marks, as long as they take
    no more than a quarter of the film. Full states are thinned in the same way; those that did not come by an update
    stay.

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

    def __len__(self):
        with self._lock:
            return len(self._frames.items) + self._newest_is_extra(self._frames)

    def _newest_is_extra(self, reel):
        return self._newest is not None and (not reel.iterations or reel.iterations[-1] != self._newest.iteration)

    @property
    def frames(self):
        """The film, a tuple of Frame in rising order of iteration; the newest state is always its last frame."""
        with self._lock:
            frames = tuple(self._frames.items)
            if self._newest_is_extra(self._frames):
                frames = (*frames, self._last_frame())
        return frames

    def _last_frame(self):
        if self._newest_frame is None:
            self._newest_frame = self._frame()
        return self._newest_frame

    @property
    def iterations(self):
        """The iterations of `frames`, an ndarray of int64."""
        with self._lock:
            extra = [self._newest.iteration] if self._newest_is_extra(self._frames) else []
            return np.array([*self._frames.iterations, *extra], dtype=np.int64)

    @property
    def states(self):
        """The full states, a tuple of State in rising order of iteration; the newest is among them."""
        with self._lock:
            extra = (self._newest,) if self._newest_is_extra(self._states) else ()
            return (*self._states.items, *extra)

    @property
    def marks(self):
        """What happened, a tuple of Mark in rising order of iteration; the same tuple until something happens."""
        with self._lock:
            return self._marks.all()

    @property
    def chapters(self):
        """Which model was at work from when on, a tuple of Chapter."""
        with self._lock:
            return tuple(self._history.chapters)

    @property
    def turns(self):
        """Which knobs were held at which values from when on, a tuple of (int, mapping)."""
        with self._lock:
            return tuple(self._history.turns)

    @property
    def n_objects(self):
        """int: N, the number of objects; None before anything is known."""
        return self._n_objects

    @property
    def recorded_to(self):
        """int: the iteration up to which the record goes; None where nothing is recorded."""
        return self._end

    def frame_at(self, iteration):
        """Return the latest frame at or before an iteration, or else the first one; None where there is none."""
        with self._lock:
            if self._newest is not None and iteration >= self._newest.iteration:
                return self._last_frame()
            frames = self._frames.items
            return frames[max(0, self._frames.at(iteration))] if frames else None

    def state_at(self, iteration):
        """Return the latest full state at or before an iteration; None where there is none."""
        with self._lock:
            if self._newest is not None and iteration >= self._newest.iteration:
                return self._newest
            k = self._states.at(iteration)
            return self._states.items[k] if k >= 0 else None

    def turned_at(self, iteration):
        """Return the knobs that were held when the state of an iteration was made, as a mapping to their values.

        To compute a moment again, go on from ``state_at(iteration)`` with ``model_at(iteration)``; before the update to
        each iteration t, hold exactly ``turned_at(t)``.
        """
        with self._lock:
            return self._history.turned_at(iteration)

    def model_at(self, iteration):
        """Return the estimator that was at work at an iteration; None where it is not known, as after loading."""
        with self._lock:
            chapter = self._history.chapter_at(iteration)
            return None if chapter is None else chapter.estimator

    def reaches(self, iteration):
        """Tell whether the moment of an iteration can be computed again from ``state_at(iteration)``, bit for bit.

        It cannot where the full state after a move or a switch had to go, or the record ends before.
        """
        with self._lock:
            state = self.state_at(iteration)
            if state is None or iteration > self._end:
                return False
            return self._history.leads(state.iteration, iteration)

    def __repr__(self):
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

    def start_for(self, iteration):
        """Return the State from which the moment of an iteration is made again, with ``turned_at`` for each update.

        A full state, where one leads there bit for bit. Where none does, as after more moves by hand than there was
        room for, a state with the positions of the nearest earlier frame and no memory.
        """
        with self._lock:
            if self.reaches(iteration):
                return self.state_at(iteration)
            frame, known = self.frame_at(iteration), self.state_at(iteration)
        Y = frame.Y.astype(np.float64)
        mixing = None if frame.mixing is None else frame.mixing.astype(np.float64)
        if known is not None and known.model == frame.model and known.Y.shape == Y.shape:
            # Its schedules and its seed go on; no objective belongs to these positions, so the best place is forgotten.
            return replace(
                known, iteration=frame.iteration, phase=frame.phase, cost=frame.cost, objective=math.nan, Y=Y,
                mixing=mixing, gradient_norm=math.nan, knobs=frame.knobs, memory={**known.memory, "weights": None},
            )  # fmt: skip
        return State(
            frame.iteration, frame.phase, frame.cost, frame.objective, Y, mixing, math.nan, frame.knobs, "", {}
        )

    def fresh(self):
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

    # ---- files ----

    def save(self, path):
        """Write the recording into one file, whole or not at all. A run may go on meanwhile.

        Parameters
        ----------
        path : str or Path
            The file, ending in ``.npz``; one that is there already is replaced, and passes on its mode.

        Returns
        -------
        path : Path
            The file.

        Raises
        ------
        ValueError
            If nothing is recorded, or the path has another ending.
        TypeError
            If the memory of a state holds what the file format does not know.
        OSError
            If the file is read-only or cannot be written; one that was there is then as it was.
        """
        from notebook_sne.runs.recording import file

        with self._lock:
            contents = file.Contents(
                n_objects=self._n_objects or 0,
                end=self._end or 0,
                frames=self.frames,
                states=self.states,
                marks=self.marks,
                history=History(
                    self._history.turns, self._history.chapters, self._history.breaks, self._history.known_from
                ),
                strides=(self._frames.stride, self._states.stride),
                facts={name: getattr(self, name) for name in FACTS},
            )
        return file.save(contents, path)

    @classmethod
    def load(cls, path, *, limit=1e9):
        """Read a recording from a file. The file may come from anybody: nothing in it is ever run.

        Parameters
        ----------
        path : str or Path
            A file that `save` wrote.
        limit : float, default=1e9
            Most bytes that the contents may take; a file that declares more is refused before it is read.

        Returns
        -------
        recording : Recording

        Raises
        ------
        ValueError
            If the file is no recording, damaged, of a newer version, too large, or does not make sense; the
            message says which.
        OSError
            If there is no such file, or it cannot be read.
        """
        from notebook_sne.runs.recording import reader

        contents = reader.load(path, check_number("limit", limit, 0, closed=False))
        recording = cls()
        recording._take(contents)
        return recording

    def _take(self, contents):
        self._n_objects = contents.n_objects
        for name, value in contents.facts.items():
            setattr(self, name, value)
        self._marks, self._history = Marks(contents.marks), contents.history
        for reel, items, stride in zip(
            (self._frames, self._states), (contents.frames, contents.states), contents.strides, strict=True
        ):
            reel.fill(items, stride)
        last = contents.frames[-1]
        self._end, self._phase, self._held = contents.end, last.phase, self._history.turned_at(contents.end)
        if contents.states and contents.states[-1].iteration == contents.end:
            self._newest, self._newest_frame = contents.states[-1], last

    def to_html(self, path, *, frames=100, labels=None, values=None, names=None, images=None, title=None):
        """Write a page that plays the film in any browser, with no kernel and no network.

        Parameters
        ----------
        path : str or Path
            The file.
        frames : int, default=100
            Most frames in the page.
        labels, values, names, images, title : optional
            As for `describe`; what is left out is taken from there.

        Returns
        -------
        path : Path
            The file.
        """
        from notebook_sne.frontend.film_page import write_film

        return write_film(
            self, path, frames=frames, labels=labels, values=values, names=names, images=images, title=title
        )
