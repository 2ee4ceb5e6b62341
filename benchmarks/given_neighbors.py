"""``python -m benchmarks.given_neighbors``: which weights to give to the neighbors of another search.

A search of single-cell tools returns 15 neighbors, the object itself among them, where perplexity 30 wants 90. t-SNE is
fitted to the neighbors alone, from random starts, with perplexities that are a share of their number, and with the
same weight for all of them, the largest entropy that there is. Digits and MNIST were used to choose; USPS and COIL-20
were looked at once, after that.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from sklearn.neighbors import kneighbors_graph

import notebook_sne as ns
from benchmarks.record import RESULTS, keep, load

__all__ = ["main"]

NUMBERS = (14, 29, 89)
SHARES = {"1/3": 1 / 3, "1/2": 1 / 2, "2/3": 2 / 3, "0.9": 0.9}
KEPT = (10, 50)  # neighbors of the map that are compared with those of the data

DATA = {
    "digits": (ns.datasets.load_digits, "chosen on"),
    "MNIST": (ns.datasets.load_mnist_5000, "chosen on"),
    "USPS": (lambda: ns.datasets.fetch_usps(progress=False), "looked at once"),
    "COIL-20": (lambda: ns.datasets.fetch_coil20(progress=False), "looked at once"),
}
MOST = 1000  # objects of a data set


def _drawn(data):
    if len(data.X) <= MOST:
        return data
    return data.select(np.sort(np.random.default_rng(0).choice(len(data.X), MOST, replace=False)))


def _ways(X):
    """Return {(neighbors, weights): (model's options, its input)}; the first are our own default, of vectors."""
    ways = {("own", "perplexity 30"): ({"init": "random"}, X)}
    for K in NUMBERS:
        near = kneighbors_graph(X, K, mode="distance")
        even = near.copy()
        even.data[:] = 1.0 / K
        for name, share in SHARES.items():
            ways[K, f"perplexity {name}"] = ({"input": "neighbors", "perplexity": share * K}, near)
        ways[K, "uniform"] = ({"input": "probabilities"}, even)
    return ways


def _measured(X, labels, way, seeds):
    options, given = way
    found = []
    for seed in range(seeds):
        Y = ns.TSNE(**options, random_state=seed, n_jobs=1, progress=False).fit_transform(given)
        kept = [ns.quality.neighbor_recall(X, Y, k) for k in KEPT]
        found.append((*kept, ns.quality.knn_error(Y, labels), float(ns.quality.recall_area(X, Y))))
    return np.array(found).T


def main(arguments=None):
    """Fit, and keep the table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.given_neighbors", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--data", nargs="+", default=list(DATA), choices=list(DATA))
    parser.add_argument("--seeds", type=int, default=5, help="default: %(default)s")
    parser.add_argument("--output", type=Path, default=RESULTS, metavar="FOLDER", help="default: benchmarks/results")
    asked, rows = parser.parse_args(arguments), []
    for name in asked.data:
        make, part = DATA[name]
        data = _drawn(make())
        for (K, weights), way in _ways(data.X).items():
            began = time.process_time()
            *kept, wrong, area = _measured(data.X, data.labels, way, asked.seeds)
            row = {"data": name, "objects": len(data.X), "part": part, "neighbors": K, "weights": weights}
            for k, series in zip(KEPT, kept, strict=True):
                row[f"of {k} kept, median"] = round(float(np.median(series)), 4)
                row[f"of {k}, range"] = f"{series.min():.3f}-{series.max():.3f}"
            row["AUC-RNX, median"] = round(float(np.median(area)), 4)
            row["1-NN error, median"] = round(float(np.median(wrong)), 4)
            row["1-NN error, range"] = f"{wrong.min():.3f}-{wrong.max():.3f}"
            row |= {"processor seconds": round((time.process_time() - began) / asked.seeds, 1), "load": load()}
            rows.append(row)
            print(row, flush=True)
    keep("given_neighbors", {"seeds": asked.seeds, "updates": 750, "most objects": MOST}, rows, folder=asked.output)


if __name__ == "__main__":
    main()
