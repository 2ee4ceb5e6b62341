"""Lecture 7: how far apart a similarity puts two points; t-SNE with any number of degrees of freedom."""

import numpy as np

from notebook_sne.affinities.makers import conditional, joint
from notebook_sne.course.checks_of_tasks import whole_sum, zero_diagonal
from notebook_sne.course.tasks import Posed, digits, gradient, returned, values
from notebook_sne.course.tasks.springs import cost_of, entropy_of
from notebook_sne.engine.checks.arrays import Floats

__all__ = ["long", "short", "student_log_q"]


def short(generator: np.random.Generator) -> Posed:
    """Distances at which two points are so similar."""
    s = np.sort(np.round(10 ** -generator.uniform(0.2, 4.0, size=6), 6))[::-1].copy()
    gaussian, student = np.sqrt(-np.log(s)), np.sqrt(1 / s - 1)

    ratio = student / gaussian
    parts = {
        "gaussian": values(1, f"distances at which exp(-distance^2) has the values s, shape {s.shape}", gaussian, [
            (gaussian**2, "holds squared distances"),
            (np.sqrt(-np.log2(s)), "takes the logarithm to the base 2"),
            (np.sqrt(-2 * np.log(s)), "has the 2 of a Gaussian in the data; the map's has none"),
            (student, "holds the distances of the other similarity"),
        ], least=0.0),
        "student": values(2, f"distances at which 1 / (1 + distance^2) has them, shape {s.shape}", student, [
            (student**2, "holds squared distances"),
            (np.sqrt(1 / s), "forgets the 1 beside the squared distance"),
            (gaussian, "holds the distances of the other similarity"),
        ], least=0.0),
        "ratio": values(1, "how many times as far the second is as the first, for each", ratio, [
            (1 / ratio, "is upside down"), (ratio**2, "is that of squared distances"),
            (student - gaussian, "is a difference and no ratio"),
        ], least=0.0),
    }  # fmt: skip
    return Posed("How far apart is a hundredth?", {"s": s}, parts)


def student_log_q(Y: Floats, nu: float) -> Floats:
    """Return log q_ij under Student's t of nu degrees of freedom, with -inf on the diagonal."""
    L = -(nu + 1) / 2 * np.log1p(np.square(Y[:, None] - Y).sum(axis=2) / nu)
    np.fill_diagonal(L, -np.inf)
    return L - np.log(np.exp(L).sum())


def _cost(P: Floats, Y: Floats, nu: float) -> float:
    """Return the cost of t-SNE with any nu.  [Nabney, Eq. 9, for any nu]"""
    return cost_of(P, student_log_q(Y, nu))


def long(generator: np.random.Generator) -> Posed:
    """Q, cost and gradient at any nu, and what a torn pair feels."""
    X = digits(generator, 30)
    P = np.asarray(joint(conditional(X, float(generator.choice([5, 6, 7])))))
    Y, nu = 2 * generator.normal(size=(30, 2)), float(generator.choice([0.5, 2.0, 3.0, 5.0]))
    nus = np.array([0.5, 1.0, 2.0, 10.0, 1000.0])
    far = round(float(generator.uniform(5.0, 8.0)), 2)

    d = np.square(Y[:, None] - Y).sum(axis=2)

    def other(K: Floats) -> Floats:
        K = K * (1 - np.eye(len(K)))
        return K / K.sum()

    Q, right, price = np.exp(student_log_q(Y, nu)), _cost(P, Y, nu), (nus + 1) / 2 * np.log1p(far**2 / nus)
    data = {"P": P, "Y": Y, "nu": nu, "nus": nus, "far": far}
    parts = {
        "q": returned(3, f"function of Y and nu that returns q_ij, shape {P.shape}", [Y, nu], Q, [
            (other(1 / (1 + d)), "does not depend on nu"),
            (other((1 + d / nu) ** (-nu / 2)), "has another exponent"),
            (other((1 + d) ** (-(nu + 1) / 2)), "does not divide the squared distance by nu"),
            (other((1 + np.sqrt(d) / nu) ** (-(nu + 1) / 2)), "takes the distance where its square belongs"),
        ], rules=[zero_diagonal, whole_sum]),
        "cost": returned(2, "function of P, Y and nu that returns the cost in nats", [P, Y, nu], right, [
            (right / np.log(2), "is in bits"), (_cost(P, Y, 1.0), "is that of nu = 1"),
            (right + entropy_of(P), "lacks the entropy of P: it would not be 0 at P = Q"),
        ]),
        "gradient": gradient(5, f"function of P, Y and nu that returns dC/dy, shape {Y.shape}", _cost, Y, [P],
                             [nu], [1.0]),
        "price": values(2, "-log w of a pair at the distance `far` on the map, for each of nus", price, [
            (np.exp(-price), "is the similarity, of which the price is minus the logarithm"),
            (-price, "has the wrong sign"), ((nus + 1) / 2 * np.log1p(far / nus), "takes `far` for a squared distance"),
            (price / np.log(2), "is in bits"),
        ]),
    }  # fmt: skip
    return Posed("A knob between t-SNE and SNE", data, parts)
