"""Lecture 11: a crowd that is lumped together, sums by squares, and neighbors that a search misses."""

import numpy as np

from notebook_sne.course.tasks import Posed, returned, values
from notebook_sne.engine.checks.arrays import Array, Floats

__all__ = ["long", "short"]


def push_of(Y: Floats, others: Floats, counts: Array | float = 1.0) -> Floats:
    """Return the sum of (y_i - y_j) / (1 + |y_i - y_j|^2)^2 over others, each as often as it counts."""
    apart = Y[:, None] - others
    weights = counts / (1 + np.square(apart).sum(axis=2)) ** 2
    return (weights[:, :, None] * apart).sum(axis=1)


def lumped_of(Y: Floats, h: float, reach: int = 1) -> Floats:
    """Return the pushes where a square that does not touch an object's own counts as one place."""
    squares, of, counts = np.unique(np.floor(Y / h), axis=0, return_inverse=True, return_counts=True)
    of = of.ravel()
    means = np.array([Y[of == c].mean(axis=0) for c in range(len(squares))])
    made = np.empty_like(Y)
    for i, y in enumerate(Y):
        far = np.abs(squares - squares[of[i]]).max(axis=1) > reach
        made[i] = (push_of(y[None], Y[~far[of]]) + push_of(y[None], means[far], counts[far]))[0]
    return made


def short(generator: np.random.Generator) -> Posed:
    """A crowd far off: one by one, and as one."""
    crowd, y = generator.uniform(-1, 1, size=(100, 2)), generator.choice([-1, 1], 2) * generator.uniform(3, 6, size=2)
    middle = crowd.mean(axis=0, keepdims=True)
    push, lumped = push_of(y[None], crowd)[0], push_of(y[None], middle, 100.0)[0]
    d = np.square(y - crowd).sum(axis=1, keepdims=True)

    data = {"crowd": crowd, "y": y}
    parts = {
        "push": values(2, "sum of (y - y_j) / (1 + |y - y_j|^2)^2 over the crowd, shape (2,)", push, [
            (-push, "points toward the crowd"), (push / 100, "is a mean, where a sum is asked for"),
            (((y - crowd) / (1 + d)).sum(axis=0), "lacks the square"),
            (((y - crowd) / (1 + np.sqrt(d)) ** 2).sum(axis=0), "takes the distance where its square belongs"),
        ]),
        "lumped": values(2, "the same with all of the crowd at its mean, shape (2,)", lumped, [
            (lumped / 100, "counts the crowd as one object"), (push, "is the sum one by one"),
            (-lumped, "points toward the crowd"),
        ]),
    }  # fmt: skip
    return Posed("A crowd, from far away", data, parts)


def long(generator: np.random.Generator) -> Posed:
    """All pairs, the same by squares, and how many of the neighbors a search has found."""
    Y, h = 6 * generator.normal(size=(120, 2)), round(float(generator.uniform(3.0, 4.0)), 2)
    push, lumped = push_of(Y, Y), lumped_of(Y, h)
    error = np.linalg.norm(lumped - push) / np.linalg.norm(push)
    near = np.array([generator.permutation(80)[:10] for _ in range(40)])
    found = np.array([generator.permutation(np.r_[row[: generator.integers(4, 11)], 80:90])[:10] for row in near])
    share = np.mean([len(set(a) & set(b)) / 10 for a, b in zip(near, found, strict=True)])

    data = {"Y": Y, "h": h, "near": near, "found": found}
    parts = {
        "push": returned(3, "function of Y: for each object the sum of (y_i - y_j) / (1 + |y_i - y_j|^2)^2 over all "
                         f"others, shape {Y.shape}", [Y], push, [
            (-push, "points toward the others"), (push / 120, "is a mean, where a sum is asked for"),
            (4 * push, "is four times the sum"),
        ]),
        "lumped": returned(6, "function of Y and h: the same, where the objects of each square of the side h, "
                           "floor(Y / h), count as one place, their mean, unless the square is the object's own or "
                           f"one of the eight around it; shape {Y.shape}", [Y, h], lumped, [
            (push, "is the sum over all pairs: is every square counted one by one?"),
            (lumped_of(Y, h, reach=0), "lumps the eight squares around an object's own as well"),
            (lumped_of(Y, h, reach=2), "counts one by one in more than the eight squares around"),
        ]),
        "error": values(2, "length of the difference of the two, over that of the first, for all of Y together, a "
                        "number", error, [
            (np.linalg.norm(lumped - push), "is a length and no ratio"), (100 * error, "is a percentage and no ratio"),
            ((np.linalg.norm(lumped - push, axis=1) / np.linalg.norm(push, axis=1)).mean(), "is a mean of ratios"),
        ]),
        "recall": values(2, "share of the ten nearest of each object, `near`, that a search has `found`, a number",
                         share, [
            ((near == found).mean(), "asks for the same neighbors in the same order"),
            (10 * share, "is a number of neighbors and no share"), (1 - share, "is the share that is missed"),
        ]),
    }  # fmt: skip
    return Posed("A sum by squares", data, parts)
