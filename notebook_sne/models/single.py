"""The common part of models with one map: their results, and the places of new objects.

`WithoutP` is for the methods of `notebook_sne.baselines` and similar ones, which have no P and no such places.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from notebook_sne.affinities.metrics import check_metric, input_of
from notebook_sne.engine.checks.arrays import Floats, Matrix
from notebook_sne.engine.checks.maps import check_start
from notebook_sne.engine.fitting.hooks import Convention
from notebook_sne.engine.fitting.initialization import START_SD, widened
from notebook_sne.engine.fitting.inputs import Target
from notebook_sne.engine.fitting.knobs import check_knob
from notebook_sne.engine.fitting.layout import Layout
from notebook_sne.engine.fitting.out_of_sample import Origin, place
from notebook_sne.engine.fitting.problem import Problem
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.mathematics import out_of_sample
from notebook_sne.engine.mathematics.density import with_density
from notebook_sne.engine.mathematics.evaluation import Evaluation, penalized
from notebook_sne.engine.optimizers.schedules import Schedule, Steps
from notebook_sne.models.base import _RESULT_NAMES, Model
from notebook_sne.models.bases import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from notebook_sne.models.estimator import estimator

__all__ = ["OneMap", "Placing", "SingleMap", "WithoutP"]

_LAST = 0.3  # share of the updates in which densities are kept


class Placing(Model):
    """Base of the models that place new objects; not used by itself."""

    _results: ClassVar[tuple[str, ...]] = ("objects_", "_origin", *_RESULT_NAMES)

    def _places(self, P: sparse.csr_array, knobs: Mapping[str, float]) -> Any:
        """Return the places of new objects from p_{j|i}, CSR of shape (n, N)."""
        raise NotImplementedError

    def _width_of_new(self) -> Any:
        """Return what sets the weights of new objects where no perplexity does; None for distances in their unit."""
        return None

    def _keep(self, problem: Problem, state: State, rows: list[dict[str, Any]]) -> None:
        input = input_of(self, problem.X)
        self.objects_ = problem.X if input == "vectors" else None
        self._origin = Origin.of(input, self.objects_, check_metric(self.metric, self.input))
        super()._keep(problem, state, rows)


class OneMap(ClassNamePrefixFeaturesOutMixin, Model):
    """Base of all methods with one map, whether they have a P or not; not used by itself."""

    _results: ClassVar[tuple[str, ...]] = ("embedding_", *_RESULT_NAMES)

    def _evaluate(self, pairs: Any, Y: Floats, knobs: Mapping[str, float]) -> Evaluation:
        """Return the Evaluation at Y, shape (N, d), under the given values of the knobs."""
        raise NotImplementedError

    def _evaluation(self, pairs: Any, Y: Floats, W: Floats | None, knobs: Mapping[str, float]) -> Evaluation:
        here = self._evaluate(pairs, Y[0], knobs)
        if "penalty" in knobs or "flattening" in knobs:
            here = penalized(here, Y[0], self._penalties(Y.shape[2], knobs))
        if knobs.get("density"):
            here = with_density(here, pairs, Y[0], knobs["density"])
        return here._replace(gradient=here.gradient.ravel())

    def _schedules(self, n_objects: int) -> dict[str, Any]:
        schedules = self._exaggerated(super()._schedules(n_objects), n_objects)
        if "density" in schedules:
            schedules["density"] = self._late(schedules["density"])
        return schedules

    def _late(self, density: Any) -> Schedule:
        """Return the schedule of a density, where a number holds for the last 30% of the updates. [Narayan2021]"""
        if (input := input_of(self)) in ("probabilities", "joint"):
            raise ValueError(
                f"density needs the distances of the data, which a P does not have, got input={input!r}; give vectors, "
                "distances or neighbors, or leave density out"
            )
        if callable(density):
            return density
        return Steps(0.0, check_knob("density", density), at=self.max_iter - round(_LAST * self.max_iter))

    @classmethod
    def _going_on(cls, before: Any) -> dict[str, Any]:
        """Return what to set beside data and perplexity, where it takes over a run of the model `before`."""
        return {}

    def _checked_positions(self, init: ArrayLike, layout: Layout) -> Floats:
        return check_start("init", init, *layout.shape[1:])

    def _start(
        self, layout: Layout, positions: Floats | None, rng: np.random.Generator
    ) -> tuple[Floats, Floats | None]:
        _, N, d = layout.shape
        d += self._extra_dimensions()
        if positions is None:
            positions = START_SD * rng.standard_normal((N, d))
        return widened(positions, d, rng)[None], None

    def _keep(self, problem: Problem, state: State, rows: list[dict[str, Any]]) -> None:
        self.embedding_ = np.array(state.embedding, self._precision)
        super()._keep(problem, state, rows)

    def _fitted_places(self) -> Floats:
        """Return the map in double precision, in which new objects are placed."""
        return np.asarray(self.embedding_, np.float64)

    @property
    def _n_features_out(self) -> int:
        return self.embedding_.shape[1]


@estimator
class WithoutP(OneMap):
    """Base of the methods with one map that make no P of their input; not used by itself."""

    # Fields of the models with a P: no width is searched for, and no mesh sums what these sum.
    perplexity: ClassVar[None] = None  # type: ignore[misc]
    least_p: ClassVar[None] = None  # type: ignore[misc]
    metric: ClassVar[Literal["euclidean"]] = "euclidean"  # type: ignore[misc]
    neighbors: ClassVar[Literal["exact"]] = "exact"  # type: ignore[misc]
    penalty: ClassVar[None] = None  # type: ignore[misc]
    extra_dimensions: ClassVar[int] = 0  # type: ignore[misc]
    sums: ClassVar[Literal["exact"]] = "exact"  # type: ignore[misc]

    _convention: ClassVar[Convention] = "none"
    _sparse_vectors = False
    _inputs: ClassVar[tuple[str, ...]] = ("vectors",)
    _descent = "lbfgs"
    _sums_by_mesh = False

    def _attractive_pairs(self, P: Any) -> Any:
        return P

    def _steps(self, rate: Callable[[], float], momentum: float) -> dict[str, Any]:
        """Return {knob: schedule} of the steps down, from what "auto" stands for."""
        return {
            "learning_rate": rate() if self.learning_rate == "auto" else self.learning_rate,
            "momentum": momentum if self.momentum == "auto" else self.momentum,
            "jitter": self.jitter,
        }

    def fit_transform(self, X: Matrix, y: Any = None) -> Floats:
        """Fit a map to X and return it.

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

    def _keep_target(self, made: Target) -> None:
        pass


