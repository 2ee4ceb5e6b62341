"""Answers to the tasks of the course, in plain NumPy: for those who maintain it, and for the tests of the checks.

`ANSWERS` has a function for each task, which takes the task's data and returns the parts by name. Functions keep the
names under which a notebook asks for them.
"""

from itertools import product

import numpy as np
from scipy.optimize import minimize
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import pdist, squareform
from scipy.stats import spearmanr

from notebook_sne import TSNE
from notebook_sne.course.posing import LECTURES
from notebook_sne.quality import neighbor_recall, object_costs

__all__ = ["ANSWERS"]


def bits(p):
    p = p[p > 0]
    return -(p * np.log2(p)).sum()


def bisected(d, perplexity):
    """Return a row of P and its sigma."""
    low, high = 0.0, 1e12
    for _ in range(200):
        middle = np.sqrt(low * high) if low else high / 2
        p = np.exp((d.min() - d) / (2 * middle**2))
        p /= p.sum()
        low, high = (middle, high) if 2 ** bits(p) < perplexity else (low, middle)
    return p, middle


def short_2(data):
    p, sigma = bisected(data.d, data.perplexity)
    return {"p": p, "sigma": sigma}


def long_2(data):
    def conditional(D, perplexity):
        P = np.zeros(D.shape)
        for i in range(len(D)):
            others = np.arange(len(D)) != i
            P[i, others] = bisected(D[i, others], perplexity)[0]
        return P

    row = bisected(np.delete(data.D[data.isolated], data.isolated), data.large)[0]
    return {"conditional": conditional, "highest": data.n_objects - 1, "contrast": row.max() / row.min()}


def squares(Y):
    return squareform(pdist(Y, "sqeuclidean"))


def log_row_sums(L):
    top = L.max(axis=1, keepdims=True)
    return top + np.log(np.exp(L - top).sum(axis=1, keepdims=True))


def sne_log_q(Y):
    L = np.where(np.eye(len(Y)), -np.inf, -squares(Y))
    return L - log_row_sums(L)


def divergence(P, L):
    at = P > 0
    return (P[at] * (np.log(P[at]) - L[at])).sum()


def sne_cost(P, Y):
    return divergence(P, sne_log_q(Y))


def springs(S, Y):
    return S.sum(axis=1, keepdims=True) * Y - S @ Y


def short_3(data):
    def q(Y):
        return np.exp(sne_log_q(Y))

    return {"q": q, "cost": sne_cost}


