"""The common part of all models: from hyperparameters and data to a generator of states, and `fit` as a loop over it.

A model adds four things: which P it models, its stored pairs, its evaluation at given knobs, and the schedule of each
knob. `SNE` is the shortest example.

Longer than 300 lines because the defaults of all hooks stand beside what calls them.
"""

from __future__ import annotations

import itertools
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.affinities.metrics import DIRECTIONS, OF_SPARSE, check_metric, input_of, unit_vectors
from notebook_sne.affinities.neighbor_graphs import check_neighbor_graph
from notebook_sne.affinities.probabilities import warn
from notebook_sne.engine.checks.arguments import check_choice, check_count
from notebook_sne.engine.checks.arrays import Floats, Matrix
from notebook_sne.engine.checks.holders import neighbors_held, probabilities_held, refuse_cells
from notebook_sne.engine.checks.numbers import check_given
from notebook_sne.engine.checks.rounding import AS_ROUNDED
from notebook_sne.engine.checks.scales import given_scales, scales_at
from notebook_sne.engine.fitting.hooks import Convention, Pairs
from notebook_sne.engine.fitting.initialization import principal_positions
from notebook_sne.engine.fitting.inputs import (
    INPUTS,
    MOST_SEARCHED_OBJECTS,
    Target,
    check_input,
    check_neighbors,
    perplexity_for,
    refuse_pairs,
    refuse_probabilities,
    refuse_sparse,
    target,
)
from notebook_sne.engine.fitting.knobs import Knobs, check_knob
from notebook_sne.engine.fitting.layout import Layout
from notebook_sne.engine.fitting.problem import Moment, Problem
from notebook_sne.engine.fitting.progress import progress_bar
from notebook_sne.engine.fitting.radii import log_radii
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.fitting.states import States, warn_if_useless
from notebook_sne.engine.fitting.sums import sums_of
from notebook_sne.engine.mathematics.copies import CopyMoves
from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.mathematics.forces import Forces
from notebook_sne.engine.optimizers.schedules import Schedule, Share, Stages, Steps
from notebook_sne.engine.sums import Sums
from notebook_sne.models import unit_of
from notebook_sne.models.estimator import Estimator, estimator

__all__ = ["Model"]


_log = logging.getLogger(__name__)

_RESULT_NAMES = (
    "affinities_",
    "dropped_mass_",
    "n_tied_",
    "neighbor_recall_",
    "cost_",
    "objective_",
    "n_iter_",
    "state_",
    "_trace",
)
# The pull out of the extra dimensions, one after the other: by then nothing stands in their way any more.
_FLATTENING = (0.0, 0.01, 0.03, 0.1, 0.3, 1.0)


