"""How many cores this process may use, and no more threads than that.

A container may see all cores of its host and be granted the time of two, and Numba would start a thread for each that
it sees. So its number of threads is set before Numba is imported, unless NUMBA_NUM_THREADS says what is wanted.

A thread of GNU's OpenMP that has nothing to do looks for work for some milliseconds before it sleeps, on a core that
the next Fourier transform, or somebody else, could use. So it looks for a three-hundredth of that, unless
GOMP_SPINCOUNT or OMP_WAIT_POLICY says how long: a gradient of t-SNE at 20,000 objects takes 7 ms instead of 9.
"""

import functools
import os
import sys

__all__ = ["available", "usable"]

_VARIABLE = "NUMBA_NUM_THREADS"


def available():
    """Return what affinity masks and control groups leave to this process, an int."""
    import joblib

    return joblib.cpu_count()


def usable():
    """Return how many threads a parallel kernel may use at most, an int."""
    import numba

    most = numba.config.NUMBA_NUM_THREADS
    return most if _VARIABLE in os.environ else min(most, _at_first())


# For a process that had imported Numba before: it has its threads, and not all of them are used.
_at_first = functools.cache(available)


if not {"GOMP_SPINCOUNT", "OMP_WAIT_POLICY"} & os.environ.keys():
    os.environ["GOMP_SPINCOUNT"] = "1000"
if _VARIABLE not in os.environ and "numba" not in sys.modules:
    os.environ[_VARIABLE] = str(available())
