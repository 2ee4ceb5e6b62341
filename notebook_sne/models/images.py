"""The mixture of images as an estimator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from notebook_sne.engine.checks.arguments import check_count, check_number
from notebook_sne.engine.checks.arrays import Floats, Matrix
from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.fitting.initialization import START_WEIGHT_SD, widened
from notebook_sne.engine.fitting.layout import Layout
from notebook_sne.engine.mathematics import images, new_images
from notebook_sne.engine.mathematics.aspects import MixtureEvaluation
from notebook_sne.engine.optimizers.schedules import Schedule, Stages, Steps
from notebook_sne.models.estimator import estimator
from notebook_sne.models.placed import Placed, PlacedInMaps

__all__ = ["MixtureSNE"]

_APART_SD = 0.1  # of the images of an object around their common start, as a share of its spread
# Nats per squared map unit that hold images together. At 1 some part while digits unfold, at 2 none does; at 10 the
# steps of a rate of 0.1 would no longer bring them together.
_HOLD = 4.0


@estimator
class MixtureSNE(PlacedInMaps):
    """The mixture of images: SNE in which an object can have several places in one map.

    An ambiguous object, such as a digit that is half a 2 and half a 3, can be near two groups that aren't near each
    other if it has an image in each. The images b of an object i have proportions pi_ib; each chooses among the images
    of all other objects, and the object is the mixture of its images:

    .. math::

        q_{j|i} = sum_b pi_ib sum_c pi_jc exp(-|y_ib - y_jc|^2) / z_ib
        z_ib = sum_{k != i} sum_c pi_kc exp(-|y_ib - y_kc|^2)

        C = sum_i KL(P_i || Q_i) = sum_ij p_{j|i} log(p_{j|i} / q_{j|i})

        dC/dy_ib = 2 sum_jc (y_ib - y_jc) (p_{j|i} r_ij^bc - t_ib q_{ib,jc} + p_{i|j} r_ji^cb - t_jc q_{jc,ib})

    The share r of a pair of images in the q of their objects, the load t of an image and its own choices, q with two
    pairs of indices, are those of `notebook_sne.engine.mathematics.images`.  [Hinton2002, section 4, Eq. 6-9]

    Parameters
    ----------
    n_images : int, default=2
        M, places that each object has in the map.
    mixing : {"free", "equal"} or array, shape (M, N), default="free"
        Proportions of the images: free, so that the images of an object compete for its choices, 1 / M for all,
        or as given.
    pull : float or schedule, default=0
        Force that ties the images of an object together, in nats per map unit; it grows with their separation up to
        `reach`, and is constant beyond.
    reach : float, default=0.05
        Separation at which the force reaches its full strength, in map units.
    n_restarts : int, default=1
        Fits from different random starts; `fit` keeps the one with the lowest objective.
    {exaggeration}
    {common}

    Attributes
    ----------
    {results of several}

    Notes
    -----
    ``maps_[b]`` holds image b of every object; all images lie in the same map.

    What "auto" means, and the default of `max_iter`:

    ============= ============================================================
    learning_rate 0.1
    momentum      0.5 for 50 updates, then 0.9
    init          PCA for vectors, random otherwise, standard deviation 1e-4;
                  the images of an object start a tenth of it apart
    max_iter      1000
    ============= ============================================================

    An array given as `init` has shape (M, N, n_components). Jitter moves each image by itself. Keys such as
    [Hinton2002] are spelled out in `notebook_sne.engine.mathematics`.

    See Also
    --------
    SNE
        One place for each object.
    AspectMaps
        Several maps instead of several places in one.
    notebook_sne.datasets.load_hybrid_digits
        Objects that belong in two places.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> hybrids = ns.datasets.load_hybrid_digits(40, 12)
    >>> model = ns.MixtureSNE.simplified(perplexity=5, max_iter=100, random_state=0).fit(hybrids.X)
    >>> model.maps_.shape, model.mixing_.shape
    ((2, 132, 2), (2, 132))
    """

    n_images: int = 2
    mixing: Literal["free", "equal"] | ArrayLike = "free"
    pull: float | Schedule = 0.0
    reach: float = 0.05
    n_restarts: int = 1
    exaggeration: float | Schedule | None = None

    _convention = "conditional"
    _kernel = "gaussian"
    _inits = ("auto", "pca", "random")
    _pca_by_default = True
    _start_sd = 1e-4
    _gains = None
    _sums_by_mesh = False

    @classmethod
    def paper(cls, **changes: Any) -> Self:
        """Return the simplified mixture with the recipe of [Hinton2002, section 4 and its footnote].

        Two images with proportions 1/2, tied by 0.025 nats per map unit beyond a separation of 0.05, perplexity 10 and
        a constant jitter of 0.05. Steps are half of the printed 0.7 times the gradient, as if the gradient were meant
        without its factor 2: at 0.7, a map of hybrid digits diverged after 136 updates. The paper doesn't give the
        number of updates (1000 here) or the start (random here); there is no momentum. `simplified` differs where other
        settings do better.

        Parameters
        ----------
        **changes
            Hyperparameters to set otherwise.

        Returns
        -------
        model : MixtureSNE
            Not yet fitted.
        """
        recipe = {
            "n_images": 2,
            "mixing": "equal",
            "pull": 0.025,
            "reach": 0.05,
            "perplexity": 10.0,
            "init": "random",
            "learning_rate": 0.35,
            "momentum": 0.0,
            "jitter": 0.05,
            "max_iter": 1000,
        }
        return cls(**{**recipe, **changes})

    @classmethod
    def simplified(cls, *, held: bool = False, **changes: Any) -> Self:
        """Return the simplified model of [Hinton2002, section 4].

        Two images with proportions 1/2, tied by 0.025 nats per map unit beyond a separation of 0.05, perplexity 10,
        jitter 0.05 that ends after 900 of 1000 updates. The paper's rate, 0.7, diverges; 0.1 here.

        Parameters
        ----------
        held : bool, default=False
            Hold the images of an object together for the first 600 updates, by a strong pull and without jitter: the
            map unfolds like that of `SNE`, and the images part later. This isn't in the paper. Without it, images part
            while the map unfolds, and many stay apart, so that hybrid digits stand out less. But a map that SNE folds
            stays folded, as a circle on a line.
        **changes
            Hyperparameters to set otherwise; a number given as `pull` holds once the images are released. All phases
            shrink and grow with `max_iter`.

        Returns
        -------
        model : MixtureSNE
            Not yet fitted.
        """
        part = max(1, 3 * check_count("max_iter", changes.get("max_iter", 1000), 1) // 10)
        still = 0.0 if held else 0.05
        recipe = {
            "mixing": "equal",
            "pull": 0.025,
            "perplexity": 10.0,
            "momentum": 0.0,
            "jitter": Stages((still, still, 0.05), each=part),
            **changes,
        }
        if held and not callable(recipe["pull"]):
            reach = check_number("reach", recipe.get("reach", 0.05), 0.0, closed=False)
            recipe["pull"] = Steps(_HOLD * reach, recipe["pull"], at=2 * part)
        if held and (recipe["jitter"] == 0 or recipe.get("optimizer") in ("lbfgs", "conjugate")):
            raise ValueError(
                "held must be False without jitter, which parts the images once they are let go, got held=True with "
                f"jitter={show(recipe['jitter'])}, optimizer={show(recipe.get('optimizer', 'auto'))}; give held=False"
            )
        return cls(**recipe)

    def _n_maps(self, n_objects: int) -> int:
        return check_count("n_images", self.n_images, 1)

    def _attractive_pairs(self, P: Any) -> Any:
        return images.attractive_pairs(P)

    def _start(
        self, layout: Layout, positions: Floats | None, rng: np.random.Generator
    ) -> tuple[Floats, Floats | None]:
        M, N, d = layout.shape
        d += self._extra_dimensions()
        if positions is None:
            positions = self._start_sd * rng.standard_normal((N, d))
        positions = widened(positions, d, rng)
        if positions.ndim == 2:
            apart = _APART_SD * np.std(positions)
            positions = positions + apart * rng.standard_normal((M, N, d))
        return positions, START_WEIGHT_SD * rng.standard_normal((M, N))

    def _mixture_evaluation(self, pairs: Any, Y: Floats, W: Floats, knobs: Mapping[str, float]) -> MixtureEvaluation:
        reach = check_number("reach", self.reach, 0.0, closed=False)
        here = images.cost_and_gradient(pairs, Y, W, knobs["pull"], reach, knobs.get("exaggeration", 1.0))
        if "penalty" not in knobs and "flattening" not in knobs:
            return here
        penalty = self._penalties(Y.shape[2], knobs)
        return here._replace(
            objective=here.objective + 0.5 * float(np.sum(penalty * np.square(Y))), maps=here.maps + penalty * Y
        )

    def _schedules(self, n_objects: int) -> dict[str, Any]:
        schedules = super()._schedules(n_objects)
        schedules["pull"] = self.pull
        return self._exaggerated(schedules, n_objects)

    def _places(self, P: sparse.csr_array, knobs: Mapping[str, float]) -> tuple[Floats, Floats]:
        free = not (isinstance(self.mixing, str) and self.mixing == "equal")
        return new_images.places(P, *self._fitted_places(), free=free, pull=knobs["pull"], reach=self.reach)

    def place(self, X: Matrix) -> Placed:
        """Place the images of new objects in the map, each object independently; the map stays as it is.

        The places are those at which the mixture of the images explains p_{j|i}, the choices of the new object among
        the fitted ones, best, while the ties of the fit hold its images together
        (`notebook_sne.engine.mathematics.new_images`). Proportions are found, too, or 1 / M where `mixing` is "equal".

        Parameters
        ----------
        X : array-like
            The new objects, as in the fit: vectors, shape (n, n_features), measured as those were; or their distances
            to the fitted objects, or p_{j|i} of new objects i and fitted objects j, dense or sparse, shape (n, N).

        Returns
        -------
        placed : Placed
            Its `maps`, shape (M, n, n_components), of which ``maps[b]`` has image b of each new object, and its
            `mixing`, shape (M, n).

        Raises
        ------
        ValueError
            If X breaks these rules, or if the vectors of the fit have been changed in place since.

        Warns
        -----
        UserWarning
            If more fitted objects than the perplexity are nearest to a new object; these share its choice evenly.

        Notes
        -----
        A descent for each of four starts, without jitter: the cost of an object has several minima, and the end is a
        good one, not surely the best.

        Examples
        --------
        >>> import notebook_sne as ns
        >>> hybrids = ns.datasets.load_hybrid_digits(40, 12)
        >>> model = ns.MixtureSNE.simplified(perplexity=5, max_iter=100, random_state=0).fit(hybrids.X[:-4])
        >>> placed = model.place(hybrids.X[-4:])
        >>> placed.maps.shape, placed.mixing.shape
        ((2, 4, 2), (2, 4))
        """
        return super().place(X)
