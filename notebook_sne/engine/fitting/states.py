"""The states of a run, as an iterator that can also be asked what acts on an object; a remark where its map is no use.

Two ends are of no use, whatever the data. Either the map points are so far apart that no kernel reaches from one to
another: beyond a million map units a heavy-tailed kernel is below 1e-12, so nothing moves any more, and its scale-free
tails still make a cost that looks like progress. Or the cost hasn't left that of a Q that is the same for all pairs,
although the schedules were over long before.
"""

import logging
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from notebook_sne.engine.checks.arguments import check_count
from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.fitting.knobs import Knobs
from notebook_sne.engine.fitting.layout import refuse_pins
from notebook_sne.engine.fitting.problem import Moment, Problem
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.machine.parallel import threads
from notebook_sne.engine.mathematics.forces import Forces

__all__ = ["States", "warn_if_useless", "why_useless"]

_log = logging.getLogger(__name__)

# Digits, faces, words and toys end 2 to 80 map units wide, and at a rate a thousand times too high 10,000.
_WIDEST = 1e6
_SAME = 0.99  # of the cost of a uniform Q: start and noise alone change it by less
_LEAST = 0.01  # nats an object: P itself is as good as uniform, and there is nothing to be found
_PATIENCE = 50  # updates after the last change of a schedule


class States:
    """The result of `iterate`: an endless iterator of states, which begins with the start.

    An error doesn't move it: once the knob is turned back, ``next`` continues. Between two states, it can compute the
    forces on an object.

    Parameters
    ----------
    problem : Problem
        A model applied to data.
    moment : object
        Where to begin, from ``problem.begin``.
    knobs : Knobs
        Read before each update.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> circle = ns.datasets.load_circle(50)
    >>> states = ns.SNE(perplexity=5, random_state=0).iterate(circle.X)
    >>> state = next(states)
    >>> states.forces(state, 0).pull.shape
    (50,)
    """

    def __init__(self, problem: Problem, moment: Moment, knobs: Knobs) -> None:
        self._problem, self._moment, self._knobs = problem, moment, knobs
        self._begun, self._phase = False, ""

    @property
    def turnable(self) -> tuple[str, ...]:
        """The knobs that this run has, a tuple of str; any other one that is turned is refused."""
        return tuple(self._problem.schedules)

    def refuse_lacking(self, names: Iterable[str]) -> None:
        """Raise a ValueError where this run has no knob of one of these names, which says what to do."""
        self._problem.refuse_lacking(names)

    def __iter__(self) -> Iterator[State]:
        return self

    def __length_hint__(self) -> int:
        # Python asks for it before it makes a list, and lets any error but a TypeError through.
        raise ValueError(
            "the states of a run never end, so that no list can hold them; take some, as in "
            "list(itertools.islice(model.iterate(X), 100)), or leave a loop with break"
        )

    def __next__(self) -> State:
        if self._begun:
            self._moment = self._problem.next_moment(self._moment, self._knobs.turned())
        self._begun = True
        state = self._problem.state(self._moment)
        if state.phase != self._phase:
            began, self._phase = self._phase, state.phase
            told = f"{began} ended, {state.phase}" if began else state.phase
            _log.info("%s: %s from update %d, cost %.5g", state.model, told, state.iteration, state.cost)
        return state

    def resume(self, state: State) -> None:
        """Make `state` the next one and go on from it, with the affinities that are there already.

        Parameters
        ----------
        state : State
            As `start` of ``iterate``: one whose positions or proportions were changed is evaluated anew.

        Raises
        ------
        ValueError
            If proportions were changed that this model doesn't find, but was given.
        """
        self._problem.check_same_proportions(state)
        self._moment = self._problem.begin(state)
        self._begun = False

    def pinned(
        self, state: State, places: Mapping[tuple[int, int], np.ndarray | None], freed: Collection[tuple[int, int]] = ()
    ) -> State:
        """Return a state to `resume`, with points held where they are, or let go.

        Parameters
        ----------
        state : State
            One of this run.
        places : mapping
            {(map, object): place of shape (2,) or (d,), or None for where the point is}.
        freed : collection of (int, int)
            (map, object) of those to let go.

        Raises
        ------
        NotImplementedError
            If the map points follow from the objects by one function, as in NCA.
        """
        return self._problem.pinned(state, places, freed)

    def refuse_pins(self) -> None:
        """Raise a NotImplementedError where this run can't hold a point, which says why."""
        refuse_pins(self._problem.layout, type(self._problem.model).__name__)

    def remark(self, state: State) -> str:
        """Return why the map of a state of this run is of no use and what to do, or an empty str."""
        return why_useless(self._problem, state, state.iteration)

    def forces(self, state: State, i: int) -> Forces:
        """Return the springs of one object.

        Parameters
        ----------
        state : State
            One of this run.
        i : int
            The object, 0 <= i < N.

        Returns
        -------
        forces : Forces
            Pull, push, p and q, each of shape (N,).

        Raises
        ------
        NotImplementedError
            If the model has several maps.
        ValueError
            If the state is of another model, or was pulled by another P than the run is now.
        """
        problem, P = self._problem, self._problem.target_of(state).P
        if check_count("i", i, 0) >= problem.n_objects:
            raise ValueError(f"i must be an object from 0 to {problem.n_objects - 1}, got {i}")
        with threads(problem.n_threads):
            return problem.model._forces(P, state.Y[0], i, state.knobs)

    def costs(self, state: State) -> Floats:
        """Return each object's share of the cost in nats, shape (N,); the shares add up to ``state.cost``.

        Parameters
        ----------
        state : State
            One of this run.

        Returns
        -------
        costs : ndarray, shape (N,)
            Under a joint P a share may be below zero: only all of them together are a divergence.

        Raises
        ------
        NotImplementedError
            If the model has several maps.
        ValueError
            If the state is of another model, or was pulled by another P than the run is now.
        """
        problem, P = self._problem, self._problem.target_of(state).P
        with threads(problem.n_threads):
            return problem.model._costs(P, state.Y[0], state.knobs)


