"""Aspect maps and multiple-maps t-SNE as estimators.

Longer than 300 lines because two models share one mathematics, and each has its full documentation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.engine.checks.arguments import check_choice, check_count
from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.checks.maps import check_mixing
from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.fitting.hooks import Pairs
from notebook_sne.engine.fitting.layout import Layout
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.mathematics import aspects, copies, many_copies
from notebook_sne.engine.mathematics.aspects import MixtureEvaluation
from notebook_sne.engine.mathematics.copies import CopyMoves
from notebook_sne.engine.optimizers.schedules import Schedule, Steps
from notebook_sne.models.estimator import estimator
from notebook_sne.models.placed import PlacedInMaps

__all__ = ["AspectMaps", "MultipleMapsTSNE"]

# Where a map begins with one community, its objects unfold best from one place: from 0.1 maps end 0.6% higher.
_NARROWER = 0.1
# Of more objects, copies are moved by fields: a round by sums over all others takes minutes, and ten take longer than
# all updates together (docs/decisions.md).
_MANY = 8_000


class _Aspects(PlacedInMaps):
    """The common part of both models; not used by itself."""

    n_maps: int
    copy_moves: int

    _inits: ClassVar[tuple[str, ...]] = ("auto", "random", "communities", "overlapping")
    _student: ClassVar[bool]
    _kernel: ClassVar[Literal["gaussian", "student"] | None] = "gaussian"
    _grouped_by_default: ClassVar[bool] = False

    def _joint(self) -> bool:
        """Tell whether P and Q are joint."""
        raise NotImplementedError

    @property
    def _convention(self) -> Literal["conditional", "joint"]:  # type: ignore[override]  # which P it is depends on a hyperparameter here
        return "joint" if self._joint() else "conditional"

    def _n_maps(self, n_objects: int) -> int:
        n_maps = check_count("n_maps", self.n_maps, 1)
        if n_maps > n_objects:
            raise ValueError(
                f"n_maps must be at most the number of objects, {n_objects}, got {n_maps}; "
                "a map needs objects of its own, so give far fewer maps than objects"
            )
        return n_maps

    def _together(self) -> bool:
        """Tell whether all objects of a map are held in one place, and only the proportions are to be found."""
        return False

    def _attractive_pairs(self, P: Any) -> Pairs:
        return aspects.attractive_pairs(P)

    def _mixture_evaluation(self, pairs: Any, Y: Floats, W: Floats, knobs: Mapping[str, float]) -> MixtureEvaluation:
        if self._together() and Y.any():
            raise ValueError(
                "locations must be 'free' for a start whose objects stand at different places, got 'equal'; "
                "leave out start, or the move by hand"
            )
        # With all objects in one place no force moves any; a mesh would round.
        exact = self.sums == "exact" or self._together()
        return aspects.cost_and_gradient(
            pairs, Y, W, self._penalties(Y.shape[2], knobs),
            joint=self._joint(), student=self._student, exaggeration=knobs.get("exaggeration", 1.0),
            sums=None if exact else self._sums,
        )  # fmt: skip

    def _grouped(self) -> bool:
        named = isinstance(self.init, str)
        if named and self.init == "auto":
            return self._grouped_by_default and self._weighted() and self.n_maps > 1 and not self._together()
        if self.init not in ("communities", "overlapping") if named else np.ndim(self.init) != 2:
            return False
        if not self._weighted():
            what = f"init={self.init!r}" if named else "an init of proportions, shape (M, N),"
            raise ValueError(
                f"{what} needs mixing='free', as it begins with most of each object in the map of its group, got "
                f"mixing={show(self.mixing)}; use init='random'"
            )
        return True

    def _checked_positions(self, init: ArrayLike, layout: Layout) -> Floats:
        if not self._grouped():
            return super()._checked_positions(init, layout)
        if np.shape(init) != layout.shape[:2]:
            raise ValueError(
                f"init must have shape (M, N, n_components) = {layout.shape}, or (M, N) as proportions, got "
                f"{np.shape(init)}"
            )
        mixing = check_mixing("init", init, *layout.shape[:2])
        if mixing.min() == 0:
            raise ValueError(
                "init must not have proportions of 0, which no gradient leads away from; spread a part of each object "
                "over all maps, such as 0.7 * init + 0.3 / len(init)"
            )
        return mixing

    def _start(
        self, layout: Layout, positions: Floats | None, rng: np.random.Generator
    ) -> tuple[Floats, Floats | None]:
        Y, W = super()._start(layout, positions, rng)
        return (_NARROWER * Y, W) if self._grouped() else (Y, W)

    def _rounds(self) -> int:
        rounds = check_count("copy_moves", self.copy_moves, 0)
        # Where proportions are given, no copy has any to be found.
        return rounds if self._weighted() and self.n_maps > 1 and not self._together() else 0

    def _moves(self, pairs: Any, Y: Floats, W: Floats | None, knobs: Mapping[str, float]) -> CopyMoves:
        kind = {"joint": self._joint(), "student": self._student}
        penalties = self._penalties(Y.shape[2], knobs)
        if Y.shape[1] <= _MANY:
            return copies.move_copies(pairs, Y, W, penalties, **kind)
        return many_copies.move_copies(pairs, Y, W, penalties, sums=self._sums, **kind)

    def _trace_row(self, state: State, seconds: float) -> dict[str, Any]:
        return {**super()._trace_row(state, seconds), "copies": len(state.copies)}

    def _schedules(self, n_objects: int) -> dict[str, Any]:
        schedules = super()._schedules(n_objects)
        if self._together():  # neither noise nor a pull could move a point
            schedules = {name: value for name, value in schedules.items() if name not in ("jitter", "penalty")}
        if self.learning_rate == "auto":
            # A joint cost averages over the objects that a conditional one sums over.
            rate = (self.n_maps / 10) ** 0.43 if self.n_maps > 10 else 1.0
            schedules["learning_rate"] = rate * (n_objects if self._joint() else 1.0)
        if self.momentum == "auto":
            schedules["momentum"] = Steps(0.5, 0.9, at=50)
        return self._exaggerated(schedules, n_objects)


@estimator
class AspectMaps(_Aspects):
    """Aspect maps: a mixture of maps, in which a word can have a place for each of its senses.

    One map can't show that "can" is like *trash* and like *bottle*, because these two would then also lie together.
    Here each object i has a map point y_i^m and a mixing proportion pi_i^m in every map m, and chooses j with

    .. math::

        q_{j|i} = S_ij / z_i,   S_ij = sum_m pi_i^m pi_j^m exp(-d_ij^m),   z_i = sum_{h != i} S_ih

        d_ij^m = |y_i^m - y_j^m|^2,   sum_m pi_i^m = 1

    so that two objects are similar if they are near in at least one map in which both have some of their mass: "can"
    lies beside *trash* in one map and beside *bottle* in another. Map points and proportions are found together, by
    minimizing the divergence and a penalty:

    .. math::

        C = sum_i KL(P_i || Q_i) = sum_ij p_{j|i} log(p_{j|i} / q_{j|i})

        objective = C + (lambda / 2) sum_{i,m} |y_i^m|^2

        dC/dy_i^m = 2 sum_j (s_ij r_ij^m - u_ij^m) (y_i^m - y_j^m)
        s_ij = p_{j|i} + p_{i|j},   r_ij^m = pi_i^m pi_j^m exp(-d_ij^m) / S_ij
        u_ij^m = S_ij r_ij^m (1 / z_i + 1 / z_j)

    r_ij^m is the share of map m in S_ij: a pair attracts only in the maps that explain it. u_ij^m is the push that
    comes from its place in Q. The proportions are the softmax of weights, which have their own gradient
    (`notebook_sne.engine.mathematics.aspects`).  [Cook2007, sections 3-5, Eq. 7]

    Parameters
    ----------
    n_maps : int, default=50
        M, at most N.
    penalty : float or schedule, default=0.48
        lambda, the pull of every map point toward the origin, in nats per squared map unit. Without it, points that no
        similarity ties together drift apart.
    mixing : {"free", "equal"} or array, shape (M, N), default="free"
        Mixing proportions: found with the maps, 1 / M for all, or as given, summing to 1 over the maps.
    normalization : {"conditional", "joint"}, default="conditional"
        q_{j|i} as above and in the paper, or one distribution q_ij over all pairs, as in the lecture [Hinton2013].
        Joint costs are smaller, about 1 / N of the conditional ones, and so should the penalty be.
    n_restarts : int, default=1
        Fits from different random starts; `fit` keeps the one with the lowest objective.
    locations : {"free", "equal"}, default="free"
        Places of the objects: found with the proportions, or one place for all objects of a map. In the latter case,
        S_ij is the product sum_m pi_i^m pi_j^m, and a map is a cluster to which objects belong in part. This is a form
        of spectral clustering [Hinton2013], whose result is `mixing_`. It has no jitter, penalty or copy moves, and
        several restarts are worth their time.
    copy_moves : int, default=10
        Rounds in which further copies of objects are put where they lower the objective at once: into maps where
        they have ties, but no proportion and so no gradient. A round replaces every fifth update from the 21st on;
        `copies` of a `State` lists the moves. 0 makes no rounds, and neither do given proportions. With more than 8,000
        objects, fields approximate the gain of a place, which finds most of the moves.
    {exaggeration}
    {common}

    Attributes
    ----------
    {results of several}

    Notes
    -----
    What "auto" means, and the default of `max_iter`:

    ============= ==========================================================
    learning_rate 1 up to 10 maps, (n_maps / 10) ** 0.43 above (2 at 50);
                  N times that in the joint form
    momentum      0.5 for 50 updates, then 0.9
    init          "overlapping", at random with standard deviation 0.01; with
                  fixed proportions, one map or equal locations "random", with
                  0.1; "pca" isn't offered
    max_iter      400
    ============= ==========================================================

    Momentum has gains from 0.01 to 4. An array given as `init` has the map points, shape (M, N, n_components), or the
    mixing proportions alone, shape (M, N), such as `notebook_sne.senses.start` returns.

    With ``init="communities"`` each map begins with one community of P [Blondel2008]: 0.7 of each object is in the map
    of its community, and 0.3 is spread over all maps. The objective then ends lower than from noise: 4 to 7% for 1,500
    words of three sets of norms in 50 maps, 1 to 24% for other words, authors and digits in 2 to 100 maps.
    It is within 0.6% of its end after 200 updates. But "can" joins *trash* and *beer* in one community, and stays in
    one map. With ``init="overlapping"`` an object whose neighbors keep company of two kinds is divided first
    (`notebook_sne.engine.mathematics.overlapping`), and begins in the map of each part. The objective of the words of
    [Cook2007] is as low, and "can" has two maps, with five seeds. Both need ``mixing="free"``.

    Words that lie together in a map are a coherent context, not a dictionary sense. The look of the maps doesn't say
    whether two copies of a word are two meanings; whether both predict people's answers does.

    Keys such as [Cook2007] are spelled out in `notebook_sne.engine.mathematics`.

    See Also
    --------
    explore
        Search words in the maps, in a notebook.
    notebook_sne.senses.read
        The copies of each word and their neighbors, as tables.
    MultipleMapsTSNE
        The same with heavy tails and a joint P.
    MixtureSNE
        Several places for one object in one map.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> words = ns.datasets.load_word_relations()
    >>> model = ns.AspectMaps(n_maps=5, max_iter=60, input="probabilities", random_state=0).fit(words.P)
    >>> model.maps_.shape, model.mixing_.shape
    ((5, 475, 2), (5, 475))
    >>> bank = ns.senses.read(model, words).of("bank")      # a table: its maps, and its neighbors in each
    >>> ns.explore(model, words, word="bank")               # doctest: +SKIP
    """

    n_maps: int = 50
    penalty: float | Schedule | None = 0.48
    mixing: Literal["free", "equal"] | ArrayLike = "free"
    normalization: Literal["conditional", "joint"] = "conditional"
    locations: Literal["free", "equal"] = "free"
    n_restarts: int = 1
    copy_moves: int = 10
    exaggeration: float | Schedule | None = None
    max_iter: int = 400

    _student = False
    _grouped_by_default = True

    @classmethod
    def paper(cls, **changes: Any) -> Self:
        """Return aspect maps with the settings of [Cook2007, sections 3-5].

        50 maps with a penalty of 0.48, a conditional P and free proportions, from random coordinates, by conjugate
        gradients ("Carl Rasmussen's minimize"). Its P holds the shares of responses to 1000 words: give it with
        ``input="probabilities"``. The paper doesn't give the number of updates (400 here), the spread of the start
        (0.1 here), or the first proportions (nearly equal here). It moves no copies.

        Parameters
        ----------
        **changes
            Hyperparameters to set otherwise.

        Returns
        -------
        model : AspectMaps
            Not yet fitted.
        """
        recipe = {"n_maps": 50, "penalty": 0.48, "init": "random", "optimizer": "conjugate", "copy_moves": 0}
        return cls(**{**recipe, **changes})

    def _joint(self) -> bool:
        return check_choice("normalization", self.normalization, ("conditional", "joint")) == "joint"

    def _together(self) -> bool:
        return check_choice("locations", self.locations, ("free", "equal")) == "equal"

    def _start(
        self, layout: Layout, positions: Floats | None, rng: np.random.Generator
    ) -> tuple[Floats, Floats | None]:
        start, weights = super()._start(layout, positions, rng)
        return (np.zeros(layout.shape), weights) if self._together() else (start, weights)

    def _schedules(self, n_objects: int) -> dict[str, Any]:
        if self._together():
            others = {"jitter": (0.0,), "extra_dimensions": (0,), "mixing": ("free",), "init": ("auto", "random")}
            for name, values in others.items():
                given = getattr(self, name)
                if not isinstance(given, str | int | float) or given not in values:
                    raise ValueError(
                        f"{name} must be left out with locations='equal', which has proportions to find and nothing "
                        f"else, got {show(given)}; or give locations='free'"
                    )
        return super()._schedules(n_objects)


@estimator
class MultipleMapsTSNE(_Aspects):
    """Multiple maps t-SNE: aspect maps with the kernel of Student's t and a joint P.

    .. math::

        q_ij = S_ij / Z,   S_ij = sum_m pi_i^m pi_j^m w_ij^m,   w_ij^m = 1 / (1 + d_ij^m),   Z = sum_{k != l} S_kl

        C = KL(P || Q) = sum_ij p_ij log(p_ij / q_ij)

        dC/dy_i^m = 4 sum_j (p_ij r_ij^m - q_ij^m) w_ij^m (y_i^m - y_j^m)

    with the share r_ij^m of map m in S_ij, and q_ij^m its part of q_ij. As in `AspectMaps`, an object can have a place
    in several maps; as in `TSNE`, there is room in the middle of each.  [Maaten2012]

    Parameters
    ----------
    n_maps : int, default=5
        M, at most N.
    penalty : float or schedule, default=0
        Pull of every map point toward the origin, in nats per squared map unit.
    mixing : {"free", "equal"} or array, shape (M, N), default="free"
        Mixing proportions: found with the maps, 1 / M for all, or as given, summing to 1 over the maps.
    n_restarts : int, default=1
        Fits from different random starts; `fit` keeps the one with the lowest objective.
    copy_moves : int, default=10
        Rounds in which further copies of objects are put where they lower the objective at once: into maps where
        they have ties, but no proportion and so no gradient. A round replaces every fifth update from the 21st on;
        `copies` of a `State` lists the moves. 0 makes no rounds, and neither do given proportions. With more than 8,000
        objects, fields approximate the gain of a place, which finds most of the moves.
    {exaggeration}
    {common}

    Attributes
    ----------
    {results of several}

    Notes
    -----
    What "auto" means, and the default of `max_iter`:

    ============= ==========================================================
    learning_rate N up to 10 maps, N (n_maps / 10) ** 0.43 above
    momentum      0.5 for 50 updates, then 0.9
    init          random with standard deviation 0.1; "pca" isn't offered
    max_iter      1000
    ============= ==========================================================

    Momentum has gains from 0.01 to 4. ``init="communities"`` is as for `AspectMaps`, but doesn't help here: 475 nouns
    in 5 maps end at 0.71 to 0.79 nats with it, and at 0.45 to 0.52 from noise. [Maaten2012] is spelled out in
    `notebook_sne.engine.mathematics`; the sums are in `notebook_sne.engine.mathematics.aspects`.

    See Also
    --------
    AspectMaps
        The same with a Gaussian and a conditional P.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> words = ns.datasets.load_word_relations()
    >>> model = ns.MultipleMapsTSNE(n_maps=3, max_iter=60, input="probabilities", random_state=0).fit(words.P)
    >>> model.maps_.shape, model.mixing_.shape
    ((3, 475, 2), (3, 475))
    """

    n_maps: int = 5
    penalty: float | Schedule | None = 0.0
    mixing: Literal["free", "equal"] | ArrayLike = "free"
    n_restarts: int = 1
    copy_moves: int = 10
    exaggeration: float | Schedule | None = None

    _student = True
    _kernel = "student"

    @classmethod
    def paper(cls, **changes: Any) -> Self:
        """Return multiple maps t-SNE as its authors showed it, without the additions of this package.

        The wiki page on [Cook2007] describes their demonstration at NIPS 2008, co-authors in several maps of t-SNE: a
        copy of every author in each map, and mixing proportions that sum to 1 over them. It gives no numbers at all. So
        there is no penalty, and no copies move. Momentum 0.5 for 250 updates and 0.8 from then on, 1000 updates, a
        random start and a joint P are those of t-SNE [Maaten2008, section 3.4]; the number of maps, 5, the spread of
        the start, 0.1, and the rate, N, are ours.

        Parameters
        ----------
        **changes
            Hyperparameters to set otherwise.

        Returns
        -------
        model : MultipleMapsTSNE
            Not yet fitted.
        """
        recipe = {
            "penalty": 0.0,
            "init": "random",
            "momentum": Steps(0.5, 0.8, at=250),
            "copy_moves": 0,
            "max_iter": 1000,
        }
        return cls(**{**recipe, **changes})

    def _joint(self) -> bool:
        return True
