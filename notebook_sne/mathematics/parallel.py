"""One compiled parallel section at a time in a process.

Numba's ``workqueue`` layer, which a machine without OpenMP or TBB gets, ends the whole process when two Python
threads enter parallel kernels together; a live run and a notebook cell would do just that. So every parallel
kernel of this package is wrapped in ``exclusive``, which holds one lock for all of them. Little is lost by it: one
kernel alone keeps every core busy.
"""

import functools
import os
import threading
from contextlib import contextmanager

import numba

from notebook_sne.mathematics.cores import usable

__all__ = ["FAST", "FAST_SERIAL", "exclusive", "number_of_threads", "threads"]

FAST_SERIAL = {"fastmath": {"reassoc", "contract", "nsz", "arcp", "afn"}, "error_model": "numpy", "cache": True}
"""What a hot sum may do: change the order of its terms, fuse, ignore the sign of zero, use reciprocals. The rules for
NaN and infinity stay, and with them the tests that rest on them."""

FAST = {**FAST_SERIAL, "parallel": True, "nogil": True}
"""The same for a loop over rows that is shared out to threads."""

_one_at_a_time = threading.RLock()
_wanted = threading.local()


def _fresh_lock():
    global _one_at_a_time
    _one_at_a_time = threading.RLock()


# A child that was forked while a kernel ran would wait for a thread that it does not have.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_fresh_lock)


@contextmanager
def threads(number):
    """Use at most `number` threads in the parallel kernels that this Python thread calls inside the block."""
    before = getattr(_wanted, "number", None)
    _wanted.number = number
    try:
        yield
    finally:
        _wanted.number = before


def number_of_threads():
    """Return how many threads a parallel kernel, or a Fourier transform, called here would use."""
    most = usable()
    return max(1, min(getattr(_wanted, "number", None) or most, most))


def exclusive(kernel):
    """Wrap a parallel kernel so that no other one runs beside it in this process."""

    @functools.wraps(kernel)
    def alone(*arguments):
        with _one_at_a_time:
            before = numba.get_num_threads()
            numba.set_num_threads(number_of_threads())
            try:
                return kernel(*arguments)
            finally:
                numba.set_num_threads(before)

    return alone
