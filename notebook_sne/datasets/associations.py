"""Word associations: the words that people answer when they are given a word, the objects of [Cook2007, Fig. 5].

Each *cue* was shown to many people, and each of them wrote down a *response*. A word is mapped, as an object, if it has
both roles: if it is a cue, and if some other mapped word was a response to it. Then

    counts[i, j] = how often word j was the response to word i
    p_{j|i}      = counts[i, j] / sum_k counts[i, k]

A P has no diagonal and no empty row, and an answer that is no cue has no row: answers that can't be mapped are left
out, and reported pair by pair (`pairs`).

Longer than 300 lines because half of them tell how norms are read and distributed.
"""

from __future__ import annotations

import warnings
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Mapping, Sequence
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from notebook_sne.datasets.dataset import Dataset
from notebook_sne.datasets.pairs import map_pairs
from notebook_sne.datasets.tables import as_text, read_columns, to_counts, to_words
from notebook_sne.engine.checks.arguments import check_choice, check_number
from notebook_sne.engine.checks.numbers import as_list, show

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["associations"]

_COMMON = 10  # responses that are looked at for one that stands for none
_LIKE_MISSING = {"na", "n/a", "#n/a", "nan", "null", "none", "missing", "unknown word", "no more responses", "-", "?"}


def associations(
    table: pd.DataFrame | str | Path,
    *,
    cue: Hashable,
    response: Hashable | Sequence[Hashable],
    count: Hashable | None,
    n_words: int | None = None,
    min_count: float = 0.0,
    case: Literal["keep", "lower"] = "keep",
    same: Mapping[str, str] | None = None,
    weights: Sequence[float] | None = None,
    missing: Literal["raise", "drop"] = "raise",
    missing_values: Collection[str] = (),
    delimiter: str = ",",
    encoding: str = "utf-8",
    quotes: bool = True,
    title: str | None = None,
    citation: str = "",
) -> Dataset:
    r"""Return the words of your own association norms, and how often each evokes another.

    All words are text: "null", "nan", "NA", "none" and "true" are words, unless `missing_values` lists them. Blanks
    around a word are removed; accents are kept, and so is case, unless `case` changes this, so that Bank and bank are
    two words. What looks the same is one word: an accent written as a separate character is joined with its letter
    (Unicode NFC), several blanks within a word are one, and a typographic apostrophe is a straight one. Files are never
    unpickled or executed.

    Parameters
    ----------
    table : pandas.DataFrame, str or Path
        A row for each pair of words; or the path of a file with a header line, such as a CSV file.
    cue : str
        The column of the words that were shown.
    response : str, or list of str
        The column of the answers; or several such columns of a wide table, whose rows have all the answers of one
        person: ``response=["R1", "R2", "R3"], count=None``.
    count : str or None
        The column with the number of times, finite and at least 0; None if each row is one person's answer, so that
        equal answers are counted.
    n_words : int, optional
        Number of words to keep: the cues that are most often given as responses, over all cues; at equal counts, the
        first by name. By default, all cues are kept. Either way, the company of the associates, from which the senses
        of words are read, comes from all words (`Dataset.whole`).
    min_count : float, default 0
        Leave out pairs that were given less often: 2 leaves out answers of only one person, as the USF norms did.
    case : {"keep", "lower"}, default "keep"
        "lower" writes all words in lowercase, so that Bank and bank are one word.
    same : mapping of str to str, optional
        Words to count as other words, such as ``{"fingers": "finger"}`` or the lemmas of a column: for cues and
        responses, after `case`.
    weights : sequence of float, optional
        For several columns of responses, the weight of an answer in each of them, at least 0:
        ``response=["R1", "R2", "R3"], weights=[1, 0.5, 0.25]``. The default is 1 for all.
    missing : {"raise", "drop"}, default "raise"
        What to do if a cue, a response or a count is missing: raise an error, or leave the row out and report it.
    missing_values : list of str, default ()
        Words that mean a missing value, such as "NA" in a file of R; an empty cell always does.
    delimiter : str, default ","
        The character between the columns of a file; ";" and a tab are common.
    encoding : str, default "utf-8"
        The encoding of the file, with or without a byte order mark.
    quotes : bool, default True
        Whether a cell of a file may be in quotation marks. False for files in which these are ordinary characters, such
        as those of R's ``write.table(quote=FALSE)``.
    title : str, optional
        What to call the norms on pages and in tables; "Word associations" and the file's name where left out.
    citation : str, default ""
        The publication to cite. Pages, tables and pictures of the senses name it.

    Returns
    -------
    dataset : Dataset
        The words, with the most frequent responses first:

        - ``names``; ``counts`` and ``P``, shape (N, N), scipy.sparse CSR: responses to word i are in row i.
        - ``kept``, the fraction of each word's responses that are among the words.
        - ``outside``, shape (N, K), scipy.sparse CSR: the counts that P doesn't show. First there is a column for each
          response that isn't mapped: how often the word of the row led *to* it. Then there is a column for each cue
          that isn't mapped: how often the word of the row came *from* it. ``outside_names`` names them, as in "to
          loan" and "from loan". Pairs below min_count are in neither.
        - ``whole``, if `n_words` leaves cues out: the data set of all cues; None otherwise.
        - ``made``, the file and the arguments, as a mapping.
        - ``report``, a data frame with the columns what, cue, response, count: a row for each change or omission, so
          that ``data.report.groupby("what")["count"].agg(["size", "sum"])`` summarizes it.

        A row of the report is about a pair, or about a cue; in that case its response is "" and its count is how often
        the cue was answered. ``what`` is one of

        - "cue is missing", "response is missing", "count is missing": with ``missing="drop"``; cue and response as they
          were written, and how often. Such a response isn't an answer: ``kept`` doesn't count it;
        - "count is 0": the row was ignored;
        - "duplicate was summed": the pair was in more than one row, and the count is their sum (only this leaves
          nothing out; without a count column, equal rows are counted and not reported);
        - "self-response": a word answered with itself, which P can't hold;
        - "given less often than min_count";
        - "response is no cue", "response isn't among the n_words", "response was left without responses": the cue is
          mapped, or would have been if it had other responses; this response to it isn't;
        - "cue isn't among the n_words";
        - "cue was left without responses": none of its responses is mapped, so that it has no P; leaving it out may
          leave another cue without responses, and so on. Such a word isn't replaced by the next one in rank.

    Raises
    ------
    TypeError, ValueError
        If a column is missing, a word is empty or was read with a wrong encoding, a count is invalid, or the file is
        damaged; the message names the file, the line, the column and the value. A file that ends between two lines, or
        within its last number, can't be distinguished from a complete one. Also if a file is packed, or if fewer than
        3 words are left.
    OSError
        If the file can't be opened.

    Warns
    -----
    UserWarning
        If `n_words` is above the number of cues, because then all are kept; or if one of the ten most common responses
        reads like a missing one, such as NA, and isn't among the `missing_values`.

    Notes
    -----
    Published norms can be downloaded and read as they are, once they are unpacked:

    - Small World of Words [DeDeyne2019]_, 12,000 cues. Its table of answers, a row for each person and cue, whose
      missing answers are NA::

        associations("SWOW-EN.R100.csv", cue="cue", response=["R1", "R2", "R3"], count=None,
                     missing="drop", missing_values=["NA"])

      In the complete table, missing answers read "No more responses" and "Unknown word". This reads its table of counts
      of first answers; the table of all three has R123 instead of R1::

        associations("strength.SWOW-EN.R1.csv", cue="cue", response="response", count="R1",
                     delimiter="\t", quotes=False)

    - USF, 5,018 cues: `fetch_usf_associations` fetches and reads the files of its Appendix A. Other tables of them are
      read like any table, for example with ``cue="cue", response="response", count="R1"``, and ``min_count=2`` if they
      include answers of only one person.
    - EAT, the Edinburgh Associative Thesaurus [Kiss1973]_, 8,200 cues, as a table with a count: some answers are
      empty, so ``missing="drop"``.

    .. [DeDeyne2019] S. De Deyne, D. J. Navarro, A. Perfors, M. Brysbaert and G. Storms, The "Small World of Words"
       English word association norms for over 12,000 cue words, Behavior Research Methods 51 (2019) 987-1006
    .. [Kiss1973] G. R. Kiss, C. Armstrong, R. Milroy and J. Piper, An associative thesaurus of English and its computer
       analysis, The Computer and Literary Studies, 1973

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

    A wide table, in which two people didn't answer three times:

    >>> answers = pd.DataFrame(
    ...     {
    ...         "cue": ["river", "bank", "bank", "money"],
    ...         "R1": ["bank", "money", "river", "bank"],
    ...         "R2": ["money", "NA", "money", "NA"],
    ...     }
    ... )
    >>> wide = {"cue": "cue", "response": ["R1", "R2"], "count": None}
    >>> data = associations(answers, **wide, missing="drop", missing_values=["NA"])
    >>> data.names.tolist(), data.counts.toarray().tolist()
    (['money', 'bank', 'river'], [[0, 1, 0], [2, 0, 1], [1, 1, 0]])
    >>> data.report
                      what    cue response  count
    0  response is missing   bank       NA      1
    1  response is missing  money       NA      1
    """
    for argument, name in (("cue", cue), ("response", response)):
        if name is None:
            raise TypeError(f"{argument} must be the name of a column, as text, got None")
    check_number("min_count", min_count, 0.0)
    drop = check_choice("missing", missing, ("raise", "drop")) == "drop"
    check_choice("case", case, ("keep", "lower"))
    weights = _checked_weights(weights, response)
    wanted = {"cue": cue, **_response_columns(response, count), "count": count}
    columns = read_columns(table, wanted, delimiter=delimiter, encoding=encoding, quotes=quotes)
    missing_values = _texts("missing_values", missing_values)
    cues, responses, counts, *rest = _answers(columns, missing_values, drop, weights)
    _warn_of_missing(responses)
    alike = _Alike(case, same)
    name = f", {Path(table).name}" if isinstance(table, (str, Path)) else ""
    asked = {"case": case, "words counted as others": len(same or ()), "weights": weights, "missing": missing}
    usual = {"case": "keep", "words counted as others": 0, "weights": None, "missing": "raise"}
    columns_asked = {"cue": cue, "response": response, "count": count}
    made = {"file": name[2:] or "a table", **columns_asked, **{k: v for k, v in asked.items() if v != usual[k]}}
    return map_pairs(
        alike.words(cues),
        alike.words(responses),
        counts,
        n_words,
        repeats=count is None,
        min_count=min_count,
        unread=rest[0],
        shown=alike.words(rest[1]),
        made={key: value if isinstance(value, int | float) else _as_words(value) for key, value in made.items()},
        title=f"Word associations{name}" if title is None else title,
        citation=citation,
    )


