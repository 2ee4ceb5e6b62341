"""The common part of methods that are fitted to classes, which are given with the fit or before it."""

from __future__ import annotations

from typing import Any, Self

from numpy.typing import ArrayLike

from notebook_sne.engine.checks.arrays import Matrix
from notebook_sne.engine.fitting.knobs import Knobs
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.fitting.states import States
from notebook_sne.engine.objects.named import in_order_of
from notebook_sne.models.bases import TransformerMixin
from notebook_sne.models.single import WithoutP

__all__ = ["Labeled"]


class Labeled(TransformerMixin, WithoutP):
    """Base of NCA and the maps by networks; not used by itself."""

    labels: ArrayLike | None

    def _use_labels(self) -> bool:
        """Tell whether the classes count."""
        return True

    def _with(self, y: ArrayLike | None, X: Matrix) -> Self:
        """Return this estimator with the classes y of X in its `labels`, or raise a ValueError if they are unclear."""
        name = type(self).__name__
        if y is None and self.labels is None:
            raise ValueError(
                f"{name} requires y to be passed, but the target y is None; give the class of each object: "
                f"fit(X, labels), or {name}(labels=labels) for a run"
            )
        if y is not None and self.labels is not None:
            raise ValueError("the classes must be given once, got both y and labels; leave out one of them")
        (labels,) = in_order_of(X, labels=self.labels)  # a y goes by its order, as everywhere in scikit-learn
        return type(self)(**{**self.get_params(deep=False), "labels": labels if y is None else y})

    def fit(self, X: Matrix, y: ArrayLike | None = None) -> Self:  # type: ignore[override]
        """Fit a map to X and, if they count, to the classes of its objects.

        Parameters
        ----------
        X : array-like, shape (N, n_features)
            The objects.
        y : array-like, shape (N,), or None
            The class of each, where `labels` has none.

        Returns
        -------
        self
            The estimator, with its results.

        Raises
        ------
        ValueError
            If classes count and there are none, or both `y` and `labels`; if an object has none, or all have the same;
            if X or a hyperparameter breaks its rules.
        ImportError
            From a map by a network, if autograd isn't installed; the message says how to get it.
        """
        fitted = self._with(y, X)
        names = (*self._results, "n_features_in_", "feature_names_in_")
        try:
            WithoutP.fit(fitted, X)
        finally:
            if hasattr(fitted, "n_iter_"):
                self._forget(names)
                vars(self).update({name: value for name, value in vars(fitted).items() if name in names})
        return self

    fit_transform = WithoutP.fit_transform

    def iterate(
        self, X: Matrix, start: State | None = None, knobs: Knobs | None = None, y: ArrayLike | None = None
    ) -> States:
        """Run the model as an endless iterator of states; as that of all models, with the classes `y`.

        Parameters
        ----------
        X, start, knobs
            As of all models.
        y : array-like, shape (N,), or None
            As for `fit`.
        """
        return WithoutP.iterate(self._with(y, X), X, start, knobs)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self._use_labels() and self.labels is None
        return tags
