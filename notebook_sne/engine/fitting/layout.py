"""Where map points and weights lie in the flat vector that an optimizer moves."""

from typing import ClassVar

import numpy as np

from notebook_sne.engine.checks.maps import check_mixing
from notebook_sne.engine.fitting.initialization import START_WEIGHT_SD
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.mathematics.mixing import log_proportions, weights_of

__all__ = ["Layout"]

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
