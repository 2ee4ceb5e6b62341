"""UNI-SNE as an estimator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.fitting.knobs import check_knob
from notebook_sne.engine.mathematics import forces, out_of_sample, unisne
from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.optimizers.schedules import Decay, Schedule, Steps
from notebook_sne.engine.sums.stored_pairs import StoredPairs
from notebook_sne.models.estimator import estimator
from notebook_sne.models.single import SingleMap

__all__ = ["UNISNE"]


@estimator
class UNISNE(SingleMap):
    """UNI-SNE: symmetric SNE in which a share of Q, the background, is spread evenly over all pairs.

    In a plane there is little room at a moderate distance: symmetric SNE pushes the many dissimilar pairs apart until
    the middle of the map is crushed. UNI-SNE explains these pairs by a background b instead, so that they need not be
    pushed:

    .. math::

        q_ij = (1 - b) e_ij / Z + b / (N (N - 1)),   e_ij = exp(-d_ij),   Z = sum_{k != l} e_kl,   d_ij = |y_i - y_j|^2

        C = KL(P || Q) = sum_ij p_ij log(p_ij / q_ij)

        dC/dy_i = 4 sum_j (p_ij r_ij - R e_ij / Z) (y_i - y_j)
        r_ij = (1 - b) e_ij / (Z q_ij),   R = sum_ij p_ij r_ij

    with the joint P of `SymmetricSNE`, which is the case b = 0. r is the share of a q that isn't background: a spring
    releases a pair that the background explains. A run is symmetric first, because clusters can't pass each other once
    there is a background; then the map opens.  [Cook2007, section 6, Eq. 9]

    Parameters
    ----------
    background : float or schedule, default=0.2
        Share b of Q that is spread evenly, 0 <= b < 1. A number holds after the first two fifths of `max_iter`, which
        are symmetric; a schedule, such as ``Steps(0, 0.2, at=1100)``, is used as it is.
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
    max_iter      1500
    ============= ==========================================================

    The phases of a run are "symmetric" and "background". Costs of different backgrounds can be compared, because P is
    the same. Keys such as [Cook2007] are spelled out in `notebook_sne.engine.mathematics`; the sums are in
    `notebook_sne.engine.mathematics.unisne`.

    `transform` places each new object by its own choices, with the background of the map.

    Use it for up to some thousand objects: under a Gaussian, a plane has no room for the neighbors of very many. The
    map of a million digits keeps 2% of the ten nearest neighbors, that of `TSNE` 30%.

    See Also
    --------
    SymmetricSNE
        The same without a background.
    AspectMaps
        The origin of UNI-SNE: one of two maps became a background.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> digits = ns.datasets.load_digits().sample(30, random_state=0)
    >>> model = ns.UNISNE(background=0.2, perplexity=20, max_iter=200, random_state=0).fit(digits.X)
    >>> model.embedding_.shape
    (300, 2)
    >>> model.trace_.groupby("phase", sort=False)["iteration"].first().to_dict()
    {'symmetric': 0, 'background': 81}
    """

    background: float | Schedule = 0.2
    exaggeration: float | Schedule | None = None
    max_iter: int = 1500

    _convention = "joint"
    _kernel = "gaussian"

    @classmethod
    def paper(cls, **changes: Any) -> Self:
        """Return UNI-SNE with the settings of [Cook2007, section 6].

        Perplexity 30, a random start, 1100 updates of symmetric SNE with fading jitter, then 1500 with a background of
        0.2 and no jitter. The paper doesn't give the rate (N / 10 here), the momentum (0.5, then 0.8 here), or the
        decay of the jitter (0.3 exp(-t / 86) here).

        Parameters
        ----------
        **changes
            Hyperparameters to set otherwise.

        Returns
        -------
        model : UNISNE
            Not yet fitted.
        """
        recipe = {
            "perplexity": 30.0,
            "init": "random",
            "background": Steps(0.0, 0.2, at=1100),
            "jitter": Decay(0.3, 86.0),
            "max_iter": 2600,
        }
        return cls(**{**recipe, **changes})

    @classmethod
    def _going_on(cls, before: Any) -> dict[str, Any]:
        b = before.background if isinstance(before, cls) else cls.background
        return {"background": b if callable(b) else Steps(b, b, at=0)}

    def _attractive_pairs(self, P: Any) -> StoredPairs:
        return unisne.attractive_pairs(P)

    def _evaluate(self, pairs: Any, Y: Floats, knobs: Mapping[str, float]) -> Evaluation:
        return unisne.cost_and_gradient(
            pairs, Y, knobs["background"], exaggeration=knobs.get("exaggeration", 1.0), sums=self._sums
        )

    def _forces(self, P: Any, Y: Floats, i: int, knobs: Mapping[str, float]) -> forces.Forces:
        return forces.uniform_forces(P, Y, i, knobs["background"], knobs.get("exaggeration", 1.0))

    def _costs(self, P: Any, Y: Floats, knobs: Mapping[str, float]) -> Floats:
        return forces.uniform_costs(P, Y, knobs["background"])

    def _places(self, P: Any, knobs: Mapping[str, float]) -> Floats:
        return out_of_sample.places(P, self._fitted_places(), background=knobs["background"])[0]

    def _phase(self, knobs: Mapping[str, float]) -> str:
        phase = super()._phase(knobs)
        if phase in ("exaggeration", "flattening"):
            return phase
        return "background" if knobs["background"] > 0 else "symmetric"

    def _schedules(self, n_objects: int) -> dict[str, Any]:
        schedules = super()._schedules(n_objects)
        background = self.background
        if not callable(background):
            check_knob("background", background)
            background = Steps(0.0, background, at=2 * self.max_iter // 5)
        schedules["background"] = background
        return schedules
