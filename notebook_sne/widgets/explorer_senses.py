"""What an explorer knows of the senses of each word, packed for the browser, and the columns of its table."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import sparse

from notebook_sne.checks.numbers import show
from notebook_sne.fitting.progress import progress_bar
from notebook_sne.widgets.explorer_maps import fitted_maps, kernel_of

__all__ = ["Sense", "known_of_words", "pack_senses", "ties_of_models"]

MOST_ASSOCIATES = 30  # of one sense, those that belong to it most


def known_of_words(models, names, counts, senses, evidence):
    """Return the traits that tell what is known of each word besides maps and counts.

    There are no fitted models where a running fit is followed. The others are as given to `Explorer`; names are read
    already.
    """
    columns, found = {}, []
    if len(models) > 1:
        columns, found = _agreed(_consensus_of(models, names, counts, senses))
    elif senses is not None:
        raise ValueError("senses must be left out for a single fit: it is a Consensus of several; give all of them")
    elif models:
        found = _read(models[0], counts)
    if evidence is not None:
        columns |= _evidence_columns(evidence, names)
    return {"senses": pack_senses(found) if found else b"", **_pack_columns(columns)}


def ties_of_models(models):
    """Return who is tied to whom by the P of fitted models, 1 for each tie; None where no sparse P is known."""
    P = getattr(models[0], "affinities_", None) if models else None
    if not sparse.issparse(P):
        return None
    ties = sparse.csr_array(P, copy=True)
    ties.eliminate_zeros()
    ties.data = np.ones(len(ties.data))
    return ties


def _consensus_of(models, names, counts, senses):
    if senses is None:
        from notebook_sne.senses.consensus import consensus  # it brings compiled code, which only several fits need

        return consensus(models, names, counts)
    if tuple(senses.names) != names or senses.n_fits != len(models):
        raise ValueError(
            f"senses must be the Consensus of these {len(models)} fits and their {len(names)} words, got one of "
            f"{senses.n_fits} fits and {len(senses.names)} words; leave it out, and it is computed"
        )
    return senses


class Place(NamedTuple):
    """Where a sense is."""

    fit: int
    map: int
    proportion: float
    """Of the word in the map."""
    share: float
    """Of the word's ties, that the place explains."""
    at: np.ndarray
    """In the map, whose points are centered."""


class Sense(NamedTuple):
    """One sense of a word, as the browser knows it."""

    share: float
    """Of the word's ties."""
    seen: float
    """Share of the fits in which it is seen."""
    certainty: float
    """That it is apart from stronger ones; NaN for what one fit alone shows, and no sense has."""
    associates: list[tuple[int, float, float]]
    """Its words, each with how far it belongs to this sense, and the part of it that the sense's place explains."""
    places: list[Place]


def pack_senses(words):
    """Return the senses of all words, a list of Sense for each, as float32 bytes.

    The numbers are those of words, senses, associates, places and coordinates; for each word where its senses begin,
    and an end; for each sense share, seen, certainty, and where its associates and its places begin, each with an end;
    the words of the associates, how far they belong to their senses, and how far these explain them; fit, map,
    proportion, share and coordinates of the places.
    """
    senses = [sense for word in words for sense in word]
    associates = [one for sense in senses for one in sense.associates]
    places = [one for sense in senses for one in sense.places]
    d = max((len(place.at) for place in places), default=0)
    at = np.zeros((len(places), d))
    for row, place in zip(at, places, strict=True):
        row[: len(place.at)] = place.at
    parts = [
        (len(words), len(senses), len(associates), len(places), d),
        _begins(words),
        [sense.share for sense in senses],
        [sense.seen for sense in senses],
        [sense.certainty for sense in senses],
        _begins([sense.associates for sense in senses]),
        _begins([sense.places for sense in senses]),
        *np.reshape(associates, (-1, 3)).T,
        *np.reshape([place[:4] for place in places], (-1, 4)).T,
        at,
    ]
    return b"".join(np.asarray(part, dtype="<f4").tobytes() for part in parts)


def _begins(lists):
    return np.concatenate([[0], np.cumsum([len(one) for one in lists])])


