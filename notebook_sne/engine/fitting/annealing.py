"""The annealing of a run as it sees it: how much the places of its objects matter, and when they began to."""

import math
import warnings

import numpy as np

from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.fitting.layout import Layout
from notebook_sne.engine.optimizers.annealing import Annealed
from notebook_sne.engine.optimizers.iterate import Evaluate, Iterate, read_only

__all__ = ["NO_RATIOS", "emergence", "ratio"]

NO_RATIOS = read_only(np.empty((0, 2)))
"""Noise and ratio of each update of a fast pass that has not begun."""


def noted(ratios: Floats, annealed: Annealed, t: int, seen: tuple[float, float]) -> Floats:
    """Return the ratios, one row for each update of the fast pass, with what the update after t updates has seen."""
    # All rows at once, NaN where nothing was seen yet: arrays of one shape are one array in a recording's file.
    rows = np.full((annealed.fast, 2), np.nan)
    rows[: len(ratios)] = ratios[: annealed.fast]
    rows[t] = seen
    return read_only(rows)


def ratio(now: Iterate, layout: Layout, evaluate: Evaluate, seed: int) -> float:
    """Return the cost of a map over that of the same one with its objects, in all its maps alike, shuffled."""
    Y, W = layout.split(now.theta)
    # (seed, t, 3) is no (seed, t), from which the jitter comes.
    order = np.random.default_rng((seed, now.iteration, 3)).permutation(Y.shape[1])
    theta = read_only(layout.join(Y[:, order], None if W is None else W[:, order]))
    return now.cost / evaluate(theta).cost


def emergence(annealed: Annealed, ratios: Floats) -> float:
    """Return the noise at which structure emerged, or NaN; a warning says where `high` wasn't well chosen."""
    emerged = annealed.emergence(ratios)
    if math.isnan(emerged):
        warnings.warn(
            f"no structure emerged in the fast pass, from noise {annealed.high:g} to {annealed.low:g} in "
            f"{annealed.fast} updates; the slow pass begins at {annealed.high:g}. Lower low, or raise fast or the "
            "learning rate",
            UserWarning,
            stacklevel=2,
        )
    elif annealed.above * emerged > annealed.high:
        warnings.warn(
            f"there was structure at noise {emerged:.3g} already, near the high = {annealed.high:g} of the fast pass; "
            f"raise high to {4 * annealed.high:g}",
            UserWarning,
            stacklevel=2,
        )
    return emerged