def warn_if_useless(problem: Problem, state: State, n_iter: int) -> None:
    """Warn of a map that is of no use.

    Parameters
    ----------
    problem, state, n_iter
        As for `why_useless`.
    """
    if remark := why_useless(problem, state, n_iter):
        warnings.warn(remark, ConvergenceWarning, stacklevel=3)


def why_useless(problem: Problem, state: State, n_iter: int) -> str:
    """Tell why a map is of no use, if it is, and what to do.

    Parameters
    ----------
    problem : Problem
        The model and its data.
    state : State
        The last one of the run.
    n_iter : int
        Number of updates that were made.

    Returns
    -------
    str
        The remark, or nothing.
    """
    model = problem.model
    width = float(np.abs(state.Y - state.Y.mean(axis=1, keepdims=True)).max())
    uniform = problem.uniform_cost(state.knobs)
    rate = state.knobs.get("learning_rate")
    turned = f"learning_rate, {rate:g} at the end," if rate is not None else "optimizer"
    if width > _WIDEST and not model._in_data_units:
        return (
            f"the map of this {type(model).__name__} reaches {width:.2g} map units from its middle, where nothing "
            f"attracts any more, so it shows no neighborhoods; lower the {turned} or start nearer, as with "
            "init='random'"
        )
    if (
        n_iter > problem.steady_from + _PATIENCE
        and state.cost > _SAME * uniform
        and uniform > _LEAST * problem.cost_scale
    ):
        return (
            f"after {n_iter} updates the map of this {type(model).__name__} tells no more of P than equal distances "
            f"would: its cost is {state.cost:.4g} nats, that of a uniform Q {uniform:.4g}; raise the {turned} or "
            "max_iter, or lower the perplexity"
            if model._convention != "none"
            else f"after {n_iter} updates the map of this {type(model).__name__} tells no more than one place for all "
            f"objects would: its cost is {state.cost:.4g}, that of such a map {uniform:.4g}; raise the {turned}, "
            "max_iter or n_components"
        )
    return ""
