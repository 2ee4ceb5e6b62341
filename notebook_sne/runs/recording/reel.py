"""A reel: moments of a run in a bounded number of bytes, as even in iteration as they were shot.

A reel keeps a moment when `stride` iterations have gone by since the last one that it kept for this reason. When it
is full, the stride doubles and every second moment goes. The first moment stays, and so do the special ones that a
caller names, as long as they take no more than a quarter of the reel.
"""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

__all__ = ["Frame", "Reel", "frame_of", "size_of"]

_OBJECT_BYTES = 1000  # of a frame or a state without its arrays: numbers, knobs, the object itself
_FULL = 0.75  # a reel is thinned to this share or less, so that it is not thinned again at once
_SPECIAL = 0.25


@dataclass(frozen=True, eq=False, slots=True)
class Frame:
    """One picture of a film: what was to be seen at one iteration.

    Attributes
    ----------
    iteration : int
        Number of updates since the run began.
    phase : str
        The schedule's phase.
    cost, objective : float
        In nats, at the positions that the run had in double precision.
    knobs : mapping of str to float
        Every knob as it stood.
    turned : tuple of str
        Which of them a hand held.
    model : str
        Class name of the model.
    Y : ndarray of float32, shape (M, N, d)
        Map points, read-only.
    mixing : ndarray of float32, shape (M, N), or None
        Mixing proportions, read-only.
    """

    iteration: int
    phase: str
    cost: float
    objective: float
    knobs: Mapping[str, float]
    turned: tuple
    model: str
    Y: np.ndarray
    mixing: np.ndarray | None


def frame_of(state, turned):
    """Return the Frame of a state; a ValueError where single precision cannot hold its positions."""
    with np.errstate(over="ignore"):
        Y, mixing = state.Y.astype(np.float32), state.mixing
    if not np.isfinite(Y).all():
        raise ValueError(
            f"positions must be finite in single precision, but at iteration {state.iteration} they are not; "
            "lower the learning rate"
        )
    Y.flags.writeable = False
    if mixing is not None:
        mixing = mixing.astype(np.float32)
        mixing.flags.writeable = False
    return Frame(state.iteration, state.phase, state.cost, state.objective, state.knobs, turned, state.model, Y, mixing)


def size_of(moment):
    """Return the bytes that a Frame or a State holds; a buffer that several of its arrays show counts once."""
    buffers: dict[int, int] = {}
    _measure((moment.Y, moment.mixing, getattr(moment, "memory", None)), buffers)
    return _OBJECT_BYTES + sum(buffers.values())


def _measure(value, buffers):
    if isinstance(value, np.ndarray):
        while isinstance(value.base, np.ndarray):
            value = value.base
        buffers[id(value)] = value.nbytes
    elif isinstance(value, Mapping):
        for item in value.values():
            _measure(item, buffers)
    elif isinstance(value, tuple):
        for item in value:
            _measure(item, buffers)


