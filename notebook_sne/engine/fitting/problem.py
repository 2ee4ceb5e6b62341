"""A model applied to data: checks at the edge, schedules against knobs, and the generator of states.

Longer than 300 lines because P, schedules and knobs decide together what one update is.
"""

import inspect
import itertools
import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np

from notebook_sne.affinities.metrics import input_of
from notebook_sne.affinities.probabilities import warn_of_perplexity, warn_of_ties
from notebook_sne.engine.checks.arguments import check_choice, check_count, check_perplexity
from notebook_sne.engine.checks.numbers import WrongTypeError, show
from notebook_sne.engine.checks.scales import MULTISCALE, given_scales
from notebook_sne.engine.fitting.annealing import NO_RATIOS, emergence, noted, ratio
from notebook_sne.engine.fitting.hooks import Hooks
from notebook_sne.engine.fitting.initialization import scaled
from notebook_sne.engine.fitting.inputs import Target, largest_scale
from notebook_sne.engine.fitting.knobs import KNOBS, check_knob
from notebook_sne.engine.fitting.layout import check_pins, holding, mask_of, pinned, refuse_pins, without
from notebook_sne.engine.fitting.state import NO_PINS, State
from notebook_sne.engine.fitting.sums import check_sums
from notebook_sne.engine.machine.parallel import SMALL, Crew, check_workers, nanoseconds, threads
from notebook_sne.engine.mathematics.communities import communities, proportions
from notebook_sne.engine.mathematics.evaluation import Evaluation, without_rounding
from notebook_sne.engine.mathematics.mixing import weights_of
from notebook_sne.engine.mathematics.overlapping import overlapping
from notebook_sne.engine.optimizers import alternating, conjugate, descent, lbfgs, spectral
from notebook_sne.engine.optimizers.annealing import Annealed
from notebook_sne.engine.optimizers.iterate import DivergedError, Evaluate, Iterate, norm, read_only
from notebook_sne.engine.optimizers.schedules import is_round, last_change, last_round, value_at
from notebook_sne.engine.sums import mesh_sums
from notebook_sne.engine.sums.memory_order import FEW, MemoryOrder, in_memory_order
from notebook_sne.engine.sums.stored_pairs import MANY, StoredPairs

__all__ = ["SETTLED", "WINDOW", "Moment", "Problem", "jumps"]

_log = logging.getLogger(__name__)

_OPTIMIZERS = {"momentum": descent, "lbfgs": lbfgs, "conjugate": conjugate, "spectral": spectral}
_STEPS = {**_OPTIMIZERS, "alternating": alternating}  # the last is for a model that knows its own step, and no choice
_OWN_KNOBS = ("learning_rate", "momentum", "jitter")  # of descent; no other optimizer has any
# Knobs that change what is minimized: turning one makes the optimizer look anew at where it stands.
_OBJECTIVE_KNOBS = tuple(name for name in KNOBS if name not in _OWN_KNOBS)
_P_KNOBS = ("perplexity", "least_p")  # those that P is made with
# A fit stops when the objective has fallen by less than this share over so many updates.
SETTLED, WINDOW = 1e-5, 50
_NO_MOVES = read_only(np.empty((0, 2), np.int64))  # object and map of each copy moved by an ordinary update
_LARGEST_SEED = 2**32 - 1  # what PCA takes


class _Run(NamedTuple):
    """The part of a run that lasts, beside its positions and the optimizer's memory."""

    origin: int  # the iteration at which the schedules began
    seed: int
    settings: dict[str, float]  # the value of each knob
    rate: float | None  # the learning rate that is held by hand
    moved: np.ndarray = _NO_MOVES  # object and map of each copy that the last update moved
    ratios: np.ndarray = NO_RATIOS  # of a jitter that is `Annealed`: what the fast pass saw
    emerged: float | None = None  # and the noise that it found; None until it has ended
    pins: np.ndarray = NO_PINS  # object and map of each point that is held


class Moment(NamedTuple):
    """The current place of a run, and the part that lasts."""

    now: Iterate
    run: _Run