def _as_words(value):
    """Return a name, a list of them, or numbers, as one text."""
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else "none" if value is None else str(value)


class _Alike:
    """Which words count as which."""

    def __init__(self, case, same):
        if same is not None and not isinstance(same, Mapping):
            raise TypeError(
                f"same must be a mapping of words to words, got {show(same)}; such as {{'fingers': 'finger'}}"
            )
        self._write = str.lower if case == "lower" else str
        self._same = {}
        for word, other in (same or {}).items():
            if not isinstance(word, str) or not isinstance(other, str) or not as_text(other):
                raise TypeError(f"same must be a mapping of words to words, got {show(word)}: {show(other)}")
            self._same[self._write(as_text(word))] = self._write(as_text(other))

    def words(self, words):
        written = map(self._write, words)
        return [self._same.get(word, word) for word in written]


def _checked_weights(weights, response):
    """Return the weights of columns of responses as a list of float, or None."""
    if weights is None:
        return None
    n_columns = len(response) if isinstance(response, (list, tuple)) else 1
    weights = [check_number(f"weights[{k}]", weight, 0.0) for k, weight in enumerate(as_list("weights", weights))]
    if len(weights) != n_columns or n_columns < 2:
        raise ValueError(
            f"weights must have one number for each of several columns of responses, got {len(weights)} for "
            f"{n_columns}; response=['R1', 'R2', 'R3'] takes three"
        )
    return weights


