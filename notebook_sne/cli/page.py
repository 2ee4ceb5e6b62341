"""``notebook-sne page``: a recorded run as one HTML file."""

import sys
from pathlib import Path

from notebook_sne import files
from notebook_sne.cli.errors import CommandError

__all__ = ["page"]


def page(recording, output, frames, title, live=None, p_only=False):
    """Write the page of a recording, beside it, elsewhere or to stdout; return the exit code.

    With `live`, the file of the objects, it is a page that computes, with `p_only` from P alone.
    """
    from notebook_sne.frontend.film_page import film_page
    from notebook_sne.runs.recording import Recording

    source = Path(recording).expanduser()
    place = source.with_suffix(".html") if output is None else Path(output).expanduser()
    to_stdout = output == "-" or files.is_stdout(place)
    try:
        if place.resolve() == source.resolve():
            raise CommandError(f"FILE.html must be another file than the recording, got {place}")
        if not to_stdout:
            place = files.check_place(place)
        loaded = Recording.load(source)
        plan = None if live is None else _plan(loaded, Path(live).expanduser(), "P" if p_only else None)
        content = film_page(loaded, frames=frames, title=title, plan=plan)
    except ValueError as error:  # not a recording, or too large for a page
        raise CommandError(str(error)) from None
    if to_stdout:
        sys.stdout.buffer.write(content)
        sys.stdout.flush()
    else:
        print(f"{files.write(place, content)} ({len(content) / 1e6:.1f} MB{_held(plan)})")
    return 0


def _plan(recording, objects, data):
    """Return the plan of a page that goes on from the end of a recording with the objects of a file."""
    import numpy as np

    from notebook_sne.runs.plan.plan import plan_of
    from notebook_sne.runs.plan.standing import standing_in

    try:
        X = np.load(objects, allow_pickle=False)
    except ValueError as error:
        raise CommandError(f"OBJECTS.npy must hold an array, as numpy.save writes it, got {objects}: {error}") from None
    if not isinstance(X, np.ndarray):
        raise CommandError(f"OBJECTS.npy must hold one array, got the archive {objects}; save X alone by numpy.save")
    return plan_of(X, standing_in(recording), data)


def _held(plan):
    """Say what a page holds of the data."""
    if plan is None:
        return ""
    what = "the objects" if plan.facts["data"] == "X" else "P"
    return f"; it computes, and holds {what}: who has the page has the data"
