"""A map that a class follows: what phones are sent of a player's run, by a thread of its own.

The run is read as a player's sender reads it, and never waits. Phones get whole numbers of 16 bits, and as many
pictures as their network takes (`notebook_sne.browser.teaching.broadcast`), whatever the lecturer's own view is sent.
"""

from __future__ import annotations

import threading
import time
import uuid
from typing import Any

import numpy as np

from notebook_sne.browser.frontend.film import pack_film
from notebook_sne.browser.frontend.film_page import film_view
from notebook_sne.browser.frontend.page import page_of, text_of
from notebook_sne.browser.pages.plan import plan_of
from notebook_sne.browser.teaching.broadcast import Broadcast
from notebook_sne.browser.widgets.answers import PlayerSender, knob_controls
from notebook_sne.browser.widgets.map_view import CHOSEN, MapView
from notebook_sne.browser.widgets.player import Player
from notebook_sne.browser.widgets.sender import axes_note, pack_map, snapshot_of
from notebook_sne.engine.machine.process import wait_for_end
from notebook_sne.engine.objects.traits import pack_images

__all__ = ["Audience"]

FRAMES, FILM_BYTES = 60, 400_000  # of the film so far, with which a phone begins
MOST_IMAGES = 3_000_000  # bytes
MOST_COSTS = 200  # of the curve that a lecturer's screen shows
ALONE_FOR = 10.0  # s for which a page to go on with is handed out again
_KERNELS_OWN = {"key", "film", "snapshot", "trace", "live", "images", "image_size", "has_images", "reads_queries"}


class Audience:
    """Feeds a `Broadcast` from a `Player`, until `close`."""

    def __init__(self, player: Player, number: int) -> None:
        self.player = player
        self.broadcast = Broadcast(number, self._begin, self._page, self._obey)
        self._sender = PlayerSender()
        self._shown: Any = None
        self._status: Any = None
        self._controls: tuple[Any, ...] = ()
        self._frame_at = -1e9
        self._alone: tuple[float, bytes] = (-1e9, b"")
        self._making = threading.Lock()
        self._over = threading.Event()
        player.observe(self._chosen, list(CHOSEN))
        self._thread = threading.Thread(target=self._follow, name="notebook_sne audience", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End it; phones keep the last picture until they are told what comes next."""
        self._over.set()
        self.player.unobserve(self._chosen, list(CHOSEN))
        wait_for_end(self._thread, 1)

    # ---- the run ----

    def costs(self) -> list[list[float]]:
        """Return some iterations of the run, and their costs."""
        trace = self.player.run.trace
        iterations, costs = (values[np.isfinite(trace.costs)] for values in trace)
        some = np.unique(np.linspace(0, len(costs) - 1, MOST_COSTS).astype(int))
        return [values[some].tolist() for values in (iterations, costs)] if len(costs) else []

    def _follow(self) -> None:
        while not self._over.is_set():
            try:
                self._look(time.monotonic())
            except Exception:  # of a run that has just changed to another model: the next look finds it whole
                self._over.wait(0.5)
            self._over.wait(1 / 30 if self.player.run.status == "running" else 0.1)

    def _look(self, now: float) -> None:
        run, sender, broadcast = self.player.run, self._sender, self.broadcast
        snapshot = run.look()
        state = snapshot.state
        if state is None or not broadcast.followers:
            self._shown = None  # whoever comes first gets the present picture
            return
        controls = (run.model, tuple(state.knobs))
        if controls != self._controls:
            self._controls = controls
            broadcast.note({"knobs": knob_controls(state, self.player.n_objects)})
        turned = snapshot.status != self._status
        if not turned and (state is self._shown or now - self._frame_at < broadcast.interval):
            return
        how, packed = pack_map(state.Y, state.pins)
        facts = sender.facts(self.player, snapshot, state) | {"message": "", "heard": "", "moment": self._moment()}
        broadcast.put({**how, **facts, **sender.changes(self.player)}, [packed])
        self._shown, self._status, self._frame_at = state, snapshot.status, now

    def _moment(self) -> int:
        self._sender.moment += 1
        return self._sender.moment

    def _chosen(self, change: Any) -> None:
        """Pass on what the lecturer chooses to show."""
        if change["name"] not in ("controls", "compact", "main_knobs"):
            self.broadcast.note({change["name"]: change["new"]})

    def _obey(self, content: dict[str, Any]) -> None:
        self.player._run_command(content, [])

    # ---- what a phone begins with ----

    def _begin(self) -> str:
        player, run = self.player, self.player.run
        snapshot = run.look()
        state = snapshot.state
        names = [name for name in MapView.class_trait_names(sync=True) if not name.startswith("_")]
        traits = {name: value for name, value in player.get_state(names).items() if name in names}
        own = {name: value for name, value in traits.items() if name not in _KERNELS_OWN and name != "layout"}
        given = None if player.images_of_objects is None else player.images_of_objects.given
        light = given is not None and given.size <= MOST_IMAGES
        images = pack_images(given if light else None, player.n_objects)
        shown: dict[str, Any] = {}
        if state is not None:
            trace = run.trace
            shown = {
                **self._sender.facts(player, snapshot, state),
                **snapshot_of(state),
                "trace": np.column_stack([trace.iterations, trace.costs]).astype("<f8").tobytes(),
                "axes_note": axes_note(state.Y),
                "knobs": knob_controls(state, player.n_objects),
                "marks": [mark._asdict() for mark in run._recording.marks],
                "film": pack_film(run._recording, most_frames=FRAMES, most_bytes=FILM_BYTES),
            }
            shown.pop("seeking")
        told = own | shown | images
        told |= {"key": uuid.uuid4().hex, "live": True, "controls": "bare", "compact": False, "message": ""}
        return text_of(told | {"reads_queries": False, "models": [], "spring_of": None, "moment": 0})

    def _page(self) -> bytes:
        """Return a page that goes on from here; a ValueError, for the reader, if a page cannot."""
        with self._making:
            made_at, page = self._alone
            if time.monotonic() - made_at < ALONE_FOR:
                return page
            player = self.player
            plan = plan_of(player.run.X, player.run._worker.standing(), None)
            kind, traits, _ = film_view(player.describe(), frames=FRAMES, plan=plan)
            traits |= player._chosen() | {"title": player.title, "height": player.height}
            page = page_of(kind=kind, traits=traits, title=player.title or "notebook_sne")
            self._alone = (time.monotonic(), page)
            return page
