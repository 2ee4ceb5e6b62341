"""The kernel of UMAP at one pair: its power, and its repulsion with the slope. `umap_sums` has the equations."""

import math

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.exponential import exp_minus, log_of
from notebook_sne.engine.machine.parallel import FAST_SERIAL
from notebook_sne.engine.machine.simd import larger

__all__ = ["LEAST", "SOFTENING", "pair_at", "power_of"]

SOFTENING = 1e-3
"""delta, in squared map units: what umap-learn adds to a squared distance."""

LEAST = 1e-200
"""Squared distance, below which two objects are in one place."""

_LARGEST_POWER, _LARGEST_LOG = 2.0**500, 500.0 * math.log(2.0)  # half of the range of `exp_minus`


@njit(**FAST_SERIAL)
def power_of(d, a, b):
    """Return a d^b for a squared distance above 0, d^b from 2^-500 to 2^500; without a branch or a division.

    Loops of it become vector instructions.
    """
    return a * _LARGEST_POWER * exp_minus(larger(_LARGEST_LOG - b * log_of(d), 0.0))


@njit(**FAST_SERIAL)
def pair_at(d, a, b, softening):
    """Return K and K' at a squared distance."""
    far = d + softening
    power = power_of(far, a, b)
    return log_of(1.0 + 1.0 / power), b / (far * (1.0 + power))
