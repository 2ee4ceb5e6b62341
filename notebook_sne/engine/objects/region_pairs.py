"""Pairs of regions over several fits, as every picture draws them: regions are classes of the objects.

`quality.certainty` finds them. A line joins two regions of a map that aren't apart: solid if they are joined in nearly
all fits, dashed if fits disagree, dotted if they are neighbors in most. This is the rule of the browser, too
(``frontend/player/map/region_pairs.js``).

The same fits say how sure each object is, and a picture draws that as a depth of field: an object that lies in one
region in every fit is sharp, and one that doesn't is out of focus, its ink spread wider.
"""

from typing import Any, NamedTuple

import numpy as np

from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.objects.labels import UNLABELED, Labels

__all__ = [
    "BLURS",
    "DASHED",
    "DOTTED",
    "MOST_REGIONS",
    "SOLID",
    "RegionPairs",
    "blurs_of",
    "line_of",
    "pair_sentence",
    "read_certainty",
    "with_pairs",
]

SOLID, DASHED, DOTTED = "solid", "dashed", "dotted"
MOST_REGIONS = 256  # whose pairs are counted
BLURS = 5  # steps out of focus
_KINDS = ("joined", "neighbors", "apart")


class RegionPairs(NamedTuple):
    """How often pairs of regions are joined, neighbors or apart."""

    regions: tuple[str, ...]
    """Their names."""
    region: np.ndarray
    """The number of each object's region, int64, shape (N,); UNLABELED for none."""
    counts: np.ndarray
    """In how many fits each pair is joined, neighbors, apart, uint32, shape (R (R - 1) / 2, 3); first those of
    region 0."""
    blurs: np.ndarray | None = None
    """How far out of focus each object is by the first fit, the first two and so on, uint8, shape (n_fits, N)."""


def read_certainty(certainty: Any, n_objects: int | None) -> RegionPairs | None:
    """Return the pairs of regions of what `quality.certainty` returns; None for None.

    Raises a TypeError if it is anything else, a ValueError if it is of other objects or of more regions than a view can
    tell apart.
    """
    if certainty is None:
        return None
    if not isinstance(certainty, RegionPairs):
        if not all(hasattr(certainty, name) for name in ("regions", "region", "together", "so_far", *_KINDS)):
            raise TypeError(
                f"certainty must be what certainty(fits, labels) returns, got {show(certainty)}; write "
                "certainty=ns.certainty(maps, labels)"
            )
        pairs = np.triu_indices(len(certainty.regions), 1)
        shares = np.stack([getattr(certainty, name)[pairs] for name in _KINDS], axis=1)
        counts = np.rint(np.nan_to_num(shares) * certainty.together[pairs][:, None]).astype(np.uint32)
        names, blurs = tuple(map(str, certainty.regions)), blurs_of(certainty.so_far)
        certainty = RegionPairs(names, np.array(certainty.region), counts, blurs)
    R = len(certainty.regions)
    if R > MOST_REGIONS:
        raise ValueError(f"certainty must have at most {MOST_REGIONS} regions to be drawn, got {R}; find larger ones")
    if n_objects is not None and len(certainty.region) != n_objects:
        raise ValueError(
            f"certainty must be of the {n_objects} objects shown, got one of {len(certainty.region)}; give that of "
            "fits of these objects"
        )
    return certainty


def blurs_of(so_far: np.ndarray) -> np.ndarray:
    """Return how far out of focus objects are, from 0 to BLURS, of shares of the fits that put them in one region.

    Farthest out are those that half of the fits put elsewhere. One fit has no other to differ from, and fits that say
    nothing of an object leave it as it is.
    """
    doubt = np.clip(2 * (1 - np.nan_to_num(np.asarray(so_far, dtype=float), nan=1.0)), 0, 1)
    doubt[0] = 0
    return np.rint(BLURS * doubt).astype(np.uint8)


def with_pairs(labels: Labels, certainty: Any, n_objects: int) -> tuple[Labels, np.ndarray | None]:
    """Return Labels with the regions as classes, and the counts of pairs of classes; without a certainty None.

    Classes that are given must be the regions; where none are, the regions are the classes. Raises a ValueError if they
    are others, and the errors of `read_certainty`.
    """
    pairs = read_certainty(certainty, n_objects)
    if pairs is None:
        return labels, None
    if labels.classes is None:
        return Labels(pairs.region, pairs.regions), pairs.counts
    R, way = len(pairs.regions), "give the same labels to certainty(fits, labels), or leave labels out here"
    if set(labels.class_names) != set(pairs.regions) or len(labels.class_names) != R:
        raise ValueError(
            f"certainty must have the classes of labels, {_named(labels.class_names)}, as regions, got "
            f"{_named(pairs.regions)}; {way}"
        )
    number = np.array([*map(pairs.regions.index, labels.class_names), UNLABELED])  # the region of each class
    other = np.flatnonzero(number[labels.classes] != pairs.region)
    if len(other):
        i, names = other[0], [*pairs.regions, None]
        raise ValueError(
            f"certainty must have the region of each object that labels say, got {show(names[pairs.region[i]])} for "
            f"object {i} with the label {show(labels.texts[i])}, one of {len(other)} that differ; {way}"
        )
    square = np.zeros((R, R, 3), dtype=np.uint32)
    rows = np.triu_indices(R, 1)
    square[rows] = square[rows[1], rows[0]] = pairs.counts
    return labels, square[np.ix_(number[:-1], number[:-1])][rows]


def _named(names):
    return ", ".join(map(show, names[:5])) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def line_of(joined: int, neighbors: int, apart: int) -> str | None:
    """Return how the line between two regions is drawn; None for none."""
    fits = joined + neighbors + apart
    if 10 * joined > fits:
        return SOLID if 10 * joined >= 9 * fits else DASHED
    return DOTTED if 2 * (joined + neighbors) > fits else None


def pair_sentence(one: str, other: str, joined: int, neighbors: int, apart: int) -> str:
    """Return what the fits say of two regions."""
    return (
        f"{one} and {other} are joined in {joined} of {joined + neighbors + apart} fits, neighbors in {neighbors}, "
        f"apart in {apart}"
    )
