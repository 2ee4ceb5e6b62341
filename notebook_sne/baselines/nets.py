"""Maps on a grid: a net of nodes in the data, and a map that follows from it.

SNE moves map points, and the data stay where they are. Here it is the other way around [Hinton2002, section 6]: the map
is a grid that never moves, and the places of its nodes in the data move, as a net that is drawn through the objects. An
optimizer changes the parameters of the net, theta; the map points of the objects are a function of them.

A net works on data that are measured from their mean m, in units of their spread s,

.. math:: z_n = (x_n - m) / s,   s^2 = sum_n |x_n - m|^2 / (N D)

so that neither costs nor hyperparameters depend on the unit of the data.

Products of matrices are made by one thread of linear algebra: several would add in another order, and the map would
depend on the number of cores.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.decomposition import PCA

from notebook_sne.engine.checks.arguments import check_count
from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.checks.numbers import WrongTypeError, show
from notebook_sne.engine.fitting.inputs import Target
from notebook_sne.engine.fitting.layout import Layout
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.machine.parallel import one_thread
from notebook_sne.engine.mathematics.distances import middle_of
from notebook_sne.engine.mathematics.evaluation import Evaluation

__all__ = ["Net", "NetLayout", "check_grid", "grid_points", "squared_distances"]

_MOST_NODES = 10_000
_SAME = 1e-6  # of the width of a map: positions nearer to those of a net than this are its own


class Net:
    """A net through the objects X, shape (N, n_features); not used by itself.

    `grid` is the number of nodes along both axes of the map, `step` the distance of neighboring nodes there.
    """

    def __init__(self, X: np.ndarray, grid: tuple[int, int], step: float) -> None:
        self.mean = middle_of(np.asarray(X, np.float64))
        Z = X - self.mean
        self.spread = float(np.sqrt(np.square(Z).mean()))
        self.Z = Z / self.spread
        self.grid, self.step = grid, step
        self.nodes = step * grid_points(grid)
        self._last: tuple[Floats, Any] = (np.empty(0), None)

    @property
    def size(self) -> int:
        """How many numbers an update reads beside the map points."""
        return self.Z.size

    # What a kind of net adds.

    n_numbers: int
    """How many numbers theta has."""

    def _assigned(self, theta: Floats) -> Any:
        """Return where the objects belong."""
        raise NotImplementedError

    def _placed(self, assigned: Any) -> Floats:
        raise NotImplementedError

    def _evaluated(self, theta: Floats, assigned: Any, knobs: Mapping[str, float]) -> Evaluation:
        raise NotImplementedError

    def _improved(self, theta: Floats, assigned: Any, knobs: Mapping[str, float]) -> Floats:
        raise NotImplementedError

    def _through(self, node_of: Floats, Z: Floats) -> Floats:
        """Return the theta of a net that has Z, shape (n, n_features), near the places of the grid, shape (n, 2)."""
        raise NotImplementedError

    def prototypes(self, theta: Floats) -> Floats:
        """Return the nodes in the data, scaled as Z, shape (K, n_features)."""
        raise NotImplementedError

    # What all have.

    def assigned(self, theta: Floats) -> Any:
        """Return where the objects belong; the last answer is remembered, as an update asks several times."""
        seen, answer = self._last
        if not np.array_equal(seen, theta):
            answer = self._assigned(theta)
            self._last = theta.copy(), answer  # replaced in one go: another thread may be looking
        return answer

    def places(self, theta: Floats) -> Floats:
        """Return the map points of the objects, shape (N, 2)."""
        with one_thread():
            return self._placed(self.assigned(theta))

    def evaluate(self, theta: Floats, knobs: Mapping[str, float]) -> Evaluation:
        """Return the Evaluation at theta, its gradient flat."""
        with one_thread():
            return self._evaluated(theta, self.assigned(theta), knobs)

    def improve(self, theta: Floats, knobs: Mapping[str, float]) -> Floats:
        """Return theta after one update."""
        with one_thread():
            return self._improved(theta, self.assigned(theta), knobs)

    def in_data(self, theta: Floats) -> Floats:
        """Return the net in the unit of the data, shape (nodes along the first axis, along the second, n_features)."""
        with one_thread():
            return (self.mean + self.spread * self.prototypes(theta)).reshape(*self.grid, -1)

    def flat(self) -> Floats:
        """Return the theta of a net in the plane of the first two principal components.

        One standard deviation of the nodes along an axis of the grid is one of the objects along its component.
        """
        with one_thread():
            n = min(2, *self.Z.shape)
            pca = PCA(n, svd_solver="full").fit(self.Z)
            along = self.nodes[:, :n] / np.where(self.nodes.std(axis=0) > 0, self.nodes.std(axis=0), 1.0)[:n]
            return self._through(self.nodes, (along * np.sqrt(pca.explained_variance_)) @ pca.components_)

    def scattered(self, rng: np.random.Generator) -> Floats:
        """Return the theta of a net whose nodes lie on objects chosen at random."""
        with one_thread():
            n = len(self.nodes)
            chosen = rng.permutation(len(self.Z))
            return self._through(self.nodes, self.Z[np.resize(chosen, n)])

    def laid(self, Y: Floats) -> Floats:
        """Return the theta of a net that has the objects near given map points, shape (N, 2), of whatever unit."""
        Y = Y - 0.5 * (Y.max(axis=0) + Y.min(axis=0))
        room, wide = np.ptp(self.nodes, axis=0), np.ptp(Y, axis=0)
        ratios = [r / w for r, w in zip(room, wide, strict=True) if r > 0 and w > 0]
        with one_thread():
            return self._through(Y * min(ratios, default=0.0) * (room > 0), self.Z)


class NetLayout(Layout):
    """A map that follows from a net: what an optimizer moves aren't the map points, but the numbers of the net.

    The net is the P of `target`, which is kept alive, as a run asks for it again.
    """

    holds = False

    def __init__(self, target: Target) -> None:
        self._target, self.net = target, target.P
        super().__init__(1, len(self.net.Z), 2, weighted=False)

    def split(self, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        """Return the map points, shape (1, N, 2), and theta."""
        return self.net.places(theta)[None], theta

    def join(self, Y: np.ndarray, W: np.ndarray | None) -> np.ndarray:
        """Return theta, or where there is none that of the net that has the objects near Y."""
        return self.net.laid(Y[0]) if W is None else W

    def flat(self, theta: np.ndarray) -> np.ndarray:
        """Return theta: there are no extra dimensions."""
        return theta

    def n_coordinates(self, theta: np.ndarray) -> int:
        """Return how many entries of theta scale the map: none, as the grid stays."""
        return 0

    def theta_of(self, state: State, own: bool, seed: int) -> np.ndarray:
        """Return the theta of a state of the same net, and of others that of a net through their positions."""
        theta = state.memory.get("weights") if own else None
        if theta is not None and theta.size == self.net.n_numbers:
            Y = self.split(theta)[0]
            if np.allclose(Y, state.Y, rtol=0.0, atol=_SAME * np.abs(self.net.nodes).max()):
                return theta
        return self.join(state.Y, None)


def check_grid(name: str, grid: Any, least: int = 2) -> tuple[int, int]:
    """Return two numbers of nodes, or raise an error."""
    if isinstance(grid, str) or not hasattr(grid, "__len__") or len(grid) != 2:
        raise WrongTypeError(
            f"{name} must be two integers, its nodes along both axes, got {show(grid)}; write (15, 15)"
        )
    n, m = (check_count(f"{name}[{i}]", side, 1) for i, side in enumerate(grid))
    if n * m < least:
        raise ValueError(f"{name} must have at least {least} nodes, got {show(grid)}; a line of them is (20, 1)")
    if n * m > _MOST_NODES:
        raise ValueError(f"{name} must have at most {_MOST_NODES} nodes, got {n * m}; give fewer")
    return n, m


def grid_points(grid: tuple[int, int]) -> Floats:
    """Return the nodes of a grid about the origin, at distances of 1, shape (K, 2); the second axis runs first."""
    first, second = (np.arange(n) - 0.5 * (n - 1) for n in grid)
    return np.column_stack([np.repeat(first, len(second)), np.tile(second, len(first))])


def squared_distances(Z: Floats, prototypes: Floats) -> Floats:
    """Return |z_n - m_k|^2, shape (n, K)."""
    D = np.square(Z).sum(axis=1)[:, None] + np.square(prototypes).sum(axis=1) - 2.0 * (Z @ prototypes.T)
    return np.maximum(D, 0.0)
