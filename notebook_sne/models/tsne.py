"""t-SNE as an estimator."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import Any, Self

from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.mathematics import forces, tsne
from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.optimizers.schedules import Schedule, Steps, last_change, value_at
from notebook_sne.engine.sums.stored_pairs import StoredPairs
from notebook_sne.models.estimator import estimator
from notebook_sne.models.single import SingleMap

__all__ = ["TSNE"]

_MANY = 600  # objects; the rings of fewer are cut open by 125 exaggerated updates alone
_EXAGGERATED, _MOST = 0.9, 0.98  # momentum while exaggerated, and later


@estimator
class TSNE(SingleMap):
    """t-SNE: symmetric SNE, with Student's t instead of a Gaussian in the map.

    A Gaussian is almost 0 for a pair that is a few units apart. With the heavy tails of Student's t of one degree of
    freedom, objects at a moderate distance in the data can lie far apart in the map, which leaves room in its middle:

    .. math::

        q_ij = w_ij / sum_{k != l} w_kl,   w_ij = 1 / (1 + d_ij),   d_ij = |y_i - y_j|^2

        C = KL(P || Q) = sum_ij p_ij log(p_ij / q_ij)

        dC/dy_i = 4 sum_j (p_ij - q_ij) w_ij (y_i - y_j)

    with the joint P of `SymmetricSNE`. The w in the force makes long springs slack, so that distant clusters barely
    feel each other. Early exaggeration therefore multiplies the attraction for a while, so that clusters form while
    they can still pass each other.  [Maaten2008; Nabney, Eq. 9-10]

    Parameters
    ----------
    exaggeration : float, schedule or None, default=12
        Factor on the attraction. A number holds for the first 125 updates (250 with fewer than 600 objects), or a
        quarter of `max_iter` if this is less; a schedule, such as ``Steps(4, 1, at=50)``, is used as it is.
    degrees_of_freedom : float, schedule or None, default=None
        nu of Student's t: the kernel is w_ij = (1 + d_ij / nu)**(-(nu + 1) / 2), that of t-SNE at 1, which is also the
        meaning of None. The smaller nu is, the heavier the tails; for large nu, it tends to the Gaussian exp(-d / 2).
        If nu isn't 1, exact sums take about ten times as long, and sums by a mesh no longer.  [Nabney]
    {density}
    {common}

    Attributes
    ----------
    {results}

    Notes
    -----
    What "auto" means, and the default of `max_iter`:

    ============= ===================================================================================
    learning_rate N / exaggeration while exaggerated, but no more than N / 2, which it is then
    momentum      0.9 while exaggerated, then 0.98; at most k / (k + 3) after k updates
    init          principal components of vectors, random for other inputs, both with standard
                  deviation 1e-4
    max_iter      750
    ============= ===================================================================================

    The count k of the momentum "auto" [Nesterov1983] restarts whenever the objective jumps, as at the end of the
    exaggeration or when a knob is turned. With a momentum of your own, each coordinate instead has a gain, between 0.01
    and 20, that multiplies its rate: it grows while step and descent agree and shrinks when they don't [Maaten2008].

    The phases of a run are "exaggeration" and "descent". Keys such as [Maaten2008] are spelled out in
    `notebook_sne.engine.mathematics`; the sums are in `notebook_sne.engine.mathematics.tsne`.

    `transform` places each new object by its own choices, without exaggeration and without regard to densities.

    See Also
    --------
    SymmetricSNE
        The same with a Gaussian.
    MultipleMapsTSNE
        Several maps of this kind.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> digits = ns.datasets.load_digits().sample(30, random_state=0)
    >>> model = ns.TSNE(perplexity=20, max_iter=400, random_state=0).fit(digits.X)
    >>> model.embedding_.shape
    (300, 2)
    >>> ns.quality.knn_error(model.embedding_, digits.labels) < 0.2
    True
    """

    exaggeration: float | Schedule | None = 12.0
    degrees_of_freedom: float | Schedule | None = None
    density: float | Schedule | None = None
    max_iter: int = 750

    _convention = "joint"
    _kernel = "student"
    _left_out = "student"
    _tricks = (*SingleMap._tricks, "degrees_of_freedom", "density")

    @property
    def _rises(self) -> bool:  # type: ignore[override]  # where the momentum is its own
        return self.momentum == "auto"

    @property
    def _gains(self) -> tuple[float, float, float, float] | None:  # type: ignore[override]
        """Increment, factor, least and greatest gain, as in [Maaten2008, section 3.4]; none beside the own momentum."""
        return None if self._rises else (0.2, 0.8, 0.01, 20.0)

    @classmethod
    def paper(cls, **changes: Any) -> Self:
        """Return t-SNE with the settings of [Maaten2008, section 3.4].

        Perplexity 40, a random start, 1000 updates, rate 100 with gains, momentum 0.5 for 250 updates and 0.8 from then
        on, exaggeration 4 for 50 updates.

        Parameters
        ----------
        **changes
            Hyperparameters to set otherwise.

        Returns
        -------
        model : TSNE
            Not yet fitted.
        """
        recipe = {
            "perplexity": 40.0,
            "init": "random",
            "learning_rate": 100.0,
            "momentum": Steps(0.5, 0.8, at=250),
            "exaggeration": Steps(4.0, 1.0, at=50),
            "max_iter": 1000,
        }
        return cls(**{**recipe, **changes})

    @classmethod
    def _going_on(cls, before: Any) -> dict[str, Any]:
        return {"exaggeration": Steps(1.0, 1.0, at=0)}

    def _attractive_pairs(self, P: Any) -> StoredPairs:
        return tsne.attractive_pairs(P)

    def _evaluate(self, pairs: Any, Y: Floats, knobs: Mapping[str, float]) -> Evaluation:
        return tsne.cost_and_gradient(pairs, Y, knobs["exaggeration"], **self._freedom(knobs))

    def _forces(self, P: Any, Y: Floats, i: int, knobs: Mapping[str, float]) -> forces.Forces:
        return forces.student_forces(P, Y, i, knobs["exaggeration"], knobs.get("degrees_of_freedom", 1.0))

    def _costs(self, P: Any, Y: Floats, knobs: Mapping[str, float]) -> Floats:
        return forces.student_costs(P, Y, knobs.get("degrees_of_freedom", 1.0))

    def _freedom(self, knobs: Mapping[str, float]) -> dict[str, Any]:
        """Return the degrees of freedom, and the sums with so many."""
        freedom, sums = knobs.get("degrees_of_freedom", 1.0), self._sums
        if freedom != 1:
            sums = partial(sums, degrees_of_freedom=freedom)  # type: ignore[call-arg]  # what only Student's t has
        return {"sums": sums, "degrees_of_freedom": freedom}

    def _places(self, P: Any, knobs: Mapping[str, float]) -> Floats:
        if (freedom := knobs.get("degrees_of_freedom", 1.0)) != 1:
            raise ValueError(
                f"transform places new objects under 1 degree of freedom, and this map has {freedom:g}; fit with "
                "degrees_of_freedom=1, or all objects together"
            )
        return super()._places(P, knobs)

    def _exaggerated_for(self, n_objects: int) -> int:
        return min(125 if n_objects >= _MANY else 250, self.max_iter // 4)

    def _phase(self, knobs: Mapping[str, float]) -> str:
        phase = super()._phase(knobs)
        return "descent" if phase == "jitter" else phase

    def _schedules(self, n_objects: int) -> dict[str, Any]:
        schedules = super()._schedules(n_objects)
        end = last_change(schedules["exaggeration"])
        if self.learning_rate == "auto":
            schedules["learning_rate"] = _rate(n_objects, schedules["exaggeration"])
        if self.momentum == "auto":
            at = self._exaggerated_for(n_objects) if end == math.inf else int(end)
            schedules["momentum"] = Steps(_EXAGGERATED, _MOST, at=at)
        return schedules


def _rate(n_objects: int, exaggeration: Schedule) -> float | Schedule:
    """Return the schedule of the learning rate: N over the exaggeration, but no more than N / 2."""
    most = 0.5 * n_objects
    before, end = min(n_objects / value_at(exaggeration, 0), most), last_change(exaggeration)
    return before if end in (0, math.inf) else Steps(before, most, at=int(end))
