"""Arguments of a figure beside labels and names, map points, size and title, and the part of the plane it shows."""

import re
import unicodedata
from typing import NamedTuple
from xml.sax.saxutils import escape

import numpy as np

from notebook_sne.engine.checks.arguments import check_number
from notebook_sne.engine.checks.maps import check_points
from notebook_sne.engine.checks.numbers import as_floats, show

__all__ = [
    "Window",
    "check_map",
    "check_size",
    "check_title",
    "check_value_name",
    "drawing_order",
    "shorten",
    "shortened",
    "svg_text",
    "window",
]

_SPLIT = " -_/.,:;|#()"  # a name may begin anew after any of these
_LEAST = 3  # letters of a common beginning that are worth a sign in their place

_JOINED = re.compile(".?\u200d|.[\U0001f3fb-\U0001f3ff]")  # signs in one: families, hues of skin
# The characters that XML 1.0 cannot hold, not even escaped.
_UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Window(NamedTuple):
    """A square part of the plane."""

    left: float
    right: float
    low: float
    high: float


def check_map(Y):
    """Return map points as finite float64, shape (N, 2) with N >= 1."""
    points = as_floats("Y", Y)
    if points.ndim == 0:
        raise TypeError(f"Y must be an array of map points, shape (N, 2), got {type(Y).__name__}")
    if not len(points):
        raise ValueError("Y must hold at least one map point, got none; give the map points, shape (N, 2)")
    return check_points("Y", points, len(points), 2)


def check_size(name, size, low=100, high=4000):
    """Return a length in pixels as an int."""
    return round(check_number(name, size, low, high))


def check_title(title):
    """Return the title, a str; empty for None."""
    if title is not None and not isinstance(title, str):
        raise TypeError(f"title must be a str, got {show(title)}")
    return title or ""


def check_value_name(name, labels):
    """Return the name of the values that Labels hold, a str or None."""
    if name is not None and not isinstance(name, str):
        raise TypeError(f"value_name must be a str, got {show(name)}")
    if name is not None and labels.values is None:
        raise ValueError(f"value_name must go with labels that are floats, got {show(name)} without; leave it out")
    return name


def shortened(texts, most=24):
    """Return names in at most so many letters, as a set: those that differ look different.

    The beginning that all have goes first, then the middle of each; equal names stay equal. The browser has this rule.
    """
    known = list(dict.fromkeys(texts))
    if all(len(text) <= most for text in known):
        return list(texts)
    start = _beginning(known, most)
    short: dict[str, str] = {}
    alike: dict[str, list[str]] = {}
    for text in known:
        short[text] = _cut(text, start, most)
        alike.setdefault(short[text], []).append(text)
    taken = set(alike)
    for same in alike.values():
        if len(same) == 1:
            continue
        common = _common(same)
        for k, text in enumerate(same, start=1):
            words = _cut(text, common, most)
            while words in taken:
                words, k = f"{_cut(text, start, most - 1 - len(str(k)))}~{k}", k + 1
            taken.add(words)
            short[text] = words
    return [short[text] for text in texts]


def shorten(text, most=24):
    """Return a single name as `shortened` does."""
    return shortened([text], most)[0]


def _common(texts):
    """Return how many letters all texts begin with; each keeps one of its own."""
    low, high = min(texts), max(texts)  # what these two have in common all have
    same = next((i for i, pair in enumerate(zip(low, high, strict=False)) if pair[0] != pair[1]), len(low))
    return max(0, min(same, min(map(len, texts)) - 1))


def _beginning(texts, most):
    """Return where names that are too long begin: the earliest word with which all are short enough."""
    common = _common(texts) if len(texts) > 1 else 0
    if common < _LEAST:
        return 0
    words = [i for i in range(_LEAST, common + 1) if texts[0][i - 1] in _SPLIT]
    far = max(map(len, texts)) - most + 1  # within a word, only as much goes as has to
    return next((i for i in words if i >= far), far if far <= common else (words or [common])[-1])


def _cut(text, start, most):
    """Return a name from there on, without its middle where it is still too long."""
    rest = f"…{text[_whole(text, start, 1) :]}" if start else text
    head = most // 2
    tail = _whole(rest, len(rest) - (most - 1 - head), 1)
    return rest if len(rest) <= most else f"{rest[: _whole(rest, head, -1)]}…{rest[tail:]}"


def _whole(text, i, step):
    """Return the nearest place from i on, in steps of 1 or -1, where no letter loses its accents or its joined sign."""
    while 0 < i < len(text) and (unicodedata.category(text[i])[0] == "M" or _JOINED.match(text, i - 1)):
        i += step
    return i


def svg_text(text):
    """Return any text as XML that holds no element."""
    return escape(_UNWRITABLE.sub("\ufffd", text))


def window(Y, margin=0.05):
    """Return the smallest square about all map points, with a margin around it as a share of its side."""
    low, high = Y.min(axis=0), Y.max(axis=0)
    span = float((high - low).max())
    # All points in one place: any square will do.
    half = (0.5 + margin) * span if span > 0 else 1.0
    x, y = ((low + high) / 2).tolist()
    return Window(x - half, x + half, y - half, y + half)


def drawing_order(n_objects, missing=None, blur=None):
    """Return the objects in a mixed order, so that no class lies above all others, but unlabeled ones lie below all.

    With a `blur`, shape (N,), those farthest out of focus lie below the others.
    """
    order = np.random.default_rng(0).permutation(n_objects)
    order = order if missing is None else np.concatenate([order[missing[order]], order[~missing[order]]])
    return order if blur is None else order[np.argsort(-blur[order].astype(int), kind="stable")]
