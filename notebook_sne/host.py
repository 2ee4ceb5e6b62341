"""Where this process is looked at from: a notebook, a terminal, or nowhere.

Nothing is imported for it: what shows a notebook has been loaded by then.
"""

import sys
from typing import Any

__all__ = ["has_kernel", "is_marimo", "is_watched", "shell"]


def shell() -> Any:
    """Return IPython's shell, or None."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


def has_kernel() -> bool:
    """Tell whether this is IPython's kernel: Jupyter's, Colab's and VS Code's alike."""
    return hasattr(shell(), "kernel")


def is_marimo() -> bool:
    """Tell whether this is a notebook of marimo."""
    return "marimo" in sys.modules and bool(sys.modules["marimo"].running_in_notebook())


def is_watched() -> bool:
    """Tell whether somebody sees what goes to standard error: in a notebook, or a terminal."""
    return has_kernel() or is_marimo() or (sys.stderr is not None and sys.stderr.isatty())
