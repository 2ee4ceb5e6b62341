"""How many people mean each sense of a word, with how far that may be off: a figure for a paper."""

from __future__ import annotations

from collections.abc import Sequence

from notebook_sne.senses.dominance import Dominance
from notebook_sne.views.objects import shorten, svg_text
from notebook_sne.views.palette import COLORS, FONT, GROUND, INK, RULE, SOFT
from notebook_sne.views.static import SVG

__all__ = ["dominance"]

_LEFT, _WIDE, _RIGHT, _ROW, _TOP = 330, 360, 110, 24, 14  # pixels: of words, of the scale, of counts; of a row
_SURE = 0.9  # of the draws of people: the sense is filled


def dominance(found: Dominance, words: Sequence[str] | None = None) -> SVG:
    """Draw which share of the people means each sense of some words.

    Parameters
    ----------
    found : Dominance
        What `notebook_sne.senses.dominance` returned.
    words : list of str, optional
        Which of its words to draw; all of them by default.

    Returns
    -------
    picture : SVG
        A row for each sense: its first associates, its share of the answers as a dot, with Wilson's interval at 95% as
        a line, and the answers themselves. The dot is filled if the sense is found again in at least 9 of 10 draws of
        people.

    Raises
    ------
    ValueError
        If one of the words wasn't looked at.

    Examples
    --------
    >>> ns.views.dominance(ns.senses.dominance(norms, ["bank", "bat", "can"]))
    """
    lines, y = [], _TOP
    for k, word in enumerate(found.words if words is None else words):
        color = COLORS[k % len(COLORS)]
        *senses, _ = found.rows(word)
        lines.append(f'<text x="8" y="{y + 16}" font-size="15" font-weight="700">{svg_text(shorten(word))}</text>')
        for _, _, associates, n, N, share, low, high, again, _ in senses:
            x, left, right = (_LEFT + _WIDE * part for part in (share, low, high))
            middle = y + _ROW / 2
            fill = color if again >= _SURE else GROUND
            lines += [
                f'<text x="{_LEFT - 12}" y="{middle + 4}" text-anchor="end">{svg_text(shorten(associates, 34))}</text>',
                f'<path d="M{left:.1f} {middle}H{right:.1f}" stroke="{color}" stroke-width="2"/>',
                f'<circle cx="{x:.1f}" cy="{middle}" r="5" fill="{fill}" stroke="{color}" stroke-width="2"/>',
                f'<text x="{_LEFT + _WIDE + 14}" y="{middle + 4}" fill="{SOFT}">{n} of {N}</text>',
            ]
            y += _ROW
        y += _ROW / 2
    ticks = [(part, _LEFT + _WIDE * part) for part in (0, 0.25, 0.5, 0.75, 1)]
    grid = [f'<path d="M{x} {_TOP}V{y}" stroke="{RULE}"/>' for _, x in ticks]
    grid += [f'<text x="{x}" y="{y + 18}" text-anchor="middle" fill="{SOFT}">{part:.0%}</text>' for part, x in ticks]
    note = f"filled: found again in at least {_SURE:.0%} of {found.draws} draws of people"
    wide, high = _LEFT + _WIDE + _RIGHT, y + 48
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}" '
        f'font-family="{FONT}" font-size="13" fill="{INK}">',
        f"<title>Shares of people: {svg_text(', '.join(found.words if words is None else words))}</title>",
        f'<rect width="100%" height="100%" fill="{GROUND}"/>',
    ]
    last = f'<text x="{_LEFT}" y="{y + 38}" fill="{SOFT}">{note}</text>'
    return SVG("\n".join([*head, *grid, *lines, last, "</svg>", ""]))
