"""The table of the senses of one word in one fit, each led by the word's own associates: `Reading.of` and `place`."""

from typing import NamedTuple

import numpy as np

from notebook_sne.senses.attribution import WordMixture
from notebook_sne.senses.grouping import LEAST_SHARE

__all__ = ["LEAST_PART", "OneWord", "table_of"]

# An associate belongs to a sense if this one explains at least so much of it.
LEAST_PART = 0.3

_COLUMNS = ["word", "sense", "map", "share", "proportion", "kind", "rank", "neighbor", "explained", "near"]
_COLUMNS += ["given", "giving"]


class OneWord(NamedTuple):
    """A word, in the fit (number i) or new to it (-1)."""

    name: str
    number: int
    own: np.ndarray  # int, shape (n,): the words tied to it
    strengths: np.ndarray  # shape (n,): how strongly
    mixture: WordMixture  # which component explains which of them
    proportions: np.ndarray  # shape (M,): its mixing proportions
    given: np.ndarray  # shape (N,): how often each word was given for it; NaN where nothing is known
    giving: np.ndarray  # shape (N,): how often it was given for each; likewise


def table_of(one, names, mixture, ties, n_neighbors):
    """Return the table that `Reading.of` describes, from a OneWord, the names, the Mixture and the ties of the fit."""
    import pandas as pd

    own, found = one.own, one.mixture
    first, left = found.parts.argmax(axis=1), np.arange(len(own))
    rows = []
    for sense, c in enumerate(np.flatnonzero(found.shares >= LEAST_SHARE), 1):
        m, near = found.maps[c], _near(one, mixture, c)
        mine = np.flatnonzero((first == c) & (found.parts[:, c] >= LEAST_PART))
        left = np.setdiff1d(left, mine)
        mine = mine[np.argsort(-one.strengths[mine], kind="stable")]
        beside = np.argsort(-near, kind="stable")[: n_neighbors + len(mine) + 1]
        beside = beside[(beside != one.number) & ~np.isin(beside, own[mine])][:n_neighbors]
        tied = np.diff(ties[beside][:, own[mine]].indptr)
        facts = (sense, int(m), found.shares[c], one.proportions[m])
        rows += _rows(one, names, facts, "associate", own[mine], found.parts[mine, c], near)
        rows += _rows(one, names, facts, "company", beside[tied > 0], None, near)
        rows += _rows(one, names, facts, "stranger", beside[tied == 0], None, near)
    left = left[np.argsort(-one.strengths[left], kind="stable")]
    facts = (0, -1, found.unexplained, np.nan)
    rows += _rows(one, names, facts, "other", own[left], found.parts[left].max(axis=1, initial=0.0), None)
    return pd.DataFrame(rows, columns=_COLUMNS)


def _rows(one, names, facts, kind, words, parts, near):
    """Return the rows for words of one kind."""
    explained = np.full(len(words), np.nan) if parts is None else parts
    nearness = np.full(len(words), np.nan) if near is None else near[words]
    return [
        (one.name, *facts, kind, k + 1, names[j], explained[k], nearness[k], one.given[j], one.giving[j])
        for k, j in enumerate(words)
    ]


def _near(one, mixture, c):
    """Return f_m(j) of all words at the place of component c."""
    m = one.mixture.maps[c]
    squares = ((mixture.maps[m] - one.mixture.places[c]) ** 2).sum(axis=1)
    near = mixture.mixing[m] * (1 / (1 + squares) if mixture.kernel == "student" else np.exp(-squares))
    if one.number >= 0:
        near[one.number] = 0.0
    return near / near.sum()
