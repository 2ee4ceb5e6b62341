"""How sure is what a map shows? The same data are mapped again, from other seeds and resamples.

What returns is counted. Places say nothing, as a map may be turned and mirrored, and whole groups change places from
start to start. So a fit is read by its neighbor relations alone: in which region an object lies, and whether two
regions are joined, neighbors or apart. A bootstrap draws N of the N objects with replacement [Efron1979], and maps each
drawn one once: two copies of an object would be each other's nearest neighbors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.engine.checks.arguments import LEAST_OBJECTS
from notebook_sne.engine.checks.arrays import Floats, Ints
from notebook_sne.engine.checks.numbers import as_list, show
from notebook_sne.engine.objects.labels import UNLABELED, sort_classes
from notebook_sne.engine.objects.repr_html import FIRST, table_html
from notebook_sne.quality.neighbors import check_k, neighbors

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Certainty", "certainty"]

# Two regions are joined by a border this share as long as one that cuts the smaller of them in two.
_BORDER = 0.5


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Certainty:
    """What several fits of the same N objects say of R regions.

    Attributes
    ----------
    regions : tuple of str
        Their names.
    region : ndarray of int, shape (N,)
        The number of each object's region, -1 for none.
    n_fits : int
        Number of fits.
    joined, neighbors, apart : ndarray, shape (R, R)
        In which share of the fits each pair of regions is joined; not joined, but one is nearest to the other; neither.
        The three sum to 1; NaN on the diagonal, and where no fit holds both regions.
    together : ndarray of int, shape (R, R)
        Of how many fits these are shares: of those that hold both regions.
    membership : ndarray, shape (N, R)
        In which share of the fits that hold an object it lies among each region: the k objects nearest to it vote, and
        a tie is shared. NaN for an object that no fit holds, or that has no label.
    so_far : ndarray, shape (n_fits, N)
        What the first fit, the first two and so on say of each object: the share of them in which it lies in its most
        frequent region; NaN where they say nothing.
    agreement : float
        How probable it is that two of the fits say the same of a pair of regions, mean over the pairs: about 1 / 3 if
        the three come equally often, 1 if all fits say the same.
    """

    regions: tuple[str, ...]
    region: Ints
    n_fits: int
    joined: Floats
    neighbors: Floats
    apart: Floats
    together: Ints
    membership: Floats
    so_far: Floats
    agreement: float

    @property
    def objects(self) -> Floats:
        """ndarray, shape (N,): the share of fits in which an object lies in its most frequent region; colors a map."""
        return self.so_far[-1]

    @property
    def pairs(self) -> pd.DataFrame:
        """DataFrame: a row for each pair of regions, the least sure first: both, joined, neighbors, apart, surest."""
        import pandas as pd

        first, second = np.triu_indices(len(self.regions), 1)
        table = pd.DataFrame({
            "region": [self.regions[a] for a in first], "and": [self.regions[b] for b in second],
            **{name: getattr(self, name)[first, second] for name in ("joined", "neighbors", "apart")},
        })  # fmt: skip
        table["surest"] = table[["joined", "neighbors", "apart"]].max(axis=1)
        return table.sort_values("surest", kind="stable", ignore_index=True)

    def __repr__(self) -> str:
        return f"Certainty({len(self.regions)} regions, {self.n_fits} fits, agreement={self.agreement:.2f})"

    def _repr_html_(self) -> str:
        said = f"Two of {self.n_fits} fits say the same of {self.agreement:.0%} of the pairs of regions."
        rows = self.pairs.head(FIRST).itertuples(index=False)
        return table_html(said, self.pairs.columns, rows, len(self.pairs), "the least certain; all are in pairs")


def certainty(fits: Sequence[Any], labels: ArrayLike | None = None, k: int = 10) -> Certainty:
    """Return how often several fits of the same objects say the same: of each object, and of each pair of regions.

    In one fit, two regions are *joined* if the border between them is at least half as long as one that cuts the
    smaller of them in two:

    .. math:: (n_{ab} + n_{ba}) / 2  >=  (1 / 2) min(n, sqrt(k n) / 2)

    n_ab is the number of objects of region a with one of b among their k nearest on the map, n the number of objects of
    the smaller region; a straight border through n evenly spread points has about sqrt(k n) / 2 such objects on each
    side. Regions that aren't joined are *neighbors* if one of them is nearest to the other: most objects of it have
    their nearest object of another region there. All other pairs are *apart*. Shares are counted over the fits.

    Parameters
    ----------
    fits : sequence of array-like or estimator
        At least two maps of the same N objects in the same order, shape (N, d), as `refits` makes them; a row of NaN
        stands for an object that a fit doesn't hold. Or fitted models with one map.
    labels : array-like, shape (N,), optional
        The region of each object: classes, or clusters found in the data; objects without one (None, NaN) are in none.
        By default, the regions are the clusters of the first map, by HDBSCAN with at least N / 50 members.
    k : int, default=10
        Number of nearest objects on the map that are looked at.

    Returns
    -------
    found : Certainty
        The shares; `found.pairs` is a table of them, and `found.objects` colors a map. Views draw the pairs on a map:
        ``ns.views.svg(Y, labels, certainty=found)``, ``ns.watch(model, X, labels=labels, certainty=found)``.

    Raises
    ------
    ValueError
        If there are fewer than two fits, or all are the same; if they hold different objects, or several maps; if there
        are fewer than two regions.

    Notes
    -----
    A share is a statement about fits, and not yet about the data: what all fits make in the same way, all show. How
    often pairs that are joined in so many fits are joined in synthetic data, is measured in the benchmarks.

    [Efron1979] B. Efron, Bootstrap methods: another look at the jackknife, Annals of Statistics 7, 1979.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> clusters = ns.datasets.load_clusters((40, 40, 40), widths=1.0)
    >>> maps = ns.refits(ns.TSNE(perplexity=10, max_iter=150, progress=False), clusters.X, n_fits=4)
    >>> ns.certainty(maps, clusters.labels).joined[0, 1]
    np.float64(0.0)
    """
    maps = _read(fits)
    present = [np.flatnonzero(~np.isnan(Y).any(axis=1)) for Y in maps]
    k = check_k(k, min(map(len, present)) - 1, "the number of objects of each fit")
    names, region = _regions_of(maps[0], present[0], labels)
    R, N = len(names), len(region)
    counts, together = np.zeros((3, R, R)), np.zeros((R, R), dtype=np.int64)
    votes, held, so_far = np.zeros((N, R)), np.zeros(N), np.full((len(maps), N), np.nan)
    for f, (Y, rows) in enumerate(zip(maps, present, strict=True)):
        rows = rows[region[rows] != UNLABELED] if labels is not None else rows
        if len(rows) <= k:
            raise ValueError(f"each fit must hold more than k = {k} objects with a region, got {len(rows)}; lower k")
        near = region[rows[neighbors(Y[rows], k)]]
        own, sizes = region[rows], np.bincount(region[rows][region[rows] >= 0], minlength=R)
        tally = np.stack([(near == r).sum(axis=1) for r in range(R)], axis=1)
        top = (tally == tally.max(axis=1, keepdims=True)) & (tally > 0)
        votes[rows] += top / np.maximum(1, top.sum(axis=1, keepdims=True))
        held[rows] += 1
        np.divide(votes.max(axis=1), held, out=so_far[f], where=held > 0)
        there = sizes > 0
        both = np.outer(there, there)
        borders = np.stack([(tally[own == r] > 0).sum(axis=0) for r in range(R)]).astype(float)
        least = np.minimum.outer(sizes, sizes)
        joined = (borders + borders.T) / 2 >= _BORDER * np.minimum(least, np.sqrt(k * least) / 2)
        next_to = _next(Y[rows], own, R)
        joined &= both
        kinds = np.stack([joined, ~joined & next_to, ~joined & ~next_to])
        counts += kinds & both
        together += both
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = np.where(together > 0, counts / together, np.nan)
        same = (counts * (counts - 1)).sum(axis=0) / (together * (together - 1))
        membership = votes / np.where(held > 0, held, np.nan)[:, None]
    for one in shares:
        np.fill_diagonal(one, np.nan)
    pairs = np.triu_indices(R, 1)
    agreed = same[pairs][together[pairs] > 1]
    agreement = float(agreed.mean()) if len(agreed) else np.nan
    joined, next_to, apart = shares
    regions = tuple(map(str, names))
    return Certainty(regions, region, len(maps), joined, next_to, apart, together, membership, so_far, agreement)


def _next(Y: Floats, own: Ints, R: int) -> np.ndarray:
    """Return which regions are nearest to each other, shape (R, R), by the nearest strangers of most objects of one."""
    from scipy.spatial import cKDTree

    nearest = np.zeros((R, R), bool)
    for r in range(R):
        others = np.flatnonzero((own != r) & (own != UNLABELED))
        if len(others) and (own == r).any():
            strangers = own[others[cKDTree(Y[others]).query(Y[own == r])[1]]]
            found = np.bincount(strangers, minlength=R)
            nearest[r, np.argmax(found)] = True
    return nearest | nearest.T


def _read(fits):
    """Return the maps of fits, checked: all of the same objects, and not all the same."""
    given = [*fits] if isinstance(fits, np.ndarray) and fits.ndim == 3 else as_list("fits", fits)
    if len(given) < 2:
        raise ValueError(f"fits must hold at least two maps, got {len(given)}; one tells nothing of others: see refits")
    maps: list[Floats] = []
    for m, one in enumerate(given):
        if hasattr(one, "get_params") and getattr(one, "embedding_", None) is None:
            raise ValueError(f"fits[{m}] must be a map, or fitted with one map, got {type(one).__name__}")
        Y = np.asarray(getattr(one, "embedding_", one), dtype=np.float64)
        if Y.ndim != 2 or len(Y) < LEAST_OBJECTS:
            rule = f"fits[{m}] must be one map of {LEAST_OBJECTS} objects or more, shape (N, d)"
            raise ValueError(f"{rule}, got shape {Y.shape}")
        if len(Y) != len(maps[0] if maps else Y):
            rule = f"fits must hold the same objects, got {len(maps[0])} in fits[0] and {len(Y)} in fits[{m}]"
            raise ValueError(f"{rule}; give a row of NaN for each object that a fit does not hold, as refits does")
        bad = np.flatnonzero(np.isinf(Y).any(axis=1) | (np.isnan(Y).any(axis=1) & ~np.isnan(Y).all(axis=1)))
        if len(bad):
            rule = f"fits[{m}] must be finite, but for whole rows of NaN"
            raise ValueError(f"{rule}, got {show(Y[bad[0]].tolist())} for object {bad[0]}")
        maps.append(Y)
    if all(np.array_equal(Y, maps[0], equal_nan=True) for Y in maps[1:]):
        way = "give the model init='random', or resample, as refits does"
        raise ValueError(f"fits must differ, got {len(maps)} equal maps, as from one start for each seed; {way}")
    return maps


def _regions_of(Y: Floats, present: Ints, labels: Any) -> tuple[Sequence[Any], Ints]:
    """Return the names of regions and the number of each object's."""
    if labels is not None:
        names, region = sort_classes(labels, len(Y))
    else:
        from sklearn.cluster import HDBSCAN

        region = np.full(len(Y), UNLABELED)
        region[present] = HDBSCAN(min_cluster_size=max(5, len(present) // 50), copy=True).fit_predict(Y[present])
        names = [f"region {r + 1}" for r in range(region.max() + 1)]
    if len(names) < 2:
        raise ValueError(
            f"there must be two regions or more, got {len(names)}; give labels, such as classes or clusters of the data"
        )
    return names, np.asarray(region)
