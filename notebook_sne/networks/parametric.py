"""Parametric maps: the cost of a model, lowered by a network that makes map points of objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.mathematics.forces import Forces
from notebook_sne.models.estimator import estimator
from notebook_sne.models.single import SingleMap
from notebook_sne.models.tsne import TSNE
from notebook_sne.networks.coded import CodedMap
from notebook_sne.networks.coding import Coding, Parts

__all__ = ["ParametricMap"]


@estimator
class ParametricMap(CodedMap):
    """The map of a model as a function of the objects: a network makes map points, and the cost trains its weights.

    .. math::

        y_i = f(x_i; w)

        dC/dw = sum_i (dy_i/dw)' dC/dy_i

    f is a network with linear units at its end (see `notebook_sne.networks.network`), w its weights.
    C is the cost of SNE, symmetric SNE, UNI-SNE, t-SNE or an elastic embedding, and dC/dy its own forces between the
    map points. Any smooth cost of codes can be carried back through a feedforward net. This is what Hinton calls the
    SNE regularizer, alone; with t-SNE it is parametric t-SNE.  [Hinton2013; Maaten2009]

    Parameters
    ----------
    model : estimator or None, default=None
        Whose cost the map has, with its perplexity and what else belongs to the cost: `SNE`, `SymmetricSNE`, `UNISNE`,
        `TSNE`, `ElasticEmbedding` or another model with one map; None for ``TSNE()``. Parameters of the run, such as
        `max_iter`, are set here and refused there.
    {network}

    Attributes
    ----------
    {results}

    Notes
    -----
    `transform` places a new object by the network alone, in no time, without the objects of the fit. That of the model
    itself searches for the place that explains which neighbors the new object would choose, and errs less. From 1,200
    digits, after 200 updates, the network places two to three more of 100 new ones beside another digit in ten
    dimensions, and eight more in a plane.

    {notes}

    See Also
    --------
    Autoencoder
        The same beside a reconstruction.

    References
    ----------
    [Maaten2009]
        Laurens van der Maaten. Learning a Parametric Embedding by Preserving Local Structure. AISTATS 2009.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> digits = ns.datasets.load_digits().sample(30, random_state=0)
    >>> model = ns.networks.ParametricMap(model=ns.SNE(perplexity=20), max_iter=30, random_state=0).fit(digits.X[:280])
    >>> model.transform(digits.X[280:]).shape
    (20, 2)
    >>> print(model.cost_ < model.trace_["cost"][0])
    True
    """

    model: SingleMap | None = None

    def _of_codes(self) -> SingleMap:
        return TSNE() if self.model is None else self.model

    @property
    def _convention(self) -> Any:  # type: ignore[override]
        return self._of_codes()._convention

    def _parts(self, coding: Coding, Y: Floats, W: Floats, knobs: Mapping[str, float]) -> Parts:
        here = coding.model._evaluation(coding.pairs, Y[None], None, knobs)
        back = coding.network.back(W, coding.X, here.gradient.reshape(Y.shape))
        return Parts(here._replace(gradient=back.gradient), 0.0, here.cost)

    def _uniform_cost(self, pairs: Any, n_objects: int, knobs: Mapping[str, float]) -> float:
        return pairs.model._uniform_cost(pairs.pairs, n_objects, knobs)

    def _forces(self, P: Any, Y: Floats, i: int, knobs: Mapping[str, float]) -> Forces:
        return P.model._forces(P.made.P, Y, i, knobs)

    def _costs(self, P: Any, Y: Floats, knobs: Mapping[str, float]) -> Floats:
        return P.model._costs(P.made.P, Y, knobs)
