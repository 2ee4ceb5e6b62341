"""Lecture 13: a table whose columns have units of their own, its map, and what two maps of it agree about."""

from typing import Any

import numpy as np

from notebook_sne.course.checks_of_tasks import Wrong, array, equal, needs, number
from notebook_sne.course.tasks import Part, Posed, values
from notebook_sne.course.tasks.readings import recall_of
from notebook_sne.engine.checks.arrays import Floats

__all__ = ["long", "short"]

N, K = 150, 10
ENOUGH = 0.6  # of the ten nearest: t-SNE of the scaled table keeps 0.66 or more, of the table as it is 0.33 or less


def table_of(generator: np.random.Generator) -> Floats:
    """Return a bent sheet in three pieces, seen by six columns, and a column of noise in a large unit."""
    across, up = generator.uniform(size=N), generator.uniform(high=0.5, size=N)
    sheet = np.stack([np.cos(3 * across), np.sin(3 * across), up, across * up, 0.8 * generator.integers(3, size=N)], 1)
    seen = sheet @ generator.normal(size=(5, 6)) + 0.2 * generator.normal(size=(N, 6))
    units = np.append(generator.uniform(0.5, 2.0, size=6), generator.uniform(8.0, 20.0))
    X = np.column_stack([seen / seen.std(axis=0), generator.normal(size=N)]) + generator.uniform(5.0, 50.0, size=7)
    return (X * units)[:, generator.permutation(7)]


def scaled_of(X: Floats) -> Floats:
    """Return a table of columns with mean 0 and standard deviation 1."""
    return (X - X.mean(axis=0)) / X.std(axis=0)


def short(generator: np.random.Generator) -> Posed:
    """Which column decides, and what becomes of it in a scaled table."""
    X = table_of(generator)

    scaled, variances, deviations = scaled_of(X), X.var(axis=0), X.std(axis=0)
    shares = variances / variances.sum()
    parts = {
        "shares": values(2, "share of each column in the squared distances of all pairs, shape (7,)", shares, [
            (deviations / deviations.sum(), "adds standard deviations, where squared distances add up"),
            (np.square(X).sum(axis=0) / np.square(X).sum(), "is a share of squares from 0, and not between rows"),
            (np.ptp(X, axis=0) / np.ptp(X, axis=0).sum(), "is a share of ranges"),
        ], least=0.0),
        # A table of N - 1 degrees of freedom is as good.
        "scaled": values(1, "the table with each column's mean 0 and standard deviation 1, shape (150, 7)", scaled, [
            (X / deviations, "isn't centered"), ((X - X.mean(axis=0)) / variances, "is divided by variances"),
            (scaled_of(X.T).T, "is scaled row by row"),
            ((X - X.min(axis=0)) / np.ptp(X, axis=0), "goes from 0 to 1, so one far value shrinks its whole column"),
        ], within=0.01),
    }  # fmt: skip
    return Posed("Which column decides?", {"X": X}, parts)


def long(generator: np.random.Generator) -> Posed:
    """Two maps of one table: what each keeps, and what they share."""
    X = table_of(generator)
    scaled = scaled_of(X)

    def maps(name: str, given: dict[str, Any], *others: str) -> list[Floats]:
        return [array(one, needs(name, given, one), (N, 2)) for one in others]

    def look_map(name: str, value: Any, given: dict[str, Any]) -> None:
        kept = recall_of(scaled, array(name, value, (N, 2)), K)
        if kept < ENOUGH:
            raise Wrong(f"{name} keeps {kept:.0%} of the ten nearest; {ENOUGH:.0%} are possible. Which column decides?")

    def look_again(name: str, value: Any, given: dict[str, Any]) -> None:
        look_map(name, value, given)
        # Not its shape: from two starts t-SNE may end in the same map, to the twelfth digit and turned.
        Y, again = maps(name, given, "Y", "again")
        if np.array_equal(Y, again):
            raise Wrong("again is Y itself; let it start elsewhere, as from init='random'")

    def look_kept(name: str, value: Any, given: dict[str, Any]) -> None:
        (Y,) = maps(name, given, "Y")
        equal(name, number(name, value), recall_of(scaled, Y, K), slips=[
            (recall_of(X, Y, K), "looks for neighbors in the table as it is"),
            (K * recall_of(scaled, Y, K), "is a number of neighbors and no share"),
            (recall_of(scaled, Y, 1), "asks for the nearest alone"),
        ])  # fmt: skip

    def look_shared(name: str, value: Any, given: dict[str, Any]) -> None:
        Y, again = maps(name, given, "Y", "again")
        equal(name, number(name, value), recall_of(Y, again, K), slips=[
            (recall_of(scaled, again, K), "is what the second map keeps of the table"),
            (K * recall_of(Y, again, K), "is a number of neighbors and no share"),
            (recall_of(Y, again, 1), "asks for the nearest alone"),
        ])  # fmt: skip

    parts = {
        "Y": Part(3, "a map, shape (150, 2), that keeps 60% or more of the ten nearest of the scaled rows", look_map),
        "again": Part(2, "another such map, from another start", look_again),
        "kept": Part(2, "share of the ten nearest of the scaled rows that are among the ten nearest on Y", look_kept),
        "shared": Part(2, "share of the ten nearest on Y that are among the ten nearest on `again`", look_shared),
    }  # fmt: skip
    return Posed("A map, made twice", {"X": X}, parts)
