"""The data of an update of a map by a network, and the P of labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.checks.numbers import list_objects
from notebook_sne.engine.fitting.inputs import Target
from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.objects.labels import UNLABELED, sort_classes
from notebook_sne.networks.network import Network

__all__ = ["Coding", "Parts", "label_pairs"]

_WORK = 0.04  # what a weight and an object cost, in units of a stored pair of P


def label_pairs(labels: ArrayLike | None, n_objects: int) -> sparse.csr_array:
    """Return the P in which each object chooses evenly among the others of its class, CSR, shape (N, N).

    A ValueError says that there are no labels, that an object has none, or that it is the only one of its class.
    """
    if labels is None:
        raise ValueError("neighbors='labels' needs the class of each object, but labels is None; give labels=labels")
    _, classes = sort_classes(labels, n_objects)
    without = np.flatnonzero(classes == UNLABELED)
    if len(without):
        raise ValueError(
            f"labels must hold a class for each object, but it is missing for {list_objects(without)}; leave them out, "
            "or give neighbors as a P of your own"
        )
    alone = np.flatnonzero(np.bincount(classes)[classes] == 1)
    if len(alone):
        raise ValueError(
            f"each class must have two objects with neighbors='labels', but {list_objects(alone)} are alone in theirs; "
            "leave them out"
        )
    of_class = sparse.csr_array((np.ones(n_objects), (np.arange(n_objects), classes)))
    P = sparse.csr_array(of_class @ of_class.T - sparse.eye_array(n_objects))
    P.eliminate_zeros()
    return sparse.csr_array(P / P.sum(axis=1)[:, None])


@dataclass(frozen=True, eq=False)
class Coding:
    """The data of an update: the objects, the network, and the model whose cost the codes have."""

    network: Network
    X: Floats  # shape (N, n_features)
    model: Any  # the SingleMap whose cost it is, set up for these codes; None where there is none
    made: Target | None  # its P
    pairs: Any = None  # its stored pairs

    @property
    def size(self) -> int:
        """How many stored pairs of P would be as much work."""
        n_pairs = 0 if self.made is None else self.made.P.size
        return int(n_pairs + _WORK * self.network.n_weights * len(self.X))

    @property
    def n_objects(self) -> int:
        """N."""
        return len(self.X)


class Parts(NamedTuple):
    """An evaluation, and what it is made of: the reconstruction and the cost of the codes."""

    evaluation: Evaluation
    reconstruction: float
    divergence: float
