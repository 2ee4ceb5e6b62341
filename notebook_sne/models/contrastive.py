"""t-SNE by contrastive losses, which distinguish neighbors from random pairs, as estimators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.fitting.sums import by_mesh
from notebook_sne.engine.mathematics import forces, infonce, tsne
from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.optimizers.schedules import Schedule
from notebook_sne.engine.sums.stored_pairs import StoredPairs
from notebook_sne.models.estimator import estimator
from notebook_sne.models.single import SingleMap

__all__ = ["InfoNCTSNE", "NegTSNE"]


@estimator
class _Contrastive(SingleMap):
    """The common part of both models; not used by itself."""

    n_negatives: float | Schedule = 5.0

    _convention = "joint"
    _kernel = "student"
    _gains = (0.2, 0.8, 0.01, 20.0)

    @classmethod
    def _going_on(cls, before: Any) -> dict[str, Any]:
        return {name: getattr(before, name) for name in cls._own() if isinstance(before, cls)}

    @classmethod
    def _own(cls) -> tuple[str, ...]:
        return ("n_negatives",)

    def _attractive_pairs(self, P: Any) -> StoredPairs:
        return tsne.attractive_pairs(P)

    def _schedules(self, n_objects: int) -> dict[str, Any]:
        schedules = {**super()._schedules(n_objects), **{name: getattr(self, name) for name in self._own()}}
        if self.learning_rate == "auto":
            schedules["learning_rate"] = max(n_objects / 4.0, 50.0)
        return schedules


@estimator
class NegTSNE(_Contrastive):
    """Neg-t-SNE: t-SNE by negative sampling, with UMAP at one setting and t-SNE at another.

    Is this a pair of neighbors, or one of m random pairs? Answering with w / (w + u), with the w of t-SNE, costs on
    average

    .. math::

        C = -sum_ij p_ij log(w_ij / (w_ij + u)) - m / (N (N - 1)) sum_ij log(u / (w_ij + u))

        w_ij = 1 / (1 + d_ij),   d_ij = |y_i - y_j|^2,   u = m z_bar

        dC/dy_i = 4 sum_j (p_ij u / (1 + u + u d_ij) - m / (N (N - 1)) w_ij^2 / (w_ij + u)) (y_i - y_j)

    with the joint P of `SymmetricSNE`. The mean over all samples is a sum over all pairs, so nothing is sampled here:
    the loss has a gradient, and a run can be resumed.

    A given number replaces the sum Z of all w, by which t-SNE divides. If it is large, neighbors attract more, and the
    map is compact: UMAP takes u = 1. If it is the Z of a map of t-SNE, the map is that of t-SNE, except with few
    negative pairs.  [Damrich2023]

    Parameters
    ----------
    z_bar : float or schedule, default=0.2
        Zbar / (N (N - 1)), the assumed mean similarity of all pairs, above 0. With the 5 negative pairs of UMAP the
        default has its u = 1. A map of t-SNE of 600 digits at perplexity 15 has Z / (N (N - 1)) = 0.005. With so small
        a value, clusters can't pass each other from the start: let it fall, as in ``Steps(0.2, 0.005, at=250)``.
    n_negatives : float or schedule, default=5
        m, pairs drawn at random for each pair of neighbors.
    {common}

    Attributes
    ----------
    {results}

    Notes
    -----
    What "auto" means, and the default of `max_iter`:

    ============= ==========================================================
    learning_rate N / 4, at least 50; with gains, between 0.01 and 20
    momentum      0.5 for 100 updates, then 0.8
    init          principal components of vectors, random for other inputs,
                  both with standard deviation 1e-4
    max_iter      1000
    ============= ==========================================================

    The loss is no divergence: losses of different z_bar, m or P can't be compared. With u = 1 it is a loss of UMAP's
    kind, for the kernel 1 / (2 + d). umap-learn has another kernel, another P, and half of the repulsion, as a random
    object doesn't move itself: `UMAP` has these, and its maps are like those of umap-learn. Keys such as [Damrich2023]
    are spelled out in `notebook_sne.engine.mathematics`; the sums are in `notebook_sne.engine.mathematics.tsne`.

    `transform` places new objects as `TSNE` does.

    See Also
    --------
    TSNE
        With ``exaggeration=Steps(4, 4, at=0)`` its maps resemble those of UMAP, too.
    UMAP
        The loss, the kernel and the graph of umap-learn.
    InfoNCTSNE
        Another contrastive loss, which finds the sum by itself.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> digits = ns.datasets.load_digits().sample(30, random_state=0)
    >>> model = ns.NegTSNE(perplexity=20, max_iter=300, random_state=0).fit(digits.X)
    >>> model.embedding_.shape
    (300, 2)
    """

    z_bar: float | Schedule = 0.2

    @classmethod
    def _own(cls) -> tuple[str, ...]:
        return ("n_negatives", "z_bar")

    def _evaluate(self, pairs: Any, Y: Floats, knobs: Mapping[str, float]) -> Evaluation:
        return tsne.negative_sampling(pairs, Y, knobs["z_bar"], knobs["n_negatives"], sums=self._sums)

    def _forces(self, P: Any, Y: Floats, i: int, knobs: Mapping[str, float]) -> forces.Forces:
        return tsne.negative_sampling_forces(P, Y, i, knobs["z_bar"], knobs["n_negatives"])

    def _costs(self, P: Any, Y: Floats, knobs: Mapping[str, float]) -> Floats:
        return tsne.negative_sampling_costs(P, Y, knobs["z_bar"], knobs["n_negatives"])

    def _uniform_cost(self, pairs: Any, n_objects: int, knobs: Mapping[str, float]) -> float:
        m, u = knobs["n_negatives"], knobs["n_negatives"] * knobs["z_bar"]
        return float(np.log1p(u) + m * np.log1p(1.0 / u))


@estimator
class InfoNCTSNE(_Contrastive):
    """InfoNC-t-SNE: t-SNE by InfoNCE, which picks the pair of neighbors among m others.

    One pair of neighbors is among m random pairs. Picking a pair by its share of the similarity costs minus the
    logarithm of the share of the right pair. The cost is the mean over all draws, an integral:

    .. math::

        C = sum_ij p_ij E[log(w_ij + S)] - sum_ij p_ij log w_ij,   w_ij = 1 / (1 + d_ij)

        E[log(w + S)] = int_0^inf (e^-t - e^(-t w) A(t)^m) dt / t,   A(t) = sum_kl e^(-t w_kl) / (N (N - 1))

        dC/dy_i = 4 sum_j (p_ij (w_ij - w_ij^2 L'(w_ij)) - m / (N (N - 1)) F(w_ij) w_ij^2) (y_i - y_j)

        L'(w) = int A^m e^(-t w) dt,   F(w) = int A^(m-1) sum_ij p_ij e^(-t w_ij) e^(-t w) dt

    with the joint P of `SymmetricSNE`, d_ij = |y_i - y_j|^2, and S the sum of w over m pairs drawn evenly from all
    [Damrich2023]. Nothing is sampled: A needs only how many pairs are how far apart. With very many others, this is
    t-SNE; with few, objects that are already near attract less.

    Parameters
    ----------
    n_negatives : float or schedule, default=5
        m, pairs drawn at random for each pair of neighbors.
    {common}

    Attributes
    ----------
    {results}

    Notes
    -----
    What "auto" means, and the default of `max_iter`:

    ============= ==========================================================
    learning_rate N / 4, at least 50; with gains, between 0.01 and 20
    momentum      0.5 for 100 updates, then 0.8
    init          principal components of vectors, random for other inputs,
                  both with standard deviation 1e-4
    max_iter      1000
    ============= ==========================================================

    Losses of different m or P can't be compared. With few others, maps of many objects keep few neighbors, and need
    more updates: of 10,000 digits, 300 updates keep 25% of the ten nearest with 5 others and 35% with 50, those of
    t-SNE 46%. An update takes about seven times as long as one of t-SNE. Keys such as [Damrich2023] are spelled out in
    `notebook_sne.engine.mathematics`; the loss is in `notebook_sne.engine.mathematics.infonce`.

    `transform` places new objects as `TSNE` does.

    See Also
    --------
    TSNE
        The limit for very many others, up to a constant.
    NegTSNE
        Another contrastive loss, with a given sum.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> digits = ns.datasets.load_digits().sample(30, random_state=0)
    >>> model = ns.InfoNCTSNE(perplexity=20, max_iter=300, random_state=0).fit(digits.X)
    >>> model.embedding_.shape
    (300, 2)
    """

    def _evaluate(self, pairs: Any, Y: Floats, knobs: Mapping[str, float]) -> Evaluation:
        return infonce.cost_and_gradient(pairs, Y, knobs["n_negatives"], always=by_mesh(self.sums))

    def _forces(self, P: Any, Y: Floats, i: int, knobs: Mapping[str, float]) -> forces.Forces:
        return infonce.infonce_forces(P, Y, i, knobs["n_negatives"])

    def _costs(self, P: Any, Y: Floats, knobs: Mapping[str, float]) -> Floats:
        return infonce.infonce_costs(P, Y, knobs["n_negatives"])

    def _uniform_cost(self, pairs: Any, n_objects: int, knobs: Mapping[str, float]) -> float:
        return float(np.log1p(knobs["n_negatives"]))
