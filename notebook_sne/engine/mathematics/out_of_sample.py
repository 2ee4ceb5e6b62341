"""New objects among fixed ones: the place of each in a finished map.

A new object i chooses among the N fitted objects with probability p_{j|i} in the data, and with q_{j|i} from its place
y_i in the map. The points y_j of the fitted objects stay as they are. The place y_i is where the cost is least:

.. math::

    q_{j|i} = (1 - b) k_ij + b / N,   k_ij = K(d_ij) / z_i,   z_i = sum_h K(d_ih),   d_ij = |y_i - y_j|^2

    C_i = KL(P_i || Q_i) = sum_j p_{j|i} log(p_{j|i} / q_{j|i})

    K = exp(-d)             (the Gaussian: SNE and symmetric SNE with b = 0, UNI-SNE with its background b)
    K = 1 / (1 + d)         (Student's t: t-SNE, with b = 0)

All sums run over the fitted objects, so that each new object is placed independently of the others. The row is
conditional for the models of a joint P, too. Their p_ij also hold the choices p_{i|j} of the fitted objects, and their
Z sums over all pairs. Both belong to all objects together, and one more object barely changes them; only its own
choices remain. With v_ij = y_j - sum_h k_ih y_h,

.. math::

    dC_i/dy_i = -2 sum_j p_{j|i} r_ij v_ij                                                         (the Gaussian)

    r_ij = (1 - b) k_ij / q_{j|i}                                              (1 where there is no background)

    dC_i/dy_i = 2 sum_j (p_{j|i} - q_{j|i}) w_ij c_ij,   c_ij = y_i - y_j,   w_ij = 1 / (1 + d_ij)   (Student's t)

Without a background, the Gaussian cost is a log of a sum of exponentials of linear functions, and so convex: at its
minimum, the mean of the map points under Q_i equals their mean under P_i. The other two costs can have several minima.
Three of a few likely places each start a descent, and the lowest end is taken. The second derivatives, a d x d matrix,
follow from the same sums (u' is a row, u a column, I the unit matrix):

.. math::

    H_i = 4 sum_j p_{j|i} r_ij sum_h k_ih v_ih v_ih' - 4 sum_j p_{j|i} r_ij (1 - r_ij) v_ij v_ij'

    H_i = 2 I sum_j (p_{j|i} - q_{j|i}) w_ij + 4 sum_j (2 q_{j|i} - p_{j|i}) w_ij^2 c_ij c_ij' - 4 e_i e_i'

    e_i = sum_j q_{j|i} w_ij c_ij

for the Gaussian and for Student's t. Damped Newton steps, (H_i + damping) s = -dC_i/dy_i, each taken only if it lowers
the cost, reach the place after about ten passes over all points. Sums over all points run in single precision on points
measured from their center. One thread does all the work for an object, in a fixed order, so that neither the other
objects nor the number of threads change a bit.

Longer than 300 lines because the search for one place is compiled as a whole: its steps share their sums.
"""

import math

import numpy as np

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.exponential import exp_minus, log_of
from notebook_sne.engine.machine.parallel import FAST_BY_ROWS, FAST_SERIAL, by_rows
from notebook_sne.engine.mathematics.sne import ISOLATED
from notebook_sne.engine.sums.moments import first_moment, least_square, moments, second_moment, squares

__all__ = ["cost_and_gradient", "place_rows", "places"]

# Where a descent may begin: the mean of the map points under P_i, and the places of its so many most probable neighbors
# that are not near each other. The best of these, the mean and the best that leads elsewhere do. Of 3,000 digits and
# MNIST images in ten maps by t-SNE, 14 end more than 0.001 nats above the least minimum that a grid of 80 x 80 leads
# to; with one descent, from the best of the mean and 5 neighbors, 71 do, in 0.4 of the looks.
_CANDIDATES, _DESCENTS = 8, 3
_APART = 1.0  # in map units
_MOST_LOOKS = 100
# In nats: a step from which less is expected is not taken. Single precision tells no less of the cost.
_SETTLED = 1e-7
# In map units, in which the kernel is about one wide: how far a step may go at first. It may go twice as far once it
# was right to go as far as it could.
_LONGEST_STEP = 3.0
_LEAST_DAMPING, _MOST_DAMPING = 0.01, 1e100  # beside curvatures of about one


