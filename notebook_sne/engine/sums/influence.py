"""The field of a unit charge on a mesh: the kernel, sampled at the nodes and sharpened for the splines.

Points reach the nodes, and nodes the points, through splines of order p (`splines`). They blur twice, and two in a row
are one spline of order 2p. For a wave of k radians per node, sampled at the nodes, this blur is a factor, and so is the
sum over all charges. One multiplication undoes the blur and does the sum:

.. math:: field = IFFT(G FFT(charges)),     G(k) = FFT(K)(k) / (B(k_x) B(k_y)),     B(k) = sum_n M_2p(n) cos(k n)

so that two points at the same place in their cells feel each other by K itself, on average over that place. The usual
method divides by the transform of the spline instead of the transform of its samples; it is less accurate, and it rings
on a small map.

The kernel wraps around: a mesh must be so wide that no charge acts around the edge. On a small map, where K is nearly 1
everywhere, K - 1 replaces K, so that single precision is spent on the differences; splines sum to 1, so the rest is the
sum of the charges.

A point also feels itself: K(0) = 1, blurred and sharpened again, which depends on where in its cell it lies. This is
tabulated, and subtracted as the term j = i.
"""

from functools import lru_cache

import numpy as np
from scipy import fft

from notebook_sne.engine.sums.splines import bspline_table

__all__ = ["blur", "kernel_of", "own_terms", "response"]

TABLE = 32
"""Cells of the table of own terms, along each side."""

_LAGS = 64  # nodes a side of the mesh on which own terms are found; they depend on the nearest few only


def kernel_of(d, degrees_of_freedom, minus_one=False):
    """Return K(d), or with `minus_one` K(d) - 1; `degrees_of_freedom` is infinite for the Gaussian exp(-d).

    Instead of degrees of freedom it may be any kernel that has `values`, a function of d, and can be hashed. Of such a
    one `minus_one` subtracts K(0).
    """
    if hasattr(degrees_of_freedom, "values"):
        values = degrees_of_freedom.values(d)
        return values - degrees_of_freedom.values(np.zeros(1)) if minus_one else values
    if np.isinf(degrees_of_freedom):
        return np.expm1(-d) if minus_one else np.exp(-d)
    exponent = -0.5 * (degrees_of_freedom + 1.0) * np.log1p(d / degrees_of_freedom)
    return np.expm1(exponent) if minus_one else np.exp(exponent)


def _spectrum(order, spacing, degrees_of_freedom, shape, minus_one):
    # A quarter, as the kernel is the same in all four directions.
    x, y = (np.square(np.arange(n // 2 + 1) * spacing) for n in shape)
    K = kernel_of(x[:, None] + y, degrees_of_freedom, minus_one)
    K = K[np.ix_(*(np.minimum(np.arange(n), n - np.arange(n)) for n in shape))]
    G = fft.rfft2(K, workers=1).real  # one, whose bits do not depend on how many there are: see `fourier`
    G /= blur(order, fft.fftfreq(shape[0]))[:, None]
    G /= blur(order, fft.rfftfreq(shape[1]))
    return G


def blur(order, frequencies):
    """Return B at frequencies in waves per node."""
    samples = bspline_table(np.zeros(1), 2 * order)[0][0]  # M_2p(2p - 1), ..., M_2p(0)
    n = np.arange(2 * order) - (order - 1)
    return np.cos(2 * np.pi * np.outer(frequencies, n)) @ samples


@lru_cache(maxsize=8)
def response(order, spacing, degrees_of_freedom, shape, minus_one=False):
    """Return G, shape (n_rows, n_columns // 2 + 1), which multiplies the waves of a mesh of that shape.

    `order` and `spacing` are those of the splines; the kernel has `degrees_of_freedom`, or is that kernel
    `minus_one`. G is float32; for K - 1, on the small meshes of small maps, float64, because the smallest waves matter
    there. The last results are cached, because a run asks for the same ones again and again.
    """
    G = _spectrum(order, spacing, degrees_of_freedom, shape, minus_one)
    G = G if minus_one else G.astype(np.float32)
    G.flags.writeable = False
    return G


@lru_cache(maxsize=64)
def own_terms(order, spacing, degrees_of_freedom, minus_one=False):
    """Return the effect of a point of weight 1 on itself, float32 of shape (2, TABLE + 1, TABLE + 1).

    The table has the value, and the force along the first axis, at each place in the cell; the force along the other
    axis is the transpose. The units are those of the kernel and of the map; `order`, `spacing`, `degrees_of_freedom`
    and `minus_one` are as for `response`.
    """
    lags = fft.irfft2(_spectrum(order, spacing, degrees_of_freedom, (_LAGS, _LAGS), minus_one), (_LAGS, _LAGS))
    near = np.arange(1 - order, order)
    lags = lags[np.ix_(near % _LAGS, near % _LAGS)]
    a, slope = bspline_table(np.linspace(0.0, 1.0, TABLE + 1), order)
    # By how many nodes apart: sum_k a_k a_{k+lag}, as a point meets its own charge at every pair of its nodes.
    both = np.array([np.correlate(s, s, "full") for s in a])
    tilt = np.array([np.correlate(t, s, "full") for s, t in zip(a, slope, strict=True)])
    terms = np.stack([both @ lags @ both.T, -0.5 / spacing * (tilt @ lags @ both.T)]).astype(np.float32)
    terms.flags.writeable = False
    return terms
