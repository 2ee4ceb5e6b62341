"""Stored pairs under a mixture: which map, or pair of images, explains a pair of objects, and how strongly it pulls.

Several terms exp(a_k) explain a pair (i, j) together. Each has a share r_k of it:

.. math::

    L = log sum_k exp(a_k),     r_k = exp(a_k) / sum_l exp(a_l),     dL = sum_k r_k da_k

so a share is both the strength of a spring and the gradient of a log proportion. Exponents are measured from the
largest one of a pair, so that no far pair underflows.

Longer than 300 lines because one pass over the pairs has three forms, for proportions, maps and images, side by side.
"""

from typing import NamedTuple

import numpy as np
from numba import prange

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.exponential import exp_minus, log_of
from notebook_sne.engine.machine.parallel import FAST, FAST_SERIAL, exclusive
from notebook_sne.engine.machine.simd import aligned, call, count_in, larger, largest, load, put, spread, total
from notebook_sne.engine.sums.stored_pairs import read_only, share_out

__all__ = ["ImagePull", "image_pull", "image_row", "mixture_pull", "mixture_rows", "pack", "ranges"]

_FARTHEST = -1e290  # instead of minus infinity, which fast sums may not meet


def mixture_pull(pairs, Y, log_mixing, student=False, *, dtype=np.float32):
    """Return energy, forces and shares of the stored pairs, with symmetric strengths s_ij, in M maps.

    .. math::

        S_ij = sum_m pi_i^m pi_j^m K(d_ij^m),   r_ij^m = pi_i^m pi_j^m K(d_ij^m) / S_ij

    They are -sum_ij s_ij log S_ij; sum_j s_ij r_ij^m (y_i^m - y_j^m), shape (M, N, d); and sum_j s_ij r_ij^m, shape
    (M, N). K(d) is exp(-d) or, with `student`, 1 / (1 + d), and each term of the forces is then divided by 1 + d_ij^m.
    Y, shape (M, N, d), is finite; `log_mixing`, shape (M, N), are logarithms of the proportions, none above 0. `dtype`,
    float32 or float64, is the precision of the shares of a pair; in maps more than 200 units wide it is double in any
    case. Sums over many pairs are double.
    """
    M, N, d = Y.shape
    Y, log_mixing = (read_only(a, np.float64) for a in (Y, log_mixing))
    low, high = ranges(Y)
    if (high - low).max() > WIDE:
        dtype = np.float64
    lanes = count_in(np.empty(0, dtype))
    width = -(-M // lanes) * lanes
    arrays = share_out(pairs)
    objects = aligned(N * (1 + d) * width, dtype)
    scratch = aligned((len(arrays[-1]) - 1) * (4 + 2 * d) * width, dtype).reshape(len(arrays[-1]) - 1, -1)
    pack(Y, log_mixing, 0.5 * (low + high), width, objects)
    # Shares of far maps times small strengths would be too small to be normal numbers; so these are made about 1.
    unit = pairs.strengths.sum() / len(pairs.strengths)
    energy, forces, shares = np.empty(N), np.empty((M, N, d)), np.empty((M, N))
    mixture_rows(*arrays, unit, objects, width, student, scratch, energy, forces, shares)
    # As in `stored_pairs`: the second term is 0 unless a point has gone to infinity.
    return energy.sum() + 0.0 * forces.sum(), forces, shares


WIDE = 200.0  # at which single precision puts a point wrong by 4e-6 at most
_NOWHERE = -1e20  # the logarithm of a proportion in a map that does not exist
_FAINT = 2.0**-60  # a sum above it feels nothing of the floor of the fast exponential, 2^-100
_SOME_PAIRS = 128  # are summed in the precision of the shares
_SOME_ROWS = 16  # are gathered before they are written, map by map


# Without the rules for what is not a number, which a minimum cannot keep as a vector instruction; such a coordinate
# finds its way to the cost by itself.
@njit(**{**FAST_SERIAL, "fastmath": True})
def ranges(Y):
    """Return the lowest and the highest coordinates of each map, two arrays of shape (M, d)."""
    low, high = np.empty(Y.shape[::2]), np.empty(Y.shape[::2])
    for m in range(Y.shape[0]):
        for a in range(Y.shape[2]):
            least = most = Y[m, 0, a]
            for i in range(Y.shape[1]):
                least = min(least, Y[m, i, a])
                most = max(most, Y[m, i, a])
            low[m, a], high[m, a] = least, most
    return low, high


# On one thread: to share out so little costs more than it saves where other programs want the processor too.
@njit(**FAST_SERIAL)
def pack(Y, logs, centers, width, objects):
    """Write what pairs read of an object in one piece: log proportions and each coordinate, maps side by side."""
    M, N, n_dimensions = Y.shape
    size = (1 + n_dimensions) * width
    for first in range(0, N, _SOME_ROWS):
        last = min(first + _SOME_ROWS, N)
        for i in range(first, last):
            objects[i * size + M : i * size + width] = _NOWHERE
            for a in range(1, 1 + n_dimensions):
                objects[i * size + a * width + M : i * size + (a + 1) * width] = 0
        for m in range(M):
            for i in range(first, last):
                objects[i * size + m] = max(logs[m, i], _NOWHERE)
                for a in range(n_dimensions):
                    objects[i * size + (1 + a) * width + m] = Y[m, i, a] - centers[m, a]


@njit(**FAST_SERIAL)
def _explain(exponents, kernels, student, r):
    """Write exp(a_k - top) K_k, all terms of a pair measured from the largest; return log of that and their sum."""
    tops = load(exponents, 0)
    for m in range(count_in(r), len(r), count_in(r)):
        tops = larger(tops, load(exponents, m))
    top = largest(tops)
    sums = spread(top - top)
    for m in range(0, len(r), count_in(r)):
        near = exp_minus(top - load(exponents, m))
        if student:
            near = near * load(kernels, m)
        put(r, m, near)
        sums = sums + near
    return top, total(sums)


@njit(**FAST_SERIAL)
def _mixture_part(columns, strengths, objects, i, student, differences, exponents, kernels, r, sums, explained):
    """Return the energy of some pairs of row i, all but the logarithms of what it writes to `explained`.

    Writes the shares and forces, (1 + d) * width numbers, to `sums`.
    """
    width = len(r)
    size = len(sums)
    one = r.dtype.type(1)
    energy = 0.0
    sums[:] = 0
    mine = i * size
    for k in range(len(columns)):
        other, s = columns[k] * size, strengths[k]
        ahead = columns[min(k + 1, len(columns) - 1)] * size  # called for: otherwise the processor waits for each
        both = spread(one - one)
        for m in range(0, width, count_in(r)):
            d = spread(one - one)
            call(objects, ahead + m)
            for a in range(width, size, width):
                call(objects, ahead + a + m)
                t = load(objects, mine + a + m) - load(objects, other + a + m)
                put(differences, a - width + m, t)
                d = d + t * t
            log_near = load(objects, mine + m) + load(objects, other + m)
            if student:
                kernel = one / (one + d)
                put(kernels, m, kernel)
                near = exp_minus(-one * log_near) * kernel
            else:
                log_near = log_near - d
                near = exp_minus(-one * log_near)
            put(exponents, m, log_near)
            put(r, m, near)
            both = both + near
        explained[k] = total(both)
        if explained[k] < _FAINT:
            top, explained[k] = _explain(exponents, kernels, student, r)
            energy -= s * top
        scale = r.dtype.type(s / explained[k])
        for m in range(0, width, count_in(r)):
            share = load(r, m) * scale
            put(sums, m, load(sums, m) + share)
            if student:
                share = share * load(kernels, m)
            for a in range(width, size, width):
                put(sums, a + m, load(sums, a + m) + share * load(differences, a - width + m))
    return energy


@njit(**FAST_SERIAL)
def _minus_logs(strengths, explained):
    energy = 0.0
    for k in range(len(strengths)):
        energy -= strengths[k] * log_of(explained[k])
    return energy


@exclusive
@njit(**FAST)
def mixture_rows(pointers, columns, strengths, blocks, unit, objects, width, student, scratch, energy, forces, shares):
    """Write energy, forces and shares of each row, as `mixture_pull` sums and returns them."""
    M, _, n_dimensions = forces.shape
    size = (1 + n_dimensions) * width
    for b in prange(blocks.shape[0] - 1):
        own = scratch[b]
        exponents, kernels, r = own[:width], own[width : 2 * width], own[2 * width : 3 * width]
        sums, differences = own[3 * width : 3 * width + size], own[3 * width + size :]
        explained, s = np.empty(_SOME_PAIRS), np.empty(_SOME_PAIRS)
        found = np.empty((_SOME_ROWS, size))
        for first in range(blocks[b], blocks[b + 1], _SOME_ROWS):
            last = min(first + _SOME_ROWS, blocks[b + 1])
            for i in range(first, last):
                row, mine = found[i - first], 0.0
                row[:] = 0.0
                for start in range(pointers[i], pointers[i + 1], _SOME_PAIRS):
                    n = min(_SOME_PAIRS, pointers[i + 1] - start)
                    for k in range(n):
                        s[k] = strengths[start + k] / unit
                    mine += _mixture_part(
                        columns[start : start + n], s, objects, i, student,
                        differences, exponents, kernels, r, sums, explained,
                    )  # fmt: skip
                    mine += _minus_logs(s[:n], explained)
                    for k in range(size):
                        row[k] += sums[k]
                energy[i] = unit * mine
            for m in range(M):
                for i in range(first, last):
                    shares[m, i] = unit * found[i - first, m]
                    for a in range(n_dimensions):
                        forces[m, i, a] = unit * found[i - first, (1 + a) * width + m]


class ImagePull(NamedTuple):
    """Energy, forces and shares of the stored pairs, for the images of objects in one map.

    Both kinds of choices count: those that an object makes, and those in which it is chosen.
    """

    energy: float  # -sum_ij p_{j|i} log q_{j|i}
    forces: np.ndarray  # shape (M, N, d): sums over partners of strength times difference, of both kinds of choices
    shares: np.ndarray  # shape (M, N): the share of each image in both
    loads: np.ndarray  # shape (M, N): its share in those its own object makes; an object's loads sum to its row of P


def image_pull(pairs, incoming, Y, log_mixing, log_z):
    """Return the ImagePull of a mixture of images.

    .. math:: q_{j|i} = sum_b pi_ib sum_c pi_jc exp(-|y_ib - y_jc|^2) / z_ib

    `pairs` have p_{j|i} on every place where p_{j|i} or p_{i|j} is stored, `incoming` has p_{i|j} in the same places.
    Y, shape (M, N, d), are the places of the images, `log_mixing` and `log_z`, shape (M, N), the logarithms of pi_ib
    and z_ib.
    """
    M, N, d = Y.shape
    points, logs, log_z = (np.array(a, dtype=np.float64, order="C") for a in (Y, log_mixing, log_z))
    energy, forces, shares, loads = np.empty(N), np.empty((N, M, d)), np.empty((N, M)), np.empty((N, M))
    _image_rows(
        pairs.pointers, pairs.columns, pairs.strengths, incoming, points, logs, log_z, energy, forces, shares, loads
    )
    return ImagePull(energy.sum(), np.moveaxis(forces, 1, 0), shares.T, loads.T)


@njit(**FAST_SERIAL)
def image_row(columns, outgoing, incoming, points, logs, log_z, i, force, share, load):
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
        energy[i] = image_row(
            columns[start:stop], outgoing[start:stop], incoming[start:stop],
            points, logs, log_z, i, forces[i], shares[i], loads[i],
        )  # fmt: skip
