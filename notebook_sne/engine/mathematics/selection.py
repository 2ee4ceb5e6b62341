"""The n-th smallest of some numbers, as `np.partition` finds it, in a fifth of its time to compile.

Quickselect [Hoare 1961] picks one of the numbers, and divides them into a part not above it and a part not below it.
Then it divides the part with the n-th number in the same way, until the part has one number. Equal numbers go to both
parts, so that many of them don't slow it down.
"""

import numpy as np

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.parallel import FAST_SERIAL

__all__ = ["nth_smallest"]


@njit(**FAST_SERIAL)
def nth_smallest(numbers, n):
    """Return the n-th smallest of `numbers`, shape (K,), 1 <= n <= K; none is NaN. They stay in their order."""
    a = np.empty(numbers.shape[0], numbers.dtype)
    for k in range(a.shape[0]):
        a[k] = numbers[k]
    low, high = 0, a.shape[0] - 1
    while low < high:
        # The middle one of three: what is sorted already is parted in halves.
        x, y, z = a[low], a[(low + high) // 2], a[high]
        pivot = max(min(x, y), min(max(x, y), z))
        i, j = low, high
        while i <= j:
            while a[i] < pivot:
                i += 1
            while pivot < a[j]:
                j -= 1
            if i <= j:
                a[i], a[j] = a[j], a[i]
                i += 1
                j -= 1
        if n - 1 <= j:
            high = j
        elif n - 1 >= i:
            low = i
        else:
            break  # between the parts lie numbers equal to the pivot
    return a[n - 1]
