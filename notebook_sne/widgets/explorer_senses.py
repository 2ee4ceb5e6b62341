"""What an explorer knows of the senses of each word, packed for the browser, and the columns of its table."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from notebook_sne.given import show

__all__ = ["Sense", "known_of_words", "pack_senses"]

MOST_ASSOCIATES = 30  # of one sense, those that belong to it most


def known_of_words(models, names, counts, threshold, senses, evidence):
    """Return the traits that tell what is known of each word besides maps and counts.

    Parameters
    ----------
    models : list of fitted models
        None of them where a running fit is followed.
    names, counts, threshold, senses, evidence
        As given to `Explorer`; names are read already.
    """
    columns, found = {}, []
    if len(models) > 1:
        senses = _consensus_of(models, names, counts, senses)
        columns, found = _agreed_columns(senses, names), _agreed_senses(senses)
    elif senses is not None:
        raise ValueError("senses must be left out for a single fit: it is a Consensus of several; give all of them")
    if evidence is not None:
        columns |= _evidence_columns(evidence, names)
    return {"senses": pack_senses(found) if found else b"", **_pack_columns(columns)}


def _consensus_of(models, names, counts, senses):
    if senses is None:
        from notebook_sne.senses.consensus import consensus

        return consensus(models, names, counts=counts)
    if tuple(senses.names) != names or senses.n_fits != len(models):
        raise ValueError(
            f"senses must be the Consensus of these {len(models)} fits and their {len(names)} words, got one of "
            f"{senses.n_fits} fits and {len(senses.names)} words; leave it out, and it is computed"
        )
    return senses


class Sense(NamedTuple):
    """One sense of a word, as the browser knows it."""

    share: float
    """Of the word's associations."""
    seen: float
    """Share of the fits in which it is seen."""
    certainty: float
    associates: list[tuple[int, float]]
    """The words that it explains, each with the certainty that it belongs to this sense."""
    places: list[tuple[int, int, float, float]]
    """Where it is: fit, map, mixing proportion of the word in the map, and share of the sense."""


def pack_senses(words):
    """Return the senses of all words as float32 bytes.

    The numbers are those of words, senses, associates and places; for each word where its senses begin, and an end;
    for each sense share, seen, certainty, and where its associates and its places begin, each with an end; the words
    and certainties of the associates; fit, map, proportion and share of the places.

    Parameters
    ----------
    words : sequence of list of Sense
        The senses of each word.
    """
    senses = [sense for word in words for sense in word]
    associates = [one for sense in senses for one in sense.associates]
    places = [one for sense in senses for one in sense.places]
    parts = [
        (len(words), len(senses), len(associates), len(places)),
        _begins(words),
        [sense.share for sense in senses],
        [sense.seen for sense in senses],
        [sense.certainty for sense in senses],
        _begins([sense.associates for sense in senses]),
        _begins([sense.places for sense in senses]),
        *np.reshape(associates, (-1, 2)).T,
        *np.reshape(places, (-1, 4)).T,
    ]
    return b"".join(np.asarray(part, dtype="<f4").tobytes() for part in parts)


def _begins(lists):
    return np.concatenate([[0], np.cumsum([len(one) for one in lists])])


def _agreed_senses(consensus):
    """Return the senses of each word over several fits, from a Consensus."""
    index = {name: i for i, name in enumerate(consensus.names)}
    return [_agreed(consensus.of(word), consensus.places(word), index) for word in consensus.names]


def _agreed(table, places, index):
    """Return the senses of one word, from its two tables."""
    senses = []
    columns = (table[name].to_numpy() for name in ("sense", "share", "seen", "certainty", "belongs"))
    sense, share, seen, certainty, belongs = columns
    associates = [index[word] for word in table["associate"]]
    of = places["sense"].to_numpy()
    where = places[["fit", "map", "proportion", "share"]].to_numpy(dtype=float)
    for k in sorted(set(sense) | set(of)):
        rows = np.flatnonzero(sense == k)
        at = rows[0]
        listed = [(associates[r], float(belongs[r])) for r in rows[:MOST_ASSOCIATES]]
        senses.append(Sense(share[at], seen[at], certainty[at], listed, [tuple(row) for row in where[of == k]]))
    return senses


AGREED = {  # the columns of a Consensus that the table shows: under which name, and what they mean
    "n_senses": ("senses", "senses found over all fits"),
    "certainty": ("certainty", "how certain it is, from 0 to 1, that there is a second sense"),
    "second": ("second", "share of the word's associations that its second sense has"),
    "seen": ("seen", "share of the fits in which the second sense is seen"),
}


def _agreed_columns(consensus, names):
    """Return what a Consensus says of each word: a dict of columns, each a text and N values."""
    table = consensus.table().set_index("word").loc[list(names)]
    return {shown: (text, table[name].to_numpy(dtype=float)) for name, (shown, text) in AGREED.items()}


EVIDENCE = {  # the columns of an Evidence, and what they mean
    "n_copies": "copies of the word, mean over the fits of the evidence",
    "n_fits": "fits of the evidence in which it has several",
    "gain": "what its second copy adds to the prediction of held-out responses, in nats a response",
    "error": "standard error of the gain",
    "p_value": "of no gain",
    "q_value": "least rate of false discoveries at which the word is among those found",
    "n_test": "held-out responses of the word",
}


def _evidence_columns(evidence, names):
    """Return the numeric columns of a table with one row a word, in the order of the names; NaN for other words."""
    import pandas as pd

    if not isinstance(evidence, pd.DataFrame):
        evidence = getattr(evidence, "words", evidence)  # of an Evidence
    if not isinstance(evidence, pd.DataFrame) or "word" not in evidence:
        raise TypeError(
            f"evidence must be a DataFrame with a column word, got {show(evidence)}; such as one of senses.evidence"
        )
    unknown = sorted(set(map(str, evidence["word"])) - set(names))
    if unknown:
        raise ValueError(
            f"evidence must be of words that are mapped, got {show(unknown[0])} ({len(unknown)} such words); leave "
            "their rows out"
        )
    twice = evidence["word"][evidence["word"].duplicated()]
    if len(twice):
        raise ValueError(
            f"evidence must have one row a word, got several for {show(twice.iloc[0])}; keep one of each, such as "
            "evidence.drop_duplicates('word')"
        )
    numeric = evidence.set_index("word").select_dtypes("number")
    if not numeric.shape[1]:
        raise ValueError("evidence must have a column of numbers besides word; add what was measured")
    rows = numeric.reindex(list(names))
    return {str(name): (EVIDENCE.get(name, "as it was given"), rows[name].to_numpy(dtype=float)) for name in numeric}


def _pack_columns(columns):
    """Return the traits `columns` and `column_values`."""
    values = [np.asarray(value, dtype="<f4").tobytes() for _, value in columns.values()]
    return {
        "columns": [{"name": name, "text": text} for name, (text, _) in columns.items()],
        "column_values": b"".join(values),
    }
