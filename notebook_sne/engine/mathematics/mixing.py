"""Mixing proportions: how much of an object is in each map, or in each of its images.

The proportions of an object are the softmax of its weights, so that descent on weights needs no constraint:

.. math::

    pi_i^m = exp(w_i^m) / sum_k exp(w_i^k),     sum_m pi_i^m = 1
    dC/dw_i^m = g_i^m - pi_i^m sum_k g_i^k,     g_i^m = dC/d(log pi_i^m)

[Cook2007, Eq. 7] has weights of the other sign, exp(-w), which turns the sign of dC/dw.
"""

import numpy as np

__all__ = ["log_proportions", "weight_gradient", "weights_of"]

# A proportion of 0 has no weight; this one is as good as none, and a gradient can still tell what it would do.
_LEAST_PROPORTION = 1e-30


def log_proportions(W):
    """Return log pi, shape (M, N), of weights W, shape (M, N)."""
    shifted = W - W.max(axis=0)
    return shifted - np.log(np.exp(shifted).sum(axis=0))


def weight_gradient(gradient, mixing):
    """Return the gradient with respect to weights, shape (M, N), from `gradient`, dC/d(log pi), and `mixing`, pi."""
    return gradient - mixing * gradient.sum(axis=0)


def weights_of(mixing):
    """Return weights W, shape (M, N), whose softmax is the proportions `mixing`; 0 counts as 1e-30."""
    return np.log(np.maximum(mixing, _LEAST_PROPORTION))
