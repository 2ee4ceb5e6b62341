"""Time several calls side by side: in turns, round by round, so that a noisy neighbor slows all of them alike."""

import math
import time

import numpy as np

__all__ = ["in_turns", "rounded", "spread", "times_as_long"]

_SHORTEST, _MOST_REPEATS = 0.1, 50  # seconds that are worth a look at the clock; calls in a row at most


def in_turns(calls, n_rounds):
    """Time calls, a dict by name, in turns; return the seconds of one call, the mean within each of `n_rounds` turns.

    Every call is made once beforehand, for what is compiled or allocated by it, and once for an idea of how long it
    takes; a short one is then repeated within its turn. Each round begins with another call.
    """
    names, repeats = list(calls), {}
    for name, call in calls.items():
        call()
        repeats[name] = min(_MOST_REPEATS, max(1, math.ceil(_SHORTEST / max(_seconds(call, 1), 1e-9))))
    times = {name: np.empty(n_rounds) for name in names}
    for turn in range(n_rounds):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            times[name][turn] = _seconds(calls[name], repeats[name])
    return times


def _seconds(call, repeats):
    began = time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.perf_counter() - began) / repeats


def spread(seconds):
    """Return median, least and greatest of a series of seconds as cells of a row, in milliseconds."""
    return {
        "ms, median": rounded(1e3 * np.median(seconds)),
        "ms, least": rounded(1e3 * np.min(seconds)),
        "ms, greatest": rounded(1e3 * np.max(seconds)),
    }


def times_as_long(seconds, others):
    """Return the median over rounds of the ratio of two series of seconds, each with one value for each round."""
    return rounded(np.median(np.asarray(seconds) / np.asarray(others)))


def rounded(value, digits=4):
    """Return a number with so many significant digits."""
    return float(f"{value:.{digits}g}")
