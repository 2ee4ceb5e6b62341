"""Lecture 4: both directions of a divergence; one Gaussian for two humps."""

from typing import Any

import numpy as np
from scipy.optimize import minimize

from notebook_sne.course.checks_of_tasks import Wrong, array, called, equal, number
from notebook_sne.course.tasks import Part, Posed, values
from notebook_sne.engine.checks.arrays import Floats

__all__ = ["bell", "kl", "long", "short"]


def kl(p: Floats, q: Floats) -> float:
    """Return KL(p || q) in nats; infinite where q is 0 and p isn't."""
    at = p > 0
    with np.errstate(divide="ignore"):
        return float((p[at] * np.log(p[at] / q[at])).sum())


def short(generator: np.random.Generator) -> Posed:
    """Both directions, with a p that is 0."""
    p, q = generator.dirichlet(np.full(8, 2.0), size=2)
    p[int(generator.integers(8))] = 0.0
    p /= p.sum()
    there = kl(p, q)

    def look_backward(name: str, value: Any, given: dict[str, Any]) -> None:
        got = number(name, value, finite=False)
        if got == there:
            raise Wrong("backward is the same direction as forward")
        if got != np.inf:
            raise Wrong(f"backward must count what it costs where p is 0 and q is not, got {got:.6g}; what does log "
                        "tend to there?")  # fmt: skip

    parts = {
        "forward": values(2, "KL(p || q) in nats, a number", there, [
            (there / np.log(2), "is in bits"),
            (-there, "has the wrong sign: a divergence is never below 0"),
            (-(p * np.log(q)).sum(), "is a cross entropy: it would not be 0 for p = q"),
            (np.abs(p - q).sum(), "is a sum of differences and no divergence"),
        ]),
        "backward": Part(2, "KL(q || p) in nats, a number", look_backward),
    }  # fmt: skip
    return Posed("One divergence, two directions", {"p": p, "q": q}, parts)


def bell(x: Floats, mean: float, sd: float) -> Floats:
    """Return a Gaussian on a grid, summing to 1."""
    height = np.exp(-(((x - mean) / sd) ** 2) / 2)
    return height / height.sum()


def long(generator: np.random.Generator) -> Posed:
    """The Gaussian nearest to two humps, by either direction."""
    x = np.linspace(-12.0, 12.0, 481)
    left, right = -float(generator.uniform(3.5, 4.5)), float(generator.uniform(3.5, 4.5))
    share, widths = float(generator.uniform(0.3, 0.4)), generator.uniform(0.9, 1.3, size=2)
    if generator.random() < 0.5:
        share = 1 - share
    p = share * bell(x, left, widths[0]) + (1 - share) * bell(x, right, widths[1])

    def nearest(cost: Any) -> list[tuple[float, Floats]]:
        """Return the valleys, the deepest first."""
        found = []
        for start in ((left, 1.0), (right, 1.0), (0.0, 4.0)):
            done = minimize(lambda m: cost(bell(x, m[0], np.exp(m[1]))), (start[0], np.log(start[1])),
                            method="Nelder-Mead", options={"xatol": 1e-6, "fatol": 1e-10})  # fmt: skip
            found.append((float(done.fun), np.array([done.x[0], np.exp(done.x[1])])))
        return sorted(found, key=lambda one: one[0])

    def floor(q: Floats) -> Floats:
        return np.maximum(q, 1e-300)  # far out a narrow bell is 0 in double precision

    forward = nearest(lambda q: kl(p, floor(q)))
    backward = nearest(lambda q: kl(q, p))

    def look_cost(name: str, value: Any, given: dict[str, Any]) -> None:
        q = bell(x, 0.0, 3.0)
        equal("what cost returns", called(name, value, [p, q]), kl(p, q), slips=[
            (kl(p, q) / np.log(2), "is in bits"), (kl(q, p), "is the other direction"),
        ])  # fmt: skip
        half = np.where(x < 0, p, 0.0) / p[x < 0].sum()
        equal("what cost returns where p has zeros", called(name, value, [half, p]), kl(half, p))

    def look(own: list[tuple[float, Floats]], other: list[tuple[float, Floats]]) -> Any:
        def look_one(name: str, value: Any, given: dict[str, Any]) -> None:
            got = array(name, value, (2,))
            if got[1] <= 0:
                raise Wrong(f"the second number of {name} is a standard deviation, and must be above 0")
            best = own[0][1]
            slips = [(other[0][1], "is the Gaussian of the other direction")]
            slips += [(one, "is a valley, but not the deepest one; start elsewhere, too") for _, one in own[1:]]
            slips += [(best * [1, best[1]], "has a variance in the place of the standard deviation")]
            equal(name, got, best, within=0.01, slips=slips)

        return look_one

    parts = {
        "cost": Part(3, "function of p and q that returns KL(p || q) in nats; entries of p may be 0", look_cost),
        "forward": Part(3, "mean and standard deviation of the Gaussian q with the least KL(p || q)",
                        look(forward, backward)),
        "backward": Part(4, "mean and standard deviation of the Gaussian q with the least KL(q || p)",
                         look(backward, forward)),
    }  # fmt: skip
    return Posed("Two humps, one Gaussian", {"x": x, "p": p}, parts)
