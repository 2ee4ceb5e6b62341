"""The common part of models with several maps: mixing proportions, restarts, and a separate penalty."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.engine.checks.arguments import check_choice, check_count
from notebook_sne.engine.checks.arrays import Floats, Matrix
from notebook_sne.engine.checks.maps import check_mixing, check_places
from notebook_sne.engine.fitting.initialization import START_WEIGHT_SD, widened
from notebook_sne.engine.fitting.layout import Layout
from notebook_sne.engine.fitting.problem import Problem
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.fitting.states import warn_if_useless
from notebook_sne.engine.mathematics.aspects import MixtureEvaluation
from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.mathematics.mixing import log_proportions, weights_of
from notebook_sne.engine.optimizers.iterate import DivergedError
from notebook_sne.models.base import _RESULT_NAMES, Model

__all__ = ["SeveralMaps"]

# Nats an object: no restart is tried once the cost is below, as sums in single precision tell no less.
_PERFECT = 3e-7


class SeveralMaps(Model):
    """Base of the models with several maps; not used by itself."""

    # Hyperparameters of all of them, which each declares in its own place.
    mixing: Literal["free", "equal"] | ArrayLike
    n_restarts: int

    _results: ClassVar[tuple[str, ...]] = ("maps_", "mixing_", "_restarts", *_RESULT_NAMES)
    _inits: ClassVar[tuple[str, ...]] = ("auto", "random")
    _pca_by_default = False
    _gains: ClassVar[tuple[float, float, float, float] | None] = (0.05, 0.8, 0.01, 4.0)
    _start_sd: ClassVar[float] = 0.1

    def _weighted(self) -> bool:
        return isinstance(self.mixing, str) and self.mixing == "free"

    def _fixed_mixing(self, layout: Layout) -> Floats:
        M, N, _ = layout.shape
        if isinstance(self.mixing, str):
            check_choice("mixing", self.mixing, ("free", "equal"))
            return np.full((M, N), 1.0 / M)
        return check_mixing("mixing", self.mixing, M, N)

    def _mixing(self, W: Floats | None, layout: Layout) -> Floats | None:
        return np.exp(log_proportions(W)) if W is not None else self._fixed_mixing(layout)

    def _checked_positions(self, init: ArrayLike, layout: Layout) -> Floats:
        self._fixed_mixing(layout)
        return check_places("init", init, layout.shape)

    def _start(
        self, layout: Layout, positions: Floats | None, rng: np.random.Generator
    ) -> tuple[Floats, Floats | None]:
        M, N, d = layout.shape
        d += self._extra_dimensions()
        if positions is None:
            positions = self._start_sd * rng.standard_normal((M, N, d))
        return widened(positions, d, rng), START_WEIGHT_SD * rng.standard_normal((M, N))

    def _mixture_evaluation(self, pairs: Any, Y: Floats, W: Floats, knobs: Mapping[str, float]) -> MixtureEvaluation:
        """Return the MixtureEvaluation at positions and weights."""
        raise NotImplementedError

    def _evaluation(self, pairs: Any, Y: Floats, W: Floats | None, knobs: Mapping[str, float]) -> Evaluation:
        if W is None:
            fixed = weights_of(self.mixing) if not isinstance(self.mixing, str) else np.zeros(Y.shape[:2])
            here = self._mixture_evaluation(pairs, Y, fixed, knobs)
            return Evaluation(here.objective, here.maps.ravel(), here.cost)
        here = self._mixture_evaluation(pairs, Y, W, knobs)
        gradient = np.concatenate([here.maps.ravel(), here.weights.ravel()])
        return Evaluation(here.objective, gradient, here.cost)

    def fit(self, X: Matrix, y: object = None) -> Self:
        """Fit maps to X, `n_restarts` times, and keep the best.

        Parameters
        ----------
        X : array-like
            The objects, shape (N, n_features); or what `input` names, shape (N, N), dense or sparse.
        y : None
            Not used; scikit-learn's pipelines pass one.

        Returns
        -------
        self
            The estimator, with its results.

        Raises
        ------
        ValueError
            If X breaks the rules of `input`, or a hyperparameter its own; the message names both.
        DivergedError
            If the positions are no longer finite; the results are those of the last finite state.

        Notes
        -----
        After an interrupt, the best results so far are kept; before the first of them, those of an earlier fit.
        """
        n_restarts = check_count("n_restarts", self.n_restarts, 1)
        with self._replacing():
            problem = Problem(self, X)
            tried: list[dict[str, Any]] = []
            kept = None
            try:
                for restart in range(n_restarts):
                    with self._bar(problem) as bar:
                        self._forget(self._results)  # nor those of another restart
                        diverged = False
                        try:
                            self._descend(problem, problem.begin(restart=restart), bar)
                        except DivergedError:
                            diverged = True
                            if restart + 1 == n_restarts and all(row["diverged"] for row in tried):
                                raise
                        finally:
                            here = {name: getattr(self, name) for name in self._results if hasattr(self, name)}
                            if "state_" in here:
                                row = {name: here[f"{name}_"] for name in ("cost", "objective", "n_iter")}
                                tried.append({"restart": restart, **row, "diverged": diverged})
                                if kept is None or here["objective_"] <= kept["objective_"]:
                                    kept = here
                    if kept is not None and kept["cost_"] < _PERFECT * problem.cost_scale:
                        break
            finally:
                if kept is not None:
                    for name, value in kept.items():
                        setattr(self, name, value)
                    columns = {name: np.array([row[name] for row in tried]) for name in tried[0]}
                    columns["kept"] = columns["restart"] == np.argmin(columns["objective"])
                    self._restarts = columns
        warn_if_useless(problem, self.state_, self.n_iter_)
        return self

    def fit_transform(self, X: Matrix, y: object = None) -> Floats:
        """Fit maps to X and return them.

        Parameters
        ----------
        X, y
            As for `fit`.

        Returns
        -------
        maps : ndarray, shape (M, N, n_components)
            The maps, which `maps_` keeps.
        """
        return self.fit(X).maps_

    @property
    def restarts_(self) -> Any:
        """One row a restart of the fit, as a pandas.DataFrame."""
        import pandas as pd

        return pd.DataFrame(self._restarts)

    def _trace_row(self, state: State, seconds: float) -> dict[str, Any]:
        row = super()._trace_row(state, seconds)
        return {**row, "penalties": state.objective - state.cost}

    def _keep(self, problem: Problem, state: State, rows: list[dict[str, Any]]) -> None:
        self.maps_, self.mixing_ = (np.array(part, self._precision) for part in (state.Y, state.mixing))
        super()._keep(problem, state, rows)

    def _fitted_places(self) -> tuple[Floats, Floats]:
        """Return maps and proportions in double precision, in which new objects are placed."""
        return np.asarray(self.maps_, np.float64), np.asarray(self.mixing_, np.float64)
