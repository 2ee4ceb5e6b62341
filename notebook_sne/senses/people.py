"""The people who answered, one by one, to be drawn again or dealt anew."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from notebook_sne.datasets.dataset import Dataset
from notebook_sne.senses.mixture import conditional_rows

if TYPE_CHECKING:
    from notebook_sne.senses.consensus import Consensus

__all__ = ["People", "alone", "deal"]


class People:
    """The answers to each cue of norms: those of K known words, and answers that are no cue themselves."""

    def __init__(self, norms: Consensus) -> None:
        self.names = norms.known
        self.counts = sparse.csr_array(norms.counts)
        if (np.rint(self.counts.data) != self.counts.data).any():
            raise ValueError("counts must be whole numbers of answers, got fractions; weights or shares are no people")
        known = np.asarray(self.counts.sum(axis=1), dtype=float).ravel()
        self.asked = (known if norms.company.asked is None else np.rint(norms.company.asked)).astype(int)
        # Answers that are no cues are in no sense, but people gave them.
        other = self.asked - known.astype(int)
        number, given, often = sparse.find(self.counts)
        cues = np.concatenate([np.repeat(number, often.astype(int)), np.repeat(np.arange(len(known)), other)])
        given = np.concatenate([np.repeat(given, often.astype(int)), np.full(other.sum(), len(known))])
        order = np.argsort(cues, kind="stable")
        self.cues, self.given = cues[order], given[order]
        self.first = np.concatenate([[0], np.cumsum(self.asked)])[self.cues]

    def draw(self, rng: np.random.Generator, half: bool) -> Dataset:
        """Return norms of as many people, drawn with replacement, or of half of them, each at most once."""
        chance, asked = rng.random(len(self.cues)), self.asked[self.cues]
        if half:
            order = np.lexsort([chance, self.cues])
            taken = order[np.arange(len(order)) - self.first < (asked + 1) // 2]
            return self.norms(self.cues[taken], self.given[taken])
        return self.norms(self.cues, self.given[self.first + (chance * asked).astype(int)])

    def norms(self, cues: np.ndarray, given: np.ndarray) -> Dataset:
        """Return norms of the same words with these answers, the number K for one that is no cue."""
        K = len(self.names)
        drawn = sparse.csr_array((np.ones(len(cues)), (cues, given)), shape=(K, K + 1))
        counts, asked = drawn[:, :K], np.asarray(drawn.sum(axis=1)).ravel()
        kept = np.asarray(counts.sum(axis=1)).ravel() / np.maximum(asked, 1)
        P = conditional_rows(counts)
        return Dataset(title="drawn again", P=P, counts=counts, kept=kept, names=np.array(self.names))


def deal(one: People, other: People, rng: np.random.Generator) -> tuple[Dataset, Dataset]:
    """Return two norms with the people of both dealt anew: to each cue of both, as many in each as before.

    If both norms asked people of one kind, the result is as likely as the norms themselves. Answers are matched
    whatever their case; answers to a cue of one norm alone stay there.
    """
    K, known = len(one.names), alone(other.names)
    match = np.array([(i, known[folded]) for folded, i in alone(one.names).items() if folded in known]).reshape(-1, 2)
    # Numbers of both: those of the first norms, then those that only the other has, and last what neither knows.
    last = K + len(other.names)
    to_both = np.append(K + np.arange(len(other.names)), last)
    to_both[match[:, 1]] = match[:, 0]
    to_other = np.full(last + 1, len(other.names))
    to_other[to_both] = np.arange(len(other.names) + 1)
    shared = np.zeros(last + 1, dtype=bool)
    shared[match[:, 0]] = True
    cues = np.concatenate([one.cues, to_both[other.cues]])
    given = np.concatenate([np.where(one.given < K, one.given, last), to_both[other.given]])
    side = np.repeat([0, 1], [len(one.cues), len(other.cues)])
    mixed = np.flatnonzero(shared[cues])
    places = mixed[np.argsort(cues[mixed], kind="stable")]
    given[places] = given[mixed[np.lexsort([rng.random(len(mixed)), cues[mixed]])]]
    first, second = side == 0, side == 1
    dealt = one.norms(cues[first], np.minimum(given[first], K))
    return dealt, other.norms(to_other[cues[second]], to_other[given[second]])


def alone(names: tuple[str, ...]) -> dict[str, int]:
    """Return the number of each word by its folded name, where no other is written so but for its case."""
    often = Counter(name.casefold() for name in names)
    return {name.casefold(): i for i, name in enumerate(names) if often[name.casefold()] == 1}
