"""How many threads a run uses.

``n_jobs=None`` takes every core that the process may use, but a single thread where the work is small: waking threads
and waiting for them costs more than they save once other processes want the cores, too, as in a class where twenty
kernels share a machine. Milliseconds an update, on two cores:

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

import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from notebook_sne.engine.checks.arguments import check_count
from notebook_sne.engine.machine.cores import available
from notebook_sne.engine.machine.parallel import threads

__all__ = ["SMALL", "Crew", "check_workers", "nanoseconds"]

SMALL = 1e6
"""Nanoseconds of work an update on one thread; for less than that, one thread is used."""

_FIRST, _EVERY, _TRIES = 10, 250, 5  # updates before a trial, from one to the next, and of each kind in one
_LONG = 0.05  # s of an update for which waiting for a thread matters little

# Nanoseconds that a pair of objects takes in a map's sums, and a stored pair with one map or with several.
_PAIR, _STORED, _STORED_IN_MIXTURE = 1.0, 4.0, 20.0


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
