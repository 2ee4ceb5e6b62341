"""Do clusters come apart as on the maps of umap-learn?  ``python -m benchmarks.clusters``, half an hour.

Draws of 500 and 1,400 objects of each data set of `without_sampling`, a draw for each of five seeds. HDBSCAN of
scikit-learn finds clusters of at least 10, 15 and 30 objects on a map; its noise counts as one more. *ARI*: their
adjusted Rand index with the classes; where there are none, with the clusters on umap-learn's map of the same draw and
the next seed, which is what one seed of it says of another. Of each map the share of ten neighbors that is kept, and
that it has in common with the map of the next seed. Defaults of both packages, one thread; *mean of five draws*: `UMAP`
with umap-learn's `negative_sample_rate` and, as before, an exaggeration of 4 for 60 updates. Chosen on digits, MNIST
and Swiss roll; the others were looked at once. umap-learn is in no extra of this package: ``pip install umap-learn``.
"""

import sys
import warnings

import numpy as np
from sklearn.cluster import HDBSCAN
from sklearn.metrics import adjusted_rand_score

import notebook_sne as ns
from benchmarks.record import keep, kept_rows
from benchmarks.without_sampling import MEAN_OF_FIVE, data

SEEDS, SIZES, LEAST = range(5), (500, 1400), (10, 15, 30)
CHOSEN = ("digits", "MNIST, test", "Swiss roll")


def clusters(Y):
    """Return the clusters of a map at each least size."""
    return [HDBSCAN(least, copy=True).fit_predict(Y) for least in LEAST]


def rows_of(name, X, labels, n):
    """Yield a row for the maps of each package of draws of n objects."""
    import umap

    quiet = {"n_jobs": 1, "progress": False}
    methods = {
        "umap-learn": lambda seed: umap.UMAP(random_state=seed),
        "UMAP here": lambda seed: ns.UMAP(random_state=seed, **quiet),
        "mean of five draws": lambda seed: ns.UMAP(random_state=seed, **MEAN_OF_FIVE, **quiet),
    }
    measured = {method: [] for method in methods}
    for seed in SEEDS:
        some = np.sort(np.random.default_rng(seed).permutation(len(X))[:n])
        next_map = umap.UMAP(random_state=seed + 1).fit_transform(X[some])
        truth = clusters(next_map) if labels is None else [labels[some]] * len(LEAST)
        for method, make in methods.items():
            Y = np.asarray(make(seed).fit_transform(X[some]), float)
            found = [adjusted_rand_score(*both) for both in zip(truth, clusters(Y), strict=True)]
            recalls = (ns.quality.neighbor_recall(X[some], Y), ns.quality.neighbor_recall(next_map, Y))
            measured[method].append([*found, *recalls])
    names = [*(f"ARI, {least}" for least in LEAST), "of ten neighbors kept", "shared with umap-learn"]
    for method, series in measured.items():
        medians = np.round(np.median(series, axis=0), 3).tolist()
        facts = {"data": name, "objects": n, "chosen on it": "yes" if name in CHOSEN else "no", "map": method}
        yield facts | dict(zip(names, medians, strict=True))


def main(sizes):
    """Measure and keep; sizes that are left out keep their rows."""
    warnings.filterwarnings("ignore", "n_jobs value", UserWarning)  # umap-learn's, of a seed
    rows = [row for row in kept_rows("clusters") if row["objects"] not in sizes]
    for name, _, X, labels in data():
        for n in sizes:
            for row in rows_of(name, X, labels, n):
                rows.append(row)
                print(row, flush=True)
    keep("clusters", {"seeds": list(SEEDS), "threads": 1}, rows, ("umap-learn",))


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or SIZES)
