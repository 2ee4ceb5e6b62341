"""Pins: map points that are held where they are while all others move.

A pin names an object and a map. It has no place of its own: a held point stays where the state has it, as the gradient
of its coordinates is 0 for every optimizer, and jitter passes it by. So a run with pins descends on the free
coordinates alone, and its cost is that of all objects as ever.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from notebook_sne.engine.fitting.layout import Layout
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.mathematics.copies import CopyMoves
from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.optimizers.iterate import Evaluate, read_only

__all__ = ["check_pins", "holding", "mask_of", "pinned", "refuse_pins", "without"]

Point = tuple[int, int]
"""Map and object, as places in an array of map points."""


def refuse_pins(layout: Layout, name: str) -> None:
    """Raise a NotImplementedError where the map points of a model aren't its own to hold."""
    if not layout.holds:
        raise NotImplementedError(
            f"{name} cannot hold objects where they are: its map points follow from the objects by one function, so "
            "that none can stay while the others move; use a model that moves each of them, such as SNE"
        )


def check_pins(pins: np.ndarray, shape: tuple[int, ...]) -> None:
    """Raise a ValueError where pins, shape (K, 2), don't name objects and maps of positions of shape (M, N, d)."""
    there = pins.dtype.kind in "iu" and pins.ndim == 2 and pins.shape[1] == 2
    if not there or (len(pins) and not (pins.min() >= 0 and (pins.max(axis=0) < (shape[1], shape[0])).all())):
        raise ValueError(
            f"the pins of a state must name its objects and maps, got {pins.tolist()}; make them by run.pin"
        )


def mask_of(layout: Layout, pins: np.ndarray, size: int) -> np.ndarray:
    """Return which of `size` coordinates of a flat vector belong to pinned points, shape (size,)."""
    mask = np.zeros(size, dtype=bool)
    layout.split(mask)[0][pins[:, 1], pins[:, 0]] = True
    return mask


def holding(layout: Layout, pins: np.ndarray, evaluate: Evaluate) -> Evaluate:
    """Return the function with a gradient of 0 in the coordinates of pinned points; the very same without pins."""
    if not len(pins):
        return evaluate

    def held(theta: np.ndarray) -> Evaluation:
        here = evaluate(theta)
        gradient = np.array(here.gradient)
        layout.split(gradient)[0][pins[:, 1], pins[:, 0]] = 0.0
        return here._replace(gradient=gradient)

    return held


def pinned(
    state: State, layout: Layout, optimizer: Any, places: Mapping[Point, np.ndarray | None], freed: Collection[Point]
) -> State:
    """Return the state with points held at places, or where they are with None, and others let go.

    Extra dimensions of a held point are 0: it lies where it will when they have gone. `optimizer` is the module whose
    memory the state has, or None; what it remembers of these coordinates is forgotten.
    """
    Y, d = state.Y.copy(), layout.shape[2]
    for (m, i), place in places.items():
        if place is not None:
            Y[m, i, : len(place)] = place
        Y[m, i, d:] = 0.0
    before = {(int(m), int(i)) for i, m in state.pins}
    now = sorted((i, m) for m, i in (before | set(places)) - set(freed))
    memory = {name: value for name, value in state.memory.items() if name != "pins"}
    if now:
        memory["pins"] = read_only(np.array(now, dtype=np.int64))
    touched = np.array([(i, m) for m, i in {*places, *(before & set(freed))}], dtype=np.int64).reshape(-1, 2)
    if optimizer is not None and len(touched):
        memory["own"] = optimizer.displaced(dict(memory["own"]), mask_of(layout, touched, _size(layout, Y)))
    # No objective belongs to this state yet: what is remembered of another one is forgotten, too.
    return replace(state, Y=Y, objective=float("nan"), memory=memory)


def _size(layout: Layout, Y: np.ndarray) -> int:
    return Y.size + (Y.shape[0] * Y.shape[1] if layout.weighted else 0)


def without(moves: CopyMoves, maps: np.ndarray, weights: np.ndarray | None, pins: np.ndarray) -> CopyMoves:
    """Return moves of copies without those of pinned points; `maps` and `weights` are those before."""
    if not len(pins):
        return moves
    held = np.zeros(maps.shape[:2], dtype=bool)
    held[pins[:, 1], pins[:, 0]] = True
    moved = moves.moved[~held[moves.moved[:, 1], moves.moved[:, 0]]]
    kept = moves.weights if weights is None else np.where(held, weights, moves.weights)
    return moves._replace(maps=np.where(held[:, :, None], maps, moves.maps), weights=kept, moved=moved)
