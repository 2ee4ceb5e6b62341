"""The self-organizing map as an estimator."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from notebook_sne.baselines.net_map import NetMap
from notebook_sne.baselines.som_updates import Units, around, best_units
from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.checks.numbers import list_objects
from notebook_sne.engine.mathematics.distances import FAR, far_objects
from notebook_sne.engine.optimizers.schedules import Schedule, Shrinking
from notebook_sne.models.estimator import estimator

__all__ = ["SOM"]

_FIRST, _LAST = 0.5, 0.7  # radius: a share of the longer side, and steps of the grid


@estimator
class SOM(NetMap):
    """The self-organizing map, batch version: a grid of units whose prototypes are drawn through the data.

    Each object belongs to the unit whose prototype is nearest, and each prototype moves to the mean of the objects of
    its neighborhood on the grid, which shrinks:

    .. math::

        c_n = argmin_k |x_n - m_k|

        h_kl = exp(-|u_k - u_l|^2 / (2 radius^2))

        m_k <- sum_n h_{k c_n} x_n / sum_n h_{k c_n}

    with u_k the place of unit k on the grid, m_k its prototype in the data.  [Kohonen2013] In SNE the data stay and the
    map points move; here the places on the map are fixed to a grid, and their ends in the data move [Hinton2002,
    section 6]. Many objects share a unit, so that nothing is known within it. The map is that of the last update, as
    Kohonen's is, and not one of less distortion on the way there.

    Parameters
    ----------
    grid : (int, int), default=(15, 15)
        Units along both axes of the map; ``(40, 1)`` is a line. About 5 sqrt(N) of them are usual.
    radius : float, schedule or "auto", default="auto"
        Standard deviation of the neighborhood, in steps of the grid; "auto" goes from half of the longer side to 0.7 by
        the same factor at each update, in the first half of `max_iter`. At 0 units know nothing of each other: k-means.
    max_iter : int, default=100
        Most updates that `fit` makes, and after which a `Run` has finished.
    init : {"auto", "pca", "random"} or array, default="auto"
        Where the prototypes start: in the plane of the first two principal components, which is "auto"; on objects
        chosen at random; or so that the objects lie near given map points, of shape (N, 2) and of any unit.
    random_state : int, RandomState or None, default=None
        Seed of a start at random.
    progress : {"auto", True, False}, default="auto"
        Whether `fit` shows a progress bar; "auto" shows it after a second, in a notebook or a terminal.

    Attributes
    ----------
    embedding_ : ndarray, shape (N, 2)
        The map: each object about the node of its unit, on a spiral whose middle has the one nearest to the prototype.
        So all are seen, and the area of a unit is the number of its objects; neighboring nodes are 1 apart.
    nodes_ : ndarray of float64, shape (K, 2)
        The places of the units in the map; the second axis runs first.
    prototypes_ : ndarray of float64, shape (K, n_features)
        Their places in the data.
    units_ : ndarray of int, shape (N,)
        The unit of each object.
    distances_ : ndarray of float64, shape (N,)
        How far each object is from its prototype, in the unit of the data.
    cost_ : float
        The quantization error, the mean of these distances.
    topographic_error_ : float
        Share of objects whose two nearest prototypes are no neighbors on the grid, diagonals included.
    mean_, spread_ : ndarray of shape (n_features,), float
        What objects are measured from and by: their mean, or where one is very far from all others their median, and
        the root of their mean square deviation.
    objective_ : float
        The distortion, sum_n sum_k h |x_n - m_k|^2 / N over the spread squared.
    n_iter_ : int
        Updates made; the map is that of the last of them.
    state_ : State
        The state that the results were taken from; `iterate(X, start=model.state_)` goes on from it.
    trace_ : pandas.DataFrame
        One row a state: iteration, phase, cost, objective, gradient_norm, seconds, and the radius.

    Notes
    -----
    The radius is a knob. While it shrinks the map has no objective that it goes down; at one radius it stands still
    after some ten updates. Positions handed over by another model, or moved by hand, are those of the net that is drawn
    through the objects there, from then on. Forces and costs of single objects aren't told.

    An update takes a time that grows with N K n_features.

    See Also
    --------
    GTM
        The same with a likelihood that never falls.

    References
    ----------
    [Kohonen2013]
        Teuvo Kohonen. Essentials of the self-organizing map. Neural Networks 37, 2013.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> digits = ns.datasets.load_digits().sample(30, random_state=0)
    >>> som = ns.baselines.SOM(grid=(8, 8), max_iter=40).fit(digits.X)
    >>> som.prototypes_.shape, som.transform(digits.X[:5]).shape
    ((64, 64), (5, 2))
    >>> print(som.topographic_error_ < 0.5)
    True
    """

    grid: tuple[int, int] = (15, 15)
    radius: float | Schedule | Literal["auto"] = "auto"
    max_iter: int = 100

    _results = (
        "embedding_", "nodes_", "prototypes_", "units_", "distances_", "cost_", "topographic_error_", "mean_",
        "spread_", "objective_", "n_iter_", "state_", "_trace",
    )  # fmt: skip

    _keeps_last = True

    def _settings(self, n_objects: int) -> tuple[Any, ...]:
        return (self._grid(),)

    def _made(self, X: Floats, *settings: Any) -> Units:
        if len(far := far_objects(X, FAR)):
            warnings.warn(
                f"X has {list_objects(far)} more than {FAR:g} times as far out as half of the others: such objects "
                "attract most of the units, and few are left for the others; leave these objects out, or correct them",
                stacklevel=2,
            )
        return Units(X, *settings)

    def _schedules_of(self, X: Any) -> dict[str, Any]:
        radius = self.radius
        if isinstance(radius, str) and radius == "auto":
            radius = Shrinking(max(_FIRST * max(self._grid()), _LAST), _LAST, max(1, self.max_iter // 2))
        return {"radius": radius}

    def _phase(self, knobs: Mapping[str, float]) -> str:
        return "ordering" if knobs["radius"] > 1 else "fine tuning"

    def _keep_net(self, net: Any, theta: Floats) -> None:
        winners = net.assigned(theta)
        self.units_ = winners.best.copy()
        self.distances_ = net.spread * np.sqrt(winners.squares)
        self.topographic_error_ = net.topographic_error(winners)

    def _placed_anew(self, Z: Floats) -> Floats:
        scaled = self.state_.memory["weights"].reshape(len(self.nodes_), -1)  # `prototypes_` has lost their last digits
        winners = best_units(Z, scaled)
        distances = self.spread_ * np.sqrt(winners.squares)
        ranks = np.empty(len(Z), np.int64)
        for unit in np.unique(winners.best):
            mine = winners.best == unit
            ranks[mine] = np.searchsorted(np.sort(self.distances_[self.units_ == unit]), distances[mine])
        return self.nodes_[winners.best] + around(winners.best, ranks, np.bincount(self.units_).max())
