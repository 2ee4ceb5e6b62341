"""The costs and gradients of the models in plain NumPy, written straight from the formulas: the reference of the tests.

Everything is dense and in double precision; nothing here is meant to be fast.
"""

import numpy as np


def squared(Y):
    """Squared distances with an infinite diagonal."""
    D = np.square(Y[:, None] - Y[None]).sum(-1)
    np.fill_diagonal(D, np.inf)
    return D


def conditional(D, perplexity):
    """p_{j|i} at a perplexity, from squared distances with an infinite diagonal, by halving in log b.

    Where more than `perplexity` objects are nearest, even among these.
    """
    P = np.zeros(D.shape)
    for i, d in enumerate(D):
        nearest = d <= d.min() * (1 + 1e-13)
        if nearest.sum() > perplexity:
            P[i] = nearest / nearest.sum()
            continue
        low, high = -700.0, 700.0
        for _ in range(200):
            log_b = (low + high) / 2
            p = np.exp(-np.exp(log_b) * (d - d.min()))
            p /= p.sum()
            entropy = -np.sum(p[p > 0] * np.log2(p[p > 0]))
            low, high = (log_b, high) if entropy > np.log2(perplexity) else (low, log_b)
        P[i] = p
    return P


def n_tied(D, perplexity):
    """How many objects have more nearest neighbors than the perplexity, from squared distances as above."""
    return int(np.sum(np.sum(D <= D.min(axis=1, keepdims=True) * (1 + 1e-13), axis=1) > perplexity))


def _kl(P, log_q):
    here = P > 0
    return float(np.sum(P[here] * (np.log(P[here]) - log_q[here])))


def _forces(strengths, Y):
    """sum_j strengths_ij (y_i - y_j)."""
    return strengths.sum(1)[:, None] * Y - strengths @ Y


def _log_sum(a, axis=None):
    top = a.max(axis=axis, keepdims=True)
    total = top + np.log(np.exp(a - top).sum(axis=axis, keepdims=True))
    return total if axis is not None else float(total.squeeze())


def sne(P, Y):
    log_q = -squared(Y) - _log_sum(-squared(Y), axis=1)
    Q = np.exp(log_q)
    return _kl(P, log_q), 2 * _forces(P - Q + (P - Q).T, Y)


def unisne(P, Y, background=0.0):
    N = len(Y)
    log_near = -squared(Y) - _log_sum(-squared(Y))
    near = np.exp(log_near)
    if background == 0:
        return _kl(P, log_near), 4 * _forces(P - near, Y)
    Q = (1 - background) * near + background / (N * (N - 1))
    r = (1 - background) * near / Q
    return _kl(P, np.log(Q)), 4 * _forces(P * r - np.sum(P * r) * near, Y)


def tsne(P, Y):
    w = 1 / (1 + squared(Y))
    Q = w / w.sum()
    with np.errstate(divide="ignore"):  # the diagonal, where P is 0 too
        return _kl(P, np.log(Q)), 4 * _forces((P - Q) * w, Y)


def elastic(P, Y, repulsion):
    """Energy and gradient; repulsion is a number or one an object, shape (N,)."""
    push = np.broadcast_to(repulsion, len(Y))
    near = np.exp(-squared(Y))
    np.fill_diagonal(near, 0.0)
    energy = np.sum(P * np.where(np.eye(len(Y)), 0.0, squared(Y))) + np.sum(push[:, None] * near)
    return energy, 2.0 * _forces(P + P.T - (push[:, None] + push) * near, Y)


def negative_sampling(P, Y, z_bar, n_negatives):
    """Mean of the loss of negative sampling over all samples, and its gradient."""
    N, w = len(Y), 1 / (1 + squared(Y))
    np.fill_diagonal(w, 0.0)
    others = ~np.eye(N, dtype=bool)
    u, rate = n_negatives * z_bar, n_negatives / (N * (N - 1))
    neighbor = w[others] / (w[others] + u)
    cost = -np.sum(P[others] * np.log(neighbor)) - rate * np.sum(np.log(u / (w[others] + u)))
    return cost, 4 * _forces(P * u * w / (w + u) - rate * w**2 / (w + u), Y)


