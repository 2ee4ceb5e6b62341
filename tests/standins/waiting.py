"""How a test waits for what another thread does."""

import threading
import time


def until(condition, seconds=30.0):
    """Wait until `condition()` holds, and tell whether it ever did; the seconds only bound a failure."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def our_threads():
    """The names of the package's threads that are alive."""
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("notebook_sne")]
