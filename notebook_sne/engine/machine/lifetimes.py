"""Threads where a process ends, and where one is forked.

A process that ends stops its threads wherever they are, and a forked child has none of its parent's. Code that waits
for such a thread, or for a lock that it held, waits forever.
"""

import os
import sys
import threading
import weakref

__all__ = ["free_in_children", "wait_for_end"]


def wait_for_end(thread, seconds):
    """Wait until a thread has ended, at most some seconds, where it can end at all.

    None, and the thread that calls this, aren't waited for. At the end of the interpreter no thread goes on, and
    Python from 3.14 on refuses to wait for one.
    """
    if thread is not None and thread is not threading.current_thread() and not sys.is_finalizing():
        thread.join(seconds)


_locks: "weakref.WeakSet" = weakref.WeakSet()


def free_in_children(lock):
    """Return a lock, which a forked child will find free, whichever thread held it."""
    _locks.add(lock)
    return lock


def _free_all():
    for lock in list(_locks):
        lock._at_fork_reinit()  # as Python does with the locks of logging and of its pools


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_free_all)
