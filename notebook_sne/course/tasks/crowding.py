"""Lecture 6: how much room a ball has near its middle; UNI-SNE by hand."""

from typing import Any

import numpy as np

from notebook_sne.affinities.makers import conditional, joint
from notebook_sne.course.checks_of_tasks import Wrong, called, equal, number, whole_sum, zero_diagonal
from notebook_sne.course.tasks import Part, Posed, digits, gradient, returned, values
from notebook_sne.course.tasks.averages import joint_log_q
from notebook_sne.course.tasks.springs import cost_of, entropy_of
from notebook_sne.engine.checks.arrays import Floats

__all__ = ["long", "mixed_log_q", "short"]


def short(generator: np.random.Generator) -> Posed:
    """Shells of a ball, and the dimension in which nearly all objects lie outside."""
    a, b = float(generator.uniform(0.2, 0.4)), float(generator.uniform(0.6, 0.8))
    radius = round(float(generator.uniform(0.72, 0.93)), 3)
    needed = int(np.ceil(np.log(0.01) / np.log(radius)))

    def look_between(name: str, value: Any, given: dict[str, Any]) -> None:
        for d in (1, 2, 3, 10, 30):
            equal(f"what {name} returns in {d} dimensions", called(name, value, [d, a, b]), b**d - a**d, slips=[
                ((b - a) ** d, "is the share of a ball whose radius is the difference"),
                (b - a, "takes the radius for the volume"),
                (b**2 - a**2, "is that of a disc, whatever d is"),
                (a**d - b**d, "is below 0: which of the two balls is the larger one?"),
            ])  # fmt: skip

    def look_dimension(name: str, value: Any, given: dict[str, Any]) -> None:
        dimension = number(name, value)
        if dimension != int(dimension):
            raise Wrong(f"{name} must be a whole number, got {dimension:g}")
        equal(name, dimension, needed, slips=[
            (needed - 1, "leaves more than one object in a hundred inside"),
            (needed + 1, "is enough, but a smaller one is as well"),
            (int(np.ceil(np.log(0.99) / np.log(radius))), "has 99 of 100 objects inside and not outside"),
        ])  # fmt: skip

    parts = {
        "between": Part(2, "function of d, a and b: share of a ball of radius 1 in d dimensions that lies between the "
                        "distances a and b from its middle", look_between),
        "dimension": Part(2, "least whole d in which at least 99 of 100 objects of such a ball, spread evenly, lie "
                          "farther from the middle than `radius`", look_dimension),
    }  # fmt: skip
    return Posed("Where is the room in a ball?", {"a": a, "b": b, "radius": radius}, parts)


def mixed_log_q(Y: Floats, background: float) -> Floats:
    """Return log q_ij of UNI-SNE, with -inf on the diagonal.  [Cook2007, Eq. 9, over ordered pairs]"""
    N = len(Y)
    Q = (1 - background) * np.exp(joint_log_q(Y)) + background / (N * (N - 1))
    np.fill_diagonal(Q, 0.0)
    with np.errstate(divide="ignore"):
        made: Floats = np.log(Q)
    return made


def _cost(P: Floats, Y: Floats, background: float) -> float:
    """Return the cost of UNI-SNE."""
    return cost_of(P, mixed_log_q(Y, background))


def long(generator: np.random.Generator) -> Posed:
    """Q, cost and gradient with a background, and the pull that it takes away."""
    X = digits(generator, 30)
    P = np.asarray(joint(conditional(X, float(generator.choice([5, 6, 7])))))
    Y, b = generator.normal(size=(30, 2)), round(float(generator.uniform(0.1, 0.4)), 2)
    N = len(Y)
    wide = 3.0 * Y

    def look_q(name: str, value: Any, given: dict[str, Any]) -> None:
        Q = called(name, value, [Y, b], P.shape)
        zero_diagonal(f"what {name} returns", Q)
        whole_sum(f"what {name} returns", Q)
        G = np.exp(joint_log_q(Y))
        off = 1 - np.eye(N)
        equal(f"what {name} returns", Q, np.exp(mixed_log_q(Y, b)), slips=[
            ((G + b / (N * (N - 1)) * off) / (1 + b), "adds the background and then divides by the sum"),
            (G, "does not depend on the background"),
            (b * G + (1 - b) / (N * (N - 1)) * off, "has the background and the rest exchanged"),
        ])  # fmt: skip
        equal(f"what {name} returns without a background", called(name, value, [Y, 0.0], P.shape), G)

    right, without = _cost(P, Y, b), _cost(P, Y, 0.0)
    gain = np.array([_cost(P, wide, one) - _cost(P, 0.99 * wide, one) for one in (0.0, b)])

    data = {"P": P, "Y": Y, "wide": wide, "background": b}
    parts = {
        "q": Part(3, f"function of Y and a background that returns q_ij, shape {P.shape}", look_q),
        "cost": returned(2, "function of P, Y and a background that returns the cost in nats", [P, Y, b], right, [
            (right / np.log(2), "is in bits"), (without, "does not depend on the background"),
            ((1 - b) * without, "mixes costs, where q is what is mixed"),
            (right + entropy_of(P), "lacks the entropy of P: it would not be 0 at P = Q"),
        ]),
        "gradient": gradient(5, f"function of P, Y and a background that returns dC/dy, shape {Y.shape}", _cost, Y,
                             [P], [b]),
        "gain": values(2, "by how much the cost falls when the map `wide` becomes smaller by one hundredth: without "
                       "the background, and with it", gain, [
            (-gain, "is the cost after minus the cost before"), (gain[::-1], "has the two in the other order"),
        ], within=1e-4),
    }  # fmt: skip
    return Posed("A background, by hand", data, parts)
