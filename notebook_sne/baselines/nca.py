"""Neighborhood components analysis as an estimator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.baselines.components import (
    LabeledObjects,
    LinearLayout,
    cost_and_gradient,
    numbered,
    shares,
    uniform_cost,
)
from notebook_sne.baselines.labeled import Labeled
from notebook_sne.engine.checks.arguments import check_vectors
from notebook_sne.engine.checks.arrays import Floats, Matrix
from notebook_sne.engine.checks.numbers import list_objects
from notebook_sne.engine.fitting.initialization import PCA_SEED
from notebook_sne.engine.fitting.inputs import Target
from notebook_sne.engine.fitting.layout import Layout
from notebook_sne.engine.fitting.problem import Problem
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.machine.parallel import one_thread
from notebook_sne.engine.mathematics.distances import far_objects
from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.models.estimator import estimator

__all__ = ["NCA"]

_FARTHEST = 1e60  # the fourth power is still far from what a double holds


@estimator
class NCA(Labeled):
    """Neighborhood components analysis: the linear map in which a chosen neighbor is most often of the own class.

    Every object chooses a neighbor as in SNE, by a Gaussian in the map. What counts isn't whom it would choose in the
    data, but whether the chosen one is of its class:

    .. math::

        C = 1 - sum_i r_i / N,   r_i = sum_{j of the class of i} q_{j|i}

        q_{j|i} = exp(-d_ij) / sum_{h != i} exp(-d_ih),   y_i = A (x_i - m),   d_ij = |y_i - y_j|^2

    C is the share of neighbors of another class, and the matrix A goes down its gradient; m is the mean. Unlike linear
    discriminant analysis this asks only for some objects of one class to be near each other, and not for all: a class
    may be long and curved, or fall into pieces.  [Goldberger2005, Eq. 1-5; Hinton2013]

    Parameters
    ----------
    labels : array, shape (N,), or None, default=None
        The class of each object, where none are given to `fit` or `iterate`, as by a `Run` or the player.
    n_components : int, default=2
        Number of dimensions of the map.
    max_iter : int, default=200
        Most updates that `fit` makes, and after which a `Run` has finished. A fit stops earlier once 50 updates have
        lowered the cost by less than 1e-5 of itself.
    optimizer : {"auto", "momentum", "lbfgs", "conjugate"}, default="auto"
        L-BFGS, which is "auto", conjugate gradients, or gradient descent with momentum, rate and jitter.
    learning_rate : float, schedule or "auto", default="auto"
        With ``optimizer="momentum"``, the length of a step along the gradient of A; "auto" is 1 over the largest
        variance of the data along any direction, so that it follows their unit.
    momentum : float, schedule or "auto", default="auto"
        Share of the last step that is kept, 0 <= momentum < 1; "auto" is 0.8.
    adaptive_step : bool, default=False
        Whether the learning rate grows with each update that lowers the cost and shrinks with each that raises it; with
        ``optimizer="momentum"`` only.
    jitter : float or schedule, default=0
        Standard deviation of the noise added to each entry of A after each update; with ``optimizer="momentum"`` only.
    init : {"auto", "lda", "pca", "random"} or array, default="auto"
        Where A starts: at linear discriminant analysis where it has as many components, else at principal components,
        both in their own unit as with scikit-learn; at random; or where the map points come nearest to given ones, of
        shape (N, n_components).
    random_state : int, RandomState or None, default=None
        Seed of a start at random and of the jitter.
    n_jobs : int or None, default=None
        Threads, as of all models; their number doesn't change a single bit of a sum.
    progress : {"auto", True, False}, default="auto"
        Whether `fit` shows a progress bar; "auto" shows it after a second, in a notebook or a terminal.

    Attributes
    ----------
    embedding_ : ndarray, shape (N, n_components)
        The map: of the states, the best.
    components_ : ndarray of float64, shape (n_components, n_features)
        The matrix A.
    mean_ : ndarray of float64, shape (n_features,)
        The mean m of the objects.
    cost_ : float
        C, from 0 to 1.
    n_iter_ : int
        Updates made.
    state_ : State
        The state that the results were taken from; `iterate(X, start=model.state_)` goes on from it.
    trace_ : pandas.DataFrame
        One row a state: iteration, phase, cost, objective, gradient_norm, seconds, and one column a knob.

    Notes
    -----
    An update takes a time that grows with N^2. The map is of the unit of its kernel, as that of SNE. Where there are
    more features than objects every map is linear, and classes can be told apart that have nothing to do with X.

    Positions handed over by another model, or moved by hand, are those of the nearest linear map from then on.

    See Also
    --------
    LDA
        Classes apart by their means.

    References
    ----------
    [Goldberger2005]
        Jacob Goldberger, Sam Roweis, Geoffrey Hinton, Ruslan Salakhutdinov. Neighbourhood Components Analysis. NIPS 17,
        2005.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> digits = ns.datasets.load_digits().sample(30, random_state=0)
    >>> nca = ns.baselines.NCA(max_iter=50, random_state=0).fit(digits.X, digits.labels)
    >>> nca.transform(digits.X[:5]).shape
    (5, 2)
    >>> print(nca.cost_ < nca.trace_["cost"][0])
    True
    """

    labels: ArrayLike | None = None
    max_iter: int = 200
    init: Literal["auto", "lda", "pca", "random"] | ArrayLike = "auto"

    input: ClassVar[Literal["vectors"]] = "vectors"  # type: ignore[misc]

    _inits = ("auto", "lda", "pca", "random")
    _results = ("embedding_", "components_", "mean_", "cost_", "n_iter_", "state_", "_trace")

    def transform(self, X: Matrix) -> Floats:
        """Return the places of the objects X, shape (n, n_components): A (x - m) of each x."""
        from sklearn.utils.validation import check_is_fitted, validate_data

        check_is_fitted(self, "components_")
        X = validate_data(self, X, reset=False, dtype=np.float64)
        return np.einsum("nk,dk->nd", X - self.mean_, self.components_).astype(self.embedding_.dtype, copy=False)

    def _classes(self, n_objects: int) -> np.ndarray:
        return numbered(self.labels, n_objects)

    def _checked_input(self, X: Any) -> Any:
        X = np.asarray(check_vectors(X), np.float64)
        if len(far := far_objects(X, _FARTHEST)):
            raise ValueError(
                f"{list_objects(far)} must lie within {_FARTHEST:g} times the spread of the others, as NCA's gradient "
                "grows with its square; leave out what is so far, or correct it"
            )
        self._classes(len(X))
        return X

    def _layout(self, X: Any, n_components: int) -> Layout:
        return LinearLayout(X - X.mean(axis=0), n_components)

    def _target(self, X: Any, perplexity: float | None = None, least_p: float | None = None) -> Target:
        return Target(LabeledObjects(X - X.mean(axis=0), self._classes(len(X))), 0.0, np.empty(0, np.int64))

    @one_thread()  # type: ignore[untyped-decorator]
    def _principal(self, X: Any, n_components: int) -> Floats | None:
        n_classes = self._classes(len(X)).max() + 1
        at_most = min(n_classes - 1, X.shape[1])
        if self.init == "lda" or (self.init == "auto" and n_components <= at_most):
            if n_components > at_most:
                raise ValueError(
                    f"init='lda' gives {at_most} components of these data, got n_components={n_components}; "
                    "use init='pca'"
                )
            from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

            found = LinearDiscriminantAnalysis(n_components=n_components).fit(X, self._classes(len(X))).scalings_
            if found.shape[1] >= n_components:
                return (X - X.mean(axis=0)) @ found[:, :n_components]
        if n_components > min(X.shape):
            if self.init == "pca":
                raise ValueError(
                    f"init='pca' gives {min(X.shape)} components of these data, got n_components={n_components}; "
                    "use init='random'"
                )
            return None
        from sklearn.decomposition import PCA

        return PCA(n_components, random_state=PCA_SEED).fit_transform(X)

    def _evaluation(self, pairs: Any, Y: Floats, W: Floats | None, knobs: Mapping[str, float]) -> Evaluation:
        return cost_and_gradient(pairs, Y[0])

    def _uniform_cost(self, pairs: Any, n_objects: int, knobs: Mapping[str, float]) -> float:
        return uniform_cost(pairs.classes)

    def _costs(self, P: Any, Y: Floats, knobs: Mapping[str, float]) -> Floats:
        return shares(P.classes, Y)

    def _schedules_of(self, X: Any) -> dict[str, Any]:
        def follow() -> float:
            return float(len(X) / np.linalg.norm(X - X.mean(axis=0), 2) ** 2)

        return self._steps(follow, 0.8)

    def _keep(self, problem: Problem, state: State, rows: list[dict[str, Any]]) -> None:
        super()._keep(problem, state, rows)
        self.components_, self.mean_ = np.array(state.memory["weights"]), problem.X.mean(axis=0)
