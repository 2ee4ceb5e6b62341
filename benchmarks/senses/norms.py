"""Norms of word associations as the contest needs them: the words, and how strongly two words are tied."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

import notebook_sne as ns

__all__ = ["Norms", "from_file", "usf"]


@dataclass(frozen=True)
class Norms:
    """Norms with their ties."""

    name: str  # a short one, for files and tables
    data: ns.datasets.Dataset  # the mapped words, with P and counts

    @cached_property
    def ties(self):
        """scipy.sparse.csr_array, shape (N, N): how strongly two words are tied, (p_{j|i} + p_{i|j}) / 2."""
        P = sparse.csr_array(self.data.P)
        ties = sparse.csr_array((P + P.T) / 2)
        ties.setdiag(0.0)
        ties.eliminate_zeros()
        ties.sort_indices()
        return ties

    @cached_property
    def _numbers(self):
        # Of two words that differ in case only the one that is given more often, which comes first, is meant.
        numbers = {}
        for number, name in enumerate(self.data.names):
            numbers.setdefault(str(name).lower(), number)
        return numbers

    def find(self, word):
        """Return the number of a word, whatever its case, or None if it is not mapped."""
        return self._numbers.get(word.lower())

    def associates(self, i):
        """Return the words tied to word i in either direction, and the strengths of the ties; strongest first."""
        begin, end = self.ties.indptr[i : i + 2]
        words, strengths = self.ties.indices[begin:end], self.ties.data[begin:end]
        order = np.argsort(-strengths, kind="stable")
        return words[order], strengths[order]


def usf(n_words=None):
    """Return the norms of the University of South Florida: every cue that can be mapped, or those given most often."""
    return Norms("usf", ns.datasets.fetch_usf_associations(n_words=n_words, progress=False))


def from_file(path, cue, response, count, n_words=None):
    """Return norms from a file with a row for each pair of words; the columns are named as in the file."""
    columns = {"cue": cue, "response": response, "count": count}
    return Norms(path.stem, ns.datasets.associations(path, **columns, n_words=n_words, missing="drop"))
