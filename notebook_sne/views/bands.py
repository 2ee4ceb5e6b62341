"""One word in two norms as a picture: its senses on both sides, and what flows from one to the other."""

from __future__ import annotations

from notebook_sne.senses.compare import Comparison, largest
from notebook_sne.views.objects import shorten, svg_text
from notebook_sne.views.palette import COLORS, FONT, GROUND, INK, PLAIN
from notebook_sne.views.static import SVG

__all__ = ["two_norms"]

_WIDTH, _TOP, _HIGH, _ROOM = 860, 74, 330, 46  # pixels: of the picture, above the bars, of the bars, below them
_LEFT, _RIGHT, _BAR, _GAP = 290, 570, 6, 7
_LEAST = 34  # pixels for the words of a sense, however small its share
_NAMED = 4


def two_norms(comparison: Comparison, word: str) -> SVG:
    """Draw the senses of a word in two norms beside each other.

    Parameters
    ----------
    comparison : Comparison
        What `notebook_sne.senses.compare` returned.
    word : str
        A word that both norms have.

    Returns
    -------
    picture : SVG
        A bar on each side, as high as the share of the word's ties that a sense has, with its first associates: in bold
        those that both norms have. A sense that both have is one color and a band between its bars. What one norm alone
        has is black, or gray with a gray heading if two halves of the same people differ as much; the headings of
        shares that differ no more than that are gray, too.

    Raises
    ------
    ValueError
        If the word isn't in both norms.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> words = ns.datasets.load_word_relations()
    >>> picture = ns.views.two_norms(ns.senses.compare(words, words, ("one", "another")), "bank")
    """
    word, pairs = comparison.find(word), comparison.pairs(word)
    noise = comparison.noise(word)
    heights = [[_HIGH * pair.shares[side] for pair in pairs] for side in (0, 1)]
    places = [_stacked(side) for side in heights]
    ends = [max(top + high, at + _LEAST) for side in places for top, high, at in side if high]
    bottom = max(_TOP + _HIGH, *ends) + _ROOM
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{bottom:.0f}" '
        f'viewBox="0 0 {_WIDTH} {bottom:.0f}" font-family="{FONT}" font-size="13" fill="{INK}">',
        f"<title>{svg_text(word)}: {svg_text(' and '.join(comparison.names))}</title>",
        f'<rect width="100%" height="100%" fill="{GROUND}"/>',
        f'<text x="{_WIDTH / 2}" y="32" text-anchor="middle" font-size="26" font-weight="700">{svg_text(word)}</text>',
        _text(comparison.names[0], _LEFT, _TOP - 14, "end"),
        _text(comparison.names[1], _RIGHT, _TOP - 14, "start"),
    ]
    for k, pair in enumerate(pairs):
        within = largest([pair]) <= noise
        beyond = INK if not within and noise == noise else PLAIN
        color = COLORS[k % len(COLORS)] if 0 not in pair.numbers else beyond
        sides = [place[k] for place in places]
        if 0 not in pair.numbers:
            lines.append(_band(sides[0], sides[1], color))
        for side, ((top, high, at), share) in enumerate(zip(sides, pair.shares, strict=True)):
            if not pair.numbers[side]:
                continue
            x = _LEFT - _BAR if side == 0 else _RIGHT
            lines.append(f'<rect x="{x}" y="{top:.1f}" width="{_BAR}" height="{high:.1f}" fill="{color}"/>')
            lines += _said(pair, side, share, at, PLAIN if within else INK)
    if noise > 0:
        told = f"Gray: two halves of the same people can differ as much (by {noise:.0%})."
        lines.append(f'<text x="{_WIDTH / 2}" y="{bottom - 14:.0f}" text-anchor="middle" fill="{PLAIN}">{told}</text>')
    return SVG("\n".join([*lines, "</svg>", ""]))


def _stacked(heights):
    """Return (top, height, where its words begin) of bars one below the other, those of no height included."""
    found, top, free = [], float(_TOP), float(_TOP)
    for high in heights:
        at = max(top + high / 2 - 10, free + 4) if high else top
        found.append((top, high, at))
        if high:
            top, free = top + high + _GAP, at + _LEAST
    return found


def _band(left, right, color):
    (a, high, _), (b, low, _) = left, right
    x, y, middle = _LEFT, _RIGHT, (_LEFT + _RIGHT) / 2
    path = f"M{x} {a:.1f}C{middle} {a:.1f} {middle} {b:.1f} {y} {b:.1f}V{b + low:.1f}"
    path += f"C{middle} {b + low:.1f} {middle} {a + high:.1f} {x} {a + high:.1f}Z"
    return f'<path d="{path}" fill="{color}" fill-opacity="0.18"/>'


def _said(pair, side, share, at, ink):
    """Return the texts of one side of a sense: its first word with its share, and the words after it."""
    own, common = pair.associates[side], {name.casefold() for name in pair.both}
    first = (pair.both or own)[0]
    x, anchor = (_LEFT - _BAR - 10, "end") if side == 0 else (_RIGHT + _BAR + 10, "start")
    words = [
        f'<tspan font-weight="{700 if name.casefold() in common else 400}">{svg_text(shorten(name))}</tspan>'
        for name in own[:_NAMED]
    ]
    head = f"{svg_text(shorten(first))} {share:.0%}"
    return [
        f'<text x="{x}" y="{at + 10:.1f}" text-anchor="{anchor}" font-size="15" font-weight="700" fill="{ink}">'
        f"{head}</text>",
        f'<text x="{x}" y="{at + 27:.1f}" text-anchor="{anchor}">{", ".join(words)}</text>',
    ]


def _text(text, x, y, anchor):
    return (
        f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="15" font-weight="700">'
        f"{svg_text(shorten(text))}</text>"
    )
