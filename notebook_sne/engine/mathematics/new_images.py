"""One object among fitted ones, in a mixture of images: the places of its images, and their proportions.

While the images of all other objects stay where they are, an image b of a new object i at y_b chooses object j, and the
object is the mixture of its images:

.. math::

    f_b(j) = sum_c pi_jc exp(-|y_b - y_jc|^2) / z_b,     z_b = sum_k sum_c pi_kc exp(-|y_b - y_kc|^2)

    q_{j|i} = sum_b pi_b f_b(j)                                                                  [Hinton2002, Eq. 6]

    C_i = sum_j p_{j|i} log(p_{j|i} / q_{j|i}) + E_i

E_i is the energy of the ties between its images (`images.tie`). With r_bj = pi_b f_b(j) / q_j,
the part of a choice that image b makes, and t_b = sum_j p_j r_bj, its load,

.. math::

    dC_i/dy_b = 2 sum_jc (y_b - y_jc) (p_j r_bj s_bjc - t_b q_{b,jc}) + dE_i/dy_b

    dC_i/dw_b = pi_b - t_b

s_bjc is the share of image c of object j in f_b(j), q_{b,jc} what image b chooses by itself, and w_b the weights whose
softmax are the proportions. The cost has several minima: an image that begins far from what it should explain never
gets there. So the likely places, those of the likeliest associates and the mean of all, are put together one image at a
time, each where it lowers the cost most. A start with all images in the best place comes beside these. Each start
descends by L-BFGS, and the lowest end is taken.

Sums are in double precision, and objects are placed one by one, so that other new objects change no bit.
"""

import numpy as np
from scipy.optimize import minimize

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.exponential import exp_minus, log_of
from notebook_sne.engine.machine.parallel import FAST_SERIAL
from notebook_sne.engine.mathematics.images import tie
from notebook_sne.engine.mathematics.mixing import log_proportions, weights_of
from notebook_sne.engine.sums.stored_mixtures import image_row

__all__ = ["NewObject", "places"]

_CANDIDATES, _DESCENTS = 12, 3
_APART = 0.1  # map units between images that begin in one place, from where no force would part them


def places(P, Y, mixing, *, free, pull=0.0, reach=0.05):
    """Return the places, shape (M, n, d), and proportions, shape (M, n), of the images of n new objects.

    `P`, CSR of shape (n, N), has the choices of each new object among N fitted ones, up to a factor. `Y`, shape
    (M, N, d), and `mixing`, shape (M, N), are the places and proportions of the fitted images. `free` says whether the
    proportions are found, or 1 / M; `pull` and `reach` are those of the ties.
    """
    M, n, d = len(Y), P.shape[0], Y.shape[2]
    found, proportions = np.zeros((M, n, d)), np.full((M, n), 1.0 / M)
    among = np.concatenate([Y, np.zeros((M, 1, d))], axis=1), np.pad(weights_of(mixing), ((0, 0), (0, 1)))
    for i in range(n):
        chosen = slice(P.indptr[i], P.indptr[i + 1])
        one = NewObject(P.indices[chosen], P.data[chosen], *among, free=free, pull=pull, reach=reach)
        _, found[:, i], proportions[:, i] = min((one.descend(start) for start in one.starts()), key=lambda end: end[0])
    return found, proportions


