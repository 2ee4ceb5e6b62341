"""The senses of one word: groups of its associates, and the components that show them in each fit.

A fit *shows* a sense where a component agrees with it: twice the part of the word's ties that both have, over the sum
of what each has, is at least a half. No other sense may agree with that component better, and it must explain
`LEAST_PART` of at least two of the sense's associates, so that one strong tie is no sense. The sense is *seen* there
if the word itself is there, with a proportion of `LEAST_PROPORTION`; otherwise its company is there, and the fit has
missed the word.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.senses.grouping import LEAST_ANSWERS, LEAST_SHARE, LEAST_WORDS, Tree
from notebook_sne.senses.one_word import LEAST_PART
from notebook_sne.senses.shared_associates import Company

__all__ = ["LEAST_PROPORTION", "MISSING", "SEEN", "WITHOUT", "InFit", "Senses", "senses_of"]

LEAST_PROPORTION = 0.05
MISSING, WITHOUT, SEEN = 0, 1, 2
"""What a fit shows of a sense: nothing; its company, without the word; both."""
_AGREES = 0.5


class InFit(NamedTuple):
    """The C components of a word with n associates in a fit."""

    maps: np.ndarray  # int, shape (C,); -1 where there is no component
    proportions: Floats  # shape (C,): of the word in the map of each
    parts: Floats  # shape (n, C): part of each associate that each explains; 0 where it is not mapped


class Senses(NamedTuple):
    """The senses of one word, S of them; the one with the largest share first."""

    associates: np.ndarray  # int, shape (n,): the words tied to it in either direction, by their numbers in the norms
    shares: np.ndarray  # shape (n,): their shares of its ties
    groups: list[np.ndarray]  # of each sense, the numbers of its associates, from 0 to n - 1, the strongest first
    small: list[np.ndarray]  # groups too small for a sense, but far from all of them; likewise
    certainty: np.ndarray  # shape (S,): that the sense is apart from the stronger ones; NaN for the first
    # Certainty that there is a second sense, whether or not it is reported; NaN where not enough people were asked.
    second: float
    told: bool  # whether enough people were asked to tell senses
    # How much of the company that an associate shares with all senses is with each, shape (n, S); rows sum to 1.
    belongs: np.ndarray
    # Part of an associate that the component of a sense explains, shape (n, S): mean over the fits that show the sense;
    # NaN where none does, or the associate is not mapped.
    explained: np.ndarray
    # In each of F fits, the component of the word that agrees best with the sense (-1: none), how well, 0 to 1, and
    # what the fit shows of the sense: MISSING, WITHOUT or SEEN.
    component: np.ndarray  # int, shape (S, F)
    overlap: np.ndarray  # shape (S, F)
    shown: np.ndarray  # int, shape (S, F)
    # What only one fit shows, and no sense has: fit, component, and its associates, the strongest first.
    once: list[tuple[int, int, np.ndarray]]

    @property
    def n_senses(self) -> int:
        """Return how many senses there are, 0 where nothing can be told of them."""
        return sum(len(group) > 0 for group in self.groups) if self.told else 0

    @property
    def seen(self) -> np.ndarray:
        """Return in which fits each sense is seen, bool, shape (S, F)."""
        return self.shown == SEEN


def senses_of(
    company: Company, fits: Sequence[InFit], i: int, least: float, n_mapped: int, known: bool = True
) -> Senses:
    """Return the senses of word i, of whose associates the first `n_mapped` words are in the maps.

    `least` is the certainty from which on it has two; `known` is whether ties of this kind have a certainty.
    """
    words, shares = company.associates(i)
    similarity = company.overlap(i)
    tree = Tree(similarity, shares, company.hurdle(i), company.given(i))
    enough = company.answers(i) >= LEAST_ANSWERS

    def strongest(groups):
        return [g[np.argsort(-shares[g], kind="stable")] for g in groups]

    found = tree.groups(least if enough else 1.0)
    groups, small = strongest(found), strongest(tree.small(found, least)) if len(found) > 1 else []
    belongs = np.array([similarity[:, g].sum(axis=1) / max(len(g), 1) for g in groups]).T.reshape(
        len(words), len(groups)
    )
    sums = belongs.sum(axis=1, keepdims=True)
    belongs = np.divide(belongs, sums, out=np.full_like(belongs, 1 / max(len(groups), 1)), where=sums > 0)
    component, overlap, shown, once = _shown(fits, np.where(words < n_mapped, shares, 0.0), groups)
    explained = np.full(belongs.shape, np.nan)
    for s in range(len(groups)):
        here = np.flatnonzero(shown[s])
        if len(here):
            parts = np.mean([fits[f].parts[:, component[s, f]] for f in here], axis=0)
            explained[:, s] = np.where(words < n_mapped, parts, np.nan)
    # The second sense is as surely apart as there is a second one, and no further sense is surer than that.
    certainty, second = np.full(len(groups), np.nan), tree.certainty() if enough else np.nan
    for s, members in enumerate(groups[1:], 1):
        certainty[s] = second if s == 1 else min(second, *(tree.apart(members, before) for before in groups[:s]))
    if not known:
        certainty, second = np.full(len(groups), np.nan), np.nan
    return Senses(
        words, shares, groups, small, certainty, second, enough, belongs, explained, component, overlap, shown, once
    )


def _shown(fits: Sequence[InFit], shares: Floats, groups: list[np.ndarray]) -> tuple[Any, Any, Any, Any]:
    """Return the component of each sense in each fit, how well they agree, what is shown, and what one fit alone shows.

    The `shares` are 0 where an associate is not mapped.
    """
    S, F = len(groups), len(fits)
    component, overlap, shown = np.full((S, F), -1), np.zeros((S, F)), np.full((S, F), MISSING)
    sizes = np.array([shares[g].sum() for g in groups])
    left = []
    for f, fit in enumerate(fits):
        explained = fit.parts * shares[:, None]
        common = np.array([explained[g].sum(axis=0) for g in groups])
        both = sizes[:, None] + explained.sum(axis=0)
        agree = np.divide(2 * common, both, out=np.zeros_like(common), where=both > 0)
        for c, s in enumerate(agree.argmax(axis=0)):
            if agree[s, c] > overlap[s, f]:
                component[s, f], overlap[s, f] = c, agree[s, c]
        for s in np.flatnonzero(overlap[:, f] >= _AGREES):
            c = component[s, f]
            if np.sum(fit.parts[groups[s], c] >= LEAST_PART) >= LEAST_WORDS:
                shown[s, f] = SEEN if fit.proportions[c] >= LEAST_PROPORTION else WITHOUT
        for c in np.flatnonzero(agree.max(axis=0) < _AGREES):
            members = np.flatnonzero((fit.parts.argmax(axis=1) == c) & (shares > 0))
            if len(members) >= LEAST_WORDS and shares[members].sum() >= LEAST_SHARE:
                left.append((f, int(c), members[np.argsort(-shares[members], kind="stable")]))
    alone = [one for one in left if not any(_same(one, other, shares) for other in left)]
    return component, overlap, shown, alone


def _same(one: tuple[int, int, np.ndarray], other: tuple[int, int, np.ndarray], shares: Floats) -> bool:
    """Tell whether what another fit shows is the same group of associates."""
    if one[0] == other[0]:
        return False
    common = shares[np.intersect1d(one[2], other[2])].sum()
    return bool(2 * common >= _AGREES * (shares[one[2]].sum() + shares[other[2]].sum()))
