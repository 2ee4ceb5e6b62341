"""Lecture 7: how far apart a similarity puts two points; t-SNE with any number of degrees of freedom."""

from typing import Any

import numpy as np

from notebook_sne.affinities.makers import conditional, joint
from notebook_sne.course.checks_of_tasks import array, called, equal, slope, whole_sum, zero_diagonal
from notebook_sne.course.tasks import Part, Posed, digits
from notebook_sne.course.tasks.springs import cost_of
from notebook_sne.engine.checks.arrays import Floats

__all__ = ["gradient_of", "long", "short", "student_log_q"]


def short(generator: np.random.Generator) -> Posed:
    """Distances at which two points are so similar."""
    s = np.sort(np.round(10 ** -generator.uniform(0.2, 4.0, size=6), 6))[::-1].copy()
    gaussian, student = np.sqrt(-np.log(s)), np.sqrt(1 / s - 1)

    def look_gaussian(value: Any, given: dict[str, Any]) -> None:
        equal("gaussian", array("gaussian", value, s.shape, least=0.0), gaussian, slips=[
            (gaussian**2, "holds squared distances"),
            (np.sqrt(-np.log2(s)), "takes the logarithm to the base 2"),
            (np.sqrt(-2 * np.log(s)), "has the 2 of a Gaussian in the data; the map's has none"),
            (student, "holds the distances of the other similarity"),
        ])  # fmt: skip

    def look_student(value: Any, given: dict[str, Any]) -> None:
        equal("student", array("student", value, s.shape, least=0.0), student, slips=[
            (student**2, "holds squared distances"),
            (np.sqrt(1 / s), "forgets the 1 beside the squared distance"),
            (gaussian, "holds the distances of the other similarity"),
        ])  # fmt: skip

    def look_ratio(value: Any, given: dict[str, Any]) -> None:
        right = student / gaussian
        equal("ratio", array("ratio", value, s.shape, least=0.0), right, slips=[
            (1 / right, "is upside down"), (right**2, "is that of squared distances"),
            (student - gaussian, "is a difference and no ratio"),
        ])  # fmt: skip

    parts = {
        "gaussian": Part(1, f"distances at which exp(-distance^2) has the values s, shape {s.shape}", look_gaussian),
        "student": Part(2, f"distances at which 1 / (1 + distance^2) has them, shape {s.shape}", look_student),
        "ratio": Part(1, "how many times as far the second is as the first, for each", look_ratio),
    }
    return Posed("How far apart is a hundredth?", {"s": s}, parts)


def student_log_q(Y: Floats, nu: float) -> Floats:
    """Return log q_ij under Student's t of nu degrees of freedom, with -inf on the diagonal."""
    L = -(nu + 1) / 2 * np.log1p(np.square(Y[:, None] - Y).sum(axis=2) / nu)
    np.fill_diagonal(L, -np.inf)
    made: Floats = L - np.log(np.exp(L).sum())
    return made


def gradient_of(P: Floats, Y: Floats, nu: float) -> Floats:
    """Return dC/dy.  [Nabney, Eq. 10], for any nu."""
    w = 1 / (1 + np.square(Y[:, None] - Y).sum(axis=2) / nu)
    S = (P - np.exp(student_log_q(Y, nu))) * w * (nu + 1) / (2 * nu)
    made: Floats = 4 * (S.sum(axis=1, keepdims=True) * Y - S @ Y)
    return made


def long(generator: np.random.Generator) -> Posed:
    """Q, cost and gradient at any nu, and what a torn pair feels."""
    X = digits(generator, 30)
    P = np.asarray(joint(conditional(X, float(generator.choice([5, 6, 7])))))
    Y, nu = 2 * generator.normal(size=(30, 2)), float(generator.choice([0.5, 2.0, 3.0, 5.0]))
    nus = np.array([0.5, 1.0, 2.0, 10.0, 1000.0])
    far = round(float(generator.uniform(5.0, 8.0)), 2)

    def look_q(value: Any, given: dict[str, Any]) -> None:
        name = "what q returns"
        Q = called("q", value, [Y, nu], P.shape)
        zero_diagonal(name, Q)
        whole_sum(name, Q)
        d = np.square(Y[:, None] - Y).sum(axis=2)

        def other(K: Floats) -> Floats:
            made = np.array(K)
            np.fill_diagonal(made, 0)
            return made / made.sum()

        equal(name, Q, np.exp(student_log_q(Y, nu)), slips=[
            (other(1 / (1 + d)), "does not depend on nu"),
            (other((1 + d / nu) ** (-nu / 2)), "has another exponent"),
            (other((1 + d) ** (-(nu + 1) / 2)), "does not divide the squared distance by nu"),
            (other((1 + np.sqrt(d) / nu) ** (-(nu + 1) / 2)), "takes the distance where its square belongs"),
        ])  # fmt: skip

    def look_cost(value: Any, given: dict[str, Any]) -> None:
        right = cost_of(P, student_log_q(Y, nu))
        equal("what cost returns", called("cost", value, [P, Y, nu]), right, slips=[
            (right / np.log(2), "is in bits"), (cost_of(P, student_log_q(Y, 1.0)), "is that of nu = 1"),
            (right - (P[P > 0] * np.log(P[P > 0])).sum(), "lacks the entropy of P: it would not be 0 at P = Q"),
        ])  # fmt: skip

    def look_gradient(value: Any, given: dict[str, Any]) -> None:
        for one in (1.0, nu):
            G = slope("gradient", value, given, Y, fixed=[P], after=[one])
        equal("what gradient returns", G, gradient_of(P, Y, nu))

    def look_price(value: Any, given: dict[str, Any]) -> None:
        right = (nus + 1) / 2 * np.log1p(far**2 / nus)
        equal("price", array("price", value, nus.shape), right, slips=[
            (np.exp(-right), "is the similarity, of which the price is minus the logarithm"),
            (-right, "has the wrong sign"), ((nus + 1) / 2 * np.log1p(far / nus), "takes `far` for a squared distance"),
            (right / np.log(2), "is in bits"),
        ])  # fmt: skip

    data = {"P": P, "Y": Y, "nu": nu, "nus": nus, "far": far}
    parts = {
        "q": Part(3, f"function of Y and nu that returns q_ij, shape {P.shape}", look_q),
        "cost": Part(2, "function of P, Y and nu that returns the cost in nats", look_cost),
        "gradient": Part(5, f"function of P, Y and nu that returns dC/dy, shape {Y.shape}", look_gradient),
        "price": Part(2, "-log w of a pair at the distance `far` on the map, for each of nus", look_price),
    }
    return Posed("A knob between t-SNE and SNE", data, parts)
