"""Compiled code on several threads.

A kernel that every update of a run calls shares out its rows by Numba's threads, which are woken in microseconds. Each
is wrapped in `exclusive`, which holds one lock for all of them, since one kernel alone keeps every core busy.

Numba's ``workqueue`` layer, which a machine without OpenMP or TBB gets, ends the whole process when two Python threads
enter parallel functions together, and no lock of ours holds for those of other packages or of a notebook cell. Under
this layer, Numba's threads are used only where nothing else can enter beside us: in the main thread, while no thread is
alive but daemons, such as those of Jupyter and of our runs. Everywhere else, one thread does everything.

A kernel that is called once for some data, as the search for P, shares them out `by_rows`: plain threads of Python
call it for some rows each. To start them takes a tenth of a millisecond, but it is compiled for one thread, which takes
half of the time that Numba needs for several.

In a forked child, as `multiprocessing` makes them on Linux, threads of the parent are missing, and libraries don't
know it. GNU's OpenMP would end the child (Numba's kernels) or wait forever (scikit-learn's neighbors). There, too, one
thread does everything, and what we ask of libraries is limited to it.

Linear algebra of other libraries adds in another order on each number of threads. Where a result is to be the same on
all of them, it is called in `one_thread`.

For one thread, the kernels are compiled once more. The results are the same, bit by bit.

A run with ``n_jobs=None`` takes every core that the process may use, but a single thread where the work is small:
waking threads and waiting for them costs more than they save once other processes want the cores, too, as in a class
where twenty kernels share a machine. Milliseconds an update, on two cores:

=========================== =========== =========== ============================== ==================
..                          one thread  two threads two threads on a busy machine  processor time
=========================== =========== =========== ============================== ==================
t-SNE, 400 objects          0.35        0.22
SNE, 1200 objects           1.5         0.8
5 aspect maps, 140 objects  1.8                     7.1                            10.7
5 aspect maps, 740 objects  23                      58                             37
=========================== =========== =========== ============================== ==================

Whether other processes want the cores is seen at the updates themselves: a `Crew` tries both now and then.

The number of threads changes no bit of a result, so it may follow the work.
"""

import functools
import itertools
import os
import sys
import threading
import time
import types
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numba
import numpy as np

from notebook_sne.engine.checks.arguments import check_count
from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.process import available, free_in_children, usable

__all__ = ["FAST", "FAST_BY_ROWS", "FAST_SERIAL", "SMALL", "Crew", "by_rows", "check_workers", "exclusive"]
__all__ += ["limit_libraries", "limited", "nanoseconds", "number_of_threads", "on_one_thread", "one_thread", "threads"]

FAST_SERIAL = {"fastmath": {"reassoc", "contract", "nsz", "arcp", "afn"}, "error_model": "numpy", "cache": True}
"""What a hot sum may do: change the order of its terms, fuse, ignore the sign of zero, use reciprocals. The rules for
NaN and infinity stay, and with them the tests that rest on them."""

FAST = {**FAST_SERIAL, "parallel": True, "nogil": True}
"""The same for a loop over rows that Numba shares out to threads, under `exclusive`."""

FAST_BY_ROWS = {**FAST_SERIAL, "nogil": True}
"""The same for a loop over rows that is called `by_rows`."""

SMALL = 1e6
"""Nanoseconds of work an update on one thread; for less than that, one thread is used."""

_FIRST, _EVERY, _TRIES = 10, 250, 5  # updates before a trial, from one to the next, and of each kind in one
_LONG = 0.05  # s of an update for which waiting for a thread matters little

# Nanoseconds that a pair of objects takes in a map's sums, and a stored pair with one map or with several.
_PAIR, _STORED, _STORED_IN_MIXTURE = 1.0, 4.0, 20.0

_BLOCKS = 8  # of rows that a thread is given one after the other: rows may be long and short

_one_at_a_time = free_in_children(threading.RLock())
_wanted = threading.local()
_forked = False  # whether this process is a forked child
_launched = False  # whether Numba's threads had been launched when it was


def _begin_child():
    global _forked, _launched
    _forked = True
    try:
        numba.threading_layer()
        _launched = True
    except ValueError:  # Numba has launched none
        pass


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_child)


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
    if _forked:
        return 1
    most = usable()
    return max(1, min(getattr(_wanted, "number", None) or most, most))


def limited():
    """Return a context in which other libraries use no more threads than `number_of_threads` says."""
    return limit_libraries(number_of_threads())


@functools.lru_cache(maxsize=1)
def _libraries(n_modules):
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()  # to look for them takes a millisecond; with new modules, there may be more


_one_limit_at_a_time = free_in_children(threading.RLock())