class Reel:
    """Moments in order of iteration; not thread-safe by itself.

    Parameters
    ----------
    limit : int
        Most bytes, with room for one moment more than is kept: the newest, which its owner holds.
    most : int
        Most moments, likewise.
    stride : int
        Least iterations between two moments at the beginning.

    Attributes
    ----------
    iterations, items : list
        What is kept.
    stride : int
        Least iterations between two moments now.
    n_bytes : int
        What the items hold.
    """

    def __init__(self, limit, most, stride=1):
        self.limit, self.most, self.stride = limit, most, stride
        self.iterations: list[int] = []
        self.items: list = []
        self.n_bytes = 0
        self._sizes: list[int] = []
        self._first_stride = stride
        self._regular: int | None = None  # the iteration from which the stride counts

    def due(self, iteration):
        """Tell whether a moment at this iteration should be kept: the stride is over, or it takes another's place."""
        if self._regular is None or iteration - self._regular >= self.stride:
            return True
        return self.iterations[-1] == iteration

    def keep(self, item, special):
        """Keep an item that is newer than all others, or as new as the last and then in its place.

        `special` is a function that returns the iterations whose moments should stay; it is called when the reel is
        full.
        """
        iteration, size = item.iteration, size_of(item)
        if self.iterations and self.iterations[-1] == iteration:
            self.n_bytes -= self._sizes[-1]
            self.items[-1], self._sizes[-1] = item, size
        else:
            if self.due(iteration):
                self._regular = iteration
            self.iterations.append(iteration)
            self.items.append(item)
            self._sizes.append(size)
        self.n_bytes += size
        if len(self.items) > self.most - 1 or self.n_bytes > self.limit - size:
            self._thin(special(), size)

    def fill(self, items, stride):
        """Hold these items, however many, and go on at about this stride."""
        self.items, self.iterations = list(items), [item.iteration for item in items]
        self._sizes = [size_of(item) for item in items]
        self.n_bytes = sum(self._sizes)
        self.most = max(self.most, len(self.items) + 1)
        self.limit = max(self.limit, self.n_bytes + max(self._sizes, default=0))
        self.settle(stride)

    def at(self, iteration):
        """Return the index of the latest moment at or before an iteration; -1 if there is none."""
        return bisect_right(self.iterations, iteration) - 1

    def truncate(self, iteration):
        """Drop what lies after an iteration. Where that leaves much room, the stride becomes smaller again."""
        end = self.at(iteration) + 1
        del self.iterations[end:], self.items[end:], self._sizes[end:]
        self.n_bytes = sum(self._sizes)
        self.settle(self.stride)

    def settle(self, stride):
        """Go on with a stride that is at most the one given, and as fine as half the reel allows for what is kept."""
        if not self.items:
            self.stride, self._regular = self._first_stride, None
            return
        half = max(1, min(self.most - 1, self.limit // max(self._sizes) - 1) // 2)
        span = self.iterations[-1] - self.iterations[0]
        self.stride = stride
        while self.stride >= 2 * self._first_stride and span // (self.stride // 2) <= half:
            self.stride //= 2
        self._regular = self.iterations[self._regulars()[-1]]

    def _regulars(self):
        """Return the indices of the moments that are at least a stride apart, the first among them."""
        found, last = [], None
        for i, iteration in enumerate(self.iterations):
            if last is None or iteration - last >= self.stride:
                found.append(i)
                last = iteration
        return found

    def _thin(self, special, newest):
        n_bytes, n_items = _FULL * (self.limit - newest), max(1, int(_FULL * (self.most - 1)))
        mean = self.n_bytes / len(self.items)
        room = int(_SPECIAL * min(self.most - 1, (self.limit - newest) / mean))
        present = set(self.iterations)
        stay = set(_spread([at for at in dict.fromkeys(special) if at in present], room))
        span = self.iterations[-1] - self.iterations[0]
        regulars = self._regulars()
        # Of a run that is shown every tenth iteration only, every second moment is twenty after the last.
        gaps = np.diff([self.iterations[i] for i in regulars])
        self.stride = max(self.stride, int(gaps.min(initial=span + 1)))
        while True:
            chosen = sorted({*regulars, *(i for i, iteration in enumerate(self.iterations) if iteration in stay)})
            few = len(chosen) <= n_items and sum(self._sizes[i] for i in chosen) <= n_bytes
            if few or self.stride > span:
                break
            self.stride *= 2
            regulars = self._regulars()
        self._regular = self.iterations[regulars[-1]]
        for name in ("iterations", "items", "_sizes"):
            values = getattr(self, name)
            setattr(self, name, [values[i] for i in chosen])
        self.n_bytes = sum(self._sizes)


def _spread(values, n):
    """Return at most n of the values, spread evenly over their order."""
    if len(values) <= n:
        return values
    return [values[int(i)] for i in np.linspace(0, len(values) - 1, n)] if n > 0 else []
