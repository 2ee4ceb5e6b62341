"""E15: a mixture of two maps beside two pictures of one space, with the same number of coordinates.

Two aspect maps give every object four numbers, and so does one map in four dimensions. The kernel of the latter is
the product of that of its first two and that of its last two coordinates: near means near in both. In a mixture near
means near in either [Cook2007, Eq. 7]. Which imitates P better, and what may be read off the pictures? The four
dimensions are shown as two projections, on the first two of their principal axes and on the other two. *Strangers*: of
the five nearest neighbors of each object in a picture, the share that has in both directions a p below that of the
uniform distribution, 1 / (N - 1); *chance* is the share of all pairs. In maps with free proportions, which have N
numbers more, neighbors are the objects that the map ties most strongly, pi_j exp(-d), to one that has a tenth of
itself there.

Both kinds have their home game: P of two maps of 100 objects, and P of one cloud of 100 in four dimensions. Then
300 MNIST digits (30 a class, every seed its own, 30 principal components, perplexity 30), the bundled word relations,
and the data of the papers: 1000 words of the USF norms and 624 co-authors. No penalty; the best of three starts by
L-BFGS, four extra dimensions on the way where there are two maps.
"""

import time
from typing import Any

import numpy as np
from sklearn.decomposition import PCA

import notebook_sne as ns
from benchmarks.record import keep

SEEDS, N_NEAR, LEAST = range(5), 5, 0.1
COMMON: dict[str, Any] = {
    "penalty": 0.0,
    "optimizer": "lbfgs",
    "max_iter": 400,
    "n_restarts": 3,
    "input": "probabilities",
    "n_jobs": 1,
    "progress": False,
}
MODELS: dict[str, dict[str, Any]] = {
    "one map": {"n_maps": 1},
    "one map in 4-D, two projections": {"n_maps": 1, "n_components": 4},
    "two maps": {"n_maps": 2, "mixing": "equal", "extra_dimensions": 4},
    "two maps, free proportions": {"n_maps": 2, "extra_dimensions": 4},
}


def of_points(X):
    """Return the P of points whose neighborhoods have the width of a map's, by [Cook2007, Eq. 2]."""
    return ns.affinities.from_distances(np.sqrt(np.square(X[:, None] - X[None]).sum(axis=-1)))


def problems():
    """Yield the title of each data set, and a function that returns its P for a seed."""
    yield "two maps, sd 0.7", lambda seed: ns.datasets.load_two_maps(100, 0.7, random_state=seed).P
    yield "4-D cloud, sd 0.7", lambda seed: of_points(0.7 * np.random.default_rng(seed).standard_normal((100, 4)))
    mnist = ns.datasets.load_mnist_5000()
    pca = PCA(30, random_state=0).fit(mnist.X)
    yield (
        "300 digits",
        lambda seed: ns.affinities.conditional(pca.transform(mnist.sample(30, random_state=seed).X), 30),
    )
    relations, words = ns.datasets.load_word_relations(), ns.datasets.fetch_usf_associations()
    yield "475 words, relations", lambda seed: relations.P
    yield "1000 words, associations", lambda seed: words.P
    authors = ns.datasets.fetch_nips_authors()
    papers = ns.affinities.from_counts(authors.select(authors.counts.sum(axis=1) > 0).counts)
    yield "624 co-authors", lambda seed: papers


def pictures(model):
    """Return what is drawn of a model: plane points (M, N, 2) and proportions (M, N), most proportion first."""
    maps, mixing = model.maps_, model.mixing_
    if maps.shape[2] == 4:
        turned = PCA(4).fit_transform(maps[0])
        return np.stack([turned[:, :2], turned[:, 2:]]), np.ones((2, maps.shape[1]))
    order = np.argsort(-mixing.sum(axis=1))
    return maps[order], mixing[order]


def strangers(Y, proportion, stranger):
    """Return the share of strangers among those that a picture shows near to an object that is at home in it."""
    D = np.square(Y[:, None] - Y[None]).sum(axis=-1)
    np.fill_diagonal(D, np.inf)
    with np.errstate(divide="ignore"):
        near = np.argsort(D - np.log(proportion), axis=1)[:, :N_NEAR]
    home = np.flatnonzero(proportion >= LEAST)
    return float(stranger[home[:, None], near[home]].mean())


def main():
    """Measure, print and keep."""
    rows = []
    for title, make in problems():
        for name, options in MODELS.items():
            found = []
            for seed in SEEDS:
                P = make(seed)
                dense = P.toarray() if hasattr(P, "toarray") else P
                stranger = np.maximum(dense, dense.T) < 1 / (len(dense) - 1)
                np.fill_diagonal(stranger, False)
                began = time.perf_counter()
                model = ns.AspectMaps(init="random", **COMMON, **options, random_state=seed).fit(P)
                seconds = time.perf_counter() - began
                shares = [strangers(Y, pi, stranger) for Y, pi in zip(*pictures(model), strict=True)]
                chance = stranger.sum() / (len(dense) * (len(dense) - 1))
                found.append((model.cost_, shares[0], shares[-1], chance, seconds))
                print(title, name, seed, *(f"{value:.4g}" for value in found[-1]), flush=True)
            values = np.array(found)
            cost, first, second, chance, seconds = np.median(values, axis=0)
            rows.append(
                {
                    "P of": title,
                    "model": name,
                    "seeds": len(values),
                    "KL, median": float(f"{cost:.4g}"),
                    "KL, range": f"{values[:, 0].min():.4g}-{values[:, 0].max():.4g}",
                    "strangers, first picture": round(float(first), 3),
                    "strangers, second picture": None if name == "one map" else round(float(second), 3),
                    "chance": round(float(chance), 3),
                    "seconds": round(float(seconds), 1),
                }
            )
    settings = {name: value for name, value in COMMON.items() if name != "progress"}
    keep("e15_mixture_or_product", {"seeds": list(SEEDS), "neighbors": N_NEAR, **settings}, rows)


if __name__ == "__main__":
    main()
