"""What the reading exam says of data: statements that hold under one caption and not under another.

A statement reads a map and says the same of its data. It may be concluded if it is true of nearly all data that are
drawn and mapped so: `rates` draws and counts. Each is asked under captions of both kinds: of distances between groups,
at a perplexity below the size of a group and above it; of widths, where densities are kept and where they aren't; of
neighbors, by t-SNE and by MDS. So no list of sentences is a key.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from notebook_sne.course.made_maps import Sight, drawn

__all__ = ["STATEMENTS", "asked_under", "may_be_concluded", "rates"]

N_DRAWN = 12
ENOUGH = 0.9  # of the data sets that are drawn: what is right this often may be concluded
PAIRS = ("A and B", "A and C", "B and C")


class Statement(NamedTuple):
    """What is said of the data: by a map alone, and whether it is true of them."""

    settings: tuple[str, ...]
    """Under which it is asked."""
    says: Callable[[Sight], str]
    holds: Callable[[Sight, Sight], bool]
    """Of data and map."""


def _read(settings: str, read: Callable[[Sight], Any], say: Callable[[Any], str]) -> Statement:
    """Return the statement that the data are as they look on the map, when both are read in one way."""
    named = tuple(settings.split("; "))
    return Statement(named, lambda map_: say(read(map_)), lambda data, map_: bool(read(data) == read(map_)))


def _held(settings: str, words: str, holds: Callable[[Sight, Sight], Any]) -> Statement:
    """Return a statement of data and map together."""
    return Statement(tuple(settings.split("; ")), lambda _: words, lambda data, map_: bool(holds(data, map_)))


def _first(settings: str, measured: str, words: str, names: Any, largest: bool = False) -> Statement:
    """Return the statement on which of three is least, or largest."""

    def read(s: Sight) -> int:
        numbers = getattr(s, measured)
        return int(numbers.argmax() if largest else numbers.argmin())

    return _read(settings, read, lambda at: words.format(names[at]))


def _order(settings: str, measured: str, words: str, names: Any) -> Statement:
    """Return the statement on the order of three."""
    return _read(settings, lambda s: tuple(np.argsort(getattr(s, measured))),
                 lambda order: words.format(*(names[at] for at in order)))  # fmt: skip


def _of_two(settings: str, measured: str, two: tuple[int, int], words: str, names: str) -> Statement:
    """Return the statement on which of two is less: the names are of the less and the more if the first one is."""
    return _read(settings, lambda s: bool(getattr(s, measured)[two[0]] < getattr(s, measured)[two[1]]),
                 lambda first: words.format(*(names if first else names[::-1])))  # fmt: skip


def _either(settings: str, read: Callable[[Sight], Any], words: str, yes: str, no: str) -> Statement:
    """Return the statement that something is so, or that it is not."""
    return _read(settings, lambda s: bool(read(s)), lambda so: words.format(yes if so else no))


def _found(of: Sight, among: Sight, k: int, n: int) -> float:
    """Return the share of the k nearest of an object by one sight that are among its n nearest by another."""
    return float(np.mean([np.isin(a[:k], b[:n]).mean() for a, b in zip(of.near, among.near, strict=True)]))


def _ends(data: Sight, map_: Sight) -> bool:
    ends = np.unravel_index(int(np.argmax(np.where(np.isfinite(map_.D), map_.D, -1))), map_.D.shape)
    return bool(data.D[ends] > np.quantile(data.pairs, 0.9))


def _out(s: Sight) -> float:
    """Return than which share of objects the marked one is farther out."""
    out = np.linalg.norm(s.places - s.places.mean(axis=0), axis=1)
    return float((out < out[s.marked]).mean())


_ALL = "groups, few; groups, more; groups, dense; groups, MDS"
_TWO = "groups, few; groups, dense"
_CLOUD = "cloud, few; cloud, usual; cloud, MDS"
_NEAR = f"groups, few; groups, more; groups, dense; {_CLOUD}; single, MDS"
_ONE, _OUT = "single, usual; single, MDS", "single, usual; single, dense"
_NEARER = "In the data, group {} is nearer to group {{}} than to group {{}}."
_WIDER = "In the data, group {} is narrower than group {}."
_DENSER = "In the data, group {} is denser than group {}."
_GAP = "In the data, the gap from group {} to group {{}} is narrower than that to group {{}}."
STATEMENTS = {
    "nearest pair": _first(_ALL, "apart", "Of the pairs of groups, {} are nearest to each other in the data.", PAIRS),
    "farthest pair": _first(_ALL, "apart", "Of the pairs of groups, {} are farthest apart in the data.", PAIRS, True),
    "order of pairs": _order(_ALL, "apart", "From near to far in the data, the pairs of groups are {}; {}; {}.", PAIRS),
    "near A": _of_two(_ALL, "apart", (0, 1), _NEARER.format("A"), "BC"),
    "near B": _of_two(_ALL, "apart", (0, 2), _NEARER.format("B"), "AC"),
    "near C": _of_two(_ALL, "apart", (1, 2), _NEARER.format("C"), "AB"),
    "alone": _first(_ALL, "apart", "In the data, group {} is farther from both others than these are apart.", "CBA"),
    "between": _first(_ALL, "apart", "In the data, group {} is nearer to both others than these are to each other.",
                      "CBA", True),
    "narrow gap": _first(_ALL, "gaps", "In the data, the narrowest gap is that between groups {}.", PAIRS),
    "wide gap": _first(_ALL, "gaps", "In the data, the widest gap is that between groups {}.", PAIRS, True),
    "order of gaps": _order(_ALL, "gaps", "From narrow to wide in the data, the gaps are between {}; {}; {}.", PAIRS),
    "gap of A": _of_two(_ALL, "gaps", (0, 1), _GAP.format("A"), "BC"),
    "gap of B": _of_two(_ALL, "gaps", (0, 2), _GAP.format("B"), "AC"),
    "gap of C": _of_two(_ALL, "gaps", (1, 2), _GAP.format("C"), "AB"),
    "two ends": _held(f"{_ALL}; curve, few; curve, MDS", "The two objects that are farthest apart on the map are among "
                      "the tenth of pairs that are farthest apart in the data.", _ends),
    "widest": _first(_TWO, "widths", "Group {} is the widest of the three in the data.", "ABC", True),
    "narrowest": _first(_TWO, "widths", "Group {} is the narrowest of the three in the data.", "ABC"),
    "order of widths": _order(_TWO, "widths", "From narrow to wide in the data, the groups are {}, {}, {}.", "ABC"),
    "A or B": _of_two(_TWO, "widths", (0, 1), _WIDER, "AB"),
    "A or C": _of_two(_TWO, "widths", (0, 2), _WIDER, "AC"),
    "B or C": _of_two(_TWO, "widths", (1, 2), _WIDER, "BC"),
    "denser: A or B": _of_two(_TWO, "steps", (0, 1), _DENSER, "AB"),
    "denser: B or C": _of_two(_TWO, "steps", (1, 2), _DENSER, "BC"),
    "denser: A or C": _of_two(_TWO, "steps", (0, 2), _DENSER, "AC"),
    "densest": _first(_TWO, "steps", "Group {} is the densest of the three in the data.", "ABC"),
    "loosest": _first(_TWO, "steps", "Group {} is the least dense of the three in the data.", "ABC", True),
    "order of densities": _order(_TWO, "steps", "From dense to loose in the data, the groups are {}, {}, {}.", "ABC"),
    "one of five": _held(f"{_NEAR}; groups, MDS; single, usual", "For most points, the nearest point is one of the "
                         "five nearest objects in the data.", lambda data, map_: _found(map_, data, 1, 5) > 0.5),
    "one of ten": _held(f"{_NEAR}; single, dense", "For three objects in four, the nearest one in the data is among "
                        "the ten nearest points.", lambda data, map_: _found(data, map_, 1, 10) > 0.75),
    "most of ten": _held(_ONE, "Of the ten points nearest to a point, most are among its ten "
                         "nearest objects in the data.", lambda data, map_: _found(map_, data, 10, 10) > 0.5),
    "strangers": _held("single, dense; single, MDS", "For at most one point in five, the nearest point is not even "
                       "among the twenty nearest in the data.", lambda data, map_: _found(map_, data, 1, 20) > 0.8),
    "far ends": _held(f"{_CLOUD}; curve, MDS", "Two objects at opposite ends "
                      "of the map are farther apart in the data than nine of ten pairs.", _ends),
    "in pieces": _read("curve, few; curve, usual", lambda s: s.pieces,
                       lambda n: f"In the data, the curve is in {n} piece{'s' * (n > 1)}."),
    "whole": _either("curve, few; curve, usual; curve, MDS", lambda s: s.pieces > 1, "In the data, the curve {}.",
                     "is broken", "has no break"),
    "distances": _held("curve, few; curve, usual; curve, MDS; single, dense; single, usual", "Distances on the "
                       "map are nearly proportional to those in the data: their correlation is above 0.8.",
                       lambda data, map_: np.corrcoef(data.pairs, map_.pairs)[0, 1] > 0.8),
    "isolated": _either(_OUT, lambda s: s.loneliness[s.marked] > 2.5, "In the data, the marked "
                        "object is {} from its nearest one than others are.", "much farther", "not much farther"),
    "loneliest": _either(_OUT, lambda s: s.loneliness.argmax() == s.marked, "In the data, {} "
                         "object is farthest from its nearest one.", "the marked", "another than the marked"),
    "rim": _either(_ONE, lambda s: _out(s) > 0.9, "In the data, the marked object is {} the tenth "
                   "of objects that are farthest from the middle.", "among", "not among"),
}  # fmt: skip
"""All statements by their names."""


def asked_under(setting: str) -> list[str]:
    """Return the names of the statements that are asked under a setting."""
    return [name for name, statement in STATEMENTS.items() if setting in statement.settings]


@cache
def rates(setting: str) -> dict[str, float]:
    """Return how often each statement is true of the data that are drawn under a setting."""
    sights = [drawn(setting, np.random.default_rng((7, n))) for n in range(N_DRAWN)]
    return {name: float(np.mean([STATEMENTS[name].holds(*both) for both in sights])) for name in asked_under(setting)}


def may_be_concluded(setting: str, name: str) -> bool:
    """Tell whether a statement is true of enough of the data that are drawn and mapped as the caption says."""
    return rates(setting)[name] >= ENOUGH
