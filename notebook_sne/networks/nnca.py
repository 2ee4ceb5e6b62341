"""Non-linear neighborhood components analysis as an estimator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.baselines.components import cost_and_forces, numbered, shares, uniform_cost
from notebook_sne.baselines.labeled import Labeled
from notebook_sne.engine.checks.arguments import check_choice
from notebook_sne.engine.checks.arrays import Floats, Matrix
from notebook_sne.engine.checks.numbers import list_objects
from notebook_sne.engine.fitting.inputs import Target
from notebook_sne.engine.mathematics.evaluation import Evaluation, penalized
from notebook_sne.engine.optimizers.schedules import Schedule
from notebook_sne.models.estimator import estimator
from notebook_sne.networks.autoencoder import check_values
from notebook_sne.networks.coded import CodedMap
from notebook_sne.networks.coding import Coding, Parts

__all__ = ["NNCA"]


@estimator
class NNCA(CodedMap):
    """Non-linear neighborhood components analysis: codes in which a chosen neighbor is most often of the own class.

    A network is fitted as `baselines.NCA` fits a matrix. Every object chooses a neighbor as in SNE, by a Gaussian
    between codes, and what counts is how probable it is that the chosen one is of its class:

    .. math::

        C = -sum_i log r_i / N   or   1 - sum_i r_i / N,   r_i = sum_{j of the class of i} q_{j|i}

        q_{j|i} = exp(-d_ij) / sum_{h != i} exp(-d_ih),   y_i = f(x_i; w),   d_ij = |y_i - y_j|^2

        dC/dw = sum_i (dy_i/dw)' dC/dy_i

    The first is "gradient ascent in the log probabilities of getting the correct class" [Hinton2013], the second the
    expected share of objects that would be classified rightly, each left out in turn [Salakhutdinov2007, section 2].
    The logarithm doesn't give up an object whose neighbors are all of other classes; the second has no gradient there.
    A network bends, so that classes may be long, curved and wound about each other where no projection parts them.

    Parameters
    ----------
    hidden : tuple of int, default=(200, 100)
        Number of units in each hidden layer, from the objects to the codes.
    labels : array, shape (N,), or None, default=None
        The class of each object, where none are given to `fit` or `iterate`, as by a `Run` or the player.
    objective : {"log", "accuracy"}, default="log"
        Whether C is the mean of -log r_i, in nats an object, or that of 1 - r_i.
    penalty : float, schedule or None, default=0.1
        lambda, the pull of each code toward the origin, (lambda / 2) sum_i |y_i|^2 / N in the objective. Without one,
        a network that separates all objects of the fit goes on to inflate its codes, and places new ones worse.
    strength : float, schedule or None, default=None
        Of the reconstruction as regularizer, a decoder that rebuilds the objects from their codes: `strength` R is
        added to the objective, R in nats an object. Values of X lie from 0 to 1 then. None is no decoder. The source
        weighs both, as lambda and 1 - lambda.  [Salakhutdinov2007, section 3]
    n_components : int, default=2
        Number of components of a code.
    max_iter : int, default=200
        Most updates that `fit` makes, and after which a `Run` has finished. A fit stops earlier once 50 updates have
        lowered the objective by less than 1e-5 of itself.
    optimizer : {"auto", "momentum", "lbfgs", "conjugate"}, default="auto"
        L-BFGS, which is "auto", conjugate gradients, or gradient descent with momentum, rate and jitter.
    learning_rate : float, schedule or "auto", default="auto"
        With ``optimizer="momentum"``, the length of a step along the gradient of the weights; "auto" is 0.1.
    momentum : float, schedule or "auto", default="auto"
        Share of the last step that is kept, 0 <= momentum < 1; "auto" is 0.9.
    adaptive_step : bool, default=False
        Whether the learning rate grows with each update that lowers the objective and shrinks with each that raises it;
        with ``optimizer="momentum"`` only.
    jitter : float or schedule, default=0
        Standard deviation of the noise added to each weight after each update; with ``optimizer="momentum"`` only.
    init : {"auto", "pca", "random"} or array, default="auto"
        Where the codes start: at those of random weights, which is "auto"; as near to principal components, or to given
        codes of shape (N, n_components), as a layer on top of random ones comes.
    random_state : int, RandomState or None, default=None
        Seed of the weights at the start and of the jitter.
    n_jobs : int or None, default=None
        Threads, as of all models; their number doesn't change a single bit of a sum.
    progress : {"auto", True, False}, default="auto"
        Whether `fit` shows a progress bar; "auto" shows it after a second, in a notebook or a terminal.

    Attributes
    ----------
    embedding_ : ndarray, shape (N, n_components)
        The codes: of the states, the best.
    cost_, objective_ : float
        C, and what was minimized: with penalty and reconstruction.
    network_, weights_ : Network, ndarray of float64, shape (n_weights,)
        The shape of the network, and its weights; ``network_.codes(weights_, X)`` is the map.
    n_iter_ : int
        Updates made.
    state_ : State
        The state that the results were taken from; `iterate(X, start=model.state_)` goes on from it.
    trace_ : pandas.DataFrame
        One row a state: iteration, phase, cost, objective, gradient_norm, seconds, and one column a knob.

    Raises
    ------
    ImportError
        From `fit` and `iterate`, if autograd isn't installed, which ``pip install "notebook_sne[networks]"`` brings.

    Notes
    -----
    An update takes a time that grows with N^2 and with the number of weights. With few objects a large network
    overfits: judge it by `transform` of objects that were held out. The sources begin from weights that were learned
    without labels, layer by layer; here they begin at random.

    See Also
    --------
    notebook_sne.baselines.NCA
        The same by a matrix.

    References
    ----------
    [Salakhutdinov2007]
        Ruslan Salakhutdinov, Geoffrey Hinton. Learning a Nonlinear Embedding by Preserving Class Neighbourhood
        Structure. AISTATS, 2007.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> digits = ns.datasets.load_digits().sample(30, random_state=0)
    >>> nnca = ns.networks.NNCA(hidden=(50,), max_iter=30, random_state=0).fit(digits.X, digits.labels)
    >>> nnca.transform(digits.X[:5]).shape
    (5, 2)
    >>> print(nnca.objective_ < nnca.trace_["objective"][0])
    True
    """

    objective: Literal["log", "accuracy"] = "log"
    penalty: float | Schedule | None = 0.1  # type: ignore[assignment, misc]
    strength: float | Schedule | None = None

    neighbors: ClassVar[Literal["labels"]] = "labels"  # type: ignore[misc]

    _pca_by_default = False  # what varies most need not tell the classes apart, and from a heap there is no way down

    @property
    def _decoder(self) -> bool:  # type: ignore[override]
        return self.strength is not None

    @property
    def _log(self) -> bool:
        return self.objective == "log"

    def _with(self, y: ArrayLike | None, X: Matrix) -> Self:
        return Labeled._with(self, y, X)

    def _of_codes(self) -> None:
        return None

    def _own_P(self, n_objects: int) -> None:
        return None

    def _classes(self, n_objects: int) -> np.ndarray:
        classes = numbered(self.labels, n_objects)
        alone = np.flatnonzero(np.bincount(classes)[classes] == 1)
        if self._log and len(alone):
            raise ValueError(
                f"each class must have two objects with objective='log', but {list_objects(alone)} have none beside "
                "them; leave them out, or use objective='accuracy'"
            )
        return classes

    def _checked_input(self, X: Any) -> Any:
        check_choice("objective", self.objective, ("log", "accuracy"))
        X = super()._checked_input(X)
        if self._decoder:
            check_values(X)
        self._classes(len(X))
        return X

    def _target(self, X: Any, perplexity: float | None = None, least_p: float | None = None) -> Target:
        coding = Coding(self._network(X), X, None, None, self._classes(len(X)))
        return Target(coding, 0.0, np.empty(0, np.int64))

    def _attractive_pairs(self, P: Any) -> Any:
        return P

    def _schedules_of(self, X: Any) -> dict[str, Any]:
        own = {"penalty": self.penalty, "strength": self.strength}
        return {**super()._schedules_of(X), **{name: value for name, value in own.items() if value is not None}}

    def _parts(self, coding: Coding, Y: Floats, W: Floats, knobs: Mapping[str, float]) -> Parts:
        cost, forces = cost_and_forces(coding.pairs, Y, self._log)
        here = penalized(Evaluation(cost, forces, cost), Y, knobs.get("penalty", 0.0) / len(Y))
        strength = knobs.get("strength", 0.0)
        back = coding.network.back(W, coding.X, here.gradient, strength)
        lowered = here.objective + strength * back.reconstruction
        return Parts(Evaluation(lowered, back.gradient, cost), back.reconstruction, cost)

    def _uniform_cost(self, pairs: Any, n_objects: int, knobs: Mapping[str, float]) -> float:
        return uniform_cost(pairs.pairs, self._log)

    def _costs(self, P: Any, Y: Floats, knobs: Mapping[str, float]) -> Floats:
        return shares(P.pairs, Y, self._log)
