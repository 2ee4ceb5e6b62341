"""The mathematics of GTM: a curved sheet with Gaussian noise about it, fitted by expectation maximization.

A node k of the grid lies at u_k in the map and at y_k in the data, which are here z_n, scaled by `Net`:

.. math::

    y_k = W' phi(u_k)

    p(z | k) = (beta / 2 pi)^{D/2} exp(-beta |z - y_k|^2 / 2),   p(z) = (1 / K) sum_k p(z | k)

    L = sum_n ln p(z_n)                                                                 [Bishop1998, section 2]

    R_nk = p(z_n | k) / sum_l p(z_n | l)                                                (expectation)

    (Phi' G Phi + (alpha / beta) I) W = Phi' R' Z,   G_kk = sum_n R_nk                  (maximization)

    1 / beta = sum_nk R_nk |z_n - y_k|^2 / (N D)                                        [Bishop1998, section 2.1]

The objective is (-L + alpha |W|^2 / 2) / N, the cost -L / N. An update lowers the objective, or leaves it: the new W
makes the expected objective least at the old beta, the new beta does so at the new W, and the objective falls by at
least as much as the expected one. Without alpha it is the likelihood itself that never falls.

The equation for W is solved as least squares in Phi and not by its square, which would halve the digits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from notebook_sne.baselines.nets import Net, grid_points, squared_distances
from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.mathematics.evaluation import Evaluation

__all__ = ["Posterior", "Sheet", "posterior"]

_LEAST_VARIANCE = 1e-8  # 1 / beta, as a share of the data's: with as many weights as objects it would go to 0


class Posterior(NamedTuple):
    """The posterior of a sheet for n objects."""

    R: Floats  # shape (n, K): how probable each node is for each object; rows sum to 1
    log_p: Floats  # shape (n,): ln p(z_n)
    prototypes: Floats  # shape (K, D): y_k


def posterior(Z: Floats, prototypes: Floats, beta: float) -> Posterior:
    """Return the Posterior of objects Z, shape (n, D)."""
    exponents = -0.5 * beta * squared_distances(Z, prototypes)
    largest = exponents.max(axis=1, keepdims=True)
    R = np.exp(exponents - largest)
    total = R.sum(axis=1, keepdims=True)
    R /= total
    log_p = (largest + np.log(total)).ravel() - np.log(len(prototypes))
    return Posterior(R, log_p + 0.5 * Z.shape[1] * np.log(beta / (2 * np.pi)), prototypes)


class Sheet(Net):
    """A sheet through some objects; theta is W, flat, and then ln beta.

    X and `grid` are those of `Net`; the longer axis of the grid reaches from -1 to 1. `basis` is the number of radial
    basis functions along both axes of the map, `width` their standard deviation, in units of their distance.
    """

    def __init__(self, X: np.ndarray, grid: tuple[int, int], basis: tuple[int, int], width: float) -> None:
        super().__init__(X, grid, 2.0 / (max(grid) - 1))
        reach = np.abs(self.nodes).max(axis=0)
        steps = [2 * r / (n - 1) if n > 1 else 0.0 for r, n in zip(reach, basis, strict=True)]
        self.centers = grid_points(basis) * steps
        # One function in the middle reaches as far as the map.
        self.deviation = width * (max(steps) if max(steps) > 0 else 2.0 * reach.max())
        self.Phi = self.functions(self.nodes)
        self.n_numbers = self.Phi.shape[1] * self.Z.shape[1] + 1

    def functions(self, U: Floats) -> Floats:
        """Return phi at places of the map, shape (n, M + 1): Gaussians about the centers, and 1."""
        gaussians = np.exp(-0.5 * squared_distances(U, self.centers) / self.deviation**2)
        return np.column_stack([gaussians, np.ones(len(U))])

    def read(self, theta: Floats) -> tuple[Floats, float]:
        """Return W, shape (M + 1, D), and beta."""
        return theta[:-1].reshape(self.Phi.shape[1], -1), float(np.exp(theta[-1]))

    def prototypes(self, theta: Floats) -> Floats:
        """Return y_k, shape (K, D)."""
        return self.Phi @ self.read(theta)[0]

    def magnification(self, theta: Floats) -> Floats:
        """Return by how much the sheet stretches an area of the map at each node, shape (K,).

        sqrt(det(J' J)), J the derivative of y with respect to u [Bishop1997]; of a line, by how much a length.
        """
        W, _ = self.read(theta)
        axes = [a for a in (0, 1) if self.grid[a] > 1]
        bent = [(self.centers[:, a] - self.nodes[:, a : a + 1]) / self.deviation**2 * self.Phi[:, :-1] for a in axes]
        J = np.stack([d @ W[:-1] for d in bent], axis=1)  # (K, axes, D)
        return np.sqrt(np.maximum(np.linalg.det(J @ J.transpose(0, 2, 1)), 0.0))

    def _assigned(self, theta: Floats) -> Posterior:
        W, beta = self.read(theta)
        return posterior(self.Z, self.Phi @ W, beta)

    def _placed(self, assigned: Posterior) -> Floats:
        return assigned.R @ self.nodes

    def _evaluated(self, theta: Floats, assigned: Posterior, knobs: Mapping[str, float]) -> Evaluation:
        (W, beta), (N, D), alpha = self.read(theta), self.Z.shape, knobs["alpha"]
        R, log_p, Y = assigned
        cost = -float(log_p.mean())
        dW = beta * (self.Phi.T @ (R.sum(axis=0)[:, None] * Y - R.T @ self.Z)) + alpha * W
        dbeta = 0.5 * (beta * float(np.sum(R * squared_distances(self.Z, Y))) - N * D)
        gradient = np.append(dW.ravel(), dbeta) / N
        return Evaluation(cost + 0.5 * alpha * float(np.sum(W * W)) / N, gradient, cost)

    def _improved(self, theta: Floats, assigned: Posterior, knobs: Mapping[str, float]) -> Floats:
        R, beta = assigned.R, self.read(theta)[1]
        root = np.sqrt(R.sum(axis=0))[:, None]
        means = np.divide(R.T @ self.Z, root, out=np.zeros((len(root), self.Z.shape[1])), where=root > 0)
        W = self._solved(root * self.Phi, means, knobs["alpha"] / beta)
        variance = float(np.sum(R * squared_distances(self.Z, self.Phi @ W))) / self.Z.size
        return np.append(W.ravel(), -np.log(max(variance, _LEAST_VARIANCE)))

    def _through(self, node_of: Floats, Z: Floats) -> Floats:
        Phi = self.functions(node_of)
        # A trace of the prior: of few places, or places in one line, there are many sheets, and the flattest is meant.
        W = self._solved(Phi, Z, 1e-3 * len(Z) / len(self.Phi.T))
        variance = float(squared_distances(self.Z, self.Phi @ W).min(axis=1).mean()) / self.Z.shape[1]
        return np.append(W.ravel(), -np.log(max(variance, self._between(W), _LEAST_VARIANCE)))

    def _between(self, W: Floats) -> float:
        """Return the square of half of the mean distance of neighboring nodes: less noise would see one node alone."""
        net = (self.Phi @ W).reshape(*self.grid, -1)
        lengths = [np.square(np.diff(net, axis=axis)).sum(axis=2).ravel() for axis in (0, 1)]
        return 0.25 * float(np.concatenate(lengths).mean()) / self.Z.shape[1]

    def _solved(self, A: Floats, B: Floats, ridge: float) -> Floats:
        """Return the W of least |A W - B|^2 + ridge |W|^2, of several the shortest."""
        if ridge > 0:
            A = np.concatenate([A, np.sqrt(ridge) * np.eye(A.shape[1])])
            B = np.concatenate([B, np.zeros((A.shape[1], B.shape[1]))])
        return np.asarray(np.linalg.lstsq(A, B, rcond=None)[0], np.float64)
