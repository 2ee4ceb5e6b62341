"""The senses of each word in an explorer, packed for the browser."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import sparse

from notebook_sne.browser.widgets.explorer_columns import columns_of, pack_columns
from notebook_sne.browser.widgets.explorer_maps import fitted_maps
from notebook_sne.engine.fitting.progress import progress_bar
from notebook_sne.senses.words import given as answers

__all__ = ["Associate", "Sense", "known_of_words", "pack_senses", "ties_of_models"]

MOST_ASSOCIATES = 30  # of one sense, those that belong to it most

SENSE, SMALL, ONCE = 0, 1, 2
"""Kinds of groups: a sense; one that is too small for it, but far from all; what one fit alone shows."""


def known_of_words(models, words, names, counts, senses, columns):
    """Return the traits that tell what is known of each word besides maps and counts.

    There are no fitted models where a running fit is followed. `words` and the others are as given to `Explorer`, but
    for `names`, which are read already.
    """
    known, facts, consensus = {}, {}, _consensus_of(models, words, names, counts, senses)
    if consensus is not None:
        known, found, others = _agreed(consensus)
        facts = {"senses": pack_senses(found), "others": others, "made": consensus.made, "alike": consensus.alike}
    known |= columns_of(words, columns, names)
    return {**facts, **pack_columns(known)}


def ties_of_models(models):
    """Return which words are tied by the P of fitted models, 1 for each tie; None where no sparse P is known."""
    P = getattr(models[0], "affinities_", None) if models else None
    if not sparse.issparse(P):
        return None
    ties = sparse.csr_array(P, copy=True)
    ties.eliminate_zeros()
    ties.data = np.ones(len(ties.data))
    return ties


def _consensus_of(models, words, names, counts, senses):
    """Return the Consensus of fitted models; None where nothing is known of senses."""
    if senses is None:
        if not models or len(fitted_maps(models[0])[0]) < 2:
            return None
        told = (getattr(models[0], "affinities_", None), getattr(words, "counts", None), getattr(words, "P", None))
        if counts is None and not any(sparse.issparse(pairs) for pairs in told):
            return None
        from notebook_sne.senses import consensus  # it brings compiled code, which only several maps need

        return consensus(models, words, counts)
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
    seen: bool
    """Whether the word is there, and not its company alone."""
    at: np.ndarray
    """In the map, whose points are centered."""


class Associate(NamedTuple):
    """A word of a sense."""

    word: int
    """Its number among the names, or among the other words of the norms, which come after them."""
    belongs: float
    """How far it belongs to this sense."""
    explained: float
    """Part of it that the sense's place explains; NaN where it is not mapped, or no fit shows the sense."""
    given: float
    """How often it was given for the word, NaN where that is not known; and the word for it."""
    giving: float


class Sense(NamedTuple):
    """One sense of a word, as the browser knows it."""

    kind: int
    """SENSE, SMALL or ONCE."""
    share: float
    """Of the word's ties."""
    seen: float
    """Share of the fits in which it is seen."""
    certainty: float
    """That it is apart from stronger ones; NaN for the first one, and for other groups."""
    given: float
    """How many answers to the word are of it, NaN where that is not known."""
    associates: list[Associate]
    places: list[Place]


