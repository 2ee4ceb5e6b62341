"""How many people mean which sense, and how sure so many people make it.

Psycholinguists publish the dominance of meanings: the share of the people whose answer to a cue belongs to each meaning
[Twilley et al. 1994]. Here answers are counted by the senses that `groups` finds, and each share has the interval of
[Wilson 1927], which is right for few answers, too. How sure the senses themselves are is asked of the people: their
answers are drawn again, as many as there are to each cue and with replacement, and half of them without, and in each
draw the senses are found anew. A sense is found again if a sense of the draw is paired with it, as `compare` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import binomtest

from notebook_sne.datasets.dataset import Dataset
from notebook_sne.engine.checks.arguments import check_count
from notebook_sne.engine.checks.numbers import generator_of
from notebook_sne.engine.objects.repr_html import FIRST, table_html
from notebook_sne.senses.compare import Comparison
from notebook_sne.senses.consensus import groups
from notebook_sne.senses.people import People
from notebook_sne.senses.words import find_word

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Dominance", "dominance"]

_COLUMNS = ["word", "sense", "associates", "n", "N", "share", "low", "high", "again", "again_half"]
_NAMED = 3  # associates of a sense, in tables and sentences


def dominance(
    words: Dataset,
    of: str | Sequence[str] | None = None,
    *,
    draws: int = 20,
    least: float = 0.25,
    random_state: int | np.random.Generator = 0,
) -> Dominance:
    """Return how many people mean each sense of a word, and in how many draws of people the sense is found again.

    Parameters
    ----------
    words : Dataset
        Words with the numbers of their answers, such as `datasets.associations` returns.
    of : str or list of str, optional
        The words to look at; all of them by default.
    draws : int, default=20
        How often people are drawn again, with all answers to all cues of the norms: a draw of 5,000 cues takes a
        second, whatever the number of words that are looked at.
    least : float, default=0.25
        Certainty from which on a word has two senses, as for `groups`.
    random_state : int or Generator, default=0
        Seed of the draws.

    Returns
    -------
    dominance : Dominance
        Its method `table` has a row for each sense, `sentence` says the same of a word, and
        `notebook_sne.views.dominance` draws it.

    Raises
    ------
    ValueError, TypeError
        If the words have no counts, or counts that are no whole numbers, or `of` isn't among them.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> norms = ns.datasets.fetch_usf_associations(None)                                        # doctest: +SKIP
    >>> ns.senses.dominance(norms, ["bank", "bat"]).table()                                     # doctest: +SKIP
    """
    if not isinstance(words, Dataset) or words.counts is None or words.names is None:
        raise TypeError(
            "words must be a Dataset with names and counts, such as datasets.associations makes of people's answers; "
            f"got {words!r}"
        )
    return Dominance(words, of, check_count("draws", draws, 1), least, generator_of(random_state))


class Dominance:
    """How many people mean each sense of some words. Made by `dominance`.

    Attributes
    ----------
    words : tuple of str
        The words that were looked at.
    senses : Consensus
        Their senses, as `groups` returns them.
    draws : int
        How often people were drawn again.
    """

    def __init__(self, data: Dataset, of: Any, draws: int, least: float, rng: np.random.Generator) -> None:
        self.senses, self.draws = groups(data, least=least), draws
        names = [of] if isinstance(of, str) else self.senses.names if of is None else of
        numbers = [find_word(self.senses.names, name) for name in names]
        self.words = tuple(self.senses.names[i] for i in numbers)
        people = People(self.senses)
        self._n, self._N, self._named = [], [], []
        for i in numbers:
            found = self.senses.senses(i)
            given = people.counts[[i]].toarray()[0][found.associates]
            self._n.append([int(given[group].sum()) for group in found.groups])
            first = [group[np.argsort(-given[group], kind="stable")[:_NAMED]] for group in found.groups]
            self._named.append([", ".join(people.names[k] for k in found.associates[group]) for group in first])
            self._N.append(int(people.asked[i]))
        again = [np.zeros((2, len(n))) for n in self._n]
        for _ in range(draws):
            for half in (0, 1):
                drawn = Comparison(self.senses, groups(people.draw(rng, bool(half)), least=least), ("all", "drawn"))
                for word, counted in zip(self.words, again, strict=True):
                    for pair in drawn.pairs(word) if word in drawn.words else ():
                        if 0 not in pair.numbers:
                            counted[half, pair.numbers[0] - 1] += 1
        self._again = [counted / draws for counted in again]

    def __repr__(self) -> str:
        return f"Dominance({len(self.words)} words, {self.draws} draws)"

    def _repr_html_(self) -> str:
        rows = [row for word in self.words[:FIRST] for row in self.rows(word)]
        return table_html(repr(self), _COLUMNS, rows, len(rows), "table() has all words, sentence(word) says it")

    def table(self) -> pd.DataFrame:
        """Return a row for each sense of each word, and one for the answers that are in none.

        Returns
        -------
        table : pandas.DataFrame
            word; sense (from 1, in the order of `groups`; 0 for what is in none); associates (a text: those that were
            answered most); n of N answers to the word; share (n / N), low and high (Wilson's interval at 95%); again
            and again_half (part of the draws of as many people, and of half of them, in which the sense is found again;
            missing for what is in none). N counts the answers that the norms list: those of USF leave out what only
            one person said.
        """
        import pandas as pd

        return pd.DataFrame([row for word in self.words for row in self.rows(word)], columns=_COLUMNS)

    def sentence(self, word: str) -> str:
        """Return what the table says of a word as a sentence."""
        *senses, (_, _, _, rest, *_) = self.rows(word)
        parts = [
            f"{associates} ({n} of {given} answers, {share:.0%}, 95% interval {low:.0%} to {high:.0%}; found again in "
            f"{again:.0%} of {self.draws} draws of people, in {half:.0%} of half as many)"
            for _, _, associates, n, given, share, low, high, again, half in senses
        ]
        none = f"; {rest} answers are in none" if rest else ""
        return f"{senses[0][0]} has {len(parts)} sense{'s' * (len(parts) != 1)} here: {'; '.join(parts)}{none}."

    def persons(self, answers: ArrayLike) -> pd.DataFrame:
        """Return whether one person's answers to a word stay in one sense.

        Parameters
        ----------
        answers : array-like of str, shape (n_people, 1 + n_answers)
            A row for each person and cue: the cue and that person's answers, such as the columns cue, R1, R2 and R3;
            what is missing or in no sense is left out.

        Returns
        -------
        table : pandas.DataFrame
            One row a word: word, pairs (of one person's answers that are in senses), together (part of these that are
            in one sense), by_chance (the same if each answer were another person's).
        """
        import pandas as pd

        table = np.asarray(answers, dtype=object)
        if table.ndim != 2 or table.shape[1] < 3:
            raise ValueError(f"answers must have a cue and two answers or more in each row, got shape {table.shape}")
        folded = np.array([[str(text).strip().casefold() for text in row] for row in table])
        rows = []
        for word in self.words:
            found = self.senses.senses(word)
            sense = {
                self.senses.known[found.associates[a]].casefold(): s for s, g in enumerate(found.groups) for a in g
            }
            own = folded[folded[:, 0] == word.casefold(), 1:]
            S = np.array([[sense.get(text, -1) for text in row] for row in own], dtype=int).reshape(own.shape)
            pairs = together = chance = 0.0
            for a, b in combinations(range(S.shape[1]), 2):
                both = S[(S[:, a] >= 0) & (S[:, b] >= 0)]
                pairs, together = pairs + len(both), together + (both[:, a] == both[:, b]).sum()
                if len(both):
                    n, m = (np.bincount(both[:, k], minlength=len(found.groups)) for k in (a, b))
                    chance += n @ m / len(both)
            rows.append((word, int(pairs), together / pairs if pairs else np.nan, chance / pairs if pairs else np.nan))
        return pd.DataFrame(rows, columns=["word", "pairs", "together", "by_chance"])

    def rows(self, word: str) -> list[tuple[Any, ...]]:
        """Return the rows of a word in `table`; a ValueError if it wasn't looked at."""
        word = self.senses.names[find_word(self.senses.names, word)]
        if word not in self.words:
            raise ValueError(f"word must be one of those looked at, got {word!r}; give it to dominance as well")
        k = self.words.index(word)
        N, n = self._N[k], self._n[k]
        rows = []
        for s, told in enumerate(self._named[k]):
            rows.append((word, s + 1, told, n[s], N, *_wilson(n[s], N), *self._again[k][:, s].tolist()))
        rest = N - sum(n)
        return [*rows, (word, 0, "", rest, N, *_wilson(rest, N), np.nan, np.nan)]


def _wilson(n: int, N: int) -> tuple[float, float, float]:
    if not N:
        return (np.nan,) * 3
    interval = binomtest(n, N).proportion_ci(method="wilson")
    return n / N, float(interval.low), float(interval.high)
