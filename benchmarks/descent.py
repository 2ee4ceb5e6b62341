"""``python -m benchmarks.descent``: the default descent of t-SNE beside the customary one, on many kinds of data.

The customary one: 250 updates exaggerated by 12 at a rate of N / 12 and a momentum of 0.5, then N / 4 and 0.8, with
gains, 1000 updates in all. The default of `TSNE` is that of its docstring. Both begin on principal components, with one
P. Each seed draws nine tenths of the objects, at most as many as asked for.

Kept of the data's neighbors are shares of 10 and 100 nearest; *torn* is in how many more pieces than in the data a
class is, pieces being components of the graph of 10 nearest neighbors within the class that have a twentieth of it.
"""

import argparse
import gzip
import time
from pathlib import Path

import numpy as np
from scipy.sparse.csgraph import connected_components

import notebook_sne as ns
from benchmarks.record import RESULTS, keep
from notebook_sne.engine.optimizers.schedules import Steps

__all__ = ["customary", "main"]

AT = (250, 350, 500, 750, 1000)
SAMPLE = 1000


def customary(N):
    """Return the hyperparameters of the customary descent for N objects."""
    early, late = max(N / 12, 50.0), max(N / 4, 50.0)
    return {
        "max_iter": 1000,
        "exaggeration": Steps(12.0, 1.0, at=250),
        "momentum": Steps(0.5, 0.8, at=250),
        "learning_rate": Steps(early, late, at=250),
    }


def _images(folder):
    """Return images and labels of four files in the format of MNIST."""
    arrays = []
    for kind, offset in (("images", 16), ("labels", 8)):
        parts = []
        for path in sorted(folder.glob(f"*{kind}-idx*")):
            content = path.read_bytes()
            content = gzip.decompress(content) if path.suffix == ".gz" else content
            parts.append(np.frombuffer(content, np.uint8, offset=offset))
        arrays.append(np.concatenate(parts))
    return arrays[0].reshape(len(arrays[1]), -1).astype(float), arrays[1]


def _clusters(N=12_000, seed=5):
    """Return 40 Gaussian clusters of unlike widths in 20 dimensions."""
    rng = np.random.default_rng(seed)
    centers, label = rng.normal(0, 4, (40, 20)), rng.integers(0, 40, N)
    return centers[label] + rng.normal(0, rng.uniform(0.5, 2, 40)[label][:, None], (N, 20)), label


def _roll(N=12_000):
    """Return a Swiss roll, in ten classes along it."""
    roll = ns.datasets.load_swiss_roll(N, random_state=6)
    along = np.asarray(roll.labels, float)
    return roll.X, np.digitize(along, np.quantile(along, np.arange(0.1, 1, 0.1)))


def _bundled(load):
    data = load()
    return np.reshape(data.X, (len(data.X), -1)).astype(float), None if data.labels is None else np.asarray(data.labels)


CHOSEN_ON = ("digits", "COIL-20", "MNIST")
"""The data on which the default was chosen; all others were looked at once."""

DATA = {
    "digits": lambda _: _bundled(ns.datasets.load_digits),
    "COIL-20": lambda _: _bundled(lambda: ns.datasets.fetch_coil20(progress=False)),
    "MNIST": lambda _: _bundled(lambda: ns.datasets.fetch_mnist(progress=False)),
    "words": lambda _: _bundled(ns.datasets.load_common_words),
    "USPS": lambda _: _bundled(lambda: ns.datasets.fetch_usps(progress=False)),
    "clusters": lambda _: _clusters(),
    "Swiss roll": lambda _: _roll(),
    "Fashion": _images,
}


