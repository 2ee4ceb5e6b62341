"""E9: faces, objects and digits, t-SNE beside Sammon's map, Isomap, LLE and PCA, [Maaten2008, section 4; Nabney].

As in the paper: PCA of the pixels to 30 dimensions, t-SNE with perplexity 40, Isomap and LLE with 12 neighbors. The
paper judges by eye; here three numbers: the hold-one-out 1-NN error in the map, the share of ten nearest neighbors in
30 dimensions that are among the ten nearest in the map, trustworthiness; and of COIL-20 the closed loops, by the rule
of `quality.closed_loops`, which was laid down before a map was counted. Isomap, LLE and PCA are scikit-learn's, which
joins the pieces of a graph that is in several (the paper maps one piece). They have no seed: on the faces and COIL-20,
where all seeds have the same images, they are run once. Sammon's map starts from principal components, as t-SNE does.
Every seed draws its own digits. Not attempted: the other techniques of the paper's supplement.

    python -m benchmarks.experiments.e9_objects                                  # all
    python -m benchmarks.experiments.e9_objects --data MNIST --map Sammon        # these, beside what was kept
"""

import argparse
import os
import time
import warnings

import numpy as np
from sklearn.decomposition import PCA
from sklearn.manifold import Isomap, LocallyLinearEmbedding

import notebook_sne as ns
from benchmarks.record import keep, kept_rows

SEEDS = range(5)
NEIGHBORS, PERPLEXITY, DIMENSIONS = 12, 40, 30
DATA = ("Olivetti faces", "COIL-20", "MNIST")


def vectors(images):
    """Return the principal components of images."""
    return PCA(DIMENSIONS, random_state=0).fit_transform(images.reshape(len(images), -1))


def techniques(seed):
    """Return {name: what has a fit_transform}, those with a seed first."""
    shared = {"perplexity": PERPLEXITY, "random_state": seed, "progress": False}
    return {
        "t-SNE, paper's recipe": ns.TSNE.paper(random_state=seed, progress=False),
        "t-SNE, defaults": ns.TSNE(**shared),
        "SNE": ns.SNE(**shared),
        "Sammon": ns.baselines.Sammon(random_state=seed, progress=False),
        "Isomap": Isomap(n_neighbors=NEIGHBORS),
        "LLE": LocallyLinearEmbedding(n_neighbors=NEIGHBORS, random_state=0),
        "PCA": PCA(2, random_state=0),
    }


def measure(X, Y, labels):
    """Return 1-NN error, neighbor recall and trustworthiness of a map."""
    quality = ns.quality
    return quality.knn_error(Y, labels), quality.neighbor_recall(X, Y, k=10), quality.trustworthiness(X, Y, k=10)


def rows_of(title, samples, only):
    """Return the rows of one data set; samples are {seed: (X, labels)}."""
    runs = {}
    same = len({id(X) for X, _ in samples.values()}) == 1
    for seed, (X, labels) in samples.items():
        made = {"30 components": None, **techniques(seed)}
        for name, technique in made.items():
            seeded = isinstance(technique, (ns.TSNE, ns.SNE, ns.baselines.Sammon))
            if (only and name not in only) or (same and seed and not seeded):
                continue
            began = time.perf_counter()
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", message=".*connected components")
                Y = X if technique is None else technique.fit_transform(X)
            seconds = time.perf_counter() - began
            error, *others = measure(X, Y, labels) if technique is not None else (ns.quality.knn_error(X, labels), 1, 1)
            loops = ns.quality.closed_loops(Y, labels) if title == "COIL-20" else (np.nan, np.nan)
            runs.setdefault(name, []).append((error, *others, *loops, seconds))
            print(title, name, seed, *(f"{value:.4g}" for value in runs[name][-1]), flush=True)
    rows = []
    for name, values in runs.items():
        row = {"data": title, "objects": len(X), "map": name, "runs": len(values)}
        *numbers, loops, apart, seconds = np.array(values).T
        for column, series in zip(("1-NN error", "neighbors kept", "trustworthiness"), numbers, strict=True):
            row[f"{column}, median"] = round(float(np.median(series)), 4)
            row[f"{column}, range"] = f"{series.min():.3f}-{series.max():.3f}"
        for column, series in (("closed loops", loops), ("loops apart", apart)):
            known = not np.isnan(series).any()
            row[f"{column}, median"] = float(np.median(series)) if known else None
            row[f"{column}, range"] = f"{series.min():.0f}-{series.max():.0f}" if known else None
        rows.append({**row, "seconds, median": round(float(np.median(seconds)), 2)})
    return rows


def joined(rows):
    """Return rows beside those that are kept already of other data and maps, in the order of a whole run."""
    found = {(row["data"], row["map"]): row for row in (*kept_rows("e9_objects"), *rows)}
    order = ["30 components", *techniques(0)]
    return sorted(found.values(), key=lambda row: (DATA.index(row["data"]), order.index(row["map"])))


def main():
    """Measure, print and keep."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", nargs="*", choices=DATA, help="only these; the rows of others stay as they were kept")
    parser.add_argument("--map", nargs="*", choices=["30 components", *techniques(0)], help="only these, likewise")
    only = parser.parse_args()
    rows = []
    for title, fetch in zip(DATA, (ns.datasets.fetch_olivetti, ns.datasets.fetch_coil20), strict=False):
        if not only.data or title in only.data:
            data = fetch()
            X = vectors(data.images / 255)
            rows += rows_of(title, {seed: (X, data.labels) for seed in SEEDS}, only.map)
    if not only.data or "MNIST" in only.data:
        mnist, digits = ns.datasets.fetch_mnist(), {}
        for seed in SEEDS:
            sample = mnist.sample(600, random_state=seed)
            digits[seed] = (vectors(sample.X), sample.labels)
        rows += rows_of("MNIST", digits, only.map)
    settings = {"seeds": list(SEEDS), "perplexity": PERPLEXITY, "neighbors": NEIGHBORS, "components": DIMENSIONS}
    rows = joined(rows) if only.data or only.map else rows
    keep("e9_objects", {**settings, "threads": os.environ.get("NUMBA_NUM_THREADS", "all")}, rows)


if __name__ == "__main__":
    main()
