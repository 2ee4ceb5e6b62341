"""Lines between regions of a map that say how often these are joined over several fits, in print as in color.

A line goes from clump to clump, between the two of both regions that are nearest; a region without a clump has its mean
place. What the kinds of lines mean is in `objects.region_pairs`; the browser draws them by the same rule.
"""

from typing import NamedTuple

import numpy as np

from notebook_sne.engine.objects.labels import UNLABELED
from notebook_sne.engine.objects.region_pairs import DASHED, DOTTED, SOLID, line_of, pair_sentence
from notebook_sne.views.label_anchors import places_of
from notebook_sne.views.objects import shorten, svg_text
from notebook_sne.views.palette import GROUND, INK, LINES, SOFT

__all__ = ["PairLine", "pair_caption", "pair_key", "pair_lines", "pair_numbers", "pair_words", "svg_pairs"]

_LEAST = 24  # pixels: a shorter line says nothing
_TOLD = 30  # pairs told in words


class PairLine(NamedTuple):
    """A line between two regions."""

    kind: str
    ends: tuple[float, float, float, float]
    counts: tuple[int, int, int]
    """In how many fits they are joined, neighbors, apart."""
    names: tuple[str, str]

    @property
    def sentence(self):
        """What the line says."""
        return pair_sentence(*self.names, *self.counts)

    @property
    def surest(self):
        """The share of fits that say the most frequent of the three."""
        return max(self.counts) / sum(self.counts)


def pair_lines(points, groups, counts):
    """Return the PairLines of a picture, the least sure first, and how many more are too short to be drawn.

    `points`, shape (N, 2), are in pixels; `groups` are the Groups of the classes in their order; `counts` those of
    `RegionPairs`.
    """
    groups = [group for group in groups if group.k != UNLABELED]
    places = places_of(points, [group.rows for group in groups])
    lines, short = [], 0
    for (a, b), three in zip(np.transpose(np.triu_indices(len(groups), 1)).tolist(), counts.tolist(), strict=True):
        kind = line_of(*three)
        if kind is None or not places[a] or not places[b]:
            continue
        ends = min(((*one, *other) for one in places[a] for other in places[b]), key=_length)
        if _length(ends) < _LEAST:
            short += 1
            continue
        lines.append(PairLine(kind, ends, tuple(three), (groups[a].name, groups[b].name)))
    return sorted(lines, key=lambda line: line.surest), short


def _length(ends):
    return float(np.hypot(ends[2] - ends[0], ends[3] - ends[1]))


def svg_pairs(lines):
    """Return lines as SVG, each with its sentence as a title, the surest above the others."""
    return [f"<g><title>{svg_text(line.sentence)}</title>{_drawn(*line[:3])}</g>" for line in lines]


def _drawn(kind, ends, counts=None):
    """Return a line; of `counts` where fits disagree, its ink is the share of those that join the regions.

    Of less than half of them it is gray.
    """
    ink = SOFT if kind == DOTTED or (counts and 2 * counts[0] < sum(counts)) else INK
    width = LINES[kind]["width"]
    if kind == DASHED and counts:
        width = max(LINES[SOLID]["width"] * counts[0] / sum(counts), 1.0)
    dash = " ".join(map(str, LINES[kind]["dash"]))
    path, dashes = "M{:.1f} {:.1f}L{:.1f} {:.1f}".format(*ends), f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<path d="{path}" stroke="{GROUND}" stroke-width="{width + 3:g}" stroke-opacity="0.75" '
        f'stroke-linecap="round"/><path d="{path}" stroke="{ink}" stroke-width="{width:g}" stroke-linecap="round"'
        f"{dashes}/>"
    )


def pair_numbers(lines):
    """Return what is written on dashed lines, as (x, y, text), where fits disagree most first."""
    return [
        ((x0 + x1) / 2, (y0 + y1) / 2, f"{counts[0]}/{sum(counts)}")
        for kind, (x0, y0, x1, y1), counts, _ in lines
        if kind == DASHED
    ]


def _meanings(lines, counts):
    """Return what the kinds of lines mean, of those that there are, and the number of fits."""
    n_fits = int(counts.sum(axis=1).max())
    there = {line.kind for line in lines}
    return {kind: look["says"].format(n_fits) for kind, look in LINES.items() if kind in there}, n_fits


def pair_caption(lines, counts):
    """Return the legend as a text."""
    words, n_fits = _meanings(lines, counts)
    said = [f"{kind} line: {meaning}" for kind, meaning in words.items()]
    return "; ".join(said) or f"no line: all regions are apart in most of {n_fits} fits"


def pair_key(lines, counts, y, row):
    """Return the rows of a legend that says what lines mean, as SVG, from `y` pixels down, each `row` pixels high."""
    words, n_fits = _meanings(lines, counts)
    if not words:
        return [f'<text y="{y}" font-size="13">no line: all regions are apart in most of {n_fits} fits</text>']
    return [
        f'{_drawn(kind, (2, y + k * row - 5, 42, y + k * row - 5))}<text x="54" y="{y + k * row}" font-size="13">'
        f"{words[kind]}</text>"
        for k, kind in enumerate(words)
    ]


def pair_words(lines, n_pairs):
    """Return what the lines say, in sentences, the least sure first."""
    told = ". ".join(pair_sentence(*map(shorten, line.names), *line.counts) for line in lines[:_TOLD])
    rest, apart = len(lines) - _TOLD, n_pairs - len(lines)
    parts = [
        told,
        f"{rest} more lines" if rest > 0 else "",
        f"No line between the other {apart} pairs" if apart else "",
    ]
    return ". ".join(part for part in parts if part) + "."
