"""Densities kept in maps beside densMAP of umap-learn: ``python -m benchmarks.density_kept``, half an hour.

Ten clusters of 150 objects in ten dimensions, with standard deviations that rise from 0.3 to 3 by equal factors, and
1,797 digits of 8 x 8 pixels: on the first draw of the clusters, and on the digits, the term and its usual strength were
chosen. 1,440 photographs of COIL-20 and 2,000 digits of USPS, both by 50 principal components, were looked at once.
Five seeds, each with a random start, other clusters and other digits of USPS. *Radii*: the correlation of the
logarithms of the mean distances to the 15 nearest objects in data and map, which is not what the term is made of.
Seconds are of a processor, on one thread, medians; umap-learn's first fit compiles and is not counted. umap-learn is in
no extra of this package: ``pip install umap-learn``.
"""

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors

import notebook_sne as ns
from benchmarks.record import RESULTS, keep, spread
from benchmarks.without_sampling import MEAN_OF_FIVE

__all__ = ["main"]

STRENGTHS = None, 0.5, 2.0


def _clusters(seed):
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(10), 150)
    centers = 12.0 * rng.standard_normal((10, 10))
    noise = rng.standard_normal((len(labels), 10)) * np.geomspace(0.3, 3.0, 10)[labels][:, None]
    return centers[labels] + noise, labels


def _digits(_):
    some = ns.datasets.load_digits()
    return np.asarray(some.X, float), some.labels


def _components(some):
    return PCA(50, random_state=0).fit_transform(np.asarray(some.X, float)), some.labels


DATA = {
    "clusters of ten widths": (_clusters, True),
    "digits": (_digits, True),
    "COIL-20": (lambda _: _components(ns.datasets.fetch_coil20(progress=False)), False),
    "USPS": (lambda s: _components(ns.datasets.fetch_usps(progress=False).sample(200, random_state=s)), False),
}


def main(arguments=None):
    """Fit, measure, and keep the table."""
    import umap

    parser = argparse.ArgumentParser(prog="python -m benchmarks.density_kept", description=__doc__.partition("\n")[0])
    parser.add_argument("--data", nargs="+", default=list(DATA), choices=list(DATA))
    parser.add_argument("--seeds", type=int, default=5, help="default: %(default)s")
    parser.add_argument("--output", type=Path, default=RESULTS, metavar="FOLDER", help="default: benchmarks/results")
    asked, rows = parser.parse_args(arguments), []
    warnings.filterwarnings("ignore", "n_jobs value", UserWarning)  # umap-learn's, of a seed
    quiet = {"n_jobs": 1, "progress": False, "init": "random"}
    mean = MEAN_OF_FIVE | quiet
    umap.UMAP(n_epochs=20, densmap=True, random_state=0).fit(_clusters(0)[0])  # which compiles
    methods = {
        **{("t-SNE", lam): lambda seed, lam=lam: ns.TSNE(density=lam, random_state=seed, **quiet) for lam in STRENGTHS},
        **{("UMAP", lam): lambda seed, lam=lam: ns.UMAP(density=lam, random_state=seed, **mean) for lam in STRENGTHS},
        ("umap-learn", None): lambda seed: umap.UMAP(random_state=seed, n_jobs=1),
        ("densMAP of umap-learn", 2.0): lambda seed: umap.UMAP(densmap=True, random_state=seed, n_jobs=1),
    }
    for name in asked.data:
        make, chosen = DATA[name]
        found = {method: [] for method in methods}
        for seed in range(asked.seeds):
            X, labels = make(seed)
            for method, model in methods.items():
                found[method].append(_measured(model(seed), X, labels))
        for (method, lam), these in found.items():
            has_cost = not np.isnan(these[0]["cost"])
            names = [column for column in these[0] if has_cost or column != "cost"]
            rows.append({
                "data": name, "settings chosen on it": "yes" if chosen else "no",
                "map": method, "density": "none" if lam is None else lam,
                **spread(names[:-1], [tuple(one[column] for column in names) for one in these], decimals=3),
            })  # fmt: skip
            print(rows[-1], flush=True)
    keep("density_kept", {"seeds": list(range(asked.seeds)), "threads": 1}, rows, ("umap-learn",), asked.output)


def _measured(model, X, labels):
    began = time.process_time()
    Y = np.asarray(model.fit_transform(X), float)
    seconds = time.process_time() - began
    here, there = _radii(X), _radii(Y)
    return {
        "radii, Pearson": float(np.corrcoef(here, there)[0, 1]),
        "radii, Spearman": float(spearmanr(here, there)[0]),
        "of ten neighbors kept": ns.quality.neighbor_recall(X, Y, 10),
        "1-NN error": ns.quality.knn_error(Y, labels),
        "cost": getattr(model, "cost_", np.nan),
        "seconds": seconds,
    }


def _radii(X, n_neighbors=15):
    distances, _ = NearestNeighbors(n_neighbors=n_neighbors + 1).fit(X).kneighbors(X)
    return np.log(distances[:, 1:].mean(axis=1) + 1e-9)  # of identical objects, too


if __name__ == "__main__":
    main()
