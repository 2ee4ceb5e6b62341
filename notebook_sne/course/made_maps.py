"""The maps of the reading exam: data that are drawn, what a caption tells of them and of their map, and how one reads.

A setting leaves something of its data open. What can be read off places is read in one way off data and maps.
"""

import warnings
from collections.abc import Callable
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse.csgraph import connected_components

from notebook_sne.baselines.metric_mds import MetricMDS
from notebook_sne.engine.checks.arrays import Array, Floats
from notebook_sne.models.tsne import TSNE

__all__ = ["LETTERS", "SETTINGS", "Setting", "Sight", "drawn"]

LETTERS = np.array(["A", "B", "C"])


class Sight:
    """What can be read off places, in the data or on a map: one way of reading for both."""

    def __init__(self, places: Floats, labels: Array) -> None:
        self.places, self.labels = places, labels
        self.D: Floats = np.sqrt(np.square(places[:, None] - places).sum(axis=2))
        np.fill_diagonal(self.D, np.inf)

    @cached_property
    def near(self) -> Any:
        """The others of each object, the nearest first, shape (N, N)."""
        return np.argsort(self.D, axis=1, kind="stable")

    @cached_property
    def pairs(self) -> Floats:
        """The distances of all pairs."""
        return self.D[np.triu_indices(len(self.D), 1)]

    def _groups(self) -> list[Floats]:
        return [self.places[self.labels == letter] for letter in LETTERS]

    @cached_property
    def apart(self) -> Floats:
        """Distances between the middles of groups: AB, AC, BC."""
        middles = [np.median(group, axis=0) for group in self._groups()]
        return np.array([np.linalg.norm(a - b) for a, b in combinations(middles, 2)])

    @cached_property
    def gaps(self) -> Floats:
        """Distances between the nearest members of two groups: AB, AC, BC."""
        inside = [self.labels == letter for letter in LETTERS]
        return np.array([self.D[a][:, b].min() for a, b in combinations(inside, 2)])

    @cached_property
    def widths(self) -> Floats:
        """Root mean square distances from the middles of groups."""
        return np.array([np.sqrt(np.square(group - group.mean(axis=0)).sum(axis=1).mean()) for group in self._groups()])

    @cached_property
    def steps(self) -> Floats:
        """Median distances to the nearest object, of each group."""
        return np.array([np.median(self.D[self.labels == letter].min(axis=1)) for letter in LETTERS])

    @cached_property
    def pieces(self) -> int:
        """In how many pieces the eye sees objects: those hang together that are a few usual steps apart."""
        step = np.median(np.sort(self.D, axis=1)[:, 2])
        of = connected_components(4 * step > self.D, directed=False)[1]
        return int((np.bincount(of) >= max(4, len(self.D) // 30)).sum())

    @cached_property
    def loneliness(self) -> Floats:
        """The distance of each object from its nearest one, in medians."""
        least = self.D.min(axis=1)
        return np.asarray(least / np.median(least))

    @cached_property
    def marked(self) -> int:
        """The object that is marked."""
        return int(np.argmax(self.labels == "marked"))


def _groups(generator: np.random.Generator) -> tuple[Floats, Array]:
    """Three groups of thirty, whose distances and widths differ: which are which is left open."""
    a, b, c = generator.permutation([1.0, 1.5, 2.2]) * generator.uniform(8, 16)
    x = (a * a + b * b - c * c) / (2 * a)
    means = np.array([[0, 0], [a, 0], [x, np.sqrt(b * b - x * x)]]) @ np.linalg.qr(generator.normal(size=(10, 2)))[0].T
    of = np.repeat(range(3), 30)
    widths = generator.permutation([0.4, 0.8, 1.6])
    return means[of] + widths[of, None] * generator.normal(size=(90, 10)), LETTERS[of]


def _cloud(generator: np.random.Generator) -> tuple[Floats, Array]:
    """One cloud or four groups."""
    means = 10 * np.linalg.qr(generator.normal(size=(10, 4)))[0].T * generator.integers(2)
    return means[np.arange(120) % 4] + generator.normal(size=(120, 10)), np.full(120, "")


def _curve(generator: np.random.Generator) -> tuple[Floats, Array]:
    """A ring, whole or in two pieces."""
    turn = np.linspace(0, 1, 90, endpoint=False)
    if generator.random() < 0.5:
        turn = np.where(turn < 0.5, 0.8 * turn, 0.5 + 0.8 * (turn - 0.5))
    circle = np.stack([np.cos(2 * np.pi * turn), np.sin(2 * np.pi * turn)], axis=1)
    plane = np.linalg.qr(generator.normal(size=(5, 2)))[0].T
    return circle @ plane + 0.02 * generator.normal(size=(90, 5)), np.full(90, "")


def _single(generator: np.random.Generator) -> tuple[Floats, Array]:
    """A cloud with one marked object, which may be far out."""
    X, k = generator.normal(size=(100, 5)), generator.integers(100)
    if generator.random() < 0.5:
        X[k] *= 12.0 / np.linalg.norm(X[k])
    return X, np.where(np.arange(100) == k, "marked", "others")


def _tsne(perplexity: float, init: str = "random", **more: Any) -> Callable[[Floats, int], Floats]:
    def made(X: Floats, seed: int) -> Floats:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of perplexities that are meant to be too large
            model = TSNE(perplexity=perplexity, max_iter=400, init=init, n_jobs=1, progress=False, **more)
            Y: Floats = model.set_params(random_state=seed).fit_transform(X)
        return Y

    return made


def _mds(X: Floats, seed: int) -> Floats:
    return MetricMDS(random_state=seed).fit_transform(X)


class Setting(NamedTuple):
    """What a caption tells, the data behind it, and how they are mapped."""

    caption: str
    data: Callable[[np.random.Generator], tuple[Floats, Array]]
    mapped: Callable[[Floats, int], Floats]


_THREE, _MANY, _RING = "three groups of 30 objects, colored", "120 objects", "90 objects on a curve"
_ONE = "100 objects, one of them marked"
SETTINGS = {
    "groups, few": Setting(f"t-SNE, perplexity 10, random start; {_THREE}", _groups, _tsne(10)),
    "groups, more": Setting(f"t-SNE, perplexity 60, random start; {_THREE}", _groups, _tsne(60)),
    "groups, dense": Setting(
        f"t-SNE that keeps densities (density=0.5), perplexity 10, random start; {_THREE}",
        _groups, _tsne(10, density=0.5),
    ),
    "groups, MDS": Setting(f"metric MDS; {_THREE}", _groups, _mds),
    "cloud, few": Setting(f"t-SNE, perplexity 2.5, random start; {_MANY}", _cloud, _tsne(2.5)),
    "cloud, usual": Setting(f"t-SNE, perplexity 20, random start; {_MANY}", _cloud, _tsne(20)),
    "cloud, MDS": Setting(f"metric MDS; {_MANY}", _cloud, _mds),
    "curve, few": Setting(f"t-SNE, perplexity 2.5, random start; {_RING}", _curve, _tsne(2.5)),
    "curve, usual": Setting(
        f"t-SNE, perplexity 12, started at the principal components; {_RING}", _curve, _tsne(12, "pca")
    ),
    "curve, MDS": Setting(f"metric MDS; {_RING}", _curve, _mds),
    "single, usual": Setting(f"t-SNE, perplexity 15, random start; {_ONE}", _single, _tsne(15)),
    "single, dense": Setting(
        f"t-SNE that keeps densities (density=0.5), perplexity 15, random start; {_ONE}",
        _single, _tsne(15, density=0.5),
    ),
    "single, MDS": Setting(f"metric MDS; {_ONE}", _single, _mds),
}  # fmt: skip


def drawn(setting: str, generator: np.random.Generator) -> tuple[Sight, Sight]:
    """Draw data of a setting and map them; return what can be read off both."""
    made = SETTINGS[setting]
    X, labels = made.data(generator)
    return Sight(X, labels), Sight(made.mapped(X, int(generator.integers(2**31))), labels)
