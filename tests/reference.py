"""The costs and gradients of the models in plain NumPy, written straight from the formulas: the reference of the tests.

Everything is dense and in double precision; nothing here is meant to be fast.
"""

import numpy as np


def squared(Y):
    """Squared distances with an infinite diagonal."""
    D = np.square(Y[:, None] - Y[None]).sum(-1)
    np.fill_diagonal(D, np.inf)
    return D


def _kl(P, log_q):
    here = P > 0
    return float(np.sum(P[here] * (np.log(P[here]) - log_q[here])))


def _forces(strengths, Y):
    """sum_j strengths_ij (y_i - y_j)."""
    return strengths.sum(1)[:, None] * Y - strengths @ Y


def _log_sum(a, axis=None):
    top = a.max(axis=axis, keepdims=True)
    total = top + np.log(np.exp(a - top).sum(axis=axis, keepdims=True))
    return total if axis is not None else float(total.squeeze())


def sne(P, Y):
    log_q = -squared(Y) - _log_sum(-squared(Y), axis=1)
    Q = np.exp(log_q)
    return _kl(P, log_q), 2 * _forces(P - Q + (P - Q).T, Y)


def unisne(P, Y, background=0.0):
    N = len(Y)
    log_near = -squared(Y) - _log_sum(-squared(Y))
    near = np.exp(log_near)
    if background == 0:
        return _kl(P, log_near), 4 * _forces(P - near, Y)
    Q = (1 - background) * near + background / (N * (N - 1))
    r = (1 - background) * near / Q
    return _kl(P, np.log(Q)), 4 * _forces(P * r - np.sum(P * r) * near, Y)


def tsne(P, Y):
    w = 1 / (1 + squared(Y))
    Q = w / w.sum()
    with np.errstate(divide="ignore"):  # the diagonal, where P is 0 too
        return _kl(P, np.log(Q)), 4 * _forces((P - Q) * w, Y)


def attraction_norm(P, Y, model):
    """Norm of the pull alone, the scale that errors of a gradient are measured by."""
    if model == "sne":
        return np.linalg.norm(2 * _forces(P + P.T, Y))
    if model == "tsne":
        return np.linalg.norm(4 * _forces(P / (1 + squared(Y)), Y))
    return np.linalg.norm(4 * _forces(P, Y))


def central_difference(function, Y, step=1e-5):
    """Gradient of a scalar function of an array by central differences."""
    gradient = np.empty_like(Y)
    for place in np.ndindex(Y.shape):
        ahead, behind = Y.copy(), Y.copy()
        ahead[place] += step
        behind[place] -= step
        gradient[place] = (function(ahead) - function(behind)) / (2 * step)
    return gradient