def places(P, Y, *, student=False, background=0.0, dtype=np.float32):
    """Return the place y_i of each new object, shape (n, d), and C_i there in nats, shape (n,).

    P[i, j] is p_{j|i} for new object i and fitted object j, CSR of shape (n, N); rows are defined up to a factor, and
    must not be empty. Y, shape (N, d), are the map points of the fitted objects, finite. K(d) is exp(-d) or, with
    `student`, 1 / (1 + d). The background is the share b of Q that is spread evenly over the fitted objects, 0 <= b <
    1, for the Gaussian only. Sums over all points have the precision `dtype`, float32 or float64.
    """
    n, d = P.shape[0], Y.shape[1]
    found, costs = np.empty((n, d)), np.empty(n)
    center = _center(Y)
    shifted = np.ascontiguousarray(Y - center)
    place_rows(
        n, *_rows(P), shifted, np.array(shifted.T, dtype=dtype, order="C"), student, *_logs(background, Y), found, costs
    )
    return found + center, costs


def cost_and_gradient(P, Y, at, *, student=False, background=0.0, dtype=np.float32):
    """Return C_i in nats, shape (n,), dC_i/dy_i, shape (n, d), and H_i, shape (n, d, d), at given places y_i.

    These are `at`, shape (n, d); P, Y, `student`, `background` and `dtype` are as for `places`.
    """
    n, d = at.shape
    costs, gradients, curvatures = np.empty(n), np.empty((n, d)), np.empty((n, d, d))
    center = _center(Y)
    shifted = np.ascontiguousarray(Y - center)
    points = np.array(shifted.T, dtype=dtype, order="C")
    at = np.ascontiguousarray(at - center)
    _look(n, *_rows(P), shifted, points, student, *_logs(background, Y), at, costs, gradients, curvatures)
    return costs, gradients, curvatures


def _center(Y):
    """Return the origin of the points: the median, which no far object pulls away from all others."""
    return np.median(Y, axis=0)


def _rows(P):
    """Return the parts of a CSR matrix in the types of the kernels."""
    kinds = ((P.indptr, np.int64), (P.indices, np.int64), (P.data, np.float64))
    return [np.require(part, kind, ["C", "W"]) for part, kind in kinds]


def _logs(background, Y):
    """Return log(1 - b) and log(b / N)."""
    return math.log1p(-background), math.log(background / len(Y)) if background > 0 else -np.inf


# ---- one new object ----

# What is called in one place is written into its caller ("inline"): each function more between a sum and the loop over
# objects has everything below it optimized once more, which took seconds. For the same reason rows are copied by loops:
# an assignment of arrays brings the text of its errors with it.


@njit(**FAST_SERIAL)
def _with_background(d, p, log_z, log_rest, log_even, k1, k2):
    """Return -sum_j p log q and sum_j p r of the Gaussian with a background; leave p r and p r (1 - r)."""
    cost = total = 0.0
    for j in range(d.shape[0]):
        log_near = log_rest - d[j] - log_z  # log((1 - b) k), beside log(b / N)
        t = log_near - log_even
        u = exp_minus(abs(t))
        r = (1.0 if t > 0.0 else u) / (1.0 + u)
        cost -= p[j] * (max(log_near, log_even) + log_of(1.0 + u))
        k1[j] = p[j] * r
        k2[j] = k1[j] * (1.0 - r)
        total += k1[j]
    return cost, total


@njit(**FAST_SERIAL)
def _with_tails(d, p, k1, k2):
    """Return sum_j p log(1 + d) and sum_j p w; leave p w and p w^2."""
    cost = total = 0.0
    for j in range(d.shape[0]):
        w = 1.0 / (1.0 + d[j])
        cost += p[j] * log_of(1.0 + d[j])
        k1[j] = p[j] * w
        k2[j] = k1[j] * w
        total += k1[j]
    return cost, total


