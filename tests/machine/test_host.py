"""Where this process is looked at from."""

from types import SimpleNamespace

import pytest

from notebook_sne.machine import host


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
