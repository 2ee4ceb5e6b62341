"""Do the maps of a word separate what doesn't belong together? Two tests against neighbors assigned at random.

`separation` uses the counts themselves, and then what the model hasn't seen: responses and cues outside the mapped
words. `agreement` uses a thesaurus. Neither says that the contexts found are the senses of a dictionary; they say how
far the neighbors in one map belong together more than the neighbors in two.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from notebook_sne.datasets.dataset import Dataset
from notebook_sne.engine.checks.arguments import check_count
from notebook_sne.engine.checks.arrays import Matrix
from notebook_sne.engine.checks.numbers import as_rows, generator_of
from notebook_sne.senses.pairs import Pool
from notebook_sne.senses.reading import Reading, read

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["agreement", "separation"]

_FEW = 10  # words, of which an agreement says nothing


def separation(
    reading: Any,
    names: Dataset | ArrayLike | None = None,
    counts: Matrix | None = None,
    *,
    held_out: Matrix | None = None,
    threshold: float = 0.1,
    n_random: int = 100,
    random_state: int | np.random.Generator = 0,
) -> pd.DataFrame:
    """Return how much more a word's neighbors are related to each other within its maps than across them.

    For each word with two or more copies, the neighbors are the responses that were given for it, each in the map that
    connects it most strongly to the word. They are taken in pairs. In sample, a pair counts 1 if either word was
    ever given for the other, else 0. Held out, it counts the cosine of the two profiles outside. The ratio of the mean
    within maps to the mean across maps is about 1 if maps have no information; that of the same neighbors assigned
    to the maps at random shows how far from 1 it may be then.

    Parameters
    ----------
    reading : Reading, or fitted model
        What `read` returned; for a model it is made here.
    names : Dataset, or sequence of str, optional
        The words, with a model.
    counts : array or sparse matrix, shape (N, N), optional
        How often j was given for i, with a model; without any, P says which words are associated.
    held_out : array or sparse matrix, shape (N, K), optional
        What is known of each word beyond what was mapped; the `outside` of a Dataset where left out.
    threshold : float, default=0.1
        A word has a copy in each map where its proportion is at least that; with a model.
    n_random : int, default=100
        Random assignments.
    random_state : int or numpy.random.Generator, default=0
        Seed of these.

    Returns
    -------
    table : pandas.DataFrame
        One row a kind, "in-sample" and, with profiles, "held-out": kind, within, across, ratio, random_mean and
        random_sd (of the ratio), n_words.

    Notes
    -----
    All words that are near a copy would be an easier test: of those that no one gives for the word, each is beside the
    words that it belongs to, and the ratios of the words of [Cook2007] rise from 3 to 11. In sample the ratio is above
    1 for a model that has only memorized, as it placed the neighbors by the same counts. Held out, it hasn't seen the
    profiles; but associated words have similar profiles, so part of that ratio is that of the counts.
    """
    import pandas as pd

    reading = _reading(reading, names, counts, threshold)
    n_random = check_count("n_random", n_random, 2)
    known = reading.counts if reading.counts is not None else reading.P
    if known is None:
        raise ValueError("separation needs to know which words are associated, got no counts and no P; give counts")
    held_out = reading.outside if held_out is None else held_out
    known = sparse.csr_array(known, copy=True)
    known.eliminate_zeros()
    tied = sparse.csr_array(known + known.T)
    kinds = {"in-sample": lambda j: ((tied[j][:, j].toarray() > 0).astype(float), np.ones((len(j), len(j)), bool))}
    if held_out is not None:
        profiles, has_one = _unit_rows(held_out, len(reading.names))
        kinds["held-out"] = lambda j: ((profiles[j] @ profiles[j].T).toarray(), has_one[j, None] & has_one[j])
    rows = []
    for kind, similarity in kinds.items():
        pool = Pool(n_random, generator_of(random_state))
        for i, maps in _words_of_several_maps(reading):
            j = known.indices[known.indptr[i] : known.indptr[i + 1]]
            if len(j) > 1:
                pool.add(*similarity(j), _assigned(reading, i, j, maps))
        within, across = pool.rates()
        ratio = _ratio(within, across)
        rows.append((kind, within[0], across[0], ratio[0], ratio[1:].mean(), ratio[1:].std(ddof=1), pool.n_words))
    columns = ["kind", "within", "across", "ratio", "random_mean", "random_sd", "n_words"]
    return pd.DataFrame(rows, columns=columns)


def agreement(
    reading: Reading,
    relations: Dataset | pd.DataFrame,
    *,
    n_random: int = 1000,
    random_state: int | np.random.Generator = 0,
) -> pd.DataFrame:
    """Return how far the maps of a word separate its neighbors as a thesaurus does.

    For each word with two or more copies, those neighbors are taken that the thesaurus relates to the word, if these
    belong to two or more of its synsets. Each is in that of the word's maps which ties it most strongly to the word.
    Two agree if there is a synset of the word that both are related in. Reported is the fraction that agrees of pairs
    within a map, and of pairs across maps.

    Parameters
    ----------
    reading : Reading
        What `read` made; the more neighbors it has, the more relations are among them.
    relations : Dataset, or pandas.DataFrame
        Columns word, synset and related, as in `datasets.load_word_relations().relations`; case isn't regarded.
    n_random : int, default=1000
        Times that the same neighbors are assigned out to the maps at random.
    random_state : int or numpy.random.Generator, default=0
        Seed of these.

    Returns
    -------
    table : pandas.DataFrame
        One row: within, across, ratio, difference (within - across, the statistic), random_mean and random_sd (of the
        difference), percentile (random differences below it, ties half, in percent), n_words (with such a pair).

    Raises
    ------
    ValueError
        If the relations lack a column, or no word has two related neighbors.

    Warns
    -----
    UserWarning
        If fewer than ten words have such neighbors.
    """
    import pandas as pd

    if not isinstance(reading, Reading):
        raise TypeError(f"reading must be a Reading, got {type(reading).__name__}; make one with senses.read")
    n_random = check_count("n_random", n_random, 2)
    synsets = _synsets(getattr(relations, "relations", relations))
    pool = Pool(n_random, generator_of(random_state))
    folded = [name.casefold() for name in reading.names]
    number = {name: k for k, name in enumerate(folded)}
    for i, maps in _words_of_several_maps(reading):
        own = synsets.get(folded[i], {})
        near = reading.neighbors[reading.word == i]
        j = np.intersect1d(near, [number[name] for name in own if name in number and number[name] != i])
        if len({s for k in j for s in own[folded[k]]}) < 2:
            continue
        numbers = {name: k for k, name in enumerate(sorted({s for k in j for s in own[folded[k]]}))}
        member = np.zeros((len(j), len(numbers)))
        for row, k in enumerate(j):
            member[row, [numbers[s] for s in own[folded[k]]]] = 1.0
        pool.add((member @ member.T > 0).astype(float), np.ones((len(j), len(j))), _assigned(reading, i, j, maps))
    if not pool.n_words:
        raise ValueError(
            "relations must relate neighbors of some word with two copies to it in two synsets, but there is no such "
            "word; give relations of the words that were mapped, or read more neighbors"
        )
    if pool.n_words < _FEW:
        warnings.warn(
            f"only {pool.n_words} words have such pairs of neighbors, too few to tell anything: the relations hardly "
            "know these words; give relations of your own, such as the synsets of WordNet, or read more neighbors",
            stacklevel=2,
        )
    within, across = pool.rates()
    difference = within - across
    chance = difference[1:][np.isfinite(difference[1:])]
    percentile = (
        100 * ((chance < difference[0]).mean() + (chance == difference[0]).mean() / 2) if len(chance) else np.nan
    )
    return pd.DataFrame(
        {
            "within": [within[0]],
            "across": [across[0]],
            "ratio": [_ratio(within, across)[0]],
            "difference": [difference[0]],
            "random_mean": [chance.mean() if len(chance) else np.nan],
            "random_sd": [chance.std(ddof=1) if len(chance) > 1 else np.nan],
            "percentile": [percentile],
            "n_words": [pool.n_words],
        }
    )


def _reading(reading, names, counts, threshold):
    if isinstance(reading, Reading):
        if names is not None or counts is not None:
            raise ValueError("names and counts belong to a model, got them beside a Reading; leave them out")
        return reading
    return read(reading, names, counts, threshold=threshold)


def _words_of_several_maps(reading):
    """Yield every word with two or more copies, and their maps."""
    first = np.flatnonzero(np.r_[True, np.diff(reading.word) > 0])
    for begin, end in zip(first, np.r_[first[1:], len(reading.word)], strict=True):
        if end - begin > 1:
            yield int(reading.word[begin]), reading.map[begin:end]


def _assigned(reading, i, j, maps):
    """Return, for each neighbor j of word i, the one of the maps that connects both most strongly."""
    strengths = reading.mixture.log_strength_of_pairs(np.full(len(j), i), j)
    return maps[strengths[maps].argmax(axis=0)]


def _unit_rows(held_out, n_objects):
    """Return rows of length 1, and which objects have one."""
    rows = as_rows("held_out", held_out, np.float64)
    if rows.shape[0] != n_objects:
        raise ValueError(f"held_out must have one row for each of the N = {n_objects} words, got {rows.shape[0]}")
    if not np.isfinite(rows.data).all():
        raise ValueError("held_out must be finite, got NaN or infinity; remove or fill in these entries")
    lengths = np.sqrt(np.asarray(rows.power(2).sum(axis=1)).ravel())
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return sparse.csr_array(sparse.diags_array(scale) @ rows), lengths > 0


def _ratio(within, across):
    with np.errstate(divide="ignore", invalid="ignore"):
        return within / across


def _synsets(relations):
    """Return {word: {related: set of synsets}}."""
    missing = [name for name in ("word", "synset", "related") if name not in getattr(relations, "columns", ())]
    if missing:
        raise ValueError(
            f"relations must be a table with columns word, synset and related, but it lacks {', '.join(missing)}; "
            "datasets.load_word_relations().relations has them"
        )
    synsets: dict[str, dict[str, set]] = {}
    for word, synset, related in zip(relations["word"], relations["synset"], relations["related"], strict=True):
        synsets.setdefault(str(word).casefold(), {}).setdefault(str(related).casefold(), set()).add(str(synset))
    return synsets
