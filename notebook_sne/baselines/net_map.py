"""The common part of the maps on a grid: a start, places of new objects, and the net in the data.

They are models like all others, except for two stages: other models make a P of their input, and these make a `Net`,
which has its own update. So the states, the schedules, the player and the recordings are the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted, validate_data

from notebook_sne.baselines.nets import Net, NetLayout, check_grid
from notebook_sne.engine.checks.arguments import check_new_vectors, check_vectors
from notebook_sne.engine.checks.arrays import Floats, Matrix
from notebook_sne.engine.checks.numbers import check_given, show
from notebook_sne.engine.fitting.inputs import Target, in_use
from notebook_sne.engine.fitting.layout import Layout
from notebook_sne.engine.fitting.problem import Problem
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.machine.parallel import one_thread
from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.models.bases import TransformerMixin
from notebook_sne.models.estimator import estimator
from notebook_sne.models.single import WithoutP

__all__ = ["NetMap"]

_LARGEST = 1e150  # its square is still finite


@estimator
class NetMap(TransformerMixin, WithoutP):
    """Base of the self-organizing map and of GTM; not used by itself."""

    init: Literal["auto", "pca", "random"] | ArrayLike = "auto"

    # Fields of the models that go down a gradient, which is not here.
    n_components: ClassVar[int] = 2  # type: ignore[misc]
    optimizer: ClassVar[Literal["auto"]] = "auto"  # type: ignore[misc]
    learning_rate: ClassVar[Literal["auto"]] = "auto"  # type: ignore[misc]
    momentum: ClassVar[Literal["auto"]] = "auto"  # type: ignore[misc]
    adaptive_step: ClassVar[bool] = False  # type: ignore[misc]
    jitter: ClassVar[float] = 0.0  # type: ignore[misc]
    input: ClassVar[Literal["vectors"]] = "vectors"  # type: ignore[misc]
    n_jobs: ClassVar[None] = None  # type: ignore[misc]

    _descent = "alternating"

    def _grid(self) -> tuple[int, int]:
        return check_grid("grid", self.grid)  # type: ignore[attr-defined]  # a field of both

    def _settings(self, n_objects: int) -> tuple[Any, ...]:
        """Return what a net is made with beside the objects, checked."""
        raise NotImplementedError

    def _made(self, X: Floats, *settings: Any) -> Net:
        """Return a net of checked objects, which begins nowhere."""
        raise NotImplementedError

    def _placed_anew(self, Z: Floats) -> Floats:
        """Return the places of new objects that are scaled as those of the fit, shape (n, 2)."""
        raise NotImplementedError

    def _checked_input(self, X: Any) -> Any:
        X = np.asarray(check_vectors(X), np.float64)
        if (largest := np.abs(X).max()) > _LARGEST:
            raise ValueError(
                f"X must not exceed {_LARGEST:g}, whose square is still finite, got {largest:g}; rescale it"
            )
        self._settings(len(X))
        return X

    def _target(self, X: Any, perplexity: float | None = None, least_p: float | None = None) -> Target:
        settings = self._settings(len(X))
        how = (type(self).__name__, *settings)
        return in_use(X, how, lambda: Target(self._made(X, *settings), 0.0, np.empty(0, np.int64)))

    def _layout(self, X: Any, n_components: int) -> Layout:
        return NetLayout(self._target(X))

    def _principal(self, X: Any, n_components: int) -> Floats | None:
        return None  # a net begins in the data, by itself

    def _start(
        self, layout: Layout, positions: Floats | None, rng: np.random.Generator
    ) -> tuple[Floats, Floats | None]:
        if positions is not None:
            return positions[None], None
        net = layout.net  # type: ignore[attr-defined]
        return layout.split(net.scattered(rng) if self.init == "random" else net.flat())

    def _evaluation(self, pairs: Any, Y: Floats, W: Floats | None, knobs: Mapping[str, float]) -> Evaluation:
        return pairs.evaluate(W, knobs)

    def _improved(self, pairs: Any, theta: Floats, knobs: Mapping[str, float]) -> Floats:
        return pairs.improve(theta, knobs)

    def _uniform_cost(self, pairs: Any, n_objects: int, knobs: Mapping[str, float]) -> float:
        return np.inf  # no net has all objects in one place

    def net(self, state: State, X: Matrix) -> Floats:
        """Return where the nodes of a state lie in the data.

        Parameters
        ----------
        state : State
            One of this model.
        X : array-like, shape (N, n_features)
            The objects of the run.

        Returns
        -------
        net : ndarray, shape (nodes along the first axis of the map, along the second, n_features)
            Where the nodes of the grid lie in the data.

        Raises
        ------
        ValueError, TypeError
            If the state is of another model or of other settings, or X of another number of features or objects.
        """
        name = type(self).__name__
        if not isinstance(state, State):
            raise TypeError(f"state must be a State of {name}, got {show(state)}; give one that iterate yields")
        if state.model != name:
            raise ValueError(f"state must be of {name}, got one of {state.model}; only its own states hold a net")
        X = self._checked_input(np.asarray(check_given("X", X, 2)))
        net, theta = self._target(X).P, state.memory["weights"]
        if theta.size != net.n_numbers or state.Y.shape[1] != len(X):
            raise ValueError(
                f"state must be of this {name} and of these {len(X)} objects with {X.shape[1]} features, got one of "
                f"{state.Y.shape[1]} objects and {theta.size} numbers where {net.n_numbers} are needed; "
                "give the X of its run, and a model of its settings"
            )
        return net.in_data(theta)

    fit_transform = WithoutP.fit_transform

    def transform(self, X: Matrix) -> Floats:
        """Place new objects on the grid, each by itself; the map stays as it is.

        Parameters
        ----------
        X : array-like, shape (n, n_features)
            The new objects, measured as those of the fit.

        Returns
        -------
        Y : ndarray, shape (n, 2)
            Their places, by the same rule as those of the fitted objects.

        Raises
        ------
        ValueError
            If X isn't finite, or has another number of features than in the fit.
        """
        return self._placed_anew(self._scaled(X)).astype(self.embedding_.dtype, copy=False)

    def _scaled(self, X: Matrix) -> Floats:
        """Return new objects scaled as those of the fit."""
        check_is_fitted(self, "embedding_")
        X = validate_data(self, check_given("X", X, 2, where="transform({})"), dtype=np.float64, reset=False,
                          ensure_all_finite=False)  # fmt: skip
        return (check_new_vectors(X) - self.mean_) / self.spread_

    def _keep(self, problem: Problem, state: State, rows: list[dict[str, Any]]) -> None:
        super()._keep(problem, state, rows)
        net = problem.target(state.knobs).P
        theta = state.memory["weights"]
        self.mean_, self.spread_, self.nodes_ = net.mean, net.spread, net.nodes
        self.prototypes_ = net.in_data(theta).reshape(len(net.nodes), -1)
        with one_thread():
            self._keep_net(net, theta)

    def _keep_net(self, net: Any, theta: Floats) -> None:
        """Write what else there is of a net."""
        raise NotImplementedError
