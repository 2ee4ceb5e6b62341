"""Where this process is looked at from; threads that are waited for, and locks that a forked child finds free."""

import asyncio
import os
import threading
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from notebook_sne.engine.machine import process
from notebook_sne.engine.machine.process import wait_for_end
from tests.standins.process import FORKS, python


@pytest.mark.parametrize(
    ("shell", "kernel"), [(SimpleNamespace(kernel=object()), True), (SimpleNamespace(), False), (None, False)]
)
def test_a_kernel_differs_from_a_terminal_and_from_no_ipython(monkeypatch, shell, kernel):
    monkeypatch.setitem(process.sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    assert process.shell() is shell and process.has_kernel() is kernel


def test_without_ipython_there_is_no_shell(monkeypatch):
    monkeypatch.delitem(process.sys.modules, "IPython", raising=False)
    assert process.shell() is None and not process.has_kernel()


def test_marimo_counts_only_where_its_notebook_runs(monkeypatch):
    for runs in (True, False):
        monkeypatch.setitem(process.sys.modules, "marimo", SimpleNamespace(running_in_notebook=lambda runs=runs: runs))
        assert process.is_marimo() is runs


def test_a_terminal_is_watched_and_a_closed_error_stream_is_not(monkeypatch):
    monkeypatch.setattr(process, "has_kernel", lambda: False)
    monkeypatch.setattr(process, "is_marimo", lambda: False)
    monkeypatch.setattr(process.sys, "stderr", SimpleNamespace(isatty=lambda: True))
    assert process.is_watched()
    monkeypatch.setattr(process.sys, "stderr", None)  # as under pythonw
    assert not process.is_watched()


@pytest.mark.parametrize("loaded", [(), ("shinywidgets",), ("shiny", "shinywidgets")])
def test_where_no_page_of_shiny_is_built_messages_go_from_any_thread(monkeypatch, loaded):
    for name in ("shiny", "shinywidgets"):
        monkeypatch.delitem(process.sys.modules, name, raising=False)
    for name in loaded:
        none = SimpleNamespace(get_current_session=lambda: None)
        monkeypatch.setitem(process.sys.modules, name, SimpleNamespace(session=none))
    carry, said = process.carrier(), []
    thread = threading.Thread(target=carry, args=(lambda: said.append(threading.current_thread()),))
    thread.start()
    thread.join()
    assert said == [thread]


def test_what_a_thread_says_reaches_the_session_of_shiny_and_is_flushed(monkeypatch):
    said, sessions = [], ["this session"]

    @contextmanager
    def session_context(session):
        said.append(f"in {session}")
        yield
        said.append("out")

    async def flush():
        said.append("flushed")

    session = SimpleNamespace(get_current_session=lambda: sessions[-1], session_context=session_context)
    monkeypatch.setitem(
        process.sys.modules, "shiny", SimpleNamespace(session=session, reactive=SimpleNamespace(flush=flush))
    )
    monkeypatch.setitem(process.sys.modules, "shinywidgets", SimpleNamespace())

    async def page():
        carry = process.carrier()
        sessions.append("another session")
        carry(lambda: said.append("asked"))
        thread = threading.Thread(target=carry, args=(lambda: said.append(threading.current_thread()),))
        thread.start()
        while said[-1] != "out":
            await asyncio.sleep(0)
        thread.join()
        return carry

    carry = asyncio.run(page())
    assert said == ["asked", "in this session", threading.main_thread(), "flushed", "out"]
    thread = threading.Thread(target=carry, args=(lambda: said.append("too late"),))  # the app has ended
    thread.start()
    thread.join()
    assert said[-1] == "out"


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
        from notebook_sne.engine.machine.process import wait_for_end
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
        from notebook_sne.engine.machine.process import free_in_children
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
