"""The n-th smallest of some numbers, as `np.partition` finds it, in a fifth of its time to compile.

Quickselect [Hoare 1961] picks one of the numbers, and divides them into a part not above it and a part not below it.
Then it divides the part with the n-th number in the same way, until the part has one number. Equal numbers go to both
parts, so that many of them don't slow it down.
"""

import numpy as np

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.parallel import FAST_SERIAL

__all__ = ["nth_smallest", "smallest_first"]

_SERIAL = {**FAST_SERIAL, "nogil": True}


@njit(**_SERIAL)
def nth_smallest(numbers, n):
    """Return the n-th smallest of `numbers`, shape (K,), 1 <= n <= K; none is NaN. They stay in their order."""
    return smallest_first(numbers.copy(), np.empty(numbers.shape[0], np.uint8), n)


@njit(**_SERIAL)
def smallest_first(d, j, n):
    """Move the n smallest of the numbers d, and what belongs to them in j, to the front; return the largest there."""
    low, high = 0, d.shape[0] - 1
    while low < high:
        # The middle one of three: what is sorted already is parted in halves.
        x, y, z = d[low], d[(low + high) // 2], d[high]
        pivot = max(min(x, y), min(max(x, y), z))
        a, b = low, high
        while a <= b:
            while d[a] < pivot:
                a += 1
            while pivot < d[b]:
                b -= 1
            if a <= b:
                d[a], d[b] = d[b], d[a]
                j[a], j[b] = j[b], j[a]
                a += 1
                b -= 1
        if n - 1 <= b:
            high = b
        elif n - 1 >= a:
            low = a
        else:
            break  # between the parts lie numbers equal to the pivot
    return d[:n].max()
