"""Between which ends the numbers of a setting lie: what its checks, its help and its controls have in common."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

__all__ = ["LEAST_P", "PERPLEXITY", "Range"]


class Range(NamedTuple):
    """The numbers from `low`, which is one of them if the range is closed, to below `high`."""

    low: float = 0.0
    high: float = np.inf
    """Whatever the number of objects, N."""
    closed: bool = True
    words: str = ""
    """The lower end above that N sets, as in "N - 1"; empty where it sets none."""
    end: Callable[[int], float] | None = None
    """This end, from N."""
    useful: Callable[[int], float] | None = None
    """The largest number that is useful, as for a slider, from N."""

    def rule(self, name: str) -> str:
        """Return the range in words, as in "1 < perplexity < N - 1"."""
        high = self.words or (f"{self.high:g}" if self.high < np.inf else "")
        if high:
            return f"{self.low:g} {'<=' if self.closed else '<'} {name} < {high}"
        return f"{self.low:g} or more" if self.closed else f"above {self.low:g}"

    def end_of(self, n_objects: int) -> float:
        """Return the exclusive upper bound for N objects."""
        return self.end(n_objects) if self.end else self.high


PERPLEXITY = Range(1.0, closed=False, words="N - 1", end=lambda n: n - 1, useful=lambda n: n - 2.0)
# Below 1 / N, the largest entry of a row always stays.
LEAST_P = Range(0.0, 1.0, words="1 / N", end=lambda n: 1.0 / n, useful=lambda n: 0.5 / n)
