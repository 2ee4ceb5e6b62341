"""Recordings: what is kept of a run, bounded in memory, saved in one file, and gone on from at any iteration.

``recorder`` is the side that a run writes to and ``recording`` the side that is read; ``frames`` are states in single
precision, ``series`` keeps them evenly spaced and few, ``marks`` and ``history`` say what happened and when, ``facts``
what is known of the objects. ``file`` is the file, one of `archives`.
"""

from notebook_sne.engine.runs.recording.frames import Frame
from notebook_sne.engine.runs.recording.history import Chapter
from notebook_sne.engine.runs.recording.marks import Mark
from notebook_sne.engine.runs.recording.recording import Recording

__all__ = ["Chapter", "Frame", "Mark", "Recording"]