def infonce(P, Y, n_negatives):
    """InfoNCE averaged over all draws: the integral over exponentials, by adaptive quadrature."""
    from scipy.integrate import quad

    N, w = len(Y), 1 / (1 + squared(Y))
    others = ~np.eye(N, dtype=bool)
    p, w = P[others], w[others]

    def integrand(s):  # in log t
        t = np.exp(s)
        return np.sum(p * (np.exp(-t) - np.exp(-t * w) * np.mean(np.exp(-t * w)) ** n_negatives))

    last = np.log(60 * max(1, 1 / (w.min() * (1 + n_negatives))))
    return quad(integrand, -40, last, limit=500, epsabs=1e-13, epsrel=1e-12)[0] - np.sum(p * np.log(w))


def umap_kernel(min_dist, spread):
    """The a and b of UMAP's kernel: least squares by a search over both."""
    from scipy.optimize import least_squares

    r = np.linspace(0, 3 * spread, 300)
    curve = np.where(r < min_dist, 1.0, np.exp(-(r - min_dist) / spread))
    fit = least_squares(
        lambda ab: 1 / (1 + ab[0] * (r / spread) ** (2 * ab[1])) - curve, (1, 1), xtol=1e-15, ftol=1e-15, gtol=1e-15
    )
    a, b = fit.x
    return a / spread ** (2 * b), b


def umap(P, Y, a, b, rate, softening=1e-3):
    """The average over all draws of what umap-learn's steps descend, pair by pair."""
    N, degrees, cost = len(Y), P.sum(axis=1), 0.0
    for i in range(N):
        for j in range(N):
            if j != i:
                d = np.sum((Y[i] - Y[j]) ** 2)
                pushing = 1 / (1 + a * (d + softening) ** b)
                cost += P[i, j] * np.log(1 + a * d**b)
                cost -= rate / 2 * (degrees[i] + degrees[j]) / (2 * N) * np.log(1 - pushing)
    return cost


def umap_with_gradient(P, Y, a, b, rate, softening=1e-3):
    """The same cost with its gradient, pair by pair."""
    N, degrees, gradient = len(Y), P.sum(axis=1), np.zeros(Y.shape)
    for i in range(N):
        for j in range(N):
            d = np.sum((Y[i] - Y[j]) ** 2)
            if d > 0:
                pull = P[i, j] * a * b * d ** (b - 1) / (1 + a * d**b)
                far = d + softening
                push = rate / 2 * (degrees[i] + degrees[j]) / (2 * N) * b / (far * (1 + a * far**b))
                gradient[i] += 4 * (pull - push) * (Y[i] - Y[j])
    return umap(P, Y, a, b, rate, softening), gradient


def joint_cost(P, log_w):
    """KL of the joint Q in proportion to w, from its logarithm, -inf on the diagonal."""
    return _kl(P, log_w - _log_sum(log_w))


def log_student(Y, freedom=1.0):
    """Logarithm of the kernel of Student's t, of any number of degrees of freedom, -inf on the diagonal."""
    return -0.5 * (freedom + 1) * np.log1p(squared(Y) / freedom)


def student_cost(P, Y, freedom):
    """KL of t-SNE under Student's t of any number of degrees of freedom."""
    return joint_cost(P, log_student(Y, freedom))


