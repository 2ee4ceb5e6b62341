"""UMAP without sampling, as an estimator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from scipy import sparse

from notebook_sne.affinities import fuzzy
from notebook_sne.affinities.metrics import check_metric, input_of
from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.fitting.inputs import Target, umap_target
from notebook_sne.engine.fitting.layout import Layout
from notebook_sne.engine.fitting.sums import by_mesh
from notebook_sne.engine.mathematics import forces, umap
from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.optimizers.schedules import Schedule, Share, Steps, last_change
from notebook_sne.engine.sums.stored_pairs import StoredPairs
from notebook_sne.models.estimator import estimator
from notebook_sne.models.single import SingleMap

__all__ = ["UMAP"]

_START_SD = 2.5  # map units, of a random start and of the first principal component: about as wide as the map will be
_EXAGGERATED = 60  # updates
_RESTING = 6  # one of so many updates, at the end, is short, so that near objects come to rest


@estimator
class UMAP(SingleMap):
    """UMAP without sampling: the loss that umap-learn lowers on average, with its gradient.

    Neighbors attract each other, and objects drawn at random push. Here the average over all draws takes the place of
    the draws:

    .. math::

        C = -sum_ij p_ij log w_ij - m / 2 sum_ij (p_i + p_j) / (2 N) log(1 - w_ij),   p_i = sum_j p_ij

        w_ij = 1 / (1 + a d_ij^b),   d_ij = |y_i - y_j|^2

    p are the weights of UMAP's graph of neighbors (`affinities.umap`) over their sum. This isn't the cross entropy
    that [McInnes2018] states, in which nearly every pair pushes with full weight. umap-learn draws m objects for each
    edge that it draws, so that a pair pushes by the degrees of its two objects, and less, the more objects there are
    [Damrich2021]. As a drawn object doesn't move itself, the average is half of what its terms add up to: hence m / 2.
    So the map resembles that of umap-learn about as much as another seed of umap-learn does. But it is the same for any
    number of threads, has a cost, can be watched, resumed and changed while it runs.

    Parameters
    ----------
    n_neighbors : int or "auto", default=15
        k, how many neighbors an object has in the graph, itself included, 3 or more; "auto" is 15, or what each
        object of a graph has. With fewer objects, it is N - 1, with a warning.
    min_dist : float or schedule, default=0.03
        Up to this distance, in map units, w is nearly 1: objects may lie so near without being pushed apart. Below
        `spread`. umap-learn has 0.1, but its draws push near objects seldom and far, so that mostly they lie nearer,
        and less evenly, than by their mean. Clusters that touch are hard to tell apart where the spacing is even.
    spread : float or schedule, default=1
        Unit of the map: by how much w falls off beyond `min_dist`.
    negative_sample_rate : float or schedule, default=10
        m, random objects for each edge: the strength of the repulsion. umap-learn draws 5, and their mean joins more
        clusters by bridges than twice as many do. On a line, where clusters can't pass each other, 10 tears them: take
        5.
    exaggeration : float, schedule or None, default=1
        Factor on the attraction. A number holds for the first 60 updates, or a quarter of `max_iter` if this is less;
        it enters the objective, and never the cost.
    perplexity : float, list of float, schedule, "auto", "multiscale" or None, default=None
        None takes the graph of UMAP. With anything else, P is that of `TSNE` at this perplexity, and `n_neighbors` is
        not used: so P and loss can be changed one at a time.
    {density}
    {common}

    Attributes
    ----------
    {results}

    Notes
    -----
    What "auto" means, and the default of `max_iter`:

    ============= ===================================================================================
    learning_rate N / 8 while exaggerated, then N / 4, and N / 16 in the last sixth of `max_iter`
    momentum      0.95; at most k / (k + 3) after k updates, a count that restarts with the objective
    init          principal components of vectors, the first with standard deviation 2.5; random with
                  the same standard deviation for other inputs
    max_iter      300
    ============= ===================================================================================

    The loss is no divergence: losses of different P, `min_dist`, `spread` or m can't be compared. Within 0.03 map
    units the repulsion is softened as in umap-learn, by 0.001 on squared distances. umap-learn starts at a spectral
    layout, which `init` can be given. Keys such as [Damrich2021] are spelled out in `notebook_sne.engine.mathematics`;
    the loss is in `notebook_sne.engine.mathematics.umap`, the graph in `notebook_sne.affinities.umap`.

    Unlike umap-learn's, this UMAP is never supervised: a y has no effect, and `fit` warns of it. Nor does it join equal
    objects (``unique=True``): some tenths of a map unit may lie between them.

    `transform` places each new object where its own part of the loss is least, by its own neighbors and without regard
    to densities.

    See Also
    --------
    NegTSNE
        Negative sampling with the kernel and the P of t-SNE, and with a knob that leads from UMAP's kind to t-SNE.
    TSNE
        With ``exaggeration=Steps(12, 4, at=125)`` its maps resemble those of UMAP, too.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> digits = ns.datasets.load_digits().sample(30, random_state=0)
    >>> model = ns.UMAP(max_iter=200, random_state=0).fit(digits.X)
    >>> model.embedding_.shape
    (300, 2)
    >>> ns.quality.knn_error(model.embedding_, digits.labels) < 0.2
    True
    """

    n_neighbors: int | str = 15
    min_dist: float | Schedule = 0.03
    spread: float | Schedule = 1.0
    negative_sample_rate: float | Schedule = 10.0
    exaggeration: float | Schedule | None = 1.0
    perplexity: float | Sequence[float] | Schedule | Literal["auto", "multiscale"] | None = None
    density: float | Schedule | None = None
    max_iter: int = 300

    _convention = "joint"
    _kernel = "student"
    _rises = True
    _supervised_elsewhere = True
    _tricks = (*SingleMap._tricks, "density")

    @classmethod
    def _going_on(cls, before: Any) -> dict[str, Any]:
        own = ("n_neighbors", "min_dist", "spread", "negative_sample_rate")
        kept = {name: getattr(before, name) for name in own if isinstance(before, cls)}
        return {**kept, "exaggeration": Steps(1.0, 1.0, at=0)}

    def _target(self, X: Any, perplexity: float | None, least_p: float | None) -> Target:
        if perplexity is not None or input_of(self) in ("probabilities", "joint"):
            return super()._target(X, perplexity, least_p)
        metric = check_metric(self.metric, self.input)
        return umap_target(X, input_of(self, X), self.n_neighbors, least_p, self._recall(), metric)

    def _attractive_pairs(self, P: Any) -> StoredPairs:
        return umap.attractive_pairs(P)

    def _evaluate(self, pairs: Any, Y: Floats, knobs: Mapping[str, float]) -> Evaluation:
        return umap.cost_and_gradient(
            pairs, Y, *_of(knobs), exaggeration=knobs["exaggeration"], always=by_mesh(self.sums)
        )

    def _forces(self, P: Any, Y: Floats, i: int, knobs: Mapping[str, float]) -> forces.Forces:
        return umap.umap_forces(P, Y, i, *_of(knobs), exaggeration=knobs["exaggeration"])

    def _costs(self, P: Any, Y: Floats, knobs: Mapping[str, float]) -> Floats:
        return umap.umap_costs(P, Y, *_of(knobs), always=by_mesh(self.sums))

    def _uniform_cost(self, pairs: Any, n_objects: int, knobs: Mapping[str, float]) -> float:
        return umap.least_even_cost(*_of(knobs))

    def _places(self, P: sparse.csr_array, knobs: Mapping[str, float]) -> Floats:
        return umap.places(P, self._fitted_places(), np.asarray(self.affinities_.sum(axis=1)).ravel(), *_of(knobs))

    def _width_of_new(self) -> Any:
        count = fuzzy.neighbors_of(self.n_neighbors, self.affinities_.shape[0])
        return fuzzy.SmoothNeighbors(count, auto=self.n_neighbors == fuzzy.AUTO)

    def _principal(self, X: Any, n_components: int) -> Floats | None:
        positions = super()._principal(X, n_components)
        return None if positions is None else positions * (_START_SD / positions[:, 0].std())

    def _start(
        self, layout: Layout, positions: Floats | None, rng: np.random.Generator
    ) -> tuple[Floats, Floats | None]:
        if positions is None:
            _, N, d = layout.shape
            positions = _START_SD * rng.standard_normal((N, d))
        return super()._start(layout, positions, rng)

    def _exaggerated_for(self, n_objects: int) -> int:
        return 0 if self.exaggeration in (None, 1.0) else min(_EXAGGERATED, self.max_iter // 4)

    def _schedules(self, n_objects: int) -> dict[str, Any]:
        schedules = super()._schedules(n_objects)
        for name in ("min_dist", "spread", "negative_sample_rate"):
            schedules[name] = getattr(self, name)
        if self.perplexity is None:
            schedules.pop("perplexity")
        if self.learning_rate == "auto":
            end = last_change(schedules["exaggeration"])
            rate = Steps(n_objects / 4, n_objects / 16, at=self.max_iter - self.max_iter // _RESTING)
            schedules["learning_rate"] = rate if end in (0, np.inf) else Share(rate, Steps(2.0, 1.0, at=int(end)))
        if self.momentum == "auto":
            schedules["momentum"] = 0.95
        return schedules


def _of(knobs: Mapping[str, float]) -> tuple[float, float, float]:
    """Return a, b and m."""
    return (*umap.kernel_of(knobs["min_dist"], knobs["spread"]), knobs["negative_sample_rate"])
