"""Vectors of words as affinities, so that the senses of any vocabulary can be read.

Aspect maps model which words are neighbors. Association norms tell this for the words that people were shown. Vectors
learned from text tell it for any word, by the cosine of two vectors, measured from the mean of all:

.. math:: cos_ij = u_i . u_j,   u_i = (v_i - mean) / |v_i - mean|,   |u_i - u_j|^2 = 2 - 2 cos_ij

Cosines are treated like counts. A Gaussian of the distance, with its width set by a perplexity, would give most of the
mass to the few nearest words, and these belong to the most frequent sense; see `word_vectors` for the numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.datasets.dataset import Dataset
from notebook_sne.engine.checks.arguments import check_count, check_vectors
from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.objects.names import read_words

if TYPE_CHECKING:
    from scipy import sparse

    from notebook_sne.engine.checks.arrays import Floats

__all__ = ["word_vectors"]

# Shorter, in units of the longest vector, is rounding and has no direction.
_NO_LENGTH = 1e-6


def word_vectors(vectors: ArrayLike, names: ArrayLike, *, n_neighbors: int = 150, center: bool = True) -> Dataset:
    """Return words with the probabilities of their most similar words, from your own vectors.

    .. math:: p_{j|i} = cos_ij / sum_{h in K_i} cos_ih

    K_i are the n_neighbors words whose vectors have the largest cosine with that of word i, found exactly; those among
    them with a cosine of 0 or less are left out.

    Parameters
    ----------
    vectors : array-like, shape (N, n_features)
        A vector for each word, such as those of word2vec, GloVe or fastText for the most common words. A KeyedVectors
        of gensim has these first: ``kv.vectors[:10_000]``.
    names : sequence of str, shape (N,)
        The words, each once; for a KeyedVectors, ``kv.index_to_key[:10_000]``.
    n_neighbors : int, default 150
        Number of neighbors of each word, at least 2 and below N. The default suits a vocabulary of thousands; use fewer
        for a smaller one.
    center : bool, default True
        Whether vectors are measured from their mean. Vectors learned from text have a large common part, that of
        frequent words, which makes a few words neighbors of very many.

    Returns
    -------
    dataset : Dataset
        names; P, shape (N, N), scipy.sparse CSR; X, shape (N, n_features), the unit vectors u_i.

    Raises
    ------
    TypeError, ValueError
        If there isn't one name for each vector; two names are alike; a vector isn't finite or has no direction; a
        word is similar to no other; or a number is out of its range.

    Notes
    -----
    Vectors don't show what people's associations show. A vector is one point for all senses of its word, and most of
    its neighbors belong to the sense that is most frequent in the text from which it was learned: if all neighbors of
    *bank* are about money, no map can show a river.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> words = ns.datasets.load_common_words()
    >>> data = word_vectors(words.X, words.names, n_neighbors=15)
    >>> data.P.shape, data.P.nnz
    ((500, 500), 7500)
    >>> most = data.P[[list(data.names).index("january")]].toarray()[0].argsort()[::-1]
    >>> data.names[most[:4]].tolist()
    ['december', 'october', 'september', 'november']
    >>> model = ns.AspectMaps(n_maps=5, max_iter=20, input="probabilities", random_state=0).fit(data.P)
    >>> senses = ns.senses.read(model, data)
    """
    if hasattr(vectors, "index_to_key"):
        raise TypeError(
            f"vectors must be an array, got {show(vectors)}; give its two arrays, as in "
            "word_vectors(kv.vectors, kv.index_to_key)"
        )
    if not isinstance(center, bool):
        raise TypeError(f"center must be True or False, got {show(center)}")
    V = check_vectors(vectors, "vectors")
    words = read_words(names, len(V))
    n_neighbors = check_count("n_neighbors", n_neighbors, 2)
    if n_neighbors >= len(V):
        raise ValueError(f"n_neighbors must be below the number of words, {len(V)}, got {n_neighbors}; lower it")
    U = _unit_vectors(V, words, center)
    P = _similar(U, n_neighbors, V.dtype, words)
    return Dataset(title="Words by their vectors", X=U, P=P, names=np.array(words))


def _unit_vectors(V, words, center) -> Floats:
    """Return the vectors with length 1, measured from their mean if asked."""
    U = V.astype(np.float64)
    U /= np.abs(U).max()
    if center:
        U -= U.mean(axis=0)
    lengths = np.linalg.norm(U, axis=1)
    nowhere = np.flatnonzero(lengths <= _NO_LENGTH * lengths.max())
    if len(nowhere):
        raise ValueError(
            f"vectors must have a direction, but that of {show(words[nowhere[0]])} is "
            f"{'the mean of all' if center else 'zero'} ({len(nowhere)} such words); leave these out"
        )
    U /= lengths[:, None]
    return U


def _similar(U, n_neighbors, dtype, words) -> sparse.csr_array:
    """Return P of unit vectors, which were of this type, over the neighbors of each."""
    from scipy import sparse

    from notebook_sne.affinities.nearest import nearest_neighbors
    from notebook_sne.engine.mathematics.distances import unit_spread
    from notebook_sne.engine.mathematics.perplexity import equal_share

    N = len(U)
    indices, cosines = np.empty((N, n_neighbors), np.int32), np.empty((N, n_neighbors))
    for rows, neighbors, _ in nearest_neighbors(unit_spread(U), n_neighbors, equal_share(np.empty(0, dtype))):
        indices[rows] = neighbors
    for k in range(n_neighbors):
        np.einsum("ij,ij->i", U, U[indices[:, k]], out=cosines[:, k])
    np.maximum(cosines, 0.0, out=cosines)
    sums = cosines.sum(axis=1, keepdims=True)
    alone = np.flatnonzero(sums == 0)
    if len(alone):
        raise ValueError(
            f"each word must be similar to another, but no vector has a cosine above 0 with that of "
            f"{show(words[alone[0]])} ({len(alone)} such words); leave these out"
        )
    pointers = np.arange(0, N * n_neighbors + 1, n_neighbors)
    P = sparse.csr_array(((cosines / sums).ravel(), indices.ravel(), pointers), shape=(N, N))
    P.eliminate_zeros()
    return P
