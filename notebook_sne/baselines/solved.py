"""The common part of the maps that are solved at once: a fit, places of new objects, and a run that begins at its end.

An eigenvalue problem or a semidefinite program has one solution, and no path to it that is worth watching. Nothing here
is random: the same data give the same map, so there is no `random_state`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted, validate_data

from notebook_sne.baselines.dissimilarities import checked
from notebook_sne.engine.checks.arguments import (
    check_choice,
    check_count,
    check_new_distances,
    check_new_vectors,
    check_number,
)
from notebook_sne.engine.checks.arrays import Array, Floats, Matrix
from notebook_sne.engine.checks.numbers import check_given
from notebook_sne.engine.checks.rounding import AS_ROUNDED
from notebook_sne.engine.fitting.initialization import START_SD
from notebook_sne.engine.fitting.inputs import refuse_pairs, refuse_sparse
from notebook_sne.engine.fitting.knobs import Knobs
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.machine.parallel import one_thread
from notebook_sne.engine.objects.named import in_order_of
from notebook_sne.models.bases import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from notebook_sne.models.estimator import Estimator, estimator

__all__ = ["PlacingMap", "SolvedMap"]

_LARGEST = 1e150  # its square is still finite


@estimator
class SolvedMap(Estimator):
    """Base of the maps that are solved at once; not used by itself."""

    n_components: int = 2
    input: Literal["vectors", "distances"] = "vectors"

    max_iter: ClassVar[int] = 1
    _vectors_only: ClassVar[str] = ""
    """Why, and what to do, where the method takes no distances."""

    def _solve(self, X: Array, y: Any) -> Floats:
        """Return the map of checked data, shape (N, n_components), and keep what else there is; `cost_` is set too."""
        raise NotImplementedError

    def fit(self, X: Matrix, y: ArrayLike | None = None) -> Self:
        """Find the map of X.

        Parameters
        ----------
        X : array-like
            The objects, shape (N, n_features); or with ``input="distances"`` their distances, shape (N, N), which must
            be symmetric.
        y : array-like, shape (N,), optional
            The class of each object, for a method that needs classes; others don't use it.

        Returns
        -------
        self
            The estimator, with its results.

        Raises
        ------
        ValueError, TypeError
            If X breaks the rules of `input`, or a hyperparameter its own; the message names objects.
        """
        with self._replacing():
            if y is None:
                (y,) = in_order_of(X, labels=getattr(self, "labels", None))
            X = check_given("X", X, 2, where="fit({})")
            if check_choice("input", self.input, ("vectors", "distances")) == "distances" and self._vectors_only:
                raise ValueError(f"input='distances' does not fit {type(self).__name__}, {self._vectors_only}")
            refuse_sparse(X, self.input, vectors_too=True)
            wanted = [np.float64, np.float32] if self.input == "vectors" else AS_ROUNDED
            X = validate_data(self, X, dtype=wanted, ensure_all_finite=False)
            self._precision = "float32" if X.dtype == np.float32 else "float64"
            if self.input == "vectors":
                refuse_pairs(X)
            X = checked(X, self.input)
            if (largest := float(np.abs(X).max())) > _LARGEST:
                raise ValueError(
                    f"X must not exceed {_LARGEST:g}, whose square is still finite, got {largest:g}; rescale it"
                )
            if check_count("n_components", self.n_components, 1) >= len(X):
                raise ValueError(f"n_components must be below N = {len(X)}, got {self.n_components}; lower it")
            # One thread of linear algebra: several add in another order, and the map would depend on their number.
            with one_thread():
                self.embedding_ = self._solve(np.asarray(X, np.float64), y).astype(self._precision)
            self.n_iter_ = 1
        return self

    def fit_transform(self, X: Matrix, y: ArrayLike | None = None) -> Floats:
        """Find the map of X and return it.

        Parameters
        ----------
        X, y
            As for `fit`.

        Returns
        -------
        Y : ndarray, shape (N, n_components)
            The map, which `embedding_` keeps.
        """
        return self.fit(X, y).embedding_

    def start(self, sd: float = START_SD) -> Floats:
        """Return the map as a start for a model: about the origin, and as small as such starts are.

        Parameters
        ----------
        sd : float, default=1e-4
            Standard deviation of the widest axis, in map units.

        Returns
        -------
        Y : ndarray, shape (N, n_components)
            For the `init` of a model; `embedding_` itself, in the unit of the method, would be too wide a start.

        Raises
        ------
        ValueError
            If `sd` isn't above 0.

        Examples
        --------
        >>> import notebook_sne as ns
        >>> roll = ns.datasets.load_swiss_roll(300)
        >>> flat = ns.baselines.Isomap(n_neighbors=8).fit(roll.X)
        >>> model = ns.TSNE(init=flat.start(), random_state=0)
        >>> next(model.iterate(roll.X)).embedding.shape
        (300, 2)
        """
        check_is_fitted(self)
        check_number("sd", sd, 0.0, closed=False)
        Y = self.embedding_ - self.embedding_.mean(axis=0)
        return Y * (sd / Y.std(axis=0).max())

    def iterate(
        self, X: Matrix, start: State | None = None, knobs: Knobs | None = None, y: ArrayLike | None = None
    ) -> Iterator[State]:
        """Find the map of X, and yield it without end, as a run that has converged repeats its place.

        So `watch` and `compare` show the map, a `Run` records it, and can switch from it to a model.

        Parameters
        ----------
        X : array-like
            As for `fit`.
        start : State, optional
            The iteration number goes on from this state; its positions aren't used.
        knobs : Knobs, optional
            Not used: there is nothing to turn.
        y : array-like, shape (N,), optional
            As for `fit`.

        Yields
        ------
        State
            The map, at a cost of `cost_`, in the unit of the method.

        Raises
        ------
        ValueError, TypeError
            At once, as `fit` does.
        """
        made = clone(self).fit(X, y)
        return made._standing(0 if start is None else start.iteration)

    def _standing(self, iteration: int) -> Iterator[State]:
        Y, cost = np.array(self.embedding_, np.float64)[None], vars(self)["cost_"]
        while True:
            yield State(iteration, "solved", cost, cost, Y, None, 0.0, {}, type(self).__name__, {})
            iteration += 1

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = tags.input_tags.positive_only = self.input == "distances"
        return tags


class PlacingMap(ClassNamePrefixFeaturesOutMixin, TransformerMixin, SolvedMap):
    """Base of those that have a place for new objects; not used by itself."""

    def _place(self, X: Array) -> Floats:
        """Return the places of checked new objects, shape (n, n_components)."""
        raise NotImplementedError

    fit_transform = SolvedMap.fit_transform

    def transform(self, X: Matrix) -> Floats:
        """Place new objects in the map; it stays as it is.

        Parameters
        ----------
        X : array-like
            The new objects, as in the fit: vectors, shape (n, n_features); or their distances to the fitted objects,
            shape (n, N).

        Returns
        -------
        Y : ndarray, shape (n, n_components)
            Their places. Where objects are placed by others, as by LLE, those of the fit have another one now.

        Raises
        ------
        ValueError
            If X breaks these rules.
        """
        check_is_fitted(self)
        X = check_given("X", X, 2, where="transform({})")
        wanted = np.float64 if self.input == "vectors" else AS_ROUNDED
        X = validate_data(self, X, dtype=wanted, ensure_all_finite=False, reset=False)
        if self.input == "distances":
            X = check_new_distances(X, len(self.embedding_))
        else:
            X = check_new_vectors(X)
        with one_thread():
            return self._place(X).astype(self.embedding_.dtype, copy=False)

    @property
    def _n_features_out(self) -> int:
        return self.embedding_.shape[1]
