"""The maps of the reading exam: made data whose truth is known, their maps, and what one might say of the data.

Each function makes objects, maps them, and says of the data what the map seems to say. Whether that is true is computed
from the data. A statement may be concluded from maps of its kind if it is true of nearly all of them: `rates` draws
other data of the same kind, in which the truth varies, and counts.
Longer than 300 lines because the eleven kinds are read beside one another, each with its data, map and statements.
"""

import warnings
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse.csgraph import connected_components

from notebook_sne.engine.checks.arrays import Array, Floats
from notebook_sne.models.sne import SNE
from notebook_sne.models.tsne import TSNE

__all__ = ["ENOUGH", "KINDS", "Made", "Statement", "clumps", "may_be_concluded", "rates"]

N_DRAWN = 10
ENOUGH = 0.9  # of the data sets that are drawn: what is right this often may be concluded
LETTERS = np.array(["A", "B", "C", "D"])


class Statement(NamedTuple):
    """What a map seems to say of its data, and whether it is true."""

    text: str
    true: bool


class Made(NamedTuple):
    """Made data and their maps."""

    caption: str
    maps: list[Floats]
    labels: Array | None
    statements: dict[str, Statement]
    X: Floats


def _squares(A: Floats) -> Floats:
    D: Floats = np.square(A[:, None] - A).sum(axis=2)
    np.fill_diagonal(D, np.inf)
    return D


def _nearest(A: Floats, k: int) -> Any:
    return np.argsort(_squares(A), axis=1, kind="stable")[:, :k]


def _kept(X: Floats, Y: Floats, k: int = 10) -> float:
    """Return which part of the k nearest in a map are among the k nearest in the data."""
    return float(np.mean([np.isin(a, b).mean() for a, b in zip(_nearest(Y, k), _nearest(X, k), strict=True)]))


def _purity(A: Floats, labels: Array) -> float:
    """Return which part of the objects have a nearest neighbor of their own group."""
    return float((labels[_nearest(A, 1)[:, 0]] == labels).mean())


def _widths(A: Floats, labels: Array) -> Floats:
    groups = [A[labels == c] for c in np.unique(labels)]
    return np.array([np.sqrt(np.square(G - np.median(G, axis=0)).sum(axis=1).mean()) for G in groups])


def _nearest_pair(A: Floats, labels: Array) -> tuple[int, int]:
    D = _squares(np.array([A[labels == c].mean(axis=0) for c in np.unique(labels)]))
    i, j = np.unravel_index(int(np.argmin(D)), D.shape)
    return int(min(i, j)), int(max(i, j))


