"""The elastic embedding as an estimator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.mathematics import elastic, forces
from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.optimizers.schedules import Schedule
from notebook_sne.engine.sums.stored_pairs import StoredPairs
from notebook_sne.models.estimator import estimator
from notebook_sne.models.single import SingleMap

__all__ = ["ElasticEmbedding"]


@estimator
class ElasticEmbedding(SingleMap):
    """The elastic embedding: the springs of symmetric SNE, and a push of given strength between all pairs.

    Neighbors attract each other as in Laplacian eigenmaps, which alone would put all objects into one place. All pairs
    push each other, as far as a Gaussian reaches, with a strength lambda:

    .. math::

        E = sum_ij p_ij d_ij + lambda sum_ij exp(-d_ij) / (N (N - 1)),   d_ij = |y_i - y_j|^2

        dE/dy_i = 4 sum_j (p_ij - lambda exp(-d_ij) / (N (N - 1))) (y_i - y_j)

    with the joint P of `SymmetricSNE`. The first sum is an average over pairs of neighbors, the second one over all
    pairs, so that lambda means the same for any number of objects: the energy of all of them in one place.
    [CarreiraPerpinan2010, Eq. 3, with w^- = 1, a joint P and averages]

    It is the bridge between two families. As lambda falls, the map shrinks, in the end onto the eigenvectors of
    Laplacian eigenmaps, and below a value that depends on P to one point. Symmetric SNE has the same push, with a
    lambda that the map itself sets at each moment: N (N - 1) / Z with Z = sum_ij exp(-d_ij). If this is the given
    lambda, both have the same gradient. So the push of SNE weakens as the map spreads, and this model is SNE with a
    constant push, without a normalization and without a divergence.

    Parameters
    ----------
    repulsion : float or schedule, default=20
        Strength lambda of the push, 0 or more. Maps of symmetric SNE ended at 6 (100 objects on a circle), 16 and 33
        (600 and 1,797 digits) and 47 (1,000 objects of the Swiss roll). A schedule from small values to large ones
        follows the maps from eigenvectors to SNE.
    {common}

    Attributes
    ----------
    {results}

    Notes
    -----
    The cost is the energy E, and no divergence: it has no unit, and energies of different lambda or P can't be
    compared. What "auto" means, and the default of `max_iter`:

    ============= ==========================================================
    learning_rate N / 10
    momentum      0.5 for 100 updates, then 0.8
    init          principal components of vectors, random for other inputs,
                  both with standard deviation 1e-4
    max_iter      1000
    ============= ==========================================================

    Keys such as [CarreiraPerpinan2010] are spelled out in `notebook_sne.engine.mathematics`; the sums are in
    `notebook_sne.engine.mathematics.elastic`. In the paper, the push of a pair can also be weighted by its distance in
    the data; here it is the same for all pairs, which needs only P and can be summed by a mesh.

    `transform` places new objects as `SymmetricSNE` does.

    See Also
    --------
    SymmetricSNE
        The same springs, with a push whose strength the map itself sets.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> digits = ns.datasets.load_digits().sample(30, random_state=0)
    >>> model = ns.ElasticEmbedding(perplexity=20, max_iter=200, random_state=0).fit(digits.X)
    >>> model.embedding_.shape
    (300, 2)
    >>> print(model.cost_ < model.repulsion)                # that of all objects in one place
    True
    """

    repulsion: float | Schedule = 20.0

    _convention = "joint"
    _kernel = "gaussian"

    @classmethod
    def _going_on(cls, before: Any) -> dict[str, Any]:
        return {"repulsion": before.repulsion} if isinstance(before, cls) else {}

    def _attractive_pairs(self, P: Any) -> StoredPairs:
        return elastic.attractive_pairs(P)

    def _evaluate(self, pairs: Any, Y: Floats, knobs: Mapping[str, float]) -> Evaluation:
        return elastic.cost_and_gradient(pairs, Y, _of_a_pair(knobs, len(Y)), sums=self._sums)

    def _forces(self, P: Any, Y: Floats, i: int, knobs: Mapping[str, float]) -> forces.Forces:
        return elastic.elastic_forces(P, Y, i, _of_a_pair(knobs, len(Y)))

    def _costs(self, P: Any, Y: Floats, knobs: Mapping[str, float]) -> Floats:
        return elastic.elastic_costs(P, Y, _of_a_pair(knobs, len(Y)))

    def _uniform_cost(self, pairs: Any, n_objects: int, knobs: Mapping[str, float]) -> float:
        return knobs["repulsion"]

    def _schedules(self, n_objects: int) -> dict[str, Any]:
        return {**super()._schedules(n_objects), "repulsion": self.repulsion}


def _of_a_pair(knobs: Mapping[str, float], n_objects: int) -> float:
    return knobs["repulsion"] / (n_objects * (n_objects - 1.0))
