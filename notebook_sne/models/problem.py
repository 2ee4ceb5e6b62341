"""A model applied to data: checks at the edge, schedules against knobs, and the generator of states."""

from numbers import Integral

import numpy as np
from scipy import sparse

from notebook_sne.checks import check_choice, check_count, check_perplexity, check_points
from notebook_sne.mathematics.parallel import threads
from notebook_sne.models.inputs import INPUTS, check_input, target
from notebook_sne.models.knobs import check_knob
from notebook_sne.models.state import State
from notebook_sne.optimizers import descent, lbfgs
from notebook_sne.optimizers.iterate import DivergedError
from notebook_sne.optimizers.schedules import last_change, value_at

__all__ = ["Problem"]

_OPTIMIZERS = {"momentum": descent, "lbfgs": lbfgs}
# Knobs that change what is minimised: turning one makes the optimiser look anew at where it stands.
_OBJECTIVE_KNOBS = ("perplexity", "background", "exaggeration", "penalty")
_START_SD = 1e-4
# A fit stops when the objective has fallen by less than this share over so many updates.
_SETTLED, _WINDOW = 1e-5, 50


class Problem:
    """A model's hyperparameters, checked, beside the data that they are applied to."""

    def __init__(self, model, X):
        from sklearn.utils.validation import validate_data

        self.model = model
        check_choice("input", model.input, INPUTS)
        check_choice("sums", model.sums, ("auto", "exact"))
        if model.input == "vectors":
            X = validate_data(model, X, dtype=[np.float64, np.float32], ensure_all_finite=False)
        elif not sparse.issparse(X):
            X = validate_data(model, X, dtype=np.float64, ensure_all_finite=False)
        self.X = check_input(X, model.input)
        self.n_objects = self.X.shape[0]
        self.n_components = check_count("n_components", model.n_components, 1)
        self.max_iter = check_count("max_iter", model.max_iter, 1)
        self.n_threads = _threads(model.n_jobs)
        name = check_choice("optimizer", model.optimizer, ("auto", *_OPTIMIZERS))
        self.optimizer_name = "momentum" if name == "auto" else name
        self.optimizer = _OPTIMIZERS[self.optimizer_name]
        self.schedules = self._checked_schedules()
        self.seed = _seed(model.random_state)
        self.init = self._checked_init()
        self._targets = {}
        if model.input in ("probabilities", "joint"):
            self.target({})  # the convention is part of the checks at the edge

    def _checked_schedules(self):
        schedules = dict(self.model._schedules(self.n_objects))
        if self.model.input in ("probabilities", "joint"):
            schedules.pop("perplexity")
        elif schedules["perplexity"] is None:
            if self.model.input != "distances":
                raise ValueError(
                    "perplexity must be a number with input='vectors', got None; "
                    "only distances have a unit of their own"
                )
            schedules.pop("perplexity")
        else:
            check_perplexity(schedules["perplexity"], self.n_objects)
        for name, schedule in schedules.items():
            check_knob(name, value_at(schedule, 0))
        self.steady_from = max(last_change(schedule) for schedule in schedules.values())
        return schedules

    def _checked_init(self):
        init = self.model.init
        if not isinstance(init, str):
            return check_points("init", init, self.n_objects, self.n_components)
        check_choice("init", init, ("auto", "pca", "random"))
        if init == "pca" and self.model.input != "vectors":
            raise ValueError(f"init='pca' needs input='vectors', got input={self.model.input!r}; use init='random'")
        if init == "auto":
            pca = self.model.input == "vectors" and self.n_components <= min(self.X.shape)
            return "pca" if pca else "random"
        return init

    def check_start(self, start):
        """Raise unless a run of this problem can begin at `start`."""
        if start is None:
            return
        if not isinstance(start, State):
            raise TypeError(
                f"start must be a State, got {type(start).__name__}; positions of your own are given as init="
            )
        wanted = (1, self.n_objects, self.n_components)
        if start.Y.shape != wanted:
            raise ValueError(f"start must hold positions of shape (M, N, d) = {wanted}, got {start.Y.shape}")

    def states(self, start, knobs):
        """Generate states from `start`, or from the beginning."""
        with threads(self.n_threads):
            now, settings, origin, seed = self._begin(start)
        while True:
            yield self._state(now, settings, origin, seed)
            wanted = self._settings(now.iteration - origin, knobs.turned())
            with threads(self.n_threads):
                evaluate = self._evaluation(wanted)
                if any(wanted.get(name) != settings.get(name) for name in _OBJECTIVE_KNOBS):
                    memory = self.optimizer.forget(now.memory)
                    now = self.optimizer.begin(now.iteration, now.theta, evaluate, memory)
                settings = wanted
                try:
                    now = self._step(now, evaluate, settings, seed)
                except DivergedError as error:
                    if error.last is not None:
                        error.last = self._state(error.last, settings, origin, seed)
                    raise

    def _begin(self, start):
        if start is None:
            settings = self._settings(0, {})
            return (
                self.optimizer.begin(0, self._first_positions().ravel(), self._evaluation(settings)),
                settings,
                0,
                self.seed,
            )
        memory, origin, seed = None, start.iteration, self.seed
        settings = self._settings(0, {})
        mine = start.memory.get("optimizer") == self.optimizer_name and start.model == type(self.model).__name__
        if mine:
            memory, origin, seed = dict(start.memory["own"]), start.memory["origin"], start.memory["seed"]
            settings = {**settings, **{k: v for k, v in start.knobs.items() if k in settings}}
        now = self.optimizer.begin(start.iteration, start.Y.reshape(-1), self._evaluation(settings), memory)
        if mine and now.objective != start.objective:
            # Other data or another P: what the memory says of the objective is no longer true.
            now = self.optimizer.begin(
                now.iteration, now.theta, self._evaluation(settings), self.optimizer.forget(memory)
            )
        return now, settings, origin, seed

    def _first_positions(self):
        shape = (self.n_objects, self.n_components)
        if isinstance(self.init, np.ndarray):
            return self.init
        if self.init == "random":
            return _START_SD * np.random.default_rng((self.seed, 0, 0)).standard_normal(shape)
        from sklearn.decomposition import PCA

        if self.n_components > min(self.X.shape):
            raise ValueError(
                f"init='pca' gives at most min(N, n_features) = {min(self.X.shape)} components, "
                f"got n_components={self.n_components}; use init='random'"
            )
        Y = PCA(self.n_components, random_state=self.seed).fit_transform(self.X).astype(np.float64)
        return Y * (_START_SD / Y[:, 0].std())

    def _settings(self, t, turned):
        return {name: turned.get(name, value_at(schedule, t)) for name, schedule in self.schedules.items()}

    def target(self, settings):
        """Return the Target at the perplexity of the settings; the last one is remembered."""
        perplexity = settings.get("perplexity")
        if perplexity not in self._targets:
            self._targets.clear()
            made = target(self.X, self.model.input, perplexity, self.model._convention)
            self._targets[perplexity] = (made, self.model._springs(made.P))
        return self._targets[perplexity][0]

    def _evaluation(self, settings):
        self.target(settings)
        pairs = self._targets[settings.get("perplexity")][1]
        shape = (self.n_objects, self.n_components)

        def evaluate(theta):
            here = self.model._evaluate(pairs, theta.reshape(shape), settings)
            return here._replace(gradient=here.gradient.ravel())

        return evaluate

    def _step(self, now, evaluate, settings, seed):
        if self.optimizer is lbfgs:
            return lbfgs.step(now, evaluate)
        # A conditional cost sums over objects, a joint one averages over them.
        slack = 1e-3 * (self.n_objects if self.model._convention == "conditional" else 1)
        return descent.step(
            now,
            evaluate,
            learning_rate=settings["learning_rate"],
            momentum=settings["momentum"],
            jitter=settings["jitter"],
            gains=self.model._gains,
            slack=slack,
            seed=seed,
        )

    def _state(self, now, settings, origin, seed):
        return State(
            iteration=now.iteration,
            phase=self.model._phase(settings),
            cost=float(now.cost),
            objective=float(now.objective),
            Y=now.theta.reshape(1, self.n_objects, self.n_components),
            mixing=None,
            gradient_norm=float(np.linalg.norm(now.gradient)),
            knobs=dict(settings),
            model=type(self.model).__name__,
            memory={"optimizer": self.optimizer_name, "origin": origin, "seed": seed, "own": now.memory},
        )

    def comparable(self, one, other):
        """Tell whether two states minimise the same objective without noise, so that the lower one is the better."""
        same = all(one.knobs.get(name) == other.knobs.get(name) for name in _OBJECTIVE_KNOBS)
        return same and not one.knobs.get("jitter") and not other.knobs.get("jitter")

    def settled(self, rows):
        """Tell whether a fit may stop: schedules over, cost clearly below that of the uniform Q, and no progress."""
        if rows[-1]["iteration"] < self.steady_from + _WINDOW:
            return False
        now, then = rows[-1], rows[-1 - _WINDOW]
        pairs = self._targets[now.get("perplexity")][1]
        N = self.n_objects
        uniform = pairs.negentropy + (
            N * np.log(N - 1) if self.model._convention == "conditional" else np.log(N * (N - 1.0))
        )
        if not now["cost"] < 0.95 * uniform or now.get("jitter"):
            return False
        return abs(then["objective"] - now["objective"]) < _SETTLED * abs(now["objective"])


def _threads(n_jobs):
    if n_jobs is None or n_jobs == -1:
        import joblib

        return joblib.cpu_count()  # what affinity masks and control groups leave to this process
    return check_count("n_jobs", n_jobs, 1)


def _seed(random_state):
    if isinstance(random_state, Integral) and not isinstance(random_state, bool):
        return check_count("random_state", random_state, 0)
    from sklearn.utils import check_random_state

    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