class _Made(NamedTuple):
    """P at one perplexity and without what is below one share, and its stored pairs."""

    at: tuple[float | None, ...]  # the values of _P_KNOBS
    target: Target
    pairs: Any
    order: MemoryOrder | None  # in which the pairs have the objects, if not in that in which they are given


class Problem:
    """A model's hyperparameters, checked, beside the data that they are applied to."""

    def __init__(self, model: Hooks, X: Any) -> None:
        self.model = model
        self.X = model._read(X)
        self.layout = model._layout(self.X, check_count("n_components", model.n_components, 1))
        self.n_objects = self.layout.shape[1]
        check_sums(model, self.layout.shape[2] + model._extra_dimensions())
        self.max_iter = check_count("max_iter", model.max_iter, 1)
        if not self.layout.weighted:
            model._mixing(None, self.layout)  # given proportions are part of the checks at the edge
        self.most_threads = check_workers(model.n_jobs)
        self.crew = Crew()
        name = check_choice("optimizer", model.optimizer, ("auto", *_OPTIMIZERS))
        self.optimizer_name = model._descent if name == "auto" else name
        self.optimizer = _STEPS[self.optimizer_name]
        if not isinstance(model.adaptive_step, bool | np.bool_):
            raise WrongTypeError(f"adaptive_step must be True or False, got {show(model.adaptive_step)}")
        if name == "spectral" and (self.layout.shape[0] > 1 or self.layout.weighted):
            raise ValueError(
                f"optimizer='spectral' needs one map, got {type(model).__name__}, where what attracts changes with the "
                "proportions; use optimizer='lbfgs' or 'conjugate'"
            )
        # Of one map, whose sums alone look at the pairs: neither proportions nor a solver.
        self._reorders = self.layout.shape[0] == 1 and not self.layout.weighted and self.optimizer is not spectral
        self.rounds = model._rounds()
        self.schedules = self._checked_schedules()
        self.seed = _seed(model.random_state)
        self.init = self._checked_init()
        self._made: Any = None  # what was made last, a _Made
        self._laplacian: Any = None  # of the stored pairs that were asked for last, beside them
        self._warned = False
        if input_of(model) in ("probabilities", "joint"):
            self.target({})  # the convention is part of the checks at the edge

    def _checked_schedules(self) -> dict[str, Any]:
        schedules = dict(self.model._schedules_of(self.X))
        perplexity = schedules.get("perplexity")
        self.scales = None  # several perplexities, or "multiscale"; then the knob is the largest of them
        if input_of(self.model) in ("probabilities", "joint"):
            if callable(perplexity):
                raise ValueError(
                    f"perplexity must be a number with input={input_of(self.model)!r}, where it is not used, got "
                    f"{show(perplexity)}; a P that is given cannot be annealed, so leave it out"
                )
            schedules.pop("perplexity", None)
        elif schedules.get("perplexity", 0) is None:
            if input_of(self.model, self.X) != "distances":
                raise ValueError(
                    "perplexity must be a number with input='vectors', got None; "
                    "only distances have a unit of their own"
                )
            schedules.pop("perplexity")
        elif "perplexity" in schedules:
            self.scales = given_scales(perplexity)
            perplexity = schedules["perplexity"] = largest_scale(self.X, input_of(self.model, self.X), perplexity)
            check_perplexity(value_at(perplexity, 0), self.n_objects)
            if (end := last_change(perplexity)) < np.inf:
                check_perplexity(value_at(perplexity, end), self.n_objects)
        if self.optimizer is not descent:
            for name in _OWN_KNOBS:
                schedules.pop(name, None)
        for name, schedule in schedules.items():
            if isinstance(schedule, Annealed) and name != "jitter":
                raise ValueError(f"{name} must not be Annealed, which is a schedule of the jitter; give Steps or Decay")
            check_knob(name, value_at(schedule, 0))
            if (end := last_change(schedule)) < np.inf:
                check_knob(name, value_at(schedule, end))
        jitter = schedules.get("jitter")
        self.annealed = jitter if isinstance(jitter, Annealed) else None
        self.flat_from = last_change(schedules.get("flattening", 0))
        ends = (last_change(schedule) for schedule in schedules.values())
        self.steady_from = max(*ends, last_round(self.rounds), 0)
        return schedules

    def _checked_init(self) -> Any:
        model, init = self.model, self.model.init
        if not isinstance(init, str):
            return model._checked_positions(init, self.layout)
        check_choice("init", init, model._inits)
        model._grouped()  # which other hyperparameters may not allow
        if init == "pca" and (input := input_of(model, self.X)) != "vectors":
            raise ValueError(f"init='pca' needs input='vectors', got input={input!r}; use init='random'")
        return init

    @property
    def n_threads(self) -> int:
        """How many threads an update is worth; before P is made, which is more work, all that may be used."""
        if self._made is None or self.model.n_jobs is not None:
            return self.most_threads
        M, N, _ = self.layout.shape
        return 1 if nanoseconds(N, M, self._made.target.P.size) < SMALL else self.most_threads

    def _check_start(self, start: Any) -> None:
        if not isinstance(start, State):
            raise WrongTypeError(
                f"start must be a State, got {type(start).__name__}; positions of your own are given as init="
            )
        M, N, d = self.layout.shape
        deepest = d + (self.model._extra_dimensions() if start.model == type(self.model).__name__ else 0)
        if start.Y.shape[:2] != (M, N) or not d <= start.Y.shape[2] <= deepest:
            raise ValueError(f"start must hold positions of shape (M, N, d) = {(M, N, d)}, got {start.Y.shape}")
        if len(start.pins):
            check_pins(start.pins, start.Y.shape)
            refuse_pins(self.layout, type(self.model).__name__)

    def check_same_proportions(self, state: Any) -> None:
        """Raise a ValueError where a state of this run has other proportions than those that the model was given."""
        if not isinstance(state, State) or self.layout.weighted or state.model != type(self.model).__name__:
            return
        mixing = self.model._mixing(None, self.layout)
        if mixing is None or (state.mixing is not None and np.array_equal(mixing, state.mixing)):
            return
        raise ValueError(
            f"state.mixing must be the proportions that {state.model} was given, which stay as they are in a run; for "
            "others give them as mixing=, or have them found by mixing='free'"
        )

    def begin(self, start: State | None = None, restart: int = 0) -> Moment:
        """Return the first moment of a run from `start`, or from the model's own start; a restart has its own seed."""
        if start is None and not restart:
            self._warn_of_perplexity()
        seed = int(np.random.default_rng((self.seed, restart)).integers(_LARGEST_SEED)) if restart else self.seed
        name, n_threads = type(self.model).__name__, self.n_threads
        _log.debug("%s: %d objects, optimizer %s, %d threads", name, self.n_objects, self.optimizer_name, n_threads)
        mesh_sums.forget()
        with threads(n_threads):
            first = self._first(start, seed)
        if self.model._convention != "none":
            self.uniform_cost(first.run.settings)  # which the end of a fit asks for: what it lacks is missed now
        return first

    def _warn_of_perplexity(self) -> None:
        """Warn of one that is too high in the end: that a run goes through, or is turned to, is there to be seen."""
        if "perplexity" in self.schedules and self.scales != MULTISCALE:  # which is meant to go so far
            schedule = self.schedules["perplexity"]
            end = last_change(schedule)
            warn_of_perplexity(value_at(schedule, end if end < np.inf else 0), self.n_objects)

    def next_moment(self, moment: Moment, turned: Mapping[str, float]) -> Moment:
        """Return the moment after one update with the turned knobs, {name: value}."""
        now, run = moment
        t = now.iteration - run.origin
        if self.annealed is not None and t >= self.annealed.fast and run.emerged is None:
            run = run._replace(emerged=emergence(self.annealed, run.ratios))
        settings = self.settings(t, turned, run.emerged)
        rate = turned.get("learning_rate")
        with self.crew.work(self.n_threads):
            evaluate = self.evaluation(settings, run.pins)
            if any(settings.get(name) != run.settings.get(name) for name in _OBJECTIVE_KNOBS):
                memory = self.optimizer.forget(now.memory)
                if self.model._rises and jumps(run.settings, settings):
                    memory = {**memory, "steps": 0}
                now = self.optimizer.begin(now.iteration, now.theta, evaluate, memory)
            elif rate != run.rate and self.optimizer is descent:
                # A learning rate turned by hand holds as it is, whatever the halvings before.
                now = replace(now, memory={**now.memory, "rate_scale": 1.0})
            run = run._replace(settings=settings, rate=rate)
            if t >= self.flat_from:
                theta = self.layout.flat(now.theta)
                if theta.size != now.theta.size:  # the maps have been pressed into their last dimensions
                    now = self.optimizer.begin(now.iteration, theta, evaluate)
            try:
                if is_round(t, self.rounds) and (moved := self._round(now, evaluate, run)):
                    return moved
                after, run = self._step(now, evaluate, settings, run), run._replace(moved=_NO_MOVES)
                if self.annealed is not None and t < self.annealed.fast:
                    seen = (settings["jitter"], ratio(after, self.layout, evaluate, run.seed))
                    run = run._replace(ratios=noted(run.ratios, self.annealed, t, seen))
                return Moment(after, run)
            except DivergedError as error:
                if error.last is not None:
                    error.last = self.state(Moment(error.last, run))
                raise

    def _first(self, start: State | None, seed: int) -> Moment:
        settings = self.settings(0, {})
        if start is None:
            theta = self.layout.join(*self.first_positions(seed))
            # Principal components and random places have no unit, given map points have that of the map.
            theta = self._in_own_unit(theta, not isinstance(self.init, str) and self.model._in_data_units, settings)
            now = self.optimizer.begin(0, theta, self.evaluation(settings))
            return Moment(now, _Run(0, seed, settings, None))
        self._check_start(start)
        _log.info("%s: goes on from update %d of %s", type(self.model).__name__, start.iteration, start.model)
        run, memory = _Run(start.iteration, seed, settings, None, pins=start.pins), None
        theta = self.layout.theta_of(start, own=start.model == type(self.model).__name__, seed=seed)
        if start.model == type(self.model).__name__:
            # The largest of other scales says nothing of these.
            other = {"perplexity"} if start.memory.get("scales") != self.scales else set()
            settings = {**settings, **{k: v for k, v in start.knobs.items() if k in settings and k not in other}}
            origin, seed, rate = (start.memory[name] for name in ("origin", "seed", "rate"))
            run = _Run(origin, seed, settings, rate, start.copies, pins=start.pins)
            if self.annealed is not None:
                run = run._replace(ratios=start.memory.get("ratios", NO_RATIOS), emerged=start.emerged)
            if start.memory["optimizer"] == self.optimizer_name:
                memory = dict(start.memory["own"])
        else:
            theta = self._in_own_unit(theta, start.memory.get("data_units", False), settings)
        now = self.optimizer.begin(start.iteration, theta, self.evaluation(settings, run.pins), memory)
        if memory is not None and now.objective != start.objective:
            # Other data or another P: what the memory says of the objective is no longer true.
            memory = self.optimizer.forget(memory)
            if len(run.pins):
                memory = self.optimizer.displaced(memory, mask_of(self.layout, run.pins, theta.size))
            now = replace(now, memory=memory)
        return Moment(now, run)

    def first_positions(self, seed: int) -> tuple[np.ndarray, np.ndarray | None]:
        """Return the positions (M, N, d) and weights (M, N) that a run starts at."""
        # (seed, 0, 1) is no (seed, t), from which the jitter at update t comes.
        rng, named, grouped = np.random.default_rng((seed, 0, 1)), isinstance(self.init, str), self.model._grouped()
        name = type(self.model).__name__
        if not named and not grouped:
            _log.info("%s: starts at the positions given", name)
            return self.model._start(self.layout, self.init, rng)
        positions = None if not named or self.init == "random" else self.model._principal(self.X, self.layout.shape[2])
        places = "at random places" if positions is None else "on principal components"
        _log.info("%s: starts %s%s, seed %d", name, places, ", a community in each map" if grouped else "", seed)
        Y, W = self.model._start(self.layout, positions, rng)
        if not grouped:
            return Y, W
        if not named:
            return Y, weights_of(self.init)
        n_maps, pairs = self.layout.shape[0], self.made_at(self.settings(0, {})).pairs
        if self.init == "communities":
            return Y, weights_of(proportions(communities(pairs, n_maps, rng), n_maps))
        return Y, weights_of(overlapping(pairs, n_maps, rng))

    def _in_own_unit(self, theta: np.ndarray, data_units: bool, settings: Mapping[str, float]) -> np.ndarray:
        """Return theta, or where it comes from a map in another unit, it in the unit that costs least."""
        if data_units == self.model._in_data_units:
            return theta
        n_coordinates, evaluate = self.layout.n_coordinates(theta), self.evaluation(settings)
        if not n_coordinates:  # a map that is not scaled, as one on a grid
            return theta
        return scaled(theta, n_coordinates, evaluate, self.model._in_data_units)

    def refuse_lacking(self, names: Iterable[str]) -> None:
        """Raise a ValueError where one of the names is of no knob that this run has."""
        for name in names:
            if name not in self.schedules:
                kind = type(self.model).__name__
                raise ValueError(
                    f"{kind} has no knob {show(name)} here, but {', '.join(self.schedules)}; {self._way_to(name)}"
                )

    def _way_to(self, name: str) -> str:
        """Return the hint of the error for a missing knob."""
        if name in _OWN_KNOBS:
            return f"release it: optimizer={self.optimizer_name!r} has none, optimizer='momentum' does"
        if name == "perplexity":
            return "release it: a P that is given, or distances in their own unit, leave nothing to be searched"
        if name in inspect.signature(type(self.model)).parameters:
            return f"release it, or have it by {type(self.model).__name__}({name}=...)"
        return "release it: no schedule of this model has it"

    def settings(self, t: int, turned: Mapping[str, float], emerged: float | None = None) -> dict[str, float]:
        """Return the value of each knob after t updates: as turned, as annealed, or as its schedule has it."""
        self.refuse_lacking(turned)
        own = {} if self.annealed is None else {"jitter": self.annealed(t, emerged)}
        values = {
            name: turned[name] if name in turned else own.get(name, value_at(schedule, t))
            for name, schedule in self.schedules.items()
        }
        return {name: check_knob(name, value, self.n_objects) for name, value in values.items()}

    def target(self, settings: Mapping[str, float]) -> Target:
        """Return the Target at the perplexity of the settings; the last one is remembered."""
        return self.made_at(settings).target

    def target_of(self, state: State) -> Target:
        """Return the Target that a state was pulled with, for viewers: the present one, or a ValueError."""
        if not isinstance(state, State):
            raise WrongTypeError(f"state must be a State of this run, got {show(state)}; give run.state")
        model, made = type(self.model).__name__, self._made
        at = _at(state.knobs)
        if state.model != model or at != made.at:
            raise ValueError(
                f"state must be of {model} at perplexity {made.at[0]}, as the run is now, got one of "
                f"{state.model} at {at[0]}; give run.state"
            )
        return made.target

    def made_at(self, settings: Mapping[str, float]) -> _Made:
        """Return P, and what is computed from it once, for these values of the knobs."""
        perplexity, least_p = at = _at(settings)
        if self._made is None or self._made.at != at:
            made = self.model._target(self.X, perplexity, least_p)
            if len(made.tied) and not self._warned:  # once, however the perplexity is turned
                self._warned = True
                warn_of_ties(made.tied, perplexity if self.scales is None else self.scales)
            pairs: Any = self.model._attractive_pairs(made.P)
            order = None
            if "density" in self.schedules:
                pairs = pairs._replace(radii=self.model._radii(self.X, made.P))
            many = isinstance(pairs, StoredPairs) and len(pairs.columns) > MANY and len(pairs.pointers) > FEW
            if self._reorders and many:
                order, pairs = in_memory_order(pairs)
            # Replaced in one go: another thread may be looking.
            self._made = _Made(at, made, pairs, order)
        return self._made

    def evaluation(self, settings: Mapping[str, float], pins: np.ndarray = NO_PINS) -> Evaluate:
        """Return the objective as a function of all coordinates, at the values of the knobs."""
        made = self.made_at(settings)
        pairs, order = made.pairs, made.order

        def evaluate(theta: np.ndarray) -> Evaluation:
            Y, W = self.layout.split(theta)
            if order is None:
                return self.model._evaluation(pairs, Y, W, settings)
            here = self.model._evaluation(pairs, order.there(Y[0])[None], None, settings)
            return here._replace(gradient=order.back(here.gradient.reshape(Y[0].shape)).ravel())

        return holding(self.layout, pins, evaluate)

    def pinned(
        self, state: State, places: Mapping[tuple[int, int], np.ndarray | None], freed: Collection[tuple[int, int]]
    ) -> State:
        """Return a state of this run with points {(map, object): place or None} held, and others let go."""
        if places:
            refuse_pins(self.layout, type(self.model).__name__)
        own = state.model == type(self.model).__name__ and state.memory.get("optimizer") == self.optimizer_name
        return pinned(state, self.layout, self.optimizer if own else None, places, freed)

    def _round(self, now: Iterate, evaluate: Evaluate, run: _Run) -> Moment | None:
        """Return the moment after a round of copy moves, or None where none is worth while."""
        Y, W = self.layout.split(now.theta)
        found = without(self.model._moves(self.made_at(run.settings).pairs, Y, W, run.settings), Y, W, run.pins)
        if not len(found.moved):
            return None
        theta = read_only(self.layout.join(found.maps, found.weights))
        there = evaluate(theta)
        if not there.objective < now.objective:  # by the sums over all pairs, which foresight leaves to a few
            return None
        memory = self.optimizer.displaced(now.memory, theta != now.theta)
        after = Iterate(now.iteration + 1, theta, there.objective, there.cost, read_only(there.gradient), memory)
        return Moment(after, run._replace(moved=found.moved))

    def _step(self, now: Iterate, evaluate: Evaluate, settings: Mapping[str, float], run: _Run) -> Iterate:
        if self.optimizer is spectral:
            return spectral.step(now, evaluate, solve=self._solver(now, settings, run.pins))
        if self.optimizer is alternating:
            pairs = self.made_at(settings).pairs
            return alternating.step(now, evaluate, improved=lambda theta: self.model._improved(pairs, theta, settings))
        if self.optimizer is not descent:
            return self.optimizer.step(now, evaluate)
        return descent.step(
            now,
            evaluate,
            learning_rate=settings["learning_rate"],
            momentum=settings["momentum"],
            jitter=settings.get("jitter", 0.0),
            gains=self.model._gains,
            rising=self.model._rises,
            slack=1e-3 * self.cost_scale,
            seed=run.seed,
            n_noisy=self.layout.n_coordinates(now.theta),
            adaptive=self.model.adaptive_step,
            held=mask_of(self.layout, run.pins, now.theta.size) if len(run.pins) else None,
        )

    def _solver(
        self, now: Iterate, settings: Mapping[str, float], pins: np.ndarray
    ) -> Callable[[np.ndarray], np.ndarray]:
        """Return what solves with the Laplacian of the stored pairs; the last one is remembered."""
        pairs = self.made_at(settings).pairs
        if not isinstance(pairs, StoredPairs):
            raise ValueError(
                f"optimizer='spectral' needs springs between stored pairs, which {type(self.model).__name__} does not "
                "have; use optimizer='lbfgs' or 'conjugate'"
            )
        known = self._laplacian
        if known is None or known[0] is not pairs or not np.array_equal(known[1], pins):
            factor = 4.0 if self.model._convention == "joint" else 2.0
            free = np.setdiff1d(np.arange(self.n_objects), pins[:, 0]) if len(pins) else None
            self._laplacian = pairs, pins, spectral.Laplacian(pairs, factor, free)
        N, d = self.n_objects, len(now.theta) // self.n_objects
        penalties = self.model._penalties(d, settings)

        def solve(gradient: np.ndarray) -> np.ndarray:
            solution = self._laplacian[2].solve(gradient.reshape(N, d), penalties, settings.get("exaggeration", 1.0))
            return solution.ravel()

        return solve

    def state(self, moment: Moment) -> State:
        """Return the State that shows a moment."""
        now, run = moment
        Y, W = self.layout.split(now.theta)
        phase, annealing = self.model._phase(run.settings), {}
        if self.annealed is not None:
            annealing = {"ratios": run.ratios, "emerged": run.emerged}
            if run.settings["jitter"] > 0:
                phase = "fast pass" if run.emerged is None else "slow pass"
        held = {"pins": run.pins} if len(run.pins) else {}
        scales = {} if self.scales is None else {"scales": self.scales}
        return State(
            iteration=now.iteration,
            phase=phase,
            cost=without_rounding(float(now.cost), self.n_objects),
            objective=float(now.objective),
            Y=Y,
            mixing=self.model._mixing(W, self.layout),
            gradient_norm=norm(now.gradient),
            knobs=run.settings,
            model=type(self.model).__name__,
            memory={
                "optimizer": self.optimizer_name,
                "origin": run.origin,
                "seed": run.seed,
                "rate": run.rate,
                "weights": W,
                "data_units": self.model._in_data_units,
                "copies": run.moved,
                "own": now.memory,
                **annealing,
                **held,
                **scales,
            },
        )

    def comparable(self, one: State, other: State) -> bool:
        """Tell whether two states minimize the same objective without noise, so that the lower one is the better."""
        same = all(one.knobs.get(name) == other.knobs.get(name) for name in _OBJECTIVE_KNOBS)
        same = same and one.Y.shape == other.Y.shape
        return same and not one.knobs.get("jitter") and not other.knobs.get("jitter")

    def uniform_cost(self, settings: Mapping[str, float]) -> float:
        """Return the cost of a map that tells nothing, as all objects are in one place: of a Q that is uniform."""
        return self.model._uniform_cost(self.made_at(settings).pairs, self.n_objects, settings)

    @property
    def cost_scale(self) -> float:
        """The cost of 1 nat per object: a conditional cost sums over objects, a joint one averages over them."""
        convention = self.model._convention
        if convention == "none":
            return self.uniform_cost({})
        return self.n_objects if convention == "conditional" else 1

    def settled(self, rows: Sequence[Mapping[str, Any]], scales: Sequence[float | None]) -> bool:
        """Tell whether a fit may stop: schedules over, cost clearly below that of the uniform Q, and no progress.

        `rows` are those of the trace, `scales` the shares of the learning rate that halving had left at each.
        """
        if rows[-1]["iteration"] <= self.steady_from + WINDOW:
            return False
        window = scales[-1 - WINDOW :]
        if any(b is not None and a is not None and b <= 0.5 * a for a, b in itertools.pairwise(window)):
            return False  # it has just gone back to its best place, and tries again with smaller steps
        now, then = rows[-1], rows[-1 - WINDOW]
        if not now["cost"] < 0.95 * self.uniform_cost(now) or now.get("jitter"):
            return False
        return abs(then["objective"] - now["objective"]) < SETTLED * abs(now["objective"])


def jumps(before: Mapping[str, float], after: Mapping[str, float]) -> bool:
    """Tell whether one of the knobs that say what is minimized has changed by more than a tenth of itself."""
    for name in _OBJECTIVE_KNOBS:
        a, b = before.get(name, 0.0), after.get(name, 0.0)
        if abs(a - b) > 0.1 * max(abs(a), abs(b)):
            return True
    return False


def _at(settings: Mapping[str, float]) -> tuple[float | None, ...]:
    return tuple(settings.get(name) for name in _P_KNOBS)


def _seed(random_state: Any) -> int:
    if isinstance(random_state, Integral) and not isinstance(random_state, bool):
        seed = check_count("random_state", random_state, 0)
        if seed > _LARGEST_SEED:
            raise ValueError(f"random_state must be at most {_LARGEST_SEED}, got {show(seed)}; give a smaller one")
        return seed
    if random_state is not None and not isinstance(random_state, np.random.RandomState):
        raise WrongTypeError(
            f"random_state must be an int, a numpy RandomState or None, got {type(random_state).__name__}; give an int"
        )
    from sklearn.utils import check_random_state

    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
