"""From pairs of words to a data set: which words can be mapped, and what becomes of all the others.

Words are numbered in the order of their names, and pairs are arrays of such numbers. Pairs that are left out are found
and reported, one kind at a time: see `associations` for what the kinds mean.
"""

from __future__ import annotations

import warnings

import numpy as np

from notebook_sne.datasets.dataset import Dataset
from notebook_sne.engine.checks.numbers import show

__all__ = ["map_pairs"]

_LEAST_WORDS = 3


def map_pairs(
    cues, responses, counts, n_words=None, *, repeats=False, min_count=0.0, unread=(), shown=(), made=None, **about
):
    """Return the data set of the words that can be mapped, as `associations` describes it, cut from that of all words.

    Each pair of a cue and a response occurred as often as its count says, finite and at least 0; `repeats` says whether
    a pair is expected to be there more than once, and pairs whose counts sum to less than `min_count` are left out. At
    most `n_words` are kept. `unread` are rows of the report about what was left out before: what, cue, response, count.
    `shown` are words that were shown as well, without an answer that could be read. `made` says how they were read, and
    `about` are title, citation and license. A TypeError or ValueError says that n_words isn't a whole number of at
    least 3, or that fewer than 3 words are left; where there are fewer cues, a UserWarning says that all are kept.
    """
    words, c, r, s = _numbered(cues, responses, shown)
    with np.errstate(over="ignore"):
        if not np.isfinite(np.sum(counts)):
            raise ValueError(
                "the counts must have a finite sum, got numbers too large to add; give them in a larger unit"
            )
    counts = np.asarray(counts)
    if (counts == np.floor(counts)).all() and np.sum(counts) < 2**53:
        counts = counts.astype(np.int64)
    report = _Report(words, unread)
    report.pairs("count is 0", c[counts == 0], r[counts == 0], counts[counts == 0])
    is_cue = np.zeros(len(words), bool)
    is_cue[c] = is_cue[s] = True
    n_words, made = _checked_n_words(n_words, int(is_cue.sum())), {} if made is None else made

    c, r, n, n_rows = _summed(c, r, counts, len(words))
    if not repeats:
        report.pairs("duplicate was summed", c[n_rows > 1], r[n_rows > 1], n[n_rows > 1])
    answered = _totals(c, n, len(words))  # how often each cue was answered, whatever the answer
    report.pairs("self-response", c[c == r], r[c == r], n[c == r])
    c, r, n = c[c != r], r[c != r], n[c != r]
    report.pairs("given less often than min_count", c[n < min_count], r[n < min_count], n[n < min_count])
    c, r, n = c[n >= min_count], r[n >= min_count], n[n >= min_count]

    given = _totals(r, n, len(words))
    ranked = np.lexsort((np.arange(len(words)), -given))  # words are numbered in the order of their names
    ranked = ranked[is_cue[ranked]]
    among = np.zeros(len(words), bool)
    among[ranked[:n_words]] = True
    mapped = _answered(c, r, n, among)

    reasons = [
        ("response is no cue", ~is_cue),
        ("response is not among the n_words", is_cue & ~among),
        ("response was left without responses", among & ~mapped),
    ]
    for what, where in reasons:
        out = among[c] & where[r]
        report.pairs(what, c[out], r[out], n[out])
    report.cues("cue is not among the n_words", is_cue & ~among, answered)
    report.cues("cue was left without responses", among & ~mapped, answered)
    if mapped.sum() < _LEAST_WORDS:
        raise ValueError(
            f"there must be at least {_LEAST_WORDS} words that are cues and have a response that is one of them, got "
            f"{mapped.sum()} of {is_cue.sum()} cues; {report.in_short()}; keep more words, or check that cue and "
            "response are not exchanged and that both are spelled the same way"
        )
    asked = {"n_words": "all" if n_words is None else int(n_words)} | ({"min_count": min_count} if min_count else {})
    made = {**made, **asked, "cues": int(is_cue.sum()), "answers": answered.sum().item()}
    made["answers to a cue"] = float(np.median(answered[is_cue]))

    def of(mapped, **more):
        order = ranked[mapped[ranked]]
        arrays = _arrays(c, r, n, order, mapped, answered, words)
        return Dataset(**arrays, names=words[order], made=made, **more, **about)

    whole = of(_answered(c, r, n, is_cue)) if n_words is not None and n_words < is_cue.sum() else None
    return of(mapped, whole=whole, report=report.table(counts.dtype))


