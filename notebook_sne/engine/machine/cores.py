"""How many cores this process may use, and no more threads than that.

A container may see all cores of its host and be granted the time of two; Numba counts those that it sees. So a parallel
kernel of this package uses no more threads than `usable` says, which is said to Numba before each call and taken back
after it (`parallel`). The rest of the process is the user's: neither its environment nor Numba's settings are changed.
Where Numba's threads are its own and not OpenMP's, it launches one for each core that it sees, but those sleep.

Only a process that we start ourselves, as ``notebook-sne lab`` does its server, is given `variables` as well. A thread
of GNU's OpenMP that has nothing to do looks for work for some milliseconds before it sleeps, on a core that the next
Fourier transform, or another program, could use; with GOMP_SPINCOUNT it looks for a three-hundredth of that. OpenMP
reads this when it is loaded, and there is no other way to say it: in a process that isn't ours, it is the user's to
set. An update of t-SNE at 20,000 objects takes 6.5 ms either way where two cores are free. Where another program, such
as a browser that paints, keeps one of them busy, it takes 9 ms with it and 15 ms without.
"""

import functools
import os

__all__ = ["available", "usable", "variables"]

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


_at_first = functools.cache(available)


def variables():
    """Return what to add to the environment of a process that we start, {name: value}: nothing that is set already."""
    more = {} if _VARIABLE in os.environ else {_VARIABLE: str(available())}
    if not {"GOMP_SPINCOUNT", "OMP_WAIT_POLICY"} & os.environ.keys():
        more["GOMP_SPINCOUNT"] = "1000"
    return more
