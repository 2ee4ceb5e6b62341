"""What all models share: from hyperparameters and data to a generator of states, and `fit` as a loop over it.

A model adds four things (see `SNE` for the shortest): which P it models, its stored pairs, its evaluation at given
knobs, and the schedule of each knob.
"""

import itertools
import textwrap
import time

from sklearn.base import BaseEstimator

from notebook_sne.fitting.ends import warn_if_useless
from notebook_sne.fitting.inputs import MOST_SEARCHED_OBJECTS
from notebook_sne.fitting.knobs import Knobs
from notebook_sne.fitting.peers import names_checked, refuse_names
from notebook_sne.fitting.problem import Problem
from notebook_sne.fitting.progress import progress_bar
from notebook_sne.fitting.states import States
from notebook_sne.fitting.sums import sums_of

__all__ = ["Model"]


_COMMON = """\
perplexity : float, default=30
    Effective number of neighbors of an object, 1 < perplexity < N - 1: 2**H, with H the entropy of its row of P in
    bits. Where more neighbors than that are nearest, all at one distance, they share the row evenly. Not used with
    probabilities; None, with distances only, takes them in their own unit.
n_components : int, default=2
    Number of dimensions of the map.
max_iter : int
    Most updates that `fit` makes, and after which a `Run` has finished; the table below has its default. A fit stops
    earlier once the schedules have ended, the cost is clearly below that of the uniform Q, and 50 updates have lowered
    it by less than 1e-5 of itself.
optimizer : {"auto", "momentum", "lbfgs", "conjugate"}, default="auto"
    Gradient descent with momentum, which is "auto", or L-BFGS or conjugate gradients, which have neither rate,
    momentum nor jitter.
learning_rate : float, schedule or "auto", default="auto"
    Length of a step along the gradient: by how many map units a point moves for each nat per map unit. It is halved
    whenever the objective rises by more than 1 %. A schedule, here and elsewhere, is a function of the number of
    updates made so far, such as `Steps` or `Decay`.
momentum : float, schedule or "auto", default="auto"
    Share of the last step that is kept, 0 <= momentum < 1.
jitter : float or schedule, default=0
    Standard deviation of the noise added to each coordinate after each update, in map units.
init : {"auto", "pca", "random"} or array, default="auto"
    Where the run starts: on the first principal components of vectors, whose random starts end 5 % higher on digits;
    at random; or at given map points, of shape (N, n_components), or (M, N, n_components) for M maps or images.
input : {"vectors", "distances", "probabilities", "joint"}, default="vectors"
    What X is: objects, shape (N, n_features); distances, unsquared and not necessarily symmetric; a conditional P,
    dense or sparse, rows summing to 1; a joint P, symmetric, summing to 1, which no model of a conditional P takes.
    A row of a joint P may be empty: its object is pulled by nothing and only pushed, ever more weakly, so that it ends
    outside of the others; where means nothing.
sums : {"auto", "exact", "mesh"}, default="auto"
    How sums over all pairs are made: exactly, at a cost of N^2; by a mesh, at a cost of little more than N and with
    errors of about 0.2 % in the forces, at most 1 %, for maps of one or two dimensions; or, with "auto", by whichever
    is the quicker for the map at hand, which is the mesh from three to five thousand objects on.
random_state : int, RandomState or None, default=None
    Seed of the random start and of the jitter.
n_jobs : int or None, default=None
    Threads. None takes all cores that the process may use, but one thread where an update takes no longer than about a
    millisecond by itself, as with a thousand objects in one map; -1 takes all of them always. Their number does not
    change a single bit. A forked child, as `multiprocessing` makes them on Linux, always uses one.
progress : {"auto", True, False}, default="auto"
    Whether `fit`, and `transform` where there is one, show a progress bar; "auto" shows it after a second, in a
    notebook or a terminal.\
"""