@contextmanager
def limit_libraries(limits):
    """Use at most so many threads in other libraries, a number or one for each kind, {"blas": 1}.

    The limit of a BLAS is that of the process, and threadpoolctl ignores a second thread that asks for one meanwhile:
    so blocks in other threads of ours wait.
    """
    with _one_limit_at_a_time, _libraries(len(sys.modules)).limit(limits=limits):
        yield


def one_thread():
    """Return a context, also a decorator, in which other libraries use one thread: they add in one order."""
    return limit_libraries(1)


def exclusive(kernel):
    """Wrap a parallel kernel so that no other one runs beside it in this process, whoever calls it."""
    serial = functools.cache(lambda: on_one_thread(kernel, nogil=True))

    @functools.wraps(kernel)
    def alone(*arguments):
        if not _may_use_threads_of_numba():
            return serial()(*arguments)
        with _one_at_a_time:
            before = numba.get_num_threads()
            numba.set_num_threads(number_of_threads())
            try:
                return kernel(*arguments)
            finally:
                numba.set_num_threads(before)

    return alone


def _may_use_threads_of_numba():
    if _launched:
        return False
    if _layer() != "workqueue":
        return True
    main = threading.main_thread()
    others = (thread for thread in threading.enumerate() if thread is not main)
    return threading.current_thread() is main and number_of_threads() > 1 and all(thread.daemon for thread in others)


@functools.cache
def _layer():
    numba.get_num_threads()  # launches the threads, if nothing has, so that Numba has chosen
    return numba.threading_layer()


def on_one_thread(kernel, **options):
    """Return a parallel kernel once more, to be compiled without Numba's threads and kept by another name.

    `options` are more of those of `njit`. A kernel that `exclusive` has wrapped is taken out of its wrap: what is
    returned may be called by other compiled functions.
    """
    kernel = getattr(kernel, "__wrapped__", kernel) if isinstance(kernel, types.FunctionType) else kernel
    function = getattr(kernel, "py_func", kernel)
    again = types.FunctionType(function.__code__, function.__globals__, function.__name__)
    again.__module__, again.__qualname__ = function.__module__, f"{function.__qualname__}_on_one_thread"
    fastmath = getattr(kernel, "targetoptions", FAST_SERIAL).get("fastmath")  # as plain Python, it has no options
    return njit(**{**FAST_SERIAL, "fastmath": fastmath, **options})(again)


def by_rows(kernel):
    """Wrap ``kernel(first, last, ...)``, a loop over these rows, as a function ``(n_rows, ...)`` on several threads.

    A row is written by itself, so that the bits don't depend on who does which.
    """

    @functools.wraps(kernel)
    def shared_out(n_rows, *arguments):
        most = min(number_of_threads(), n_rows)
        if most <= 1:
            kernel(0, n_rows, *arguments)
            return
        n_blocks = min(n_rows, most * _BLOCKS)
        bounds = [n_rows * block // n_blocks for block in range(n_blocks + 1)]
        pool = ThreadPoolExecutor(most)
        try:
            for done in [pool.submit(kernel, *block, *arguments) for block in itertools.pairwise(bounds)]:
                done.result()
        finally:  # an error or an interrupt need not wait for blocks that nobody has begun
            pool.shutdown(cancel_futures=True)

    return shared_out


def check_workers(n_jobs: int | None) -> int:
    """Return the most threads that `n_jobs` allows."""
    if n_jobs is None or n_jobs == -1:
        return available()
    try:
        return check_count("n_jobs", n_jobs, 1)
    except ValueError as error:
        raise ValueError(f"{error}; give None or -1 for all cores") from None


def nanoseconds(n_objects: int, n_maps: int, n_stored: int) -> float:
    """Return what an update takes on one thread, roughly, with M maps of N objects and so many stored pairs of P."""
    stored = _STORED if n_maps == 1 else _STORED_IN_MIXTURE
    return n_maps * (_PAIR * n_objects**2 + stored * n_stored)


class Crew:
    """The threads of a run's updates: all that it may have, or one where a trial lately showed that this is quicker."""

    def __init__(self) -> None:
        self.updates, self.alone, self.last = 0, False, 0.0
        self.took = np.zeros(2 * _TRIES)  # s of the updates of a trial: every other one has one thread

    @contextmanager
    def work(self, most: int) -> Iterator[None]:
        """Make an update inside the block, on at most so many threads."""
        k = (self.updates - _FIRST) % _EVERY
        tries = k < len(self.took) and self.last < _LONG
        alone = k % 2 == 0 if tries else self.alone
        began = time.perf_counter()
        with threads(1 if alone else most):
            yield
        self.updates, self.last = self.updates + 1, time.perf_counter() - began
        if tries:
            self.took[k] = self.last
        if k == len(self.took) - 1:
            self.alone = bool(self.took[::2].sum() < self.took[1::2].sum())
