"""Word associations: which words people answer with when they are given a word, the objects of [Cook2007, Fig. 5].

Each *cue* was shown to many people, and each of them wrote down a *response*. Words become objects where both roles
meet: a word is mapped if it is a cue, and if some other mapped word was a response to it. Then

    counts[i, j] = how often word j was the response to word i
    p_{j|i}      = counts[i, j] / sum_k counts[i, k]

A P has no diagonal and no empty row, and an answer that is no cue has no row: what cannot be mapped is left out, and
reported pair by pair.

Longer than 300 lines because whatever is left out of a table is found, and reported, one kind at a time.
"""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from notebook_sne.datasets.dataset import Dataset
from notebook_sne.datasets.tables import read_columns, to_counts, to_words
from notebook_sne.given import show

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["associations", "map_pairs"]

_LEAST_WORDS = 3


def associations(
    table: pd.DataFrame | str | Path,
    *,
    cue: Hashable,
    response: Hashable,
    count: Hashable | None,
    n_words: int | None = None,
    delimiter: str = ",",
    encoding: str = "utf-8",
) -> Dataset:
    """Return the words of association norms of your own, and how often each evokes each.

    All words are text: "null", "nan", "NA", "none" and "true" are words. Blanks around a word are cut off; case and
    accents are kept, so that Bank and bank are two words. An accent that is written as a character of its own is joined
    with its letter, as the two look the same (Unicode NFC). Files are never unpickled or executed.

    Parameters
    ----------
    table : pandas.DataFrame, str or Path
        A row for each pair of words; or the path of a file with a header line, such as a CSV file.
    cue : str
        The column of the words that were shown.
    response : str
        The column of the words that were answered.
    count : str or None
        The column that says how often, finite and at least 0; None where each row is one answer of one person, so
        that equal rows are counted.
    n_words : int, optional
        Keep so many words: of those that are cues, the ones that are most often given as responses, over all cues;
        at equal counts, the first by name. Left out, all cues are kept.
    delimiter : str, default ","
        The character between the columns of a file; ";" and a tab are common.
    encoding : str, default "utf-8"
        How the letters of a file are written as bytes; with or without a byte order mark.

    Returns
    -------
    dataset : Dataset
        The words, most often given ones first:

        - ``names``; ``counts`` and ``P``, shape (N, N), scipy.sparse CSR: responses to word i are in row i.
        - ``kept``, the fraction of each word's responses that are among the words.
        - ``outside``, shape (N, K), scipy.sparse CSR: what P does not show of the words. First a column for each
          response that is not mapped: how often the word of the row led *to* it. Then a column for each cue that is
          not mapped: how often the word of the row came *from* it. ``outside_names`` says which, as in "to loan" and
          "from loan".
        - ``report``, a data frame with the columns what, cue, response, count: a row for each thing that was changed
          or left out, so that ``data.report.groupby("what")["count"].agg(["size", "sum"])`` summarizes it.

        A row of the report is about a pair, or about a cue; in that case its response is "" and its count is how often
        the cue was answered. ``what`` is one of

        - "count is 0": the row was ignored;
        - "duplicate was summed": the pair came in more than one row, and the count is their sum (this alone leaves
          nothing out; without a count column, equal rows are what is counted, and are not reported);
        - "self-response": a word answered with itself, which P cannot hold;
        - "response is no cue", "response is not among the n_words", "response was left without responses": the cue is
          mapped, or would have been if it had other responses; this response to it is not;
        - "cue is not among the n_words";
        - "cue was left without responses": none of its responses is mapped, so that it has no P; leaving it out may
          leave another cue without, until no more are. Such a word is not replaced by the next one in rank.

    Raises
    ------
    TypeError, ValueError
        If a column is missing, a word is empty or was read in a wrong encoding, a count is no count, or the file is
        damaged; the message names the file, the line, the column and the value. A file that ends between two lines, or
        within its last number, cannot be distinguished from a whole one. Also if fewer than 3 words are left.
    OSError
        If the file cannot be opened.

    Examples
    --------
    >>> import pandas as pd
    >>> norms = pd.DataFrame(
    ...     {
    ...         "shown": ["river", "bank", "bank", "bank", "money"],
    ...         "answered": ["bank", "money", "river", "loan", "bank"],
    ...         "people": [9, 6, 2, 2, 5],
    ...     }
    ... )
    >>> data = associations(norms, cue="shown", response="answered", count="people")
    >>> data.names.tolist()
    ['bank', 'money', 'river']
    >>> data.P.toarray()
    array([[0.  , 0.75, 0.25],
           [1.  , 0.  , 0.  ],
           [1.  , 0.  , 0.  ]])
    >>> data.kept
    array([0.8, 1. , 1. ])
    >>> data.report
                     what   cue response  count
    0  response is no cue  bank     loan      2
    """
    wanted = {"cue": cue, "response": response, "count": count}
    for argument in ("cue", "response"):
        if wanted[argument] is None:
            raise TypeError(f"{argument} must be the name of a column, as text, got None")
    columns = read_columns(table, wanted, delimiter=delimiter, encoding=encoding)
    cues, responses = to_words(columns["cue"]), to_words(columns["response"])
    counts = np.array(to_counts(columns["count"])) if count is not None else np.ones(len(cues))
    return map_pairs(
        cues,
        responses,
        counts,
        n_words,
        repeats=count is None,
        title=f"Word associations, {Path(table).name}" if isinstance(table, (str, Path)) else "Word associations",
    )