def clumps(Y: Floats, reach: float = 3.0) -> int:
    """Return how many clumps the eye sees: points hang together that are a few usual steps apart."""
    D = np.sqrt(_squares(Y))
    step = np.median(np.sort(D, axis=1)[:, 2])
    of = connected_components(reach * step > D, directed=False)[1]
    return int((np.bincount(of) >= max(4, len(Y) // 30)).sum())


def _tsne(X: Floats, generator: np.random.Generator, perplexity: float, init: str = "random") -> Floats:
    model = TSNE(perplexity=perplexity, max_iter=400, init=init, random_state=int(generator.integers(2**31)),
                 n_jobs=1, progress=False)  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of perplexities that are meant to be too large
        made: Floats = model.fit_transform(X)
    return made


def _groups(generator: np.random.Generator, numbers: Any, widths: Any, means: Floats) -> tuple[Floats, Array]:
    labels = np.repeat(np.arange(len(numbers)), numbers)
    noise = generator.normal(size=(len(labels), means.shape[1]))
    return means[labels] + np.asarray(widths)[labels, None] * noise, labels


def _means(generator: np.random.Generator, n: int, distance: float) -> Floats:
    """Return n means at one distance from one another, in ten dimensions."""
    made: Floats = distance / np.sqrt(2) * np.linalg.qr(generator.normal(size=(10, n)))[0].T
    return made


NEIGHBORS = "Most of the ten points nearest to a point belong to objects that are among its ten nearest in the data."


def _neighbors(X: Floats, *maps: Floats, k: int = 10) -> Statement:
    return Statement(NEIGHBORS, min(_kept(X, Y, k) for Y in maps) > 0.5)


def _first(X: Floats, Y: Floats) -> Statement:
    near = (_nearest(X, 5) == _nearest(Y, 1)).any(axis=1).mean()
    return Statement("Most points that lie nearest to a point are one of its five nearest in the data.", near > 0.5)


def widths(generator: np.random.Generator) -> Made:
    """Groups of unequal width."""
    apart = generator.random() < 0.5
    X, labels = _groups(generator, [35, 35, 35], generator.permutation([0.4, 1.0, 2.5]),
                        _means(generator, 3, 30.0 if apart else 1.5))  # fmt: skip
    if not apart:
        X += 2.5 * generator.normal(size=X.shape)  # the groups lie in one another
    Y = _tsne(X, generator, 15)
    widest, separate = int(_widths(Y, labels).argmax()), _purity(Y, labels) > 0.8
    own = "its own group" if separate else "whatever group"
    statements = {
        "widest": Statement(f"Group {LETTERS[widest]} is the widest of the three in the data.",
                            int(_widths(X, labels).argmax()) == widest),
        "separate": Statement(f"In the data, the object nearest to an object is of {own}.",
                              (_purity(X, labels) > 0.8) == separate),
    }  # fmt: skip
    return Made("t-SNE, perplexity 15, random start; colored by group", [Y], labels, statements, X)


def numbers(generator: np.random.Generator) -> Made:
    """Groups of unequal number, and of unequal density."""
    X, labels = _groups(generator, generator.permutation([15, 35, 75]), generator.permutation([0.3, 1.0, 3.0]),
                        _means(generator, 3, 30.0))  # fmt: skip
    Y = _tsne(X, generator, 10)
    spread = _widths(Y, labels)
    step = [np.median(_squares(A[labels == c]).min(axis=1)) for A in (X, Y) for c in range(3)]
    densest = int(np.argmin(step[3:]))
    statements = {
        "more": Statement(f"Group {LETTERS[spread.argmax()]}, which takes most room on the map, has the most objects.",
                          int(np.bincount(labels).argmax()) == int(spread.argmax())),
        "dense": Statement(f"Group {LETTERS[densest]}, whose points lie closest together, is the densest in the data.",
                           int(np.argmin(step[:3])) == densest),
    }  # fmt: skip
    return Made("t-SNE, perplexity 10, random start; colored by group", [Y], labels, statements, X)


def gaps(generator: np.random.Generator) -> Made:
    """Two near means and a far one, or gaps that are narrow."""
    wide = generator.random() < 0.5
    means = _means(generator, 4, 40.0 if wide else 7.0)
    near = generator.permutation(4)
    means[near[0]] = means[near[1]] + (means[near[0]] - means[near[1]]) * (0.5 if wide else 0.9)
    X, labels = _groups(generator, [30] * 4, [1.0] * 4, means)
    Y = _tsne(X, generator, 12)
    a, b = _nearest_pair(Y, labels)
    D = np.sqrt(_squares(np.array([X[labels == c].mean(axis=0) for c in range(4)])))
    statements = {
        "nearest": Statement(f"Of all pairs of groups, {LETTERS[a]} and {LETTERS[b]} are nearest in the data.",
                             _nearest_pair(X, labels) == (a, b)),
        "wide": Statement("Between any two groups, the gap in the data is wider than a group.",
                          bool(D.min() > 4 * _widths(X, labels).max())),
    }  # fmt: skip
    return Made("t-SNE, perplexity 12, random start; colored by group", [Y], labels, statements, X)


def _cloud_or_groups(generator: np.random.Generator) -> tuple[Floats, bool]:
    """Return one cloud of noise or four groups; and whether they are groups."""
    grouped = bool(generator.random() < 0.5)
    X, _ = _groups(generator, [30] * 4, [1.0] * 4, _means(generator, 4, 14.0 if grouped else 0.0))
    return X, grouped


def shreds(generator: np.random.Generator) -> Made:
    """A perplexity too small for anything but shreds."""
    X, _ = _cloud_or_groups(generator)
    Y = _tsne(X, generator, 2.5)
    statements = {
        "several": Statement("The objects form more than a dozen groups in the data.", False),
        "first": _first(X, Y),
    }  # fmt: skip
    return Made("t-SNE, perplexity 2.5, random start, 120 objects", [Y], None, statements, X)


def clouds(generator: np.random.Generator) -> Made:
    """A cloud or groups, at a usual perplexity."""
    X, grouped = _cloud_or_groups(generator)
    Y = _tsne(X, generator, 20)
    seen = clumps(Y) > 1
    told = "several separate groups" if seen else "one cloud without gaps"
    statements = {
        "groups": Statement(f"The data are {told}.", seen == grouped),
        "axis": Statement("Points on the right have larger values than those on the left in the feature that varies "
                          "most in the data.", bool(np.corrcoef(Y[:, 0], X[:, X.var(axis=0).argmax()])[0, 1] > 0.3)),
    }  # fmt: skip
    return Made("t-SNE, perplexity 20, random start, 120 objects", [Y], None, statements, X)


def too_wide(generator: np.random.Generator) -> Made:
    """A perplexity that is larger than the groups."""
    n = int(generator.integers(5, 9))
    pairs = _means(generator, 2, 60.0)
    inner = _means(generator, n, 9.0)
    X, _ = _groups(generator, [12] * n, [0.7] * n, inner + pairs[np.arange(n) % 2])
    Y = _tsne(X, generator, 8 * n)
    seen = clumps(Y, 4.0)
    statements = {
        "number": Statement(f"The data have {seen} separate group{'s' if seen > 1 else ''}, and not more.",
                            seen == n),
        "halves": Statement("Two objects at the opposite ends of the map are farther apart in the data than neighbors "
                            "on the map are.", _ends_are_far(X, Y)),
    }  # fmt: skip
    return Made(f"t-SNE, perplexity {8 * n:.0f}, random start, {12 * n} objects", [Y], None, statements, X)


def _ends_are_far(X: Floats, Y: Floats) -> bool:
    D, E = _squares(Y), _squares(X)
    np.fill_diagonal(D, -1)
    i, j = np.unravel_index(int(np.argmax(D)), D.shape)
    return bool(E[i, j] > 2 * np.median(E.min(axis=1)))


def ring(generator: np.random.Generator) -> Made:
    """A ring, or one that is open."""
    closed = generator.random() < 0.5
    t = np.linspace(0, 1 if closed else 0.8, 90, endpoint=not closed) * 2 * np.pi
    plane = np.linalg.qr(generator.normal(size=(5, 2)))[0]
    X = np.stack([np.cos(t), np.sin(t)], axis=1) @ plane.T + 0.02 * generator.normal(size=(90, 5))
    Y = _tsne(X, generator, 12, init="pca")
    steps = np.linalg.norm(Y - np.roll(Y, 1, axis=0), axis=1)
    seen = bool(steps[0] < 5 * np.median(steps[1:]))
    statements = {
        "closed": Statement(
            f"The objects lie on a curve that is {'closed' if seen else 'open'} in the data.", seen == closed
        ),
        "neighbors": _neighbors(X, Y),
    }
    return Made("t-SNE, perplexity 12, started at the principal components, 90 objects", [Y], None, statements, X)


def roll(generator: np.random.Generator) -> Made:
    """A sheet that is rolled up: whole, or cut in two."""
    cut = generator.random() < 0.5
    t = 1.5 * np.pi * (1 + 2 * generator.random(200))
    if cut:
        t = t[np.abs(t - 3 * np.pi) > 0.6]
    height = 21 * generator.random(len(t))
    X = np.stack([t * np.cos(t), height, t * np.sin(t)], axis=1)
    Y = _tsne(X, generator, 6)
    seen = clumps(Y, 2.5)
    statements = {
        "whole": Statement(f"The sheet is in {'one piece' if seen == 1 else 'parts'} in the data.", (seen == 1) != cut),
        "neighbors": _first(X, Y),
    }  # fmt: skip
    return Made("t-SNE, perplexity 6, random start; a rolled-up sheet", [Y], None, statements, X)


def isolated(generator: np.random.Generator) -> Made:
    """One object that is marked: far from all others, or not."""
    X = generator.normal(size=(100, 5))
    k = int(generator.integers(100))
    if generator.random() < 0.5:
        X[k] *= 15.0 / np.linalg.norm(X[k])
    Y = _tsne(X, generator, 15)
    far = [np.sqrt(_squares(A).min(axis=1)) for A in (X, Y)]
    seen, true = (bool(d[k] > 2.5 * np.median(d)) for d in (far[1], far[0]))
    told = "far from all others" if seen else "no farther from its nearest neighbor than others are"
    marked = np.where(np.arange(100) == k, "marked", "others")
    statements = {
        "isolated": Statement(f"The marked object is {told} in the data.", seen == true),
        "neighbors": _first(X, Y),
    }  # fmt: skip
    return Made("t-SNE, perplexity 15, random start, 100 objects, one of them marked", [Y], marked, statements, X)


def seeds(generator: np.random.Generator) -> Made:
    """Two random starts."""
    X, labels = _groups(generator, [30] * 4, [1.0] * 4, _means(generator, 4, 9.0))
    maps = [_tsne(X, generator, 15) for _ in range(2)]
    statements = {
        "wrong": Statement("As the groups lie elsewhere on the second map, one of the two maps shows groups that the "
                           "data do not have.", min(_purity(Y, labels) for Y in maps) < 0.9),
        "together": Statement("What lies in one group on both maps belongs together in the data.",
                              _purity(X, labels) > 0.9),
    }  # fmt: skip
    return Made("t-SNE, perplexity 15, two random starts; colored by group", maps, labels, statements, X)


def beside(generator: np.random.Generator) -> Made:
    """SNE beside t-SNE, of groups with wide or narrow gaps."""
    wide = generator.random() < 0.5
    X, labels = _groups(generator, [30] * 4, [1.0] * 4, _means(generator, 4, 30.0 if wide else 7.0))
    model = SNE(perplexity=15, max_iter=400, init="pca", n_jobs=1, progress=False, random_state=0)
    maps = [model.fit_transform(X), _tsne(X, generator, 15)]
    D = np.sqrt(_squares(np.array([X[labels == c].mean(axis=0) for c in range(4)])))
    statements = {
        "wide": Statement("The gaps on the right are wide, so between any two groups the gap in the data is wider "
                          "than a group.", bool(D.min() > 4 * _widths(X, labels).max())),
        "groups": Statement("The objects of each color are a group in the data, whose members are nearer to each other "
                            "than to members of other groups.", _purity(X, labels) > 0.9),
    }  # fmt: skip
    return Made("SNE on the left, t-SNE on the right, perplexity 15; colored by group", maps, labels, statements, X)


KINDS: dict[str, Callable[[np.random.Generator], Made]] = {
    one.__name__: one for one in (widths, numbers, gaps, shreds, clouds, too_wide, ring, roll, isolated, seeds, beside)
}
"""What makes the data and the maps of each kind."""


@cache
def rates(kind: str) -> dict[str, float]:
    """Return how often each statement is true of data of a kind, of which ten are drawn."""
    drawn = [KINDS[kind](np.random.default_rng((7, n))).statements for n in range(N_DRAWN)]
    return {name: float(np.mean([one[name].true for one in drawn])) for name in drawn[0]}


def may_be_concluded(kind: str, name: str) -> bool:
    """Tell whether a statement is true of enough data sets whose maps look like this one."""
    return rates(kind)[name] >= ENOUGH
