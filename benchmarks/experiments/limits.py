"""What the papers and lectures say in words, by numbers: limits and special cases, five seeds where chance enters.

- Large variance, [Hinton2002, Eq. 10-12]: where all p and q are nearly equal, the cost tends to half the mean squared
  mismatch of squared distances, those of each object measured from their antigeometric mean -log(mean(exp(-d))).
- Own optimum, [Hinton2013]: objects in a plane are their own map, without error, while p and q are made in one way;
  with a sigma for each object and averaged p (symmetric SNE) some cost remains.
- Isolated object, [Cook2007, section 2]: with one sigma for all, an object far from the others takes part in next to no
  pair; averaged conditionals leave it half of an equal share or more.
- Springs, [Maaten2008, Fig. 1]: two objects far apart in the data and near in the map are driven apart by SNE weakly
  beside its strongest pull, by t-SNE as strongly. Weights as exp(-x^2), not normalized, distances to 4.
- Two hills, [Nabney]: one Gaussian q for a p of two, which lie 4 apart, each of standard deviation 1/2: KL(p || q)
  covers both, as the lecture draws it; KL(q || p), which it does not, one.
- One place for all, [Hinton2013]: maps in which all objects share one place sort them, as spectral clustering does.
"""

import time

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_array
from sklearn.cluster import SpectralClustering
from sklearn.metrics import adjusted_rand_score

import notebook_sne as ns
from benchmarks.record import extremes, keep
from notebook_sne.engine.mathematics import large_variance as large_variance_limit
from notebook_sne.engine.mathematics import sne

SEEDS = range(5)


def squared(Y):
    """Return squared distances, infinite on the diagonal."""
    D = np.square(Y[:, None] - Y[None]).sum(axis=-1)
    np.fill_diagonal(D, np.inf)
    return D


def large_variance(seed):
    """Yield (claim, measure, value) for objects and map at three scales."""
    generator = np.random.default_rng(seed)
    X, Y = generator.standard_normal((60, 10)), generator.standard_normal((60, 2))
    for scale in (1.0, 0.1, 0.01):
        D, d, N = squared(scale * X), squared(scale * Y), len(X)
        P = ns.affinities.from_distances(np.sqrt(np.where(np.isinf(D), 0, D)))
        found = sne.cost_and_gradient(sne.attractive_pairs(csr_array(P)), scale * Y)
        limit = large_variance_limit.cost_and_gradient(D, scale * Y)
        slope = limit.gradient
        q = np.exp(-d)
        q /= q.sum(axis=1, keepdims=True)
        cosine = (slope * found.gradient).sum() / np.linalg.norm(slope) / np.linalg.norm(found.gradient)
        where = f"standard deviation {scale:g}"
        # In double precision: at the least scale the cost is 1e-7 of the terms that its single sums are made of.
        p = np.exp(-D)
        p /= p.sum(axis=1, keepdims=True)
        off = ~np.eye(N, dtype=bool)
        ratio = (p[off] * np.log(p[off] / q[off])).sum() / limit.cost
        yield "large variance", f"cost over half the mean squared mismatch, {where}", ratio
        yield "large variance", f"cosine between the two gradients, {where}", cosine


def own_optimum(seed):
    """Yield what objects in a plane cost as their own map, and the least cost found with separate procedures."""
    X = np.random.default_rng(seed).standard_normal((100, 2))
    P = ns.affinities.from_distances(np.sqrt(np.where(np.isinf(D := squared(X)), 0, D)))
    yield (
        "own optimum",
        "SNE, p and q in one way: cost",
        sne.cost_and_gradient(sne.attractive_pairs(csr_array(P)), X).cost,
    )
    shared = {"max_iter": 3000, "optimizer": "lbfgs", "random_state": seed, "n_jobs": 1, "progress": False}
    for title, P in (
        ("one sigma", ns.affinities.joint_with_one_sigma(X, 20)),
        ("averaged conditionals", ns.affinities.joint(ns.affinities.conditional(X, 20))),
    ):
        # From the objects themselves, which the model is free to stretch.
        model = ns.SymmetricSNE(init=3 * X, input="joint", **shared).fit(P)
        yield "own optimum", f"symmetric SNE, {title}: least cost", model.cost_