def pack_senses(words):
    """Return the senses of all words, a list of Sense for each, as float32 bytes.

    The numbers are those of words, senses, associates, places and coordinates; for each word where its senses begin,
    and an end; for each sense kind, share, seen, certainty, given, and where its associates and its places begin, each
    with an end; the fields of Associate, a row each; fit, map, proportion, share, seen and coordinates of the places.
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
        *np.reshape([sense[:5] for sense in senses], (-1, 5)).T,
        _begins([sense.associates for sense in senses]),
        _begins([sense.places for sense in senses]),
        *np.reshape(associates, (-1, len(Associate._fields))).T,
        *np.reshape([place[:5] for place in places], (-1, 5)).T,
        at,
    ]
    return b"".join(np.asarray(part, dtype="<f4").tobytes() for part in parts)


def _begins(lists):
    return np.concatenate([[0], np.cumsum([len(one) for one in lists])])


AGREED = {  # the columns of fits, and what they mean
    "senses": "senses that the norms tell apart",
    "certainty": "how certain it is, from 0 to 1, that there is a second sense",
    "second": "share of the word's ties that its second sense has",
    "seen": "share of the fits in which the second sense is seen",
    "answers": "how many answers people gave to the word",
}


def _agreed(consensus):
    """Return the columns of a Consensus, the senses of each word, and the other words that are named in them."""
    values, words = [], []
    with progress_bar("auto", consensus.n_fits, "reading fits") as bar:
        for reading in consensus.readings:
            reading.explain_all()
            bar.update()
    centers = [reading.mixture.maps.mean(axis=1) for reading in consensus.readings]
    with progress_bar("auto", len(consensus.names), "senses of words") as bar:
        for i in range(len(consensus.names)):
            found = consensus.senses(i)
            word = _senses_of(i, found, consensus, centers)
            second = (word[1].share, word[1].seen) if found.n_senses > 1 else (0.0, 0.0)
            answered = np.nan if consensus.answers is None else consensus.answers[i]
            values.append((found.n_senses, found.second, *second, answered))
            words.append(word)
            bar.update()
    columns = zip(AGREED.items(), np.array(values).T, strict=True)
    known = {name: (text, value) for (name, text), value in columns if not np.isnan(value).all()}
    return known, *_numbered(words, consensus)


def _senses_of(i, found, consensus, centers):
    """Return the senses of word i, then groups that are too small, then what one fit alone shows."""
    given, giving = answers(consensus.counts, i, found.associates)

    def place(f, c, seen):
        reading = consensus.readings[f]
        return _place(f, reading.explained(i), c, reading.mixture.mixing[:, i], seen, centers[f])

    def associates(group, belongs, explained):
        rows = zip(found.associates, belongs, explained, given, giving, strict=True)
        told = [Associate(*row) for row in rows]
        return [told[a] for a in group[:MOST_ASSOCIATES]]

    word, n = [], len(found.associates)
    for s, group in enumerate(found.groups):
        if not len(group):
            continue
        own = associates(group, found.belongs[:, s], found.explained[:, s])
        places = [place(f, found.component[s, f], found.seen[s, f]) for f in np.flatnonzero(found.shown[s])]
        facts = (found.shares[group].sum(), found.seen[s].mean(), found.certainty[s], given[group].sum())
        word.append(Sense(SENSE, *facts, own, places))
    for group in found.small:
        own = associates(group, np.ones(n), np.full(n, np.nan))
        word.append(Sense(SMALL, found.shares[group].sum(), 0.0, np.nan, given[group].sum(), own, []))
    for f, c, group in found.once:
        parts = consensus.readings[f].in_fit(i, found.associates).parts[:, c]
        here = place(f, c, True)
        own = associates(group, parts, parts)
        word.append(Sense(ONCE, here.share, 1 / consensus.n_fits, np.nan, np.nan, own, [here]))
    return word


def _numbered(words, consensus):
    """Return the senses, with other words numbered from N on as they are named here, and these words."""
    N = len(consensus.names)
    number: dict[int, int] = {}
    renumbered = [
        [
            sense._replace(
                associates=[
                    one if one.word < N else one._replace(word=number.setdefault(one.word, N + len(number)))
                    for one in sense.associates
                ]
            )
            for sense in word
        ]
        for word in words
    ]
    return renumbered, [consensus.known[k] for k in number]


def _place(fit, found, c, mixing, seen, centers):
    """Return the Place of component c of a word."""
    m = int(found.maps[c])
    return Place(fit, m, mixing[m], found.shares[c], seen, found.places[c] - centers[m])
