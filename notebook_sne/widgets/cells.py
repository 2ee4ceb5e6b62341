"""Which cell made which player: running a cell again closes the players that it made before.

JupyterLab and Notebook 7 tell the kernel the id of the cell they execute. Elsewhere nothing is superseded: a player
then ends by ``close()``.
"""

import sys
import threading
import weakref

__all__ = ["supersede"]

_lock = threading.Lock()
_made: dict[str, tuple[str, list]] = {}  # cell: (id of the request that ran it, weak references to its players)


def present_cell():
    """Return (cell id, id of the request that runs it), or None outside a cell that has an id."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    get_parent = getattr(shell, "get_parent", None)  # plain IPython has none
    parent = get_parent() if get_parent else {}
    cell = (parent.get("metadata") or {}).get("cellId")
    request = (parent.get("header") or {}).get("msg_id")
    return (cell, request) if cell and request else None


def supersede(player):
    """Discard the players of the present cell's earlier executions and remember this one."""
    here = present_cell()
    if here is None:
        return
    cell, request = here
    with _lock:
        before, players = _made.get(cell, (request, []))
        old = players if before != request else []
        _made[cell] = (request, [weakref.ref(player)] if before != request else [*players, weakref.ref(player)])
    for reference in old:
        if (gone := reference()) is not None:
            gone.discard()
