"""What leaves the kernel for the views of a player, and when.

A thread of its own, the pump, looks at the run and sends frames, one float32 buffer each: the run never waits for a
viewer. At most `WINDOW` frames travel unacknowledged; when acknowledgements stall, because a cell keeps the kernel or
nobody looks, frames go out on a lease that grows with the silence.
"""

import threading
import time
from typing import NamedTuple

import numpy as np

from notebook_sne.runs.page import axes_note

__all__ = ["WINDOW", "Mail", "axes_note", "lease", "map_points", "pump"]

FRAME = 1 / 17  # s between frames at least: smooth enough, and a browser on the same cores leaves them to the optimiser
HIDDEN_FRAME = 1.0  # s between frames while the page's tab is hidden
WINDOW = 14  # frames that may be under way unacknowledged: the browser reports twice a second
MOST_NEIGHBOURS = 3  # objects whose neighbours are searched before the next look at the run
BEAT = 2.0  # s between messages at most: the browser tells a silent kernel by it
KEEP = 2.0  # s between snapshots while the run goes on
FACTS = 0.5  # s between updates of the traits while the run goes on


def lease(silence):
    """Return the seconds between unacknowledged frames, by the seconds since the browser was last heard."""
    return 0.15 if silence < 60 else 1.0 if silence < 600 else 5.0


def map_points(Y):
    """Return what the player shows of Y (M, N, d) as float32 (N, 2): the first map, centred, in two coordinates."""
    first = Y[0]
    points = np.zeros((first.shape[0], 2), dtype="<f4")
    points[:, : first.shape[1]] = (first - first.mean(axis=0))[:, :2]
    return points


class Mail:
    """What the pump is told, under one lock: what was heard from the browser and what it asks for."""

    def __init__(self):
        self.changed = threading.Condition()
        self.heard_at = time.monotonic()
        self.sent = self.acknowledged = 0
        self.present = True  # until the last page says goodbye: a busy kernel hears no greeting
        self.pages: set[str] = set()
        self.hidden = self.urgent = self.closing = False
        self.wanted_images: set[int] = set()
        self.wanted_neighbours: set[int] = set()
        self.wants_film = self.greeted = False
        self.command = ""

    def greet(self, page):
        self.pages.add(page)
        self.present = self.urgent = self.greeted = True

    def part(self, page):
        """Say goodbye to a page; another one may still look."""
        self.pages.discard(page)
        self.present = bool(self.pages)

    def wants(self):
        """Tell whether an answer is waited for."""
        return bool(self.wanted_images or self.wanted_neighbours or self.wants_film or self.greeted)

    def take(self):
        """Return what is asked for, as Wanted, and forget it."""
        few = sorted(self.wanted_neighbours)[:MOST_NEIGHBOURS]
        wanted = Wanted(sorted(self.wanted_images), few, self.wants_film, self.greeted)
        self.wanted_images, self.wants_film, self.greeted = set(), False, False
        self.wanted_neighbours.difference_update(few)
        return wanted


class Wanted(NamedTuple):
    """What a view has asked for."""

    images: list[int]
    neighbours: list[int]
    film: bool
    greeted: bool
    """Whether a view is new: it knows only what the traits say."""


class Sender:
    """Decides what is due and sends it; the pump's memory between two looks at the run."""

    def __init__(self):
        self.version = self.shown = self.kept_state = None
        self.kept_status = ""
        self.frame_at = self.beat_at = self.keep_at = self.facts_at = -1e9
        self.moment = 0
        self.error = None

    def frame_is_due(self, mail, now):
        """Return whether a frame may leave now, for what is known of the browser."""
        waited = now - self.frame_at
        if mail.urgent:
            return True
        if not mail.present:
            return waited >= lease(1e9)
        least = HIDDEN_FRAME if mail.hidden else FRAME
        if mail.sent - mail.acknowledged >= WINDOW:
            least = max(least, lease(now - mail.heard_at))
        return waited >= least

    def attend(self, player, now):
        """Send whatever is due."""
        mail, run = player._mail, player.run
        # The mail first: what is then seen of the run is not older than the command that is confirmed with it.
        with mail.changed:
            urgent, wanted, command = mail.urgent, mail.take(), mail.command
            due = self.frame_is_due(mail, now)
            mail.urgent = False
        look = run.look()
        state = look.state if look.state is not None else self.shown
        error = player.error
        news = look.version != self.version or error is not self.error
        turned = look.status != self.kept_status or error is not self.error
        rests = look.status not in ("compiling", "running")
        if state is not None and (due or turned) and (state is not self.shown or urgent):
            self.send_frame(player, look, state, command, now)
        elif urgent or turned or now - self.beat_at >= BEAT:
            self.moment += 1
            player.send({"kind": "beat", "heard": command, **self.facts(player, look, state), **self.told(player)})
            self.beat_at = now
        self.answer(player, look, state, wanted, now)
        keep = (rests and state is not self.kept_state) or now - self.keep_at >= KEEP
        if turned or (news and now - self.facts_at >= FACTS) or (keep and news):
            self.set_traits(player, look, state, keep or turned)
            self.facts_at = now
            if keep or turned:
                self.keep_at = now
        self.version, self.kept_status, self.error = look.version, look.status, error

    def facts(self, player, look, state):
        """Return the values that a frame, a beat and the traits all carry."""
        message = look.message or (f"{type(player.error).__name__}: {player.error}" if player.error else "")
        facts = {"moment": self.moment, "status": look.status, "message": message, "winding": look.winding}
        facts["model_name"] = type(player.run.model).__name__
        if state is None:
            return {**facts, "iteration": None, "cost": None, "phase": ""}
        return {**facts, "iteration": int(state.iteration), "cost": float(state.cost), "phase": str(state.phase)}

    def told(self, player):
        """Return what is told only when it has changed."""
        return {}

    def answer(self, player, look, state, wanted, now):
        """Send what was asked for."""

    def send_frame(self, player, look, state, command, now):
        self.moment += 1
        with player._mail.changed:
            player._mail.sent += 1
            seq = player._mail.sent
        content = {"kind": "frame", "seq": seq, "heard": command, **self.facts(player, look, state)}
        content.update(self.told(player))
        player.send(content, [map_points(state.Y).tobytes()])
        self.shown, self.frame_at, self.beat_at = state, now, now

    def set_traits(self, player, look, state, keep):
        """Write the traits, in one message."""
        self.moment += 1
        facts = self.facts(player, look, state)
        if keep and state is not None:
            trace = player.run.trace
            facts["trace"] = np.column_stack([trace.iterations, trace.costs]).astype("<f4").tobytes()
            facts["snapshot"] = map_points(state.Y).tobytes()
            facts["axes_note"] = axes_note(state.Y)
            self.kept_state = state
        facts.pop("winding")
        with player.hold_sync():
            for name, value in facts.items():
                setattr(player, name, value)


def pump(reference, make=Sender):
    """Look at the run 17 times a second at most and send what is due, until the player closes. A thread's body."""
    sender = make()
    while (player := reference()) is not None:
        mail, now = player._mail, time.monotonic()
        closing = mail.closing
        try:
            sender.attend(player, now)
        except Exception as error:
            player.error = error
        if closing:
            return
        pause = FRAME if player.run.status in ("compiling", "running") else 0.1
        del player
        with mail.changed:
            mail.changed.wait_for(lambda mail=mail: mail.urgent or mail.closing or mail.wants(), pause)
