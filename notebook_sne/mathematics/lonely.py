"""Objects so far from all others that their sums underflow.

z_i = sum_{h != i} exp(-d_ih) is below any float32 once the nearest map point is some eight units away, yet
q_{j|i} = exp(-d_ij) / z_i is as well defined as ever: a lonely object looks at whatever is least far. These few rows
are summed here with plain NumPy in double precision and with exponents measured from the nearest neighbour.
"""

import numpy as np

__all__ = ["lonely_rows"]

_ENTRIES = 4_000_000  # of one block of rows: 32 MB


def lonely_rows(Y, rows):
    """Return log z_i and the mean differences of the given rows, and what all objects receive from them.

    Parameters
    ----------
    Y : ndarray of float64, shape (N, d)
        Map points.
    rows : ndarray of int, shape (R,)
        The objects i to be summed.

    Returns
    -------
    log_z : ndarray, shape (R,)
    outgoing : ndarray, shape (R, d)
        sum_j q_{j|i} (y_i - y_j) for each object i of rows.
    incoming : ndarray, shape (N, d)
        sum_i q_{j|i} (y_j - y_i) over the rows i, for every object j.
    """
    log_z, outgoing, incoming = np.empty(len(rows)), np.empty((len(rows), Y.shape[1])), np.zeros(Y.shape)
    step = max(1, _ENTRIES // (len(Y) * Y.shape[1]))
    for start in range(0, len(rows), step):
        block = rows[start : start + step]
        here = np.arange(len(block))
        differences = Y[block][:, None] - Y[None]
        D = np.square(differences).sum(axis=2)
        D[here, block] = np.inf
        nearest = D.min(axis=1)
        Q = np.exp(nearest[:, None] - D)
        z = Q.sum(axis=1)
        Q /= z[:, None]
        part = slice(start, start + len(block))
        log_z[part] = np.log(z) - nearest
        # einsum adds in one fixed order, which a matrix product on several threads does not promise.
        outgoing[part] = np.einsum("ij,ija->ia", Q, differences)
        incoming -= np.einsum("ij,ija->ja", Q, differences)
    return log_z, outgoing, incoming
