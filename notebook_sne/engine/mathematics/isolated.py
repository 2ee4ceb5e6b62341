"""Objects so far from all others that their sums underflow.

.. math::

    q_{j|i} = exp(-d_ij) / z_i,   z_i = sum_{h != i} exp(-d_ih)

Once the nearest map point is about eight units away, z_i is too small for a fast sum in float32. Yet q_{j|i} is well
defined: an isolated object chooses the least distant points. Plain NumPy sums these few rows here, in double precision,
with exponents measured from the nearest neighbor:

.. math:: log z_i = -d_i + log sum_{h != i} exp(d_i - d_ih),   d_i = min_{h != i} d_ih
"""

import numpy as np

__all__ = ["isolated_images", "isolated_mixture", "isolated_rows"]

_ENTRIES = 4_000_000  # of one block of rows: 32 MB


def isolated_rows(Y, rows):
    """Return log z_i and the mean differences of the given rows, and the push of these rows on all objects.

    Y, shape (N, d), are map points, `rows`, int of shape (R,), the objects i to be summed. Log z_i has shape (R,);
    outgoing, (R, d), is sum_j q_{j|i} (y_i - y_j) of each of them; incoming, (N, d), is sum_i q_{j|i} (y_j - y_i) over
    them, for every object j.
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


def isolated_mixture(Y, log_mixing, rows, student=False):
    """Return the same for S_ij = sum_m pi_i^m pi_j^m K(d_ij^m), for the given rows.

    Y has shape (M, N, d), `log_mixing`, the logarithms of the proportions, shape (M, N). K(d) is exp(-d) or, with
    `student`, 1 / (1 + d); each force is then multiplied by K. The log of z_i = sum_h S_ih has shape (R,). Outgoing,
    (M, R, d), and incoming, (M, N, d), are sums of S_ij^m / z_i (y_i - y_j): for the rows i, and for all objects. The
    last two results, (M, R) and (M, N), are sums of S_ij^m / z_i over j, and over the rows i.
    """
    M, N, d = Y.shape
    log_z, outgoing, incoming = np.empty(len(rows)), np.empty((M, len(rows), d)), np.zeros(Y.shape)
    given, received = np.empty((M, len(rows))), np.zeros((M, N))
    step = max(1, _ENTRIES // (M * N * d))
    for start in range(0, len(rows), step):
        block = rows[start : start + step]
        differences = Y[:, block, None] - Y[:, None]
        D = np.square(differences).sum(axis=3)
        exponents = log_mixing[:, block, None] + log_mixing[:, None] - (np.log1p(D) if student else D)
        exponents[:, np.arange(len(block)), block] = -np.inf
        top = exponents.max(axis=(0, 2))
        Q = np.exp(exponents - top[:, None])
        z = Q.sum(axis=(0, 2))
        Q /= z[:, None]
        part = slice(start, start + len(block))
        log_z[part] = np.log(z) + top
        given[:, part] = Q.sum(axis=2)
        received += Q.sum(axis=1)
        if student:
            Q /= 1.0 + D
        outgoing[:, part] = np.einsum("mij,mija->mia", Q, differences)
        incoming -= np.einsum("mij,mija->mja", Q, differences)
    return log_z, outgoing, incoming, given, received


def isolated_images(Y, log_mixing, images, rows):
    """Return log z of some images, and a function from their loads t to the pushes on them and all others.

    Y, shape (M, N, d), are the places of all images, `log_mixing`, shape (M, N), the logarithms of their proportions;
    `images` and `rows`, int of shape (R,), say image b of object i. The logarithms of z_ib have shape (R,). From loads,
    shape (R,), the function makes outgoing, (R, d), incoming, (M, N, d), and the shares in d(log pi), (M, N), as sums
    of t q.
    """
    differences = Y[images, rows][None, None] - Y[:, :, None]  # (M, N, R, d)
    exponents = log_mixing[:, :, None] - np.square(differences).sum(axis=3)
    exponents[:, rows, np.arange(len(rows))] = -np.inf
    top = exponents.max(axis=(0, 1))
    Q = np.exp(exponents - top)
    z = Q.sum(axis=(0, 1))
    Q /= z

    def pushes(loads):
        strengths = Q * loads
        outgoing = np.einsum("mnr,mnra->ra", strengths, differences)
        return outgoing, -np.einsum("mnr,mnra->mna", strengths, differences), strengths.sum(axis=2)

    return np.log(z) + top, pushes