def _warn_of_missing(responses):
    """Warn of a common response that reads like a missing one."""
    for word, count in Counter(responses).most_common(_COMMON):
        if word.casefold() in _LIKE_MISSING:
            warnings.warn(
                f"{show(word)} is one of the {_COMMON} commonest responses, in {count} rows: programs write it where "
                f'one is missing; missing="drop", missing_values=[{show(word)}] leaves it out',
                stacklevel=3,
            )


def _response_columns(response, count):
    """Return the names of the columns of responses by the argument that asks for each."""
    if not isinstance(response, (list, tuple)):
        return {"response": response}
    if not response:
        raise ValueError("response must name at least one column, got an empty list")
    if count is not None:
        raise ValueError(
            f"count must be None where response is a list, whose rows are one person's answers, got {show(count)}; "
            "give one column of responses, or leave the counts out"
        )
    for k, name in enumerate(response):
        if not isinstance(name, str):
            raise TypeError(f"response[{k}] must be the name of a column, as text, got {show(name)}")
    return {f"response[{k}]": name for k, name in enumerate(response)}


def _texts(name, values):
    """Return a set of texts, each as it reads in a table."""
    texts = as_list(name, list(values) if isinstance(values, (set, frozenset)) else values)
    for k, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(f"{name} must be texts, got {show(text)} at place {k}; an empty cell needs no entry")
    return frozenset(map(as_text, texts))


def _answers(columns, missing_values, drop, weights):
    """Return cues, responses and counts of all pairs that are whole, and of the others what `map_pairs` asks for."""
    parts = [column for argument, column in columns.items() if argument.startswith("response")]
    cues = to_words(columns["cue"], missing_values, drop=drop) * len(parts)
    responses = [word for part in parts for word in to_words(part, missing_values, drop=drop)]
    counts = np.repeat(np.ones(len(parts)) if weights is None else weights, len(columns["cue"].cells))
    if "count" in columns:
        counts = np.array(to_counts(columns["count"], missing_values, drop=drop), dtype=float)
    whole = ~np.isnan(counts)
    if drop:
        whole &= np.fromiter((a is not None and b is not None for a, b in zip(cues, responses, strict=True)), bool)
    if whole.all():
        return cues, responses, counts, (), ()
    n_rows, shown = len(columns["cue"].cells), set()
    missing: dict[tuple[str, str, str], float] = defaultdict(float)
    for at in np.flatnonzero(~whole).tolist():
        cue, response = cues[at], responses[at]
        what = "cue" if cue is None else "response" if response is None else "count"
        if cue is None:
            cue = as_text(columns["cue"].cells[at % n_rows])
        else:
            shown.add(cue)
        if response is None:
            response = as_text(parts[at // n_rows].cells[at % n_rows])
        missing[f"{what} is missing", cue, response] += 0.0 if np.isnan(counts[at]) else counts[at]
    unread = sorted((*key, n) for key, n in missing.items())
    return list(compress(cues, whole)), list(compress(responses, whole)), counts[whole], unread, shown
