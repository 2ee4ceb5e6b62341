"""Moments of a recording: which frames are drawn, and of what."""

from pathlib import Path

import numpy as np

from notebook_sne.browser.frontend.film import choose_frames
from notebook_sne.engine.objects.labels import read_labels
from notebook_sne.engine.runs.recording.recording import Recording
from notebook_sne.engine.runs.run import Run
from notebook_sne.models import label_of

__all__ = ["evenly", "facts_of", "labels_of", "points_of", "recording_of"]


def recording_of(recording):
    """Return the Recording of a run, of a file, or itself, if it holds a frame."""
    if isinstance(recording, str | Path):
        recording = Recording.load(recording)
    recording = recording.wait_for_start().recording if isinstance(recording, Run) else recording
    if not isinstance(recording, Recording):
        raise TypeError(
            f"recording must be a Recording, a Run, or the path of a saved one, got {type(recording).__name__}; "
            "for a player, give player.run"
        )
    if not recording.frames:
        raise ValueError("recording must hold something to show, but nothing is recorded yet; play or step the run")
    return recording


def labels_of(recording, labels):
    """Return the Labels to draw: those given, else what the recording knows of its objects."""
    given = next((one for one in (labels, recording.labels, recording.values) if one is not None), None)
    return read_labels(given, recording.frames[0].Y.shape[1])


def evenly(recording, most):
    """Return at most so many frames, evenly chosen, with the first, the last and some of those at marks."""
    frames = recording.frames
    chosen = choose_frames([frame.iteration for frame in frames], [mark.iteration for mark in recording.marks], most)
    return [frames[k] for k in chosen]


def points_of(frame):
    """Return the first map of a frame in two coordinates, shape (N, 2)."""
    Y = np.asarray(frame.Y[0], dtype=float)[:, :2]
    if not np.isfinite(Y).all():
        raise ValueError(
            f"the map at step {frame.iteration} must be finite to be drawn; lower the learning rate, or end before"
        )
    return np.column_stack([Y, np.zeros(len(Y))])[:, :2]


def facts_of(frame, unit=True):
    """Return a moment in words: step, and cost."""
    return f"step {frame.iteration:,}", f"cost {frame.cost:.4g}{' nats' if unit else ''}", label_of(frame.model)
