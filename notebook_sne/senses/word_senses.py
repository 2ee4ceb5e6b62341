"""The senses of one word: groups of its associates, and the components that show them in each fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from notebook_sne.senses.company import Company
from notebook_sne.senses.explained import WordMixture
from notebook_sne.senses.grouping import LEAST_SHARE, LEAST_WORDS, Split, Tree, certainty_of

__all__ = ["Senses", "senses_of"]

# Agreement of a sense and a component from which on the fit shows the sense.
_SEEN = 0.5


class Senses(NamedTuple):
    """The senses of one word, S of them; the one with the largest share first."""

    associates: np.ndarray  # int, shape (n,): the words tied to it in either direction
    shares: np.ndarray  # shape (n,): their shares of its ties
    groups: list[np.ndarray]  # of each sense, the numbers of its associates, from 0 to n - 1, the strongest first
    certainty: np.ndarray  # shape (S,): that the sense is apart from the stronger ones; 1 for the first
    second: float  # certainty that there is a second sense, whether or not it is reported
    # How much of the company that an associate shares with all senses is with each, shape (n, S); rows sum to 1.
    belongs: np.ndarray
    # Part of an associate that the component of a sense explains, shape (n, S): mean over the fits where the sense is
    # seen; NaN where it is seen in none.
    explained: np.ndarray
    # In each of F fits, the component of the word that agrees best with the sense (-1: none), and how well, 0 to 1.
    component: np.ndarray  # int, shape (S, F)
    overlap: np.ndarray  # shape (S, F)
    # What only one fit shows, and no sense has: fit, component, and its associates, the strongest first.
    once: list[tuple[int, int, np.ndarray]]

    @property
    def seen(self):
        """Return in which fits each sense is seen, bool, shape (S, F)."""
        return self.overlap >= _SEEN


def senses_of(company: Company, mixtures: Sequence[WordMixture], i: int, least: float) -> Senses:
    """Return the senses of word i, whose associates each fit has explained by a mixture.

    `least` is the certainty from which on it has two.
    """
    words, shares = company.associates(i)
    similarity = company.overlap(i)
    tree = Tree(similarity, shares, company.mean_associates)
    groups = [g[np.argsort(-shares[g], kind="stable")] for g in tree.groups(least)]
    belongs = np.array([similarity[:, g].mean(axis=1) for g in groups]).T.reshape(len(words), -1)
    sums = belongs.sum(axis=1, keepdims=True)
    belongs = np.divide(belongs, sums, out=np.full_like(belongs, 1 / max(len(groups), 1)), where=sums > 0)
    component, overlap, once = _seen(mixtures, shares, groups)
    explained = np.full(belongs.shape, np.nan)
    for s in range(len(groups)):
        fits = np.flatnonzero(overlap[s] >= _SEEN)
        if len(fits):
            explained[:, s] = np.mean([mixtures[f].parts[:, component[s, f]] for f in fits], axis=0)
    certainty = np.ones(len(groups))
    for s, members in enumerate(groups):
        for before in groups[:s]:
            share = min(shares[members].sum(), shares[before].sum())
            common = similarity[np.ix_(members, before)]
            split = Split(float(common.mean()), common.size, float(share))
            certainty[s] = min(certainty[s], certainty_of(split, company.mean_associates))
    return Senses(words, shares, groups, certainty, tree.certainty(), belongs, explained, component, overlap, once)


def _seen(
    mixtures: Sequence[WordMixture], shares: np.ndarray, groups: list[np.ndarray]
) -> tuple[np.ndarray, np.ndarray, list[tuple[int, int, np.ndarray]]]:
    """Return the component of each sense in each fit, how well they agree, and what one fit alone shows."""
    S, F = len(groups), len(mixtures)
    component, overlap = np.full((S, F), -1), np.zeros((S, F))
    sizes = np.array([shares[g].sum() for g in groups])
    left = []
    for f, mixture in enumerate(mixtures):
        explained = mixture.parts * shares[:, None]
        common = np.array([explained[g].sum(axis=0) for g in groups])
        agree = 2 * common / (sizes[:, None] + explained.sum(axis=0))
        for c, s in enumerate(agree.argmax(axis=0)):
            if agree[s, c] > overlap[s, f]:
                component[s, f], overlap[s, f] = c, agree[s, c]
        for c in np.flatnonzero(agree.max(axis=0) < _SEEN):
            members = np.flatnonzero(mixture.parts.argmax(axis=1) == c)
            if len(members) >= LEAST_WORDS and shares[members].sum() >= LEAST_SHARE:
                left.append((f, int(c), members[np.argsort(-shares[members], kind="stable")]))
    return component, overlap, [one for one in left if not any(_same(one, other, shares) for other in left)]


def _same(one: tuple[int, int, np.ndarray], other: tuple[int, int, np.ndarray], shares: np.ndarray) -> bool:
    """Tell whether what another fit shows is the same group of associates."""
    if one[0] == other[0]:
        return False
    common = shares[np.intersect1d(one[2], other[2])].sum()
    return bool(2 * common >= _SEEN * (shares[one[2]].sum() + shares[other[2]].sum()))
