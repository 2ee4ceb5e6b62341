"""The views of a lecture, kept for its page. This runs inside the lecture's kernel.

A page has no kernel, so it takes from each widget what the widget would need in a page of its own: traits as text, in a
file. In the notebook stands an output of our own kind in its place, which names the files. Figures of Bokeh are kept as
the JSON that its own library draws.
"""

import json
import time
import uuid
from pathlib import Path
from typing import Any, cast

import bokeh
from bokeh.embed import json_item
from bokeh.io import install_notebook_hook
from IPython.core.getipython import get_ipython
from IPython.display import publish_display_data

from notebook_sne.browser.frontend.film_page import film_view
from notebook_sne.browser.frontend.page import text_of
from notebook_sne.browser.pages.plan import plan_of
from notebook_sne.browser.widgets.compare import Comparison
from notebook_sne.browser.widgets.drawing import Drawing
from notebook_sne.browser.widgets.explorer import Explorer
from notebook_sne.browser.widgets.fallback_image import Still
from notebook_sne.browser.widgets.map_view import MapView
from notebook_sne.browser.widgets.player import Player
from notebook_sne.browser.widgets.prediction import Outcome, Outcomes, Prediction
from notebook_sne.browser.widgets.replay import Replay
from notebook_sne.engine.machine import files
from notebook_sne.engine.machine.process import wait_for_end
from notebook_sne.views.following import Live

__all__ = ["FIGURE", "OUTCOMES", "PLACE", "at_rest", "keep_views", "view_of"]

PLACE = "application/vnd.notebook-sne.place+json"
FIGURE = "application/vnd.notebook-sne.figure+json"
OUTCOMES = "application/vnd.notebook-sne.outcomes+json"
LONGEST = 30.0  # s that a page waits for a run that computes, so that it holds all of the run
PREPARING = 300.0  # s that it waits in all, compiling included
FRAMES = 100
BUSY = ("compiling", "running")


def keep_views(folder: str) -> None:
    """Keep what this kernel shows in files in a folder, from now on; the output in their place names them."""
    kept: list[tuple[str, Any]] = []

    def place(widget: Any) -> dict[str, Any]:
        shown = list(widget.players.items()) if isinstance(widget, Comparison) else [("", widget)]
        views = []
        for heading, view in shown:
            name = uuid.uuid4().hex
            kept.append((name, view))
            views.append({"name": name, "heading": heading})
        return {PLACE: {"views": views}, "text/html": widget._still_html(), "text/plain": widget._still_text()}

    def write(*_: Any) -> None:
        while kept:
            name, widget = kept.pop(0)
            try:
                view = view_of(widget)
                if isinstance(widget, Player):
                    _catch_up(widget)
                if view["kind"] != "prediction":
                    view["still"] = widget._still_html()  # for paper
            except Exception as error:  # the shell would print it here, where nobody reads it; the page says it
                view = {"kind": "none", "text": "{}", "why": f"{type(error).__name__}: {error}"}
            files.write(Path(folder) / f"{name}.json", json.dumps(view).encode())

    def found(outcomes: list[Outcome], table: bool) -> dict[str, Any]:
        """The results that a page shows after a prediction, by the keys of the questions."""
        asked = [(one._prediction, one.found) for one in outcomes]
        told = [{"key": one.key, "question": one.question, "truth": one.truth, "found": words} for one, words in asked]
        return {OUTCOMES: {"outcomes": told, "table": table}, "text/plain": "What was found"}

    def show_figure(figure: Any, *_: Any) -> None:
        publish_display_data({FIGURE: json_item(figure), "text/plain": "A figure"})

    Live._repr_mimebundle_ = lambda self, **_: {FIGURE: at_rest(self), "text/plain": "A figure"}  # type: ignore[method-assign]
    Still._ipython_display_ = lambda self: publish_display_data(place(self))  # type: ignore[method-assign]
    Still._repr_mimebundle_ = lambda self, **_: place(self)  # type: ignore[method-assign]
    Outcome._publish = lambda self: publish_display_data(found([self], False))  # type: ignore[method-assign]
    Outcomes._repr_mimebundle_ = lambda self, **_: found(self.outcomes, True)  # type: ignore[attr-defined]
    for host in ("jupyter", "notebook_sne"):
        install_notebook_hook(host, lambda *_: None, show_figure, show_figure, overwrite=True)
    shell = get_ipython()
    if shell is not None:
        shell.events.register("post_run_cell", write)


