"""The interface between a model and a fit: its hyperparameters, its kind of Q, and the functions that it defines.

`notebook_sne.models.base` has a default for most of them; a model with one map writes `_attractive_pairs` and
`_evaluate`. They begin with an underscore because they are no part of the estimator that a user sees.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.fitting.inputs import Target
from notebook_sne.engine.fitting.layout import Layout
from notebook_sne.engine.mathematics.copies import CopyMoves
from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.mathematics.forces import Forces

__all__ = ["Convention", "Gains", "Hooks", "Input", "Kernel", "Optimization", "Pairs", "Summation"]

Convention = Literal["conditional", "joint", "none"]
Input = Literal["vectors", "distances", "neighbors", "probabilities", "joint"]
Kernel = Literal["gaussian", "student"]
Optimization = Literal["auto", "momentum", "lbfgs", "conjugate", "spectral"]
Summation = Literal["auto", "exact", "mesh"]
Gains = tuple[float, float, float, float]
"""Increment, factor, least and greatest gain of a coordinate."""


@runtime_checkable
class Pairs(Protocol):
    """The stored pairs of a P, in whatever form the model's own evaluation wants them.

    A model that overrides `_uniform_cost` doesn't need this part.
    """

    @property
    def negentropy(self) -> float:
        """Return sum p log p in nats, the part of the cost that no map can change."""


class Hooks(Protocol):
    """A model, as `Problem` and `States` see it. M maps of N objects have d dimensions."""

    n_components: int
    max_iter: int
    optimizer: Optimization
    init: ArrayLike
    input: Input
    sums: Summation
    random_state: int | np.random.RandomState | None
    n_jobs: int | None
    adaptive_step: bool

    _convention: ClassVar[Convention]
    """What Q, and so P, is; "none" of a method that has neither, and tells the scale of its cost by `_uniform_cost`."""
    _kernel: ClassVar[Kernel | None]
    """The kernel of its Q: what `_sums` sums and new objects are placed by; None where it has one of its own."""
    _left_out: ClassVar[Kernel | None]
    """The kernel of what the cost is of one object's place, as `quality.leave_one_out` has it; None of other costs."""
    _inputs: ClassVar[tuple[str, ...]]
    """What `input` may be called."""
    _descent: ClassVar[str]
    """The optimizer that "auto" stands for."""
    _in_data_units: ClassVar[bool]
    """Whether the map is in the unit of the data, and not in that of a kernel."""
    _gains: ClassVar[Gains | None]
    """Of gradient descent with momentum, or None where all gains are 1."""
    _rises: ClassVar[bool]
    """Whether the momentum of gradient descent rises to its value anew whenever the objective jumps."""
    _inits: ClassVar[tuple[str, ...]]
    """What `init` may be called."""
    _pca_by_default: ClassVar[bool]
    """Whether a run of vectors starts on their principal components."""
    _sums_by_mesh: ClassVar[bool]
    """Whether a mesh can sum for it."""

    def _schedules_of(self, X: Any) -> Mapping[str, Any]:
        """Return {knob: schedule or number}, for an X as `_checked_input` returns it."""

    def _phase(self, knobs: Mapping[str, float]) -> str:
        """Return the name of the phase that the knobs make."""

    def _read(self, X: Any) -> Any:
        """Return what was given as X, read and checked; `_layout` and `_target` know what it is."""

    def _checked_input(self, X: Any) -> Any:
        """Return X checked under the convention that `input` names."""

    def _layout(self, X: Any, n_components: int) -> Layout:
        """Return where the map points lie in what an optimizer moves."""

    def _target(self, X: Any, perplexity: float | None, least_p: float | None) -> Target:
        """Return what the cost is measured against, of an X as `_checked_input` returns it."""

    def _radii(self, X: Any, P: Any) -> Floats:
        """Return the log local radii of the objects in the data, shape (N,); asked only where there is a density."""

    def _principal(self, X: Any, n_components: int) -> Floats | None:
        """Return where init="auto" or "pca" begins, shape (N, n_components), in any unit; None to begin at random."""

    def _grouped(self) -> bool:
        """Tell whether a run begins with a group of objects in each of its maps, checked."""

    def _uniform_cost(self, pairs: Any, n_objects: int, knobs: Mapping[str, float]) -> float:
        """Return the cost of a map that tells nothing, as all objects are in one place; infinity where none is."""

    def _attractive_pairs(self, P: Any) -> Pairs:
        """Return the stored pairs of P, CSR, shape (N, N)."""

    def _evaluation(self, pairs: Any, Y: Floats, W: Floats | None, knobs: Mapping[str, float]) -> Evaluation:
        """Return the Evaluation at positions (M, N, d) and weights (M, N) or None, its gradient flat."""

    def _improved(self, pairs: Any, theta: Floats, knobs: Mapping[str, float]) -> Floats:
        """Return where the model's own step leads to; asked only where `_descent` is "alternating"."""

    def _rounds(self) -> int:
        """Return how many rounds of copy moves a run has, checked."""

    def _moves(self, pairs: Any, Y: Floats, W: Floats | None, knobs: Mapping[str, float]) -> CopyMoves:
        """Return the moves from positions (M, N, d) and weights (M, N); asked only where there are rounds."""

    def _forces(self, P: Any, Y: Floats, i: int, knobs: Mapping[str, float]) -> Forces:
        """Return the Forces on object i, P being CSR and Y of shape (N, d), or raise a NotImplementedError."""

    def _costs(self, P: Any, Y: Floats, knobs: Mapping[str, float]) -> Floats:
        """Return each object's share of the cost, shape (N,), or raise a NotImplementedError."""

    def _n_maps(self, n_objects: int) -> int:
        """Return M, checked."""

    def _weighted(self) -> bool:
        """Tell whether there are weights to be found."""

    def _extra_dimensions(self) -> int:
        """Return how many dimensions more than d a map begins with."""

    def _penalties(self, d: int, knobs: Mapping[str, float]) -> Floats:
        """Return lambda of each of d dimensions."""

    def _mixing(self, W: Floats | None, layout: Layout) -> Floats | None:
        """Return the mixing proportions, shape (M, N), that belong to the weights, or None."""

    def _checked_positions(self, init: ArrayLike, layout: Layout) -> Floats:
        """Return an array given as init, checked."""

    def _start(
        self, layout: Layout, positions: Floats | None, rng: np.random.Generator
    ) -> tuple[Floats, Floats | None]:
        """Return the positions and weights to begin at, from those of `init` or, with None, at random."""