def out_of_sample(p, Y, y, student=False, background=0.0):
    """KL of a new object at y, which chooses the objects at Y with probabilities p, and its gradient."""
    D, c = np.square(y - Y).sum(-1), y - Y
    log_near = -np.log1p(D) if student else -D
    near = np.exp(log_near - _log_sum(log_near))
    if student:
        return _kl(p, np.log(near)), 2 * ((p - near) / (1 + D)) @ c
    if background == 0:
        return _kl(p, log_near - _log_sum(log_near)), 2 * (p - near) @ c
    q = (1 - background) * near + background / len(Y)
    r = (1 - background) * near / q
    return _kl(p, np.log(q)), 2 * (p * r - (p @ r) * near) @ c


def attraction_norm(P, Y, model):
    """Norm of the pull alone, the scale that errors of a gradient are measured by."""
    if model == "sne":
        return np.linalg.norm(2 * _forces(P + P.T, Y))
    if model == "tsne":
        return np.linalg.norm(4 * _forces(P / (1 + squared(Y)), Y))
    return np.linalg.norm(4 * _forces(P, Y))


def density_correlation(P, Y, R):
    """The term of `mathematics.density` at P, Y and R, without lambda, for objects that all have an R."""
    d = squared(Y)
    near = ((P > 0) / (1.0 + d)).sum(1) / (P > 0).sum(1)
    r = np.log(1.0 / near - 1.0 + 1e-4)
    z = (R - R.mean()) / R.std()
    return np.mean(z * (r - r.mean())) / np.sqrt(r.var() + 0.1)


def central_difference(function, Y, step=1e-5):
    """Gradient of a scalar function of an array by central differences."""
    gradient = np.empty_like(Y)
    for place in np.ndindex(Y.shape):
        ahead, behind = Y.copy(), Y.copy()
        ahead[place] += step
        behind[place] -= step
        gradient[place] = (function(ahead) - function(behind)) / (2 * step)
    return gradient


def aspects(P, Y, W, penalty=0.0, joint=False, student=False):
    """KL, objective of aspect maps; Y (M, N, d), W (M, N)."""
    log_mixing = W - _log_sum(W, axis=0)
    log_s = _log_sum(np.stack([_log_mixed(y, w, student) for y, w in zip(Y, log_mixing, strict=True)]), axis=0)[0]
    log_q = log_s - (_log_sum(log_s) if joint else _log_sum(log_s, axis=1))
    cost = _kl(P, log_q)
    return cost, cost + 0.5 * np.sum(penalty * Y**2)


def near_of(student):
    """The kernel of two places, or of many and one."""

    def near(a, b):
        d = np.square(a - b).sum(axis=-1)
        return 1 / (1 + d) if student else np.exp(-d)

    return near


def tries(i, S, Y, mixing, strengths, tried, at_home, unexplained, shifts, joint, student):
    """Where a copy of object i is tried, as (map, place): at what its likeness to others lacks most, shifted there."""
    z, near = S.sum(axis=1), near_of(student)
    explained = S[i] * (2 / z.sum() if joint else 1 / z[i] + 1 / z)
    lacking = np.where(explained < strengths[i] / 2, strengths[i] - explained, 0.0)
    if not lacking.sum() > unexplained * strengths[i].sum():
        return
    home = np.where(mixing[:, i] <= at_home, mixing @ lacking, 0.0)
    for m in np.argsort(-home, kind="stable")[:tried]:
        if home[m] > 0:
            y = Y[m, np.argmax(lacking * mixing[m])]
            for _ in range(shifts):
                weights = lacking * mixing[m] * near(Y[m], y)
                y = weights @ Y[m] / weights.sum()
            yield m, y