def map_pairs(cues, responses, counts, n_words=None, *, repeats=False, **about):
    """Return the data set of the words that can be mapped, as `associations` describes it.

    Parameters
    ----------
    cues, responses : list of str
        The words of each pair.
    counts : array-like of float, shape (n_pairs,)
        How often each pair occurred, finite and at least 0.
    n_words : int, optional
        How many words to keep at most.
    repeats : bool, default False
        Whether a pair is expected to be there more than once.
    **about
        title, citation and license of the data set.

    Returns
    -------
    dataset : Dataset

    Raises
    ------
    TypeError, ValueError
        If n_words is not a whole number of at least 3, or above the number of cues, or fewer than 3 words are left.
    """
    words, c, r = _numbered(cues, responses)
    with np.errstate(over="ignore"):
        if not np.isfinite(np.sum(counts)):
            raise ValueError(
                "the counts must have a finite sum, got numbers too large to add; give them in a larger unit"
            )
    counts = np.asarray(counts)
    if (counts == np.floor(counts)).all() and np.sum(counts) < 2**53:
        counts = counts.astype(np.int64)
    report = _Report(words)
    report.pairs("count is 0", c[counts == 0], r[counts == 0], counts[counts == 0])
    is_cue = np.zeros(len(words), bool)
    is_cue[c] = True
    _check_n_words(n_words, is_cue.sum())

    c, r, n, n_rows = _summed(c, r, counts, len(words))
    if not repeats:
        report.pairs("duplicate was summed", c[n_rows > 1], r[n_rows > 1], n[n_rows > 1])
    answered = _totals(c, n, len(words))  # how often each cue was answered, whatever the answer
    report.pairs("self-response", c[c == r], r[c == r], n[c == r])
    c, r, n = c[c != r], r[c != r], n[c != r]

    given = _totals(r, n, len(words))
    ranked = np.lexsort((np.arange(len(words)), -given))  # words are numbered in the order of their names
    ranked = ranked[is_cue[ranked]]
    among = np.zeros(len(words), bool)
    among[ranked[:n_words]] = True
    mapped = among.copy()
    while len(empty := np.flatnonzero(mapped & (_totals(c[mapped[r]], n[mapped[r]], len(words)) == 0))):
        mapped[empty] = False

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
    order = ranked[mapped[ranked]]
    return Dataset(
        **_arrays(c, r, n, order, mapped, answered, words),
        names=words[order],
        report=report.table(counts.dtype),
        **about,
    )


class _Report:
    """What was left out: pairs and cues, gathered as arrays of numbers of words."""

    def __init__(self, words):
        self.words = words
        self.parts: list[tuple] = []

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


def _numbered(cues, responses):
    """Return the words in the order of their names, and the number of each cue and each response."""
    words = np.array(sorted({*cues, *responses}), dtype=object)
    number = {word: i for i, word in enumerate(words)}
    return words, *(np.array([number[word] for word in side], dtype=np.int64) for side in (cues, responses))


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


def _check_n_words(n_words, n_cues):
    if n_words is None:
        return
    if isinstance(n_words, bool) or not isinstance(n_words, (int, np.integer)):
        raise TypeError(f"n_words must be a whole number or None, got {show(n_words)}")
    if not _LEAST_WORDS <= n_words <= n_cues:
        raise ValueError(
            f"n_words must be at least {_LEAST_WORDS} and at most the number of cues, {n_cues}, got {show(n_words)}; "
            "None keeps all cues"
        )
