"""How a test waits for what another thread does."""

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


def _alive():
    return [thread for thread in threading.enumerate() if thread.name.startswith("notebook_sne")]