class NewObject:
    """A new object: its choices J and p, beside the images of N others, whose arrays have room for its own, the last.

    `points` has shape (M, N + 1, d), `logs`, the logarithms of the proportions, shape (M, N + 1).
    """

    def __init__(self, J, p, points, logs, *, free, pull=0.0, reach=0.05):
        self.J, self.p = J.astype(np.int64), p / p.sum()
        self.points, self.logs = points, logs
        self.free, self.pull, self.reach = free, pull, reach

    def cost_and_gradient(self, at, W):
        """Return C_i at places `at`, shape (M, d), and weights W, shape (M,), and its two gradients."""
        self.points[:, -1], self.logs[:, -1] = at, log_proportions(W[:, None])[:, 0]
        forces, loads, means = np.zeros(at.shape), np.zeros(len(at)), np.zeros(at.shape)
        energy = _choices(self.J, self.p, self.points, self.logs, forces, loads, means)
        tied, tie_forces = tie(at[:, None], self.pull, self.reach)
        cost = energy + float(self.p @ np.log(self.p)) + tied
        return cost, 2.0 * (forces - loads[:, None] * means) + tie_forces[:, 0], np.exp(self.logs[:, -1]) - loads

    def starts(self):
        """Yield places to start from, shape (M, d)."""
        M, _, d = self.points.shape
        likeliest = self.J[np.argsort(-self.p, kind="stable")[: _CANDIDATES // M + 1]]
        proportions = np.exp(self.logs[:, self.J])
        mean = np.einsum("mj,mjd->d", proportions * self.p, self.points[:, self.J])
        candidates = np.concatenate([self.points[:, likeliest].reshape(-1, d), mean[None]])
        f = np.maximum(self._chosen_from(candidates), 1e-300)
        apart = np.zeros((M, d))
        apart[:, 0] = _APART * (np.arange(M) - (M - 1) / 2)
        yield candidates[np.argmax(np.log(f) @ self.p)] + apart
        gains = {}
        for one in range(len(candidates)) if M > 1 else ():
            taken = [one]
            while len(taken) < M:
                taken.append(int(np.argmax(np.log(f[taken].sum(axis=0) + f) @ self.p)))
            gains[tuple(sorted(taken))] = float(np.log(f[taken].sum(axis=0)) @ self.p)
        for together in sorted(gains, key=gains.__getitem__, reverse=True)[:_DESCENTS]:
            yield candidates[list(together)] + apart

    def _chosen_from(self, places):
        """Return f(j) of an image at each of n places, shape (n, choices)."""
        squares = np.square(places[:, None, None, :] - self.points[:, :-1]).sum(axis=3)
        near = np.exp(self.logs[:, :-1] + squares.min(axis=(1, 2), keepdims=True) - squares).sum(axis=1)
        return near[:, self.J] / near.sum(axis=1, keepdims=True)

    def descend(self, start):
        """Return the cost, places and proportions at the end of a descent from places."""
        M, d = start.shape

        def evaluate(theta):
            W = theta[M * d :] if self.free else np.zeros(M)
            cost, places, weights = self.cost_and_gradient(theta[: M * d].reshape(M, d), W)
            return cost, np.concatenate([places.ravel(), weights]) if self.free else places.ravel()

        theta = np.concatenate([start.ravel(), np.zeros(M)]) if self.free else start.ravel()
        end = minimize(evaluate, theta, jac=True, method="L-BFGS-B")
        W = end.x[M * d :] if self.free else np.zeros(M)
        return end.fun, end.x[: M * d].reshape(M, d), np.exp(log_proportions(W[:, None]))[:, 0]


@njit(**FAST_SERIAL)
def _choices(J, p, points, logs, forces, loads, means):
    """Return -sum_j p_j log q_{j|i} of the last object; write the sums of its gradient.

    They are sum_jc (y_b - y_jc) p_j r_bj s_bjc, t_b, and sum_jc (y_b - y_jc) q_{b,jc}.
    """
    M, n_points, d = points.shape
    i = n_points - 1
    log_z, squares = np.zeros((M, n_points)), np.empty((M, i))
    for b in range(M):
        least = np.inf
        for c in range(M):
            for k in range(i):
                total = 0.0
                for a in range(d):
                    total += (points[b, i, a] - points[c, k, a]) ** 2
                squares[c, k] = total
                least = min(least, total)
        z = 0.0
        for c in range(M):
            for k in range(i):
                near = exp_minus(squares[c, k] - least - logs[c, k])
                z += near
                for a in range(d):
                    means[b, a] += near * (points[b, i, a] - points[c, k, a])
        log_z[b, i] = log_of(z) - least
        for a in range(d):
            means[b, a] /= z
    return image_row(J, p, np.zeros(len(J)), points, logs, log_z, i, forces, np.empty(M), loads)
