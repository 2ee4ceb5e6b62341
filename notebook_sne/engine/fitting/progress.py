"""The progress bar of `fit` and `transform`, in a notebook or a terminal."""

import io
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

from notebook_sne.affinities.nearest import when_searching
from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.machine.compiled import when_compiling
from notebook_sne.engine.machine.process import is_watched

__all__ = ["progress_bar"]


@contextmanager
def progress_bar(progress: object, total: int, name: str, *, at_once: bool = False) -> Iterator[Any]:
    """Show a bar inside the block, which gets it, a tqdm; it says so while something is compiled, or searched for.

    `progress` is "auto", True or False. With "auto", the bar appears after a second, and only in a notebook or a
    terminal, where someone may be waiting; `at_once` says that it need not wait for a second, as the first step alone
    takes as long. `total` is how many steps there are, `name` stands before the bar.
    """
    if progress not in ("auto", True, False):
        raise ValueError(f"progress must be 'auto', True or False, got {show(progress)}")
    at_once = at_once or progress is True
    nowhere = sys.stderr is None  # of a program without a window or a terminal, as under pythonw
    hidden = progress is False or nowhere or (progress == "auto" and not is_watched())
    # In s; each change of a bar in a notebook is a kB to its page.
    often = {"delay": 0.0 if at_once else 1.0, "mininterval": 0.5, "miniters": 1}
    with _bars()(total=total, desc=name, disable=hidden, leave=progress is True, **often) as bar:

        def say() -> None:
            bar.delay = 0.0  # it takes longer than a second
            bar.set_description(f"{name}, compiling (once)")

        with when_compiling(say), when_searching(_estimated(bar, name)):
            yield bar


def _bars() -> Any:
    """Return the class of bars: tqdm's, but in a notebook a single line of HTML, which is removed at its end.

    There tqdm's own bar is ten widgets. Each is sent by itself, and a saved notebook keeps them all.
    """
    from tqdm.auto import tqdm
    from tqdm.std import tqdm as plain

    in_notebook = sys.modules.get("tqdm.notebook")
    if in_notebook is None or not issubclass(tqdm, in_notebook.tqdm_notebook):
        return tqdm

    class Bar(plain):
        shown: Any = None
        monitor_interval = 0  # tqdm's thread that looks after slow bars, one for each class, would outlive this one

        def __init__(self, **options: Any) -> None:
            words = "{l_bar} {n_fmt} of {total_fmt} [{elapsed}<{remaining}, {rate_fmt}]"
            super().__init__(file=io.StringIO(), bar_format=words, **options)

        def display(self, msg: Any = None, pos: Any = None) -> None:
            """Show how far it is, unless that is nothing."""
            from IPython.display import display

            if msg != "":
                html = f'<progress value="{self.n}" max="{self.total}"></progress> {escape(str(self))}'
                data = {"text/html": html, "text/plain": str(self)}
                if self.shown:
                    self.shown.update(data, raw=True)
                else:
                    self.shown = display(data, raw=True, display_id=True)

        def close(self) -> None:
            super().close()
            if self.shown and not self.leave:
                self.shown.update({"text/plain": ""}, raw=True)

    return Bar


def _estimated(bar: Any, name: str) -> Callable[[int, int], None]:
    """Return a function that says of how many objects the neighbors are known, and how long the others will take."""
    first: list[tuple[int, float]] = []

    def say(known: int, n_objects: int) -> None:
        now = time.perf_counter()
        first.append((known, now))
        so_far, left = known - first[0][0], ""
        if so_far:
            seconds = (now - first[0][1]) * (n_objects - known) / so_far
            left = f", {bar.format_interval(seconds)} left"
        bar.set_description(f"{name}, neighbors of {known / n_objects:.0%}{left}")

    return say
