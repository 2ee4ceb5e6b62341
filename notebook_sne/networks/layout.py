"""Where the map points of a network lie: nowhere. An optimizer moves its weights."""

from __future__ import annotations

import numpy as np

from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.fitting.layout import Layout
from notebook_sne.engine.fitting.state import State
from notebook_sne.networks.network import Network

__all__ = ["NetworkLayout"]

_SAME = 1e-6  # of the width of a map: another machine's BLAS has other last bits


class NetworkLayout(Layout):
    """A map that is a function of the objects X, (N, n_features): codes by a network, one flat vector of weights."""

    def __init__(self, network: Network, X: Floats) -> None:
        super().__init__(1, len(X), network.sizes[-1], weighted=False)
        self.network, self._X = network, X

    def split(self, theta: Floats) -> tuple[Floats, Floats | None]:
        """Return the codes, shape (1, N, d), and the weights."""
        return self.network.codes(theta, self._X)[None], theta

    def join(self, Y: Floats, W: Floats | None) -> Floats:
        """Return the weights, which must be there: positions alone don't say what they are functions of."""
        if W is None:
            raise ValueError("a network has weights, got positions only")
        return W

    def weights_at(self, positions: Floats | None, rng: np.random.Generator) -> Floats:
        """Return random weights or, of a network of random hidden layers, those that come nearest to positions."""
        weights = self.network.random(rng)
        return weights if positions is None else self.network.toward(weights, self._X, positions)

    def flat(self, theta: Floats) -> Floats:
        """Return theta: there are no extra dimensions."""
        return theta

    def n_coordinates(self, theta: Floats) -> int:
        """Return how many entries of theta scale the map: those of the code layer."""
        return self.network.n_code_weights

    def theta_of(self, state: State, own: bool, seed: int) -> Floats:
        """Return the weights of a state of this model; of others, and of moved positions, those that come nearest.

        The hidden layers are then those of the state or, of another model, random ones.
        """
        weights = state.memory.get("weights") if own else None
        if weights is None or weights.shape != (self.network.n_weights,):
            return self.weights_at(state.Y[0], np.random.default_rng((seed, 0, 1)))
        if np.abs(self.split(weights)[0] - state.Y).max() <= _SAME * np.abs(state.Y).max():
            return weights
        return self.network.toward(weights, self._X, state.Y[0])
