"""Lecture 6: how much room a ball has near its middle; UNI-SNE by hand."""

from typing import Any

import numpy as np

from notebook_sne.affinities.makers import conditional, joint
from notebook_sne.course.checks_of_tasks import Wrong, array, called, equal, number, slope, whole_sum, zero_diagonal
from notebook_sne.course.tasks import Part, Posed, digits
from notebook_sne.course.tasks.averages import joint_log_q
from notebook_sne.course.tasks.springs import cost_of
from notebook_sne.engine.checks.arrays import Floats

__all__ = ["long", "mixed_log_q", "short"]


def short(generator: np.random.Generator) -> Posed:
    """Shells of a ball, and the dimension in which nearly all objects lie outside."""
    a, b = float(generator.uniform(0.2, 0.4)), float(generator.uniform(0.6, 0.8))
    radius = round(float(generator.uniform(0.72, 0.93)), 3)
    needed = int(np.ceil(np.log(0.01) / np.log(radius)))

    def look_between(value: Any, given: dict[str, Any]) -> None:
        for d in (1, 2, 3, 10, 30):
            share = called("between", value, [d, a, b])
            equal(f"what between returns in {d} dimensions", share, b**d - a**d, slips=[
                ((b - a) ** d, "is the share of a ball whose radius is the difference"),
                (b - a, "takes the radius for the volume"),
                (b**2 - a**2, "is that of a disc, whatever d is"),
                (a**d - b**d, "is below 0: which of the two balls is the larger one?"),
            ])  # fmt: skip

    def look_dimension(value: Any, given: dict[str, Any]) -> None:
        dimension = number("dimension", value)
        if dimension != int(dimension):
            raise Wrong(f"dimension must be a whole number, got {dimension:g}")
        equal("dimension", dimension, needed, slips=[
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


def gradient_of(P: Floats, Y: Floats, background: float) -> Floats:
    """Return dC/dy of UNI-SNE."""
    G = np.exp(joint_log_q(Y))
    R = P * (1 - background) * G / (np.exp(mixed_log_q(Y, background)) + np.eye(len(Y)))
    S = R - R.sum() * G
    made: Floats = 4 * (S.sum(axis=1, keepdims=True) * Y - S @ Y)
    return made


def long(generator: np.random.Generator) -> Posed:
    """Q, cost and gradient with a background, and the pull that it takes away."""
    X = digits(generator, 30)
    P = np.asarray(joint(conditional(X, float(generator.choice([5, 6, 7])))))
    Y, b = generator.normal(size=(30, 2)), round(float(generator.uniform(0.1, 0.4)), 2)
    N = len(Y)
    wide = 3.0 * Y

    def look_q(value: Any, given: dict[str, Any]) -> None:
        name = "what q returns"
        Q = called("q", value, [Y, b], P.shape)
        zero_diagonal(name, Q)
        whole_sum(name, Q)
        G = np.exp(joint_log_q(Y))
        off = 1 - np.eye(N)
        equal(name, Q, np.exp(mixed_log_q(Y, b)), slips=[
            ((G + b / (N * (N - 1)) * off) / (1 + b), "adds the background and then divides by the sum"),
            (G, "does not depend on the background"),
            (b * G + (1 - b) / (N * (N - 1)) * off, "has the background and the rest exchanged"),
        ])  # fmt: skip
        equal("what q returns without a background", called("q", value, [Y, 0.0], P.shape), G)

    def look_cost(value: Any, given: dict[str, Any]) -> None:
        right = cost_of(P, mixed_log_q(Y, b))
        equal("what cost returns", called("cost", value, [P, Y, b]), right, slips=[
            (right / np.log(2), "is in bits"),
            (cost_of(P, joint_log_q(Y)), "does not depend on the background"),
            ((1 - b) * cost_of(P, joint_log_q(Y)), "mixes costs, where q is what is mixed"),
            (right - (P[P > 0] * np.log(P[P > 0])).sum(), "lacks the entropy of P: it would not be 0 at P = Q"),
        ])  # fmt: skip

    def look_gradient(value: Any, given: dict[str, Any]) -> None:
        G = slope("gradient", value, given, Y, fixed=[P], after=[b])
        equal("what gradient returns", G, gradient_of(P, Y, b))

    def gain(background: float) -> float:
        """Return by how much the cost falls where the wide map shrinks by a hundredth."""
        costs = [cost_of(P, mixed_log_q(one, background)) for one in (wide, 0.99 * wide)]
        return costs[0] - costs[1]

    def look_gain(value: Any, given: dict[str, Any]) -> None:
        both = np.array([gain(0.0), gain(b)])
        equal("gain", array("gain", value, (2,)), both, within=1e-4, slips=[
            (-both, "is the cost after minus the cost before"), (both[::-1], "has the two in the other order"),
        ])  # fmt: skip

    data = {"P": P, "Y": Y, "wide": wide, "background": b}
    parts = {
        "q": Part(3, f"function of Y and a background that returns q_ij, shape {P.shape}", look_q),
        "cost": Part(2, "function of P, Y and a background that returns the cost in nats", look_cost),
        "gradient": Part(5, f"function of P, Y and a background that returns dC/dy, shape {Y.shape}", look_gradient),
        "gain": Part(2, "by how much the cost falls when the map `wide` becomes smaller by one hundredth: without the "
                     "background, and with it", look_gain),
    }  # fmt: skip
    return Posed("A background, by hand", data, parts)
