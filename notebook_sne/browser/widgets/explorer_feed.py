"""How an explorer follows a running fit: new maps a few times a second, sent by the player's rules (``sender``).

Nothing depends on a message arriving while a cell runs.
"""

import time

from notebook_sne.browser.widgets import sender
from notebook_sne.browser.widgets.explorer_maps import pack_maps
from notebook_sne.models.family import kernel_of

__all__ = ["follow"]

FRAME = 0.3  # s between new maps at least: words are read, not watched
HEAVY = 1.0  # s between new maps of more than a megabyte


class Feed(sender.Sender):
    """The player's sender, with all maps of a state instead of the first."""

    def frame_is_due(self, connection, now):
        heavy = self.shown is not None and self.size(self.shown) > 1e6
        waited = now - self.frame_at >= (HEAVY if heavy else FRAME)
        return (waited or connection.urgent) and super().frame_is_due(connection, now)

    def facts(self, player, snapshot, state):
        facts = super().facts(player, snapshot, state)
        return {**facts, "status": "closed"} if player._connection.closing else facts

    def size(self, state):
        return 4 * (state.Y.size + state.Y.shape[0] * state.Y.shape[1])

    def pack(self, state):
        return {}, pack_maps(state.Y, state.mixing)

    def set_traits(self, player, snapshot, state, keep):
        self.moment += 1
        facts = {**self.facts(player, snapshot, state), "kernel": kernel_of(player.run.model)}
        del facts["seeking"], facts["compiles"]
        if keep and state is not None:
            facts["snapshot"] = pack_maps(state.Y, state.mixing)
            self.kept_state = state
        with player.hold_sync():
            # The status is set last, as in a player.
            for name in sorted(facts, key="status".__eq__):
                setattr(player, name, facts[name])


def follow(reference):
    """Send the present maps of a run, until the explorer closes. Runs in its own thread."""
    feed = Feed()
    while (explorer := reference()) is not None:
        connection, now = explorer._connection, time.monotonic()
        closing = connection.closing
        try:
            if closing:
                feed.kept_status = None  # so that the status closed is sent last
            feed.send_due(explorer, now)
        except Exception as error:
            explorer.error = error
        if closing:
            return
        del explorer
        connection.wait_for_page(0.1)
