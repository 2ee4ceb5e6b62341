"""The process that runs this: where it is, how many cores it may use, and its threads where it ends or is forked.

*Where it is*: in a notebook, in an app, in a terminal, or in none of them. Nothing is imported to find out: what shows
a notebook or an app is loaded already.

*Its cores*: a container may see all cores of its host and be granted the time of two; Numba counts those that it sees.
So a parallel kernel of this package uses no more threads than `usable` says, which is said to Numba before each call
and taken back after it (`parallel`). The rest of the process is the user's: neither its environment nor Numba's
settings are changed. Where Numba's threads are its own and not OpenMP's, it launches one for each core that it sees,
but those sleep.

Only a process that we start ourselves, as ``notebook-sne lab`` does its server, is given `variables` as well. A thread
of GNU's OpenMP that has nothing to do looks for work for some milliseconds before it sleeps, on a core that the next
Fourier transform, or another program, could use; with GOMP_SPINCOUNT it looks for a three-hundredth of that. OpenMP
reads this when it is loaded, and there is no other way to say it: in a process that isn't ours, it is the user's to
set. An update of t-SNE at 20,000 objects takes 6.5 ms either way where two cores are free. Where another program, such
as a browser that paints, keeps one of them busy, it takes 9 ms with it and 15 ms without.

*Its threads*: a process that ends stops its threads wherever they are, and a forked child has none of its parent's.
Code that waits for such a thread, or for a lock that it held, waits forever.
"""

import asyncio
import functools
import os
import sys
import threading
import weakref
from collections.abc import Callable
from typing import Any

__all__ = ["available", "carrier", "free_in_children", "has_kernel", "is_marimo", "is_watched", "notebook", "shell"]
__all__ += ["usable", "variables", "wait_for_end"]

_VARIABLE = "NUMBA_NUM_THREADS"


def shell() -> Any:
    """Return IPython's shell, or None."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


def has_kernel() -> bool:
    """Return whether this is IPython's kernel: that of Jupyter, Colab and VS Code."""
    return hasattr(shell(), "kernel")


def notebook() -> str:
    """Return what this kernel's notebook is known by: its path, or where its host doesn't tell, that of its folder."""
    told = os.environ.get("JPY_SESSION_NAME") or getattr(shell(), "user_ns", {}).get("__vsc_ipynb_file__")
    return str(told or os.getcwd())


def is_marimo() -> bool:
    """Return whether this is a notebook of marimo."""
    return "marimo" in sys.modules and bool(sys.modules["marimo"].running_in_notebook())


def is_watched() -> bool:
    """Return whether a reader sees standard error: in a notebook or a terminal."""
    return has_kernel() or is_marimo() or (sys.stderr is not None and sys.stderr.isatty())


def carrier() -> Callable[[Callable[[], None]], None]:
    """Return a function that makes a call, from any thread, where it reaches the page that is being built now.

    Shiny sends what a widget says in answer to its page; what another thread says has to be brought into the page's
    session, which is then flushed. All other hosts take messages from any thread.
    """
    shiny = sys.modules.get("shiny") if "shinywidgets" in sys.modules else None
    session = shiny.session.get_current_session() if shiny else None
    if shiny is None or session is None:
        return lambda call: call()
    loop, home = asyncio.get_running_loop(), threading.get_ident()

    async def answer(call: Callable[[], None]) -> None:
        with shiny.session.session_context(session):
            call()
            await shiny.reactive.flush()

    def carry(call: Callable[[], None]) -> None:
        if threading.get_ident() == home:
            call()
        elif not loop.is_closed():
            asyncio.run_coroutine_threadsafe(answer(call), loop)

    return carry


def available():
    """Return what affinity masks and control groups leave to this process, an int."""
    import joblib

    return joblib.cpu_count()


def usable():
    """Return how many threads a parallel kernel may use at most, an int."""
    import numba

    most = numba.config.NUMBA_NUM_THREADS
    return most if _VARIABLE in os.environ else min(most, _at_first())


_at_first = functools.cache(available)


def variables():
    """Return what to add to the environment of a process that we start, {name: value}: nothing that is set already."""
    more = {} if _VARIABLE in os.environ else {_VARIABLE: str(available())}
    if not {"GOMP_SPINCOUNT", "OMP_WAIT_POLICY"} & os.environ.keys():
        more["GOMP_SPINCOUNT"] = "1000"
    return more


def wait_for_end(thread, seconds):
    """Wait until a thread has ended, at most some seconds, where it can end at all.

    None, and the thread that calls this, aren't waited for. At the end of the interpreter no thread goes on, and
    Python from 3.14 on refuses to wait for one.
    """
    if thread is not None and thread is not threading.current_thread() and not sys.is_finalizing():
        thread.join(seconds)


_locks: "weakref.WeakSet" = weakref.WeakSet()


def free_in_children(lock):
    """Return a lock, which a forked child will find free, whichever thread held it."""
    _locks.add(lock)
    return lock


def _free_all():
    for lock in list(_locks):
        lock._at_fork_reinit()  # as Python does with the locks of logging and of its pools


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_free_all)
