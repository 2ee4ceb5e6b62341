"""The messages that the kernel sends to the views of a player, and their times.

A thread of its own reads the run and sends frames, one buffer each: the run never waits for a viewer. At most
`WINDOW` frames travel unacknowledged; when acknowledgements stall, because a cell keeps the kernel busy, frames are
sent less and less often, within a budget; when no page seems to be open, none are sent
(`notebook_sne.browser.widgets.connection`).
"""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

import numpy as np

from notebook_sne.browser.frontend.film import centered, pins_in_view
from notebook_sne.browser.frontend.film_page import axes_note
from notebook_sne.browser.widgets.connection import Connection, Wanted
from notebook_sne.browser.widgets.texts import as_sent
from notebook_sne.engine.fitting.state import NO_PINS, State
from notebook_sne.engine.runs.run import Run
from notebook_sne.engine.runs.snapshot import Snapshot

__all__ = ["Sender", "ViewHost", "axes_note", "map_points", "pack_map", "send_updates", "snapshot_of"]

FRAME = 1 / 17  # least s between frames: smooth enough, and leaves processor time to an optimizer on the same cores
HIDDEN_FRAME = 1.0  # s between frames while nobody sees the view
HEARTBEAT = 1.5  # most s between messages, twice that of a run at rest: after 7 s the browser takes the kernel for gone
QUIET_HEARTBEAT = 5.0  # the same while no page seems to be open
BLOCK = 16_384  # coordinates that are packed at a time
KEEP = 2.0  # s between snapshots while the run goes on, at least
KEPT = 400_000  # bytes of a frame for each second between them: those of very many objects give way to frames
FACTS = 1.0  # s between updates of the traits while the run goes on


def map_points(Y: np.ndarray, pins: np.ndarray = NO_PINS) -> np.ndarray:
    """Return what the player shows of Y (M, N, d) as float32 (N, 2): the first map, in two coordinates.

    It is centered, but where `pins` of a State hold objects there, which stand still.
    """
    first = Y[0]
    points = np.zeros((first.shape[0], 2), dtype="<f4")
    points[:, : first.shape[1]] = centered(first, pins_in_view(pins))[:, :2]
    return points


