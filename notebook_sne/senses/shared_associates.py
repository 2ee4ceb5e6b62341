"""The company of associates: which associates of a word belong together, apart from the word itself?

Two associates of BANK, *loan* and *teller*, are tied to the same other words; *loan* and *river* aren't. The norms
tell how much company two associates share, with the word itself left out, because all of its associates share it. An
associate j is written as a vector over all words k,

.. math::

    v_jk = max(0, log (s_jk s / (s_j s_k))),   s_jk = p_{k|j} + p_{j|k},   s_j = sum_k s_jk,   s = sum_j s_j

the positive pointwise mutual information of their ties [Church & Hanks 1990; Levy & Goldberg 2014]: a word that is tied
to everything says little. Its own entry is set to `OWN` of the whole, so that two associates that are tied to each
other have something in common as well. The overlap is the cosine of two vectors, from 0 to 1.

All of this rests on how many people were asked. If n answers to a cue are known, then

* its ties weigh n / (n + `FEW`) of their shares, so that a cue that one person has answered leads nothing;
* of few answers, two associates of one sense often have none in common. To the vector of an associate, the mean vector
  of its own ties is added, with the weight `LENT` / n - `LENT` / `MANY`, down to 0 for n >= `MANY`: associates also
  keep company if their associates do.
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
    ties = sparse.csr_array(P + P.T)
    ties.setdiag(0.0)
    ties.eliminate_zeros()
    ties.sort_indices()
    return ties


FEW, LENT, MANY, ENOUGH = 20.0, 20.0, 80.0, 100.0
"""Chosen on half of the gold list of `benchmarks.senses` and two of its norms, of whose people 50, 20, 10 or unequal
numbers a cue were drawn: of 20, the area under the curve is 0.80 and 0.82, and 0.75 and 0.78 if nothing is lent.
"""
_STRONGEST, _CLEAREST = 32, 64  # of its ties and of a vector's entries, those that are lent: all would be no better


class Company:
    """The associates of each word, and how much company they share.

    P are associations, conditional or joint, and `asked`, shape (N,), the number of answers to each word, None where
    they aren't known, as of many. `ties` are s_jk, CSR, shape (N, N); `mean_associates` is the mean number of
    associates of a word.
    """

    def __init__(self, P, asked=None):
        self._P, self.asked = sparse.csr_array(P), asked
        self.ties = ties_of(P if asked is None else sparse.diags_array(asked / (asked + FEW)) @ self._P)
        self.mean_associates = self.ties.nnz / self.ties.shape[0]
        pairs, sums = self.ties.tocoo(), np.asarray(self.ties.sum(axis=1)).ravel()
        data = np.log(pairs.data * sums.sum() / (sums[pairs.row] * sums[pairs.col]))
        self._vectors = sparse.csr_array((np.maximum(data, 0.0), (pairs.row, pairs.col)), shape=self.ties.shape)
        self._vectors.eliminate_zeros()
        lent = np.zeros(len(sums)) if asked is None else np.maximum(LENT / asked - LENT / MANY, 0.0)
        self._lent = _largest(self.ties, _STRONGEST, lent > 0)
        own = np.asarray(self._lent.sum(axis=1)).ravel()
        self._lent = sparse.diags_array(np.divide(lent, own, out=np.zeros_like(own), where=own > 0)) @ self._lent
        self._clearest = _largest(self._vectors, _CLEAREST, np.bincount(self._lent.indices, minlength=len(own)) > 0)

    def associates(self, i):
        """Return the words tied to word i in either direction, ascending, and their shares of its ties."""
        row = slice(self.ties.indptr[i], self.ties.indptr[i + 1])
        words, strengths = self.ties.indices[row], self.ties.data[row]
        return words, strengths / strengths.sum()

    def given(self, i):
        """Return the share of the answers to word i that each of its associates is, in the order of `associates`.

        Of few answers no share can be told, so that it is drawn toward that of the ties.
        """
        words, shares = self.associates(i)
        given = self._P[[i]].toarray()[0][words]
        known = 0.0 if self.asked is None or not given.any() else self.asked[i]
        return (known * given / max(given.sum(), np.finfo(float).tiny) + FEW * shares) / (known + FEW)

    def answers(self, i):
        """Return how many answers a cue stand behind the ties of word i: inf where they aren't known.

        The geometric mean of those to the word and, by their ties, to its associates, both with the same weight.
        """
        words, shares = self.associates(i)
        if self.asked is None or not len(words):
            return np.inf
        return float(np.sqrt(self.asked[i] * np.exp(shares @ np.log(self.asked[words]))))

    def hurdle(self, i):
        """Return how many associates a word has, on average, as many times more as there are too few answers to a cue.

        With fewer than `ENOUGH` of them, two groups of associates are farther apart by chance.
        """
        return self.mean_associates * max(1.0, ENOUGH / self.answers(i))

    def overlap(self, i):
        """Return how much company each two associates of word i share, shape (n, n), in the order of `associates`."""
        words, _ = self.associates(i)
        vectors = _without(self._vectors[words], i)
        sums = np.asarray(vectors.sum(axis=1)).ravel()
        own = np.where(sums > 0, sums * OWN / (1 - OWN), 1.0)
        vectors = vectors + sparse.csr_array((own, (np.arange(len(words)), words)), shape=vectors.shape)
        lent = _without(self._lent[words], i)
        if lent.nnz:
            vectors = vectors + _without(lent @ self._clearest, i)
        unit = sparse.diags_array(1 / np.sqrt(np.asarray(vectors.power(2).sum(axis=1)).ravel())) @ vectors
        return (unit @ unit.T).toarray()


def _without(rows, i):
    """Return rows, CSR, without column i."""
    rows = rows.copy()
    rows.data[rows.indices == i] = 0.0
    rows.eliminate_zeros()
    return rows


def _largest(rows, k, wanted):
    """Return the k largest entries of each wanted row, and none of the others, CSR."""
    entries = np.flatnonzero(np.repeat(wanted, np.diff(rows.indptr)))
    numbers = np.searchsorted(rows.indptr, entries, side="right") - 1
    order = entries[np.lexsort((-rows.data[entries], numbers))]
    few = np.arange(len(order)) - np.searchsorted(numbers, numbers) < k
    return sparse.csr_array((rows.data[order[few]], (numbers[few], rows.indices[order[few]])), shape=rows.shape)
