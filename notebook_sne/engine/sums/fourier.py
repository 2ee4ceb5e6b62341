"""Convolutions on meshes by Fourier transforms, with the same bits on any number of threads.

SciPy divides the lines evenly among its workers. A worker takes as many lines at a time as a register holds, and the
remaining ones one by one. From SciPy 1.18 on, a single line is rounded differently from a line among others (complex64,
304 nodes or more). Empty lines are therefore added until each worker has full registers.
"""

import numpy as np
from scipy import fft

from notebook_sne.engine.machine.parallel import number_of_threads

__all__ = ["convolved"]

_TOGETHER = 16  # lines, at most, that a register holds
_EACH = 8 * _TOGETHER  # lines below which a worker more gains nothing, and SciPy would leave some idle


def convolved(charges, G, period):
    """Return the circular convolution of charges with a kernel, on the rows that have charges.

    The charges on the nodes are float32 of shape (n_meshes, n_rows, period[1]), and so is the field; rows from n_rows
    to period[0] have none. G, shape (period[0], period[1] // 2 + 1), is the transform of the kernel, in the precision
    of the result; `period` has the numbers of rows and columns after which the kernel repeats.
    """
    n_meshes, n_rows, n_columns = charges.shape
    n_waves = G.shape[1]
    (rows, by_row), (columns, by_column) = (_shared_out(n, n_meshes) for n in (n_rows, n_waves))
    padded = np.zeros((n_meshes, rows, n_columns), G.dtype)
    padded[:, :n_rows] = charges
    waves = np.zeros((n_meshes, max(rows, period[0]), columns), np.result_type(G, np.complex64))
    waves[:, :rows, :n_waves] = fft.rfft(padded, axis=2, workers=by_row)
    within = fft.fft(waves[:, : period[0]], axis=1, overwrite_x=True, workers=by_column)
    within[:, :, :n_waves] *= G
    within = fft.ifft(within, axis=1, overwrite_x=True, workers=by_column)
    if not np.shares_memory(within, waves):
        waves[:, : period[0]] = within
    field = fft.irfft(waves[:, :rows, :n_waves], period[1], axis=2, workers=by_row)
    return field[:, :n_rows].astype(np.float32, copy=False)


def _shared_out(n_lines, n_meshes):
    """Return how many lines are transformed instead of the `n_lines` of each mesh, and by how many workers."""
    workers = max(1, min(number_of_threads(), n_lines * n_meshes // _EACH))
    together = _TOGETHER * workers
    return -(-n_lines // together) * together, workers
