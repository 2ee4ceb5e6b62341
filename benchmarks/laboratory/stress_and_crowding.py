"""Is stress a matter of the large distances, and is there room for the neighbors in two dimensions?  [Nabney]

- *Stress*: metric MDS, Sammon's map and the lecture's own version [Hinton2013], whose errors are divided by the
  distances themselves, of 300 digits of 8 x 8 pixels, from principal components. Pairs in the order of their distances
  in the data: what the longest half and the shortest tenth have of the stress where all distances are wrong by the same
  share of themselves, and of the stress of the map; and how much the map changes (Procrustes disparity) where a half of
  the pairs is left out of the stress altogether, *decides more* being 1 where the long half alone makes the map that is
  nearer to that of all, and 0 where the short one does.
- *Crowding*: 600 objects, uniform in a ball of d dimensions, perplexity 15. In the data and in maps of two dimensions:
  the most objects among whose ten nearest one object is (*popular*), and the share of ten neighbors that is kept.
- *Gaps*: ten Gaussian classes of 60 objects in ten dimensions, their means equally far from each other, as far as six
  standard deviations: the least distance between two class means over the largest mean distance of objects from their
  own, in the data and in maps.
"""

import sys

import numpy as np
from scipy.spatial.distance import pdist, squareform
from sklearn.neighbors import NearestNeighbors

import notebook_sne as ns
from benchmarks.record import extremes, keep

SEEDS, DIMENSIONS, K = range(5), (2, 3, 5, 10, 20), 10
QUIET = {"n_jobs": 1, "progress": False}


def stress(seed):
    """Yield what the long and the short distances have of the stress, and of the map."""
    X = ns.datasets.load_digits().sample(30, random_state=seed).X
    D = squareform(pdist(X))
    middle, tenth = np.quantile(pdist(X), [0.5, 0.1])
    scaled = {"metric MDS": np.ones_like(D), "Sammon": 1 / (D + np.eye(len(D)))}
    scaled["errors over distances"] = scaled["Sammon"] ** 2
    for name, weights in scaled.items():
        fitted = {}
        for which, pairs in (("all", D >= 0), ("long half", D > middle), ("short half", D <= middle)):
            model = ns.baselines.MetricMDS(weights=weights * pairs, max_iter=2000, random_state=seed, **QUIET)
            fitted[which] = model.fit_transform(X)
        for title, errors in (
            ("of errors in proportion", weights * np.square(D)),
            ("of the map's errors", weights * np.square(D - squareform(pdist(fitted["all"])))),
        ):
            yield f"{name}, {title}: long half", errors[D > middle].sum() / errors.sum()
            yield f"{name}, {title}: shortest tenth", errors[tenth >= D].sum() / errors.sum()
        changed = {
            which: ns.quality.procrustes_disparity(fitted["all"], fitted[which])
            for which in ("long half", "short half")
        }
        for which, disparity in changed.items():
            yield f"{name}: disparity of the map by the {which} alone", disparity
        yield f"{name}: the long half decides more", float(changed["long half"] < changed["short half"])
        yield f"{name}: neighbors kept", ns.quality.neighbor_recall(X, fitted["all"], k=K)
    sne = ns.SNE(perplexity=15, random_state=seed, **QUIET).fit_transform(X)
    yield "SNE: neighbors kept", ns.quality.neighbor_recall(X, sne, k=K)


def popular(Y):
    """Return of how many objects' nearest neighbors one is at most."""
    nearest = NearestNeighbors(n_neighbors=K).fit(Y).kneighbors(return_distance=False)
    return int(np.bincount(nearest.ravel(), minlength=len(Y)).max())


def crowding(seed):
    """Yield how well a map has room for the neighbors of a ball of so many dimensions."""
    rng = np.random.default_rng(seed)
    for d in DIMENSIONS:
        X = rng.standard_normal((600, d))
        X *= (rng.random(600) ** (1 / d) / np.linalg.norm(X, axis=1))[:, None]
        yield f"ball of {d} dimensions: popular", popular(X)
        for name, kind in (("SNE", ns.SNE), ("t-SNE", ns.TSNE)):
            Y = kind(perplexity=15, random_state=seed, **QUIET).fit_transform(X)
            yield f"ball of {d} dimensions, {name}: neighbors kept", ns.quality.neighbor_recall(X, Y, k=K)
            yield f"ball of {d} dimensions, {name}: popular", popular(Y)


def gap(Y, labels):
    """Return the least distance between class means over the largest mean distance of objects to their own."""
    means = np.array([Y[labels == label].mean(axis=0) for label in np.unique(labels)])
    own = np.linalg.norm(Y - means[labels], axis=1)
    return pdist(means).min() / max(own[labels == label].mean() for label in np.unique(labels))


def gaps(seed):
    """Yield how far classes are apart that are equally far from each other."""
    labels = np.repeat(np.arange(10), 60)
    X = np.eye(10)[labels] * 6 / np.sqrt(2) + np.random.default_rng(seed).standard_normal((600, 10))
    yield "ten classes: gap in the data", gap(X, labels)
    models = {"SNE": ns.SNE, "symmetric SNE": ns.SymmetricSNE, "UNI-SNE": ns.UNISNE, "t-SNE": ns.TSNE}
    for name, kind in models.items():
        Y = kind(perplexity=30, random_state=seed, **QUIET).fit_transform(X)
        yield f"ten classes, {name}: gap", gap(Y, labels)


def main():
    """Measure, print and keep."""
    found = {}
    for check in (stress, crowding, gaps):
        for seed in SEEDS:
            for measure, value in check(seed):
                found.setdefault(measure, []).append(float(value))
            print(check.__name__, seed, file=sys.stderr, flush=True)
    rows = [
        {"measure": measure, "seeds": len(series), **extremes(series, 3), "mean": float(f"{np.mean(series):.3g}")}
        for measure, series in found.items()
    ]
    keep("stress_and_crowding", {"seeds": list(SEEDS), "neighbors": K}, rows)


if __name__ == "__main__":
    main()