def main(arguments=None):
    """Fit, judge, and keep the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.descent", description=__doc__.partition("\n")[0])
    parser.add_argument("--data", nargs="+", default=list(DATA)[:-1], choices=list(DATA))
    parser.add_argument("--images", type=Path, metavar="FOLDER", help="of the four files of Fashion-MNIST")
    parser.add_argument("--objects", type=int, default=10_000, help="at most; default: %(default)s")
    parser.add_argument("--seeds", type=int, default=5, help="default: %(default)s")
    parser.add_argument("--name", default="descent", help="of the result; default: %(default)s")
    parser.add_argument("--output", type=Path, default=RESULTS, metavar="FOLDER", help="default: benchmarks/results")
    asked, rows = parser.parse_args(arguments), []
    for name in asked.data:
        X, labels = DATA[name](asked.images)
        rows += _rows(name, X, labels, asked.objects, asked.seeds)
    keep(asked.name, {"seeds": asked.seeds, "objects": asked.objects}, rows, folder=asked.output)


def _rows(name, X, labels, most, seeds):
    from sklearn.decomposition import PCA

    if X.shape[1] > 50:
        X = PCA(50, random_state=0, svd_solver="randomized").fit_transform(X)
    N, found = min(most, int(0.9 * len(X))), {"customary": [], "default": []}
    for seed in range(seeds):
        drawn = np.random.default_rng(seed).choice(len(X), N, replace=False)
        own, classes = X[drawn], None if labels is None else labels[drawn]
        first = ns.TSNE(max_iter=1, n_jobs=1, random_state=seed, progress=False).fit(own)
        start = first.state_.Y[0]
        for way, options in (("customary", customary(N)), ("default", {"max_iter": 750})):
            model = ns.TSNE(input="joint", init=start, n_jobs=1, random_state=seed, progress=False, **options)
            began = time.process_time()
            model.fit(first.affinities_)
            seconds = time.process_time() - began
            trace = model.trace_.set_index("iteration")
            costs = {f"KL after {t}": trace.cost.get(t, model.cost_) for t in AT if t <= options["max_iter"]}
            found[way].append(costs | {"processor seconds": seconds} | _judged(own, classes, model.embedding_))
            print(
                name, N, seed, way, {key: round(float(value), 4) for key, value in found[way][-1].items()}, flush=True
            )
    return [_row(name, N, way, found[way]) for way in found]


def _judged(X, labels, Y):
    rows = np.random.default_rng(0).choice(len(X), min(SAMPLE, len(X)), replace=False)
    seen = {
        "kept of 10": _kept(X, Y, rows, 10),
        "kept of 100": _kept(X, Y, rows, 100),
        "rank correlation of distances": float(ns.quality.distance_rank_correlation(X, Y, random_state=0)),
        "extent": np.ptp(Y, axis=0).max(),
    }
    if labels is None:
        return seen
    torn = _pieces(Y, labels) - _pieces(X, labels)
    return seen | {"1-NN error": ns.quality.knn_error(Y, labels), "torn": torn}


def _kept(X, Y, rows, k):
    from sklearn.neighbors import NearestNeighbors

    near = [NearestNeighbors(n_neighbors=k + 1).fit(A).kneighbors(A[rows], return_distance=False) for A in (X, Y)]
    return (np.mean([len(np.intersect1d(*pair)) for pair in zip(*near, strict=True)]) - 1) / k


def _pieces(Y, labels):
    """Return the mean number of pieces of a class that have a twentieth of it."""
    from sklearn.neighbors import kneighbors_graph

    counts = []
    for label in np.unique(labels):
        own = Y[labels == label]
        if len(own) > 50:
            _, piece = connected_components(kneighbors_graph(own, 10), directed=False)
            counts.append((np.bincount(piece) >= len(own) / 20).sum())
    return float(np.mean(counts))


def _row(name, N, way, found):
    row = {"data": name, "looked at": "for choosing" if name in CHOSEN_ON else "once", "objects": N, "descent": way}
    for key in found[0]:
        values = [float(one[key]) for one in found]
        row[key] = float(f"{np.median(values):.4g}")
        if key in ("KL after 750", "KL after 1000", "kept of 10"):
            row[f"{key}, range"] = f"{min(values):.4g} to {max(values):.4g}"
    return row


if __name__ == "__main__":
    main()
