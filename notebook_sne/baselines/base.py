"""The common part of the methods that keep distances: dissimilarities instead of a P, and a map in their unit.

They are models like all others, except for the first stage: other models make a P of their input, and these make the
dissimilarities of all pairs. So the optimizers, the states, the schedules, the player and the recordings are the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.baselines.dissimilarities import INPUTS, check_size, checked, dissimilarities, principal_coordinates
from notebook_sne.baselines.stress import collapsed_stress, curvature, shares, stress_and_gradient, stress_forces
from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.fitting.initialization import START_SD
from notebook_sne.engine.fitting.inputs import Target, in_use
from notebook_sne.engine.fitting.layout import Layout
from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.mathematics.forces import Forces
from notebook_sne.engine.optimizers.iterate import read_only
from notebook_sne.models.estimator import estimator, sort_docstring
from notebook_sne.models.single import WithoutP

__all__ = ["StressMap", "documented"]

_RESULT_NAMES = ("embedding_", "dissimilarities_", "cost_", "n_iter_", "state_", "_trace")
_MOMENTUM = 0.8
_LEAST_EIGENVALUE = 1e-10  # as a share of the first one
_COINCIDENT = 1e-4  # noise at the start, as a share of its width: from one place no force leads apart


@estimator
class StressMap(WithoutP):
    """Base of metric MDS and Sammon's mapping; not used by itself."""

    max_iter: int = 500
    init: Literal["auto", "pca", "classical", "random"] | ArrayLike = "auto"

    _inputs = INPUTS
    _inits = ("auto", "pca", "classical", "random")
    _in_data_units = True
    _results = _RESULT_NAMES

    def _checked_input(self, X: Any) -> Any:
        X = checked(X, self.input)
        check_size(len(X))
        return X

    def _target(self, X: Any, perplexity: float | None = None, least_p: float | None = None) -> Target:
        def make() -> Target:
            return Target(read_only(dissimilarities(X, self.input)), 0.0, np.empty(0, np.int64))

        return in_use(X, (self.input, "dissimilarities"), make)

    def _principal(self, X: Any, n_components: int) -> Floats | None:
        if self.input == "vectors" and self.init != "classical":
            return super()._principal(X, n_components)
        Y, eigenvalues = principal_coordinates(self._target(X).P, n_components)
        if eigenvalues.shape == (n_components,) and eigenvalues[-1] > _LEAST_EIGENVALUE * eigenvalues[0]:
            return Y * (START_SD / Y[:, 0].std())
        if self.init == "classical":
            raise ValueError(
                f"init='classical' needs {n_components} positive eigenvalues, got "
                f"{int(np.sum(eigenvalues > _LEAST_EIGENVALUE * eigenvalues[0]))}; use init='random'"
            )
        return None

    def _start(
        self, layout: Layout, positions: Floats | None, rng: np.random.Generator
    ) -> tuple[Floats, Floats | None]:
        if positions is not None and isinstance(self.init, str):
            width = np.abs(positions).max()
            positions = positions + _COINCIDENT * width * rng.standard_normal(positions.shape)
        return super()._start(layout, positions, rng)

    def _evaluate(self, pairs: Any, Y: Floats, knobs: Mapping[str, float]) -> Evaluation:
        return stress_and_gradient(pairs, Y)

    def _uniform_cost(self, pairs: Any, n_objects: int, knobs: Mapping[str, float]) -> float:
        return collapsed_stress(pairs)

    def _forces(self, P: Any, Y: Floats, i: int, knobs: Mapping[str, float]) -> Forces:
        return stress_forces(self._attractive_pairs(P), Y, i)

    def _costs(self, P: Any, Y: Floats, knobs: Mapping[str, float]) -> Floats:
        return shares(self._attractive_pairs(P), Y)

    def _schedules_of(self, X: Any) -> dict[str, Any]:
        def longest() -> float:  # no other optimizer has a rate
            return 1.0 / curvature(self._attractive_pairs(self._target(X).P)) if self.optimizer == "momentum" else 1.0

        return self._steps(longest, _MOMENTUM)

    def _keep_target(self, made: Target) -> None:
        self.dissimilarities_ = made.P


_COMMON = """\
n_components : int, default=2
    Number of dimensions of the map.
max_iter : int, default=500
    Most updates that `fit` makes, and after which a `Run` has finished. A fit stops earlier once 50 updates have
    lowered the cost by less than 1e-5 of itself.
optimizer : {"auto", "momentum", "lbfgs", "conjugate"}, default="auto"
    L-BFGS, which is "auto", conjugate gradients, or gradient descent with momentum, rate and jitter.
learning_rate : float, schedule or "auto", default="auto"
    With ``optimizer="momentum"``, the length of a step along the gradient; "auto" is the longest that without momentum
    never raises the cost, which makes it the algorithm SMACOF [deLeeuw1977].
momentum : float, schedule or "auto", default="auto"
    Share of the last step that is kept, 0 <= momentum < 1; "auto" is 0.8.
adaptive_step : bool, default=False
    Whether the learning rate grows with each update that lowers the cost and shrinks with each that raises it; with
    ``optimizer="momentum"`` only.
jitter : float or schedule, default=0
    Standard deviation of the noise added to each coordinate after each update, in the unit of the data; with
    ``optimizer="momentum"`` only.
init : {"auto", "pca", "classical", "random"} or array, default="auto"
    Where the run starts: on the first principal components of vectors, on classical scaling of distances, at random, or
    at given map points, of shape (N, n_components), in the unit of the data. All but the last are brought to the scale
    that costs least, and moved by a ten-thousandth of their width, as no force leads apart what is in one place.
input : {"vectors", "distances"}, default="vectors"
    What X is: objects, shape (N, n_features), whose Euclidean distances are kept; or distances, shape (N, N), unsquared
    and symmetric. At most 10,000 objects.
random_state : int, RandomState or None, default=None
    Seed of the start and of the jitter.
n_jobs : int or None, default=None
    Threads, as of all models; their number never changes a bit of the result.
progress : {"auto", True, False}, default="auto"
    Whether `fit` shows a progress bar; "auto" shows it after a second, in a notebook or a terminal.\
"""

_RESULTS = """\
embedding_ : ndarray, shape (N, n_components)
    The map, in the unit of the data: of the states, the best.
dissimilarities_ : ndarray of float64, shape (N, N)
    The distances that the map was to keep; read-only.
cost_ : float
    The stress, as above.
n_iter_ : int
    Updates made.
state_ : State
    The state that the results were taken from; `iterate(X, start=model.state_)` goes on from it.
trace_ : pandas.DataFrame
    One row a state: iteration, phase, cost, objective, gradient_norm, seconds, and one column a knob.\
"""


def documented(cls: type) -> type:
    """Write what these methods share into the docstring of one, where it says so in braces."""
    for name, text in (("{common of distances}", _COMMON), ("{results of distances}", _RESULTS)):
        cls.__doc__ = (cls.__doc__ or "").replace(name, text)
    sort_docstring(cls)
    return cls
