"""The spectral direction: steepest descent, preconditioned by the Laplacian of the attraction.

The Hessian of a neighbor embedding has one part that is constant and positive: that of the springs that P puts between
map points. With the strengths s of the stored pairs, their graph Laplacian and the same for each coordinate
[Vladymyrov2012],

.. math::

    B = c a L + lambda + shift,   L_ij = [i = j] sum_k s_ik - s_ij,   B direction = -gradient

with c = 4 for a joint P and 2 for P + P', the exaggeration a and the penalty lambda. B is sparse: as in the paper, only
the strongest pairs of each object are kept. It is factorized once for a P. Each update solves with the factors and
follows the direction by a backtracking search, which begins at the last length, or at twice the last length if that was
accepted at once.

If the graph has several pieces, as with isolated objects, B would be singular, and pieces would be sent far away; the
shift is then the mean of the diagonal. For a graph in one piece it is 1e-10 of the least diagonal. If no step along the
direction helps, the run has converged, and from then on it repeats its place.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import SuperLU, splu

from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.machine.parallel import one_thread
from notebook_sne.engine.optimizers.iterate import Evaluate, Iterate, dot
from notebook_sne.engine.optimizers.search import Step, arrive, on_plateau, started, stay
from notebook_sne.engine.sums.stored_pairs import StoredPairs

__all__ = ["Laplacian", "begin", "displaced", "forget", "step"]

_STRONGEST = 20  # pairs of each object that B keeps
_SHIFT = 1e-10
_SUFFICIENT_DECREASE = 1e-4
_SHORTER = 0.5
_TRIALS = 30
_NOISE = 1e-7  # relative change of the objective that counts as none: what sums in single precision can tell


class Laplacian:
    """B of one P, factorized when it is asked for.

    `pairs` are the pairs that attract and `factor` is c. B has rows and columns for the `free` objects, which may move;
    by default all objects.
    """

    def __init__(self, pairs: StoredPairs, factor: float, free: np.ndarray | None = None) -> None:
        S, self._free = _strongest(pairs), free
        degrees = np.asarray(S.sum(axis=1)).ravel()
        self._L = factor * (sparse.diags_array(degrees) - S)
        n_pieces = connected_components(S, directed=False, return_labels=False)
        self._shift = factor * (_SHIFT * degrees.min() if n_pieces == 1 else degrees.mean())
        if free is not None:
            self._L = sparse.csr_array(self._L)[free][:, free]
        self._factors: dict[float, SuperLU] = {}

    def solve(self, gradient: Floats, penalties: Floats, exaggeration: float) -> Floats:
        """Return the solution of B x = gradient, shape (N, d); penalties are lambda of each of the d dimensions."""
        if self._free is not None:
            solution = np.zeros(gradient.shape)
            if len(self._free):
                solution[self._free] = self._solved(gradient[self._free], penalties, exaggeration)
            return solution
        return self._solved(gradient, penalties, exaggeration)

    def _solved(self, gradient: Floats, penalties: Floats, exaggeration: float) -> Floats:
        solution = np.empty(gradient.shape)
        with one_thread():  # in one order, whatever the number of threads
            for penalty in np.unique(penalties):
                alike = penalties == penalty
                solution[:, alike] = self._factorized(penalty / exaggeration).solve(gradient[:, alike])
        return solution / exaggeration

    def _factorized(self, penalty: float) -> SuperLU:
        # To a power of two: a penalty that fades at each update does not ask for factors at each.
        level = 2.0 ** round(math.log2(penalty)) if penalty > 0 else 0.0
        if level not in self._factors:
            B = self._L + (level + self._shift) * sparse.eye_array(self._L.shape[0])
            while len(self._factors) > 1:
                self._factors.pop(next(iter(self._factors)))
            self._factors[level] = splu(
                sparse.csc_array(B), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True}
            )
        return self._factors[level]


def _strongest(pairs: StoredPairs) -> sparse.csr_array:
    """Return the stored pairs that are among the strongest few of one of their objects, symmetric."""
    N = len(pairs.pointers) - 1
    S = sparse.csr_array((pairs.strengths, pairs.columns, pairs.pointers), shape=(N, N))
    rows = np.repeat(np.arange(N), np.diff(S.indptr))
    order = np.lexsort((S.indices, -S.data, rows))  # row by row, the strongest first
    kept = order[np.arange(len(order)) - np.repeat(S.indptr[:-1], np.diff(S.indptr)) < _STRONGEST]
    few = sparse.csr_array((S.data[kept], (rows[kept], S.indices[kept])), shape=(N, N))
    return few.maximum(few.T).tocsr()


def begin(iteration: int, theta: np.ndarray, evaluate: Evaluate, memory: Mapping[str, Any] | None = None) -> Iterate:
    """Return the iterate at theta; memory is that of an earlier iterate, or None for a fresh start."""
    return started(iteration, theta, evaluate, forget({}) if memory is None else memory)


def forget(memory: Mapping[str, Any]) -> dict[str, Any]:
    """Return an empty memory: how far to go belongs to one objective."""
    return {"length": 1.0, "plateaus": 0, "converged": False}


def displaced(memory: Mapping[str, Any], which: np.ndarray) -> dict[str, Any]:
    """Return an empty memory: how far to go was found at another place."""
    return forget(memory)


def step(now: Iterate, evaluate: Evaluate, *, solve: Callable[[Floats], Floats]) -> Iterate:
    """Return the next iterate: one search along the spectral direction, or `now` again once the run has converged.

    ``solve(gradient)`` is the solution x of B x = gradient, flat.
    """
    memory = now.memory
    if memory["converged"]:
        return stay(now, memory)
    direction = -solve(now.gradient)
    slope = dot(now.gradient, direction)
    found = _backtracked(now, evaluate, direction, slope, memory["length"]) if slope < 0 else None
    if found is None:
        return stay(now, {**memory, "converged": True})
    plateaus = memory["plateaus"] + 1 if on_plateau(now, found) else 0
    at_once = found.length == memory["length"]
    length = found.length / _SHORTER if at_once else found.length
    return arrive(now, found, {"length": length, "plateaus": plateaus, "converged": plateaus > 2})


def _backtracked(now: Iterate, evaluate: Evaluate, direction: Floats, slope: float, length: float) -> Step | None:
    """Return the first step, halved again and again, that decreases the objective enough, or None."""
    noise = _NOISE * abs(now.objective)
    for _ in range(_TRIALS):
        theta = now.theta + length * direction
        if np.isfinite(theta).all():
            there = evaluate(theta)
            if there.objective <= now.objective + _SUFFICIENT_DECREASE * length * slope + noise:
                return Step(length, theta, there)
        length *= _SHORTER
    return None
