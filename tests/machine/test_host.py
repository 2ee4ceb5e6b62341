"""Where this process is looked at from."""

import asyncio
from contextlib import contextmanager
from threading import Thread, current_thread, main_thread
from types import SimpleNamespace

import pytest

from notebook_sne.engine.machine import host


@pytest.mark.parametrize(
    ("shell", "kernel"), [(SimpleNamespace(kernel=object()), True), (SimpleNamespace(), False), (None, False)]
)
def test_a_kernel_differs_from_a_terminal_and_from_no_ipython(monkeypatch, shell, kernel):
    monkeypatch.setitem(host.sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    assert host.shell() is shell and host.has_kernel() is kernel


def test_without_ipython_there_is_no_shell(monkeypatch):
    monkeypatch.delitem(host.sys.modules, "IPython", raising=False)
    assert host.shell() is None and not host.has_kernel()


def test_marimo_counts_only_where_its_notebook_runs(monkeypatch):
    for runs in (True, False):
        monkeypatch.setitem(host.sys.modules, "marimo", SimpleNamespace(running_in_notebook=lambda runs=runs: runs))
        assert host.is_marimo() is runs


def test_a_terminal_is_watched_and_a_closed_error_stream_is_not(monkeypatch):
    monkeypatch.setattr(host, "has_kernel", lambda: False)
    monkeypatch.setattr(host, "is_marimo", lambda: False)
    monkeypatch.setattr(host.sys, "stderr", SimpleNamespace(isatty=lambda: True))
    assert host.is_watched()
    monkeypatch.setattr(host.sys, "stderr", None)  # as under pythonw
    assert not host.is_watched()


@pytest.mark.parametrize("loaded", [(), ("shinywidgets",), ("shiny", "shinywidgets")])
def test_where_no_page_of_shiny_is_built_messages_go_from_any_thread(monkeypatch, loaded):
    for name in ("shiny", "shinywidgets"):
        monkeypatch.delitem(host.sys.modules, name, raising=False)
    for name in loaded:
        none = SimpleNamespace(get_current_session=lambda: None)
        monkeypatch.setitem(host.sys.modules, name, SimpleNamespace(session=none))
    carry, said = host.carrier(), []
    thread = Thread(target=carry, args=(lambda: said.append(current_thread()),))
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
        host.sys.modules, "shiny", SimpleNamespace(session=session, reactive=SimpleNamespace(flush=flush))
    )
    monkeypatch.setitem(host.sys.modules, "shinywidgets", SimpleNamespace())

    async def page():
        carry = host.carrier()
        sessions.append("another session")
        carry(lambda: said.append("asked"))
        thread = Thread(target=carry, args=(lambda: said.append(current_thread()),))
        thread.start()
        while said[-1] != "out":
            await asyncio.sleep(0)
        thread.join()
        return carry

    carry = asyncio.run(page())
    assert said == ["asked", "in this session", main_thread(), "flushed", "out"]
    thread = Thread(target=carry, args=(lambda: said.append("too late"),))  # the app has ended
    thread.start()
    thread.join()
    assert said[-1] == "out"
