"""Threads that are waited for, and locks that a forked child finds free."""

import os
import threading

import pytest

from notebook_sne.engine.machine.lifetimes import wait_for_end
from tests.standins.process import FORKS, python


def test_no_thread_is_waited_for_by_itself():
    said = []
    thread = threading.Thread(target=lambda: said.append(wait_for_end(thread, 30.0)))
    thread.start()
    wait_for_end(thread, 30.0)
    assert said == [None] and not thread.is_alive()
    wait_for_end(None, 30.0)


def test_none_is_waited_for_when_the_interpreter_has_stopped_it():
    done = python("""
        import threading
        from notebook_sne.engine.machine.lifetimes import wait_for_end
        thread = threading.Thread(target=threading.Event().wait, daemon=True)
        thread.start()
        class Last:
            def __del__(self, wait=wait_for_end):  # of what is in a module, when the interpreter ends
                wait(thread, 1000.0)
                print("ended")
        last = Last()
    """)
    assert (done.stdout.split(), done.stderr, done.returncode) == (["ended"], "", 0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_lock_that_a_thread_holds_is_free_in_a_forked_child():
    done = python(
        """
        import os, threading
        from notebook_sne.engine.machine.lifetimes import free_in_children
        from tests.standins.waiting import PATIENCE
        lock, held, over = free_in_children(threading.RLock()), threading.Event(), threading.Event()
        def hold():
            with lock:
                held.set()
                over.wait()
        thread = threading.Thread(target=hold)
        thread.start()
        held.wait()
        child = os.fork()
        if not child:
            os._exit(7 if lock.acquire(timeout=PATIENCE) else 1)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), lock.acquire(blocking=False))
        over.set()
        thread.join()
    """,
        flags=FORKS,
    )
    assert (done.stdout.split(), done.stderr) == (["7", "False"], "")