def copy_moves(P, Y, W, penalty, proportions, tried, at_home, unexplained, shifts, least, joint=False, student=False):
    """Maps, mixing and moved (object, map) after a round of copy moves; each is judged by the objective itself."""
    Y, mixing, moved = Y.copy(), np.exp(W - _log_sum(W, axis=0)), []
    strengths = P + P.T

    def connections():
        """S_ij of all pairs."""
        logs = [_log_mixed(y, np.log(w), student) for y, w in zip(Y, mixing, strict=True)]
        return np.exp(_log_sum(np.stack(logs), axis=0)[0])

    for i in range(len(P)):
        before = aspects(P, Y, np.log(mixing), penalty, joint, student)[1]
        found = []
        for m, y in tries(i, connections(), Y, mixing, strengths, tried, at_home, unexplained, shifts, joint, student):
            for a in proportions:
                there, mixed = Y.copy(), mixing.copy()
                there[m, i] = y
                mixed[:, i] *= (1 - a) / (1 - mixing[m, i])
                mixed[m, i] = a
                found.append((aspects(P, there, np.log(mixed), penalty, joint, student)[1], m, there, mixed))
        lowest = min(found, key=lambda one: one[0], default=(np.inf,))
        if lowest[0] - before < -least * strengths[i].sum():
            _, m, Y, mixing = lowest
            moved.append((i, m))
    return Y, mixing, moved


