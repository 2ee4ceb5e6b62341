"""The effect of moving one object in the data, for any map of the objects and any part of them."""

import math
from collections.abc import Iterator

import numpy as np

from notebook_sne.engine.checks.arrays import Array, Floats, Ints
from notebook_sne.engine.fitting.hooks import Kernel
from notebook_sne.engine.fitting.inputs import MOST_SEARCHED_OBJECTS
from notebook_sne.engine.fitting.sums import sums_of
from notebook_sne.engine.machine.parallel import one_thread
from notebook_sne.quality import leave_one_out

__all__ = ["Perturbations"]

# Length of a move, in root mean squared distances of an object from its neighbors. Of 0.1, 0.25, 0.5, 1 and 1.5 the one
# that finds objects between classes best (benchmarks/experiments/reliability.py); beyond it every object goes far.
LENGTH = 0.5
_ENTRIES = 1_000_000  # of an array with a row for each moved object: 8 MB
_DIRECTIONS = 3


class Perturbations:
    """The data of perturbation scores, found once, for any map of the objects and any part of them.

    X, shape (N, n_features), and the perplexity are checked; an object is moved by `length`, in the unit of X.
    """

    def __init__(self, X: Array, perplexity: float, length: float | None = None) -> None:
        from notebook_sne.engine.mathematics.distances import unit_spread
        from notebook_sne.engine.mathematics.perplexity import equal_share

        self.X, self.perplexity, self.equal = unit_spread(X), perplexity, equal_share(X)
        N = len(X)
        self.kept = N - 1 if N <= MOST_SEARCHED_OBJECTS else min(N - 1, math.ceil(3 * perplexity))
        parts = [np.empty(N) for _ in range(4)]
        for rows, found in self._rows():
            for part, values in zip(parts, found, strict=True):
                part[rows] = values
        *widths, spread = parts
        self.widths = leave_one_out.Widths(*widths)
        typical = float(np.sqrt(np.mean(spread)))
        unit = float(np.ptp(np.asarray(X, np.float64), axis=0).max() / np.ptp(self.X, axis=0).max())
        self._length = LENGTH * typical if length is None else length / unit
        self.length = self._length * unit
        self.directions = _principal_directions(self.X)

    def _rows(self) -> Iterator[tuple[Ints, tuple[Floats, ...]]]:
        """Yield some objects, and their `Widths` and mean squared distance from their neighbors, as four arrays."""
        from notebook_sne.affinities.nearest import nearest_neighbors
        from notebook_sne.engine.mathematics.neighbors import squares_between
        from notebook_sne.engine.mathematics.perplexity import probabilities_at_perplexity

        def with_widths(D: Floats) -> tuple[Floats, ...]:
            p, _ = probabilities_at_perplexity(D, self.perplexity, self.equal)
            near, precisions, totals = leave_one_out.widths_of(D, self.perplexity, self.equal)
            return near, precisions, totals, np.multiply(p, D, where=p > 0, out=np.zeros_like(D)).sum(axis=1)

        N = len(self.X)
        if self.kept < N - 1:
            for rows, _, D in nearest_neighbors(self.X.copy(), self.kept, self.equal):
                yield rows, with_widths(D)
            return
        step = max(1, _ENTRIES // N)
        for first in range(0, N, step):
            rows = np.arange(first, min(first + step, N))
            D = squares_between(self.X[rows], self.X)
            D[np.arange(len(rows)), rows] = np.inf
            yield rows, with_widths(D)

    def rest(self, Y: Floats, kernel: Kernel) -> Floats:
        """Return Z_i of each object of a map, for `scores`; sums as the models have them."""
        values = sums_of(kernel, "auto")(Y)[0]
        return np.asarray(values.sum() - 2.0 * values)

    def scores(self, Y: Floats, rows: Ints, rest: Floats, kernel: Kernel) -> Floats:
        """Return the scores of some objects in a map Y, shape (N, d), given `rest` of all, from that method."""
        scores, K = np.empty(len(rows)), len(self.directions)
        step = max(1, _ENTRIES // (K * len(self.X)))
        for first in range(0, len(rows), step):
            part = rows[first : first + step]
            D, moved = leave_one_out.squares_moved(self.X, part, self.directions, self._length)
            each = np.repeat(part, K)
            P = leave_one_out.joint_rows(
                self.widths, np.repeat(D, K, axis=0), moved.reshape(len(each), -1), self.perplexity, self.kept,
                self.equal,
            )  # fmt: skip
            places, _ = leave_one_out.moved(P, Y, each, rest[each], student=kernel == "student")
            far = np.sqrt(np.square(places - Y[each]).sum(axis=1))
            scores[first : first + step] = far.reshape(-1, K).max(axis=1)
        return scores


@one_thread()
def _principal_directions(X: Floats) -> Floats:
    """Return the first principal directions of X and their opposites, shape (K, n_features), each of length 1.

    At most three are taken, and of fewer features all.
    """
    centered = X - X.mean(axis=0)
    _, vectors = np.linalg.eigh(centered.T @ centered)
    first = vectors[:, ::-1][:, :_DIRECTIONS].T
    return np.ascontiguousarray(np.concatenate([first, -first]))