def _answered(c, r, n, among):
    """Return which of the words have an answer among those that have one, as a mask."""
    mapped = among.copy()
    while len(empty := np.flatnonzero(mapped & (_totals(c[mapped[r]], n[mapped[r]], len(mapped)) == 0))):
        mapped[empty] = False
    return mapped


class _Report:
    """What was left out: pairs and cues, gathered as arrays of numbers of words; `unread` is as `map_pairs` has it."""

    def __init__(self, words, unread):
        self.words = words
        self.parts: list[tuple] = []
        for what in dict.fromkeys(row[0] for row in unread):
            _, c, r, n = zip(*(row for row in unread if row[0] == what), strict=True)
            self.parts.append((what, np.array(c, object), np.array(r, object), np.array(n)))

    def pairs(self, what, c, r, n):
        if len(c):
            order = np.lexsort((r, c))
            self.parts.append((what, self.words[c[order]], self.words[r[order]], n[order]))

    def cues(self, what, where, answered):
        if where.any():
            cues = self.words[where]
            self.parts.append((what, cues, np.full(len(cues), "", object), answered[where]))

    def in_short(self):
        return ", ".join(f"{what}: {len(cues)}" for what, cues, *_ in self.parts) or "nothing was left out"

    def table(self, dtype):
        import pandas as pd

        parts = [
            pd.DataFrame({"what": what, "cue": c, "response": r, "count": np.asarray(n).astype(dtype)})
            for what, c, r, n in self.parts
        ]
        if not parts:
            return pd.DataFrame({"what": [], "cue": [], "response": [], "count": np.array([], dtype)})
        return pd.concat(parts, ignore_index=True)


def _numbered(*sides):
    """Return the words of all sides, in the order of their names, and the number of each word of each side."""
    words = np.array(sorted(set().union(*sides)), dtype=object)
    number = {word: i for i, word in enumerate(words)}
    return words, *(np.fromiter((number[word] for word in side), np.int64, len(side)) for side in sides)


def _summed(c, r, counts, n_words):
    """Return each pair once, with the sum of its counts that are not 0 and the number of these rows."""
    c, r, counts = c[counts > 0], r[counts > 0], counts[counts > 0]
    keys, inverse, n_rows = np.unique(c * n_words + r, return_inverse=True, return_counts=True)
    sums = np.bincount(inverse, weights=counts, minlength=len(keys)).astype(counts.dtype)
    return keys // max(n_words, 1), keys % max(n_words, 1), sums, n_rows


def _totals(index, n, size):
    return np.bincount(index, weights=n, minlength=size)


def _arrays(c, r, n, order, mapped, answered, words):
    """Return counts, P, kept, outside and outside_names of the mapped words, in this order."""
    from scipy import sparse

    row = np.full(len(words), -1)
    row[order] = np.arange(len(order))

    def table(chosen, rows, columns, n_columns):
        return sparse.csr_array((n[chosen], (rows[chosen], columns[chosen])), shape=(len(order), n_columns))

    counts = table(mapped[c] & mapped[r], row[c], row[r], len(order))
    inside = _totals(row[c[mapped[c] & mapped[r]]], n[mapped[c] & mapped[r]], len(order))
    P = counts.astype(float)
    P.data /= np.repeat(inside, np.diff(P.indptr))
    P.eliminate_zeros()  # a probability may underflow
    sides, names = [], []
    for way, own, other in (("to", c, r), ("from", r, c)):
        chosen = mapped[own] & ~mapped[other]
        met = np.unique(other[chosen])
        sides.append(table(chosen, row[own], np.searchsorted(met, other), len(met)))
        names += [f"{way} {word}" for word in words[met]]
    return {
        "counts": counts,
        "P": P,
        "kept": inside / answered[order],
        "outside": sparse.hstack(sides, format="csr"),
        "outside_names": np.array(names, dtype=str),
    }


def _checked_n_words(n_words, n_cues):
    """Return how many words to keep, None for all."""
    if n_words is None:
        return None
    if isinstance(n_words, bool) or not isinstance(n_words, (int, np.integer)):
        raise TypeError(f"n_words must be a whole number or None, got {show(n_words)}")
    if n_words < _LEAST_WORDS:
        raise ValueError(f"n_words must be at least {_LEAST_WORDS}, got {show(n_words)}; None keeps all cues")
    if n_words > n_cues:
        warnings.warn(f"n_words={n_words} asks for more than the {n_cues} cues there are: all are kept", stacklevel=4)
        return None
    return n_words
