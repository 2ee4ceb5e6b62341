"""UMAP as a sum over all pairs beside umap-learn: ``python -m benchmarks.without_sampling``, under an hour.

Six data sets: 1,797 digits, 10,000 images of MNIST's test part, on which exaggeration, rate and number of updates were
chosen; 9,298 images of USPS, 1,440 of COIL-20, the 5,000 commonest words by GloVe vectors and 3,000 points of a Swiss
roll, looked at once. Images have 50 principal components, digits their pixels. umap-learn at its defaults, five seeds,
of which the first fit compiles and is not counted; `UMAP` as the mean of its five draws, exaggerated by 4 at first. It
starts at principal components, where no seed matters, and is fitted as often, in turns. Of each map the share of ten
neighbors that is kept, the hold-one-out 1-NN error by classes, and the loss that `ns.UMAP` sums. Ten neighbors shared
are those of a map with each of umap-learn's five maps; umap-learn's own are those of all pairs of its seeds. t-SNE,
exaggerated by 4, is what a user would try otherwise. Seconds of processor time are with the search for neighbors,
medians; all on one thread. umap-learn is in no extra of this package: ``pip install umap-learn``. Data as for the
experiments; the words need a folder of data, as `reading`.
"""

import itertools
import time
import warnings

import numpy as np
from sklearn.decomposition import PCA

import notebook_sne as ns
from benchmarks.glove import vectors
from benchmarks.record import keep

SEEDS = range(5)
MEAN_OF_FIVE = {"negative_sample_rate": 5, "exaggeration": 4}
"""What `UMAP` had by default when its settings were chosen; what it has since is measured by `clusters`."""


def data():
    """Yield a name, whether settings were chosen on it, vectors, and labels or None."""
    digits = ns.datasets.load_digits()
    yield "digits", True, digits.X, digits.labels
    for name, chosen, some in (
        ("MNIST, test", True, ns.datasets.fetch_mnist("test")),
        ("USPS", False, ns.datasets.fetch_usps()),
        ("COIL-20", False, ns.datasets.fetch_coil20()),
    ):
        yield name, chosen, PCA(50, random_state=0).fit_transform(some.X.astype(float)), some.labels
    yield "words", False, vectors(5000)[1], None
    yield "Swiss roll", False, ns.datasets.load_swiss_roll(3000, random_state=0).X, None


def timed(model, X):
    """Return the map that a model makes of X, and the processor seconds it takes."""
    began = time.process_time()
    Y = model.fit_transform(X)
    return np.asarray(Y, float), time.process_time() - began


def row(name, chosen, X, labels):
    """Return the measurements of a data set, maps of both packages made in turns."""
    import umap

    quiet = {"n_jobs": 1, "progress": False, "random_state": 0}
    mean = MEAN_OF_FIVE | quiet
    umap.UMAP(n_epochs=5, random_state=0).fit(X)
    ns.UMAP(max_iter=5, **mean).fit(X)
    theirs, ours, times = [], [], []
    for seed in SEEDS:
        Y, longer = timed(umap.UMAP(random_state=seed), X)
        Z, shorter = timed(ns.UMAP(**mean), X)
        theirs.append(Y)
        ours.append(Z)
        times.append((longer, shorter))
    if any(not np.array_equal(Z, ours[0]) for Z in ours):
        raise ArithmeticError(f"five fits of one model to {name} gave different maps; they must not")
    tsne, _ = timed(ns.TSNE(exaggeration=ns.Steps(12, 4, at=125), **quiet), X)
    longer, shorter = np.median(times, axis=0)
    found = {"data": name, "objects": len(X), "settings chosen on it": "yes" if chosen else "no"}
    found |= shared("umap-learn", [ns.quality.neighbor_recall(a, b) for a, b in itertools.permutations(theirs, 2)])
    found |= shared("UMAP here", [ns.quality.neighbor_recall(Y, ours[0]) for Y in theirs])
    found |= shared("t-SNE, exaggerated", [ns.quality.neighbor_recall(Y, tsne) for Y in theirs])
    for method, maps in (("umap-learn", theirs), ("UMAP here", ours[:1]), ("t-SNE, exaggerated", [tsne])):
        kept = np.median([ns.quality.neighbor_recall(X, Y) for Y in maps])
        found[f"of ten neighbors kept by {method}"] = round(float(kept), 4)
        if labels is not None:
            found[f"1-NN error of {method}"] = round(
                float(np.median([ns.quality.knn_error(Y, labels) for Y in maps])), 4
            )
    for method, maps in (("umap-learn", theirs), ("UMAP here", ours[:1])):
        found[f"loss of {method}"] = round(float(np.median([loss(X, Y) for Y in maps])), 4)
    found |= {"processor seconds of umap-learn": round(longer, 2), "of UMAP here": round(shorter, 2)}
    return {**found, "times ours": round(float(np.median([a / b for a, b in times])), 2)}


def shared(method, values):
    """Return the columns of what share of ten neighbors a method has in common with the maps of umap-learn."""
    least, median, most = np.quantile(values, [0, 0.5, 1])
    return {
        f"neighbors shared with umap-learn by {method}": round(float(median), 4),
        f"least and most by {method}": f"{least:.4f} to {most:.4f}",
    }


def loss(X, Y):
    """Return the loss that `ns.UMAP` sums, of a map."""
    return next(ns.UMAP(init=Y, n_jobs=1, negative_sample_rate=5).iterate(X)).cost


def main():
    """Measure and keep."""
    warnings.filterwarnings("ignore", "n_jobs value", UserWarning)  # umap-learn's, of a seed
    rows = []
    for name, chosen, X, labels in data():
        rows.append(row(name, chosen, X, labels))
        print(rows[-1], flush=True)
    keep("without_sampling", {"seeds of umap-learn": list(SEEDS), "threads": 1}, rows, ("umap-learn",))


if __name__ == "__main__":
    main()
