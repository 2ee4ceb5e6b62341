"""People's answers, as far as they are known: for all words of the norms, though the maps may have only some.

Company is cut away where words are: of the 1,500 commonest words of norms, a word has a third of its associates left,
and these have a third of what they share. So a data set that was cut remembers the whole (`Dataset.whole`), and senses
are read from that. An answer weighs as a share of all answers to its cue, also of those that led to no known word:
otherwise the one answer that a rare cue has left would be as strong as the first answer of a common one.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from notebook_sne.datasets.dataset import Dataset

__all__ = ["Norms", "norms_of"]


class Norms(NamedTuple):
    """Words and their answers."""

    names: tuple[str, ...]
    """K words: those that are mapped, then others."""
    answers: Any
    """CSR, shape (K, K): the share of the answers to each cue that each word is; a row sums to at most 1."""
    counts: Any
    """CSR, shape (K, K): how often word j was given for word i; None where that is not known."""
    asked: Any
    """Shape (K,): how many answers there are to each cue, whatever they are; None where that is not known."""


def norms_of(names: tuple[str, ...], data: Any, P: Any, counts: Any) -> Norms:
    """Return the Norms of the N words `names`.

    `data` is what they came from; where it is no Dataset that knows which part of each word's answers is mapped, the
    conditional P and the `counts`, shape (N, N), are all that is known.
    """
    if not isinstance(data, Dataset) or data.kept is None or data.P is None or data.counts is None:
        return Norms(names, sparse.csr_array(P), counts, None)
    whole = data if data.whole is None else data.whole
    number = {name: k for k, name in enumerate(whole.names.tolist())}
    mapped = np.array([number[name] for name in names])
    order = np.concatenate([mapped, np.setdiff1d(np.arange(len(number)), mapped)])
    answers = sparse.csr_array(sparse.diags_array(whole.kept) @ whole.P)[order][:, order]
    counts = sparse.csr_array(whole.counts)[order][:, order]
    asked = whole.answers[order]
    # In a draw of people all answers to a cue may be no cues, so that their number is not known: it is taken as usual.
    asked = np.where(np.isnan(asked), np.nanmedian(asked), asked)
    return Norms(tuple(whole.names[order].tolist()), answers, counts, asked)
