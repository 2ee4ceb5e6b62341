"""The kernel of UMAP that fits its curve best, as a compiled function: Python and a page have the same a and b.

.. math::

    w(r) = 1 / (1 + a r^(2 b))  near  1 for r < min_dist, else exp(-(r - min_dist) / spread)

[McInnes2018, definition 11], by least squares at 300 places up to three times the spread, as in umap-learn. With
w' = -w (1 - w) for log a and -w (1 - w) 2 log r for b, the steps of Gauss and Newton lead from a = b = 1 to the least
square in 10 to 17 steps, whatever min_dist is from 0 to the spread: there is nothing to be damped.
"""

import math

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.parallel import FAST_SERIAL

__all__ = ["fitted_kernel"]

_REACH, _PLACES = 3.0, 300  # of the curve: in units of the spread
_STEPS, _STILL = 100, 1e-13


@njit(**{**FAST_SERIAL, "forceinline": False})
def fitted_kernel(min_dist, spread):
    """Return a and b of w = 1 / (1 + a d^b), d being squared distances, 0 <= min_dist <= spread."""
    nearest = min_dist / spread  # in units of the spread, where 1 and 1 are a fair guess whatever the unit of the map
    log_a, b = 0.0, 1.0
    for _ in range(_STEPS):
        aa = ab = bb = a_off = b_off = 0.0
        for k in range(1, _PLACES):
            r = _REACH * k / (_PLACES - 1)
            log_d = 2.0 * math.log(r)
            w = 1.0 / (1.0 + math.exp(log_a + b * log_d))
            off = (1.0 if r < nearest else math.exp(nearest - r)) - w
            slope = -w * (1.0 - w)
            aa += slope * slope
            ab += slope * slope * log_d
            bb += slope * slope * log_d * log_d
            a_off += slope * off
            b_off += slope * log_d * off
        determinant = aa * bb - ab * ab
        by_a, by_b = (bb * a_off - ab * b_off) / determinant, (aa * b_off - ab * a_off) / determinant
        log_a += by_a
        b += by_b
        if max(abs(by_a), abs(by_b)) < _STILL:
            break
    return math.exp(log_a - 2.0 * b * math.log(spread)), b
