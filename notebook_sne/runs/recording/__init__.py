"""Recordings: the film of a run, bounded in memory, kept in one file, and gone on from at any of its moments.

``tape`` is the side that a run writes to and ``recording`` the side that is read; ``reel`` keeps moments even and few,
``marks`` and ``history`` what happened and when, ``facts`` what is known of the objects. ``file``,
``header``, ``reader``, ``skeleton`` and ``archive`` are the file: written whole, and read with distrust.
"""

from notebook_sne.runs.recording.history import Chapter
from notebook_sne.runs.recording.marks import Mark
from notebook_sne.runs.recording.recording import Recording
from notebook_sne.runs.recording.reel import Frame

__all__ = ["Chapter", "Frame", "Mark", "Recording"]
