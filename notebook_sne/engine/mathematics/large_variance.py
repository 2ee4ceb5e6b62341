"""The limit of SNE with Gaussians much wider than all distances: a kind of multidimensional scaling.

With the squared distances D_ij in the data and d_ij in the map, both in units of the Gaussian, every object chooses

.. math::

    log p_{j|i} = -(D_ij - G_i) - log(N - 1),   G_i = -log(sum_{h != i} exp(-D_ih) / (N - 1))

    log q_{j|i} = -(d_ij - g_i) - log(N - 1),   g_i = -log(sum_{h != i} exp(-d_ih) / (N - 1))

G_i and g_i are the "antigeometric" means [Hinton2002, Eq. 11-12]. If all distances are much smaller than 1, all p are
near 1 / (N - 1), and the divergence tends to half the mean square of log(p / q), summed over objects:

.. math::

    C = sum_i KL(P_i || Q_i) -> (1 / (2 (N - 1))) sum_{i != j} m_ij^2

    m_ij = (D_ij - G_i) - (d_ij - g_i)                                                  [Hinton2002, Eq. 10]

    dC/dy_i -> 2 sum_j (f_ij + f_ji) (y_i - y_j),   f_ij = (q_{j|i} sum_h m_ih - m_ij) / (N - 1)

So far and near pairs count alike, as in multidimensional scaling. Two things differ from its stress, the sum of
(sqrt(D_ij) - sqrt(d_ij))^2. First, squared distances are compared, so that long ones weigh more. Second, each object
measures its distances from their mean, so that adding the same amount to all D_ij of an object i changes nothing. Under
both, objects with as many dimensions as the map are their own best map.
"""

import numpy as np

from notebook_sne.engine.mathematics.evaluation import Evaluation

__all__ = ["cost_and_gradient", "mismatch"]


def mismatch(D, d):
    """Return how squared distances differ between map and data, both measured from an object's own mean.

    These are m_ij = log(q_{j|i} / p_{j|i}) as above, shape (N, N), with a zero diagonal [Hinton2002, Eq. 10]. D and d
    are the squared distances in data and map, in units of the Gaussian; their diagonals aren't read. D need not be
    symmetric.
    """
    return _log_choices(d) - _log_choices(D)


def cost_and_gradient(D, Y):
    """Return the Evaluation of the large-variance limit of SNE at Y, shape (N, d).

    Map points are as for SNE at these D. D, shape (N, N), are squared distances in the data, in units of the Gaussian:
    divided by 2 sigma^2, with one sigma for all objects. The diagonal isn't read. The cost is the mismatch of Eq. 10
    over 2 (N - 1), in nats; it and its gradient are the limits of those of SNE. Both take arrays of N^2 numbers.
    """
    D, Y = np.asarray(D, dtype=float), np.asarray(Y, dtype=float)
    N = len(Y)
    differences = Y[:, None] - Y[None]
    d = np.square(differences).sum(axis=2)
    m, q = mismatch(D, d), np.exp(_log_choices(d))
    np.fill_diagonal(q, 0.0)
    forces = (q * m.sum(axis=1, keepdims=True) - m) / (N - 1)
    cost = 0.5 * float(np.square(m).sum()) / (N - 1)
    return Evaluation(cost, 2.0 * ((forces + forces.T)[:, :, None] * differences).sum(axis=1), cost)


def _log_choices(D):
    """Return log p_{j|i}, shape (N, N), of squared distances, with a zero diagonal."""
    far = np.array(D, dtype=float)
    np.fill_diagonal(far, np.inf)
    nearest = far.min(axis=1, keepdims=True)
    choices = nearest - far - np.log(np.exp(nearest - far).sum(axis=1, keepdims=True))
    np.fill_diagonal(choices, 0.0)
    return choices
