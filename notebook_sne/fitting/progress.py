"""What `fit` and `transform` show of themselves: a bar, where somebody can see it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from notebook_sne.given import show
from notebook_sne.host import is_watched
from notebook_sne.machine.compiled import when_compiling

__all__ = ["progress_bar"]


@contextmanager
def progress_bar(progress: object, total: int, name: str, *, at_once: bool = False) -> Iterator[Any]:
    """Show a bar inside the block, which gets it, a tqdm; it says so while something is compiled.

    Parameters
    ----------
    progress : {"auto", True, False}
        With "auto", the bar appears after a second, and only in a notebook or a terminal: nobody waits in front of a
        file or another program.
    total : int
        How many steps there are.
    name : str
        What stands before the bar.
    at_once : bool
        Whether "auto" need not wait for a second, as the first step alone takes as long.
    """
    if progress not in ("auto", True, False):
        raise ValueError(f"progress must be 'auto', True or False, got {show(progress)}")
    from tqdm.auto import tqdm

    at_once = at_once or progress is True
    hidden = progress is False or (progress == "auto" and not is_watched())
    with tqdm(total=total, desc=name, delay=0.0 if at_once else 1.0, disable=hidden, leave=progress is True) as bar:

        def say() -> None:
            bar.delay = 0.0  # it takes longer than a second
            bar.set_description(f"{name}, compiling (once)")

        with when_compiling(say):
            yield bar
