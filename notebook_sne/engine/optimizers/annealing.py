"""Annealing in two passes: a fast one finds the noise at which structure emerges, a slow one cools from above it.

.. math::

    theta <- theta + v + noise(t) xi,     xi from a standard normal distribution

How can we see that structure emerges? [Cook2007, section 2] looks for the noise at which a small decrease lowers the
cost most. The cost alone doesn't show this, because shaken springs store heat. Without momentum, they store about
sigma^2 / (2 eta) nats per object at noise sigma and rate eta. The cost therefore falls with the noise at every level,
and fastest at the highest level, wherever that is. Only the ratio to the cost of the same map with its objects
exchanged at random, which is as hot, falls at one place:

.. math::

    ratio(t) = C(theta) / C(theta with its objects shuffled)

The ratio is near 1 while objects could exchange their places, and far below 1 once places belong to objects.
"""

import math
from dataclasses import dataclass

import numpy as np

from notebook_sne.engine.checks.arguments import check_count, check_number
from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.checks.numbers import show

__all__ = ["Annealed"]

_HARDLY = 0.75  # of its first level: a ratio that ends above it shows no structure


@dataclass(frozen=True)
class Annealed:
    """Jitter in two passes: a fast one finds where structure emerges, a slow one anneals from just above it.

    Give it as the `jitter` of a model whose optimizer is gradient descent. In the fast pass, the noise falls from
    `high` to `low` by the same factor at each update. In the slow pass, it falls from `above` times the noise at which
    structure emerged. After that there is no noise:

    .. math::

        noise(t) = high (low / high)^{t / fast}                          (for t < fast)

        noise(t) = s (low / s)^{(t - fast) / slow},  s = above emerged   (for the next ones)

    This is the rule for emergence: after every update of the fast pass, the cost is divided by that of the same map
    with its objects exchanged at random. This ratio is near 1 while places don't yet belong to objects. Structure
    emerges where the ratio has fallen halfway from its mean over the first quarter of the pass to its final value: at
    the noise of the last update at which it lies above, smoothed by a Gaussian of a twentieth of the pass. If it falls
    by less than a quarter, no structure emerges.  [Cook2007, section 2; the rule is ours]

    Parameters
    ----------
    high : float
        Noise at the start, in map units: so high that no structure is left. The right value depends on rate and
        momentum.
    low : float
        Noise at the end of both passes, in map units, 0 < low < high.
    fast, slow : int, default=200 and 600
        Numbers of updates of the passes; an update of the fast pass takes twice as long.
    above : float, default=2
        The slow pass begins at this multiple of the noise at which structure emerged, 1 or more. Frozen structure melts
        only above the noise at which it froze: in a slow pass of digits from 1.3 times this noise, almost nothing
        moves.

    Raises
    ------
    ValueError, TypeError
        If a parameter breaks its rule.

    Warns
    -----
    UserWarning
        When the slow pass begins: if no structure emerged, so that the pass begins at `high`, or if there was already
        structure at `high`.

    Notes
    -----
    The phases of a run are "fast pass" and "slow pass", so that the trace and the marks of a film show where each ends.
    `State.emerged` is the noise at which structure emerged, and `State.ratios` are the ratios that the rule used. A
    model needs a `max_iter` above ``fast + slow``, for the descent after the noise.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> rings = ns.datasets.load_two_rings(60)
    >>> noise = ns.Annealed(4.0, 0.02, fast=100, slow=150)
    >>> model = ns.SNE(perplexity=5, jitter=noise, init="random", max_iter=300, random_state=0).fit(rings.X)
    >>> model.trace_["phase"].unique().tolist()
    ['fast pass', 'slow pass', 'descent']
    >>> print(0.02 < model.state_.emerged < 4)
    True
    """

    high: float
    low: float
    fast: int = 200
    slow: int = 600
    above: float = 2.0

    def __post_init__(self) -> None:
        check_number("low", self.low, 0.0, closed=False)
        check_number("high", self.high, 0.0, closed=False)
        if not self.low < self.high:
            raise ValueError(
                f"low must be below high = {self.high:g}, got {show(self.low)}; both passes end at low, in map units"
            )
        for name in ("fast", "slow"):
            check_count(name, getattr(self, name), 2)
        check_number("above", self.above, 1.0)

    @property
    def ends(self) -> int:
        """int: the first update from which on the value stays, at 0."""
        return self.fast + self.slow

    def __call__(self, t: int, emerged: float | None = None) -> float:
        """Return the noise after t updates; `emerged` is what `emergence` found, NaN or None for nothing."""
        if t < self.fast:
            return self.high * (self.low / self.high) ** (t / self.fast)
        if t >= self.ends:
            return 0.0
        start = self.high if emerged is None or math.isnan(emerged) else max(self.above * emerged, self.low)
        return start * (self.low / start) ** ((t - self.fast) / self.slow)

    def emergence(self, ratios: Floats) -> float:
        """Return the noise at which structure emerged, by the rule above.

        Parameters
        ----------
        ratios : ndarray, shape (K, 2)
            Noise, and cost over that of the shuffled map, of each update of the fast pass; NaN where it wasn't seen.

        Returns
        -------
        emerged : float
            NaN where the ratio falls by less than a quarter, or nothing was seen: no structure emerged.
        """
        at = np.flatnonzero(~np.isnan(ratios[:, 1]))
        if not len(at):
            return math.nan
        ratios = ratios[at]
        weights = np.exp(-0.5 * np.square((at[:, None] - at) / (self.fast / 20)))
        smooth = weights @ ratios[:, 1] / weights.sum(axis=1)
        first = ratios[: max(1, len(at) // 4), 1].mean()
        if smooth[-1] > _HARDLY * first:
            return math.nan
        still = np.flatnonzero(smooth > 0.5 * (first + smooth[-1]))
        return float(ratios[still[-1] if len(still) else 0, 0])
