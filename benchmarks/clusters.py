"""Do clusters come apart as on the maps of umap-learn?  ``python -m benchmarks.clusters``, an hour.

Draws of 500 and 1,400 objects of six data sets, a draw for each of ten seeds. HDBSCAN of scikit-learn finds clusters of
at least 10, 15 and 30 objects on a map; its noise counts as one more. *ARI*: their adjusted Rand index with the
classes; where there are none, with the clusters on umap-learn's map of the same draw and the next seed, which is what
one seed of it says of another. Of each map the share of ten neighbors that is kept, and that it has in common with the
map of the next seed. *Other seeds*: umap-learn with the seeds 100 to 109. *As before*: `UMAP` with a `min_dist` of 0.1
and a rate of N/4 until the end. One thread. umap-learn is in no extra of this package: ``pip install umap-learn``.
"""

import gzip
import itertools
import os
import warnings
from pathlib import Path

import numpy as np
from sklearn.cluster import HDBSCAN
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score

import notebook_sne as ns
from benchmarks.record import keep

SIZES, LEAST, DRAWS = (500, 1400), (10, 15, 30), (range(5), range(5, 10))
CHOSEN = ("digits", "MNIST, test", "Swiss roll")
MEASURED = (*(f"ARI, {least}" for least in LEAST), "of ten neighbors kept", "shared with umap-learn")


def data():
    """Yield a name, vectors, and labels or None."""
    digits = ns.datasets.load_digits()
    yield "digits", digits.X, digits.labels
    yield "Swiss roll", ns.datasets.load_swiss_roll(3000, random_state=0).X, None
    for name, some in (
        ("MNIST, test", ns.datasets.fetch_mnist("test")),
        ("USPS", ns.datasets.fetch_usps()),
        ("COIL-20", ns.datasets.fetch_coil20()),
    ):
        yield name, PCA(50, random_state=0).fit_transform(some.X.astype(float)), some.labels
    path = Path(os.environ["NOTEBOOK_SNE_DATA"]) / "words" / "glove.6B.50d.top10000.txt.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield "words", np.array([row.split()[1:] for row in itertools.islice(lines, 5000)], dtype=float), None


def clusters(Y):
    """Return the clusters of a map at each least size."""
    return [HDBSCAN(least, copy=True).fit_predict(Y) for least in LEAST]


def rows_of(name, X, labels, n, seeds):
    """Yield a row for the maps of each method of draws of n objects."""
    import umap

    quiet = {"n_jobs": 1, "progress": False}
    methods = {
        "umap-learn": lambda seed: umap.UMAP(random_state=seed),
        "umap-learn, other seeds": lambda seed: umap.UMAP(random_state=seed + 100),
        "UMAP here": lambda seed: ns.UMAP(random_state=seed, **quiet),
        "UMAP as before": lambda seed: ns.UMAP(random_state=seed, min_dist=0.1, learning_rate=n / 4, **quiet),
    }
    measured = {method: [] for method in methods}
    for seed in seeds:
        some = np.sort(np.random.default_rng(seed).permutation(len(X))[:n])
        next_map = umap.UMAP(random_state=seed + 1).fit_transform(X[some])
        truth = clusters(next_map) if labels is None else [labels[some]] * len(LEAST)
        for method, make in methods.items():
            Y = np.asarray(make(seed).fit_transform(X[some]), float)
            found = [adjusted_rand_score(*both) for both in zip(truth, clusters(Y), strict=True)]
            recalls = (ns.quality.neighbor_recall(X[some], Y), ns.quality.neighbor_recall(next_map, Y))
            measured[method].append([*found, *recalls])
    draws, chosen = f"{seeds[0]} to {seeds[-1]}", "yes" if name in CHOSEN else "no"
    for method, series in measured.items():
        facts = {"data": name, "objects": n, "draws": draws, "chosen on it": chosen, "map": method}
        yield facts | dict(zip(MEASURED, np.round(np.median(series, axis=0), 3).tolist(), strict=True))


def main():
    """Measure and keep."""
    warnings.filterwarnings("ignore", "n_jobs value", UserWarning)  # umap-learn's, of a seed
    rows = []
    for name, X, labels in data():
        for n, seeds in itertools.product(SIZES, DRAWS):
            for row in rows_of(name, X, labels, n, seeds):
                rows.append(row)
                print(row, flush=True)
    keep("clusters", {"seeds": list(range(10)), "threads": 1}, rows, ("umap-learn",))


if __name__ == "__main__":
    main()