@njit(**FAST_SERIAL, inline="always")
def _evaluate(points, row, y, student, log_rest, log_even, g, H):
    """Return C_i at y; write its gradient and its second derivatives."""
    near, p, work, middle, scatter, negentropy = row
    n_dimensions = y.shape[0]
    F, T = np.empty(n_dimensions), np.empty((n_dimensions, n_dimensions))
    seen_from = y.astype(points.dtype)
    nearest, again = points.dtype.type(0), True
    V = B = 0.0
    while again:  # the sums stand in one place of the code: it is long enough to compile them once
        V, B = moments(points, seen_from, nearest, student, F, T)
        again = not student and V < ISOLATED and nearest == 0.0
        if again:
            # So far from all others that the sum would underflow: exponents are measured from the nearest.
            nearest = least_square(points, seen_from)
    if not (V > 0.0 and nearest < np.inf):  # farther than a square can tell, in a map that has gone astray
        return np.inf
    log_z = math.log(V) - nearest
    cost = negentropy + scatter + log_z
    for a in range(n_dimensions):
        F[a] /= V
        for c in range(a + 1):
            T[a, c] = T[a, c] / V - F[a] * F[c]  # the covariance under k, for the Gaussian
            H[a, c] = 4.0 * T[a, c]
            H[c, a] = H[a, c]
        # sum_j p d_ij = |y_i - middle|^2 + scatter, whatever the number of neighbors.
        g[a] = 2.0 * (y[a] - middle[a] - F[a])
        cost += (y[a] - middle[a]) ** 2
    if not student and log_even == -np.inf:
        return cost
    d, k1, k2 = work[0], work[1], work[2]
    squares(near, y, d)
    if student:
        cost, total = _with_tails(d, p, k1, k2)
        for a in range(n_dimensions):
            g[a] = 2.0 * (first_moment(near[a], y[a], k1) - F[a])
            for c in range(a + 1):
                H[a, c] = 4.0 * (T[a, c] - second_moment(near[a], near[c], y[a], y[c], k2))
                H[c, a] = H[a, c]
            H[a, a] += 2.0 * (total - B / V)
        return negentropy + cost + log_z
    cost, total = _with_background(d, p, log_z, log_rest, log_even, k1, k2)
    for a in range(n_dimensions):
        g[a] = 2.0 * first_moment(near[a], y[a] - F[a], k1)
        for c in range(a + 1):
            H[a, c] = 4.0 * (total * T[a, c] - second_moment(near[a], near[c], y[a] - F[a], y[c] - F[c], k2))
            H[c, a] = H[a, c]
    return negentropy + cost


@njit(**FAST_SERIAL)
def _solve(H, damping, g, L, step):
    """Leave -(H + damping)^-1 g in step, by Cholesky's method; tell whether H + damping is positive definite."""
    n = g.shape[0]
    for a in range(n):
        for c in range(a + 1):
            t = H[a, c]
            for k in range(c):
                t -= L[a, k] * L[c, k]
            if a > c:
                L[a, c] = t / L[c, c]
            else:
                t += damping
                if not t > 0.0:
                    return False
                L[a, a] = math.sqrt(t)
    for a in range(n):
        t = -g[a]
        for k in range(a):
            t -= L[a, k] * step[k]
        step[a] = t / L[a, a]
    for a in range(n - 1, -1, -1):
        t = step[a]
        for k in range(a + 1, n):
            t -= L[k, a] * step[k]
        step[a] = t / L[a, a]
    return True


@njit(**FAST_SERIAL)
def _dot(a, b):
    total = 0.0
    for k in range(a.shape[0]):
        total += a[k] * b[k]
    return total


@njit(**FAST_SERIAL)
def _row(indptr, indices, data, i, Y):
    """Return the constants of new object i: map points (d, K) of its neighbors, p_{j|i}, and their sums."""
    start, stop = indptr[i], indptr[i + 1]
    near, p = np.empty((Y.shape[1], stop - start)), np.empty(stop - start)
    total = scatter = negentropy = 0.0
    for k in range(start, stop):
        total += data[k]
    middle = np.empty(Y.shape[1])
    for k in range(p.shape[0]):
        p[k] = data[start + k] / total
        for a in range(Y.shape[1]):
            near[a, k] = Y[indices[start + k], a]
        if p[k] > 0.0:
            negentropy += p[k] * math.log(p[k])
    for a in range(Y.shape[1]):
        middle[a] = _dot(p, near[a])
        scatter += second_moment(near[a], near[a], middle[a], middle[a], p)
    return near, p, np.empty((3, p.shape[0])), middle, scatter, negentropy


@njit(**FAST_SERIAL)
def _next_probable(p, last):
    """Return the most probable neighbor after the neighbor `last`; -1 starts with the first."""
    following = -1
    for j in range(p.shape[0]):
        if last < 0 or p[j] < p[last] or (p[j] == p[last] and j > last):
            if following < 0 or p[j] > p[following]:
                following = j
    return following


@njit(**FAST_SERIAL)
def _newton(H, g, damping, longest, L, step):
    """Leave a step that lowers the cost and is not too long in step; return the damping used."""
    while damping < _MOST_DAMPING:
        if _solve(H, damping, g, L, step) and _dot(step, step) <= longest**2:
            return damping
        damping = max(_LEAST_DAMPING, 2.0 * damping)
    for a in range(step.shape[0]):
        step[a] = 0.0
    return damping


@njit(**FAST_SERIAL)
def _next_candidate(near, p, last, at, n_at):
    """Return the most probable neighbor after `last` that is not near one of those taken, at[1:n_at]; -1 for none."""
    while True:
        last = _next_probable(p, last)
        apart = True
        for k in range(1, n_at):
            apart = apart and not _square(at[k], near[:, max(last, 0)]) < _APART**2
        if last < 0 or apart:
            return last


