"""Stored pairs under a mixture: which map, or which pair of images, explains a pair of objects, and how hard it pulls.

A pair (i, j) is explained by several terms exp(a_k) at once. Each takes its share r_k of it:

.. math::

    L = log sum_k exp(a_k),     r_k = exp(a_k) / sum_l exp(a_l),     dL = sum_k r_k da_k

so a share is a spring's strength as well as the gradient of a log proportion. Exponents are measured from the largest
of a pair: no far pair underflows.
"""

from typing import NamedTuple

import numpy as np
from numba import njit, prange

from notebook_sne.mathematics.exponential import exp_minus, log_of
from notebook_sne.mathematics.parallel import FAST, FAST_SERIAL, exclusive

__all__ = ["ImagePull", "image_pull", "mixture_pull"]

_FARTHEST = -1e290  # instead of minus infinity, which fast sums may not meet


def mixture_pull(pairs, Y, log_mixing, student=False):
    """Return what the stored pairs say to M maps.

    .. math:: S_ij = sum_m pi_i^m pi_j^m K(d_ij^m),   r_ij^m = pi_i^m pi_j^m K(d_ij^m) / S_ij

    Parameters
    ----------
    pairs : StoredPairs
        Symmetric strengths s_ij.
    Y : ndarray, shape (M, N, d)
        Map points.
    log_mixing : ndarray, shape (M, N)
        Logarithms of the proportions.
    student : bool
        Whether K(d) is 1 / (1 + d) instead of exp(-d).

    Returns
    -------
    energy : float
        -sum_ij s_ij log S_ij.
    forces : ndarray, shape (M, N, d)
        sum_j s_ij r_ij^m (y_i^m - y_j^m); the Student-t kernel divides each term by 1 + d_ij^m.
    shares : ndarray, shape (M, N)
        sum_j s_ij r_ij^m.
    """
    M, N, d = Y.shape
    # Maps last: the inner loops run over the maps of one pair, which then lie side by side.
    points = np.array(np.moveaxis(Y, 0, 2), dtype=np.float64, order="C")
    logs = np.array(log_mixing.T, dtype=np.float64, order="C")
    energy, shares, forces = np.empty(N), np.empty((N, M)), np.empty((N, d, M))
    _mixture_rows(pairs.pointers, pairs.columns, pairs.strengths, points, logs, student, energy, shares, forces)
    return energy.sum(), np.moveaxis(forces, 2, 0), shares.T


@njit(**FAST_SERIAL)
def _mixture_row(columns, strengths, points, logs, i, student, share, force):
    """Return the energy of row i; write its shares, shape (M,), and forces, shape (d, M)."""
    _, n_dimensions, M = points.shape
    differences, d, r = np.empty((n_dimensions, M)), np.empty(M), np.empty(M)
    mine, energy = logs[i], 0.0
    share[:] = 0.0
    force[:] = 0.0
    for k in range(columns.shape[0]):
        j, s = columns[k], strengths[k]
        other = logs[j]
        d[:] = 0.0
        for a in range(n_dimensions):
            x, y, t = points[i, a], points[j, a], differences[a]
            for m in range(M):
                t[m] = x[m] - y[m]
                d[m] += t[m] * t[m]
        top = _FARTHEST
        for m in range(M):
            r[m] = mine[m] + other[m] - (0.0 if student else d[m])
            top = max(top, r[m])
        total = 0.0
        for m in range(M):
            r[m] = exp_minus(top - r[m]) / ((1.0 + d[m]) if student else 1.0)
            total += r[m]
        energy -= s * (top + log_of(total))
        scale = s / total
        for m in range(M):
            r[m] *= scale
            share[m] += r[m]
            if student:
                r[m] /= 1.0 + d[m]
        for a in range(n_dimensions):
            f, t = force[a], differences[a]
            for m in range(M):
                f[m] += r[m] * t[m]
    return energy


@exclusive
@njit(**FAST)
def _mixture_rows(pointers, columns, strengths, points, logs, student, energy, shares, forces):
    for i in prange(points.shape[0]):
        start, stop = pointers[i], pointers[i + 1]
        energy[i] = _mixture_row(
            columns[start:stop], strengths[start:stop], points, logs, i, student, shares[i], forces[i]
        )