def copy_moves_by_fields(
    P, Y, W, penalty, parts, proportions, tried, at_home, unexplained, shifts, least, joint=False, student=False
):
    """Maps, mixing, moved (object, map) and the change that is promised, after a round judged by fields."""
    Y, mixing, moved, promised = Y.copy(), np.exp(W - _log_sum(W, axis=0)), [], 0.0
    strengths, N, near = P + P.T, len(P), near_of(student)
    turns, size = [i for part in range(parts) for i in range(part, N, parts)], -(-N // parts)
    while turns:
        now, turns, before = turns[:size], turns[size:], len(moved)
        parts_of_S = mixing[:, :, None] * mixing[:, None] * near(Y[:, :, None], Y[:, None])
        parts_of_S[:, range(N), range(N)] = 0.0
        S = parts_of_S.sum(axis=0)
        z = S.sum(axis=1)
        after = Y.copy(), mixing.copy()
        for i in now:
            found = []
            for m, y in tries(i, S, Y, mixing, strengths, tried, at_home, unexplained, shifts, joint, student):
                new = mixing[m] * near(Y[m], y)
                new[i] = 0.0
                for a in proportions:
                    there = (1 - a) / (1 - mixing[m, i]) * (S[i] - parts_of_S[m, i]) + a * new
                    tied = strengths[i] > 0
                    change = -(strengths[i] * np.log(np.where(tied, there, 1.0) / np.where(tied, S[i], 1.0))).sum()
                    if joint:
                        change += np.log(1 + 2 * (there - S[i]).sum() / z.sum())
                    else:
                        x = (there - S[i]) / z
                        change += np.log(there.sum() / z[i]) + np.where(tied, np.log1p(x), x).sum()
                    change += 0.5 * np.sum(penalty * (y**2 - Y[m, i] ** 2))
                    found.append((change, m, a, y))
            change, m, a, y = min(found, key=lambda one: one[0], default=(np.inf, 0, 0, 0))
            if change < -least * strengths[i].sum():
                after[0][m, i] = y
                after[1][:, i] *= (1 - a) / (1 - mixing[m, i])
                after[1][m, i] = a
                moved.append((i, m))
                promised += change
        Y, mixing = after
        size = -(-N // parts) * len(now) // max(1, len(moved) - before)
    return Y, mixing, sorted(moved), promised


def _log_mixed(Y, log_mixing, student):
    D = np.square(Y[:, None] - Y[None]).sum(-1)
    log_kernel = -np.log1p(D) if student else -D
    np.fill_diagonal(log_kernel, -1e300)
    return log_kernel + log_mixing[:, None] + log_mixing[None]


def images(P, Y, W):
    """KL of the mixture of images; Y (M, N, d), W (M, N)."""
    M, N, _ = Y.shape
    log_mixing = W - _log_sum(W, axis=0)
    terms = np.full((M, M, N, N), -1e300)
    for b in range(M):
        near = np.stack(
            [log_mixing[c][None] - np.square(Y[b][:, None] - Y[c][None]).sum(-1) - 1e300 * np.eye(N) for c in range(M)]
        )
        log_z = _log_sum(_log_sum(near, axis=0)[0], axis=1)
        terms[b] = log_mixing[b][:, None] + near - log_z
    return _kl(P, _log_sum(terms.reshape(M * M, N, N), axis=0)[0])


# One object among fitted ones, as a mixture with one component a map: the constants of `row_mixtures` and `modes`.
ROW_TURNS, ROW_SWEEPS, ROW_SEEDS, ROW_SHIFTS, ROW_LEAST_MASS = 11, 5, 3, 10, 0.02


def row_density(Y, pi, y, owner=-1, student=False):
    """f_m(j) of all objects j at a place y of one map, its sum z_m, and k of each object."""
    D = np.square(Y - y).sum(axis=-1)
    k = 1 / (1 + D) if student else np.ones(len(Y))
    s = pi * (k if student else np.exp(-D))
    if owner >= 0:
        s[owner] = 0.0
    return s / s.sum(), s.sum(), k


def row_step(p, r, Y, pi, y, owner=-1, student=False):
    """How far a place goes in a full step: the mean of k (y_j - y) under p r, less that under f_m."""
    f, _, k = row_density(Y, pi, y, owner, student)
    return (p * r * k) @ (Y - y) / np.sum(p * r) - (f * k) @ (Y - y)


def row_mode(p, Y, pi, student=False):
    """The highest place of sum_j p_j pi_j K, and its height, by mean shift from the strongest associates."""
    best, highest = None, 0.0
    for seed in np.argsort(-p * pi, kind="stable")[:ROW_SEEDS]:
        y = Y[seed]
        for shift in range(ROW_SHIFTS + 1):
            D = np.square(Y - y).sum(axis=-1)
            K = 1 / (1 + D) if student else np.exp(-D)
            height, w = np.sum(p * pi * K), p * pi * K * (K if student else 1)
            if shift < ROW_SHIFTS:
                y = w @ Y / w.sum()
        if p[seed] * pi[seed] > 0 and height > highest:
            best, highest = y, height
    return best, highest


def row_mixture(p, Y, mixing, owner=-1, student=False, n_components=8):
    """The mixture of one row p over N objects in maps Y (M, N, d): what `row_mixtures` returns, for all of p > 0."""
    p = p / p.sum()
    homes = mixing @ p
    tried = [m for m in range(len(Y)) if homes[m] >= min(ROW_LEAST_MASS, homes.max() / 2)]
    starts = {m: row_mode(p, Y[m], mixing[m], student) for m in tried}
    which = sorted(tried, key=lambda m: -starts[m][1])[:n_components]
    places, steps = [starts[m][0] for m in which], np.full(len(which), 0.5)
    shares = np.append(np.full(len(which), 0.95 / len(which)), 0.05)
    f = np.array([row_density(Y[m], mixing[m], y, owner, student)[0] for m, y in zip(which, places, strict=True)])
    r = np.empty((len(which) + 1, len(p)))
    for turn in range(ROW_TURNS):
        for c, m in enumerate(which):
            if turn == 0 or shares[c] < 1e-6:
                continue
            y = places[c] + steps[c] * row_step(p, r[c], Y[m], mixing[m], places[c], owner, student)
            new = row_density(Y[m], mixing[m], y, owner, student)[0]
            mine = (p > 0) & (r[c] > 0)
            if np.sum((p * r[c])[mine] * np.log(new[mine] / f[c, mine])) >= 0:
                places[c], f[c] = y, new
            else:
                steps[c] /= 2
        for _ in range(ROW_SWEEPS):
            r = shares[:, None] * np.append(f, np.full((1, len(p)), 1 / len(p)), axis=0)
            r /= r.sum(axis=0)
            shares = r @ p
    q = shares[:-1] @ f + shares[-1] / len(p)
    order = np.argsort(-shares[:-1], kind="stable")
    return {
        "maps": np.array(which)[order],
        "places": np.array(places)[order],
        "shares": shares[order],
        "unexplained": shares[-1],
        "weights": np.array([row_density(Y[which[c]], mixing[which[c]], places[c], owner, student)[1] for c in order]),
        "parts": r[order][:, p > 0].T,
        "likelihood": np.sum(p[p > 0] * np.log(q[p > 0])),
    }


def gtm_update(Z, Phi, W, beta, alpha):
    """Return W and beta after one update of GTM, and ln p of each object before it, entry by entry."""
    (N, D), Y = Z.shape, Phi @ W
    R, log_p = np.empty((N, len(Y))), np.empty(N)
    for n in range(N):
        p = [(beta / (2 * np.pi)) ** (D / 2) * np.exp(-0.5 * beta * np.sum((Z[n] - y) ** 2)) / len(Y) for y in Y]
        log_p[n] = np.log(np.sum(p))
        R[n] = p / np.sum(p)
    G = np.diag(R.sum(axis=0))
    A = Phi.T @ G @ Phi + (alpha / beta) * np.eye(Phi.shape[1])
    W = np.linalg.solve(A, Phi.T @ R.T @ Z)
    variance = sum(R[n, k] * np.sum((Z[n] - Phi[k] @ W) ** 2) for n in range(N) for k in range(len(Y))) / (N * D)
    return W, 1 / variance, log_p


def som_update(Z, nodes, prototypes, radius):
    """Return the prototypes after one update of the batch self-organizing map, one by one."""
    best = [int(np.argmin([np.sum((z - m) ** 2) for m in prototypes])) for z in Z]
    moved = []
    for node in nodes:
        h = np.array([np.exp(-np.sum((node - nodes[c]) ** 2) / (2 * radius**2)) for c in best])
        moved.append((h[:, None] * Z).sum(axis=0) / h.sum())
    return np.array(moved)


def lre(triples, V, matrices, reflexive=True, weights=None):
    """Cost of linear relational embedding from triples of numbers, shape (n, 3), by the formula, a triple at a time."""
    weights = np.ones(len(triples)) if weights is None else np.asarray(weights)
    cost = 0.0
    for (a, r, b), weight in zip(triples, weights, strict=True):
        same = (triples[:, 0] == a) & (triples[:, 1] == r)
        d = np.square(matrices[r] @ V[a] - V).sum(axis=1)
        chosen = np.exp(-d) if reflexive else np.where(np.arange(len(V)) == a, 0.0, np.exp(-d))
        p = weight / weights[same].sum()
        cost += p * np.log(p / (chosen[b] / chosen.sum()))
    return cost


def left_out(P, Y, i, y, gaussian=False):
    """L_i at y: what the cost of t-SNE, or of symmetric SNE, is of the place of one object, without its constant."""
    moved = np.array(Y, dtype=float)
    moved[i] = y
    D = squared(moved)
    w = np.exp(-D) if gaussian else 1 / (1 + D)
    others = np.delete(np.arange(len(Y)), i)
    return -2 * P[i, others] @ np.log(w[i, others]) + np.log(w.sum())


def perturbed(X, perplexity, i, move):
    """The joint P after object i was moved in the data, the others keeping the widths that they had."""
    D, N = squared(X), len(X)
    after = np.array(X, dtype=float)
    after[i] += move
    D_after = squared(after)
    kept = conditional(D, perplexity)
    P = conditional(D_after, perplexity)
    for j in np.delete(np.arange(N), i):
        a, b = np.argsort(D[j])[[0, 3]]
        width = np.log(kept[j, a] / kept[j, b]) / (D[j, b] - D[j, a])
        weights = np.exp(-width * (D_after[j] - D_after[j].min()))
        P[j] = weights / weights.sum()
    return (P + P.T) / (2 * N)
