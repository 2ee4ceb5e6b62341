"""The common part of models that place new objects: they keep the data of their fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from scipy import sparse

from notebook_sne.affinities.metrics import check_metric, input_of
from notebook_sne.engine.fitting.out_of_sample import Origin
from notebook_sne.engine.fitting.problem import Problem
from notebook_sne.engine.fitting.state import State
from notebook_sne.models.base import _RESULT_NAMES, Model

__all__ = ["Placing"]


class Placing(Model):
    """Base of the models that place new objects; not used by itself."""

    _results: ClassVar[tuple[str, ...]] = ("objects_", "_origin", *_RESULT_NAMES)

    def _places(self, P: sparse.csr_array, knobs: Mapping[str, float]) -> Any:
        """Return the places of new objects from p_{j|i}, CSR of shape (n, N)."""
        raise NotImplementedError

    def _width_of_new(self) -> Any:
        """Return what sets the weights of new objects where no perplexity does; None for distances in their unit."""
        return None

    def _keep(self, problem: Problem, state: State, rows: list[dict[str, Any]]) -> None:
        input = input_of(self, problem.X)
        self.objects_ = problem.X if input == "vectors" else None
        self._origin = Origin.of(input, self.objects_, check_metric(self.metric, self.input))
        super()._keep(problem, state, rows)
