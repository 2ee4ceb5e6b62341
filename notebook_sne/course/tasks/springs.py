"""Lecture 3: the Q and the cost of SNE; its gradient, and a map that rests."""

from typing import Any

import numpy as np

from notebook_sne.affinities.makers import conditional
from notebook_sne.course.checks_of_tasks import Wrong, array, differences, row_sums, zero_diagonal
from notebook_sne.course.tasks import Part, Posed, digits, gradient, returned, values
from notebook_sne.engine.checks.arrays import Floats

__all__ = ["cost_of", "entropy_of", "log_q", "long", "short"]


def log_q(Y: Floats) -> Floats:
    """Return log q_{j|i} with -inf on the diagonal, from distances, so that no q underflows."""
    L = -np.square(Y[:, None] - Y).sum(axis=2)
    np.fill_diagonal(L, -np.inf)
    L -= L.max(axis=1, keepdims=True)
    return L - np.log(np.exp(L).sum(axis=1, keepdims=True))


def cost_of(P: Floats, L: Floats) -> float:
    """Return KL(P || Q) in nats from log q, where a p of 0 adds nothing."""
    at = P > 0
    return float((P[at] * (np.log(P[at]) - L[at])).sum())


def entropy_of(P: Floats) -> float:
    """Return the entropy of P in nats, which a cost has beside what a map can change."""
    return float(-(P[P > 0] * np.log(P[P > 0])).sum())


def _cost(P: Floats, Y: Floats) -> float:
    """Return the cost of SNE.  [Hinton2002, Eq. 3]"""
    return cost_of(P, log_q(Y))


def _given(generator: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    X = digits(generator, n, 3)
    P: Floats = conditional(X, float(generator.choice([4, 5, 6])))
    return P, generator.normal(size=(n, 2))


def _cost_part(P: Floats, Y: Floats) -> Part:
    right = _cost(P, Y)
    return returned(2, "function of P and Y that returns the cost in nats, a number", [P, Y], right, [
        (right / np.log(2), "is in bits, and costs are in nats"),
        (right / len(P), "is a mean over the objects, and the cost is a sum"),
        (-right, "has the wrong sign: a divergence is never below 0"),
        (cost_of(np.exp(log_q(Y)), np.log(P + 1e-300)), "is the divergence with P and Q exchanged"),
        (right + entropy_of(P), "lacks the entropy of P: it would not be 0 at P = Q"),
    ])  # fmt: skip


def short(generator: np.random.Generator) -> Posed:
    """Q and cost."""
    P, Y = _given(generator, 24)

    d = np.square(Y[:, None] - Y).sum(axis=2)

    def other(energy: Floats) -> Floats:
        K = np.exp(-energy)
        np.fill_diagonal(K, 0)
        return K / K.sum(axis=1, keepdims=True)

    parts = {
        "q": returned(2, f"function of Y that returns q_(j|i) of the map, shape {P.shape}", [Y], np.exp(log_q(Y)), [
            (other(d / 2), "has a Gaussian of another width than the map's"),
            (other(np.sqrt(d)), "falls with the distance, where a Gaussian falls with its square"),
            (other(np.log1p(d)), "has heavy tails, which are those of lecture 7"),
        ], rules=[zero_diagonal, row_sums]),
        "cost": _cost_part(P, Y),
    }  # fmt: skip
    return Posed("What does the map say, and what does that cost?", {"P": P, "Y": Y}, parts)


def long(generator: np.random.Generator) -> Posed:
    """The gradient, a far point, and a map at rest."""
    P, Y = _given(generator, 36)
    far = Y.copy()
    far[int(generator.integers(len(far)))] += 40.0  # where every exp(-d) of its row is 0 in double precision
    nothing = _cost(P, np.zeros_like(Y))
    S = P - np.exp(log_q(Y))
    one_way = 2 * (S.sum(axis=1, keepdims=True) * Y - S @ Y)

    def look_map(name: str, value: Any, given: dict[str, Any]) -> None:
        settled = array(name, value, Y.shape)
        if np.ptp(settled, axis=0).max() < 0.1:
            raise Wrong("settled has all its points in one place, where no spring has a length")
        largest = np.abs(differences(_cost, settled, [P])).max()
        if largest > 1e-3:
            raise Wrong(f"settled must rest, but there still is a slope of {largest:.2g}; the largest may be 0.001")
        cost = _cost(P, settled)
        if cost > 0.8 * nothing:
            raise Wrong(f"settled rests, but its cost of {cost:.1f} is above 0.8 of the cost of a map in one place")

    parts = {
        "cost": _cost_part(P, Y),
        "gradient": gradient(5, f"function of P and Y that returns dC/dy, shape {Y.shape}", _cost, Y, [P], slips=[
            (one_way, "has each spring at one end only"),
        ]),
        "far": values(2, "cost of the map `far`, a number; it is finite", _cost(P, far), [
            (_cost(P, Y), "is the cost of Y, not of far"),
        ]),
        "settled": Part(3, f"map that rests, found with your gradient from Y, shape {Y.shape}", look_map),
    }  # fmt: skip
    return Posed("A system of springs, by hand", {"P": P, "Y": Y, "far": far}, parts)
