"""``notebook-sne page``: a recorded run as one HTML file."""

import sys
from pathlib import Path

from notebook_sne.cli.errors import CommandError
from notebook_sne.engine.machine import files

__all__ = ["page"]


def page(recording, output, frames, title, live=None, p_only=False, explorer=False):
    """Write the page of a recording, beside it, elsewhere or to stdout; return the exit code.

    With `live`, the file of the objects, it is a page that computes, with `p_only` from P alone. With `explorer` it
    shows the last maps of words in place of the film.
    """
    from notebook_sne.browser.frontend.film_page import film_page
    from notebook_sne.engine.runs.recording import Recording

    source = Path(recording).expanduser()
    place = source.with_suffix(".html") if output is None else Path(output).expanduser()
    to_stdout = output == "-" or files.is_stdout(place)
    try:
        if place.resolve() == source.resolve():
            raise CommandError(f"FILE.html must be another file than the recording, got {place}")
        if not to_stdout:
            place = files.check_place(place)
        loaded = Recording.load(source)
        shows = "maps" if explorer else "map"
        plan = None if live is None else _plan(loaded, Path(live).expanduser(), "P" if p_only else None, shows)
        content = (
            _explorer(loaded, title, plan) if explorer else film_page(loaded, frames=frames, title=title, plan=plan)
        )
    except ValueError as error:  # not a recording, or too large for a page
        raise CommandError(str(error)) from None
    if to_stdout:
        sys.stdout.buffer.write(content)
        sys.stdout.flush()
    else:
        print(f"{files.write(place, content)} ({len(content) / 1e6:.1f} MB{_held(plan)})")
    return 0


def _explorer(recording, title, plan):
    """Return the page of an explorer of the last maps of a recording."""
    from types import SimpleNamespace

    from notebook_sne.browser.frontend.film_page import explorer_traits
    from notebook_sne.browser.frontend.page import page_of
    from notebook_sne.browser.widgets.explorer import Explorer
    from notebook_sne.models import family

    frames, words = recording.frames, recording.names
    if not frames:
        raise ValueError("recording must hold something to show, but nothing is recorded yet; play or step the run")
    if words is None:
        raise CommandError("--explorer needs the words; give them by recording.describe(names=...) before it is saved")
    last = frames[-1]
    kind = getattr(family.class_of(last.model), "_kernel", "gaussian")
    maps = SimpleNamespace(maps_=last.Y, mixing_=last.mixing, cost_=float(last.cost), _kernel=kind)
    more = {"model_name": last.model, "iteration": int(last.iteration)}
    if plan is not None:
        more = explorer_traits(plan, [(frame.iteration, frame.cost) for frame in frames])
    return page_of(**Explorer(maps, words, title=title)._page(None, more))


def _plan(recording, objects, data, shows):
    """Return the plan of a page that goes on from the end of a recording with the objects of a file."""
    import numpy as np
    from scipy import sparse

    from notebook_sne.browser.pages.plan import plan_of
    from notebook_sne.engine.runs.recording.standing import standing_in

    try:
        X = np.load(objects, allow_pickle=False)
    except ValueError as error:
        raise CommandError(f"OBJECTS.npy must hold an array, as numpy.save writes it, got {objects}: {error}") from None
    if not isinstance(X, np.ndarray):
        if "format" not in X:
            raise CommandError(
                f"OBJECTS.npy must hold one array, got the archive {objects}; save X alone by numpy.save"
            )
        X = sparse.csr_array(sparse.load_npz(objects))
    return plan_of(X, standing_in(recording), data, shows)


def _held(plan):
    """Say what a page holds of the data."""
    if plan is None:
        return ""
    what = "the objects" if plan.facts["data"] == "X" else "P"
    return f"; it computes, and holds {what}: who has the page has the data"
