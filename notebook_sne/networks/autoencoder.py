"""Autoencoders, with the cost of a map of their codes as regularizer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from notebook_sne.arrays import Floats, Matrix
from notebook_sne.fitting.problem import Problem
from notebook_sne.fitting.state import State
from notebook_sne.fitting.workers import check_workers
from notebook_sne.machine.parallel import threads
from notebook_sne.mathematics.evaluation import Evaluation
from notebook_sne.models.estimator import estimator
from notebook_sne.models.single import SingleMap
from notebook_sne.networks.coded import CodedMap, Coding, Parts
from notebook_sne.optimizers.schedules import Schedule

__all__ = ["Autoencoder"]


@estimator
class Autoencoder(CodedMap):
    """Codes from which objects can be made again and, with a regularizer, that keep who is a neighbor of whom.

    .. math::

        F = R + lambda C / n,   y_i = f(x_i; w),   x^_i = g(y_i; v)

    Parameters
    ----------
    regularizer : estimator or None, default=None
    strength : float or schedule, default=1.0
        lambda.
    """

    regularizer: SingleMap | None = None
    strength: float | Schedule = 1.0

    _convention = "joint"
    _decoder = True
    _results = (*CodedMap._results, "reconstruction_", "divergence_")

    def _of_codes(self) -> SingleMap | None:
        return self.regularizer

    def _checked_input(self, X: Any) -> Any:
        X = super()._checked_input(X)
        low, high = float(X.min()), float(X.max())
        if low < 0 or high > 1:
            raise ValueError(
                f"X must lie from 0 to 1, as the output units are logistic, got {low:g} to {high:g}; "
                "give (X - X.min()) / (X.max() - X.min())"
            )
        return X

    def _schedules_of(self, X: Any) -> dict[str, Any]:
        schedules = super()._schedules_of(X)
        return schedules if self.regularizer is None else {**schedules, "strength": self.strength}

    def _parts(self, coding: Coding, Y: Floats, W: Floats, knobs: Mapping[str, float]) -> Parts:
        strength, lowered, cost, dY = knobs.get("strength", 0.0), 0.0, 0.0, None
        if coding.model is not None and strength:
            here, share = coding.model._evaluation(coding.pairs, Y[None], None, knobs), self._share(coding)
            lowered, cost = share * here.objective, share * here.cost
            dY = (strength * share) * here.gradient.reshape(Y.shape)
        back = coding.network.back(W, coding.X, dY, 1.0)
        R = back.reconstruction
        return Parts(Evaluation(R + strength * lowered, back.gradient, R + strength * cost), R, cost)

    @staticmethod
    def _share(coding: Coding) -> float:
        """Return what makes nats an object of the cost of the codes: a conditional one sums over all objects."""
        return 1.0 / coding.n_objects if coding.model._convention == "conditional" else 1.0

    def _uniform_cost(self, pairs: Any, n_objects: int, knobs: Mapping[str, float]) -> float:
        x = np.clip(pairs.X.mean(axis=0, dtype=np.float64), 1e-300, 1.0)
        blank = -float(np.sum(x * np.log(x) + (1.0 - x) * np.log1p(-np.minimum(x, 1.0 - 1e-16))))
        if pairs.model is None:
            return blank
        uniform = pairs.model._uniform_cost(pairs.pairs, n_objects, knobs)
        return blank + knobs["strength"] * self._share(pairs) * uniform

    def inverse_transform(self, Y: Matrix) -> Floats:
        """Return what the decoder makes of codes, shape (n, n_features), each value from 0 to 1."""
        from sklearn.utils.validation import check_array, check_is_fitted

        check_is_fitted(self, "weights_")
        Y = check_array(Y, dtype=np.float64, input_name="Y")
        d = self.embedding_.shape[1]
        if Y.shape[1] != d:
            raise ValueError(f"Y must hold codes of shape (n, n_components) with n_components = {d}, got {Y.shape}")
        with threads(check_workers(self.n_jobs)):
            return self.network_.decoded(self.weights_, Y)

    def _keep(self, problem: Problem, state: State, rows: list[dict[str, Any]]) -> None:
        super()._keep(problem, state, rows)
        pairs = problem._made_at(state.knobs).pairs
        parts = self._parts(pairs, state.embedding, self.weights_, state.knobs)
        self.reconstruction_, self.divergence_ = parts.reconstruction, parts.divergence
