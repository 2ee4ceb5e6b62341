"""What the lecture says of older maps, [Hinton2013], by numbers; three seeds where chance enters.

- Metric MDS and PCA: classical MDS of Euclidean distances has the principal components of the objects; of distances
  that are not Euclidean, double centering makes what is not there: 60 objects in a row whose distances are cut off at
  a quarter of the row have a second axis, though there is only one.
- Sammon's disc: *roundness* is the standard deviation along the short axis of a map over that along the long one;
  *unevenness* the greatest difference between the share of objects within a radius and the share of the disc's area
  there, 0 for an even disc about the median point. The radius of the disc holds 95 % of the objects.
- LLE's typical map: the share of objects that lie within a tenth of the greatest distance from the median point.
- NCA and LDA: three classes, each a long curved arm of a spiral in a plane, beside eight directions of noise; the
  1-NN error in the two directions that either finds.
"""

import numpy as np
from sklearn.decomposition import PCA

import notebook_sne as ns
from benchmarks.record import extremes, keep

SEEDS = range(3)


def mds(_):
    """Yield how far classical MDS is from PCA, and what double centering makes of a row."""
    X = ns.datasets.load_digits().X[:300]
    D = np.linalg.norm(X[:, None] - X[None], axis=2)
    components, found = PCA(2).fit_transform(X), ns.baselines.ClassicalMDS(input="distances").fit_transform(D)
    found *= np.sign((components * found).sum(axis=0))
    yield (
        "metric MDS and PCA",
        "greatest difference, in widths of the map",
        np.abs(components - found).max() / np.ptp(found),
    )
    row = np.abs(np.subtract.outer(np.arange(60.0), np.arange(60.0)))
    for title, distances in (("distances as they are", row), ("distances cut off", np.minimum(row, 15.0))):
        values = ns.baselines.ClassicalMDS(input="distances").fit(distances).eigenvalues_
        second = np.sqrt(max(values[1], 0.0) / values[0])
        yield "double centering", f"a row, {title}: second axis over the first", second


def shape(Y):
    """Return roundness and unevenness."""
    short, long = np.sqrt(np.linalg.eigvalsh(np.cov(Y.T)))
    r = np.sort(np.linalg.norm(Y - np.median(Y, axis=0), axis=1))
    inside = r[r <= np.quantile(r, 0.95)]
    area = np.square(inside / inside[-1])
    return short / long, np.abs(np.arange(1, len(area) + 1) / len(area) - area).max()


def discs(seed):
    """Yield the shape of maps of faces and of digits."""
    shared = {"random_state": seed, "n_jobs": 1, "progress": False}
    faces = ns.datasets.fetch_olivetti().X
    for title, X in (("faces", faces), ("digits", ns.datasets.load_digits().sample(40, random_state=seed).X)):
        X = PCA(30, random_state=0).fit_transform(X)
        for name, method in (
            ("Sammon", ns.baselines.Sammon(**shared)),
            ("PCA", PCA(2)),
            ("t-SNE", ns.TSNE(perplexity=30, **shared)),
        ):
            for measure, value in zip(("roundness", "unevenness"), shape(method.fit_transform(X)), strict=True):
                yield "Sammon's disc", f"{title}, {name}: {measure}", value


def heap(_):
    """Yield the share of objects near the middle of a map."""
    X = ns.datasets.load_digits().X
    for name, method in (
        ("LLE", ns.baselines.LLE(n_neighbors=12)),
        ("PCA", PCA(2)),
        ("t-SNE", ns.TSNE(random_state=0, n_jobs=1, progress=False)),
    ):
        Y = method.fit_transform(X)
        r = np.linalg.norm(Y - np.median(Y, axis=0), axis=1)
        yield "LLE's typical map", f"digits, {name}: near the middle", (r < 0.1 * r.max()).mean()


def arms(seed):
    """Yield the errors of NCA and of LDA on three long curved classes."""
    generator, labels = np.random.default_rng(seed), np.repeat(np.arange(3), 80)
    along = np.tile(np.linspace(0.3, 1.0, 80), 3)
    angle = 2 * np.pi * (labels / 3 + along)
    plane = 3 * along[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    X = np.hstack([plane + 0.05 * generator.standard_normal(plane.shape), generator.standard_normal((240, 8))])
    nca = ns.baselines.NCA(random_state=seed, n_jobs=1, progress=False)
    for name, Y in (
        ("the plane itself", plane),
        ("all ten directions", X),
        ("LDA", ns.baselines.LDA().fit(X, labels).transform(X)),
        ("NCA", nca.fit(X, labels).embedding_),
    ):
        yield "NCA and LDA", f"three arms, {name}: 1-NN error", ns.quality.knn_error(Y, labels)


def main():
    """Measure, print and keep."""
    rows = []
    for check in (mds, discs, heap, arms):
        values, seeds = {}, SEEDS if check in (discs, arms) else SEEDS[:1]  # the others have none
        for seed in seeds:
            for claim, measure, value in check(seed):
                values.setdefault((claim, measure), []).append(float(value))
        for (claim, measure), series in values.items():
            row = {"claim": claim, "measure": measure, "seeds": len(series), **extremes(series, 3)}
            rows.append(row)
            print(row, flush=True)
    keep("older_maps", {"seeds": list(SEEDS)}, rows)


if __name__ == "__main__":
    main()