_RESULTS = """\
embedding_ : ndarray of float64, shape (N, n_components)
    The map: of the states at the end of the schedules, the best.
objects_ : ndarray, shape (N, n_features), or None
    The vectors of the fit, against which `transform` measures new objects: the array that was given, and no copy, where
    it holds floating-point numbers. Pickling takes it along. None with any other input.
affinities_ : scipy.sparse.csr_array, shape (N, N)
    The P that the cost is measured against. Up to 3000 objects it is searched over all pairs and entries below 1e-6
    of a row's mass are left out; above, it is searched over the 3 x perplexity nearest neighbors.
dropped_mass_ : float
    Share of the mass of P that was left out with small entries.
n_tied_ : int
    How many objects have more nearest neighbors at one distance than the perplexity asks for, as among duplicates:
    these neighbors share their mass evenly. A warning says it, too.
cost_ : float
    Kullback-Leibler divergence of Q from P in nats, never exaggerated.
objective_ : float
    What was minimized: the cost, with exaggeration where there is any.
n_iter_ : int
    Updates made.
state_ : State
    The state that the results were taken from; `iterate(X, start=model.state_)` goes on from it.
trace_ : pandas.DataFrame
    One row a state: iteration, phase, cost, objective, gradient_norm, seconds, and one column a knob.\
"""


_RESULT_NAMES = ("affinities_", "dropped_mass_", "n_tied_", "cost_", "objective_", "n_iter_", "state_", "trace_")


