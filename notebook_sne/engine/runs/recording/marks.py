"""Marks: what happened in a run, and when. A hand turned a knob, copies moved, another model took over.

They are few, so that a reader finds them: a knob that is dragged through many values makes one mark every ten
iterations with the newest value, and when there are too many marks every second one of the commonest kind goes.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from notebook_sne.engine.fitting.state import State

__all__ = ["KINDS", "MOST_MARKS", "Mark", "Marks", "copies_text", "phase_text", "pins_text", "turn_text"]

KINDS = ("start", "phase", "knob", "model", "moved", "copies", "pinned")
MOST_MARKS = 200
_LONGEST = 200
_TOLD = 4  # copies, of a round that moves many
_ONCE = ("model", "moved", "copies", "pinned")  # in an iteration
_DRAG = 10  # iterations in which turning the same knobs again is the same turn


class Mark(NamedTuple):
    """Something that happened in a run.

    Attributes
    ----------
    iteration : int
        When: of the first state that shows it.
    kind : {"start", "phase", "knob", "model", "moved", "copies", "pinned"}
        What.
    text : str
        In words, such as ``"background 0.2 (turned)"``.
    """

    iteration: int
    kind: str
    text: str


def turn_text(before: Mapping[str, float], after: Mapping[str, float]) -> tuple[frozenset[str], str]:
    """Return the names of the knobs that differ between two mappings of held values, and a text that says how."""
    turned = {name: value for name, value in after.items() if before.get(name) != value}
    released = [name for name in before if name not in after]
    parts = []
    if turned:
        parts.append(", ".join(f"{_words(name)} {value:g}" for name, value in turned.items()) + " (turned)")
    if released:
        parts.append(", ".join(_words(name) for name in released) + " released")
    return frozenset([*turned, *released]), "; ".join(parts)


def _words(name: str) -> str:
    return name.replace("_", " ")


def copies_text(copies: np.ndarray, names: Sequence[str] | None) -> str:
    """Return in words which copies were moved: `copies` of a State, and the objects' names."""
    first = [(names[i] if names and names[i] else f"object {i}", m) for i, m in copies[:_TOLD].tolist()]
    if len(copies) == 1:
        return f"a copy of {first[0][0]} moved to map {first[0][1]}"
    rest = ", ..." if len(copies) > _TOLD else ""
    return f"{len(copies)} copies moved: {', '.join(f'{name} to map {m}' for name, m in first)}{rest}"


def pins_text(pins: np.ndarray, names: Sequence[str] | None) -> str:
    """Return in words which points are held now: `pins` of a State, and the objects' names."""
    if not len(pins):
        return "all objects let go"
    objects = list(dict.fromkeys(pins[:, 0].tolist()))
    first = [names[i] if names and names[i] else f"object {i}" for i in objects[:_TOLD]]
    return f"held: {', '.join(first)}{', ...' if len(objects) > _TOLD else ''}"


def phase_text(before: str, state: State) -> str:
    """Return in words that a phase ended; where a fast pass of annealing did, what it found."""
    found = state.emerged if before == "fast pass" else None
    return f"{before} → {state.phase}{'' if found is None or found != found else f', structure at noise {found:.2g}'}"


class Marks:
    """A bounded list of marks in order of iteration; not thread-safe by itself."""

    def __init__(self, marks: Iterable[Mark] = ()) -> None:
        # Beside each mark: which knobs were turned, and when a drag of them began.
        self._entries: list[tuple[Mark, frozenset[str] | None, int]] = [(mark, None, mark.iteration) for mark in marks]
        self._all: tuple[Mark, ...] | None = None

    def all(self) -> tuple[Mark, ...]:
        """Return the marks as a tuple: the same one until something changes."""
        if self._all is None:
            self._all = tuple(mark for mark, _, _ in self._entries)
        return self._all

    def add(self, iteration: int, kind: str, text: str, knobs: frozenset[str] | None = None) -> None:
        """Add a mark; it takes the place of one that says the same of the same iteration."""
        began = iteration
        for k in range(len(self._entries) - 1, -1, -1):
            mark, same, since = self._entries[k]
            if iteration - mark.iteration >= _DRAG:
                break
            dragged = kind == "knob" and same is not None and same == knobs and iteration - since < _DRAG
            same_moment = kind in _ONCE and mark.iteration == iteration
            if mark.kind == kind and (dragged or same_moment):
                began = since
                del self._entries[k]
                break
        text = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
        self._entries.append((Mark(iteration, kind, text), knobs, began))
        if len(self._entries) > MOST_MARKS:
            self._thin()
        self._all = None

    def truncate(self, iteration: int) -> None:
        """Drop the marks after an iteration."""
        self._entries = [entry for entry in self._entries if entry[0].iteration <= iteration]
        self._all = None

    def _thin(self) -> None:
        common = Counter(mark.kind for mark, _, _ in self._entries).most_common(1)[0][0]
        those = [k for k, (mark, _, _) in enumerate(self._entries) if mark.kind == common]
        gone = set(those[-2::-2])
        self._entries = [entry for k, entry in enumerate(self._entries) if k not in gone]