class ImagePull(NamedTuple):
    """What the stored pairs say to the images of objects in one map.

    Attributes
    ----------
    energy : float
        - sum_ij p_{j|i} log q_{j|i}.
    forces : ndarray, shape (M, N, d)
        Sum over partners of strength times difference, of the choices that an object makes and those it is.
    shares : ndarray, shape (M, N)
        The share of each image in both kinds of choices.
    loads : ndarray, shape (M, N)
        Its share in the choices that its own object makes; an object's loads sum to its row of P.
    """

    energy: float
    forces: np.ndarray
    shares: np.ndarray
    loads: np.ndarray


def image_pull(pairs, incoming, Y, log_mixing, log_z):
    """Return the ImagePull of a mixture of images.

    .. math:: q_{j|i} = sum_b pi_ib sum_c pi_jc exp(-|y_ib - y_jc|^2) / z_ib

    Parameters
    ----------
    pairs : StoredPairs
        p_{j|i}, on every place where p_{j|i} or p_{i|j} is stored.
    incoming : ndarray
        p_{i|j} in the same places.
    Y : ndarray, shape (M, N, d)
        Place of each image.
    log_mixing, log_z : ndarray, shape (M, N)
        Logarithms of the proportions pi_ib and of the sums z_ib.

    Returns
    -------
    ImagePull
        The energy, and what each image is pulled by.
    """
    M, N, d = Y.shape
    points, logs, log_z = (np.array(a, dtype=np.float64, order="C") for a in (Y, log_mixing, log_z))
    energy, forces, shares, loads = np.empty(N), np.empty((N, M, d)), np.empty((N, M)), np.empty((N, M))
    _image_rows(
        pairs.pointers, pairs.columns, pairs.strengths, incoming, points, logs, log_z, energy, forces, shares, loads
    )
    return ImagePull(energy.sum(), np.moveaxis(forces, 1, 0), shares.T, loads.T)


@njit(**FAST_SERIAL)
def _image_row(columns, outgoing, incoming, points, logs, log_z, i, force, share, load):
    """Return the energy of row i; write its forces, shape (M, d), shares and loads, shape (M,)."""
    M, _, n_dimensions = points.shape
    out, into = np.empty((M, M)), np.empty((M, M))
    energy = 0.0
    force[:] = 0.0
    share[:] = 0.0
    load[:] = 0.0
    for k in range(columns.shape[0]):
        j = columns[k]
        top_out = top_in = _FARTHEST
        for b in range(M):
            for c in range(M):
                d = 0.0
                for a in range(n_dimensions):
                    t = points[b, i, a] - points[c, j, a]
                    d += t * t
                near = logs[b, i] + logs[c, j] - d
                out[b, c] = near - log_z[b, i]
                into[b, c] = near - log_z[c, j]
                top_out = max(top_out, out[b, c])
                top_in = max(top_in, into[b, c])
        total_out = total_in = 0.0
        for b in range(M):
            for c in range(M):
                out[b, c] = exp_minus(top_out - out[b, c])
                into[b, c] = exp_minus(top_in - into[b, c])
                total_out += out[b, c]
                total_in += into[b, c]
        energy -= outgoing[k] * (top_out + log_of(total_out))
        for b in range(M):
            for c in range(M):
                chosen = outgoing[k] * out[b, c] / total_out
                both = chosen + incoming[k] * into[b, c] / total_in
                load[b] += chosen
                share[b] += both
                for a in range(n_dimensions):
                    force[b, a] += both * (points[b, i, a] - points[c, j, a])
    return energy


@exclusive
@njit(**FAST)
def _image_rows(pointers, columns, outgoing, incoming, points, logs, log_z, energy, forces, shares, loads):
    for i in prange(points.shape[1]):
        start, stop = pointers[i], pointers[i + 1]
        energy[i] = _image_row(
            columns[start:stop], outgoing[start:stop], incoming[start:stop],
            points, logs, log_z, i, forces[i], shares[i], loads[i],
        )  # fmt: skip
