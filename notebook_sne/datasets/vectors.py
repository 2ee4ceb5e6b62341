"""Vectors of words as affinities, so that the senses of any vocabulary can be read.

Aspect maps model who is a neighbor of whom. Association norms say so for the words that people were shown; vectors
learnt from text say so for any word, by the cosine of two vectors, measured from the middle of all:

.. math:: cos_ij = u_i . u_j,   u_i = (v_i - mean) / |v_i - mean|,   |u_i - u_j|^2 = 2 - 2 cos_ij

P is then that of unit vectors over the most similar words, as `affinities.conditional` makes it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.checks import check_count, check_number, check_vectors
from notebook_sne.datasets.dataset import Dataset
from notebook_sne.given import show
from notebook_sne.objects.names import read_words

__all__ = ["word_vectors"]

# Shorter, in units of the longest vector, is rounding and has no direction.
_NO_LENGTH = 1e-7


def word_vectors(
    vectors: ArrayLike,
    names: ArrayLike,
    *,
    n_neighbors: int = 90,
    perplexity: float | None = None,
    center: bool = True,
) -> Dataset:
    """Return words with the probabilities of their most similar words, from vectors of your own.

    .. math:: p_{j|i} = exp(-(1 - cos_ij) / sigma_i^2) / sum_{h in K_i} exp(-(1 - cos_ih) / sigma_i^2)

    K_i are the n_neighbors words j whose vectors have the largest cosine with that of word i, found exactly, and
    sigma_i gives each word the perplexity.

    Parameters
    ----------
    vectors : array-like, shape (N, n_features)
        A vector for each word, as of word2vec, GloVe or fastText, the commonest words of the vocabulary; of a
        KeyedVectors of gensim, which has these first, ``kv.vectors[:10_000]``.
    names : sequence of str, shape (N,)
        The words, each once; of a KeyedVectors, ``kv.index_to_key[:10_000]``.
    n_neighbors : int, default 90
        How many neighbors each word has, at least 4 and below N.
    perplexity : float, optional
        Effective number of these; a third of them when left out.
    center : bool, default True
        Whether vectors are measured from their mean. Vectors learnt from text have a large part in common, that of
        frequent words; with it, a few words are neighbors of very many.

    Returns
    -------
    dataset : Dataset
        names; P, shape (N, N), scipy.sparse CSR; X, shape (N, n_features), the unit vectors u_i.

    Raises
    ------
    TypeError, ValueError
        If there is not one name for each vector, two names are alike, a vector is not finite or has no direction, or a
        number is out of its range.

    Warns
    -----
    UserWarning
        If more words are equally similar to a word than the perplexity asks for; these share the mass evenly.

    Notes
    -----
    Do not expect of vectors what people's associations show. A vector is one point for all senses of its word, and most
    of its neighbors belong to the most frequent sense in the text that it was learnt from: where all neighbors of
    *bank* are about money, no map can show a river. Other senses have a part among many neighbors rather than among
    few, which is why there are 90.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> words = ns.datasets.load_common_words()
    >>> data = word_vectors(words.X, words.names)
    >>> data.P.shape, data.P.nnz
    ((500, 500), 45000)
    >>> most = data.P[[list(data.names).index("january")]].toarray()[0].argsort()[::-1]
    >>> data.names[most[:4]].tolist()
    ['december', 'october', 'september', 'november']
    >>> model = ns.AspectMaps(n_maps=5, max_iter=20, input="probabilities", random_state=0).fit(data.P)
    >>> senses = ns.senses.read(model, data)
    """
    from notebook_sne.probabilities import conditional_and_ties, warn_of_ties

    if hasattr(vectors, "index_to_key"):
        raise TypeError(
            f"vectors must be an array, got {show(vectors)}; give its two arrays, as in "
            "word_vectors(kv.vectors, kv.index_to_key)"
        )
    if not isinstance(center, bool):
        raise TypeError(f"center must be True or False, got {show(center)}")
    V: Any = check_vectors(vectors, "vectors").astype(np.float64)
    words = read_words(names, len(V))
    n_neighbors = check_count("n_neighbors", n_neighbors, 4)
    if n_neighbors >= len(V):
        raise ValueError(f"n_neighbors must be below the number of words, {len(V)}, got {n_neighbors}; lower it")
    perplexity = n_neighbors / 3 if perplexity is None else check_number("perplexity", perplexity, 1.0, closed=False)
    if perplexity >= n_neighbors:
        raise ValueError(f"perplexity must be below n_neighbors, {n_neighbors}, got {perplexity:g}; lower it")
    V /= np.abs(V).max()
    if center:
        V -= V.mean(axis=0)
    lengths = np.linalg.norm(V, axis=1)
    if len(nowhere := np.flatnonzero(lengths <= _NO_LENGTH * lengths.max())):
        raise ValueError(
            f"vectors must have a direction, but that of {show(words[nowhere[0]])} is "
            f"{'the mean of all' if center else 'zero'} ({len(nowhere)} such words); leave these out"
        )
    V /= lengths[:, None]
    P, tied = conditional_and_ties(V, perplexity, n_neighbors)
    warn_of_ties(tied, perplexity)
    return Dataset(title="Words by their vectors", X=V, P=P, names=np.array(words))
