"""A sample fitted and all others placed, beside whole fits: ``python -m benchmarks.placed``, for the loss of quality.

200,000 digits of MNIST in 50 principal components: the 70,000 of the collection, and moved by one pixel the others. One
t-SNE fit to all of them, and maps from samples of two sizes: the others placed, then all refined. The KL is that of one
P, with all neighbors of `neighbors="auto"` at perplexity 30; neighbors kept are of 2,000 objects, ten each, exact ones;
the errors are those of the five nearest in the map. Seconds are of the processor, on one thread, for a machine that is
shared.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors

import notebook_sne as ns
from benchmarks.record import RESULTS, keep, load

OBJECTS = 200_000
SAMPLES = (10_000, 40_000)
UPDATES, REFINED = 500, 250
QUIET = {"perplexity": 30, "random_state": 0, "n_jobs": 1, "progress": False}
MOVES = ((0, 0), (0, 1), (1, 0))


def objects(n_objects):
    """Return digits in 50 dimensions, and their labels; from the 70,000th on they are moved by a pixel."""
    digits = ns.datasets.fetch_mnist("both")
    images = np.asarray(digits.X[:n_objects], dtype=np.float32).reshape(-1, 28, 28)
    moves = MOVES[: -(-n_objects // len(images))]
    X = np.concatenate([np.roll(images, move, axis=(1, 2)).reshape(len(images), -1) for move in moves])[:n_objects]
    labels = np.tile(np.asarray(digits.labels)[: len(images)], len(moves))[:n_objects]
    return PCA(50, random_state=0, svd_solver="randomized").fit_transform(X), labels


def placed(X, sample):
    """Return the map of a random sample, with the places of all other objects."""
    chosen = np.sort(np.random.default_rng(QUIET["random_state"]).choice(len(X), sample, replace=False))
    rest = np.setdiff1d(np.arange(len(X)), chosen)
    model = ns.TSNE(**QUIET, max_iter=UPDATES).fit(X[chosen])
    Y = np.empty((len(X), 2))
    Y[chosen], Y[rest] = model.embedding_, model.transform(X[rest])
    return Y


def judged(X, labels, Y):
    """Return what a map is judged by; its KL is found at the start of a run of t-SNE, of one P for all."""
    start = ns.TSNE(**QUIET, init=Y, exaggeration=1.0, max_iter=1)
    some = np.sort(np.random.default_rng(7).choice(len(X), 2000, replace=False))
    true, near = (
        NearestNeighbors(n_neighbors=11).fit(A).kneighbors(A[some], return_distance=False)[:, 1:] for A in (X, Y)
    )
    recall = np.mean([np.isin(one, other).mean() for one, other in zip(near, true, strict=True)])
    return {
        "KL": round(float(next(start.iterate(X)).cost), 4),
        "of ten neighbors kept": round(float(recall), 3),
        "error of five nearest": round(float(ns.quality.knn_error(Y, labels, 5)), 4),
    }


def main(n_objects=OBJECTS, samples=SAMPLES, name="placed", folder=RESULTS):
    """Make each map, judge it, and keep what was found."""
    X, labels = objects(n_objects)
    ns.TSNE(**QUIET, max_iter=5).fit(X[:5000])  # compiled
    rows = []

    def add(map, sample, updates, made):
        began = time.process_time()
        Y = made()
        row = {"map": map, "objects": n_objects, "sample": sample, "updates": updates}
        spent = time.process_time() - began
        rows.append(row | judged(X, labels, Y) | {"processor seconds": round(spent), "load": load()})
        print(json.dumps(rows[-1]), flush=True)
        return Y

    for sample in samples:
        Y = add("placed", sample, UPDATES, lambda sample=sample: placed(X, sample))
        refined = ns.TSNE(**QUIET, init=Y, exaggeration=1.0, max_iter=REFINED)
        add("refined", sample, REFINED, lambda refined=refined: refined.fit(X).embedding_)
    add("whole", None, UPDATES, lambda: ns.TSNE(**QUIET, max_iter=UPDATES).fit(X).embedding_)
    keep(name, {"updates": UPDATES, "refined": REFINED, **QUIET}, rows, folder=folder)


if __name__ == "__main__":
    if len(sys.argv) > 1:  # a trial of fewer objects, kept beside nothing
        main(int(sys.argv[1]), (int(sys.argv[1]) // 20, int(sys.argv[1]) // 5), "placed_trial", Path(sys.argv[2]))
    else:
        main()
