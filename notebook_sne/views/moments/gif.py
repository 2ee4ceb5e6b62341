"""The film of a run as a GIF: it plays in a slide, a README and a mail, and is made without a screen.

Each picture has the colors of the class's marks in a palette, as `views.raster` paints them. Pillow, which Bokeh needs
as well, packs the pictures: a GIF holds of each only what differs from the one before.
"""

import io
import os
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from notebook_sne.engine.checks.arguments import check_count, check_number
from notebook_sne.engine.machine import files
from notebook_sne.views.moments.chosen import evenly, facts_of, labels_of, points_of, recording_of
from notebook_sne.views.objects import check_size, check_title, shorten, window
from notebook_sne.views.palette import INK, mark_size
from notebook_sne.views.raster import looks_of, paint

__all__ = ["gif"]

_LAST = 2000  # ms that the last picture stays before the film begins again
_SETTLE = 2  # pictures before one whose maps its window holds too


def gif(
    recording: Any,
    path: str | os.PathLike[str] | None = None,
    *,
    labels: Any = None,
    title: str | None = None,
    size: int = 480,
    frames: int = 100,
    seconds: float = 8.0,
) -> bytes:
    """Make the film of a recording as a GIF.

    Every picture shows the first map in its first two coordinates, from edge to edge, with its step and its cost.

    Parameters
    ----------
    recording : Recording, Run, str or Path
        What to show, or the file that it was saved in.
    path : str or Path, optional
        File to write the film to, whole or not at all.
    labels : array-like, shape (N,), optional
        Classes, or floats for a color scale; what the recording knows of its objects where left out.
    title : str, optional
        Heading; the recording's own where left out.
    size : int, default=480
        Side of the map in pixels.
    frames : int, default=100
        Most pictures.
    seconds : float, default=8
        How long the film takes, at most 50 pictures a second; its last picture stays for two seconds more.

    Returns
    -------
    film : bytes
        The GIF.

    Raises
    ------
    ValueError, TypeError
        If nothing is recorded, a map isn't finite, or labels don't fit the objects.
    OSError
        If the file is read-only or can't be written; one that was there is then as it was.

    Examples
    --------
    >>> run = ns.Run(ns.TSNE(), digits); run.steps(300)                             # doctest: +SKIP
    >>> ns.views.gif(run, "digits.gif", labels=digits.labels)                       # doctest: +SKIP
    """
    kept = recording_of(recording)
    size, frames = check_size("size", size), check_count("frames", frames, 1)
    seconds = check_number("seconds", seconds, 0.1, 600)
    title = check_title(kept.title if title is None else title)
    chosen = evenly(kept, frames)
    given = labels_of(kept, labels)
    looks = looks_of(chosen[0].Y.shape[1], *_shown(given))
    ink = len(looks.palette)
    colors = list(bytes.fromhex("".join(shade[1:] for shade in [*looks.palette, INK])))
    maps = [points_of(frame) for frame in chosen]
    radius = mark_size(len(maps[0]), size) / 2
    type_size = max(11, size // 26)
    top = round(1.5 * type_size) * (2 if title else 1) + type_size // 2
    font = ImageFont.load_default(type_size)
    pictures = []
    for k, (frame, Y) in enumerate(zip(chosen, maps, strict=True)):
        # A window that holds only this moment would tremble with its outermost object.
        view = window(np.concatenate(maps[max(k - _SETTLE, 0) : k + 1]))
        whole = np.zeros((top + size, size), dtype=np.uint8)
        whole[top:] = paint(Y, looks, size, radius, view)
        picture = Image.frombytes("P", whole.shape[::-1], whole.tobytes())
        pen = ImageDraw.Draw(picture)
        pen.fontmode = "1"  # a palette has no room for the edges of letters
        step, cost, _ = facts_of(frame, frame.model not in kept.without_unit)
        if title:
            pen.text((8, 4), shorten(title, 60), fill=ink, font=font)
        pen.text((8, top - 1.5 * type_size), f"{step} · {cost}", fill=ink, font=font)
        picture.putpalette(colors)
        pictures.append(picture)
    each = max(round(1000 * seconds / len(pictures)), 20)
    file = io.BytesIO()
    durations = [each] * (len(pictures) - 1) + [_LAST]
    pictures[0].save(
        file, format="GIF", save_all=True, append_images=pictures[1:], duration=durations, loop=0, optimize=False
    )
    film = file.getvalue()
    if path is not None:
        files.write(path, film)
    return film


def _shown(labels):
    """Return classes, and values from 0 to 1, as `looks_of` takes them."""
    if labels.values is None:
        return labels.classes, None
    low, high = np.nanmin(labels.values), np.nanmax(labels.values)
    return None, (labels.values - low) / ((high - low) or 1.0)
