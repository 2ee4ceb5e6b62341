"""The still picture of an explorer: the maps of its word with the neighbors there, or else what each map holds."""

from typing import NamedTuple

import numpy as np

from notebook_sne.browser.widgets.explorer_maps import unpack_maps
from notebook_sne.browser.widgets.fallback_image import caption_of, escape, figure, picture
from notebook_sne.views.words import draw_words

__all__ = ["still_html", "still_text"]

SIZE = 300  # pixels: side of a map
MOST_MAPS = 6
NEIGHBORS = 12


class Panel(NamedTuple):
    """A map in the still."""

    m: int
    words: np.ndarray
    """The words drawn, the most important one first."""
    proportion: float | None
    """That of the explorer's word; None where it shows no word."""


def still_text(explorer):
    """Return what an explorer shows, in one line."""
    word = "" if explorer.word is None else f"the word {explorer.word}"
    count = f"{len(explorer.names):,} words"
    if not explorer.snapshot:
        return caption_of(explorer.model_name, None, None, count, word, "no maps yet")
    n_maps = abs(int(np.frombuffer(explorer.snapshot, "<f4", 1)[0]))
    maps = f"{n_maps:,} {'map' if n_maps == 1 else 'maps'}"
    several = f"the best of {len(explorer.fits)} fits" if len(explorer.fits) > 1 else ""
    return caption_of(explorer.model_name, explorer.iteration, explorer.cost, several, count, maps, word)


def still_html(explorer):
    """Return the still of an explorer as HTML."""
    words = still_text(explorer)
    if not explorer.snapshot:
        return figure([], explorer.title, words)
    maps, mixing = unpack_maps(explorer.snapshot)
    if not np.isfinite(maps).all():  # of a run that failed
        return figure([], explorer.title, words)
    if explorer.word is None:
        panels, there = _all_maps(mixing), len(maps)
    else:
        i = explorer.names.index(explorer.word)
        panels, there = _maps_of(i, maps, mixing, explorer.threshold, explorer.kernel)
    if len(panels) < there:
        words += f"; the first {len(panels)} of {there} maps"
    return figure([_drawn(panel, maps, mixing, explorer.names) for panel in panels], explorer.title, words)


def _maps_of(i, maps, mixing, threshold, kernel):
    """Return a Panel for each map that holds word i, where it belongs most first, and how many such maps there are."""
    holding = [int(m) for m in np.argsort(-mixing[:, i], kind="stable") if mixing[m, i] > threshold]
    panels = []
    for m in holding[:MOST_MAPS]:
        squared = np.square(maps[m] - maps[m, i]).sum(axis=1, dtype=float)
        with np.errstate(divide="ignore"):
            strength = np.log(mixing[m]) - (np.log1p(squared) if kernel == "student" else squared)
        strength[i] = np.inf
        panels.append(Panel(m, _strongest(strength), float(mixing[m, i])))
    return panels, len(holding)


def _all_maps(mixing):
    return [Panel(m, _strongest(mixing[m]), None) for m in range(min(len(mixing), MOST_MAPS))]


def _strongest(strength):
    order = np.argsort(-strength, kind="stable")[: NEIGHBORS + 1]
    return order[strength[order] > -np.inf]


def _drawn(panel, maps, mixing, names):
    m, shown, proportion = panel
    points = np.zeros((len(shown), 2))
    points[:, : maps.shape[2]] = maps[m, shown, :2]
    words = [names[j] for j in shown]
    drawn = draw_words(points, mixing[m, shown], words, size=SIZE, first=proportion is not None)
    heading = f"Map {m}" if proportion is None else f"Map {m}, proportion {proportion:.2f}"
    beside = ", ".join(words if proportion is None else words[1:])
    image = picture(drawn.encode(), "svg+xml", SIZE, SIZE, f"{heading}: {beside}")
    return (
        f'<div style="display: inline-block; vertical-align: top; max-width: {SIZE}px; margin: 0 12px 12px 0">'
        f"{image}<br><small><b>{heading}</b>: {escape(beside)}</small></div>"
    )
