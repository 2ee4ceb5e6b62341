"""The line that says that libraries are loaded: where it is shown, who takes it over, and when it goes."""

import sys
from types import SimpleNamespace

import pytest
from IPython import display

from notebook_sne.browser.widgets import import_progress as coming


@pytest.fixture
def cell(monkeypatch):
    """A cell of a kernel that has loaded nothing: what is shown in it, and how it ends."""
    shown, ends = [], []

    class Line:
        display_id = "a line"

        def update(self, data, raw):
            shown.append(data["text/plain"])

    def show(data, raw, display_id):
        shown.append(data["text/plain"])
        return Line()

    events = SimpleNamespace(register=lambda name, act: ends.append(act), unregister=lambda name, act: ends.remove(act))
    monkeypatch.setattr(coming, "has_kernel", lambda: True)
    monkeypatch.setattr(coming, "shell", lambda: SimpleNamespace(events=events))
    monkeypatch.setattr(coming, "_lines", [])
    monkeypatch.setattr(display, "display", show)
    monkeypatch.delitem(sys.modules, "sklearn", raising=False)
    return SimpleNamespace(shown=shown, ends=ends, end=lambda: [act() for act in ends[:]])


def test_a_line_is_shown_once_and_is_empty_when_the_cell_ends(cell):
    for _ in range(2):
        with coming.announced():
            pass
    assert len(cell.shown) == 1 and cell.shown[0].startswith("Loading notebook_sne")
    cell.end()
    assert cell.shown[1:] == [""] and not cell.ends and coming.take_line() is None


def test_a_view_takes_the_line_over(cell):
    with coming.announced():
        pass
    assert coming.take_line() == "a line" and coming.take_line() is None
    cell.end()
    assert len(cell.shown) == 1, "it is the view's now"


def test_nothing_is_said_where_all_is_loaded_or_nobody_sees_it(cell, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", object())
    with coming.announced():
        pass
    monkeypatch.delitem(sys.modules, "sklearn")
    monkeypatch.setattr(coming, "has_kernel", lambda: False)
    with coming.announced():
        pass
    assert not cell.shown