def isolated(seed):
    """Yield the share of a far object, in equal shares."""
    X = np.random.default_rng(seed).standard_normal((100, 5))
    X[0] = 30.0
    one, averaged = (
        ns.affinities.joint_with_one_sigma(X, 15),
        ns.affinities.joint(ns.affinities.conditional(X, 15)),
    )
    for title, P in (("one sigma", one), ("averaged conditionals", averaged)):
        yield "isolated object", f"{title}: what it has of an equal share", float(len(X) * P.sum(axis=1)[0])


def springs(_):
    """Yield the strongest push over the strongest pull."""
    x, y = np.meshgrid(np.linspace(0, 4, 401), np.linspace(0, 4, 401))
    heavy = 1 / (1 + y**2)
    for title, force in (
        ("SNE", 4 * (np.exp(-(x**2)) - np.exp(-(y**2))) * y),
        ("t-SNE", 4 * (np.exp(-(x**2)) - heavy) * heavy * y),
    ):
        yield "springs", f"{title}: strongest push over strongest pull", -force.min() / force.max()


def two_hills(seed):
    """Yield where the best single Gaussian of ten starts lies, and how wide it is."""
    x = np.linspace(-12, 12, 4801)
    p = 0.5 * sum(np.exp(-0.5 * ((x - m) / 0.5) ** 2) / (0.5 * np.sqrt(2 * np.pi)) for m in (-2, 2))
    starts = np.random.default_rng(seed).standard_normal((10, 2)) * [2.0, 0.3]
    log_p = np.log(p + 1e-300)

    def divergence(place, forward):
        log_q = -0.5 * ((x - place[0]) / np.exp(place[1])) ** 2 - place[1] - 0.5 * np.log(2 * np.pi)
        q = np.exp(log_q)
        return ((p * (log_p - log_q) if forward else q * (log_q - log_p)).sum()) * (x[1] - x[0])

    for title, forward in (("KL(p || q)", True), ("KL(q || p)", False)):
        found = [minimize(divergence, start, args=(forward,), method="Nelder-Mead") for start in starts]
        best = min(found, key=lambda result: result.fun)
        yield "two hills", f"{title}: distance of q's center from the middle", abs(best.x[0])
        yield "two hills", f"{title}: standard deviation of q", np.exp(best.x[1])


def one_place(seed):
    """Yield how well maps without places, the best of five restarts, sort two rings, beside spectral clustering."""
    for title, data in (
        ("two linked rings", ns.datasets.load_two_rings(200, random_state=seed)),
        ("four clusters", ns.datasets.load_clusters((25, 25, 75, 75), random_state=seed)),
    ):
        n_maps = len(np.unique(data.labels))
        options = {"perplexity": 15, "locations": "equal", "n_restarts": 5, "random_state": seed}
        model = ns.AspectMaps(n_maps=n_maps, n_jobs=1, progress=False, **options).fit(data.X)
        maps = model.mixing_.argmax(axis=0)
        P = ns.affinities.conditional(data.X, 15)
        spectral = SpectralClustering(n_maps, affinity="precomputed", random_state=seed).fit(P + P.T).labels_
        rand = f"{title}: adjusted Rand index"
        yield "one place for all", f"{rand}, aspect maps", adjusted_rand_score(data.labels, maps)
        yield "one place for all", f"{rand}, spectral", adjusted_rand_score(data.labels, spectral)
        yield "one place for all", f"{rand}, both beside each other", adjusted_rand_score(maps, spectral)


def main():
    """Measure, print and keep."""
    rows = []
    for check in (large_variance, own_optimum, isolated, springs, two_hills, one_place):
        values, began = {}, time.process_time()
        seeds = SEEDS[:1] if check is springs else SEEDS  # a formula has none
        for seed in seeds:
            for claim, measure, value in check(seed):
                values.setdefault((claim, measure), []).append(float(value))
        seconds = (time.process_time() - began) / len(seeds)
        for (claim, measure), series in values.items():
            row = {"claim": claim, "measure": measure, "seeds": len(series), **extremes(series, 4)}
            rows.append({**row, "seconds": round(seconds, 2)})
            print(rows[-1], flush=True)
    keep("limits", {"seeds": list(SEEDS)}, rows)


if __name__ == "__main__":
    main()
