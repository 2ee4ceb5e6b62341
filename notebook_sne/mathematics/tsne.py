"""t-SNE: symmetric SNE whose map is measured with Student's t of one degree of freedom.

.. math::

    q_ij = w_ij / Z,   w_ij = 1 / (1 + d_ij),   Z = sum_{k != l} w_kl                               [Nabney, Eq. 9]

    C = KL(P || Q) = sum_ij p_ij log p_ij + sum_ij p_ij log(1 + d_ij) + log Z

    dC/dy_i = 4 sum_j (p_ij - q_ij) w_ij (y_i - y_j)                                               [Nabney, Eq. 10]

Heavy tails let a moderate distance in the data be a large one in the map. Early exaggeration multiplies the pull by a
factor a > 1, which is to lower another objective, while the cost is still C: clusters form while there is still
room to pass.

.. math:: C + (a - 1) sum_ij p_ij log(1 + d_ij)

With another number nu of degrees of freedom [Nabney] the kernel is

.. math::

    w_ij = (1 + d_ij / nu)^(-(nu + 1) / 2),   -log w_ij = (nu + 1) / 2 log(1 + d_ij / nu)

    dC/dy_i = 4 sum_j (p_ij - q_ij) (nu + 1) / (2 nu) (y_i - y_j) / (1 + d_ij / nu)

so that its pull is that of nu = 1 on a map that is drawn smaller by sqrt(nu).
"""

import numpy as np

from notebook_sne.mathematics.evaluation import Evaluation
from notebook_sne.sums.pair_sums import student_sums
from notebook_sne.sums.stored_pairs import store, student_pull

__all__ = ["cost_and_gradient", "attractive_pairs", "pull_of"]


def attractive_pairs(P):
    """Return the stored pairs of a joint P, sparse, symmetric, summing to 1."""
    return store(P, P)


def cost_and_gradient(pairs, Y, exaggeration=1.0, *, degrees_of_freedom=1.0, sums=student_sums):
    """Return the evaluation of t-SNE at Y.

    Parameters
    ----------
    pairs : StoredPairs
        From `attractive_pairs`.
    Y : ndarray of float64, shape (N, d)
        Map points; finite.
    exaggeration : float
        Factor on the pull of P; 1 for none. It enters the objective and its gradient, never the cost.
    degrees_of_freedom : float
        nu, above 0; that of the sums, too.
    sums : callable
        `student_sums` or another function of the same form.

    Returns
    -------
    Evaluation
        The objective and its gradient, shape (N, d), and the cost.
    """
    w, push = sums(Y)
    Z = w.sum()
    energy, pull = pull_of(pairs, Y, degrees_of_freedom)
    cost = pairs.negentropy + energy + np.log(Z)
    return Evaluation(cost + (exaggeration - 1.0) * energy, 4.0 * (exaggeration * pull - push / Z), cost)


def pull_of(pairs, Y, degrees_of_freedom):
    """Return -sum_ij p_ij log w_ij and a fourth of its gradient, shape (N, d), at Y, shape (N, d).

    pairs are those of P, degrees_of_freedom those of w.
    """
    nu = degrees_of_freedom
    if nu == 1.0:
        return student_pull(pairs, Y)
    half, scale = 0.5 * (nu + 1.0), np.sqrt(nu)
    energy, pull = student_pull(pairs, Y / scale)
    return half * energy, half / scale * pull
