"""What the README says is so."""

import ast
import json
import re
from pathlib import Path
from urllib.parse import unquote

import nbformat
import pytest

import notebook_sne as ns

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COURSE = sorted((ROOT / "tutorials").glob("[0-9]*.ipynb"))


def test_its_links_lead_somewhere():
    targets = [target for target in re.findall(r"\]\(([^)\s]+)\)", README) if "://" not in target]
    assert len(targets) > len(COURSE)
    for target in targets:
        assert (ROOT / target).exists(), target


def test_it_lists_the_course_by_its_questions():
    listed = re.findall(r"^ ?(\d+)\. \[([^\]]+)\]\(tutorials/([^)]+)\)", README, re.MULTILINE)
    assert [name for _, _, name in listed] == [path.name for path in COURSE]
    for number, question, name in listed:
        assert int(number) == int(name[:2])
        assert nbformat.read(ROOT / "tutorials" / name, as_version=4).cells[0].source.startswith(f"# {question}\n")


def test_binder_opens_the_first_tutorial():
    target = re.search(r"mybinder\.org/v2/\S+?\?urlpath=lab/tree/([^)]+)\)", README)
    assert unquote(target[1]) == f"tutorials/{COURSE[0].name}"


def test_its_python_compiles_and_names_what_there_is():
    for code in re.findall(r"```python\n(.*?)```", README, re.DOTALL):
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "ns":
                assert hasattr(ns, node.attr), node.attr


@pytest.mark.parametrize(
    "column, settings", list(enumerate(["t-SNE, defaults", "t-SNE of scikit-learn", "t-SNE of openTSNE"]))
)
def test_its_figures_are_those_that_were_kept(column, settings):
    kept = json.loads((ROOT / "benchmarks" / "results" / "e2_mnist.json").read_text(encoding="utf-8"))
    row = next(row for row in kept["rows"] if row["settings"] == settings)
    for line, figure in (
        ("t-SNE of 5,000 MNIST images: seconds", f"{row['seconds, median']:.1f}"),
        ("its KL divergence, by one formula", f"{row['KL, median']:.3f}"),
        ("1-NN error in its map", f"{100 * row['1-NN error, median']:.1f} %"),
    ):
        cells = next(text for text in README.splitlines() if text.startswith(f"| {line}")).split("|")
        assert cells[2 + column].strip() == figure


@pytest.mark.parametrize("column, fit", [(0, "notebook_sne"), (2, "openTSNE, FFT")])
def test_its_figures_of_large_fits_are_those_that_were_kept(column, fit):
    kept = json.loads((ROOT / "benchmarks" / "results" / "peers_fits.json").read_text(encoding="utf-8"))
    row = next(row for row in kept["rows"] if (row["objects"], row["fit"]) == (70_000, fit))
    for line, figure in (
        ("t-SNE of 70,000 MNIST images: seconds", f"{row['seconds']:.0f}"),
        ("its KL divergence, on the same P", f"{row['KL']:.3f}"),
    ):
        cells = next(text for text in README.splitlines() if text.startswith(f"| {line}")).split("|")
        assert cells[2 + column].strip() == figure


@pytest.mark.parametrize("column, fit", [(0, "t-SNE"), (2, "openTSNE")])
def test_its_figures_of_a_million_are_those_that_were_kept(column, fit):
    kept = json.loads((ROOT / "benchmarks" / "results" / "million_peers.json").read_text(encoding="utf-8"))
    (row,) = (row for row in kept["rows"] if (row["objects"], row["fit"]) == (1_000_000, fit))
    lines = README.splitlines()
    (first,) = (k for k, text in enumerate(lines) if text.startswith("| t-SNE of 1,000,000 images"))
    figures = [line.split("|")[2 + column].strip() for line in lines[first : first + 2]]
    assert figures == [f"{row['seconds'] / 60:.0f}, {row['peak, MB'] / 1000:.1f}", f"{row['KL']:.3f}"]
