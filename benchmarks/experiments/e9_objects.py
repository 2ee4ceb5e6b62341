"""E9: faces, objects and digits, t-SNE beside Isomap, LLE and PCA, [Maaten2008, section 4; Nabney; Hinton2013].

As in the paper: PCA of the pixels to 30 dimensions, t-SNE with perplexity 40, Isomap and LLE with 12 neighbors. The
paper judges by eye; here three numbers: the hold-one-out 1-NN error in the map, the share of ten nearest neighbors in
30 dimensions that are among the ten nearest in the map, trustworthiness. Isomap, LLE and PCA are scikit-learn's, which
joins the pieces of a graph that is in several (the paper maps one piece). They have no seed: on the faces and COIL-20,
where all seeds have the same images, they are run once. Every seed draws its own digits. Not attempted: Sammon's map,
and the other techniques of the paper's supplement.
"""

import os
import time
import warnings

import numpy as np
from sklearn.decomposition import PCA
from sklearn.manifold import Isomap, LocallyLinearEmbedding

import notebook_sne as ns
from benchmarks.record import keep

SEEDS = range(5)
NEIGHBORS, PERPLEXITY, DIMENSIONS = 12, 40, 30


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
        "Isomap": Isomap(n_neighbors=NEIGHBORS),
        "LLE": LocallyLinearEmbedding(n_neighbors=NEIGHBORS, random_state=0),
        "PCA": PCA(2, random_state=0),
    }


def measure(X, Y, labels):
    """Return 1-NN error, neighbor recall and trustworthiness of a map."""
    quality = ns.quality
    return quality.knn_error(Y, labels), quality.neighbor_recall(X, Y, k=10), quality.trustworthiness(X, Y, k=10)


def rows_of(title, samples):
    """Return the rows of one data set; samples are {seed: (X, labels)}."""
    runs = {"30 components": [(ns.quality.knn_error(X, labels), 1.0, 1.0, 0.0) for X, labels in samples.values()]}
    same = len({id(X) for X, _ in samples.values()}) == 1
    for seed, (X, labels) in samples.items():
        for name, technique in techniques(seed).items():
            if same and seed and not isinstance(technique, (ns.TSNE, ns.SNE)):
                continue
            began = time.perf_counter()
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", message=".*connected components")
                Y = technique.fit_transform(X)
            seconds = time.perf_counter() - began
            runs.setdefault(name, []).append((*measure(X, Y, labels), seconds))
            print(title, name, seed, *(f"{value:.4g}" for value in runs[name][-1]), flush=True)
    rows = []
    for name, values in runs.items():
        values = values[:1] if same and name == "30 components" else values
        row = {"data": title, "objects": len(X), "map": name, "runs": len(values)}
        *numbers, seconds = np.array(values).T
        for column, series in zip(("1-NN error", "neighbors kept", "trustworthiness"), numbers, strict=True):
            row[f"{column}, median"] = round(float(np.median(series)), 4)
            row[f"{column}, range"] = f"{series.min():.3f}-{series.max():.3f}"
        rows.append({**row, "seconds, median": round(float(np.median(seconds)), 2)})
    return rows


def main():
    """Measure, print and keep."""
    rows = []
    for data in (ns.datasets.fetch_olivetti(), ns.datasets.fetch_coil20()):
        X = vectors(data.images / 255)
        rows += rows_of(data.title, {seed: (X, data.labels) for seed in SEEDS})
    mnist, digits = ns.datasets.fetch_mnist(), {}
    for seed in SEEDS:
        sample = mnist.sample(600, random_state=seed)
        digits[seed] = (vectors(sample.X), sample.labels)
    rows += rows_of("MNIST", digits)
    settings = {"seeds": list(SEEDS), "perplexity": PERPLEXITY, "neighbors": NEIGHBORS, "components": DIMENSIONS}
    keep("e9_objects", {**settings, "threads": os.environ.get("NUMBA_NUM_THREADS", "all")}, rows)


if __name__ == "__main__":
    main()
