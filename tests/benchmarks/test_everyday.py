"""Twenty everyday tasks: our code and that of scikit-learn run, and the kept counts are those of the code."""

import json
import sys
from types import ModuleType

import numpy as np
import pytest

import notebook_sne as ns
from benchmarks import everyday
from benchmarks.everyday import PACKAGES, TASKS, code_of, lines_of, run, runs
from benchmarks.record import RESULTS
from tests.test_guide import noted

QUICK = {"max_iter": 20, "progress": False, "perplexity": 10}


class SentenceTransformer:
    """A model of texts that needs no file: a random vector for each, the same for the same name."""

    def __init__(self, name):
        assert name == "all-MiniLM-L6-v2"

    def encode(self, texts):
        return np.random.default_rng(0).normal(size=(len(texts), 8))


@pytest.fixture
def closed(monkeypatch):
    """Close each view that a task makes, and let no task wait for hundreds of updates or a model of texts."""
    views = []
    for name in ("watch", "compare"):
        monkeypatch.setattr(ns, name, noted(getattr(ns, name), views))
    monkeypatch.setattr(ns, "TSNE", lambda **told: TSNE(**{**QUICK, **told}))
    module = ModuleType("sentence_transformers")
    module.SentenceTransformer = SentenceTransformer
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
    yield
    for view in views:
        view.close()


TSNE = ns.TSNE


@pytest.mark.sampled(5)
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task["name"])
def test_our_code_runs(task, closed):
    assert runs(code_of(task, "notebook_sne"))
    run(task, "notebook_sne")


def is_plain(task):
    """Tell whether a task's code for scikit-learn needs no other package that draws."""
    code = code_of(task, "scikit-learn")
    return runs(code) and not {"plotly", "matplotlib"} & set(code.replace(".", " ").split())


@pytest.mark.slow
@pytest.mark.parametrize("task", [*filter(is_plain, TASKS)], ids=lambda task: task["name"])
def test_code_of_scikit_learn_runs(task):
    run(task, "scikit-learn")


def test_there_are_twenty_tasks_and_each_package_has_code_or_a_reason():
    assert len(TASKS) == 20 == len({task["name"] for task in TASKS})
    for task in TASKS:
        assert set(task) - {"name", "drawn", "model"} == set(PACKAGES)
        for package in PACKAGES:
            code = code_of(task, package)
            assert (lines_of(code) or 0) > 0 or len(code) > len("no: because")


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("import a\nb = a(\n    1,\n    2,\n)", 2),
        ("# a comment\n\nfor a in b:\n    c(a)", 2),
        ("a = 1; b = 2", 2),
        ("$ command --option", 1),
        ("no: it cannot", None),
    ],
)
def test_layout_changes_no_count(code, lines):
    assert lines_of(code) == lines


def test_the_kept_counts_are_those_of_the_code():
    assert json.loads((RESULTS / "everyday.json").read_text(encoding="utf-8"))["rows"] == everyday.rows()


def test_sums_are_over_what_both_do():
    done, theirs, ours = everyday.rows()[-3:]
    assert done["notebook_sne"] == 20 and theirs["notebook_sne"] == ours["notebook_sne"]
    assert all(ours[package] <= ours["notebook_sne"] for package in PACKAGES)