AGREED = {  # the columns of several fits, and what they mean
    "senses": "senses found over all fits",
    "certainty": "how certain it is, from 0 to 1, that there is a second sense",
    "second": "share of the word's ties that its second sense has",
    "seen": "share of the fits in which the second sense is seen",
}


def _agreed(consensus):
    """Return the columns of a Consensus, and the senses of each word."""
    values, words = [], []
    with progress_bar("auto", consensus.n_fits, "reading fits") as bar:
        for reading in consensus.readings:
            reading.explain_all()
            bar.update()
    centers = [reading.mixture.maps.mean(axis=1) for reading in consensus.readings]
    with progress_bar("auto", len(consensus.names), "senses of words") as bar:
        for i in range(len(consensus.names)):
            found = consensus.senses(i)
            word = _senses_of(i, found, consensus.readings, centers)
            n_senses = len(found.groups)
            second = (word[1].share, word[1].seen) if n_senses > 1 else (0.0, 0.0)
            values.append((n_senses, found.second, *second))
            words.append(word)
            bar.update()
    columns = zip(AGREED.items(), np.array(values).T, strict=True)
    return {name: (text, value) for (name, text), value in columns}, words


def _senses_of(i, found, readings, centers):
    """Return the senses of word i over several fits, and after them what one fit alone shows."""

    def place(f, c):
        return _place(f, readings[f].explained(i), c, readings[f].mixture.mixing[:, i], centers[f])

    word = []
    for s, group in enumerate(found.groups):
        own = [(found.associates[a], found.belongs[a, s], found.explained[a, s]) for a in group[:MOST_ASSOCIATES]]
        places = [place(f, found.component[s, f]) for f in np.flatnonzero(found.seen[s])]
        share = found.shares[group].sum()
        word.append(Sense(share, found.seen[s].mean(), found.certainty[s], own, places))
    for f, c, group in found.once:
        parts = readings[f].explained(i).parts[:, c]
        own = [(found.associates[a], parts[a], parts[a]) for a in group[:MOST_ASSOCIATES]]
        here = place(f, c)
        word.append(Sense(here.share, 1 / len(readings), np.nan, own, [here]))
    return word


def _read(model, counts):
    """Return the senses of each word in one fit: nothing where there are no several maps, or no sparse associations."""
    maps, mixing = fitted_maps(model)
    P = getattr(model, "affinities_", None)
    P = P if sparse.issparse(P) else counts
    if len(maps) < 2 or P is None:
        return []
    from notebook_sne.senses.company import ties_of
    from notebook_sne.senses.explained import Explained
    from notebook_sne.senses.grouping import LEAST_SHARE
    from notebook_sne.senses.mixture import Mixture, conditional_rows
    from notebook_sne.senses.reading import LEAST_PART

    ties = ties_of(conditional_rows(P))
    explained = Explained(ties, Mixture(maps, mixing / mixing.sum(axis=0), kernel_of(model)))
    with progress_bar("auto", 1, "reading senses") as bar:
        explained.make_all()
        bar.update()
    centers, words = maps.mean(axis=1), []
    for i in range(maps.shape[1]):
        found, row = explained.of(i), slice(ties.indptr[i], ties.indptr[i + 1])
        own, strongest = ties.indices[row], np.argsort(-ties.data[row], kind="stable")
        first = found.parts.argmax(axis=1)
        word = []
        for c in np.flatnonzero(found.shares >= LEAST_SHARE):
            mine = strongest[(first[strongest] == c) & (found.parts[strongest, c] >= LEAST_PART)]
            listed = [(own[a], found.parts[a, c], found.parts[a, c]) for a in mine[:MOST_ASSOCIATES]]
            place = _place(0, found, c, mixing[:, i], centers)
            word.append(Sense(found.shares[c], 1.0, 1.0, listed, [place]))
        words.append(word)
    return words


def _place(fit, found, c, mixing, centers):
    """Return the Place of component c of a word."""
    m = int(found.maps[c])
    return Place(fit, m, mixing[m], found.shares[c], found.places[c] - centers[m])


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
