"""The company of associates: which associates of a word belong together, apart from the word itself?

Two associates of BANK, *loan* and *teller*, are tied to the same other words; *loan* and *river* are not. The norms
tell how much company two associates share, with the word itself left out, because all of its associates share it. An
associate j is written as a vector over all words k,

.. math::

    v_jk = max(0, log (s_jk s / (s_j s_k))),   s_jk = p_{k|j} + p_{j|k},   s_j = sum_k s_jk,   s = sum_j s_j

the positive pointwise mutual information of their ties [Church & Hanks 1990; Levy & Goldberg 2014]: a word that is tied
to everything says little. Its own entry is set to `OWN` of the whole, so that two associates that are tied to each
other have something in common as well. The overlap is the cosine of two vectors, from 0 to 1.
"""

import numpy as np
from scipy import sparse

__all__ = ["OWN", "Company", "ties_of"]

OWN = 0.35
"""Part of an associate's vector that is the associate itself.

Chosen among 0.35, 0.5 and 0.65 on the half of the gold list of `benchmarks.senses` that is for choosing, on three sets
of norms: 0.834, 0.809 and 0.816 of the area under the curve on the hardest of them.
"""


def ties_of(P):
    """Return s = P + P.T, CSR, shape (N, N), without its diagonal."""
    P = sparse.csr_array(P)
    ties = sparse.csr_array(P + P.T)
    ties.setdiag(0.0)
    ties.eliminate_zeros()
    ties.sort_indices()
    return ties


class Company:
    """The associates of each word, and how much company they share.

    P are associations, conditional or joint. `ties` are s_jk, CSR, shape (N, N); `mean_associates` is the mean number
    of associates of a word.
    """

    def __init__(self, P):
        self.ties = ties_of(P)
        self.mean_associates = self.ties.nnz / self.ties.shape[0]
        pairs, sums = self.ties.tocoo(), np.asarray(self.ties.sum(axis=1)).ravel()
        data = np.log(pairs.data * sums.sum() / (sums[pairs.row] * sums[pairs.col]))
        self._vectors = sparse.csr_array((np.maximum(data, 0.0), (pairs.row, pairs.col)), shape=self.ties.shape)
        self._vectors.eliminate_zeros()

    def associates(self, i):
        """Return the words tied to word i in either direction, ascending, and their shares of its ties."""
        row = slice(self.ties.indptr[i], self.ties.indptr[i + 1])
        words, strengths = self.ties.indices[row], self.ties.data[row]
        return words, strengths / strengths.sum()

    def overlap(self, i):
        """Return how much company each two associates of word i share, shape (n, n), in the order of `associates`."""
        words, _ = self.associates(i)
        vectors = self._vectors[words].tocoo()
        data = np.where(vectors.col == i, 0.0, vectors.data)
        sums = np.bincount(vectors.row, data, minlength=len(words))
        own = np.where(sums > 0, sums * OWN / (1 - OWN), 1.0)
        squares = np.bincount(vectors.row, data**2, minlength=len(words)) + own**2
        rows = np.concatenate([vectors.row, np.arange(len(words))])
        columns = np.concatenate([vectors.col, words])
        unit = np.concatenate([data, own]) / np.sqrt(squares)[rows]
        unit = sparse.csr_array((unit, (rows, columns)), shape=vectors.shape)
        return (unit @ unit.T).toarray()
