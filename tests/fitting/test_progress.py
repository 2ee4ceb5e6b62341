"""A progress bar is for somebody who waits in front of it."""

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from tqdm.auto import tqdm

import notebook_sne as ns
from notebook_sne.engine.fitting import progress
from tests.standins.waiting import LONG

# More objects than are searched at once, so that the bar need not wait for a second.
FIT = """
    import numpy as np
    import notebook_sne as ns
    from notebook_sne.models import base
    base.MOST_SEARCHED_OBJECTS = 10
    X = np.random.default_rng(0).normal(size=(40, 3))
    ns.SNE(perplexity=5, max_iter=3, random_state=0, progress={progress}).fit(X)
"""
# What ipykernel does to IPython, as far as anybody can see it.
KERNEL = """
    import IPython
    from types import SimpleNamespace
    IPython.get_ipython = lambda: SimpleNamespace({inside})
"""


def said(code, stderr=subprocess.PIPE, **variables):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", textwrap.dedent(code)],
        env={**os.environ, **variables},
        stderr=stderr,
        stdout=subprocess.PIPE,
        text=True,
        timeout=LONG,
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.slow
def test_auto_is_silent_where_nobody_looks_and_who_asks_for_a_bar_gets_it_anywhere():
    assert said(FIT.format(progress="'auto'")) == "" and "SNE" in said(FIT.format(progress="True"))


def test_where_nothing_can_be_written_there_is_no_bar(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    with progress.progress_bar(True, 3, "SNE") as bar:
        bar.update()


@pytest.mark.slow
def test_a_terminal_gets_a_bar():
    pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")
    import fcntl
    import struct
    import termios

    ours, theirs = pty.openpty()
    try:
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))  # one without columns shows no bar
        said(FIT.format(progress="'auto'"), stderr=theirs)
        os.set_blocking(ours, False)
        assert b"SNE" in os.read(ours, 100_000)
    finally:
        os.close(ours)
        os.close(theirs)


@pytest.mark.slow
@pytest.mark.parametrize("inside, shown", [("kernel=object()", True), ("", False)])
def test_a_notebook_gets_a_bar_and_a_plain_ipython_without_a_terminal_none(inside, shown):
    pytest.importorskip("IPython")
    found = said(KERNEL.format(inside=inside) + FIT.format(progress="'auto'"))
    assert ("SNE" in found) == shown


@pytest.mark.slow
@pytest.mark.skipif(bool(os.environ.get("NUMBA_DISABLE_JIT")), reason="nothing is compiled")
def test_the_bar_says_that_something_is_compiled_and_only_then(tmp_path):
    new = """
    fitted = ns.SNE(perplexity=5, max_iter=3, random_state=0, progress=True).fit(X)
    fitted.transform(X[:3] + 0.1)
    """
    first, then = (said(FIT.format(progress="True") + new, NUMBA_CACHE_DIR=str(tmp_path)) for _ in range(2))
    assert "SNE, affinities, compiling (once)" in first and "SNE, new objects, compiling (once)" in first
    assert "compiling" not in then and "SNE, new objects: 100%" in then


@pytest.mark.slow
@pytest.mark.parametrize("progress", ["'auto'", "True", "False"])
def test_a_bar_that_has_ended_leaves_nothing_in_a_notebook_unless_it_was_asked_for(progress):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    short = """
    base.MOST_SEARCHED_OBJECTS = 100
    ns.SNE(perplexity=5, max_iter=3, random_state=0, progress={progress}).fit(X)
    import threading, ipywidgets.widgets.widget as widget
    print(len(widget._instances), "tqdm" in str(threading.enumerate()))  # a saved notebook would hold, a kernel keep
    """
    cell = nbformat.v4.new_code_cell(textwrap.dedent((FIT + short).format(progress=progress)))
    client = nbclient.NotebookClient(nbformat.v4.new_notebook(cells=[cell]), timeout=LONG, kernel_name="python3")
    outputs = client.execute().cells[0].outputs
    shown = [output.data for output in outputs if output.output_type == "display_data"]
    assert bool(shown) == (progress != "False") and outputs[-1].text == "0 False\n"
    left = ["<progress value=" in data.get("text/html", "") for data in shown]
    assert all(left) if progress == "True" else all(data == {"text/plain": ""} for data in shown)


class Bar:
    """What a tqdm is told."""

    format_interval = staticmethod(lambda seconds: f"{seconds:.0f} s")

    def __init__(self):
        self.said = []

    def set_description(self, text):
        self.said.append(text)


def test_the_time_that_is_left_of_a_search_is_estimated_from_what_has_been_found(monkeypatch):
    clock = iter([100.0, 110.0, 130.0])
    monkeypatch.setattr(progress.time, "perf_counter", lambda: next(clock))
    bar = Bar()
    say = progress._estimated(bar, "TSNE, affinities")
    for known in (100, 200, 500):
        say(known, 1000)
    assert bar.said == [
        "TSNE, affinities, neighbors of 10%",
        "TSNE, affinities, neighbors of 20%, 80 s left",  # a hundred in 10 s, and eight hundred more
        "TSNE, affinities, neighbors of 50%, 38 s left",  # four hundred in 30 s, and five hundred more
    ]


def test_the_time_that_p_takes_is_no_part_of_the_estimate_of_the_updates(monkeypatch):
    made = []

    class Counted(tqdm):
        def unpause(self):
            made.append(self.n)
            super().unpause()

    monkeypatch.setattr("tqdm.auto.tqdm", Counted)
    X = np.random.default_rng(0).normal(size=(40, 3))
    ns.SNE(perplexity=5, max_iter=3, random_state=0, progress=True).fit(X)
    assert made == [0]
