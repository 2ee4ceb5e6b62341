"""What leaves the kernel for the views of a player, and when.

A thread of its own, the pump, looks at the run and sends frames, one float32 buffer each: the run never waits for a
viewer. At most `WINDOW` frames travel unacknowledged; when acknowledgements stall, because a cell keeps the kernel,
frames go out ever less often, within a budget; when nobody seems to be there, none do (`notebook_sne.widgets.mail`).
"""

import time

import numpy as np

from notebook_sne.frontend.film_page import axes_note
from notebook_sne.widgets.texts import as_sent

__all__ = ["Sender", "axes_note", "map_points", "pump"]

FRAME = 1 / 17  # s between frames at least: smooth enough, and a browser on the same cores leaves them to the optimizer
HIDDEN_FRAME = 1.0  # s between frames while the page's tab is hidden
BEAT = 2.0  # s between messages at most: the browser tells a silent kernel by it
QUIET_BEAT = 5.0  # s between the messages to nobody
KEEP = 2.0  # s between snapshots while the run goes on
FACTS = 0.5  # s between updates of the traits while the run goes on


def map_points(Y):
    """Return what the player shows of Y (M, N, d) as float32 (N, 2): the first map, centered, in two coordinates."""
    first = Y[0]
    points = np.zeros((first.shape[0], 2), dtype="<f4")
    points[:, : first.shape[1]] = (first - first.mean(axis=0))[:, :2]
    return points


class Sender:
    """Decides what is due and sends it; the pump's memory between two looks at the run."""

    def __init__(self):
        self.version = self.shown = self.kept_state = None
        self.kept_status: tuple = ()  # and whether something is compiled
        self.frame_at = self.beat_at = self.keep_at = self.facts_at = -1e9
        self.moment = 0
        self.error = None

    def frame_is_due(self, mail, now):
        """Return whether a frame may leave now, for what is known of the browser."""
        size = 0 if self.shown is None else self.size(self.shown)
        if mail.quiet(now) or not mail.fits(size):
            return False
        if mail.urgent:
            return True
        least = HIDDEN_FRAME if mail.hidden else FRAME
        if mail.behind():
            least = max(least, mail.wait(size, now))
        return now - self.frame_at >= least

    def attend(self, player, now):
        """Send whatever is due."""
        mail, run = player._mail, player.run
        # The mail first: what is then seen of the run is not older than the command that is confirmed with it.
        with mail.changed:
            urgent, wanted, command = mail.urgent, mail.take(), mail.command
            due, quiet = self.frame_is_due(mail, now), mail.quiet(now)
            mail.urgent = False
        look = run.look()
        state = look.state if look.state is not None else self.shown
        error = player.error
        news = look.version != self.version or error is not self.error
        turned = (look.status, look.compiling) != self.kept_status or error is not self.error
        rests = look.status not in ("compiling", "running")
        if turned and state is not None:
            due = due or (not quiet and mail.fits(self.size(state)))
        if state is not None and due and (state is not self.shown or urgent or turned):
            self.send_frame(player, look, state, command, now)
        elif urgent or turned or now - self.beat_at >= (QUIET_BEAT if quiet else BEAT):
            # To ask costs the reader a flash of the kernel's sign: only where something waits for the answer.
            self.send_beat(player, look, state, command, now, asks=turned or news or not rests or player.waits())
        if not quiet:
            self.answer(player, look, state, wanted, now)
        keep = (rests and state is not self.kept_state) or now - self.keep_at >= KEEP
        freed = player.waits() and player.may_send(now)
        if turned or freed or (news and now - self.facts_at >= FACTS) or (keep and news):
            self.set_traits(player, look, state, keep or turned or freed)
            self.facts_at = now
            if keep or turned:
                self.keep_at = now
        if not quiet:
            player.renew_still(rests, now - mail.heard_at, last=mail.closing)
        self.version, self.kept_status, self.error = look.version, (look.status, look.compiling), error

    def facts(self, player, look, state):
        """Return the values that a frame, a beat and the traits all carry."""
        message = look.message or (f"{type(player.error).__name__}: {player.error}" if player.error else "")
        message = as_sent(message)
        facts = {"moment": self.moment, "status": look.status, "message": message, "winding": look.seeking}
        facts["compiles"] = look.compiling
        facts["model_name"] = type(player.run.model).__name__
        if state is None:
            return {**facts, "iteration": None, "cost": None, "phase": ""}
        return {**facts, "iteration": int(state.iteration), "cost": float(state.cost), "phase": str(state.phase)}

    def told(self, player):
        """Return what is told only when it has changed."""
        return {}

    def answer(self, player, look, state, wanted, now):
        """Send what was asked for."""

    def size(self, state):
        """Return how many bytes a frame of this state takes."""
        return 8 * state.Y.shape[1]

    def pack(self, state):
        """Return the buffer of a frame."""
        return map_points(state.Y).tobytes()

    def send_frame(self, player, look, state, command, now):
        content = {"kind": "frame", "seq": player._mail.sent + 1, "heard": command}
        self.post(player, {**content, **self.news(player, look, state)}, [self.pack(state)], frame=True)
        self.shown, self.frame_at, self.beat_at = state, now, now

    def send_beat(self, player, look, state, command, now, asks):
        content = {"kind": "beat", "seq": player._mail.sent, "asks": asks, "heard": command}
        self.post(player, {**content, **self.news(player, look, state)}, asks=asks)
        self.beat_at = now

    def news(self, player, look, state):
        self.moment += 1
        return {**self.facts(player, look, state), **self.told(player)}

    def post(self, player, content, buffers=(), **counted):
        """Send a message, and count it."""
        with player._mail.changed:
            player._mail.count(sum(map(len, buffers)), **counted)
        player.send(content, list(buffers))

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
        del facts["winding"], facts["compiles"]
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