def at_rest(live: Live) -> dict[str, Any]:
    """Return figures that follow a run as they are when it rests, as the JSON that Bokeh's library draws."""
    run, feed = live._run, cast(Any, live._feed)
    live._begin()
    _rest(run)
    if run is not None:
        feed.put(run.state)
    feed.end()  # it draws what is latest, and keeps it
    wait_for_end(live._thread, LONGEST)
    document = json.loads(feed.screen.document)
    return {"target_id": None, "root_id": document["roots"][0]["id"], "doc": document, "version": bokeh.__version__}


def view_of(widget: Any) -> dict[str, str]:
    """Return what a page needs of a widget: Player, Replay, Explorer, Drawing or Prediction.

    ``kind``: live, film, live explorer, explorer, drawing or prediction; ``text``: its traits; ``why``: why a run does
    not go on in the page, empty where it does.
    """
    if isinstance(widget, Player):
        return _run_of(widget)
    if isinstance(widget, Replay):
        _, traits, _ = film_view(widget.recording, frames=FRAMES)
        return {"kind": "film", "text": text_of(traits | _chosen(widget)), "why": ""}
    if isinstance(widget, Explorer):
        return _fit_of(widget)
    if isinstance(widget, Drawing):
        return {"kind": "drawing", "text": text_of(widget.page_traits()), "why": ""}
    assert isinstance(widget, Prediction)
    names = ("key", "question", "options", "bounds", "unit", "places", "axis_names", "value", "truth")
    return {"kind": "prediction", "text": text_of({name: getattr(widget, name) for name in names}), "why": ""}


def _fit_of(explorer: Explorer) -> dict[str, str]:
    run = explorer.run
    if run is not None and run.status == "idle":
        run.play()  # which waits for the reader in a notebook; a page shows the maps, and their reader may restart
    _rest(run)
    why = ""
    try:
        parts = explorer.page_parts(live=True)
    except ValueError as error:
        parts, why = explorer.page_parts(), _reason(error)
    traits = {**parts["traits"], "key": explorer.key}
    traits.pop("kernels", None)
    return {"kind": parts["kind"], "text": text_of(traits), "why": why}


def _run_of(player: Player) -> dict[str, str]:
    _rest(player.run)
    recording, why = player.describe(), ""
    try:
        plan = plan_of(player.run.X, player.run._worker.standing(), None)
    except ValueError as error:
        plan, why = None, _reason(error)
    kind, traits, _ = film_view(recording, frames=FRAMES, plan=plan)
    traits.pop("kernels", None)  # a page of several views holds them once
    return {"kind": kind, "text": text_of(traits | _chosen(player)), "why": why}


def _catch_up(player: Player) -> None:
    """Wait until a view shows where its run rests: a thread of its own tells it, a moment later."""
    began = time.monotonic()
    while player.run.state is not None and time.monotonic() - began < LONGEST:
        if player.snapshot and player.iteration == player.run.state.iteration and player.status == player.run.status:
            break
        time.sleep(0.05)


def _reason(error: ValueError) -> str:
    """Return why a page does not compute, without the argument and the way out, which are for who writes Python."""
    said = str(error).partition("; ")[0]
    return said.removeprefix("live=True needs a model that a page can compute, but ").replace("live=True", "a page", 1)


def _chosen(view: MapView) -> dict[str, Any]:
    """Return the key of a view, by which a page tells it from others, and what the lecture chose."""
    chosen = {name: getattr(view, name) for name in ("key", "title", "height")} | view._chosen()
    if chosen["controls"] == "few":
        chosen["controls"] = "bare"  # a reader has the text beside it, and all controls behind one button
    return chosen | {"compact": False, "from_start": True}  # slim bars are for slides, and hold more than Play


def _rest(run: Any) -> None:
    """Wait until a run rests; one that takes too long is paused: no page begins to move by itself."""
    began = computes = time.monotonic()
    while run is not None and (run.state is None or run.status in BUSY):
        now = time.monotonic()
        if run.status == "compiling":
            computes = now  # a busy machine that prepares is no run without an end
        if now - computes > LONGEST or now - began > PREPARING:
            break
        time.sleep(0.05)
    if run is not None and run.status in BUSY:
        run.pause()
        run.wait()
