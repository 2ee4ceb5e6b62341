"""The same work by one thread, by two and by three."""

import numpy as np

from notebook_sne.engine.machine.parallel import threads

__all__ = ["no_bit_depends_on_threads"]


def no_bit_depends_on_threads(make):
    """Check that the arrays and numbers that a function returns are the same with one thread, two and three."""
    found = []
    for number in (1, 2, 3):
        with threads(number):
            found.append(make())
    for other in found[1:]:
        for one, two in zip(found[0], other, strict=True):
            assert np.array_equal(one, two)
