"""Which cell made which player, and whether a cell runs now.

Running a cell again closes the players that it made before. JupyterLab and Notebook 7 send the kernel the id of the
cell they execute. Elsewhere no earlier player is closed: a player then ends by ``close()``.
"""

import re
import threading
import weakref

from notebook_sne.engine.machine.process import free_in_children, shell

__all__ = ["asked_by_program", "listens", "supersede", "watch_cells"]

_OF_CLIENT = re.compile(r".*_\d+_\d+")
_lock = free_in_children(threading.Lock())
_cell_runs = None  # whether a cell runs; None where that is not known
_made: dict[str, tuple[str, list]] = {}  # cell: (id of the request that ran it, weak references to its players)


def _shell_and_request():
    """Return IPython's shell and the request that it answers, or None and an empty one."""
    get_parent = getattr(shell(), "get_parent", None)  # plain IPython has none
    return shell(), get_parent() if get_parent else {}


def asked_by_program():
    """Return whether the present cell is run without a page, as by nbconvert or papermill, and no map can follow later.

    Both run cells by jupyter_client, which numbers its requests by process; pages of all hosts give them a UUID.
    """
    _, request = _shell_and_request()
    return bool(_OF_CLIENT.fullmatch((request.get("header") or {}).get("msg_id", "")))


def watch_cells():
    """Note from now on when a cell begins and ends, where IPython has events for that."""
    here, request = _shell_and_request()
    if request and _cell_runs is None and hasattr(here, "events"):
        _note(runs=(request.get("header") or {}).get("msg_type") == "execute_request")
        here.events.register("pre_run_cell", lambda *_: _note(runs=True))
        here.events.register("post_run_cell", lambda *_: _note(runs=False))


def _note(runs):
    global _cell_runs
    _cell_runs = runs


def listens():
    """Return whether the kernel takes messages now: not while a cell runs, and False where that isn't known."""
    return _cell_runs is False


def current_cell():
    """Return (cell id, id of the request that runs it), or None outside a cell that has an id."""
    _, parent = _shell_and_request()
    cell = (parent.get("metadata") or {}).get("cellId")
    request = (parent.get("header") or {}).get("msg_id")
    return (cell, request) if cell and request else None


def supersede(player):
    """Discard the players of the present cell's earlier executions and remember this one."""
    here = current_cell()
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