@estimator
class Model(Estimator):
    """Base of all models; not used by itself."""

    # In the order of use, which help and completion follow; `estimator` puts a model's own among them.
    perplexity: float | Sequence[float] | Schedule | Literal["auto", "multiscale"] | None = "auto"
    metric: str | Callable[[Any, Any], float] = "euclidean"
    init: Literal["auto", "pca", "random"] | ArrayLike = "auto"
    max_iter: int = 1000
    random_state: int | np.random.RandomState | None = None
    n_components: int = 2
    input: Literal["vectors", "distances", "neighbors", "probabilities", "joint"] = "vectors"
    neighbors: float | Literal["auto", "exact"] = "auto"
    n_jobs: int | None = None
    progress: bool | Literal["auto"] = "auto"
    optimizer: Literal["auto", "momentum", "lbfgs", "conjugate", "spectral"] = "auto"
    learning_rate: float | Schedule | Literal["auto"] = "auto"
    momentum: float | Schedule | Literal["auto"] = "auto"
    sums: Literal["auto", "exact", "mesh"] = "auto"
    adaptive_step: bool = False
    jitter: float | Schedule = 0.0
    penalty: float | Schedule | None = None
    extra_dimensions: int = 0
    least_p: float | Schedule | None = None

    _convention: ClassVar[Convention]
    _inputs: ClassVar[tuple[str, ...]] = INPUTS
    _descent: ClassVar[str] = "momentum"
    _keeps_last: ClassVar[bool] = False  # a fit, of its states: the last, instead of that of the lowest objective
    _in_data_units: ClassVar[bool] = False
    _gains: ClassVar[tuple[float, float, float, float] | None] = None
    _rises: ClassVar[bool] = False
    _inits: ClassVar[tuple[str, ...]] = ("auto", "pca", "random")
    _pca_by_default: ClassVar[bool] = True
    _results: ClassVar[tuple[str, ...]] = _RESULT_NAMES
    _kernel: ClassVar[Literal["gaussian", "student"] | None] = None
    _left_out: ClassVar[Literal["gaussian", "student"] | None] = None
    _sums_by_mesh: ClassVar[bool] = True
    _sparse_vectors: ClassVar[bool] = True
    _tricks: ClassVar[tuple[str, ...]] = ("least_p", "penalty")
    _supervised_elsewhere: ClassVar[bool] = False
    _precision = "float64"  # of the objects, and so of the places that a fit keeps

    @property
    def _sums(self) -> Sums:
        """The function that sums over all pairs of map points, of the form of `gaussian_sums`."""
        if self._kernel is None:
            raise NotImplementedError(f"{type(self).__name__} names no kernel to sum over; set _kernel")
        return sums_of(self._kernel, self.sums)

    # What a model adds.

    def _read(self, X: Any) -> Any:
        """Return what was given as X, read and checked."""
        from sklearn.utils.validation import validate_data

        check_choice("input", self.input, self._inputs)
        self._recall()
        check_metric(self.metric, self.input)
        input = input_of(self, X)
        if (P := probabilities_held(X)) is not None:
            refuse_probabilities(X, P, input, self._convention)
        elif input == "neighbors":
            X = check_neighbor_graph(neighbors_held("X", X))
        elif input != "vectors":
            refuse_cells("X", X, input)
        X = check_given("X", X, 2, where="fit({})")
        refuse_sparse(X, input, vectors_too=not self._sparse_vectors)
        wanted = [np.float64, np.float32] if input == "vectors" else AS_ROUNDED
        may_be_sparse = self._sparse_vectors if input == "vectors" else input != "distances"
        X = validate_data(
            self, X, dtype=wanted, ensure_all_finite=False, accept_sparse="csr" if may_be_sparse else False
        )
        self._precision = "float32" if X.dtype == np.float32 else "float64"
        if input == "vectors":
            refuse_pairs(X)
        return self._checked_input(X)

    def _checked_input(self, X: Any) -> Any:
        """Return X checked under the convention that `input` names."""
        return check_input(X, input_of(self, X))

    def _target(self, X: Any, perplexity: float | None, least_p: float | None) -> Target:
        """Return what the cost is measured against."""
        metric = check_metric(self.metric, self.input)
        perplexity = scales_at(given_scales(self.perplexity), perplexity)
        return target(X, input_of(self, X), perplexity, self._convention, least_p, self._recall(), metric)

    def _radii(self, X: Any, P: Any) -> Floats:
        """Return the log local radii of the objects in the data, shape (N,)."""
        return log_radii(X, input_of(self, X), check_metric(self.metric, self.input), P)

    def _recall(self) -> float:
        """Return the recall that is asked of a search for neighbors, checked."""
        return check_neighbors(self.neighbors)

    def _layout(self, X: Any, n_components: int) -> Layout:
        """Return where the map points lie in what an optimizer moves."""
        n_objects = X.shape[0]
        return Layout(self._n_maps(n_objects), n_objects, n_components, self._weighted())

    def _principal(self, X: Any, n_components: int) -> Floats | None:
        """Return where init="auto" or "pca" begins, shape (N, d), d with extra ones or not; None for at random."""
        required = isinstance(self.init, str) and self.init == "pca"
        if not required and not (self._pca_by_default and input_of(self, X) == "vectors"):
            return None
        if self.metric in DIRECTIONS:
            X = unit_vectors(X, self.metric)
        positions = None
        if extra := self._extra_dimensions():
            positions = principal_positions(X, n_components + extra, required=False)
        if positions is None:
            positions = principal_positions(X, n_components, required=required)
        return positions

    def _attractive_pairs(self, P: Any) -> Pairs:
        """Return the stored pairs of P."""
        raise NotImplementedError

    def _uniform_cost(self, pairs: Any, n_objects: int, knobs: Mapping[str, float]) -> float:
        """Return the cost of a Q that is the same for all pairs, in nats."""
        if not isinstance(pairs, Pairs):
            raise TypeError(
                f"what {type(self).__name__}._attractive_pairs returns must have negentropy, sum p log p in nats, "
                f"got a {type(pairs).__name__}; return what sums.stored_pairs.store makes, or define _uniform_cost"
            )
        N = n_objects
        nats = N * np.log(N - 1) if self._convention == "conditional" else np.log(N * (N - 1.0))
        return pairs.negentropy + nats

    def _evaluation(self, pairs: Any, Y: Floats, W: Floats | None, knobs: Mapping[str, float]) -> Evaluation:
        """Return the Evaluation at positions (M, N, d) and weights (M, N) or None, its gradient flat."""
        raise NotImplementedError

    def _improved(self, pairs: Any, theta: Floats, knobs: Mapping[str, float]) -> Floats:
        """Return where the model's own step leads to."""
        raise NotImplementedError

    def _rounds(self) -> int:
        """Return how many rounds of copy moves a run has, checked."""
        return 0

    def _moves(self, pairs: Any, Y: Floats, W: Floats | None, knobs: Mapping[str, float]) -> CopyMoves:
        """Return the moves from positions (M, N, d) and weights (M, N)."""
        raise NotImplementedError

    def _forces(self, P: Any, Y: Floats, i: int, knobs: Mapping[str, float]) -> Forces:
        """Return the Forces on object i, P being sparse and Y of shape (N, d)."""
        raise NotImplementedError(self._untold("forces"))

    def _costs(self, P: Any, Y: Floats, knobs: Mapping[str, float]) -> Floats:
        """Return each object's share of the cost, shape (N,)."""
        raise NotImplementedError(self._untold("costs"))

    def _untold(self, what: str) -> str:
        name = type(self).__name__
        return f"{name} does not tell its {what}; no model with several maps does, and one with one map where it can"

    def _n_maps(self, n_objects: int) -> int:
        """Return the number of maps, checked."""
        return 1

    def _weighted(self) -> bool:
        """Tell whether there are weights to be found."""
        return False

    def _extra_dimensions(self) -> int:
        """Return how many dimensions more a map begins with, checked."""
        return check_count("extra_dimensions", self.extra_dimensions, 0)

    def _penalties(self, d: int, knobs: Mapping[str, float]) -> Floats:
        """Return lambda of each of d dimensions."""
        penalties = np.full(d, knobs.get("penalty", 0.0))
        penalties[self.n_components :] += knobs.get("flattening", 0.0)
        return penalties

    def _mixing(self, W: Floats | None, layout: Layout) -> Floats | None:
        """Return the mixing proportions that belong to the weights, or None."""
        return None

    def _checked_positions(self, init: ArrayLike, layout: Layout) -> Floats:
        """Return an array given as init, checked."""
        raise NotImplementedError

    def _start(
        self, layout: Layout, positions: Floats | None, rng: np.random.Generator
    ) -> tuple[Floats, Floats | None]:
        """Return the positions and weights to begin at, from those of `init` or, with None, at random."""
        raise NotImplementedError

    def _grouped(self) -> bool:
        """Tell whether a run begins with a group of objects in each of its maps, checked."""
        return False

    def _schedules(self, n_objects: int) -> dict[str, Any]:
        """Return {knob: schedule}; a model adds its own knobs, and may say what else "auto" means."""
        # A joint cost averages over the objects that a conditional one sums over, and so does its gradient.
        conditional = self._convention == "conditional"
        rate = 0.1 if conditional else n_objects / 10
        momentum = Steps(0.5, 0.9, at=50) if conditional else Steps(0.5, 0.8, at=100)
        schedules = {
            "perplexity": self.perplexity,
            "learning_rate": rate if self.learning_rate == "auto" else self.learning_rate,
            "momentum": momentum if self.momentum == "auto" else self.momentum,
            "jitter": self.jitter,
        }
        # What is None is no knob of this run, and costs nothing.
        schedules.update((name, value) for name in self._tricks if (value := getattr(self, name)) is not None)
        if self._extra_dimensions():
            scale = 1.0 if conditional else 1.0 / n_objects
            values = tuple(scale * value for value in _FLATTENING)
            schedules["flattening"] = Stages(values, max(1, min(50, self.max_iter // (2 * len(values)))))
        return schedules

    def _exaggerated_for(self, n_objects: int) -> int:
        """Return for how many updates an exaggeration that is a number holds."""
        return min(250, self.max_iter // 4)

    def _exaggerated(self, schedules: dict[str, Any], n_objects: int) -> dict[str, Any]:
        """Return the schedules with that of the exaggeration, if there is one, which divides the rate "auto"."""
        exaggeration = getattr(self, "exaggeration", None)
        if exaggeration is None:
            if getattr(type(self), "exaggeration", None) is None:
                return schedules
            exaggeration = 1.0  # of a model that exaggerates by default, whose run keeps the knob
        if not callable(exaggeration):
            check_knob("exaggeration", exaggeration)
            exaggeration = Steps(exaggeration, 1.0, at=self._exaggerated_for(n_objects))
        rate = schedules["learning_rate"]
        rate = Share(rate, exaggeration) if self.learning_rate == "auto" else rate
        return {**schedules, "learning_rate": rate, "exaggeration": exaggeration}

    def _schedules_of(self, X: Any) -> dict[str, Any]:
        """Return {knob: schedule}, where "auto" may mean something that follows from the data."""
        schedules = self._schedules(X.shape[0])
        if "perplexity" in schedules:
            schedules["perplexity"] = perplexity_for(self.perplexity, X, input_of(self, X))
        return schedules

    def _phase(self, knobs: Mapping[str, float]) -> str:
        """Return the name of the phase that the knobs make."""
        if knobs.get("exaggeration", 1) != 1:
            return "exaggeration"
        if knobs.get("flattening", 0) > 0:
            return "flattening"
        return "jitter" if knobs.get("jitter", 0) > 0 else "descent"

    # scikit-learn's side.

    def fit(self, X: Matrix, y: object = None) -> Self:
        """Fit a map to X.

        Parameters
        ----------
        X : array-like
            The objects, shape (N, n_features); or what `input` names, shape (N, N).
        y : None
            Not used; scikit-learn's pipelines pass one. UMAP warns of it.

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
        After an interrupt, the results so far are kept; before the first of them, those of an earlier fit.
        """
        if y is not None and self._supervised_elsewhere:
            warn(
                f"y has no effect: unlike umap-learn's, this {type(self).__name__} is never supervised, and its map is "
                "that of fit(X); leave y out, or take baselines.NCA or networks.NNCA for a map by classes"
            )
        with self._replacing():
            problem = Problem(self, X)
            with self._bar(problem) as bar:
                self._descend(problem, problem.begin(), bar)
        warn_if_useless(problem, self.state_, self.n_iter_)
        return self

    def _bar(self, problem: Problem) -> AbstractContextManager[Any]:
        """Return a progress bar; with "auto", at once where P alone takes a second."""
        at_once, name = problem.n_objects > MOST_SEARCHED_OBJECTS, type(self).__name__
        name = f"{name}, affinities" if at_once or self.progress is True else name
        return progress_bar(self.progress, problem.max_iter, name, at_once=at_once)

    def _descend(self, problem: Problem, moment: Moment, bar: Any) -> None:
        """Go down from a moment and keep the best state, or the last, also of a run that is cut short."""
        rows: list[dict[str, Any]] = []
        scales: list[float | None] = []
        began, best, name = time.perf_counter(), None, type(self).__name__
        try:
            for state in itertools.islice(States(problem, moment, Knobs()), problem.max_iter + 1):
                if not rows:
                    bar.unpause()  # the time that P took tells nothing of updates
                bar.set_description(name, refresh=False)
                rows.append(self._trace_row(state, time.perf_counter() - began))
                scales.append(state.memory["own"].get("rate_scale"))
                lower = best is None or state.objective <= best.objective or not problem.comparable(best, state)
                if lower or self._keeps_last:
                    best = state
                if state.iteration:
                    bar.set_postfix_str(f"{state.phase}, {state.cost:.4g}{unit_of(name)}", refresh=False)
                    bar.update()
                if problem.settled(rows, scales):
                    bar.total = bar.n  # all that there was to do; a bar cut short would look like a failure
                    _log.info("%s: at rest after %d updates, cost %.5g", name, state.iteration, state.cost)
                    break
            else:
                _log.info("%s: stopped by max_iter after %d updates, cost %.5g", name, state.iteration, state.cost)
        finally:
            if best is not None:
                self._keep(problem, best, rows)

    def iterate(self, X: Matrix, start: State | None = None, knobs: Knobs | None = None) -> States:
        """Run the model as an endless iterator of states, a `States`.

        Parameters
        ----------
        X : array-like
            As for `fit`.
        start : State, optional
            Continue from this state. A state of the same model continues its run exactly. A state of another model
            gives only its positions: the iteration number keeps rising, and schedules start again.
        knobs : Knobs, optional
            Read before each update; a value set there overrides its schedule. The `knobs` of its states tell which ones
            the model has; any other one is refused.

        Yields
        ------
        State
            The start, then a new state after every update, without end: stop with ``break`` or ``itertools.islice``. A
            run that has converged repeats its place.

        Raises
        ------
        ValueError, TypeError
            At once, if X, start, knobs or a hyperparameter breaks a rule.
        DivergedError
            From ``next``, if positions or cost are no longer finite. ``next`` also raises a ValueError if a knob is set
            that the model doesn't have, or to a value that these data can't have, such as a perplexity of N. Any
            state can be continued with `start`.

        Examples
        --------
        >>> import notebook_sne as ns
        >>> circle = ns.datasets.load_circle(50)
        >>> for state in ns.SNE(perplexity=5, random_state=0).iterate(circle.X):
        ...     if state.iteration == 100:
        ...         break
        >>> state.embedding.shape
        (50, 2)
        """
        if knobs is not None and not isinstance(knobs, Knobs):
            raise TypeError(f"knobs must be a Knobs object, got {type(knobs).__name__}; use Knobs(jitter=0.1)")
        problem = Problem(self, X)
        if knobs is not None:
            problem.refuse_lacking(knobs.turned())
        return States(problem, problem.begin(start), knobs or Knobs())

    def _trace_row(self, state: State, seconds: float) -> dict[str, Any]:
        row = {
            "iteration": state.iteration,
            "phase": state.phase,
            "cost": state.cost,
            "objective": state.objective,
            "gradient_norm": state.gradient_norm,
            "seconds": seconds,
            **state.knobs,
        }
        if self.adaptive_step and "learning_rate" in state.knobs:
            row["step"] = state.knobs["learning_rate"] * state.memory["own"]["rate_scale"]
        return row

    def _keep(self, problem: Problem, state: State, rows: list[dict[str, Any]]) -> None:
        """Write the results of a fit."""
        self._keep_target(problem.target(state.knobs))
        self.cost_, self.objective_ = state.cost, state.objective
        self.n_iter_ = rows[-1]["iteration"]
        self.state_ = state
        # Arrays, as in `cv_results_` of scikit-learn: what stores models safely, such as skops, knows no DataFrame.
        self._trace = {name: np.array([row[name] for row in rows]) for name in rows[0]}

    @property
    def trace_(self) -> Any:
        """One row a state of the fit, as a pandas.DataFrame."""
        import pandas as pd

        return pd.DataFrame(self._trace)

    def _keep_target(self, made: Target) -> None:
        """Write what the cost is measured against."""
        self.affinities_, self.dropped_mass_, self.n_tied_ = made.P, made.dropped_mass, len(made.tied)
        self.neighbor_recall_ = made.recall

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        input = input_of(self)
        tags.input_tags.pairwise = tags.input_tags.positive_only = input != "vectors"
        of_sparse = self._sparse_vectors and isinstance(self.metric, str) and self.metric in OF_SPARSE
        tags.input_tags.sparse = of_sparse if input == "vectors" else self.input != "distances"
        return tags
