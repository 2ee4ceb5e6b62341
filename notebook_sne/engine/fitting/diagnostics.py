"""How a run has ended: a remark where its map is of no use, which isn't easily seen from its numbers.

Two ends are of no use, whatever the data. Either the map points are so far apart that no kernel reaches from one to
another: beyond a million map units a heavy-tailed kernel is below 1e-12, so nothing moves any more, and its scale-free
tails still make a cost that looks like progress. Or the cost hasn't left that of a Q that is the same for all pairs,
although the schedules were over long before.
"""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from notebook_sne.engine.fitting.problem import Problem
from notebook_sne.engine.fitting.state import State

__all__ = ["why_useless", "warn_if_useless"]

# Digits, faces, words and toys end 2 to 80 map units wide, and at a rate a thousand times too high 10,000.
_WIDEST = 1e6
_SAME = 0.99  # of the cost of a uniform Q: start and noise alone change it by less
_LEAST = 0.01  # nats an object: P itself is as good as uniform, and there is nothing to be found
_PATIENCE = 50  # updates after the last change of a schedule


def warn_if_useless(problem: Problem, state: State, n_iter: int) -> None:
    """Warn of a map that is of no use; parameters as for `why_useless`."""
    if remark := why_useless(problem, state, n_iter):
        warnings.warn(remark, ConvergenceWarning, stacklevel=3)


def why_useless(problem: Problem, state: State, n_iter: int) -> str:
    """Return why the map of a state, after `n_iter` updates, is of no use and what to do, or an empty str."""
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
