"""Generative topographic mapping as an estimator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from notebook_sne.baselines.gtm_em import Sheet, posterior
from notebook_sne.baselines.net_map import NetMap
from notebook_sne.baselines.nets import check_grid
from notebook_sne.engine.checks.arguments import check_number
from notebook_sne.engine.checks.arrays import Floats, Matrix
from notebook_sne.engine.machine.parallel import one_thread
from notebook_sne.engine.optimizers.schedules import Schedule
from notebook_sne.models.estimator import estimator

__all__ = ["GTM"]

_MOST_FUNCTIONS = 8  # along an axis, where nobody says otherwise


@estimator
class GTM(NetMap):
    """Generative topographic mapping: a curved sheet in the data, with noise about it, of the greatest likelihood.

    The map is a square whose points u lie at y(u) in the data, on a sheet that is as smooth as its basis functions phi.
    Objects are taken to come from the nodes of a grid in this square, with Gaussian noise about the sheet:

    .. math::

        y(u) = W' phi(u)

        p(x) = (1 / K) sum_k (beta / 2 pi)^{D/2} exp(-beta |x - y(u_k)|^2 / 2)

        L = sum_n log p(x_n)                                             [Bishop1998, section 2]

    Expectation maximization finds W and beta: what each node is responsible for, R_nk = p(k | x_n), and then the
    sheet through the means of what they are responsible for,

    .. math::

        (Phi' G Phi + (alpha / beta) I) W = Phi' R' X,   G_kk = sum_n R_nk

        1 / beta = sum_nk R_nk |x_n - y(u_k)|^2 / (N D)                  [Bishop1998, section 2.1]

    An update never lowers the likelihood, or with `alpha` above 0 the posterior of W. An object's place in the map is
    the mean of p(u | x_n).  [Bishop1998, section 2.2]

    Parameters
    ----------
    grid : (int, int), default=(20, 20)
        Nodes along both axes of the map; ``(40, 1)`` is a line.
    basis : (int, int) or "auto", default="auto"
        Radial basis functions along both axes, Gaussians on a grid of their own beside a constant; together fewer than
        objects. "auto" is 8 along each side, of few objects fewer, and 1 where the grid is a line.
    width : float, default=1
        Standard deviation of a basis function, as a multiple of the distance of neighboring ones: the wider, the
        stiffer is the sheet.
    alpha : float or schedule, default=0.1
        Precision of the prior of W: the greater, the flatter is the sheet. 0 is no prior: the likelihood alone.
    max_iter : int, default=200
        Most updates that `fit` makes, and after which a `Run` has finished. A fit stops earlier once 50 updates have
        changed the objective by less than 1e-5 of itself.
    init : {"auto", "pca", "random"} or array, default="auto"
        Where the sheet starts: flat, in the plane of the first two principal components, which is "auto"; through
        objects chosen at random; or so that the objects lie near given map points, of shape (N, 2) and of any unit.
    random_state : int, RandomState or None, default=None
        Seed of a start at random.
    progress : {"auto", True, False}, default="auto"
        Whether `fit` shows a progress bar; "auto" shows it after a second, in a notebook or a terminal.

    Attributes
    ----------
    embedding_ : ndarray, shape (N, 2)
        The map: the posterior mean of each object, in a square whose longer side goes from -1 to 1.
    modes_ : ndarray of float64, shape (N, 2)
        The node that is most probable for each object.
    nodes_ : ndarray of float64, shape (K, 2)
        The grid in the map; the second axis runs first.
    prototypes_ : ndarray of float64, shape (K, n_features)
        The grid in the data, y(u_k).
    magnification_ : ndarray of float64, shape (K,)
        By how much the sheet stretches an area of the map at each node, in the unit of the data squared: large where
        it crosses a gap between clusters.  [Bishop1997]
    beta_ : float
        One over the variance of the noise, in the unit of the data.
    weights_ : ndarray of float64, shape (number of basis functions + 1, n_features)
        W, for data that are measured from `mean_` in units of `spread_`; its last row belongs to the constant.
    log_likelihood_ : float
        L of the data as they are, in nats.
    mean_, spread_ : ndarray of shape (n_features,), float
        What objects are measured from and by, so that `alpha` doesn't depend on their unit.
    cost_ : float
        -L / N in nats, of the data in units of their spread.
    objective_ : float
        What never rises: the cost and alpha |W|^2 / (2 N).
    n_iter_ : int
        Updates made.
    state_ : State
        The state that the results were taken from; `iterate(X, start=model.state_)` goes on from it.
    trace_ : pandas.DataFrame
        One row a state: iteration, phase, cost, objective, gradient_norm, seconds, and alpha.

    Notes
    -----
    `alpha` is a knob. Positions handed over by another model, or moved by hand, are those of the sheet that is drawn
    through the objects there, from then on. Forces and costs of single objects aren't told.

    In many dimensions exp(-beta |x - y|^2 / 2) leaves an object to very few nodes: then posterior means
    lie on nodes, and many objects on one.

    An update takes a time that grows with N K n_features, and memory with N K.

    See Also
    --------
    SOM
        The same without a likelihood.

    References
    ----------
    [Bishop1998]
        Christopher M. Bishop, Markus Svensen, Christopher K. I. Williams. GTM: The generative topographic mapping.
        Neural Computation 10, 1998.
    [Bishop1997]
        Christopher M. Bishop, Markus Svensen, Christopher K. I. Williams. Magnification factors for the GTM algorithm.
        IEE Conference on Artificial Neural Networks, 1997.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> digits = ns.datasets.load_digits().sample(30, random_state=0)
    >>> gtm = ns.baselines.GTM(grid=(10, 10), max_iter=40).fit(digits.X)
    >>> gtm.transform(digits.X[:5]).shape
    (5, 2)
    >>> objectives = gtm.trace_["objective"]
    >>> print(objectives.iloc[-1] < objectives.iloc[0])
    True
    """

    grid: tuple[int, int] = (20, 20)
    basis: tuple[int, int] | Literal["auto"] = "auto"
    width: float = 1.0
    alpha: float | Schedule = 0.1
    max_iter: int = 200

    _results = (
        "embedding_", "modes_", "nodes_", "prototypes_", "magnification_", "beta_", "weights_", "log_likelihood_",
        "mean_", "spread_", "cost_", "objective_", "n_iter_", "state_", "_trace",
    )  # fmt: skip

    def _settings(self, n_objects: int) -> tuple[Any, ...]:
        grid = self._grid()
        width = check_number("width", self.width, 0.0, closed=False)
        if isinstance(self.basis, str) and self.basis == "auto":
            line = min(grid) == 1
            most = n_objects - 2 if line else int(np.sqrt(max(n_objects - 2, 1)))
            side = max(1, min(_MOST_FUNCTIONS, most))
            return grid, (side if grid[0] > 1 else 1, side if grid[1] > 1 else 1), width
        basis = check_grid("basis", self.basis, 1)
        if (n := basis[0] * basis[1] + 1) >= n_objects:
            raise ValueError(
                f"basis must have fewer functions, the constant included, than there are objects, got {n} for "
                f"{n_objects} objects; lower it, or leave it at 'auto'"
            )
        return grid, basis, width

    def _made(self, X: Floats, *settings: Any) -> Sheet:
        return Sheet(X, *settings)

    def _schedules_of(self, X: Any) -> dict[str, Any]:
        return {"alpha": self.alpha}

    def _phase(self, knobs: Mapping[str, float]) -> str:
        return "EM"

    def _keep_net(self, net: Any, theta: Floats) -> None:
        assigned = net.assigned(theta)
        self.weights_, beta = net.read(theta)
        self.beta_ = beta / net.spread**2
        self.modes_ = net.nodes[assigned.R.argmax(axis=1)]
        self.magnification_ = net.magnification(theta) * net.spread ** sum(side > 1 for side in net.grid)
        self.log_likelihood_ = float(assigned.log_p.sum()) - net.Z.size * float(np.log(net.spread))

    def _responsible(self, Z: Floats) -> Floats:
        with one_thread():
            prototypes = (self.prototypes_ - self.mean_) / self.spread_
            return posterior(Z, prototypes, self.beta_ * self.spread_**2).R

    def _placed_anew(self, Z: Floats) -> Floats:
        with one_thread():
            return self._responsible(Z) @ self.nodes_

    def responsibilities(self, X: Matrix) -> Floats:
        """Return how probable each node is for each object.

        Parameters
        ----------
        X : array-like, shape (n, n_features)
            Objects, new ones or those of the fit.

        Returns
        -------
        R : ndarray, shape (n, K)
            Rows sum to 1; the mean of `nodes_` under a row is the object's place in the map.

        Raises
        ------
        ValueError
            As `transform` does.
        """
        return self._responsible(self._scaled(X))
