"""What tells of a part of the objects: words, kinds and ends of numbers that are more frequent there than elsewhere.

A feature is a kind (a whole text or label, where there are few different ones), a word of a text, or the lowest or the
highest quarter of numbers. Of N objects b have it, and so do a of the n objects of a part. Twice the log likelihood
ratio of this table of two by two tells how surely it is more frequent in the part (Dunning, "Accurate methods for the
statistics of surprise and coincidence", 1993): unlike a ratio of frequencies, it is low for a word that occurs once.

The browser follows the same rule (``frontend/player/table/enrichment.js``), and a test compares the two.
"""

import re
import unicodedata
from typing import Any, NamedTuple

import numpy as np
from scipy.special import xlogy

__all__ = ["Told", "number_features", "telling_of", "text_features"]

_KINDS = 256  # most different texts that are told whole, where these are at most a quarter of the objects
_LEAST = 10.83  # of the ratio: chance exceeds it once in 1,000 (chi squared, one degree of freedom)
_WORD = re.compile(r"[^\W_]{2,}")


class Told(NamedTuple):
    """One thing that tells of a part."""

    source: str
    """label, name, value, or the name of a column."""
    kind: str
    """kind, word, low or high."""
    what: Any
    """A text; or the number below or above which a quarter of all lies."""
    share: float
    """Of the part that has it."""
    elsewhere: float
    """Of the other objects that has it."""
    ratio: float
    """Twice the log likelihood ratio."""


class Features(NamedTuple):
    """What can be told of the objects by one source."""

    source: str
    kind: str
    what: list[Any]
    owners: np.ndarray
    """The objects, int64, once for each of their features."""
    of: np.ndarray
    """Which feature it is, int64, of the same shape."""


def text_features(source, texts, whole=None):
    """Return the Features of texts, None where missing: each told whole, or by its words.

    `whole` says which; None for whole texts where they are few.
    """
    if whole is None:
        whole = len({text for text in texts if text}) <= min(_KINDS, sum(bool(text) for text in texts) / 4)
    known: dict[str, int] = {}
    owners, of = [], []
    for i, text in enumerate(texts):
        if text:
            words = [text] if whole else _WORD.findall(unicodedata.normalize("NFC", text).lower())
            for word in dict.fromkeys(words):
                owners.append(i)
                of.append(known.setdefault(word, len(known)))
    return Features(source, "kind" if whole else "word", list(known), *_indices(owners, of))


def number_features(source, values):
    """Return Features of numbers, NaN where missing: the lowest and the highest quarter; none where all are alike."""
    order = np.sort(values[~np.isnan(values)])
    if not len(order):
        return []
    low, high = order[(len(order) - 1) // 4], order[-(-3 * (len(order) - 1) // 4)]
    if not low < high:
        return []
    ends = {"low": (low, values <= low), "high": (high, values >= high)}
    return [
        Features(source, kind, [float(end)], np.flatnonzero(has), np.zeros(has.sum(), np.int64))
        for kind, (end, has) in ends.items()
    ]


def _indices(*lists):
    return (np.array(one, dtype=np.int64) for one in lists)


def telling_of(features, parts, count, most):
    """Return what tells of each part, most surely first: a list of at most `most` Told for each of `count` parts.

    `parts`, int64, shape (N,), is the part of each object, and -1 for an object of none, which isn't counted.
    """
    within = parts >= 0
    sizes, N = np.bincount(parts[within], minlength=count), int(within.sum())
    told: list[list[Told]] = [[] for _ in range(count)]
    for source, kind, what, owners, of in features:
        counted = within[owners]
        every = np.bincount(of[counted], minlength=len(what))
        # Only those that occur: parts may be as many as objects, and words more.
        pairs, seen = np.unique(parts[owners[counted]] * len(what) + of[counted], return_counts=True)
        part, feature = np.divmod(pairs, max(len(what), 1))
        more = (seen >= 2) & (seen * N > every[feature] * sizes[part])
        part, feature = part[more], feature[more]
        a, b, n = seen[more], every[feature], sizes[part]
        ratios = _ratio(a, b, n, N)
        for k in np.flatnonzero(ratios >= _LEAST):
            share, elsewhere = a[k] / n[k], (b[k] - a[k]) / (N - n[k])
            one = Told(source, kind, what[feature[k]], float(share), float(elsewhere), float(ratios[k]))
            told[part[k]].append(one)
    return [_each_once(sorted(own, key=lambda one: -one.ratio))[:most] for own in told]


def _each_once(told):
    """Leave out words and kinds that tell of a part by another source already."""
    first = {_key(one): one for one in reversed(told)}
    return [one for one in told if first[_key(one)] is one]


def _key(one):
    return (one.source, one.kind) if one.kind in ("low", "high") else one.what


def _ratio(a, b, n, N):
    """Return twice the log likelihood ratio of tables in which a of n and b of N objects have a feature."""
    tables = ((a, n * b), (b - a, (N - n) * b), (n - a, n * (N - b)), (N - n - b + a, (N - n) * (N - b)))
    return 2 * sum(xlogy(seen, seen * N / np.maximum(expected, 1)) for seen, expected in tables)
