"""Lecture 15: the Q of two maps with given proportions; cost and both gradients of aspect maps."""

import numpy as np

from notebook_sne.affinities.makers import conditional
from notebook_sne.course.checks_of_tasks import row_sums, zero_diagonal
from notebook_sne.course.tasks import Posed, digits, gradient, returned, values
from notebook_sne.course.tasks.springs import cost_of
from notebook_sne.engine.checks.arrays import Floats

__all__ = ["long", "parts_of", "q_of", "short", "softmax"]


def parts_of(Y: Floats, mixing: Floats) -> Floats:
    """Return pi_i^m pi_j^m exp(-d_ij^m), shape (M, N, N), with zero diagonals."""
    D = np.square(Y[:, :, None] - Y[:, None]).sum(axis=3)
    S: Floats = mixing[:, :, None] * mixing[:, None] * np.exp(-D)
    S[:, np.arange(S.shape[1]), np.arange(S.shape[1])] = 0.0
    return S


def q_of(Y: Floats, mixing: Floats) -> Floats:
    """Return q_{j|i} of several maps.  [Cook2007, Eq. 4]"""
    S = parts_of(Y, mixing).sum(axis=0)
    return S / S.sum(axis=1, keepdims=True)


def softmax(W: Floats) -> Floats:
    """Return proportions from logits, maps first."""
    E = np.exp(W - W.max(axis=0))
    return E / E.sum(axis=0)


def short(generator: np.random.Generator) -> Posed:
    """Q of two maps."""
    N = 12
    Y, mixing = generator.normal(size=(2, N, 2)), softmax(2 * generator.normal(size=(2, N)))
    S = parts_of(Y, mixing)

    each, bare = S / S.sum(axis=2, keepdims=True), parts_of(Y, np.ones_like(mixing))
    one_sided = (mixing[:, :, None] * bare).sum(axis=0)
    of_each = (mixing[:, :, None] * bare / bare.sum(axis=2, keepdims=True)).sum(axis=0)
    with np.errstate(invalid="ignore"):
        credit = np.nan_to_num(S[0] / S.sum(axis=0))
    data = {"Y": Y, "mixing": mixing}
    parts = {
        "q": values(3, f"q_(j|i) of the two maps together, shape {(N, N)}", q_of(Y, mixing), [
            (each.mean(axis=0), "divides by a sum for each map, where z_i is one sum over all maps"),
            (bare.sum(axis=0) / bare.sum(axis=(0, 2))[:, None], "does not depend on the proportions"),
            (one_sided / one_sided.sum(axis=1, keepdims=True), "has the proportion of one of the two objects only"),
            (of_each, "mixes the choices on each map, where both objects' proportions belong in the sum"),
        ], rules=[zero_diagonal, row_sums], least=0.0),
        "credit": values(1, f"share of map 0 in each q_(j|i), with a diagonal of 0, shape {(N, N)}", credit, [
            (np.where(np.eye(N), 0, 1 - credit), "is that of map 1"),
            (np.broadcast_to(mixing[0][:, None], (N, N)) * (1 - np.eye(N)), "is the proportion of object i alone"),
        ], least=0.0),
    }  # fmt: skip
    return Posed("One Q from two maps", data, parts)


def _cost(P: Floats, Y: Floats, W: Floats) -> float:
    """Return the cost of aspect maps without a penalty."""
    return cost_of(P, np.log(q_of(Y, softmax(W)) + np.eye(len(P))))


def long(generator: np.random.Generator) -> Posed:
    """Cost and gradients of aspect maps by hand."""
    X = digits(generator, 16)
    P = np.asarray(conditional(X, float(generator.choice([3, 4, 5]))))
    Y, W = generator.normal(size=(2, 16, 2)), generator.normal(size=(2, 16))

    right = _cost(P, Y, W)
    of_each = sum(cost_of(P, np.log(q_of(Y[[m]], np.ones((1, 16))) + np.eye(16))) for m in (0, 1))
    bare = cost_of(P, np.log(q_of(Y, W) + np.eye(16))) if (q_of(Y, W) >= 0).all() else np.nan
    parts = {
        "mixing": returned(2, f"function of W that returns proportions, shape {W.shape}", [W], softmax(W), [
            (softmax(W.T).T, "sums to 1 over all objects of a map, and not over the maps of each object"),
            (np.exp(W), "sums to 1 over nothing"), (np.abs(W) / np.abs(W).sum(axis=0), "is no softmax of W"),
        ], again=[([W + 800.0], softmax(W))]),
        "cost": returned(3, "function of P, Y and W that returns the cost in nats, without a penalty", [P, Y, W],
                         right, [
            (right / np.log(2), "is in bits"), (of_each, "adds the costs of two maps, where one q has both"),
            (of_each / 2, "averages the costs of two maps, where one q has both"),
            (bare, "takes W itself for the proportions"),
        ]),
        "gradient_Y": gradient(4, f"function of P, Y and W that returns dC/dY, shape {Y.shape}", _cost, Y, [P], [W]),
        "gradient_W": gradient(4, f"function of P, Y and W that returns dC/dW, shape {W.shape}", _cost, W, [P, Y]),
    }  # fmt: skip
    return Posed("Two maps go down together", {"P": P, "Y": Y, "W": W}, parts)
