"""The words beside each copy: those to which its map connects it most strongly.

The strength of a pair in a map is at most the proportion that the other word has there,

.. math:: log s_ij^m - log pi_i^m = log pi_j^m - D_ij^m <= log pi_j^m,   D = -log K >= 0

so among very many words, only those with a large proportion are searched. If the last neighbor found in this way is
stronger than any other word could be, none is missing; for the few other copies, all words are searched.
"""

import numpy as np

from notebook_sne.senses.mixture import first_of

__all__ = ["beside"]

_MANY = 8_000  # words, above which it pays, and changes the last bits of the sums of strengths
_LEAST = 1e-4  # a smaller proportion is looked at only where there is nobody else
_BLOCK = 2_000_000  # pairs


def beside(mixture, words: np.ndarray, maps: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the k words beside each copy and how strongly they are connected.

    `words` and `maps`, shape (n_copies,), say to which of the N words of the mixture and to which map each copy
    belongs; k is below N. Return the neighbors, shape (n_copies, k), the nearest first, those with lower numbers first
    where they agree; log s of each; and the weight, shape (n_copies,), the sum of s over all others: of very many, over
    those with a proportion of a ten-thousandth.
    """
    found = np.empty((len(words), k), dtype=int), np.empty((len(words), k)), np.empty(len(words))
    N = mixture.n_objects
    for m in range(mixture.n_maps):
        here = np.flatnonzero(maps == m)
        if N <= _MANY:
            _look(mixture, m, words, here, np.arange(N), k, *found)
            continue
        some = np.flatnonzero(mixture.mixing[m] >= _LEAST)
        if len(some) > k:
            _look(mixture, m, words, here, some, k, *found)
            others = np.ones(N, dtype=bool)
            others[some] = False
            most = mixture.log_mixing[m, others].max(initial=-np.inf) + mixture.log_mixing[m, words[here]]
            here = here[~(found[1][here, -1] > most)]
        _look(mixture, m, words, here, np.arange(N), k, *found)
    return found


def _look(mixture, m, words, copies, candidates, k, nearest, log_strength, weight):
    """Write what `beside` returns for some copies in map m, of these candidates, ascending."""
    step = max(1, _BLOCK // len(candidates))
    among = None if len(candidates) == mixture.n_objects else candidates
    for begin in range(0, len(copies), step):
        part = copies[begin : begin + step]
        L = mixture.log_strength(m, words[part], among)
        L[np.isneginf(L)] = -np.finfo(float).max  # even so, any other word comes before the word itself
        own = np.searchsorted(candidates, words[part])
        there = np.flatnonzero(candidates[np.minimum(own, len(candidates) - 1)] == words[part])
        L[there, own[there]] = -np.inf
        order = first_of(L, k)
        nearest[part], log_strength[part] = candidates[order], np.take_along_axis(L, order, axis=1)
        weight[part] = np.exp(L).sum(axis=1)
