"""From SNE and t-SNE to Laplacian eigenmaps, and what that is good for.  [Hinton2013; Boehm2022]

300 digits of 8 x 8 pixels, 30 a class, perplexity 15, others for every seed. Laplacian eigenmaps are the eigenvectors
of the two least eigenvalues above 0 of L y = e D y, with L the Laplacian of the joint P of all these maps and D its row
sums. A map in which attraction is everything has those of L y = e y, without D; both are compared.

- *Elastic embedding*: its maps as lambda, the strength of its push, falls from 20, each begun at the one before, by
  L-BFGS until it is at rest. The second direction of a map closes at N - 1 times the second eigenvalue above 0 of L:
  the last values are multiples of that.
- *Exaggeration*: t-SNE exaggerated by 12 for 125 updates, then as the row says, 500 in all, and L-BFGS until it is at
  rest. The second direction closes at 1 / (N - 1) over that eigenvalue: the last values are shares of that.
- *Disparity*: that of Procrustes from the eigenvectors, 0 for the same picture. *Angle*: the larger of the two between
  the plane of a map's coordinates and that of the eigenvectors, in degrees, whatever the axes are scaled by.
- *One gradient*: at the map of symmetric SNE the elastic embedding with lambda = N (N - 1) / Z has the gradient of
  symmetric SNE; the greatest difference, as a share of the greatest pull on an object.
- *Faster*: SNE and symmetric SNE of 1,000 MNIST images by the spectral direction, which divides the gradient by that
  Laplacian, by steepest descent without momentum and by L-BFGS, until the cost that a default fit with momentum ends
  with, in at most three times its updates; updates and seconds of the processor, as shares of those of momentum.
  *There*: in how many seeds the cost was reached.
"""

import itertools
import sys

import numpy as np
from scipy.linalg import eigh, subspace_angles
from scipy.spatial.distance import pdist, squareform

import notebook_sne as ns
from benchmarks.laboratory.spectral import NEAR, followed
from benchmarks.record import extremes, keep

SEEDS, STRENGTHS, MULTIPLES = range(5), (20.0, 5.0, 2.0), (1.3, 1.1)
EXAGGERATIONS, SHARES, UPDATES = (1, 4, 12), (0.8, 0.9), 500
OTHERS = {
    "spectral": {"optimizer": "spectral"},
    "steepest descent": {"momentum": 0.0},
    "L-BFGS": {"optimizer": "lbfgs"},
}
SHARED = {"perplexity": 15, "n_jobs": 1, "progress": False}


def at_rest(model, X, updates=1000):
    """Return the map of a model after so many updates, which is no default fit: it does not stop before."""
    for state in itertools.islice(model.iterate(X), updates + 1):
        found = state.embedding
    return found


def eigenvectors(P):
    """Return the two eigenvectors of L y = e D y and of L y = e y, and the second eigenvalue of the latter."""
    degrees = P.sum(axis=1)
    L = np.diag(degrees) - P
    values, plain = eigh(L, subset_by_index=[1, 2])
    _, normalized = eigh(L, np.diag(degrees), subset_by_index=[1, 2])
    return {"Laplacian eigenmaps": normalized, "eigenvectors of L": plain}, values[1]


def maps(X, seed, least):
    """Yield the name of each map between SNE and eigenmaps, and its points."""
    Y = ns.SymmetricSNE(**SHARED, random_state=seed).fit_transform(X)
    yield "symmetric SNE", Y
    closes = (len(X) - 1) * least
    chosen = [(f"lambda {strength:g}", strength) for strength in STRENGTHS]
    chosen += [(f"lambda {times:g} times where it closes", times * closes) for times in MULTIPLES]
    for name, strength in chosen:
        Y = at_rest(ns.ElasticEmbedding(repulsion=strength, init=Y, optimizer="lbfgs", **SHARED), X)
        yield f"elastic embedding, {name}", Y
    chosen = [(f"exaggeration {times}", times) for times in EXAGGERATIONS]
    chosen += [(f"exaggeration {share:g} of where it closes", share / closes) for share in SHARES]
    for name, times in chosen:
        schedule = ns.Steps(12, times, at=125)
        begun = ns.TSNE(exaggeration=schedule, init="random", max_iter=UPDATES, random_state=seed, **SHARED)
        steady = ns.Steps(times, times, at=0)
        model = ns.TSNE(exaggeration=steady, init=begun.fit_transform(X), optimizer="lbfgs", **SHARED)
        yield f"t-SNE, {name}", at_rest(model, X)


def one_gradient(P, Y):
    """Return by how much the gradients of symmetric SNE and of the elastic embedding differ, of the greatest pull."""
    N, w = len(Y), np.exp(-squareform(pdist(Y, "sqeuclidean")))
    np.fill_diagonal(w, 0.0)

    def force(c):
        return 4 * (c.sum(axis=1)[:, None] * Y - c @ Y)

    strength = N * (N - 1) / w.sum()
    difference = force(P - w / w.sum()) - force(P - strength * w / (N * (N - 1)))
    return np.abs(difference).max() / np.abs(force(P)).max()


def faster(X, seed):
    """Yield updates and processor seconds of other optimizers, as shares of those of momentum, and if they arrived."""
    for name, kind in (("SNE", ns.SNE), ("symmetric SNE", ns.SymmetricSNE)):
        shared = {"random_state": seed, "n_jobs": 1, "progress": False}
        fit = kind(**shared).fit(X)
        mark = float(fit.trace_["cost"].min())
        _, plain = followed(kind(**shared).iterate(X), mark, fit.n_iter_)
        for title, options in OTHERS.items():
            costs, seconds = followed(kind(**shared, **options).iterate(X), mark, 3 * fit.n_iter_)
            there = costs[-1] <= mark * (1 + NEAR)
            yield f"{name}, {title}: updates over those of momentum", (len(costs) - 1) / (len(plain) - 1), there
            yield f"{name}, {title}: seconds over those of momentum", seconds[-1] / plain[-1], there


def main():
    """Measure, print and keep."""
    digits, mnist, found, arrived = ns.datasets.load_digits(), ns.datasets.load_mnist_5000(), {}, {}
    for seed in SEEDS:
        X = digits.sample(30, random_state=seed).X
        P = ns.affinities.joint(ns.affinities.conditional(X, SHARED["perplexity"]))
        vectors, least = eigenvectors(P)
        for name, Y in maps(X, seed, least):
            for title, ends in vectors.items():
                disparity = ns.quality.procrustes_disparity(ends, Y)
                found.setdefault(f"{name}: disparity from {title}", []).append(disparity)
                angle = np.degrees(subspace_angles(Y - Y.mean(axis=0), ends)).max()
                found.setdefault(f"{name}: angle from {title}", []).append(angle)
            if name == "symmetric SNE":
                found.setdefault("elastic embedding and symmetric SNE: one gradient", []).append(one_gradient(P, Y))
        found.setdefault("exaggeration where it closes", []).append(1 / ((len(X) - 1) * least))
        for measure, value, there in faster(mnist.sample(100, random_state=seed).X.astype(float), seed):
            found.setdefault(measure, []).append(value)
            arrived[measure] = arrived.get(measure, 0) + int(there)
        print(seed, {measure: round(series[-1], 3) for measure, series in found.items()}, file=sys.stderr, flush=True)
    rows = [
        {"measure": measure, "seeds": len(series), **extremes(series, 3), "there": arrived.get(measure)}
        for measure, series in found.items()
    ]
    keep("eigenmaps", {"seeds": list(SEEDS), "objects": 300, "perplexity": 15}, rows)


if __name__ == "__main__":
    main()