class Model(BaseEstimator):
    """Base of all models; not used by itself."""

    _convention: str  # "conditional" or "joint": what Q, and so P, is
    _gains: tuple | None = None
    _inits: tuple = ("auto", "pca", "random")
    _pca_by_default = True
    _results: tuple = _RESULT_NAMES
    _kernel = "gaussian"  # or "student"
    _sums_by_mesh = True

    def __init_subclass__(cls, **options):
        # What all models share is written once, above, and stands in the help of each.
        super().__init_subclass__(**options)
        for name, text in (("{common}", _COMMON), ("{results}", _RESULTS)):
            cls.__doc__ = (cls.__doc__ or "").replace(name, textwrap.indent(text, "    ").lstrip())
        if "__init__" in vars(cls):
            cls.__init__ = names_checked(cls.__init__)  # type: ignore[method-assign]

    @names_checked
    def __init__(
        self,
        *,
        perplexity=30.0,
        n_components=2,
        max_iter=1000,
        optimizer="auto",
        learning_rate="auto",
        momentum="auto",
        jitter=0.0,
        init="auto",
        input="vectors",
        sums="auto",
        random_state=None,
        n_jobs=None,
        progress="auto",
    ):
        self.perplexity = perplexity
        self.n_components = n_components
        self.max_iter = max_iter
        self.optimizer = optimizer
        self.learning_rate = learning_rate
        self.momentum = momentum
        self.jitter = jitter
        self.init = init
        self.input = input
        self.sums = sums
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    @property
    def _sums(self):
        """The function that sums over all pairs of map points, of the form of `gaussian_sums`."""
        return sums_of(self._kernel, self.sums)

    # What a model adds.

    def _attractive_pairs(self, P):
        """Return the stored pairs of P."""
        raise NotImplementedError

    def _evaluation(self, pairs, Y, W, knobs):
        """Return the Evaluation at positions (M, N, d) and weights (M, N) or None, its gradient flat."""
        raise NotImplementedError

    def _forces(self, P, Y, i, knobs):
        """Return the Forces on object i, P being sparse and Y of shape (N, d)."""
        raise NotImplementedError(f"{type(self).__name__} does not tell its forces; no model with several maps does")

    def _costs(self, P, Y, knobs):
        """Return each object's share of the cost, shape (N,)."""
        raise NotImplementedError(f"{type(self).__name__} does not tell its costs; no model with several maps does")

    def _n_maps(self, n_objects):
        """Return the number of maps, checked."""
        return 1

    def _weighted(self):
        """Tell whether there are weights to be found."""
        return False

    def _extra_dimensions(self):
        """Return how many dimensions more a map begins with."""
        return 0

    def _mixing(self, W, layout):
        """Return the mixing proportions that belong to the weights, or None."""
        return None

    def _checked_positions(self, init, layout):
        """Return an array given as init, checked."""
        raise NotImplementedError

    def _start(self, layout, positions, rng):
        """Return the positions and weights to begin at, from those of `init` or, with None, at random."""
        raise NotImplementedError

    def _schedules(self, n_objects):
        """Return {knob: schedule}; a model adds its own knobs and says what "auto" means."""
        return {
            "perplexity": self.perplexity,
            "learning_rate": self.learning_rate,
            "momentum": self.momentum,
            "jitter": self.jitter,
        }

    def _phase(self, knobs):
        """Return the name of the phase that the knobs make."""
        return "jitter" if knobs.get("jitter", 0) > 0 else "descent"

    # scikit-learn's side.

    def set_params(self, **params):
        """Set hyperparameters, as of any estimator of scikit-learn.

        Parameters
        ----------
        **params
            Their new values, by name.

        Returns
        -------
        self
            The estimator.

        Raises
        ------
        ValueError
            If the model has no such parameter; the message names the one that a name of other packages stands for.
        """
        refuse_names(type(self).__name__, params, self._get_param_names(), ValueError)
        return super().set_params(**params)

    def fit(self, X, y=None):
        """Fit a map to X.

        Parameters
        ----------
        X : array-like
            The objects, shape (N, n_features); or what `input` names, shape (N, N).
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
        An interrupt leaves the results so far behind.
        """
        for name in self._results:
            if hasattr(self, name):
                delattr(self, name)  # never the results of other data beside these
        problem = Problem(self, X)
        with self._bar(problem) as bar:
            self._descend(problem, problem.begin(), bar)
        warn_if_useless(problem, self.state_, self.n_iter_)
        return self

    def _bar(self, problem):
        """Return a progress bar; with "auto", at once where P alone takes a second."""
        at_once, name = problem.n_objects > MOST_SEARCHED_OBJECTS, type(self).__name__
        name = f"{name}, affinities" if at_once or self.progress is True else name
        return progress_bar(self.progress, problem.max_iter, name, at_once=at_once)

    def _descend(self, problem, moment, bar):
        """Go down from a moment and keep the best state, also of a run that is cut short."""
        rows: list[dict] = []
        scales: list[float | None] = []
        began, best = time.perf_counter(), None
        try:
            for state in itertools.islice(States(problem, moment, Knobs()), problem.max_iter + 1):
                bar.set_description(type(self).__name__, refresh=False)
                rows.append(self._trace_row(state, time.perf_counter() - began))
                scales.append(state.memory["own"].get("rate_scale"))
                if best is None or state.objective <= best.objective or not problem.comparable(best, state):
                    best = state
                if state.iteration:
                    bar.set_postfix_str(f"{state.phase}, {state.cost:.4g} nats", refresh=False)
                    bar.update()
                if problem.settled(rows, scales):
                    bar.total = bar.n  # all that there was to do; a bar cut short would look like a failure
                    break
        finally:
            if best is not None:
                self._keep(problem, best, rows)

    def iterate(self, X, start=None, knobs=None):
        """Run the model as an endless iterator of states, a `States`.

        Parameters
        ----------
        X : array-like
            As for `fit`.
        start : State, optional
            Go on from this state. One of the same model continues its run exactly; one of another model gives
            its positions only: the iteration number goes on rising, schedules start anew.
        knobs : Knobs, optional
            Read before each update; what is turned there wins over its schedule.

        Yields
        ------
        State
            The start, then a fresh one after every update, for ever: stop with ``break`` or ``itertools.islice``. A run
            that has converged repeats its place.

        Raises
        ------
        ValueError, TypeError
            At once, if X, start, knobs or a hyperparameter breaks a rule.
        DivergedError
            From ``next``, if positions or cost are no longer finite. It also raises a ValueError when a knob is turned
            to what these data cannot have, such as a perplexity of N. Any state can be continued with `start`.

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
        return States(problem, problem.begin(start), knobs or Knobs())

    def _trace_row(self, state, seconds):
        return {
            "iteration": state.iteration,
            "phase": state.phase,
            "cost": state.cost,
            "objective": state.objective,
            "gradient_norm": state.gradient_norm,
            "seconds": seconds,
            **state.knobs,
        }

    def _keep(self, problem, state, rows):
        """Write the results of a fit."""
        import pandas as pd

        made = problem.target(state.knobs)
        self.affinities_, self.dropped_mass_, self.n_tied_ = made.P, made.dropped_mass, len(made.tied)
        self.cost_, self.objective_ = state.cost, state.objective
        self.n_iter_ = rows[-1]["iteration"]
        self.state_ = state
        self.trace_ = pd.DataFrame(rows)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.input != "vectors"
        tags.input_tags.sparse = self.input in ("probabilities", "joint")
        tags.input_tags.positive_only = self.input != "vectors"
        return tags
