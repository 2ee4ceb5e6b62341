"""Where map points and weights lie in the flat vector that an optimizer moves, and which points are held meanwhile.

A pin holds a map point where it is while all others move. It names an object and a map. It has no place of its own: a
held point stays where the state has it, as the gradient of its coordinates is 0 for every optimizer, and jitter passes
it by. So a run with pins descends on the free coordinates alone, and its cost is that of all objects as ever.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from notebook_sne.engine.checks.maps import check_mixing
from notebook_sne.engine.fitting.initialization import START_WEIGHT_SD
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.mathematics.copies import CopyMoves
from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.mathematics.mixing import log_proportions, weights_of
from notebook_sne.engine.optimizers.iterate import Evaluate, read_only

__all__ = ["Layout", "check_pins", "holding", "mask_of", "pinned", "refuse_pins", "without"]

Point = tuple[int, int]
"""Map and object, as places in an array of map points."""

_SAME = 1e-9  # of a proportion: another machine's exponential has other last digits


class Layout:
    """Positions (M, N, d), then weights (M, N) where they are free, in one vector.

    `n_maps`, `n_objects` and `n_components` are M, N and d; `weighted` says whether the vector holds weights. It may
    hold more than d coordinates a point, as maps that begin with extra dimensions do: how many is read from its length.
    """

    holds: ClassVar[bool] = True
    """Whether map points are coordinates of the vector, so that one can stay while others move."""

    def __init__(self, n_maps: int, n_objects: int, n_components: int, weighted: bool) -> None:
        self.shape = (n_maps, n_objects, n_components)
        self.weighted = weighted

    def split(self, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        """Return the positions, shape (M, N, d or more), and the weights, shape (M, N), or None."""
        M, N, _ = self.shape
        n = self.n_coordinates(theta)
        return theta[:n].reshape(M, N, -1), theta[n:].reshape(M, N) if self.weighted else None

    def join(self, Y: np.ndarray, W: np.ndarray | None) -> np.ndarray:
        """Return the vector of positions and weights."""
        return Y.ravel() if W is None or not self.weighted else np.concatenate([Y.ravel(), W.ravel()])

    def flat(self, theta: np.ndarray) -> np.ndarray:
        """Return the vector without its extra dimensions."""
        Y, W = self.split(theta)
        return self.join(Y[:, :, : self.shape[2]], W)

    def n_coordinates(self, theta: np.ndarray) -> int:
        """Return how many entries of the vector are positions."""
        M, N, _ = self.shape
        return theta.size - (M * N if self.weighted else 0)

    def theta_of(self, state: State, own: bool, seed: int) -> np.ndarray:
        """Return the vector of a state: the very same for a state of the same model, else that of its picture."""
        if not self.weighted:
            return state.Y.ravel()
        W = state.memory.get("weights") if own else None
        if W is not None and (state.mixing is None or _are_those_of(W, state.mixing)):
            return self.join(state.Y, W)
        if state.mixing is not None:
            return self.join(state.Y, weights_of(check_mixing("state.mixing", state.mixing, *self.shape[:2])))
        noise = np.random.default_rng((seed, 0, 2)).standard_normal(self.shape[:2])
        return self.join(state.Y, START_WEIGHT_SD * noise)


def _are_those_of(W: np.ndarray, mixing: np.ndarray) -> bool:
    """Tell whether proportions, shape (M, N), are those of the weights W, or were changed since."""
    return mixing.shape == W.shape and np.allclose(mixing, np.exp(log_proportions(W)), rtol=_SAME, atol=1e-30)


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
