"""Stages of a run side by side: a strip for a paper or a slide, as SVG."""

import os
import re
from collections.abc import Sequence
from typing import Any

from notebook_sne.engine.checks.arguments import check_count
from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.machine import files
from notebook_sne.views.moments.chosen import facts_of, labels_of, points_of, recording_of
from notebook_sne.views.objects import check_size, check_title
from notebook_sne.views.palette import FONT, GROUND, INK, SOFT
from notebook_sne.views.static import SVG, svg, svg_text

__all__ = ["stages"]

_TITLE, _CAPTION, _PAD = 34, 40, 14
_SIZE = re.compile(r'<svg [^>]*?width="(\d+)" height="(\d+)"')


def stages(
    recording: Any,
    at: int | Sequence[int] = 4,
    path: str | os.PathLike[str] | None = None,
    *,
    labels: Any = None,
    title: str | None = None,
    columns: int | None = None,
    size: int = 220,
) -> SVG:
    """Draw some moments of a recording side by side.

    Parameters
    ----------
    recording : Recording, Run, str or Path
        What to show, or the file that it was saved in.
    at : int or sequence of int, default=4
        How many moments, evenly chosen from the first to the last; or the steps: the nearest recorded one to each
        is drawn, and named.
    path : str or Path, optional
        File to write the picture to, whole or not at all.
    labels : array-like, shape (N,), optional
        As for `svg`; what the recording knows of its objects where left out.
    title : str, optional
        Heading of the picture.
    columns : int, optional
        How many stand in a row; all of them where left out.
    size : int, default=220
        Side of each map in pixels.

    Returns
    -------
    picture : SVG
        The text of the picture; a notebook shows it where it ends a cell. Each map fills its square: sizes aren't to
        be compared.

    Raises
    ------
    ValueError, TypeError
        If nothing is recorded, a map isn't finite, or labels don't fit the objects.
    OSError
        If the file is read-only or can't be written; one that was there is then as it was.

    Examples
    --------
    >>> ns.views.stages(player.run, [0, 50, 100, 300], "stages.svg")                # doctest: +SKIP
    """
    kept = recording_of(recording)
    size, title = check_size("size", size), check_title(title)
    frames = _frames(kept, at)
    columns = len(frames) if columns is None else check_count("columns", columns, 1)
    given = labels if labels is not None else kept.labels if kept.labels is not None else kept.values
    labels_of(kept, given)  # refused here, with the number of objects
    lines, width, height = [], 0, 0
    top = _TITLE if title else 0
    for k, frame in enumerate(frames):
        last = k == len(frames) - 1
        # One legend for all, beside the last map.
        panel = str(svg(points_of(frame), given, legend=last, size=size))
        if not last:
            panel = panel.replace('id="', f'id="s{k}').replace("href='#", f"href='#s{k}")  # ids of its own
        x, y = (k % columns) * (size + 2 * _PAD), top + (k // columns) * (size + 2 * _PAD + _CAPTION)
        wide, high = map(int, _SIZE.match(panel).groups())
        width, height = max(width, x + wide), max(height, y + high + _CAPTION - _PAD)
        step, cost, _ = facts_of(frame, frame.model not in kept.without_unit)
        lines += [
            panel.replace("<svg ", f'<svg x="{x}" y="{y + _CAPTION - _PAD}" ', 1).strip(),
            f'<text x="{x + _PAD}" y="{y + 20}" font-weight="600">{svg_text(step)}'
            f'<tspan x="{x + _PAD}" dy="17" font-weight="400" fill="{SOFT}">{svg_text(cost)}</tspan></text>',
        ]
    if title:
        lines.insert(0, f'<text x="{_PAD}" y="24" font-size="17" font-weight="600">{svg_text(title)}</text>')
    model = facts_of(frames[-1])[2]
    picture = SVG(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img" font-family="{FONT}" font-size="14" fill="{INK}">\n'
        f"<title>{svg_text(title or f'{len(frames)} stages of {model}')}</title>\n"
        f'<rect width="{width}" height="{height}" fill="{GROUND}"/>\n' + "\n".join(lines) + "\n</svg>\n"
    )
    if path is not None:
        files.write(path, picture.encode("utf-8"))
    return picture


def _frames(kept, at):
    """Return the frames of the moments asked for."""
    if isinstance(at, str | bytes) or not hasattr(at, "__iter__"):
        return _evenly_spaced(kept, check_count("at", at, 1))
    steps = [check_count("at", step, 0) for step in at]
    if not steps:
        raise ValueError(f"at must name at least one step, got {show(at)}; or give how many stages to draw")
    return [min(kept.frames, key=lambda frame, step=step: abs(frame.iteration - step)) for step in steps]


def _evenly_spaced(kept, n):
    """Return n frames from the first to the last, or all where there are fewer."""
    frames = kept.frames
    if n == 1:
        return frames[-1:]
    first, last = frames[0].iteration, frames[-1].iteration
    wanted = [first + (last - first) * k / (n - 1) for k in range(n)]
    chosen = {min(range(len(frames)), key=lambda k, goal=goal: abs(frames[k].iteration - goal)) for goal in wanted}
    return [frames[k] for k in sorted(chosen)]
