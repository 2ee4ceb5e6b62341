"""Lecture 3: the Q and the cost of SNE; its gradient, and a map that rests."""

from typing import Any

import numpy as np

from notebook_sne.affinities.makers import conditional
from notebook_sne.course.checks_of_tasks import Wrong, array, called, equal, row_sums, slope, zero_diagonal
from notebook_sne.course.tasks import Part, Posed, digits
from notebook_sne.engine.checks.arrays import Floats

__all__ = ["cost_of", "log_q", "long", "short"]


def log_q(Y: Floats) -> Floats:
    """Return log q_{j|i} with -inf on the diagonal, from distances, so that no q underflows."""
    L = -np.square(Y[:, None] - Y).sum(axis=2)
    np.fill_diagonal(L, -np.inf)
    L -= L.max(axis=1, keepdims=True)
    made: Floats = L - np.log(np.exp(L).sum(axis=1, keepdims=True))
    return made


def cost_of(P: Floats, L: Floats) -> float:
    """Return KL(P || Q) in nats from log q, where a p of 0 adds nothing."""
    at = P > 0
    return float((P[at] * (np.log(P[at]) - L[at])).sum())


def gradient_of(P: Floats, Y: Floats) -> Floats:
    """Return dC/dy.  [Hinton2002, Eq. 5]"""
    S = P - np.exp(log_q(Y))
    S = S + S.T
    made: Floats = 2 * (S.sum(axis=1, keepdims=True) * Y - S @ Y)
    return made


def _given(generator: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    X = digits(generator, n, 3)
    P: Floats = conditional(X, float(generator.choice([4, 5, 6])))
    return P, generator.normal(size=(n, 2))


def _look_cost(P: Floats, Y: Floats) -> Any:
    def look(value: Any, given: dict[str, Any]) -> None:
        L = log_q(Y)
        right, Q = cost_of(P, L), np.exp(L)
        with np.errstate(divide="ignore"):
            back = cost_of(Q, np.log(P + 1e-300))
        cost = called("cost", value, [P, Y])
        equal("what cost returns", cost, right, slips=[
            (right / np.log(2), "is in bits, and costs are in nats"),
            (right / len(P), "is a mean over the objects, and the cost is a sum"),
            (-right, "has the wrong sign: a divergence is never below 0"),
            (back, "is the divergence with P and Q exchanged"),
            (-(P * np.where(P > 0, L, 0)).sum(), "lacks the entropy of P: it would not be 0 at P = Q"),
        ])  # fmt: skip

    return look


def short(generator: np.random.Generator) -> Posed:
    """Q and cost."""
    P, Y = _given(generator, 24)

    def look_q(value: Any, given: dict[str, Any]) -> None:
        name = "what q returns"
        Q = called("q", value, [Y], P.shape)
        zero_diagonal(name, Q)
        row_sums(name, Q)
        d = np.square(Y[:, None] - Y).sum(axis=2)

        def other(energy: Floats) -> Floats:
            K = np.exp(-energy)
            np.fill_diagonal(K, 0)
            return K / K.sum(axis=1, keepdims=True)

        equal(name, Q, np.exp(log_q(Y)), slips=[
            (other(d / 2), "has a Gaussian of another width than the map's"),
            (other(np.sqrt(d)), "falls with the distance, where a Gaussian falls with its square"),
            (other(np.log1p(d)), "has heavy tails, which are those of lecture 7"),
        ])  # fmt: skip

    parts = {
        "q": Part(2, f"function of Y that returns q_(j|i) of the map, shape {P.shape}", look_q),
        "cost": Part(2, "function of P and Y that returns the cost in nats, a number", _look_cost(P, Y)),
    }
    return Posed("What does the map say, and what does that cost?", {"P": P, "Y": Y}, parts)


def long(generator: np.random.Generator) -> Posed:
    """The gradient, a far point, and a map at rest."""
    P, Y = _given(generator, 36)
    far = Y.copy()
    far[int(generator.integers(len(far)))] += 40.0  # where every exp(-d) of its row is 0 in double precision
    nothing = cost_of(P, log_q(np.zeros_like(Y)))

    def look_gradient(value: Any, given: dict[str, Any]) -> None:
        G = slope("gradient", value, given, Y, fixed=[P])
        S = P - np.exp(log_q(Y))
        one_way = 2 * (S.sum(axis=1, keepdims=True) * Y - S @ Y)
        equal("what gradient returns", G, gradient_of(P, Y), slips=[(one_way, "has each spring at one end only")])

    def look_far(value: Any, given: dict[str, Any]) -> None:
        cost = array("far", value, (), least=0.0)
        equal("far", cost, cost_of(P, log_q(far)), slips=[(cost_of(P, log_q(Y)), "is the cost of Y, not of far")])

    def look_map(value: Any, given: dict[str, Any]) -> None:
        settled = array("settled", value, Y.shape)
        if np.ptp(settled, axis=0).max() < 0.1:
            raise Wrong("settled has all its points in one place, where no spring has a length")
        largest = np.abs(gradient_of(P, settled)).max()
        if largest > 1e-3:
            raise Wrong(f"settled must rest, but there still is a slope of {largest:.2g}; the largest may be 0.001")
        cost = cost_of(P, log_q(settled))
        if cost > 0.8 * nothing:
            raise Wrong(f"settled rests, but its cost of {cost:.1f} is above 0.8 of the cost of a map in one place")

    data = {"P": P, "Y": Y, "far": far}
    parts = {
        "cost": Part(2, "function of P and Y that returns the cost in nats", _look_cost(P, Y)),
        "gradient": Part(5, f"function of P and Y that returns dC/dy, shape {Y.shape}", look_gradient),
        "far": Part(2, "cost of the map `far`, a number; it is finite", look_far),
        "settled": Part(3, f"map that rests, found with your gradient from Y, shape {Y.shape}", look_map),
    }
    return Posed("A system of springs, by hand", data, parts)
