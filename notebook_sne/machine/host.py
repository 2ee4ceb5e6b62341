"""Where this process runs: in a notebook, in a terminal, or in neither.

Nothing is imported to find out: what shows a notebook is loaded already.
"""

import sys
from typing import Any

__all__ = ["has_kernel", "is_marimo", "is_watched", "shell"]


def shell() -> Any:
    """Return IPython's shell, or None."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


def has_kernel() -> bool:
    """Return whether this is IPython's kernel: that of Jupyter, Colab and VS Code."""
    return hasattr(shell(), "kernel")


def is_marimo() -> bool:
    """Return whether this is a notebook of marimo."""
    return "marimo" in sys.modules and bool(sys.modules["marimo"].running_in_notebook())


def is_watched() -> bool:
    """Return whether a reader sees standard error: in a notebook or a terminal."""
    return has_kernel() or is_marimo() or (sys.stderr is not None and sys.stderr.isatty())
