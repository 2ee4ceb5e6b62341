"""Lecture 5: one P for all pairs, and what it does for an isolated object."""

import numpy as np

from notebook_sne.affinities.makers import conditional, joint, joint_with_one_sigma
from notebook_sne.course.checks_of_tasks import symmetric, whole_sum, zero_diagonal
from notebook_sne.course.tasks import Posed, gradient, returned, values
from notebook_sne.course.tasks.springs import cost_of
from notebook_sne.engine.checks.arrays import Floats

__all__ = ["joint_log_q", "long", "short"]


def joint_log_q(Y: Floats) -> Floats:
    """Return log q_ij over all ordered pairs, with -inf on the diagonal."""
    L = -np.square(Y[:, None] - Y).sum(axis=2)
    np.fill_diagonal(L, -np.inf)
    top = L.max()
    return L - top - np.log(np.exp(L - top).sum())


def _cost(P: Floats, Y: Floats) -> float:
    """Return the cost of symmetric SNE."""
    return cost_of(P, joint_log_q(Y))


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
    averaged = (P + P.T) / (2 * N)
    product, both, larger = np.sqrt(P * P.T), np.minimum(P, P.T), np.maximum(P, P.T)

    least = f"largest number below which no object's mass can fall, whatever {N} objects"
    parts = {
        "joint": values(2, f"the averaged P over ordered pairs, shape {P.shape}", averaged, [
            (product / product.sum(), "is a geometric mean, in which one choice of 0 decides"),
            (both / both.sum(), "counts only what both choose"),
            (larger / larger.sum(), "counts only the larger choice of each pair"),
        ], rules=[zero_diagonal, symmetric, whole_sum], least=0.0),
        "mass": values(1, f"sum of each row of the averaged P, shape ({N},)", averaged.sum(axis=1), [
            (P.sum(axis=1), "is that of the choices, in which all objects count the same"),
            (P.sum(axis=0), "is how often each object is chosen"),
            (P.sum(axis=0) / N, "is how often each object is chosen"),
        ], least=0.0),
        "least": values(1, least, 1 / (2 * N), [
            (1 / N, "would need every object to be chosen as often as it chooses"),
            (0.0, "forgets that the object itself always chooses"),
        ]),
    }  # fmt: skip
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
    L = joint_log_q(Y)
    right, rows = cost_of(averaged, L), np.log(np.exp(L).sum(axis=1, keepdims=True))
    change = np.array([_cost(P, moved) - _cost(P, Y) for P in (one_sigma, averaged)])

    data = {"averaged": averaged, "one_sigma": one_sigma, "Y": Y, "isolated": k, "step": step}
    parts = {
        "cost": returned(3, "function of P and Y that returns the cost of symmetric SNE in nats", [averaged, Y],
                         right, [
            (right / np.log(2), "is in bits"),
            (right - np.log(2), "sums Z over unordered pairs, and P over ordered ones"),
            (cost_of(averaged, L - rows), "divides each row of q by its own sum"),
            (right / 2, "counts every pair once, where P has it twice"),
        ]),
        "gradient": gradient(4, f"function of P and Y that returns dC/dy, shape {Y.shape}", _cost, Y, [averaged]),
        "change": values(3, "by how much the cost rises when the isolated object moves by `step`: under one_sigma, "
                         "then under averaged", change, [
            (change[::-1], "has the two P in the other order"), (-change, "is the cost before minus the cost after"),
        ], within=1e-5),
    }  # fmt: skip
    return Posed("What holds an isolated object?", data, parts)
