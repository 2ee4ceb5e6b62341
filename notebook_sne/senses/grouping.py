"""From the similarity of associates to groups of associates: one group for each sense.

Groups are joined in order of their mean similarity, the most similar first, until one is left (average linkage [Sokal &
Michener 1958]). Read from its end, this tree tells where a word comes apart. A group counts as a sense if it has at
least `LEAST_WORDS` associates, `LEAST_SHARE` of the word's ties and `LEAST_GIVEN` of the answers to it (the core of an
apple, with 19 % of its ties, was the answer of one person in a hundred); the last two such groups to be joined are its
most certain split, and

.. math:: x = log((share / associates)^(1/2) / similarity)

says how far apart they are, where `share` is that of the smaller group: the less two groups have in common and the more
the smaller one has, the more certain the split (`_PRIOR` limits the certainty of small groups). `associates`, the mean
number of associates of a word in these norms, makes norms comparable, because among more associates there are always
two groups farther apart. It counts as many times more as there are fewer than a hundred answers to a cue
(`Company.hurdle`), so that fewer answers make no sense surer; below `LEAST_ANSWERS` nothing is told, as homonyms are no
surer there than other words (an area under the curve of 0.5 at 5 answers, of 0.7 at 10). The certainty that a word with
such an x has two senses,

.. math:: certainty = 1 / (1 + exp(-STEEPNESS (x - MIDDLE)))

was fitted by logistic regression to homonyms and words of one meaning, as many of each, on three sets of norms
(`benchmarks.senses`, the half for choosing: middles 3.7 to 4.0, steepness 1.4 to 2.1). A random word has one meaning
more often than that, so this is a scale for comparing words, not the probability of a dictionary meaning.

All of this holds for whole norms: if norms are cut to their most common words, company is lost with the words. So
senses are read from the whole norms, whatever part of their words is mapped (`associations`).

One meaning may have several groups, such as the vault, the teller and the robber of a bank. Two groups that aren't
clearly apart, by the certainty that a second sense requires, are one sense; the least certain pair is joined first,
until all are apart or two are left. A group that is too small for a sense may be far from all senses, such as the river
of a bank, a rare answer. It is reported as a small group if its similarity to each sense is one at which a split with a
share of 0.1 is as likely as not.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

__all__ = ["LEAST_ANSWERS", "LEAST_GIVEN", "LEAST_SHARE", "LEAST_WORDS"]
__all__ += ["Split", "Tree", "certainty_of", "similarity_at"]

LEAST_WORDS = 2
LEAST_SHARE = 0.05
LEAST_GIVEN = 0.05
LEAST_ANSWERS = 8.0
STEEPNESS, MIDDLE = 1.9, 3.8
# Once a word is known to have two senses, groups twice as similar are looked at as well, and joined where they are not
# surely apart: 61 homonyms of USF have 2.4 senses then, and would have 2.7.
_NEXT = 2.0
# A group that is too small for a sense is told from so many associates on, and from this certainty on.
_LEAST_SMALL, _APART = 3, 0.5
# Two groups of two have four pairs, and norms are never complete: as if one pair more had been looked at, which is as
# similar as this. Without it, words of few associates would be the surest of all.
_PRIOR = 0.01


class Split(NamedTuple):
    """Where a word comes apart most surely."""

    similarity: float
    """Mean similarity of an associate of one group with one of the other."""
    pairs: int
    """How many such pairs there are."""
    share: float
    """Share of the word's ties that the smaller group has."""


def certainty_of(split, associates):
    """Return the certainty, from 0 to 1, that a Split parts two senses; 0 for None.

    `associates` is the mean number of associates of a word.
    """
    if split is None:
        return 0.0
    x = 0.5 * np.log(split.share / associates) - np.log(_shrunk(split))
    return float(1.0 / (1.0 + np.exp(-STEEPNESS * (x - MIDDLE))))


def similarity_at(certainty, associates):
    """Return the similarity at which a split with a share of 0.1 has this certainty."""
    x = MIDDLE + np.log(certainty / (1.0 - certainty)) / STEEPNESS
    return float(np.sqrt(0.1 / associates) * np.exp(-x))


