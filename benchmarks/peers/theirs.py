"""The t-SNE gradients of openTSNE and scikit-learn, as functions of our P and given map points.

These are the functions that their fits call in each update, without the cost, which they form every 50 updates only;
ours forms it every time. openTSNE leaves the factor 4 of the gradient to the learning rate.
"""

import importlib.util
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import sparse

__all__ = ["PEERS", "Gradient", "gradients", "installed"]

PEERS = ("openTSNE", "scikit-learn")
_MODULES = {"openTSNE": "openTSNE", "scikit-learn": "sklearn"}
# Above, the dense P and the distances of scikit-learn's exact sums take seconds and gigabytes.
_MOST_DENSE = 5000


class Gradient(NamedTuple):
    """The gradient of one code at one place."""

    call: Callable  # without arguments; returns an array of 2 N numbers
    factor: float  # what it lacks


def installed():
    """Return those of the peers that are installed."""
    return [peer for peer in PEERS if importlib.util.find_spec(_MODULES[peer])]


def gradients(P, Y, threads, peers=PEERS):
    """Return the Gradient of each of the peers by its name, for the joint P at the map points Y, shape (N, 2).

    A code is told the number of threads where it can be. openTSNE has one by FFT and one by Barnes-Hut; scikit-learn
    one by Barnes-Hut and, up to 5,000 objects, an exact one.
    """
    made = {}
    if "openTSNE" in peers:
        made.update(_of_opentsne(P, Y, threads))
    if "scikit-learn" in peers:
        made.update(_of_scikit_learn(P, Y, threads))
    return made


def _of_opentsne(P, Y, threads):
    from openTSNE import tsne

    P = sparse.csr_matrix(P, copy=True)  # it wants to be able to write to it
    Y = np.array(Y, dtype=np.float64)

    def by_fft():
        # The defaults of openTSNE.TSNE.
        grid = {"n_interpolation_points": 3, "min_num_intervals": 50, "ints_in_interval": 1}
        return tsne.kl_divergence_fft(Y, P, 1, grid, n_jobs=threads)[1]

    def by_tree():
        return tsne.kl_divergence_bh(Y, P, 1, {"theta": 0.5}, n_jobs=threads)[1]

    return {"openTSNE, FFT": Gradient(by_fft, 4.0), "openTSNE, Barnes-Hut": Gradient(by_tree, 4.0)}


def _of_scikit_learn(P, Y, threads):
    from scipy.spatial.distance import squareform
    from sklearn.manifold import _t_sne

    N = len(Y)
    # In the types that it would convert them to in every call.
    arrays = (P.data.astype(np.float32), P.indices.astype(np.int64), P.indptr.astype(np.int64))
    pairs, flat = sparse.csr_matrix(arrays, shape=(N, N)), Y.astype(np.float32).ravel()
    pairs.indices, pairs.indptr = arrays[1:]  # the constructor narrows them

    def by_tree():
        return _t_sne._kl_divergence_bh(flat, pairs, 1, N, 2, angle=0.5, compute_error=False, num_threads=threads)[1]

    made = {"scikit-learn, Barnes-Hut": Gradient(by_tree, 1.0)}
    if N <= _MOST_DENSE:
        dense, places = squareform(P.toarray(), checks=False), Y.ravel()
        made["scikit-learn, exact"] = Gradient(
            lambda: _t_sne._kl_divergence(places, dense, 1, N, 2, compute_error=False)[1], 1.0
        )
    return made
