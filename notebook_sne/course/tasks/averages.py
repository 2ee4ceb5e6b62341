"""Lecture 5: one P for all pairs, and what it does for an isolated object."""

from typing import Any

import numpy as np

from notebook_sne.affinities.makers import conditional, joint, joint_with_one_sigma
from notebook_sne.course.checks_of_tasks import array, called, equal, number, slope, symmetric, whole_sum, zero_diagonal
from notebook_sne.course.tasks import Part, Posed
from notebook_sne.course.tasks.springs import cost_of
from notebook_sne.engine.checks.arrays import Floats

__all__ = ["gradient_of", "joint_log_q", "long", "short"]


def joint_log_q(Y: Floats) -> Floats:
    """Return log q_ij over all ordered pairs, with -inf on the diagonal."""
    L = -np.square(Y[:, None] - Y).sum(axis=2)
    np.fill_diagonal(L, -np.inf)
    top = L.max()
    made: Floats = L - top - np.log(np.exp(L - top).sum())
    return made


def gradient_of(P: Floats, Y: Floats) -> Floats:
    """Return dC/dy of symmetric SNE.  [Nabney, Eq. 8]"""
    S = P - np.exp(joint_log_q(Y))
    made: Floats = 4 * (S.sum(axis=1, keepdims=True) * Y - S @ Y)
    return made


def _objects(generator: np.random.Generator, n: int) -> tuple[Floats, int]:
    X = generator.normal(size=(n, 5))
    k = int(generator.integers(n))
    X[k] *= 12.0 / np.linalg.norm(X[k])
    return X, k


def short(generator: np.random.Generator) -> Posed:
    """From choices to pairs."""
    X, k = _objects(generator, 30)
    P = np.asarray(conditional(X, float(generator.choice([5, 6, 7]))))
    N = len(P)

    def look_joint(value: Any, given: dict[str, Any]) -> None:
        J = array("joint", value, P.shape, least=0.0)
        zero_diagonal("joint", J)
        symmetric("joint", J)
        whole_sum("joint", J)
        product = np.sqrt(P * P.T)
        equal("joint", J, (P + P.T) / (2 * N), slips=[
            (product / product.sum(), "is a geometric mean, in which one choice of 0 decides"),
            (np.minimum(P, P.T) / np.minimum(P, P.T).sum(), "counts only what both choose"),
            (np.maximum(P, P.T) / np.maximum(P, P.T).sum(), "counts only the larger choice of each pair"),
        ])  # fmt: skip

    def look_mass(value: Any, given: dict[str, Any]) -> None:
        mass = array("mass", value, (N,), least=0.0)
        J = (P + P.T) / (2 * N)
        equal("mass", mass, J.sum(axis=1), slips=[
            (P.sum(axis=1), "is that of the choices, in which all objects count the same"),
            (P.sum(axis=0), "is how often each object is chosen"),
            (P.sum(axis=0) / N, "is how often each object is chosen"),
        ])  # fmt: skip

    def look_least(value: Any, given: dict[str, Any]) -> None:
        equal("least", number("least", value), 1 / (2 * N), slips=[
            (1 / N, "would need every object to be chosen as often as it chooses"),
            (0.0, "forgets that the object itself always chooses"),
        ])  # fmt: skip

    parts = {
        "joint": Part(2, f"the averaged P over ordered pairs, shape {P.shape}", look_joint),
        "mass": Part(1, f"sum of each row of the averaged P, shape ({N},)", look_mass),
        "least": Part(1, f"largest number below which no object's mass can fall, whatever {N} objects", look_least),
    }
    return Posed("From choices to pairs", {"P": P, "isolated": k}, parts)


def long(generator: np.random.Generator) -> Posed:
    """Cost and gradient of symmetric SNE, and what it costs to move an isolated object."""
    X, k = _objects(generator, 30)
    perplexity = float(generator.choice([5, 6, 7]))
    averaged = np.asarray(joint(conditional(X, perplexity)))
    one_sigma = np.asarray(joint_with_one_sigma(X, perplexity))
    Y = generator.normal(size=(30, 2))
    Y[k] = 0.0
    angle = generator.uniform(0, 2 * np.pi)
    step = 3.0 * np.array([np.cos(angle), np.sin(angle)])
    moved = Y.copy()
    moved[k] += step

    def look_cost(value: Any, given: dict[str, Any]) -> None:
        L = joint_log_q(Y)
        right = cost_of(averaged, L)
        half = cost_of(averaged, L) - np.log(2)  # Z over unordered pairs is half of that over ordered ones
        conditional_q = L - np.log(np.exp(L).sum(axis=1, keepdims=True))
        equal("what cost returns", called("cost", value, [averaged, Y]), right, slips=[
            (right / np.log(2), "is in bits"), (half, "sums Z over unordered pairs, and P over ordered ones"),
            (cost_of(averaged, conditional_q), "divides each row of q by its own sum"),
            (right / 2, "counts every pair once, where P has it twice"),
        ])  # fmt: skip

    def look_gradient(value: Any, given: dict[str, Any]) -> None:
        G = slope("gradient", value, given, Y, fixed=[averaged])
        equal("what gradient returns", G, gradient_of(averaged, Y))

    def look_change(value: Any, given: dict[str, Any]) -> None:
        change = array("change", value, (2,))
        right = np.array([
            cost_of(P, joint_log_q(moved)) - cost_of(P, joint_log_q(Y)) for P in (one_sigma, averaged)
        ])  # fmt: skip
        equal("change", change, right, within=1e-5, slips=[
            (right[::-1], "has the two P in the other order"),
            (-right, "is the cost before minus the cost after"),
        ])  # fmt: skip

    data = {"averaged": averaged, "one_sigma": one_sigma, "Y": Y, "isolated": k, "step": step}
    parts = {
        "cost": Part(3, "function of P and Y that returns the cost of symmetric SNE in nats", look_cost),
        "gradient": Part(4, f"function of P and Y that returns dC/dy, shape {Y.shape}", look_gradient),
        "change": Part(3, "by how much the cost rises when the isolated object moves by `step`: under one_sigma, then "
                       "under averaged", look_change),
    }  # fmt: skip
    return Posed("What holds an isolated object?", data, parts)
