"""What the explorer is given: maps, proportions and counts as bytes, once or from a fit that is still running.

A running fit sends new maps a few times a second by the player's rules (``sender``); nothing depends on a message
arriving while a cell runs.
"""

import time

import numpy as np
from scipy import sparse

from notebook_sne.given import as_floats, check_given
from notebook_sne.widgets import sender

__all__ = ["follow", "kernel_of", "pack_counts", "pack_maps"]

FRAME = 0.3  # s between new maps at least: words are read, not watched
HEAVY = 1.0  # s between new maps of more than a megabyte


class Feed(sender.Sender):
    """The player's sender, with all maps of a state instead of the first."""

    def frame_is_due(self, mail, now):
        heavy = self.shown is not None and self.size(self.shown) > 1e6
        waited = now - self.frame_at >= (HEAVY if heavy else FRAME)
        return (waited or mail.urgent) and super().frame_is_due(mail, now)

    def facts(self, player, look, state):
        facts = super().facts(player, look, state)
        return {**facts, "status": "closed"} if player._mail.closing else facts

    def size(self, state):
        return 4 * (state.Y.size + state.Y.shape[0] * state.Y.shape[1])

    def pack(self, state):
        return pack_maps(state.Y, state.mixing)

    def set_traits(self, player, look, state, keep):
        self.moment += 1
        facts = {**self.facts(player, look, state), "kernel": kernel_of(player.run.model)}
        del facts["winding"], facts["compiles"]
        if keep and state is not None:
            facts["snapshot"] = pack_maps(state.Y, state.mixing)
            self.kept_state = state
        with player.hold_sync():
            for name, value in facts.items():
                setattr(player, name, value)


def follow(reference):
    """Send what a run has come to, until the explorer closes. A thread's body."""
    feed = Feed()
    while (explorer := reference()) is not None:
        mail, now = explorer._mail, time.monotonic()
        closing = mail.closing
        try:
            if closing:
                feed.kept_status = ()  # the last word: closed
            feed.attend(explorer, now)
        except Exception as error:
            explorer.error = error
        if closing:
            return
        del explorer
        with mail.changed:
            mail.changed.wait_for(lambda mail=mail: mail.urgent or mail.closing, 0.1)


def pack_maps(maps, mixing):
    """Return M, N, d, the points and the proportions as float32 bytes; proportions are equal where they are None."""
    maps = np.asarray(maps)
    n_maps, n_objects, _ = maps.shape
    mixing = np.full((n_maps, n_objects), 1 / n_maps) if mixing is None else np.asarray(mixing)
    # Centered, so that single precision is spent on differences; equal moves of all points change no distance.
    centered = maps - maps.mean(axis=1, keepdims=True)
    return b"".join(part.astype("<f4").tobytes() for part in (np.array(maps.shape), centered, mixing))


def pack_counts(counts, n_objects):
    """Turn counts, shape (N, N), dense or sparse, into traits: compressed rows with sorted columns."""
    if counts is None:
        return {}
    counts = check_given("counts", counts)
    shape = counts.shape
    if shape != (n_objects, n_objects):
        raise ValueError(
            f"counts must have a row and a column for each of the {n_objects} words, shape ({n_objects}, {n_objects}), "
            f"got {shape}; cut or reorder them as the names are"
        )
    counts = counts if sparse.issparse(counts) else as_floats("counts", counts)
    rows = sparse.csr_array(counts, dtype=np.float64, copy=True)
    rows.sum_duplicates()
    if not (np.isfinite(rows.data).all() and (rows.data >= 0).all()):
        raise ValueError("counts must be finite and not negative; correct these entries")
    return {
        "count_pointers": rows.indptr.astype("<i4").tobytes(),
        "count_columns": rows.indices.astype("<i4").tobytes(),
        "count_values": rows.data.astype("<f4").tobytes(),
    }


def kernel_of(model):
    """Return how the model's strengths fall with the distance: gaussian or student."""
    return "student" if getattr(model, "_kernel", "gaussian") == "student" else "gaussian"
