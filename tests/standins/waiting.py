"""How a test waits for what another thread does."""

import gc
import threading
import time

PATIENCE = 120.0  # s; how long anything is waited for, in every lane: it only bounds a failure
LONG = 10 * PATIENCE  # s; how long a whole program or notebook is waited for


def until(condition):
    """Wait until `condition()` holds, and tell whether it ever did."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


_others = set()  # threads that earlier tests left behind: no concern of the present one


def forget_threads():
    """Leave out of `our_threads` those that are alive now."""
    _others.clear()
    _others.update(_alive())


def our_threads():
    """The names of the package's threads that are alive and have come since the test began."""
    return [thread.name for thread in _alive() if thread not in _others]


def threads_end():
    """Wait until `our_threads` has none, also of what nobody refers to any more, and tell whether that ever was so."""
    collected = time.monotonic()

    def ended():
        nonlocal collected
        # What is closed ends by itself. To collect garbage at every look took a third of the time of tests of widgets.
        if our_threads() and time.monotonic() > collected + 0.1:
            gc.collect()
            collected = time.monotonic()
        return not our_threads()

    return until(ended)


def _alive():
    return [thread for thread in threading.enumerate() if thread.name.startswith("notebook_sne")]
