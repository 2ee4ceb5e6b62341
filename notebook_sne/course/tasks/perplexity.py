"""Lecture 2: one row by bisection; all rows, an isolated object, and the largest perplexity that there is."""

import warnings
from typing import Any

import numpy as np

from notebook_sne.affinities.makers import conditional as conditional_of
from notebook_sne.affinities.makers import from_distances
from notebook_sne.course.checks_of_tasks import Wrong, array, called, equal, number, row_sums, zero_diagonal
from notebook_sne.course.tasks import Part, Posed, digits, values
from notebook_sne.engine.checks.arrays import Floats

__all__ = ["long", "short"]


def entropy_in_bits(p: Floats) -> float:
    """Return the entropy of a distribution in bits."""
    kept = p[p > 0]
    return float(-(kept * np.log2(kept)).sum())


def _squares(X: Floats) -> Floats:
    return np.square(X[:, None] - X).sum(axis=2)


def _width(p: Floats, d: Floats) -> float:
    """Return sigma of a row, from the two entries with the largest probabilities."""
    a, b = np.argsort(-p)[[0, -1]]
    # The least probable may have underflowed: the last that has not.
    b = np.flatnonzero(p > 1e-200)[np.argmin(p[p > 1e-200])] if p[b] < 1e-200 else b
    return float(np.sqrt((d[b] - d[a]) / (2 * np.log(p[a] / p[b]))))


def short(generator: np.random.Generator) -> Posed:
    """One row of P: probabilities and width."""
    X = digits(generator, 60)
    perplexity = float(generator.choice([7, 9, 11, 13, 14, 15]))
    right = conditional_of(X, perplexity)[0, 1:]
    d = _squares(X)[0, 1:]
    sigma = _width(right, d)

    def look_p(name: str, value: Any, given: dict[str, Any]) -> None:
        p = array(name, value, d.shape, least=0.0)
        if abs(p.sum() - 1) > 1e-6:
            raise Wrong(f"p must sum to 1, but it sums to {p.sum():.4g}")
        order = np.argsort(d)
        if (np.diff(p[order]) > 1e-12).any():
            raise Wrong(
                "p must fall with the distance, but a farther object has a larger probability than a nearer one"
            )
        bits = entropy_in_bits(p)
        if abs(2**bits / perplexity - 1) > 1e-3:
            slip = abs(2 ** (bits * np.log(2)) / perplexity - 1) < 1e-3
            why = "; are your bits nats?" if slip else ""
            raise Wrong(f"p must have the perplexity {perplexity:g}, but it has {2**bits:.2f}{why}")
        equal(name, p, right, within=1e-3, slips=[
            (_row_at(np.sqrt(d), perplexity), "has the right perplexity, but is no Gaussian of the distance: "
             "is something squared once too little?"),
        ])  # fmt: skip

    def look_sigma(name: str, value: Any, given: dict[str, Any]) -> None:
        width = number(name, value)
        if width <= 0:
            raise Wrong(f"sigma must be above 0, got {width:g}")
        equal(name, width, sigma, within=1e-3, slips=[
            (sigma**2, "is a variance and no width"),
            (1 / (2 * sigma**2), "is a precision and no width"),
            (sigma * np.sqrt(2), "misses the 2 in the exponent"),
        ])  # fmt: skip

    data = {"d": d, "perplexity": perplexity}
    parts = {
        "p": Part(3, f"probabilities with which the object chooses each of the others, shape {d.shape}", look_p),
        "sigma": Part(1, "width of its Gaussian, a number", look_sigma),
    }
    return Posed("One row by bisection", data, parts)


def _rows(D: Floats, perplexity: float) -> Floats:
    """Return P from squared distances."""
    with warnings.catch_warnings():
        # The task is about perplexities that are too large; a grading cell that warns would count as failed.
        warnings.simplefilter("ignore", UserWarning)
        P: Floats = from_distances(np.sqrt(D), perplexity)
    return P


def _row_at(d: Floats, perplexity: float) -> Floats:
    """Return the row that squared distances of one object would have."""
    N = len(d) + 1
    # The others lie at whatever distances; not all at one, as that would be told.
    D = d.max() + np.abs(np.subtract.outer(np.arange(N), np.arange(N)))
    D[0, 1:] = D[1:, 0] = d
    np.fill_diagonal(D, 0.0)
    return _rows(D, perplexity)[0, 1:]


def long(generator: np.random.Generator) -> Posed:
    """All rows, among them that of an isolated object, and the limits of a perplexity."""
    X = digits(generator, 40)
    k = int(generator.integers(40))
    X[k] += 5000.0  # so far that exp(-d) is 0 in double precision for every neighbor
    D, N = _squares(X), 40
    perplexity, large = float(generator.choice([5, 6, 7, 8])), float(generator.choice([34, 35, 36]))
    least = int(generator.integers(60, 90))

    def look_conditional(name: str, value: Any, given: dict[str, Any]) -> None:
        P, what = called(name, value, [D, perplexity], (N, N)), f"what {name} returns"
        zero_diagonal(what, P)
        row_sums(what, P)
        perplexities = np.array([2 ** entropy_in_bits(row) for row in P])
        i = int(np.argmax(np.abs(perplexities - perplexity)))
        if abs(perplexities[i] / perplexity - 1) > 1e-3:
            raise Wrong(f"row {i} of {what} must have the perplexity {perplexity:g}, but it has {perplexities[i]:.2f}")
        equal(what, P, _rows(D, perplexity), within=1e-3, slips=[
            (_rows(np.sqrt(D), perplexity), "is no Gaussian of the distance: D holds squares already"),
        ])  # fmt: skip

    def ratio(at: float) -> float:
        """Return the largest over the smallest probability of the isolated object's choice."""
        row = np.delete(_rows(D, at)[k], k)
        return float(row.max() / row.min())

    contrast = ratio(large)
    data = {"D": D, "perplexity": perplexity, "large": large, "n_objects": least, "isolated": k}
    parts = {
        "conditional": Part(6, f"function of D and a perplexity that returns P, shape {D.shape}", look_conditional),
        "highest": values(2, "perplexity that no row of a P of n_objects objects exceeds, a number", least - 1, [
            (least, "counts the object itself among those that it may choose"),
            (np.log2(least - 1), "is an entropy and no perplexity"),
        ]),
        "contrast": values(4, "largest over smallest probability with which the isolated object chooses another, at "
                           "the perplexity `large`, a number", contrast, [
            (ratio(perplexity), "is that of the small perplexity"), (1 / contrast, "is the smallest over the largest"),
            (np.log(contrast), "is a logarithm"),
        ], within=0.01),
    }  # fmt: skip
    return Posed("All rows, and the end of the knob", data, parts)
