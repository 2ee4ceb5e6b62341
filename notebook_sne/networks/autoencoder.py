"""Autoencoders, with the cost of a map of their codes as regularizer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from notebook_sne.engine.checks.arguments import check_choice
from notebook_sne.engine.checks.arrays import Floats, Matrix
from notebook_sne.engine.fitting.problem import Problem
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.machine.parallel import check_workers, threads
from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.optimizers.schedules import Schedule
from notebook_sne.models.estimator import estimator
from notebook_sne.models.single import SingleMap
from notebook_sne.networks.coded import CodedMap
from notebook_sne.networks.coding import Coding, Parts

__all__ = ["Autoencoder", "check_values"]


def check_values(X: Floats) -> None:
    """Raise a ValueError where objects have values that no logistic output unit makes."""
    low, high = float(X.min()), float(X.max())
    if low < 0 or high > 1:
        raise ValueError(
            f"X must lie from 0 to 1, as the output units are logistic, got {low:g} to {high:g}; "
            "give (X - X.min()) / (X.max() - X.min()), or say outputs='linear'"
        )


@estimator
class Autoencoder(CodedMap):
    """Codes from which objects can be rebuilt and which, with a regularizer, keep the neighbors of each object.

    .. math::

        F = R + lambda C,   y_i = f(x_i; w),   x^_i = g(y_i; v)

        R = -sum_ia [x_ia log x^_ia + (1 - x_ia) log(1 - x^_ia)] / N

        dF/dy_i = dR/dy_i + lambda dC/dy_i

    R is the cross-entropy of objects and reconstructions in nats an object, as code units are linear and output units
    logistic; C is the cost of SNE, or of another model, at the codes, in nats an object as well: for a conditional P
    its cost over N. "Non-linear autoencoders can fracture a manifold into many different domains", so that near
    objects have very different codes; springs between the codes of neighbors make that costly.  [Hinton2013]

    ================================================= ====================================================
    ``Autoencoder()``                                 the reconstruction alone
    ``Autoencoder(regularizer=SNE(), strength=10)``   both
    ``ParametricMap(model=SNE())``                    the regularizer alone
    ``neighbors="labels"``                            objects of one class as neighbors
    ``regularizer=ElasticEmbedding(repulsion=0)``     attraction alone: C = sum_ij p_ij d_ij, no sum over all pairs,
                                                      as the reconstruction keeps the codes apart
    ================================================= ====================================================

    Parameters
    ----------
    regularizer : estimator or None, default=None
        Whose cost C is, with its perplexity and what else belongs to the cost, such as ``SNE(perplexity=10)``; None for
        codes that only serve the reconstruction. Parameters of the run, such as `max_iter`, are set here and refused
        there.
    strength : float or schedule, default=1.0
        lambda, 0 or more; a knob where there is a regularizer.
    outputs : {"auto", "logistic", "linear"}, default="auto"
        The output units: logistic for values from 0 to 1, or linear for real values, of which R is the squared error
        sum_ia (x_ia - x^_ia)^2 / (2 s^2 N), with s^2 the mean variance of a feature. "auto" is logistic where all
        values lie from 0 to 1.
    {network}

    Attributes
    ----------
    {results}
    reconstruction_ : float
        R, in nats an object.
    divergence_ : float
        C, in nats an object; 0 without a regularizer or at strength 0.

    Notes
    -----
    The decoder has the hidden layers in reverse.

    {notes}

    See Also
    --------
    ParametricMap
        The regularizer alone.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> digits = ns.datasets.load_digits().sample(30, random_state=0)
    >>> model = ns.networks.Autoencoder(regularizer=ns.SNE(perplexity=20), strength=3, max_iter=30, random_state=0)
    >>> codes = model.fit_transform(digits.X / 16)
    >>> model.inverse_transform(codes).shape
    (300, 64)
    """

    regularizer: SingleMap | None = None
    strength: float | Schedule = 1.0
    outputs: Literal["auto", "logistic", "linear"] = "auto"

    _convention = "joint"
    _decoder = True
    _results = (*CodedMap._results, "reconstruction_", "divergence_")

    def _of_codes(self) -> SingleMap | None:
        return self.regularizer

    def _checked_input(self, X: Any) -> Any:
        X = super()._checked_input(X)
        self._linear(X)
        return X

    def _linear(self, X: Any) -> bool:
        outputs = check_choice("outputs", self.outputs, ("auto", "logistic", "linear"))
        if outputs == "logistic":
            check_values(X)
        return outputs == "linear" or bool(outputs == "auto" and (X.min() < 0 or X.max() > 1))

    def _schedules_of(self, X: Any) -> dict[str, Any]:
        schedules = super()._schedules_of(X)
        return schedules if self.regularizer is None else {**schedules, "strength": self.strength}

    def _parts(self, coding: Coding, Y: Floats, W: Floats, knobs: Mapping[str, float]) -> Parts:
        strength, lowered, cost, dY = knobs.get("strength", 0.0), 0.0, 0.0, None
        if coding.model is not None and strength:
            here, share = coding.model._evaluation(coding.pairs, Y[None], None, knobs), self._share(coding)
            lowered, cost = share * here.objective, share * here.cost
            dY = (strength * share) * here.gradient.reshape(Y.shape)
        back = coding.network.back(W, coding.X, dY, 1.0)
        R = back.reconstruction
        return Parts(Evaluation(R + strength * lowered, back.gradient, R + strength * cost), R, cost)

    @staticmethod
    def _share(coding: Coding) -> float:
        """Return the factor from the cost of the codes to nats per object: a conditional cost sums over all objects."""
        return 1.0 / coding.n_objects if coding.model._convention == "conditional" else 1.0

    def _uniform_cost(self, pairs: Any, n_objects: int, knobs: Mapping[str, float]) -> float:
        if pairs.network.linear:
            blank = 0.5 * float(pairs.X.var(axis=0, dtype=np.float64).sum()) / pairs.network.scale**2
        else:
            x = np.clip(pairs.X.mean(axis=0, dtype=np.float64), 1e-300, 1.0)
            blank = -float(np.sum(x * np.log(x) + (1.0 - x) * np.log1p(-np.minimum(x, 1.0 - 1e-16))))
        if pairs.model is None:
            return blank
        uniform = pairs.model._uniform_cost(pairs.pairs, n_objects, knobs)
        return blank + knobs["strength"] * self._share(pairs) * uniform

    def inverse_transform(self, Y: Matrix) -> Floats:
        """Return what the decoder makes of codes: of logistic output units, values from 0 to 1.

        Parameters
        ----------
        Y : array-like, shape (n, n_components)
            Codes, as of `transform`; also ones between those of objects.

        Returns
        -------
        X : ndarray, shape (n, n_features)

        Raises
        ------
        ValueError
            If codes have another number of components, or aren't finite.
        """
        from sklearn.utils.validation import check_array, check_is_fitted

        check_is_fitted(self, "weights_")
        Y = check_array(Y, dtype=[np.float64, np.float32], input_name="Y")
        d = self.embedding_.shape[1]
        if Y.shape[1] != d:
            raise ValueError(f"Y must hold codes of shape (n, n_components) with n_components = {d}, got {Y.shape}")
        with threads(check_workers(self.n_jobs)):
            return self.network_.decoded(self.weights_, Y).astype(Y.dtype, copy=False)

    def _keep(self, problem: Problem, state: State, rows: list[dict[str, Any]]) -> None:
        super()._keep(problem, state, rows)
        pairs = problem.made_at(state.knobs).pairs
        parts = self._parts(pairs, state.embedding, self.weights_, state.knobs)
        self.reconstruction_, self.divergence_ = parts.reconstruction, parts.divergence
