"""Each tutorial runs from top to bottom, is saved without outputs, and keeps the order of a lecture."""

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

TUTORIALS = sorted((Path(__file__).parents[1] / "tutorials").glob("[0-9]*.ipynb"))
# STYLE of a lecture: these headings, in this order.
SECTIONS = ["Prediction", "Picture", "Experiment", "Reason", "What the picture does not say", "Exercise"]

each_tutorial = pytest.mark.parametrize("path", TUTORIALS, ids=lambda path: path.stem)


def test_there_are_tutorials():
    assert TUTORIALS


@each_tutorial
def test_it_runs_to_the_end_without_a_network(path, tmp_path, monkeypatch):
    monkeypatch.delenv("NOTEBOOK_SNE_DATA", raising=False)
    # Nothing answers there: whatever asks the network fails at once.
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=180, resources={"metadata": {"path": str(tmp_path)}}).execute()
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            assert output.output_type != "stream" or output.name != "stderr", output.text


@each_tutorial
def test_it_is_saved_without_outputs(path):
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None


@each_tutorial
def test_its_cells_are_short(path):
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            assert len(cell.source.splitlines()) <= 12, cell.source


@each_tutorial
def test_it_asks_a_question_and_keeps_the_order_of_a_lecture(path):
    text = "\n".join(c.source for c in nbformat.read(path, as_version=4).cells if c.cell_type == "markdown")
    headings = re.findall(r"^(#+) (.+)$", text, re.MULTILINE)
    assert headings[0][0] == "#"
    assert headings[0][1].endswith("?")
    titles = [title for level, title in headings if level == "##"]
    assert [title for title in titles if title in SECTIONS] == SECTIONS


@each_tutorial
def test_its_first_code_cell_shows_something_live(path):
    first = next(c.source for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code")
    # The player watches one map being made, the explorer a mixture of maps: a run, and not a finished fit.
    assert "ns.watch(" in first or "ns.explore(ns.Run(" in first