def pack_map(Y: np.ndarray, pins: np.ndarray = NO_PINS) -> tuple[dict[str, Any], bytes]:
    """Return what the player shows of Y (M, N, d) as a buffer, and what a message must say of it.

    It holds 16-bit integers q, half as many bytes as in single precision: a coordinate is q times ``step``, the width
    of the map divided by some 65,000.
    """
    if Y.shape[2] < 2:
        return {}, map_points(Y, pins).tobytes()
    columns = [Y[0, :, k] for k in range(2)]
    middle = np.array([0.0 if len(pins_in_view(pins)) else column.mean() for column in columns])
    ends = [end(column) - x for column, x in zip(columns, middle, strict=True) for end in (np.min, np.max)]
    half = max(map(abs, ends)) or 32767.0
    if not np.isfinite(half):
        return {}, map_points(Y, pins).tobytes()
    # In blocks that a processor's cache holds: a million points in 8 ms, and in 46 ms array by array.
    flat = np.ascontiguousarray(Y[0, :, :2]).reshape(-1)
    middles, room, packed = np.tile(middle, BLOCK // 2), np.empty(BLOCK), np.empty(len(flat), "<i2")
    for begin in range(0, len(flat), BLOCK):
        block = flat[begin : begin + BLOCK]
        whole = np.subtract(block, middles[: len(block)], out=room[: len(block)])
        whole *= 32767 / half
        np.copyto(packed[begin : begin + BLOCK], np.rint(whole, out=whole), casting="unsafe")
    return {"step": float(half / 32767)}, packed.tobytes()


def snapshot_of(state: State) -> dict[str, Any]:
    """Return the traits that hold the map of a state."""
    picture, packed = pack_map(state.Y, state.pins)
    return {"snapshot": packed, "snapshot_step": picture.get("step")}


class ViewHost(Protocol):
    """The requirements of a sender on the widget whose views it feeds: a player, or an explorer of a running fit."""

    run: Run
    error: Exception | None
    """What went wrong in the widget itself, to be shown in its views."""
    _connection: Connection

    def send(self, content: dict[str, Any], buffers: Sequence[bytes]) -> None:
        """Send a message to all pages."""

    def hold_sync(self) -> AbstractContextManager[None]:
        """Gather the traits that are set inside into one message."""

    def waits(self) -> bool:
        """Return whether a trait that was set waits to be sent."""

    def may_send(self, now: float) -> bool:
        """Return whether the waiting traits may be sent now."""

    def send_since(self, moment: int) -> None:
        """Send the traits that a page with those of this moment may lack."""

    def renew_still(self, rests: bool, silence: float, last: bool) -> None:
        """Draw the still picture of a saved notebook anew, if it is time to."""


class Sender:
    """Decides what is due and sends it; keeps what was sent last."""

    def __init__(self) -> None:
        self.version: int | None = None
        self.shown: State | None = None
        self.kept_state: State | None = None
        self.kept_status: tuple[str, bool] | None = None  # and whether something is compiled
        self.frame_at = self.heartbeat_at = self.keep_at = self.facts_at = -1e9
        self.moment = 0
        self.error: Exception | None = None

    def frame_is_due(self, connection: Connection, now: float) -> bool:
        """Return whether a frame may be sent now, by what is known of the browser."""
        size = 0 if self.shown is None else self.size(self.shown)
        if connection.quiet(now) or not connection.fits(size):
            return False
        if connection.urgent:
            return True
        waits = connection.wait(size, now) if connection.behind() else 0.0
        return now - self.frame_at >= max(HIDDEN_FRAME if connection.hidden else FRAME, waits)

    def send_due(self, player: ViewHost, now: float) -> None:
        """Send whatever is due."""
        connection, run = player._connection, player.run
        # The connection first: the state read after it is not older than the command that is confirmed with it.
        with connection.changed:
            urgent, wanted, command = connection.urgent, connection.take(), connection.command
            due, quiet = self.frame_is_due(connection, now), connection.quiet(now)
            connection.urgent = False
        snapshot = run.look()
        state = snapshot.state if snapshot.state is not None else self.shown
        error = player.error
        news = snapshot.version != self.version or error is not self.error
        turned = (snapshot.status, snapshot.compiling) != self.kept_status or error is not self.error
        rests = snapshot.status not in ("compiling", "running")
        beat = QUIET_HEARTBEAT if quiet else HEARTBEAT * (2 if rests else 1)
        if turned and state is not None:
            due = due or (not quiet and connection.fits(self.size(state)))
        if state is not None and due and (state is not self.shown or urgent or turned):
            self.send_frame(player, snapshot, state, command, now)
        elif urgent or turned or now - self.heartbeat_at >= beat:
            # An answer makes the kernel's busy sign flash: ask only where something waits for the answer.
            waits = player.waits() or self.answers_follow() or (urgent and quiet)
            self.send_heartbeat(player, snapshot, state, command, now, wants_ack=turned or news or not rests or waits)
        if not quiet:
            if wanted.new_page is not None:
                player.send_since(wanted.new_page)
            self.answer(player, snapshot, state, wanted, now)
        least = KEEP if state is None else max(KEEP, self.size(state) / KEPT)
        first = state is not None and self.kept_state is None
        keep = first or (rests and state is not self.kept_state) or now - self.keep_at >= least
        freed = player.waits() and player.may_send(now)
        if turned or freed or (news and now - self.facts_at >= FACTS) or (keep and news):
            self.set_traits(player, snapshot, state, keep or turned or freed)
            self.facts_at = now
            if keep or turned:
                self.keep_at = now
        if not quiet:
            player.renew_still(rests, now - connection.last_message_at, last=connection.closing)
        self.version, self.kept_status, self.error = snapshot.version, (snapshot.status, snapshot.compiling), error

    def facts(self, player: ViewHost, snapshot: Snapshot, state: State | None) -> dict[str, Any]:
        """Return the values that frames, heartbeats and the traits all carry."""
        message = snapshot.message or (f"{type(player.error).__name__}: {player.error}" if player.error else "")
        message = as_sent(message)
        facts = {"moment": self.moment, "status": snapshot.status, "message": message, "seeking": snapshot.seeking}
        facts["compiles"] = snapshot.compiling
        facts["model_name"] = type(player.run.model).__name__
        if state is None:
            return {**facts, "iteration": None, "cost": None, "phase": ""}
        return {**facts, "iteration": int(state.iteration), "cost": float(state.cost), "phase": str(state.phase)}

    def changes(self, player: Any) -> dict[str, Any]:
        """Return what is sent only when it has changed."""
        return {}

    def answer(self, player: Any, snapshot: Snapshot, state: State | None, wanted: Wanted, now: float) -> None:
        """Send what was asked for."""

    def answers_follow(self) -> bool:
        """Return whether more is to be sent though the run rests: a page should say that it is still there."""
        return False

    def size(self, state: State) -> int:
        """Return how many bytes a frame of this state takes."""
        return 4 * state.Y.shape[1]

    def pack(self, state: State) -> tuple[dict[str, Any], bytes]:
        """Return the buffer of a frame, and what its message says of it."""
        return pack_map(state.Y, state.pins)

    def send_frame(self, player: ViewHost, snapshot: Snapshot, state: State, command: str, now: float) -> None:
        """Send a picture of a state, with the facts."""
        picture, packed = self.pack(state)
        content = {"kind": "frame", "seq": player._connection.sent + 1, "heard": command, **picture}
        self.post(player, {**content, **self.facts_and_changes(player, snapshot, state)}, [packed], frame=True)
        self.shown, self.frame_at, self.heartbeat_at = state, now, now

    def send_heartbeat(
        self, player: ViewHost, snapshot: Snapshot, state: State | None, command: str, now: float, wants_ack: bool
    ) -> None:
        """Send the facts without a picture."""
        content = {"kind": "heartbeat", "seq": player._connection.sent, "wants_ack": wants_ack, "heard": command}
        self.post(player, {**content, **self.facts_and_changes(player, snapshot, state)}, wants_ack=wants_ack)
        self.heartbeat_at = now

    def facts_and_changes(self, player: ViewHost, snapshot: Snapshot, state: State | None) -> dict[str, Any]:
        """Return the values of a message that isn't older than the traits."""
        self.moment += 1
        return {**self.facts(player, snapshot, state), **self.changes(player)}

    def post(self, player: ViewHost, content: dict[str, Any], buffers: Sequence[bytes] = (), **counted: bool) -> None:
        """Send a message, and count it."""
        with player._connection.changed:
            player._connection.count(sum(map(len, buffers)), **counted)
        player.send(content, list(buffers))

    def set_traits(self, player: ViewHost, snapshot: Snapshot, state: State | None, keep: bool) -> None:
        """Write the traits, in one message."""
        self.moment += 1
        facts = self.facts(player, snapshot, state)
        if keep and state is not None:
            trace = player.run.trace
            facts["trace"] = np.column_stack([trace.iterations, trace.costs]).astype("<f8").tobytes()
            facts |= snapshot_of(state)
            facts["axes_note"] = axes_note(state.Y)
            self.kept_state = state
        del facts["seeking"], facts["compiles"]
        with player.hold_sync():
            # The status is set last, so that whoever sees that a run has ended also finds its last map.
            for name in sorted(facts, key="status".__eq__):
                setattr(player, name, facts[name])


def send_updates(reference: Callable[[], ViewHost | None], make: Callable[[], Sender] = Sender) -> None:
    """Read the run 17 times a second at most and send what is due, until the player closes. Runs in its own thread."""
    sender = make()
    while (player := reference()) is not None:
        connection, now = player._connection, time.monotonic()
        closing = connection.closing
        try:
            sender.send_due(player, now)
        except Exception as error:
            player.error = error
        if closing:
            return
        pause = FRAME if player.run.status in ("compiling", "running") else 0.1
        del player
        connection.wait_for_page(pause)
