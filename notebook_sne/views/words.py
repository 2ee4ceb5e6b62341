"""Words of one map as a small static picture: a circle for each word, and as many names as there is room for."""

import numpy as np

from notebook_sne.views.names import place_names
from notebook_sne.views.objects import shorten, svg_text
from notebook_sne.views.palette import COLORS, FONT, GROUND, INK, PLAIN, RULE
from notebook_sne.views.static import SVG

__all__ = ["draw_words"]

_FULL, _LEAST = 11.0, 1.5  # pixels: radius of a circle whose proportion is 1, and of the smallest
_FONT_SIZE = 12
_EDGE = 0.14  # room around the words, as a fraction of the side: names are beside their circles


def draw_words(points, proportions, names, *, size: int = 300, first: bool = False):
    """Draw words where a map has them, and return the text of an SVG.

    The points, shape (K, 2), are finite; the most important word comes first, and gets its name first. Areas are
    proportional to the mixing proportions, shape (K,). `size` is the side of the picture in pixels; `first` says
    whether the first word is the one that the picture is about.
    """
    points = np.asarray(points, dtype=float)
    low, high = points.min(axis=0), points.max(axis=0)
    scale = (1 - 2 * _EDGE) * size / (float((high - low).max()) or 1.0)
    places = size / 2 + (points - (low + high) / 2) * scale
    radii = np.maximum(_LEAST, _FULL * np.sqrt(np.asarray(proportions, dtype=float)))
    spots = place_names(
        places, radii, names, size, font_size=_FONT_SIZE, obstacles=np.column_stack([places, radii])
    )  # fmt: skip
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="0 0 {size} {size}" '
        f'font-family="{FONT}" font-size="{_FONT_SIZE}" fill="{INK}">',
        f'<rect x="0.5" y="0.5" width="{size - 1}" height="{size - 1}" fill="{GROUND}" stroke="{RULE}"/>',
    ]
    for k in reversed(range(len(points))):  # the important ones are drawn on top
        shade = COLORS[0] if first and k == 0 else PLAIN
        x, y = places[k, 0], size - places[k, 1]
        lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radii[k]:.1f}" fill="{shade}" fill-opacity="0.7"/>')
    for k, spot in enumerate(spots):
        if spot is None:
            continue
        x, y = places[k, 0] + spot.x, size - places[k, 1] - spot.y + 0.35 * _FONT_SIZE
        anchor = {"left": "start", "center": "middle", "right": "end"}[spot.align]
        weight = ' font-weight="700"' if first and k == 0 else ""
        lines.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{weight}>{svg_text(shorten(names[k]))}</text>'
        )
    return SVG("\n".join([*lines, "</svg>", ""]))
