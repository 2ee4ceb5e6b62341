"""Metric multidimensional scaling as an estimator."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.baselines.base import StressMap, documented
from notebook_sne.baselines.stress import StressedPairs
from notebook_sne.engine.checks.arguments import check_finite
from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.checks.numbers import as_floats, list_objects
from notebook_sne.engine.optimizers.iterate import read_only
from notebook_sne.models.estimator import estimator

__all__ = ["MetricMDS"]


@documented
@estimator
class MetricMDS(StressMap):
    """Metric multidimensional scaling: a map whose distances are those of the data, as nearly as can be.

    The cost is raw stress, the sum of squared differences over all pairs:

    .. math::

        C = sum_{i < j} w_ij (delta_ij - d_ij)^2,   d_ij = |y_i - y_j|

        dC/dy_i = 2 sum_j w_ij (1 - delta_ij / d_ij) (y_i - y_j)

    with delta_ij the distance of two objects in the data and w_ij = 1, unless `weights` are given. Every pair is a
    spring with a length of its own. As differences count by their squares, it is the many long distances that decide
    where an object goes, and not its neighborhood: what SNE turns round.  [Kruskal1964; deLeeuw1977]

    Parameters
    ----------
    weights : array, shape (N, N), or None, default=None
        w_ij, symmetric and not negative; 0 leaves out a pair, as one whose distance isn't known. The diagonal isn't
        read. All equal where left out.
    {common of distances}

    Attributes
    ----------
    {results of distances}

    Notes
    -----
    An update takes a time and the memory that grow with N^2. There are local minima: a start at random ends in another
    one than a start on principal components, and often in a worse one.

    Positions handed over by a model of another unit, as those of SNE, are brought to the scale that costs least.

    See Also
    --------
    Sammon
        The same with more weight on small distances.

    References
    ----------
    [Kruskal1964]
        Joseph B. Kruskal. Multidimensional scaling by optimizing goodness of fit to a nonmetric hypothesis.
        Psychometrika 29, 1964.
    [deLeeuw1977]
        Jan de Leeuw. Applications of convex analysis to multidimensional scaling. In: Recent Developments in
        Statistics, 1977.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> roll = ns.datasets.load_swiss_roll(200)
    >>> model = ns.baselines.MetricMDS(random_state=0).fit(roll.X)
    >>> model.embedding_.shape
    (200, 2)
    >>> print(model.cost_ < model.trace_["cost"][0])
    True
    """

    weights: ArrayLike | None = None

    def _attractive_pairs(self, P: Any) -> Any:
        return StressedPairs(P, self._checked_weights(len(P)), False, 1.0)

    def _checked_weights(self, n_objects: int) -> Floats:
        """Return the weights, shape (N, N), or an empty matrix where all are equal."""
        if self.weights is None:
            return read_only(np.empty((0, 0)))
        w = as_floats("weights", self.weights)
        if w.shape != (n_objects, n_objects):
            raise ValueError(f"weights must have shape (N, N) = ({n_objects}, {n_objects}), got {w.shape}")
        np.fill_diagonal(w, 0.0)
        check_finite("weights", w)
        if w.min() < 0:
            raise ValueError(f"weights must not be negative, got {w.min():g}; 0 leaves out a pair")
        if not np.array_equal(w, w.T):
            raise ValueError(
                f"weights must be symmetric, but weights[i, j] and weights[j, i] differ by up to "
                f"{np.abs(w - w.T).max():g}; give their mean, (weights + weights.T) / 2"
            )
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        n_parts, part = connected_components(csr_array(w > 0), directed=False)
        if n_parts > 1:
            apart = np.flatnonzero(part != np.bincount(part).argmax())
            raise ValueError(
                f"weights must join all objects, but no pair above 0 leads from {list_objects(apart)} to the others, "
                "so that their relative place is arbitrary; give such pairs a weight, or map the parts one by one"
            )
        return read_only(w)