def long_3(data):
    def gradient(P, Y):
        S = P - np.exp(sne_log_q(Y))
        return 2 * springs(S + S.T, Y)

    def both(y):
        Y = y.reshape(data.Y.shape)
        return sne_cost(data.P, Y), gradient(data.P, Y).ravel()

    done = minimize(both, data.Y.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": 5000, "gtol": 1e-5})
    settled = done.x.reshape(data.Y.shape)
    return {"cost": sne_cost, "gradient": gradient, "far": sne_cost(data.P, data.far), "settled": settled}


def kl(p, q):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(p > 0, p * np.log(p / q), 0.0).sum()


def short_4(data):
    return {"forward": kl(data.p, data.q), "backward": kl(data.q, data.p)}


def bell(x, mean, sd):
    height = np.exp(-(((x - mean) / sd) ** 2) / 2)
    return height / height.sum()


def long_4(data):
    x, p = data.x, data.p

    def least(cost):
        tries = [(mean, sd) for mean in (-4.0, 0.0, 4.0) for sd in (1.0, 4.0)]
        done = [minimize(lambda m: cost(bell(x, m[0], abs(m[1]))), start, method="Nelder-Mead") for start in tries]
        best = min(done, key=lambda one: one.fun)
        return best.x[0], abs(best.x[1])

    tiny = 1e-300
    return {"cost": kl, "forward": least(lambda q: kl(p, np.maximum(q, tiny))), "backward": least(lambda q: kl(q, p))}


def short_5(data):
    P, N = data.P, len(data.P)
    joint = (P + P.T) / (2 * N)
    return {"joint": joint, "mass": joint.sum(axis=1), "least": 1 / (2 * N)}


def joint_log(L):
    L = np.where(np.eye(len(L)), -np.inf, L)
    return L - (L.max() + np.log(np.exp(L - L.max()).sum()))


def long_5(data):
    def cost(P, Y):
        return divergence(P, joint_log(-squares(Y)))

    def gradient(P, Y):
        return 4 * springs(P - np.exp(joint_log(-squares(Y))), Y)

    moved = data.Y.copy()
    moved[data.isolated] += data.step
    change = [cost(P, moved) - cost(P, data.Y) for P in (data.one_sigma, data.averaged)]
    return {"cost": cost, "gradient": gradient, "change": change}


def short_6(data):
    def between(d, a, b):
        return b**d - a**d

    dimension = 1
    while data.radius**dimension > 0.01:
        dimension += 1
    return {"between": between, "dimension": dimension}


def long_6(data):
    def q(Y, background):
        N = len(Y)
        Q = (1 - background) * np.exp(joint_log(-squares(Y))) + background / (N * (N - 1))
        np.fill_diagonal(Q, 0)
        return Q

    def cost(P, Y, background):
        return divergence(P, np.log(q(Y, background) + np.eye(len(Y))))

    def gradient(P, Y, background):
        G = np.exp(joint_log(-squares(Y)))
        R = P * (1 - background) * G / (q(Y, background) + np.eye(len(Y)))
        return 4 * springs(R - R.sum() * G, Y)

    gain = [cost(data.P, data.wide, b) - cost(data.P, 0.99 * data.wide, b) for b in (0.0, data.background)]
    return {"q": q, "cost": cost, "gradient": gradient, "gain": gain}


def short_7(data):
    gaussian, student = np.sqrt(-np.log(data.s)), np.sqrt(1 / data.s - 1)
    return {"gaussian": gaussian, "student": student, "ratio": student / gaussian}


def long_7(data):
    def log_q(Y, nu):
        return joint_log(-(nu + 1) / 2 * np.log1p(squares(Y) / nu))

    def q(Y, nu):
        return np.exp(log_q(Y, nu))

    def cost(P, Y, nu):
        return divergence(P, log_q(Y, nu))

    def gradient(P, Y, nu):
        return 2 * (nu + 1) / nu * springs((P - q(Y, nu)) / (1 + squares(Y) / nu), Y)

    price = (data.nus + 1) / 2 * np.log(1 + data.far**2 / data.nus)
    return {"q": q, "cost": cost, "gradient": gradient, "price": price}


def short_8(data):
    widths, gaps = [], []
    for A in (data.X, data.Y):
        means = np.array([A[data.labels == c].mean(axis=0) for c in range(3)])
        widths.append([np.sqrt(((A[data.labels == c] - means[c]) ** 2).sum(axis=1).mean()) for c in range(3)])
        gaps.append([np.linalg.norm(means[a] - means[b]) for a, b in ((0, 1), (0, 2), (1, 2))])
    widths = np.array(widths)
    return {"widths": widths, "gaps": np.array(gaps), "spread": widths.max(axis=1) / widths.min(axis=1)}


def long_8(data):
    def nearest(X, k):
        return np.argsort(squares(X) + np.diag(np.full(len(X), np.inf)), axis=1)[:, :k]

    def recall(X, Y, k):
        return np.mean([np.isin(a, b).mean() for a, b in zip(nearest(X, k), nearest(Y, k), strict=True)])

    a, b = pdist(data.X), pdist(data.Y)
    near, far = a <= np.quantile(a, 0.1), a >= np.quantile(a, 0.9)
    return {
        "recall": recall,
        "order": spearmanr(a, b).statistic,
        "by_distance": [spearmanr(a[at], b[at]).statistic for at in (near, far)],
        "chance": data.n_neighbors / (data.n_objects - 1),
    }


def short_9(data):
    P, L = data.P, joint_log(-np.log1p(squares(data.Y)))
    costs = np.where(P > 0, P * (np.log(np.where(P > 0, P, 1)) - np.where(P > 0, L, 0)), 0).sum(axis=1)
    return {"costs": costs, "worst": np.sort(costs)[-data.k :].sum() / costs.sum()}


def long_9(data):
    def area(scores, wrong):
        pairs = np.subtract.outer(scores[wrong], scores[~wrong])
        return ((pairs > 0) + 0.5 * (pairs == 0)).mean()

    fit = TSNE(perplexity=15, random_state=0, progress=False).fit(data.X)
    suspects = np.argsort(-object_costs(fit.embedding_, fit.affinities_))[: data.n_impostors]
    return {"area": area, "suspects": suspects, "returns": (data.regions[1:] == data.regions[0]).mean(axis=0)}


def short_10(data):
    return {"rest": np.sqrt(1 / (data.rho * data.p * data.Z) - 1), "most": 1 / (data.p.max() * data.Z)}


def long_10(data):
    def weights(Y):
        return (1 - np.eye(len(Y))) / (1 + squares(Y))

    def cost(P, Y, rho):
        w = weights(Y)
        return np.log(w.sum()) - rho * (P * np.log(w + np.eye(len(Y)))).sum()

    def gradient(P, Y, rho):
        w = weights(Y)
        return 4 * springs((rho * P - w / w.sum()) * w, Y)

    gain = [cost(data.P, data.Y, rho) - cost(data.P, 0.99 * data.Y, rho) for rho in (1, data.rho)]
    vectors = np.linalg.eigh(np.diag(data.P.sum(axis=1)) - data.P)[1][:, 1:3]
    return {"cost": cost, "gradient": gradient, "gain": gain, "vectors": vectors}


def push_of(Y, others, counts=1):
    apart = Y - others
    return (counts * apart.T / (1 + (apart**2).sum(axis=-1)) ** 2).T.sum(axis=0)


def short_11(data):
    return {
        "push": push_of(data.y, data.crowd),
        "lumped": 100 * push_of(data.y, data.crowd.mean(axis=0, keepdims=True)),
    }


def long_11(data):
    def push(Y):
        return np.array([push_of(y, Y) for y in Y])

    def lumped(Y, h):
        cells = [tuple(cell) for cell in np.floor(Y / h).astype(int)]
        rows = {cell: [i for i, one in enumerate(cells) if one == cell] for cell in cells}
        F = np.zeros_like(Y)
        for i, (a, b) in enumerate(cells):
            for (c, d), inside in rows.items():
                near = max(abs(a - c), abs(b - d)) < 2
                F[i] += push_of(Y[i], Y[inside]) if near else len(inside) * push_of(Y[i], Y[inside].mean(axis=0)[None])
        return F

    F = push(data.Y)
    error = np.linalg.norm(lumped(data.Y, data.h) - F) / np.linalg.norm(F)
    recall = np.mean([np.isin(a, b).mean() for a, b in zip(data.near, data.found, strict=True)])
    return {"push": push, "lumped": lumped, "error": error, "recall": recall}


def scaled(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


def short_13(data):
    return {"shares": data.X.var(axis=0) / data.X.var(axis=0).sum(), "scaled": scaled(data.X)}


def long_13(data):
    model = TSNE(perplexity=15, random_state=0, progress=False)
    Y, again = (model.set_params(init=init).fit_transform(scaled(data.X)) for init in ("pca", "random"))
    shares = {"kept": neighbor_recall(scaled(data.X), Y, k=10), "shared": neighbor_recall(Y, again, k=10)}
    return {"Y": Y, "again": again, **shares}


def joined(Y, mixing):
    """Return what each map adds for each pair, shape (M, N, N)."""
    S = np.array([np.outer(p, p) * np.exp(-squares(A)) for A, p in zip(Y, mixing, strict=True)])
    return S * (1 - np.eye(Y.shape[1]))


def short_15(data):
    S = joined(data.Y, data.mixing)
    q = S.sum(axis=0) / S.sum(axis=(0, 2))[:, None]
    credit = S[0] / (S.sum(axis=0) + np.eye(len(q)))
    return {"q": q, "credit": credit}


def long_15(data):
    def mixing(W):
        E = np.exp(W - W.max(axis=0))
        return E / E.sum(axis=0)

    def q(Y, W):
        S = joined(Y, mixing(W))
        return S.sum(axis=0) / S.sum(axis=(0, 2))[:, None]

    def cost(P, Y, W):
        return divergence(P, np.log(q(Y, W) + np.eye(len(P))))

    def credits(P, Y, W):
        S = joined(Y, mixing(W))
        R = S / (S.sum(axis=0) + np.eye(len(P))) * (P - q(Y, W))
        return R + R.transpose(0, 2, 1)

    def gradient_Y(P, Y, W):
        return np.array([2 * springs(R, A) for R, A in zip(credits(P, Y, W), Y, strict=True)])

    def gradient_W(P, Y, W):
        slope = -credits(P, Y, W).sum(axis=2)
        return slope - mixing(W) * slope.sum(axis=0)

    return {"mixing": mixing, "cost": cost, "gradient_Y": gradient_Y, "gradient_W": gradient_W}


def short_16(data):
    among = data.P[np.ix_(data.associates, data.associates)]
    ties = among + among.T
    return {"ties": ties, "groups": connected_components(ties > 0, directed=False)[1]}


def long_16(data):
    def alike(P, word, associates):
        rows = (P + P.T)[associates]
        rows[:, word] = 0
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
        return rows @ rows.T

    A = alike(data.P, data.word, data.associates)
    pairs = np.triu_indices(len(A), 1)

    def margin_of(groups):
        together = np.equal.outer(groups, groups)[pairs]
        return A[pairs][together].mean() - A[pairs][~together].mean()

    every = [np.array(one) for one in product((0, 1), repeat=len(A)) if 1 < sum(one) < len(A) - 1]
    senses = max(every, key=margin_of)
    return {"alike": alike, "senses": senses, "margin": margin_of(senses)}


ANSWERS = {(n, kind): globals()[f"{kind}_{n}"] for n in LECTURES for kind in ("short", "long")}
"""For each lecture and kind, what returns the parts of a task from its data."""
