"""The associates of a word that each of its places explains, in one fit.

With all other words held, the row of a word is a mixture with one component per map
(`notebook_sne.engine.mathematics.row_mixtures`). Its associates, in both directions, are divided among the components:
so people's answers define a sense, and a map only tells where it lies.
"""

from typing import NamedTuple

import numpy as np

from notebook_sne.engine.mathematics.row_mixtures import RowMixtures, row_mixtures

__all__ = ["Explained", "WordMixture", "one_of"]


class WordMixture(NamedTuple):
    """The components of one word, at most C; the largest share first.

    Attributes
    ----------
    maps : ndarray of int, shape (C,)
        The map of each; -1 where the word has fewer.
    places : ndarray, shape (C, d)
        Where in the map.
    shares : ndarray, shape (C,)
        Share of the word's ties that each explains.
    unexplained : float
        Share that none explains.
    parts : ndarray, shape (n, C)
        r, the part of each associate that each component explains, in the order of the stored ties.
    """

    maps: np.ndarray
    places: np.ndarray
    shares: np.ndarray
    unexplained: float
    parts: np.ndarray


class Explained:
    """The mixtures of all words of a fit, made when they are asked for; `ties` are those of `company.ties_of`."""

    def __init__(self, ties, mixture):
        self.ties, self._mixture = ties, mixture
        self._all: RowMixtures | None = None

    def make_all(self):
        """Make the mixtures of all words, which takes less time than one by one."""
        if self._all is None:
            self._all = self._made(np.arange(self.ties.shape[0]))

    def of(self, i):
        """Return the WordMixture of word i; the same bits, whether it is made alone or with all."""
        found, row, entries = self._all, i, slice(self.ties.indptr[i], self.ties.indptr[i + 1])
        if found is None:
            found, row, entries = self._made(np.array([i])), 0, slice(None)
        return one_of(found, row, entries)

    def _made(self, words):
        mixture = self._mixture
        student = mixture.kernel == "student"
        return row_mixtures(self.ties[words], mixture.maps, mixture.mixing, words, student=student)


def one_of(found, row, entries):
    """Return the WordMixture of one row of RowMixtures, whose stored ties are at `entries`."""
    return WordMixture(
        found.maps[row], found.places[row], found.shares[row], float(found.unexplained[row]), found.parts[entries]
    )