class SingleMap(TransformerMixin, OneMap, Placing):
    """Base of the models with one map; not used by itself."""

    _results: ClassVar[tuple[str, ...]] = ("embedding_", *Placing._results)

    def _places(self, P: sparse.csr_array, knobs: Mapping[str, float]) -> Floats:
        """Return the places of new objects, shape (n, d), from p_{j|i}, CSR of shape (n, N).

        As for a Q_i that has the kernel alone. A model whose Q has more to it overrides this; one that neither names a
        kernel nor overrides this has no rule for new objects.
        """
        if self._kernel is None:
            name = type(self).__name__
            raise NotImplementedError(
                f"{name} has no rule for new objects, so transform cannot place them; fit it to all objects together"
            )
        return out_of_sample.places(P, self._fitted_places(), student=self._kernel == "student")[0]

    def fit_transform(self, X: Matrix, y: object = None) -> Floats:
        """Fit a map to X and return it.

        Parameters
        ----------
        X, y
            As for `fit`.

        Returns
        -------
        Y : ndarray, shape (N, n_components)
            The map, which `embedding_` keeps. ``transform(X)`` gives another map: it places every object again, each
            independently.
        """
        return self.fit(X, y).embedding_

    def transform(self, X: Matrix) -> Floats:
        """Place new objects in the map, each independently; the map stays as it is.

        A new object i goes where its own cost, KL(P_i || Q_i) over the fitted objects, is least, with the kernel of the
        model and the perplexity of the fit. P_i are its choices among the fitted objects in the data, and Q_i those
        from its place in the map. It is placed as if alone: neither other new objects nor the number of threads change
        a bit.

        Parameters
        ----------
        X : array-like
            The new objects, as in the fit: vectors, shape (n, n_features), measured as those were; or their distances
            to the fitted objects, or p_{j|i} of new objects i and fitted objects j, dense or sparse, shape (n, N).

        Returns
        -------
        Y : ndarray, shape (n, n_components)
            Their places.

        Raises
        ------
        ValueError
            If X breaks these rules, if the vectors of the fit have been changed in place since, or after a fit to a
            joint P, which says nothing about new objects.

        Warns
        -----
        UserWarning
            If more fitted objects than the perplexity are nearest to a new object; these share its choice evenly.

        Notes
        -----
        A fitted object that is given as a new one lands near its place, not on it: it is now its own nearest neighbor,
        and the choices of the others no longer hold it. If the map is still one clump, as after an early interrupt, new
        objects lie outside, because only from there does a clump look different on each side.

        Besides a copy of the vectors of the fit in double precision, this takes about 150 MB for any number of objects,
        because they are taken in blocks. The equations are in `notebook_sne.engine.mathematics.out_of_sample`.

        Examples
        --------
        >>> import notebook_sne as ns
        >>> digits = ns.datasets.load_digits().sample(30, random_state=0)
        >>> model = ns.TSNE(perplexity=20, max_iter=400, random_state=0).fit(digits.X[:280])
        >>> model.transform(digits.X[280:]).shape
        (20, 2)
        """
        return np.concatenate(place(self, X)).astype(self.embedding_.dtype, copy=False)
