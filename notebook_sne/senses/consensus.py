"""Senses over several fits: what do the norms and all of the fits say of a word?

Every fit of aspect maps ends elsewhere, and a sense that one of them shows may be missing in the next. So which
associates make a sense is asked of the norms, by the company that the associates share beside the word (`company`,
`grouping`), and whether the maps show that sense is asked of each fit. There the word's associates are explained by
components, one a map (`notebook_sne.mathematics.row_mixtures`). A sense is *seen* in a fit if a component agrees with
it: twice the part of the word's ties that both have, over the sum of what each has, is at least a half, and no other
sense agrees with that component better. Ties are weighed: where one associate has most of them, a map that has it alone
counts as one that shows the sense, even if the word has no part in that map; `places` and `explained` tell.

Why the maps have no voice in the grouping: on the half of the gold list of `benchmarks.senses` that is for choosing,
how often two associates are explained together over eight fits changes the area under the curve by -0.002 to +0.009 on
the norms of USF, and by -0.06 to -0.01 over two fits on those of Edinburgh, whichever way it was weighed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.checks.arguments import check_count, check_number
from notebook_sne.checks.arrays import Matrix
from notebook_sne.datasets.dataset import Dataset
from notebook_sne.senses.company import Company
from notebook_sne.senses.reading import Reading, read
from notebook_sne.senses.word_senses import Senses, senses_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Consensus", "consensus"]

_REMEMBERED = 4096  # words whose senses are kept


def consensus(
    fits: Sequence[Any] | Any,
    names: Dataset | ArrayLike,
    counts: Matrix | None = None,
    *,
    least: float = 0.25,
) -> Consensus:
    """Return the senses of words over several fits of the same associations.

    Parameters
    ----------
    fits : fitted model, or sequence of fitted AspectMaps or MultipleMapsTSNE, or of Readings
        Independent fits to one P: models that differ in `random_state`, perhaps in their number of maps. Eight are a
        good number; of one fit alone nobody can tell what another would show.
    names : Dataset, or sequence of str of length N
        The words, each once; a Dataset also gives its counts.
    counts : array or sparse matrix, shape (N, N), optional
        `counts[i, j]`, how often j was given for the cue i.
    least : float, default=0.25
        Certainty from which on a word is shown with two senses, 0 < least < 1. Chosen on whole norms: of norms cut to
        their 1,000 or 1,500 commonest words 0.1 finds more.

    Returns
    -------
    consensus : Consensus
        Its methods `of`, `table`, `places` and `once` return tables.

    Raises
    ------
    ValueError
        If there is no fit, a fit is not fitted or has no P, or the fits are of other words or of another P.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> words = ns.datasets.load_word_relations()
    >>> model = ns.AspectMaps(n_maps=5, max_iter=60, input="probabilities")
    >>> fits = [model.set_params(random_state=seed).fit(words.P).state_ for seed in range(2)]
    >>> senses = ns.senses.consensus(fits, words)
    >>> senses.of("bank").columns.tolist()[:6]
    ['word', 'sense', 'share', 'seen', 'certainty', 'rank']
    """
    return Consensus(fits, names, counts, least=least)


class Consensus:
    """The senses of words over several fits. Made by `consensus`.

    Attributes
    ----------
    names : tuple of str
        The words.
    n_fits : int
        How many fits there are, F.
    readings : tuple of Reading
        One a fit.
    least : float
        As given to `consensus`.
    """

    def __init__(
        self,
        fits: Sequence[Any] | Any,
        names: Dataset | ArrayLike,
        counts: Matrix | None = None,
        *,
        least: float = 0.25,
    ) -> None:
        fits = fits if isinstance(fits, (list, tuple)) else [fits]
        if not fits:
            raise ValueError("fits must be at least one fitted model, got none; fit with random_state=0, 1, ...")
        self.least = check_number("least", least, 0.0, 1.0, closed=False)
        self.readings = tuple(fit if isinstance(fit, Reading) else read(fit, names, counts) for fit in fits)
        self.n_fits, first = len(self.readings), self.readings[0]
        self.names, self.counts = first.names, first.counts
        for k, reading in enumerate(self.readings):
            if reading.names != first.names:
                raise ValueError(f"all fits must have the same words in the same order, but fit {k} has others")
            if _differ(reading.needed_P(), first.needed_P()):
                raise ValueError(f"all fits must be of one P, but fit {k} is of another; fit all to the same data")
        self.company = Company(first.needed_P())
        self._senses = lru_cache(_REMEMBERED)(self._found)

    def __repr__(self) -> str:
        return f"Consensus({len(self.names)} words, {self.n_fits} fit{'s' * (self.n_fits > 1)})"

    def senses(self, word: str | int) -> Senses:
        """Return what is known of a word as arrays, a `Senses`; the tables are made of it."""
        return self._senses(self.readings[0].find(word))

    def of(self, word: str | int) -> pd.DataFrame:
        """Return the senses of a word, each with its own associates.

        Parameters
        ----------
        word : str or int
            A word, in any case unless two differ by nothing else; or its number.

        Returns
        -------
        table : pandas.DataFrame
            One row for each sense and associate: word, sense (from 1, that with the largest share first), share (of
            the word's ties that the sense has), seen (share of the fits in which it is seen: one map explains a third
            of its ties or more, for which one strong tie may be enough), certainty (0 to 1, that it is apart from the
            stronger senses; 1 for the first), rank (from 1), associate, belongs (0 to 1, how much of the company it
            shares with all senses is with this one), explained (0 to 1, the part of it that the place of the sense
            explains, mean over the fits where the sense is seen), given (how often the associate was given for the
            word) and giving (how often the word was given for it); the last two are missing without counts. Associates
            that belong to no group that is large enough come last, as sense 0.
        """
        import pandas as pd

        i = self.readings[0].find(word)
        found = self._senses(i)
        loose = np.setdiff1d(np.arange(len(found.associates)), np.concatenate(found.groups))
        groups = [*found.groups, loose[np.argsort(-found.shares[loose], kind="stable")]]
        seen = [*found.seen.mean(axis=1), np.nan]
        given, giving = self.readings[0]._given(i, found.associates)
        rows = []
        for s, members in enumerate(groups):
            last = s == len(found.groups)
            facts = (0 if last else s + 1, found.shares[members].sum(), seen[s], np.nan if last else found.certainty[s])
            for rank, a in enumerate(members, 1):
                parts = (np.nan, np.nan) if last else (found.belongs[a, s], found.explained[a, s])
                rows.append((self.names[i], *facts, rank, self.names[found.associates[a]], *parts, given[a], giving[a]))
        return pd.DataFrame(rows, columns=_OF)

    def table(self, n: int = 3) -> pd.DataFrame:
        """Return what is known of each word in one row.

        Parameters
        ----------
        n : int, default=3
            Associates to name for each sense.

        Returns
        -------
        table : pandas.DataFrame
            One row a word: word, n_senses, certainty (0 to 1, that there is a second sense), second (share of the
            word's ties that its second sense has; 0 without one), seen (share of the fits in which the second sense is
            seen; 0 without one) and senses (a text: the first associates of each).
        """
        import pandas as pd

        n = check_count("n", n, 1)
        for reading in self.readings:
            reading.explain_all()
        rows = []
        for i, word in enumerate(self.names):
            found = self._found(i)
            several = len(found.groups) > 1
            second = found.shares[found.groups[1]].sum() if several else 0.0
            seen = found.seen[1].mean() if several else 0.0
            text = " | ".join(", ".join(self.names[j] for j in found.associates[g[:n]]) for g in found.groups)
            rows.append((word, len(found.groups), found.second, second, seen, text))
        return pd.DataFrame(rows, columns=["word", "n_senses", "certainty", "second", "seen", "senses"])

    def places(self, word: str | int) -> pd.DataFrame:
        """Return where each sense of a word is in each fit that shows it.

        Parameters
        ----------
        word : str or int
            As for `of`.

        Returns
        -------
        table : pandas.DataFrame
            One row for each sense and fit in which it is seen: sense, fit (from 0), map, proportion (of the word in
            that map; near 0 where the fit has missed the sense, although its company is there), share (of the word's
            ties that the place explains) and agreement (0.5 to 1, with the sense).
        """
        import pandas as pd

        i = self.readings[0].find(word)
        found = self._senses(i)
        rows = []
        for s, f in zip(*np.nonzero(found.seen), strict=True):
            reading, c = self.readings[f], found.component[s, f]
            mixture = reading.explained(i)
            m = int(mixture.maps[c])
            proportion = reading.mixture.mixing[m, i]
            rows.append((s + 1, int(f), m, proportion, mixture.shares[c], found.overlap[s, f]))
        return pd.DataFrame(rows, columns=["sense", "fit", "map", "proportion", "share", "agreement"])

    def once(self, word: str | int) -> pd.DataFrame:
        """Return what a single fit shows of a word and no sense has: more likely chance than meaning.

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

        i = self.readings[0].find(word)
        found = self._senses(i)
        rows = []
        for f, c, members in found.once:
            mixture = self.readings[f].explained(i)
            text = ", ".join(self.names[j] for j in found.associates[members])
            rows.append((f, int(mixture.maps[c]), mixture.shares[c], text))
        return pd.DataFrame(rows, columns=["fit", "map", "share", "associates"])

    def _found(self, i: int) -> Senses:
        return senses_of(self.company, [reading.explained(i) for reading in self.readings], i, self.least)


_OF = ["word", "sense", "share", "seen", "certainty", "rank", "associate", "belongs", "explained"]
_OF += ["given", "giving"]


def _differ(one: Any, other: Any) -> bool:
    return one is not other and (one.shape != other.shape or abs(one - other).max() > 1e-12)
