"""What every code is measured on: objects, their joint P, and a late layout, the map points near the end of a fit.

A layout of the first updates, when all points lie close together, says little: most of a fit is spent on a map that
has spread. So the layout of each size is that at the end of a fit of t-SNE.
"""

import functools
from typing import NamedTuple

import numpy as np
from scipy import sparse

from benchmarks.peers.ours import recipe
from notebook_sne import affinities, datasets
from notebook_sne.engine.fitting.inputs import target
from notebook_sne.models.tsne import TSNE

__all__ = ["PERPLEXITY", "Case", "case", "gaussian_layout", "objects"]

PERPLEXITY = 30.0
_DIMENSIONS = 50
_CLUSTERS = 10


class Case(NamedTuple):
    """Objects with their joint P and a late layout of t-SNE."""

    name: str  # what the objects are
    X: np.ndarray  # shape (N, n_features)
    labels: np.ndarray  # shape (N,): their classes
    P: sparse.csr_array  # joint, at perplexity 30; the same for all codes
    Y: np.ndarray  # float64, shape (N, 2): the layout


@functools.lru_cache(1)
def _images():
    from sklearn.decomposition import PCA

    mnist = datasets.fetch_mnist("both")
    # Of a fixed shuffle the first N are taken, so that a smaller set is part of every larger one.
    order = np.random.default_rng(0).permutation(len(mnist.X))
    X = PCA(_DIMENSIONS, random_state=0).fit_transform(mnist.X.astype(np.float64))
    return X[order], mnist.labels[order]


def objects(data, n_objects):
    """Return the name of a data set, so many of its objects, float64, (n_objects, n_features), and their classes.

    `data` is "mnist", for MNIST images, reduced to 50 dimensions by PCA of all 70,000; or "clusters", for ten Gaussian
    clusters in 30 dimensions, which need no network. The name is "MNIST, PCA 50" or "10 clusters".
    """
    if data == "mnist":
        X, labels = _images()
        return "MNIST, PCA 50", X[:n_objects], labels[:n_objects]
    share, rest = divmod(n_objects, _CLUSTERS)
    sizes = tuple(share + (k < rest) for k in range(_CLUSTERS))
    clusters = datasets.load_clusters(sizes, widths=1.0, n_features=30)
    return f"{_CLUSTERS} clusters", clusters.X, clusters.labels


def case(data, n_objects, updates, threads, say):
    """Return a Case: objects with P and layout, the same P and Y the next time.

    The fit that makes the layout has so many updates; `say` is called with a line of text on what is done.
    """
    name, X, labels = objects(data, n_objects)
    say(f"{name}: affinities of {n_objects} objects")
    # Held here, so that the fit finds it instead of searching anew.
    conditional = target(X, "vectors", PERPLEXITY, "conditional")
    # Without the entries that a model leaves out of a joint P, so that ours and peers pull with the very same pairs.
    P = affinities.keep_large(affinities.joint(conditional.P), whole=True)[0]
    P.sort_indices()  # as a model has them; a scattered order would slow the peers
    say(f"{name}: a late layout of {n_objects} objects, {updates} updates")
    Y = TSNE(perplexity=PERPLEXITY, **recipe(updates), n_jobs=threads).fit_transform(X)
    return Case(name, X, labels, P, Y.astype(np.float64))


def gaussian_layout(Y):
    """Return a layout, shape (N, 2), scaled to the size that the models with a Gaussian make it.

    Their maps have room for about the perplexity in each circle of the Gaussian's width, whatever N: they are about
    sqrt(pi N / perplexity) wide.
    """
    centered = Y - Y.mean(axis=0)
    return centered * (np.sqrt(np.pi * len(Y) / PERPLEXITY) / np.ptp(centered, axis=0).max())
