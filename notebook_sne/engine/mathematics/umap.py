"""UMAP without sampling: the loss that umap-learn lowers on average, as a sum over all pairs.

.. math::

    w_ij = 1 / (1 + a d_ij^b),   d_ij = |y_i - y_j|^2                                        [McInnes2018, section 4.1]

    C = -sum_ij p_ij log w_ij - m / 2 sum_ij (p_i + p_j) / (2 N) log(1 - w(d_ij + delta)),   p_i = sum_j p_ij

    dC/dy_i = 4 sum_j (p_ij a b d^(b-1) w_ij - m / 2 (p_i + p_j) / (2 N) b w(d_ij + delta) / (d_ij + delta)) (y_i - y_j)

p are the weights of UMAP's graph over their sum, and m random objects are drawn for each of its edges. The stated
loss of UMAP is the cross entropy of the graph and w, whose repulsion has the weight 1 - mu_ij, nearly 1, for each pair.
Its algorithm lowers another one: an edge is drawn as often as its weight says, and for each end m objects at random
push that end away. So the repulsion of a pair has the degrees of its two objects instead, and a smaller weight, the
more objects there are. [Damrich2021] A random object doesn't move when it pushes, so that on average a pair is pushed
apart half as much as if the sampled terms were summed: hence m / 2. With equal degrees, -dC/dy is umap-learn's average
step in one epoch over twice the sum of its weights; with others, where umap-learn's steps are the gradient of no loss
and i is pushed with its own degree alone, the mean of both degrees stands for it. delta = 0.001 is also umap-learn's.

a and b follow from `min_dist` and `spread`: w is fitted to a curve that is 1 up to `min_dist` and then falls
exponentially by `spread` (`umap_kernel`).
"""

from functools import lru_cache

import numpy as np

from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.mathematics.forces import Forces
from notebook_sne.engine.mathematics.umap_kernel import fitted_kernel
from notebook_sne.engine.sums.power_pull import power_pull
from notebook_sne.engine.sums.stored_pairs import store
from notebook_sne.engine.sums.umap_places import placed
from notebook_sne.engine.sums.umap_sums import Logarithmic, logarithmic_sums, similarity_sum

__all__ = ["attractive_pairs", "cost_and_gradient", "kernel_of", "least_even_cost", "places", "umap_costs"]
__all__ += ["umap_forces"]


def attractive_pairs(P):
    """Return the stored pairs of a joint P, sparse, symmetric, summing to 1."""
    return store(P, P, single=True)


@lru_cache(maxsize=32)
def kernel_of(min_dist, spread):
    """Return a and b of w = 1 / (1 + a d^b), d being squared distances, by least squares."""
    if not min_dist <= spread:
        raise ValueError(
            f"min_dist must be at most spread, got min_dist={min_dist:g} and spread={spread:g}; lower min_dist, or "
            "raise spread"
        )
    return fitted_kernel(float(min_dist), float(spread))


def cost_and_gradient(pairs, Y, a, b, rate, *, exaggeration=1.0, always=None):
    """Return the Evaluation of UMAP at map points Y, shape (N, d), finite.

    `pairs` come from `attractive_pairs`; a and b are those of w, `rate` is m. The exaggeration is a factor on the pull:
    it enters the objective and its gradient, never the cost. `always` is as for `logarithmic_sums`.
    """
    weights = 0.25 * rate / len(Y) * degrees(pairs)
    energy, pull = power_pull(pairs, Y, a, b)
    values, push = logarithmic_sums(Y, weights, Logarithmic(a, b), always=always)
    cost = energy + values.sum()
    return Evaluation(cost + (exaggeration - 1.0) * energy, 4.0 * (exaggeration * pull - push), cost)


def degrees(pairs):
    """Return p_i, the sums of the rows of P, shape (N,)."""
    totals = np.concatenate([[0.0], np.cumsum(pairs.strengths, dtype=np.float64)])
    return np.diff(totals[pairs.pointers])


def least_even_cost(a, b, rate):
    """Return the least cost of a map that tells nothing, as all its pairs are equally far apart."""
    w = 1.0 / (1.0 + 0.5 * rate)
    return float(-np.log(w) - 0.5 * rate * np.log1p(-w))


def umap_forces(P, Y, i, a, b, rate, exaggeration=1.0):
    """Return the Forces on object i; q is w over its sum.

    P is sparse and joint, Y has shape (N, d).
    """
    kernel, p_all = Logarithmic(a, b), np.asarray(P.sum(axis=1)).ravel()
    d = np.square(Y - Y[i]).sum(axis=1)
    p = P[[i]].toarray()[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        pull = np.where(d > 0, 4.0 * exaggeration * p * a * b * d ** (b - 1.0) / (1.0 + a * d**b), 0.0)
    push = rate / len(Y) * (p_all + p_all[i]) * kernel.slopes(d)
    push[i] = 0.0
    return Forces(pull, push, p, _shares(Y, i, a, b))


def places(P, Y, degrees, a, b, rate):
    """Return the places of new objects, shape (n, d), where the part of the loss that each has is least.

    P are their weights of fitted objects, CSR of shape (n, N), each row up to a factor; Y, shape (N, d), are the fitted
    map points, and `degrees` their p_i. A new object has the mean degree.
    """
    N = len(Y)
    totals = np.asarray(P.sum(axis=1)).ravel()
    p = P.data / np.repeat(np.where(totals > 0.0, totals, 1.0), np.diff(P.indptr))
    weights = rate / (4.0 * N) * (1.0 + N * degrees)  # m / 2 (1 / N + p_j) / (2 N), over 1 / N
    return placed(P.indptr, P.indices, p, Y, weights, Logarithmic(a, b))


def _shares(Y, i, a, b):
    """Return w_ij over the sum of all w, shape (N,)."""
    mine = 1.0 / (1.0 + a * np.square(Y - Y[i]).sum(axis=1) ** b)
    mine[i] = 0.0
    return mine / similarity_sum(Y, a, b)


def umap_costs(P, Y, a, b, rate, always=None):
    """Return each object's share of the cost, shape (N,); P and Y as above."""
    rows = np.repeat(np.arange(len(Y)), np.diff(P.indptr))
    d = np.square(Y[rows] - Y[P.indices]).sum(axis=1)
    pulls = np.bincount(rows, weights=P.data * np.log1p(a * d**b), minlength=len(Y))
    weights = 0.25 * rate / len(Y) * np.asarray(P.sum(axis=1)).ravel()
    return pulls + logarithmic_sums(Y, weights, Logarithmic(a, b), always=always)[0]
