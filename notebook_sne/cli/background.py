"""Compiling in the background: while JupyterLab starts, so that the first cell finds compiled code.

`start` is for ``notebook-sne lab``; the process that it starts runs this module, with the lowest priority and no
output, and ends at once where everything is compiled already or nothing can be kept. A notebook that needs a function
which isn't compiled yet compiles it itself (`notebook_sne.engine.machine.compiled`).
"""

import os
import subprocess
import sys

__all__ = ["start"]


def start():
    """Start to compile in a process of its own, a Popen: it belongs to the same terminal, and ends with it."""
    one = dict.fromkeys(("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.IDLE_PRIORITY_CLASS | subprocess.CREATE_NO_WINDOW
    return subprocess.Popen(
        [sys.executable, "-m", __name__],
        env={**os.environ, **one},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        creationflags=flags,
    )


def _compile():
    if hasattr(os, "nice"):
        os.nice(19)
    from notebook_sne.engine.machine.compiled import can_keep, find_mark

    if find_mark("warm") or not can_keep():
        return
    from notebook_sne.cli.warm import warm

    for _ in warm():
        pass


if __name__ == "__main__":
    _compile()
