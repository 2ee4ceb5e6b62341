"""What the models with several maps share: mixing proportions, restarts, and the penalty told apart."""

import textwrap
from dataclasses import dataclass

import numpy as np

from notebook_sne.checks import check_choice, check_count, check_mixing, check_places
from notebook_sne.fitting.ends import warn_if_useless
from notebook_sne.fitting.problem import Problem
from notebook_sne.fitting.starts import START_WEIGHT_SD
from notebook_sne.mathematics.evaluation import Evaluation
from notebook_sne.mathematics.mixing import log_proportions, weights_of
from notebook_sne.models.base import _RESULT_NAMES, Model
from notebook_sne.optimizers.iterate import DivergedError

__all__ = ["SeveralMaps", "Stages"]

# Nats an object: no restart is tried once the cost is below, as sums in single precision tell no less.
_PERFECT = 3e-7

_RESULTS = """\
maps_ : ndarray of float64, shape (M, N, n_components)
    The map points: of the states at the end of the schedules, the best; of several restarts, the best one.
mixing_ : ndarray of float64, shape (M, N)
    Mixing proportions; those of an object sum to 1 over the maps.
affinities_ : scipy.sparse.csr_array, shape (N, N)
    The P that the cost is measured against.
dropped_mass_ : float
    Share of the mass of P that was left out with small entries.
n_tied_ : int
    How many objects have more nearest neighbors at one distance than the perplexity asks for, as among duplicates:
    these neighbors share their mass evenly. A warning says it, too.
cost_ : float
    Kullback-Leibler divergence of Q from P in nats.
objective_ : float
    What was minimized: the cost and the penalties.
restarts_ : pandas.DataFrame
    One row a restart: its cost, objective and number of updates, whether it diverged after its last finite state,
    and whether it was kept.
n_iter_ : int
    Updates made in the restart that was kept.
state_ : State
    The state that the results were taken from; `iterate(X, start=model.state_)` goes on from it.
trace_ : pandas.DataFrame
    One row a state of the restart that was kept: iteration, phase, cost, objective, penalties (their difference),
    gradient_norm, seconds, and one column a knob.\
"""


@dataclass(frozen=True)
class Stages:
    """A value that takes several steps: each of `values` for `each` updates, and 0 from then on.

    Parameters
    ----------
    values : tuple of float
        One after the other.
    each : int
        Number of updates that each of them holds.
    """

    values: tuple
    each: int

    def __call__(self, t):
        stage = t // self.each
        return self.values[stage] if stage < len(self.values) else 0.0

    @property
    def ends(self):
        """int: the first update from which on the value stays."""
        return len(self.values) * self.each


class SeveralMaps(Model):
    """Base of the models with several maps; not used by itself."""

    _results = ("maps_", "mixing_", "restarts_", *_RESULT_NAMES)
    _inits: tuple = ("auto", "random")
    _pca_by_default = False
    _gains: tuple | None = (0.05, 0.8, 0.01, 4.0)
    _start_sd = 0.1

    def __init_subclass__(cls, **options):
        cls.__doc__ = (cls.__doc__ or "").replace("{results of several}", textwrap.indent(_RESULTS, "    ").lstrip())
        super().__init_subclass__(**options)

    def _weighted(self):
        return isinstance(self.mixing, str) and self.mixing == "free"

    def _fixed_mixing(self, layout):
        M, N, _ = layout.shape
        if isinstance(self.mixing, str):
            check_choice("mixing", self.mixing, ("free", "equal"))
            return np.full((M, N), 1.0 / M)
        return check_mixing("mixing", self.mixing, M, N)

    def _mixing(self, W, layout):
        return np.exp(log_proportions(W)) if W is not None else self._fixed_mixing(layout)

    def _checked_positions(self, init, layout):
        self._fixed_mixing(layout)
        return check_places("init", init, layout.shape)

    def _start(self, layout, positions, rng):
        M, N, d = layout.shape
        if positions is None:
            positions = self._start_sd * rng.standard_normal((M, N, d + self._extra_dimensions()))
        return positions, START_WEIGHT_SD * rng.standard_normal((M, N))

    def _mixture_evaluation(self, pairs, Y, W, knobs):
        """Return the MixtureEvaluation at positions and weights."""
        raise NotImplementedError

    def _evaluation(self, pairs, Y, W, knobs):
        fixed = W is None
        if fixed:
            M, N, _ = Y.shape
            W = weights_of(self.mixing) if not isinstance(self.mixing, str) else np.zeros((M, N))
        here = self._mixture_evaluation(pairs, Y, W, knobs)
        gradient = here.maps.ravel() if fixed else np.concatenate([here.maps.ravel(), here.weights.ravel()])
        return Evaluation(here.objective, gradient, here.cost)

    def fit(self, X, y=None):
        """Fit maps to X, `n_restarts` times, and keep the best.

        Parameters
        ----------
        X : array-like
            The objects, shape (N, n_features); or what `input` names, shape (N, N), dense or sparse.
        y : None
            Not used; it is there as scikit-learn's pipelines pass one.

        Returns
        -------
        self
            The estimator, with its results.

        Raises
        ------
        ValueError
            If X breaks the rules of `input`, or a hyperparameter its own; the message names both.
        DivergedError
            If the positions are no longer finite; what was last finite is kept in the results.

        Notes
        -----
        An interrupt leaves the best results so far behind.
        """
        import pandas as pd

        n_restarts = check_count("n_restarts", self.n_restarts, 1)
        self._forget()  # never the results of other data beside these
        problem = Problem(self, X)
        tried: list[dict] = []
        kept = None
        try:
            for restart in range(n_restarts):
                with self._bar(problem) as bar:
                    self._forget()  # nor those of another restart
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
                self.restarts_ = pd.DataFrame(tried)
                self.restarts_["kept"] = self.restarts_.index == self.restarts_["objective"].idxmin()
        warn_if_useless(problem, self.state_, self.n_iter_)
        return self

    def _forget(self):
        for name in self._results:
            if hasattr(self, name):
                delattr(self, name)

    def fit_transform(self, X, y=None):
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

    def _trace_row(self, state, seconds):
        row = super()._trace_row(state, seconds)
        return {**row, "penalties": state.objective - state.cost}

    def _keep(self, problem, state, rows):
        self.maps_ = np.array(state.Y)
        self.mixing_ = np.array(state.mixing)
        super()._keep(problem, state, rows)
