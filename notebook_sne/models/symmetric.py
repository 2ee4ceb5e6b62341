"""Symmetric SNE as an estimator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.mathematics import forces, unisne
from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.optimizers.schedules import Decay, Schedule
from notebook_sne.engine.sums.stored_pairs import StoredPairs
from notebook_sne.models.estimator import estimator
from notebook_sne.models.single import SingleMap

__all__ = ["SymmetricSNE"]


@estimator
class SymmetricSNE(SingleMap):
    """Symmetric SNE: one distribution over pairs of objects instead of one for each object.

    The two probabilities of a pair, that i would choose j and that j would choose i, are averaged into a joint P. So
    every object keeps at least 1 / (2 N) of the mass, and its place is never arbitrary. In the map, all pairs share one
    sum:

    .. math::

        p_ij = (p_{j|i} + p_{i|j}) / (2 N)

        q_ij = exp(-d_ij) / sum_{k != l} exp(-d_kl),   d_ij = |y_i - y_j|^2

    The cost is one divergence instead of N, and the force between two objects is simply proportional to p - q:

    .. math::

        C = KL(P || Q) = sum_ij p_ij log(p_ij / q_ij)

        dC/dy_i = 4 sum_j (p_ij - q_ij) (y_i - y_j)

    This is [Cook2007, section 2.1, Eq. 4-6] with two differences. Eq. 4 has one global sigma instead of averages (see
    the Notes). Sums here run over ordered pairs throughout, which makes the cost of Eq. 6 twice ours.

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
    learning_rate N / 10
    momentum      0.5 for 100 updates, then 0.8
    init          principal components of vectors, random for other inputs,
                  both with standard deviation 1e-4
    max_iter      1000
    ============= ==========================================================

    The joint P averages conditionals, so that every object has its share of the mass. For one global sigma, with the
    isolated objects that it causes, give ``affinities.joint_with_one_sigma(X, perplexity)`` with ``input="joint"``.
    Keys such as [Cook2007] are spelled out in `notebook_sne.engine.mathematics`; the sums are in
    `notebook_sne.engine.mathematics.unisne`.

    `transform` places each new object by its own choices: by a conditional P_i, also in this model.

    Use it for up to some thousand objects: under a Gaussian, a plane has no room for the neighbors of very many. The
    map of a million digits keeps 0.5% of the ten nearest neighbors, that of `TSNE` 30%.

    See Also
    --------
    UNISNE
        The same with a background, which uncrowds the middle of the map.
    TSNE
        The same with heavy tails.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> digits = ns.datasets.load_digits().sample(30, random_state=0)
    >>> model = ns.SymmetricSNE(perplexity=20, max_iter=200, random_state=0).fit(digits.X)
    >>> model.embedding_.shape
    (300, 2)
    >>> print(round(model.affinities_.sum(), 6))
    1.0
    """

    exaggeration: float | Schedule | None = None

    _convention = "joint"
    _kernel = "gaussian"
    _left_out = "gaussian"

    @classmethod
    def paper(cls, **changes: Any) -> Self:
        """Return symmetric SNE with the settings of [Cook2007, section 6].

        Perplexity 30, a random start, 1100 updates with fading jitter. The paper doesn't give the rate (N / 10 here)
        or the decay of the jitter (0.3 exp(-t / 86) here).

        Parameters
        ----------
        **changes
            Hyperparameters to set otherwise.

        Returns
        -------
        model : SymmetricSNE
            Not yet fitted.
        """
        recipe = {"perplexity": 30.0, "init": "random", "jitter": Decay(0.3, 86.0), "max_iter": 1100}
        return cls(**{**recipe, **changes})

    def _attractive_pairs(self, P: Any) -> StoredPairs:
        return unisne.attractive_pairs(P)

    def _evaluate(self, pairs: Any, Y: Floats, knobs: Mapping[str, float]) -> Evaluation:
        return unisne.cost_and_gradient(pairs, Y, exaggeration=knobs.get("exaggeration", 1.0), sums=self._sums)

    def _forces(self, P: Any, Y: Floats, i: int, knobs: Mapping[str, float]) -> forces.Forces:
        return forces.uniform_forces(P, Y, i, exaggeration=knobs.get("exaggeration", 1.0))

    def _costs(self, P: Any, Y: Floats, knobs: Mapping[str, float]) -> Floats:
        return forces.uniform_costs(P, Y)
