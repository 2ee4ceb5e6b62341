"""The senses of words: from the norms, and from the fits that show them.

Every fit of aspect maps ends elsewhere, and a sense that one fit shows may be missing in the next. So the norms decide
which associates make a sense, by the company that the associates share beside the word (`company`, `grouping`). Each
fit decides whether its maps show that sense (`word_senses`): components, one per map, explain the word's associates
(`notebook_sne.engine.mathematics.row_mixtures`). Without a fit, there are only groups.

The maps don't affect the grouping. A term for how often two associates are explained together was tried on the half of
the gold list of `benchmarks.senses` that is for choosing. At any weight, it changed the area under the curve by -0.002
to +0.009 over eight fits on the norms of USF, and by -0.06 to -0.01 over two on those of Edinburgh.

Longer than 300 lines because half of them tell what the columns of its tables mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.datasets.dataset import Dataset
from notebook_sne.engine.checks.arguments import check_count, check_number
from notebook_sne.engine.checks.arrays import Matrix
from notebook_sne.engine.objects.repr_html import FIRST, table_html
from notebook_sne.senses.mixture import conditional_rows
from notebook_sne.senses.norms import norms_of
from notebook_sne.senses.provenance import begin_alike, made_of
from notebook_sne.senses.reading import Reading, read
from notebook_sne.senses.shared_associates import Company
from notebook_sne.senses.word_senses import SEEN, WITHOUT, Senses, senses_of
from notebook_sne.senses.words import find_word, given, words_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Consensus", "consensus", "groups"]

_COLUMNS = ["word", "n_senses", "certainty", "second", "seen", "senses", "small"]  # of `Consensus.table`
_REMEMBERED = 4096  # words whose senses are kept


def groups(words: Dataset, *, least: float = 0.25) -> Consensus:
    """Return the senses of words from people's answers, without any map.

    Parameters
    ----------
    words : Dataset
        Words with their associations, such as `datasets.associations` returns. If it was cut to some words, their
        associates are searched among all words of the norms.
    least : float, default=0.25
        Certainty from which on a word is shown with two senses, 0 < least < 1.

    Returns
    -------
    consensus : Consensus
        A Consensus without fits: entries that come from fits are missing in its tables.

    Raises
    ------
    ValueError, TypeError
        If the words have no associations, or no names.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> words = ns.datasets.load_word_relations()
    >>> ns.senses.groups(words).of("bank").columns.tolist()[:4]
    ['word', 'sense', 'share', 'certainty']
    """
    if not isinstance(words, Dataset):
        raise TypeError(
            f"words must be a Dataset, got {type(words).__name__}; datasets.associations makes one of a table"
        )
    return Consensus([], words, least=least)


def consensus(
    fits: Sequence[Any] | Any, names: Dataset | ArrayLike, counts: Matrix | None = None, *, least: float = 0.25
) -> Consensus:
    """Return the senses of words over several fits of the same associations.

    Parameters
    ----------
    fits : fitted model, or sequence of fitted AspectMaps or MultipleMapsTSNE, of their states, or of Readings
        Independent fits to one P: models that differ in `random_state`, and possibly in their number of maps. Eight is
        a good number; a single fit doesn't tell what another would show.
    names : Dataset, or sequence of str of length N
        The words, each once; a Dataset also gives its counts, and the norms that its words are from.
    counts : array or sparse matrix, shape (N, N), optional
        `counts[i, j]`, how often j was given for the cue i.
    least : float, default=0.25
        Certainty from which on a word is shown with two senses, 0 < least < 1.

    Returns
    -------
    consensus : Consensus
        Its methods `of`, `all`, `table`, `places` and `once` return tables.

    Raises
    ------
    ValueError
        If there is no fit, a fit isn't fitted or has no P, or the fits are of other words or of another P.

    See Also
    --------
    groups : The same without fits.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> words = ns.datasets.load_word_relations()
    >>> model = ns.AspectMaps(n_maps=5, max_iter=60, input="probabilities")
    >>> fits = [model.set_params(random_state=seed).fit(words.P).state_ for seed in range(2)]
    >>> senses = ns.senses.consensus(fits, words)
    >>> senses.of("bank").columns.tolist()[:6]
    ['word', 'sense', 'share', 'certainty', 'seen', 'without']
    """
    fits = list(fits) if isinstance(fits, (list, tuple)) else [fits]
    if not fits:
        raise ValueError(
            "fits must be at least one fitted model, got none; fit with random_state=0, 1, ..., or use senses.groups"
        )
    return Consensus(fits, names, counts, least=least)


class Consensus:
    """The senses of words over several fits. Made by `consensus`, or without a fit by `groups`.

    Attributes
    ----------
    names : tuple of str
        The words, N of them.
    known : tuple of str
        All words of the norms: first the mapped words, then the others.
    n_fits : int
        The number of fits, F.
    readings : tuple of Reading
        One a fit.
    least : float
        As given to `consensus`.
    answers : ndarray, shape (N,), or None
        How many answers people gave to each word; None where that isn't known.
    calibrated : bool
        Whether certainties are known: for what was counted, such as people's answers or the joint papers of authors.
        Neighbors among vectors and relations of a dictionary have groups, but no scale tells whether they are senses.
    made : dict
        The sources of the result: the norms, the fits and the version of the package, as texts and numbers.
    alike : bool
        Whether two of the fits began with groups of the norms: if both then show a sense, that is no independent
        evidence.
    """

    def __init__(
        self, fits: Sequence[Any], names: Dataset | ArrayLike, counts: Matrix | None = None, *, least: float = 0.25
    ) -> None:
        self.least = check_number("least", least, 0.0, 1.0, closed=False)
        self.readings = tuple(fit if isinstance(fit, Reading) else read(fit, names, counts) for fit in fits)
        self.n_fits, P = len(self.readings), getattr(names, "P", None)
        if self.readings:
            first = self.readings[0]
            self.names, counted, P = first.names, first.counts, first.needed_P()
            for k, reading in enumerate(self.readings):
                if reading.names != first.names:
                    raise ValueError(f"all fits must have the same words in the same order, but fit {k} has others")
                if _differ(reading.needed_P(), P):
                    raise ValueError(f"all fits must be of one P, but fit {k} is of another; fit all to the same data")
        else:
            if P is None:
                raise ValueError("words must have a P, and this data set has none; make one of its counts first")
            P = conditional_rows(P)
            self.names, counted, _ = words_of(names, None, P.shape[0])
        norms = norms_of(self.names, names if counts is None else None, P, counted)
        self.answers = None if norms.asked is None else norms.asked[: len(self.names)]
        self.known, self.counts, self.company = norms.names, norms.counts, Company(norms.answers, norms.asked)
        self.calibrated = self.counts is not None and getattr(names, "relations", None) is None
        self.made = made_of(names, fits)
        self.alike = begin_alike(fits)
        self._senses = lru_cache(_REMEMBERED)(self._found)

    def __repr__(self) -> str:
        answers = "" if self.answers is None else f", {np.median(self.answers):.0f} answers to a cue"
        return f"Consensus({len(self.names)} words, {self.n_fits} fit{'s' * (self.n_fits != 1)}{answers})"

    def _repr_html_(self) -> str:
        rows = [self._row(i, 3) for i in range(min(FIRST, len(self.names)))]
        note = "table() has all words, of(word) the senses of one"
        return table_html(repr(self), _COLUMNS, rows, len(self.names), note)

    def senses(self, word: str | int) -> Senses:
        """Return the facts about a word as arrays, a `Senses`, from which the tables are made."""
        return self._senses(find_word(self.names, word))

    def of(self, word: str | int) -> pd.DataFrame:
        """Return the senses of a word, each with its own associates.

        Parameters
        ----------
        word : str or int
            A word, in any case unless two words differ only by case; or its number.

        Returns
        -------
        table : pandas.DataFrame
            One row for each sense and associate: word, sense (from 1, that with the largest share first), share (of
            the word's ties that the sense has), certainty (0 to 1, that it is apart from the stronger senses; missing
            for the first, and where it isn't calibrated), seen (share of the fits in which a map explains its
            associates and has the word), without (share of the fits in which a map explains them, but has no part of
            the word), rank (from 1), associate,
            belongs (0 to 1, how much of the company it shares with all senses is with this one), explained (0 to 1, the
            part of it that the place of the sense explains, mean over these fits; missing for an associate that isn't
            mapped), given (how often the associate was given for the word) and giving (how often the word was given for
            it); the last two are missing without counts, and what a fit tells without a fit. After the senses come, as
            sense 0, groups that are too small for a sense but far from all of them, with rank from 1 for each and a
            share of their own; and last the associates that are in no group, with a rank that goes on.
        """
        import pandas as pd

        return pd.DataFrame(self._rows(find_word(self.names, word), self._senses), columns=_OF)

    def all(self) -> pd.DataFrame:
        """Return the senses of all words as one table: that of `of`, one word after the other."""
        import pandas as pd

        self._explain_all()
        rows = [row for i in range(len(self.names)) for row in self._rows(i, self._found)]
        return pd.DataFrame(rows, columns=_OF)

    def _rows(self, i: int, senses: Any) -> list[tuple[Any, ...]]:
        found = senses(i)
        given_for, giving = given(self.counts, i, found.associates)
        seen, without = (self._mean(found.shown == what) for what in (SEEN, WITHOUT))
        grouped = np.concatenate([*found.groups, *found.small])
        loose = np.setdiff1d(np.arange(len(found.associates)), grouped)
        loose = loose[np.argsort(-found.shares[loose], kind="stable")]
        rows = []
        for s, members in enumerate([*found.groups, *found.small, loose]):
            none = s >= len(found.groups)
            told = (np.nan,) * 3 if none else (found.certainty[s], seen[s], without[s])
            for rank, a in enumerate(members, 1):
                parts = (np.nan, np.nan) if none else (found.belongs[a, s], found.explained[a, s])
                rows.append((
                    self.names[i], 0 if none else s + 1, found.shares[members].sum(), *told, rank,
                    self.known[found.associates[a]], *parts, given_for[a], giving[a],
                ))  # fmt: skip
        return rows

    def table(self, n: int = 3) -> pd.DataFrame:
        """Return a table with one row of facts for each word.

        Parameters
        ----------
        n : int, default=3
            Associates to name for each sense.

        Returns
        -------
        table : pandas.DataFrame
            One row a word: word, n_senses (0 where it has no associates, or where too few people were asked to tell
            senses), certainty (0 to 1, that there is a second sense; missing where too few people were asked, or where
            it isn't calibrated), second
            (share of the word's ties that its second sense has; 0 without one), seen (share of the fits
            in which the second sense is seen; 0 without one, missing without a fit), senses (a text: the first
            associates of each, or "not enough answers") and small (the same of groups that are too small for a sense,
            but far from all).
        """
        import pandas as pd

        n = check_count("n", n, 1)
        self._explain_all()
        return pd.DataFrame([self._row(i, n) for i in range(len(self.names))], columns=_COLUMNS)

    def _row(self, i: int, n: int) -> tuple[Any, ...]:
        found = self._found(i)
        several = len(found.groups) > 1
        second = found.shares[found.groups[1]].sum() if several else 0.0
        seen = self._mean(found.seen)[1] if several else 0.0 if self.n_fits else np.nan
        texts = [" | ".join(self._listed(found, g[:n]) for g in parts) for parts in (found.groups, found.small)]
        if found.n_senses == 0 and len(found.associates):
            texts[0] = "not enough answers"
        return self.names[i], found.n_senses, found.second, second, seen, *texts

    def places(self, word: str | int) -> pd.DataFrame:
        """Return where each sense of a word is in each fit that shows it.

        Parameters
        ----------
        word : str or int
            As for `of`.

        Returns
        -------
        table : pandas.DataFrame
            One row for each sense and fit that shows it: sense, fit (from 0), map, proportion (of the word in that
            map), seen (whether that is 0.05 or more; otherwise the fit has missed the word, although its company is
            there), share (of the word's ties that the place explains) and agreement (0.5 to 1, with the sense).
        """
        import pandas as pd

        i = find_word(self.names, word)
        found = self._senses(i)
        rows = []
        for s, f in zip(*np.nonzero(found.shown), strict=True):
            reading, c = self.readings[f], found.component[s, f]
            mixture = reading.explained(i)
            m = int(mixture.maps[c])
            proportion, seen = reading.mixture.mixing[m, i], bool(found.seen[s, f])
            rows.append((s + 1, int(f), m, proportion, seen, mixture.shares[c], found.overlap[s, f]))
        return pd.DataFrame(rows, columns=["sense", "fit", "map", "proportion", "seen", "share", "agreement"])

    def once(self, word: str | int) -> pd.DataFrame:
        """Return places of a word that only a single fit shows and that are no sense: more likely chance than meaning.

        Parameters
        ----------
        word : str or int
            As for `of`.

        Returns
        -------
        table : pandas.DataFrame
            One row a place: fit, map, share (of the word's ties that the place explains), associates (a text).
        """
        import pandas as pd

        i = find_word(self.names, word)
        found = self._senses(i)
        rows = []
        for f, c, members in found.once:
            mixture = self.readings[f].explained(i)
            rows.append((f, int(mixture.maps[c]), mixture.shares[c], self._listed(found, members)))
        return pd.DataFrame(rows, columns=["fit", "map", "share", "associates"])

    def _found(self, i: int) -> Senses:
        words, _ = self.company.associates(i)
        fits = [reading.in_fit(i, words) for reading in self.readings]
        return senses_of(self.company, fits, i, self.least, len(self.names), self.calibrated)

    def _explain_all(self) -> None:
        for reading in self.readings:
            reading.explain_all()

    def _mean(self, shown: Any) -> Any:
        """Return the share of the fits in which something is, for each sense; NaN without a fit."""
        return shown.mean(axis=1) if self.n_fits else np.full(len(shown), np.nan)

    def _listed(self, found: Senses, members: Any) -> str:
        return ", ".join(self.known[j] for j in found.associates[members])


_OF = ["word", "sense", "share", "certainty", "seen", "without", "rank", "associate", "belongs", "explained"]
_OF += ["given", "giving"]


def _differ(one: Any, other: Any) -> bool:
    return one is not other and (one.shape != other.shape or abs(one - other).max() > 1e-12)