@njit(**FAST_SERIAL)
def _next_start(at, costs, used, ends, n_ends):
    """Return the candidate for the next descent, -1 for none: the best, then the mean, then the best that is far."""
    if n_ends == 1 and not used[0] and costs[0] < np.inf:
        return 0
    best = -1
    for k in range(costs.shape[0]):
        if not used[k] and costs[k] < np.inf and (best < 0 or costs[k] < costs[best]):
            apart = True
            for e in range(n_ends):
                apart = apart and not _square(at[k], ends[e]) < _APART**2
            if apart:
                best = k
    return best


@njit(**FAST_SERIAL)
def _square(a, b):
    total = 0.0
    for k in range(a.shape[0]):
        total += (a[k] - b[k]) ** 2
    return total


@njit(**FAST_SERIAL)
def _copy(a, b):
    """Write the vector a into b."""
    for k in range(a.shape[0]):
        b[k] = a[k]


@njit(**FAST_SERIAL)
def _keep(y, g, H, new_y, new_g, new_H):
    """Write a place, its gradient and its curvature into others."""
    for a in range(y.shape[0]):
        new_y[a], new_g[a] = y[a], g[a]
        for c in range(y.shape[0]):
            new_H[a, c] = H[a, c]


@njit(**FAST_SERIAL, inline="always")
def _one(points, row, student, log_rest, log_even, y):
    """Leave the place of one new object in y; return its cost."""
    near, p, _, middle, _, _ = row
    n, several = y.shape[0], student or log_even > -np.inf
    at, costs = np.empty((_CANDIDATES + 1, n)), np.full(_CANDIDATES + 1, np.inf)
    gradients, curvatures = np.empty((_CANDIDATES + 1, n)), np.empty((_CANDIDATES + 1, n, n))
    ends, used = np.empty((_DESCENTS, n)), np.zeros(_CANDIDATES + 1, np.bool_)
    here, there, step, L = np.empty(n), np.empty(n), np.zeros(n), np.zeros((n, n))
    g, H, new_g, new_H = np.zeros(n), np.zeros((n, n)), np.empty(n), np.empty((n, n))
    least = cost = np.inf
    damping, longest = 0.0, _LONGEST_STEP
    n_at, n_ends, looks, probable, start = 0, 0, 0, -1, -1
    _copy(middle, y)
    _copy(middle, there)
    while True:
        new_cost = _evaluate(points, row, there, student, log_rest, log_even, new_g, new_H)
        looks += 1
        if start < 0:  # still among the candidates
            costs[n_at] = new_cost
            _keep(there, new_g, new_H, at[n_at], gradients[n_at], curvatures[n_at])
            n_at += 1
            if n_at <= _CANDIDATES and (several or not costs[0] < np.inf):
                probable = _next_candidate(near, p, probable, at, n_at)
                if probable >= 0:
                    for a in range(n):
                        there[a] = near[a, probable]
                    continue
        elif new_cost < cost:
            cost = new_cost
            _keep(there, new_g, new_H, here, g, H)
            damping = 0.1 * damping if damping > _LEAST_DAMPING else 0.0
            if _dot(step, step) > 0.25 * longest**2:
                longest *= 2.0
        else:
            damping = max(_LEAST_DAMPING, 4.0 * damping)
        while True:
            if start >= 0:
                damping = _newton(H, g, damping, longest, L, step)
                if looks < _MOST_LOOKS and -0.5 * _dot(g, step) > _SETTLED:
                    break
                _copy(here, ends[n_ends])
                n_ends += 1
                if cost < least:
                    least = cost
                    _copy(here, y)
            start = -1 if n_ends == _DESCENTS else _next_start(at, costs, used, ends, n_ends)
            if start < 0:
                return least
            used[start] = True
            _keep(at[start], gradients[start], curvatures[start], here, g, H)
            cost, damping, longest, looks = costs[start], 0.0, _LONGEST_STEP, 0
        for a in range(n):
            there[a] = here[a] + step[a]


@by_rows
@njit(**FAST_BY_ROWS)
def place_rows(first, last, indptr, indices, data, Y, points, student, log_rest, log_even, found, costs):
    """Leave the places of new objects and their costs; the arguments are parts of those of `places`."""
    for i in range(first, last):
        row = _row(indptr, indices, data, i, Y)
        costs[i] = _one(points, row, student, log_rest, log_even, found[i])


@by_rows
@njit(**FAST_BY_ROWS)
def _look(first, last, indptr, indices, data, Y, points, student, log_rest, log_even, at, costs, gradients, curvatures):
    for i in range(first, last):
        row = _row(indptr, indices, data, i, Y)
        costs[i] = _evaluate(points, row, at[i], student, log_rest, log_even, gradients[i], curvatures[i])
