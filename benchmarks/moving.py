"""Very many objects on the move: frames that a JupyterLab paints in a second of a run, without a graphics card.

Wanted: 1,000,000 objects move at least 5 times a second over a local connection, on a machine at rest. The run only
moves its points, some 15 times a second, so that what is measured is the way from its states to the pixels. Beside it
stands the processor time that kernel, server and browser together take in that while for each painted frame; it depends
less on what else the machine does. With the folder of an earlier version of the package as an argument, that version is
measured in turn with this one.
"""

import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks.record import keep, load
from tests.browser.jupyter import FLAGS, Jupyter, write_notebook
from tests.browser.pages import Notebook

SIZES = 100_000, 1_000_000
SECONDS, ROUNDS = 15, 2
SETUP = """
import time
import numpy as np
import notebook_sne as ns
class Moving:
    max_iter = 10**6
    def iterate(self, X, start=None, knobs=None):
        t, way = 0, X[::-1] - X
        while True:
            Y = way * (0.5 - 0.5 * np.cos(t / 40))
            Y += X
            yield ns.State(t, "moving", 1.0, 1.0, Y[None], None, 0.0, {}, "Moving", {})
            time.sleep(0.05)
            t += 1
def points(n):
    rng, k = np.random.default_rng(0), np.arange(n) % 10
    return rng.normal(size=(10, 2))[k] * 3 + rng.normal(size=(n, 2)) * (0.2 + 0.15 * k[:, None]), k
"""
SHOW = """
Y, k = points({n})
player = ns.watch(Moving(), Y, labels=k)
player"""
NOW = "print(player.run.state.iteration, time.monotonic())"


def processor_seconds(leaders):
    """Return the seconds of processor time of some processes and all that they have started, as Linux tells them."""
    parents, spent = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue  # it has ended
            parents[int(entry.name)] = int(fields[1])
            spent[int(entry.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    ours = set(leaders)
    while more := {one for one, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return sum(spent.get(one, 0.0) for one in ours)


def measure(playwright, path, n, package):
    """Return painted frames a second, updates a second, and processor ms for a painted frame."""
    folder = Path(tempfile.mkdtemp())
    variables = {} if package is None else {"PYTHONPATH": package}
    jupyter = Jupyter("jupyterlab", folder, **variables)
    before = set(children())
    browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
    leaders = [jupyter.process.pid, *(set(children()) - before)]
    try:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(240_000)
        write_notebook(folder / "moving.ipynb", [SETUP, SHOW.format(n=n), NOW])
        notebook = Notebook(page, jupyter, "moving.ipynb")
        notebook.run(0, seconds=120)
        notebook.run(1, seconds=120)
        view = notebook.player(1)
        view.until(lambda view: view.frames > 3, 120)
        page.wait_for_timeout(8000)

        def now():
            notebook.run(2, seconds=120)
            return map(float, notebook.output(2).split())

        at, then = now()
        frames, began, spent = view.frames, time.perf_counter(), processor_seconds(leaders)
        page.wait_for_timeout(1000 * SECONDS)
        painted, took = view.frames - frames, time.perf_counter() - began
        spent = processor_seconds(leaders) - spent
        to, until = now()
        return painted / took, (to - at) / (until - then), 1000 * spent / max(painted, 1)
    finally:
        browser.close()
        jupyter.close()
        shutil.rmtree(folder, ignore_errors=True)


def children():
    """Return the processes that this one has started, with theirs."""
    found, wanted = [], [os.getpid()]
    while wanted:
        one = wanted.pop()
        for task in Path(f"/proc/{one}/task").glob("*/children"):
            wanted += map(int, task.read_text().split())
            found += map(int, task.read_text().split())
    return found


def main(earlier=None):
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    versions = {"this version": None}
    if earlier is not None:
        versions["before"] = str(Path(earlier).resolve())
    rows = []
    with sync_playwright() as playwright:
        for n in SIZES:
            found = {name: [] for name in versions}
            loads = []
            for _ in range(ROUNDS):
                for name, package in versions.items():
                    found[name].append(measure(playwright, path, n, package))
                    loads.append(load())
                    print(n, name, found[name][-1], "load", loads[-1], flush=True)
            for name, measured in found.items():
                painted, updates, spent = zip(*measured, strict=True)
                rows.append(
                    {
                        "objects": n,
                        "package": name,
                        "frames painted a second, median": round(statistics.median(painted), 1),
                        "most": round(max(painted), 1),
                        "updates a second": round(statistics.median(updates), 1),
                        "processor ms for a frame": round(statistics.median(spent)),
                        "load": f"{min(loads):.0f} to {max(loads):.0f}",
                    }
                )
    settings = {"seconds": SECONDS, "rounds": ROUNDS, "view": "1280 x 900", "drawing": "in software"}
    keep("moving", settings, rows, peers=["jupyterlab"])


if __name__ == "__main__":
    main(*sys.argv[1:])
