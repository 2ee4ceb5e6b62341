"""t-SNE: symmetric SNE, with Student's t of one degree of freedom as the kernel of the map.

.. math::

    q_ij = w_ij / Z,   w_ij = 1 / (1 + d_ij),   Z = sum_{k != l} w_kl                               [Nabney, Eq. 9]

    C = KL(P || Q) = sum_ij p_ij log p_ij + sum_ij p_ij log(1 + d_ij) + log Z

    dC/dy_i = 4 sum_j (p_ij - q_ij) w_ij (y_i - y_j)                                               [Nabney, Eq. 10]

Heavy tails turn a moderate distance in the data into a large one in the map. Early exaggeration multiplies the pull by
a factor a > 1. It lowers another objective, while the cost is still C, so that clusters form while points still have
room to pass each other:

.. math:: C + (a - 1) sum_ij p_ij log(1 + d_ij)

With another number nu of degrees of freedom [Nabney] the kernel is

.. math::

    w_ij = (1 + d_ij / nu)^(-(nu + 1) / 2),   -log w_ij = (nu + 1) / 2 log(1 + d_ij / nu)

    dC/dy_i = 4 sum_j (p_ij - q_ij) (nu + 1) / (2 nu) (y_i - y_j) / (1 + d_ij / nu)

so that its pull is that of nu = 1 on a map that is drawn smaller by sqrt(nu).

Contrastive losses ask an easier question: was a pair drawn from P, or is it one of m pairs drawn evenly from all N (N -
1)? This doesn't need the sum Z. [Damrich2023]

With *negative sampling*, Z is a given number, Zbar = z_bar N (N - 1). The average cost of a sample is a sum over pairs,
so nothing is sampled here:

.. math::

    C = -sum_ij p_ij log(w_ij / (w_ij + u)) - m / (N (N - 1)) sum_ij log(u / (w_ij + u)),   u = m z_bar

    dC/dy_i = 4 sum_j (p_ij u / (1 + u + u d_ij) - m / (N (N - 1)) w_ij^2 / (w_ij + u)) (y_i - y_j)

UMAP has u = 1, for its own kernel (`umap`). As m grows at a given z_bar, this tends to the gradient of t-SNE with Zbar
instead of Z: up to a factor, that of an exaggeration of Zbar / Z. The last sum needs no other kernel, because log(1 + w
/ u) is an integral of Student's t over maps drawn smaller,

.. math:: log(1 + w / u) = int_0^L dx / (1 + e^-x d),   L = log(1 + 1 / u)

and Gaussian quadrature with a few nodes gives it, because the integrand is smooth.

The other contrastive loss is in `infonce`.
"""

import numpy as np

from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.mathematics.forces import Forces
from notebook_sne.engine.sums.pair_sums import student_sums
from notebook_sne.engine.sums.stored_pairs import store, student_pull

__all__ = ["attractive_pairs", "cost_and_gradient", "negative_sampling", "negative_sampling_costs"]
__all__ += ["negative_sampling_forces", "pull_of"]

_ERROR = 1e-9  # of the integral over maps drawn smaller, relative: below what sums in single precision give


def attractive_pairs(P):
    """Return the stored pairs of a joint P, sparse, symmetric, summing to 1."""
    return store(P, P, single=True)


def cost_and_gradient(pairs, Y, exaggeration=1.0, *, degrees_of_freedom=1.0, sums=student_sums):
    """Return the Evaluation of t-SNE at map points Y, shape (N, d), finite.

    `pairs` come from `attractive_pairs`. The exaggeration is a factor on the pull of P, 1 for none: it enters the
    objective and its gradient, never the cost. `degrees_of_freedom` is nu, above 0, also in the sums. `sums` is
    `student_sums` or another function of the same form.
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


def negative_sampling(pairs, Y, z_bar, n_negatives, *, sums=student_sums, error=_ERROR):
    """Return the Evaluation of negative sampling at Y, shape (N, d), averaged over all samples. [Damrich2023]

    The cost is the loss in nats. `z_bar` is Zbar / (N (N - 1)), the mean similarity that the loss assumes, above 0;
    `n_negatives` is m, above 0; `error` is the relative error of the integral. `pairs` and `sums` are as for
    `cost_and_gradient`.
    """
    N = len(Y)
    u, rate = n_negatives * z_bar, n_negatives / (N * (N - 1.0))
    scale = np.sqrt(u / (1.0 + u))
    energy, pull = student_pull(pairs, scale * Y)
    values, push = _integrated(Y, u, sums, error)
    cost = np.log1p(u) + energy + rate * values.sum()
    return Evaluation(cost, 4.0 * (scale * pull - rate * push), cost)


def _integrated(Y, u, sums, error=_ERROR):
    """Return sum_j log(1 + w_ij / u), shape (N,), and sum_j w_ij^2 / (w_ij + u) (y_i - y_j), shape (N, d)."""
    length = np.log1p(1.0 / u)
    # The integrand's poles lie pi beside the interval; so Gauss's error falls by the square of this with each node.
    beside = 2.0 * np.pi / length
    ratio = beside + np.hypot(beside, 1.0)
    nodes, shares = np.polynomial.legendre.leggauss(1 + int(np.ceil(-0.5 * np.log(error) / np.log(ratio))))
    values, forces = np.zeros(len(Y)), np.zeros(Y.shape)
    for node, share in zip(nodes, shares, strict=True):
        scale = np.exp(-0.25 * length * (node + 1.0))
        value, force = sums(scale * Y)
        values += 0.5 * length * share * value
        forces += 0.5 * length * share * scale * force
    return values, forces


def negative_sampling_forces(P, Y, i, z_bar, n_negatives):
    """Return the Forces on object i at the given z_bar and n_negatives; q is that of t-SNE.

    P is sparse and joint, Y has shape (N, d).
    """
    N, u = len(Y), n_negatives * z_bar
    p, w = _seen_from(P, Y, i)
    push = np.where(w > 0, 4.0 * n_negatives / (N * (N - 1.0)) * w * w / (w + u), 0.0)
    return Forces(4.0 * p * u * w / (w + u), push, p, w / student_sums(Y)[0].sum())


def negative_sampling_costs(P, Y, z_bar, n_negatives):
    """Return each object's share of the loss at z_bar and n_negatives, shape (N,); P and Y as above."""
    N, u = len(Y), n_negatives * z_bar
    rows = np.repeat(np.arange(N), np.diff(P.indptr))
    d = np.square(Y[rows] - Y[P.indices]).sum(axis=1)
    explaining = np.bincount(rows, weights=P.data * np.log1p(u * (1.0 + d)), minlength=N)
    return explaining + n_negatives / (N * (N - 1.0)) * _integrated(Y, u, student_sums)[0]


def _seen_from(P, Y, i):
    """Return p_ij and w_ij of object i, shape (N,) each."""
    w = 1.0 / (1.0 + np.square(Y - Y[i]).sum(axis=1))
    w[i] = 0.0
    return P[[i]].toarray()[0], w
