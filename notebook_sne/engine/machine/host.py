"""Where this process runs: in a notebook, in an app, in a terminal, or in none of them.

Nothing is imported to find out: what shows a notebook or an app is loaded already.
"""

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from typing import Any

__all__ = ["carrier", "has_kernel", "is_marimo", "is_watched", "notebook", "shell"]


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
