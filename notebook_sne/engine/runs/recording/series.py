"""Bounded series: frames or states of a run in a bounded number of bytes, evenly spaced in iteration.

A series keeps an item when `stride` iterations have gone by since the last one that it kept for this reason. When it
is full, the stride doubles and every second item goes. The first one stays, and so do the special ones that a caller
names, as long as they take no more than a quarter of the room.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import numpy as np

from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.runs.recording.frames import Frame

__all__ = ["BoundedSeries", "size_of"]

Item = TypeVar("Item", Frame, State)

_OBJECT_BYTES = 1000  # of a frame or a state without its arrays: numbers, knobs, the object itself
_FULL = 0.75  # a series is thinned to this share or less, so that it is not thinned again at once
_SPECIAL = 0.25


def size_of(item: Frame | State) -> int:
    """Return the bytes that a Frame or a State holds; a buffer that several of its arrays show counts once."""
    buffers: dict[int, int] = {}
    _measure((item.Y, item.mixing, getattr(item, "memory", None)), buffers)
    return _OBJECT_BYTES + sum(buffers.values())


def _measure(value: Any, buffers: dict[int, int]) -> None:
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


class BoundedSeries(Generic[Item]):
    """Frames or full states in order of iteration; not thread-safe by itself.

    It keeps at most `limit` bytes and `most` items, with room for one item more: the newest, which its owner holds.
    `stride` is the least number of iterations between two items, at the beginning and, as an attribute, now.
    """

    def __init__(self, limit: float, most: int, stride: int = 1) -> None:
        self.limit, self.most, self.stride = limit, most, stride
        self.iterations: list[int] = []
        self.items: list[Item] = []
        self.n_bytes = 0  # that the items hold
        self._sizes: list[int] = []
        self._first_stride = stride
        self._regular: int | None = None  # the iteration from which the stride counts

    def due(self, iteration: int) -> bool:
        """Tell whether an item of this iteration should be kept: the stride is over, or it takes another's place."""
        if self._regular is None or iteration - self._regular >= self.stride:
            return True
        return self.iterations[-1] == iteration

    def keep(self, item: Item, special: Callable[[], Sequence[int]]) -> None:
        """Keep an item that is newer than all others, or as new as the last and then in its place.

        `special` is a function that returns the iterations whose items should stay; it is called when the series is
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

    def fill(self, items: Iterable[Item], stride: int) -> None:
        """Hold these items, however many, and go on at about this stride."""
        self.items, self.iterations = list(items), [item.iteration for item in items]
        self._sizes = [size_of(item) for item in items]
        self.n_bytes = sum(self._sizes)
        self.most = max(self.most, len(self.items) + 1)
        self.limit = max(self.limit, self.n_bytes + max(self._sizes, default=0))
        self.settle(stride)

    def at(self, iteration: int) -> int:
        """Return the index of the latest item at or before an iteration; -1 if there is none."""
        return bisect_right(self.iterations, iteration) - 1

    def truncate(self, iteration: int) -> None:
        """Drop what lies after an iteration. Where that leaves much room, the stride becomes smaller again."""
        end = self.at(iteration) + 1
        del self.iterations[end:], self.items[end:], self._sizes[end:]
        self.n_bytes = sum(self._sizes)
        self.settle(self.stride)

    def settle(self, stride: int) -> None:
        """Go on with the finest stride, at most the one given, that leaves half of the buffer free."""
        if not self.items:
            self.stride, self._regular = self._first_stride, None
            return
        half = max(1, min(self.most - 1, self.limit // max(self._sizes) - 1) // 2)
        span = self.iterations[-1] - self.iterations[0]
        self.stride = stride
        while self.stride >= 2 * self._first_stride and span // (self.stride // 2) <= half:
            self.stride //= 2
        self._regular = self.iterations[self._regulars()[-1]]

    def _regulars(self) -> list[int]:
        """Return the indices of the items that are at least a stride apart, the first among them."""
        found: list[int] = []
        last = None
        for i, iteration in enumerate(self.iterations):
            if last is None or iteration - last >= self.stride:
                found.append(i)
                last = iteration
        return found

    def _thin(self, special: Iterable[int], newest: int) -> None:
        n_bytes, n_items = _FULL * (self.limit - newest), max(1, int(_FULL * (self.most - 1)))
        mean = self.n_bytes / len(self.items)
        room = int(_SPECIAL * min(self.most - 1, (self.limit - newest) / mean))
        present = set(self.iterations)
        stay: set[int] = set(_spread([at for at in dict.fromkeys(special) if at in present], room))
        span = self.iterations[-1] - self.iterations[0]
        regulars: list[int] = self._regulars()
        # Of a run that is shown every tenth iteration only, every second state is twenty after the last.
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


def _spread(values: list[int], n: int) -> list[int]:
    """Return at most n of the values, spread evenly over their order."""
    if len(values) <= n:
        return values
    return [values[int(i)] for i in np.linspace(0, len(values) - 1, n)] if n > 0 else []