class Tree:
    """The order in which groups of associates are joined.

    The similarity of each two of n associates, shape (n, n), is symmetric, from 0 to 1. `shares`, shape (n,), are
    theirs in the word's ties and sum to 1; `given` are those in the answers to it, which follow the ties where they are
    left out. `associates` is the mean number of associates of a word in these norms.
    """

    def __init__(
        self, similarity: np.ndarray, shares: np.ndarray, associates: float, given: np.ndarray | None = None
    ) -> None:
        n = len(shares)
        self.shares, self._similarity, self._associates = shares, similarity, associates
        self._given = shares if given is None else given
        self.members = [np.array([k]) for k in range(n)]
        self._joins = np.empty((0, 4))
        if n > 1:
            distances = np.clip(1.0 - (similarity + similarity.T) / 2, 0.0, None)
            np.fill_diagonal(distances, 0.0)
            self._joins = linkage(squareform(distances, checks=False), "average")
        for a, b in self._joins[:, :2].astype(int):
            self.members.append(np.concatenate([self.members[a], self.members[b]]))

    def counts(self, members):
        """Tell whether a group is large enough for a sense, and was answered."""
        given = self._given[members].sum() >= LEAST_GIVEN
        return len(members) >= LEAST_WORDS and self.shares[members].sum() >= LEAST_SHARE and given

    @cached_property
    def split(self) -> Split | None:
        """The surest Split, or None where no two groups count.

        Associates that were merely left over are no group: each of the two has more in common than both.
        """
        for distance in np.unique(self._joins[:, 2])[::-1]:
            groups = self._cut(np.nextafter(1.0 - distance, 2.0))
            if len(groups) > 1:
                one, other = groups[:2]
                return Split(float(1.0 - distance), len(one) * len(other), float(self.shares[other].sum()))
        return None

    def certainty(self):
        """Return the certainty that there is a second sense."""
        return certainty_of(self.split, self._associates)

    def groups(self, least: float) -> list[np.ndarray]:
        """Return the groups of associates, one array a sense, the largest share first.

        Below the certainty `least`, the word is held to have one sense: all its associates then.
        """
        n, split = len(self.shares), self.split
        if split is None or self.certainty() < least:
            return [np.arange(n)]
        groups = self._cut(_NEXT * similarity_at(least, self._associates))
        if len(groups) < 2:  # what counts as one group may fall into crumbs that do not
            groups = self._cut(np.nextafter(split.similarity, 2.0))
        return self._ordered(self._joined(groups, least))

    def small(self, groups: list[np.ndarray], least: float) -> list[np.ndarray]:
        """Return the groups that are too small for a sense and apart from all senses, the largest share first.

        The largest such branches of the tree that are in no sense, and whose words are joined at the similarity at
        which a split has the certainty `least`, or above.
        """
        n, floor = len(self.shares), similarity_at(least, self._associates)
        most, taken = similarity_at(_APART, self._associates), np.zeros(n, dtype=bool)
        for members in groups:
            taken[members] = True
        found, branches = [], [n + len(self._joins) - 1]
        while branches:
            node = branches.pop()
            if node < n:
                continue
            members, (a, b, distance, _) = self.members[node], self._joins[node - n]
            close = 1.0 - distance >= floor and len(members) >= _LEAST_SMALL and not taken[members].any()
            if close and self.shares[members].sum() < LEAST_SHARE:
                members = np.sort(members)
                if all(_shrunk(self._split(members, group)) <= most for group in groups):
                    found.append(members)
                    continue
            branches += [int(a), int(b)]
        return self._ordered(found)

    def apart(self, one: np.ndarray, other: np.ndarray) -> float:
        """Return the certainty that two groups are two senses."""
        return certainty_of(self._split(one, other), self._associates)

    def _split(self, one, other):
        common = self._similarity[np.ix_(one, other)]
        return Split(float(common.mean()), common.size, float(min(self.shares[one].sum(), self.shares[other].sum())))

    def _joined(self, groups, least):
        """Return the groups, those that are not surely apart as one, but two at least."""
        groups = list(groups)
        while len(groups) > 2:
            sure, a, b = min((self.apart(groups[a], groups[b]), a, b) for b in range(len(groups)) for a in range(b))
            if sure >= least:
                break
            groups[a] = np.sort(np.concatenate([groups[a], groups.pop(b)]))
        return groups

    def _ordered(self, groups):
        return sorted(groups, key=lambda members: -self.shares[members].sum())

    def _cut(self, floor):
        """Return the groups that count, of those that are joined at this similarity or above."""
        n, nodes, branches = len(self.shares), [], [len(self.members) - 1]
        while branches:  # no group is joined above its parts, so the first that is joined here is a whole one
            node = branches.pop()
            if node >= n and 1.0 - self._joins[node - n, 2] < floor:
                branches += self._joins[node - n, :2].astype(int).tolist()
            elif node >= n:  # a single associate is no group
                nodes.append(node)
        return self._ordered(filter(self.counts, (np.sort(self.members[node]) for node in sorted(nodes))))


def _shrunk(split):
    """Return the similarity of a Split with one pair more, of the prior's."""
    return (split.similarity * split.pairs + _PRIOR) / (split.pairs + 1)
