"""Sammon's mapping as an estimator."""

from __future__ import annotations

from typing import Any

import numpy as np

from notebook_sne.baselines.base import StressMap, documented
from notebook_sne.baselines.stress import StressedPairs
from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.checks.numbers import list_objects
from notebook_sne.engine.fitting.inputs import Target
from notebook_sne.engine.optimizers.iterate import read_only
from notebook_sne.models.estimator import estimator

__all__ = ["Sammon"]


@documented
@estimator
class Sammon(StressMap):
    """Sammon's mapping: metric multidimensional scaling with more weight on small distances.

    .. math::

        E = sum_{i < j} (delta_ij - d_ij)^2 / delta_ij / sum_{i < j} delta_ij,   d_ij = |y_i - y_j|

    [Sammon1969, Eq. 1], with delta_ij the distance of two objects in the data. An error of one unit counts the more
    the nearer two objects are; still every pair has its say, however far, so that maps come out round and of even
    density, and very small distances count more than they mean.  [Hinton2013]

    Parameters
    ----------
    {common of distances}

    Attributes
    ----------
    {results of distances}

    Notes
    -----
    E has no unit, and doesn't depend on that of the data; all objects in one place cost 1. The lecture [Hinton2013]
    divides by the square of delta instead, which puts still more weight on small distances: `MetricMDS` with the
    weights 1 / delta^2.

    Two objects with a distance of 0 would divide by it: they are refused by name. `MetricMDS` takes them.

    An update takes a time and the memory that grow with N^2. There are local minima. Sammon's own steps, a gradient
    divided by the diagonal of the second derivatives, aren't used: L-BFGS needs no such rate.

    Positions handed over by a model of another unit, as those of SNE, are brought to the scale that costs least.

    See Also
    --------
    MetricMDS
        The same with equal weights, or others.

    References
    ----------
    [Sammon1969]
        John W. Sammon. A nonlinear mapping for data structure analysis. IEEE Transactions on Computers C-18, 1969.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> roll = ns.datasets.load_swiss_roll(200)
    >>> model = ns.baselines.Sammon(random_state=0).fit(roll.X)
    >>> model.embedding_.shape
    (200, 2)
    >>> print(0 < model.cost_ < 1)
    True
    """

    def _target(self, X: Any, perplexity: float | None = None, least_p: float | None = None) -> Target:
        made = super()._target(X)
        _refuse_identical(made.P)
        return made

    def _attractive_pairs(self, P: Any) -> Any:
        return StressedPairs(P, read_only(np.empty((0, 0))), True, 0.5 * float(P.sum()))


def _refuse_identical(D: Floats) -> None:
    same = D == 0
    np.fill_diagonal(same, False)
    if not same.any():
        return
    i = int(same.any(axis=1).argmax())
    j = int(same[i].argmax())
    who = list_objects(np.flatnonzero(same.any(axis=1)))
    raise ValueError(
        f"Sammon's stress divides by each distance, and that of objects {i} and {j} is 0: {who} are identical to "
        "others; leave out all but one of each, as by np.unique(X, axis=0), or use MetricMDS, which takes them"
    )
