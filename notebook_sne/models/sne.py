"""SNE as an estimator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.mathematics import forces, sne
from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.optimizers.schedules import Schedule, Steps
from notebook_sne.engine.sums.stored_pairs import StoredPairs
from notebook_sne.models.estimator import estimator
from notebook_sne.models.single import SingleMap

__all__ = ["SNE"]


@estimator
class SNE(SingleMap):
    """Stochastic neighbor embedding: a map that keeps each object's neighbors.

    Every object i chooses a neighbor. In the data, it takes j with the probability p_{j|i} of a Gaussian around itself;
    the perplexity is the effective number of neighbors and sets its width. In the map, it takes j with the probability
    q_{j|i} of a Gaussian around its map point, which has the same width for all objects:

    .. math::

        p_{j|i} = exp(-D_ij / (2 sigma_i^2)) / sum_{h != i} exp(-D_ih / (2 sigma_i^2)),   D_ij = |x_i - x_j|^2

        q_{j|i} = exp(-d_ij) / sum_{h != i} exp(-d_ih),   d_ij = |y_i - y_j|^2

    Gradient descent makes the second choice as similar to the first as possible, by minimizing

    .. math::

        C = sum_i KL(P_i || Q_i) = sum_ij p_{j|i} log(p_{j|i} / q_{j|i})

        dC/dy_i = 2 sum_j (p_{j|i} - q_{j|i} + p_{i|j} - q_{i|j}) (y_i - y_j)

    So a spring connects any two objects: it pulls while p exceeds q and pushes while q exceeds p. A map that shows two
    near objects far apart is expensive, because p is large where q is small. A map that shows two distant objects near
    each other is cheap. So SNE keeps neighborhoods. It needs only distances, and these need not be symmetric.
    [Hinton2002, Eq. 1-5]

    Parameters
    ----------
    {exaggeration}
    {common}

    Attributes
    ----------
    {results}

    Notes
    -----
    What "auto" means, and the default of `max_iter`:

    ============= ==========================================================
    learning_rate 0.1
    momentum      0.5 for 50 updates, then 0.9
    init          principal components of vectors, random for other inputs,
                  both with standard deviation 1e-4
    max_iter      1000
    ============= ==========================================================

    The cost sums over objects, so it grows with their number; a uniform Q costs N log((N - 1) / perplexity) nats. Keys
    such as [Hinton2002] are spelled out in `notebook_sne.engine.mathematics`; the sums are in
    `notebook_sne.engine.mathematics.sne`.

    `transform` places each new object where its own KL(P_i || Q_i) over the objects of the fit is least.

    Use it for up to some thousand objects: under a Gaussian, a plane has no room for the neighbors of very many. The
    map of a million digits keeps 0.6% of the ten nearest neighbors, that of `TSNE` 30%.

    See Also
    --------
    SymmetricSNE
        One distribution over all pairs instead of one for each object.
    TSNE
        Heavy tails in the map, which leave room in its middle.
    MixtureSNE
        Several places for one object.
    watch
        See it happen.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> digits = ns.datasets.load_digits().sample(30, random_state=0)
    >>> model = ns.SNE(perplexity=20, max_iter=200, random_state=0).fit(digits.X)
    >>> model.embedding_.shape
    (300, 2)
    >>> print(model.cost_ < model.trace_["cost"][0])
    True
    """

    exaggeration: float | Schedule | None = None

    _convention = "conditional"
    _kernel = "gaussian"

    @classmethod
    def paper(cls, **changes: Any) -> Self:
        """Return SNE with the settings of its paper.

        Perplexity 15, a random start, rate 0.2 without momentum, jitter 0.3 for 3500 updates and none for 500 more
        [Hinton2002, caption of Fig. 1]. At this rate, some runs end in poor optima; half of it, as if the gradient were
        meant without its factor 2, is more stable.

        Parameters
        ----------
        **changes
            Hyperparameters to set otherwise.

        Returns
        -------
        model : SNE
            Not yet fitted.
        """
        recipe = {
            "perplexity": 15.0,
            "init": "random",
            "learning_rate": 0.2,
            "momentum": 0.0,
            "jitter": Steps(0.3, 0.0, at=3500),
            "max_iter": 4000,
        }
        return cls(**{**recipe, **changes})

    def _attractive_pairs(self, P: Any) -> StoredPairs:
        return sne.attractive_pairs(P)

    def _evaluate(self, pairs: Any, Y: Floats, knobs: Mapping[str, float]) -> Evaluation:
        return sne.cost_and_gradient(pairs, Y, exaggeration=knobs.get("exaggeration", 1.0), sums=self._sums)

    def _forces(self, P: Any, Y: Floats, i: int, knobs: Mapping[str, float]) -> forces.Forces:
        return forces.sne_forces(P, Y, i, knobs.get("exaggeration", 1.0))

    def _costs(self, P: Any, Y: Floats, knobs: Mapping[str, float]) -> Floats:
        return forces.sne_costs(P, Y)
