"""The common part of maps by networks: the cost of the codes, the neighbors, and the places of new objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.base import clone

from notebook_sne.affinities.probabilities import warn
from notebook_sne.baselines.labeled import Labeled
from notebook_sne.engine.checks.arguments import check_conditional, check_count, check_vectors
from notebook_sne.engine.checks.arrays import Floats, Matrix
from notebook_sne.engine.checks.numbers import WrongTypeError, show
from notebook_sne.engine.fitting.inputs import Target, target
from notebook_sne.engine.fitting.layout import Layout
from notebook_sne.engine.fitting.problem import Problem
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.fitting.sums import check_sums
from notebook_sne.engine.machine.parallel import check_workers, threads
from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.models.estimator import estimator
from notebook_sne.models.single import OneMap, SingleMap
from notebook_sne.networks.coding import Coding, Parts, label_pairs
from notebook_sne.networks.layout import NetworkLayout
from notebook_sne.networks.network import Network, check_library
from notebook_sne.networks.texts import shared

__all__ = ["CodedMap"]

_OWN = (
    "n_components", "extra_dimensions", "max_iter", "optimizer", "learning_rate", "momentum", "adaptive_step", "jitter",
    "init", "input", "random_state", "n_jobs", "progress",
)  # fmt: skip
"""What a network decides by itself, and does not read of the model whose cost its codes have."""

_RATE, _MOMENTUM = 1e-3, 0.9


@estimator
class CodedMap(Labeled):
    """Base of the maps by networks; not used by itself. A subclass says whose cost its codes have."""

    hidden: tuple[int, ...] = (200, 100)
    neighbors: Literal["data", "labels"] | Matrix = "data"  # type: ignore[assignment, misc]
    labels: ArrayLike | None = None
    max_iter: int = 200
    init: Literal["auto", "pca", "random"] | ArrayLike = "auto"

    input: ClassVar[Literal["vectors"]] = "vectors"  # type: ignore[misc]

    _pca_by_default = False
    _decoder: ClassVar[bool] = False
    _results = (*OneMap._results, "network_", "weights_")

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.__doc__ = shared(cls.__doc__ or "")

    # What a subclass says.

    def _of_codes(self) -> SingleMap | None:
        """Return the model whose cost the codes have, as it was given."""
        raise NotImplementedError

    def _parts(self, coding: Coding, Y: Floats, W: Floats, knobs: Mapping[str, float]) -> Parts:
        """Return the Evaluation at codes Y, shape (N, d), and weights W, and what it is made of."""
        raise NotImplementedError

    # scikit-learn's side.

    def transform(self, X: Matrix) -> Floats:
        """Return the codes of objects, shape (n, n_components): what the network makes of each alone.

        The objects of the fit have the codes in `embedding_`, but for the last bits.

        Parameters
        ----------
        X : array-like, shape (n, n_features)
            Objects with the features of the fit.

        Raises
        ------
        ValueError
            If they have other features, or aren't finite.
        """
        from sklearn.utils.validation import check_is_fitted, validate_data

        check_is_fitted(self, "weights_")
        X = validate_data(self, X, reset=False, dtype=[np.float64, np.float32])
        with threads(check_workers(self.n_jobs)):
            return self.network_.codes(self.weights_, X).astype(self.embedding_.dtype, copy=False)

    def _use_labels(self) -> bool:
        return isinstance(self.neighbors, str) and self.neighbors == "labels"

    def _with(self, y: ArrayLike | None, X: Matrix) -> Self:
        if self._use_labels():
            if y is None and self.labels is None:
                raise ValueError(
                    f"{type(self).__name__} requires y to be passed with neighbors='labels', but the target y is None; "
                    "give the class of each object: fit(X, labels), or labels=labels for a run"
                )
            return super()._with(y, X)
        if self.labels is not None:
            raise ValueError(
                f"labels must be None with neighbors={show(self.neighbors)}, which has no use for them; say "
                "neighbors='labels', or leave them out"
            )
        if y is not None:
            warn(
                f"y has no effect on this {type(self).__name__}, whose neighbors are {show(self.neighbors)}; say "
                "neighbors='labels' for a map by classes, or leave y out"
            )
        return type(self)(**self.get_params(deep=False))

    # What the loop asks.

    def _checked_input(self, X: Any) -> Any:
        check_library()
        X = check_vectors(X)
        if not isinstance(self.hidden, tuple | list):
            raise WrongTypeError(f"hidden must be a tuple of numbers of units, one a layer, got {show(self.hidden)}")
        for n_units in self.hidden:
            check_count("hidden", n_units, 1)
        if (model := self._inner()) is not None:
            check_sums(model, self.n_components)
        if not isinstance(self.neighbors, str) or self.neighbors != "data":
            self._own_P(len(X))
        return X

    def _inner(self) -> Any:
        """Return the model whose cost the codes have, set up for them, or None."""
        given = self._of_codes()
        if given is None:
            return None
        if not isinstance(given, SingleMap):
            raise WrongTypeError(
                f"the codes must have the cost of a model with one map, such as TSNE(), got {show(given)}"
            )
        usual = type(given)().get_params(deep=False)
        set_there = [name for name in _OWN if not _alike(getattr(given, name), usual[name])]
        if set_there:
            raise ValueError(
                f"{type(given).__name__} must leave {', '.join(set_there)} to {type(self).__name__}, whose run it is; "
                "set them there"
            )
        return clone(given).set_params(max_iter=self.max_iter, n_components=self.n_components)

    def _own_P(self, n_objects: int) -> sparse.csr_array | None:
        """Return the conditional P that was given, or that labels make; None for that of the data."""
        if isinstance(self.neighbors, str):
            if self.neighbors == "data":
                return None
            if self.neighbors == "labels":
                return label_pairs(self.labels, n_objects)
            raise ValueError(f"neighbors must be 'data', 'labels' or a conditional P, got {show(self.neighbors)}")
        P = check_conditional(self.neighbors, "neighbors")
        if P.shape[0] != n_objects:
            raise ValueError(f"neighbors must be a P of the {n_objects} objects of X, got one of {P.shape[0]}")
        return sparse.csr_array(P)

    def _network(self, X: Any) -> Network:
        mean = X.mean(axis=0, dtype=np.float64)
        scale = float(np.sqrt(np.mean(np.square(X - mean))))
        n_components = check_count("n_components", self.n_components, 1)
        sizes = (X.shape[1], *self.hidden, n_components)
        return Network(sizes, mean, scale or 1.0, self._decoder, self._linear(X))

    def _linear(self, X: Any) -> bool:
        """Tell whether the output units of a decoder are linear, checked."""
        return False

    def _layout(self, X: Any, n_components: int) -> Layout:
        return NetworkLayout(self._network(X), X)

    def _recall(self) -> float:
        return 0.0  # `neighbors` says whose they are here; how they are found, the model of the codes says

    def _target(self, X: Any, perplexity: float | None, least_p: float | None) -> Target:
        model, P = self._inner(), self._own_P(len(X))
        if model is None:
            return Target(Coding(self._network(X), X, None, None), 0.0, np.empty(0, np.int64))
        if P is None:
            made = model._target(X, perplexity, least_p)
        else:
            made = target(P, "probabilities", None, model._convention, least_p)
        return Target(Coding(self._network(X), X, model, made), made.dropped_mass, made.tied, made.recall)

    def _attractive_pairs(self, P: Any) -> Any:
        pairs = None if P.model is None else P.model._attractive_pairs(P.made.P)
        return Coding(P.network, P.X, P.model, P.made, pairs)

    def _evaluation(self, pairs: Any, Y: Floats, W: Floats | None, knobs: Mapping[str, float]) -> Evaluation:
        assert W is not None
        return self._parts(pairs, Y[0], W, knobs).evaluation

    def _schedules_of(self, X: Any) -> dict[str, Any]:
        own = self._steps(lambda: _RATE, _MOMENTUM)
        model = self._inner()
        if model is None:
            return own
        schedules = {name: value for name, value in model._schedules_of(X).items() if name not in own}
        if not (isinstance(self.neighbors, str) and self.neighbors == "data"):
            schedules.pop("perplexity", None)
        return {**schedules, **own}

    def _phase(self, knobs: Mapping[str, float]) -> str:
        model = self._inner()
        return super()._phase(knobs) if model is None else model._phase(knobs)

    def _start(
        self, layout: Layout, positions: Floats | None, rng: np.random.Generator
    ) -> tuple[Floats, Floats | None]:
        assert isinstance(layout, NetworkLayout)
        return np.empty(0), layout.weights_at(positions, rng)

    def _keep(self, problem: Problem, state: State, rows: list[dict[str, Any]]) -> None:
        super()._keep(problem, state, rows)
        self.network_, self.weights_ = problem.target(state.knobs).P.network, np.array(state.memory["weights"])

    def _keep_target(self, made: Target) -> None:
        if made.P.made is not None:
            OneMap._keep_target(self, made.P.made)


def _alike(one: Any, other: Any) -> bool:
    return one is other or (np.ndim(one) == 0 and np.ndim(other) == 0 and type(one) is type(other) and one == other)
