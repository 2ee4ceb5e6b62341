"""The weights of an object's neighbors in UMAP's graph: the width at which they sum to a given number.

.. math:: A_j = exp(-max(0, r_j - rho) / sigma),     sum_j A_j = log2(k)                      [McInnes2018, algorithm 3]

r are distances, not squared, and up to rho a weight is 1. The logarithm of sigma, in units of the farthest neighbor, is
halved in.
"""

import math

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.exponential import exp_minus
from notebook_sne.engine.machine.parallel import FAST_BY_ROWS, FAST_SERIAL, by_rows

__all__ = ["LEAST_SIGMA", "smooth_row", "smooth_rows"]

LEAST_SIGMA = 1e-3
"""What a width is at least, as in umap-learn: of the mean distance of an object's neighbors."""

_WIDEST, _HALVINGS = 30.0, 64  # of the interval in which the logarithm of sigma lies
_NOTHING = 1e-290  # what the fast exponential returns at its floor is below it


@njit(**FAST_SERIAL)
def smooth_row(R, rho, total, least, A):
    """Write the weights of neighbors at distances R, shape (K,), infinite where there is none; sigma >= `least`."""
    K, scale = R.shape[0], 0.0
    for k in range(K):
        if R[k] < math.inf:
            scale = max(scale, R[k] - rho)
    if scale == 0.0:
        scale = 1.0
    for k in range(K):
        A[k] = max(R[k] - rho, 0.0) / scale
    low, high = -_WIDEST, _WIDEST
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        steepness, weight = math.exp(-middle), 0.0
        for k in range(K):
            weight += exp_minus(A[k] * steepness)
        if weight > total:
            high = middle
        else:
            low = middle
    sigma = max(math.exp(low), least / scale)
    for k in range(K):
        weight = exp_minus(A[k] / sigma)
        A[k] = weight if weight > _NOTHING else 0.0


@by_rows
@njit(**FAST_BY_ROWS)
def smooth_rows(first, last, R, rho, total, least, A):
    """Do the same for rows of R, shape (N, K), with rho and `least` of shape (N,)."""
    for i in range(first, last):
        smooth_row(R[i], rho[i], total, least[i], A[i])
