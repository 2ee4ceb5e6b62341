"""One word in two norms: which senses do both have, and which only one?

The norms may come from two years, ages or countries: only the spelling of associates must agree, apart from
case. Two senses of a word agree as far as they have the same associates, each with a good share of the word's ties,

.. math:: w_{st} = sum_{a in s and t} sqrt(p_a q_a)

with the share p_a of associate a in one norm and q_a in the other (the coefficient of [Bhattacharyya1943], summed over
what both senses have). Senses are paired so that the sum of w is largest; a pair without `LEAST_COMMON` common
associates is none.

Two halves of the same people differ, too. So the people of both norms are dealt anew, as many to each, and compared in
the same way: a word differs beyond this noise if the largest difference of a sense's shares is larger than in every one
of `draws` deals. If both norms asked people of one kind, 1 of 21 words does so with 20 deals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from notebook_sne.datasets.dataset import Dataset
from notebook_sne.engine.checks.arguments import check_count
from notebook_sne.engine.fitting.progress import progress_bar
from notebook_sne.engine.objects.repr_html import FIRST, table_html
from notebook_sne.senses.consensus import Consensus, groups
from notebook_sne.senses.people import People, alone, deal
from notebook_sne.senses.words import find_word

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Comparison", "Pair", "compare"]

LEAST_COMMON = 2


class Pair(NamedTuple):
    """A sense in two norms, or in one of them alone."""

    numbers: tuple[int, int]
    """Its number in each, from 1; 0 where it is not found."""
    shares: tuple[float, float]
    """Of the word's ties."""
    associates: tuple[list[str], list[str]]
    """The strongest first."""
    both: list[str]
    """The associates that both norms have in it, those with the largest shares first."""


def compare(
    one: Consensus | Dataset,
    other: Consensus | Dataset,
    names: tuple[str, str] = ("one", "other"),
    *,
    draws: int = 20,
    random_state: int = 0,
) -> Comparison:
    """Compare the senses of words in two norms.

    Parameters
    ----------
    one, other : Consensus or Dataset
        The results of `consensus` or `groups` for each; a Dataset is grouped.
    names : tuple of two str, default=("one", "other")
        The names of the norms in tables and pictures, such as ("USF", "Edinburgh").
    draws : int, default=20
        How often the people of both are dealt anew, which tells how far two halves of the same people differ; 0 leaves
        this out. It is done when a word is first asked for, and takes minutes for a table of thousands.
    random_state : int, default=0
        Seed of the deals.

    Returns
    -------
    comparison : Comparison
        Its methods `of` and `table` return tables; `views.two_norms` draws a word, and `explore` shows all words.

    Raises
    ------
    ValueError, TypeError
        If one of them is neither, the names aren't two different texts, or no word is in both; or counts of one are no
        whole numbers of answers, unless `draws` is 0.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> words = ns.datasets.load_word_relations()
    >>> both = ns.senses.compare(words, words, names=("WordNet", "WordNet again"), draws=0)
    >>> both.of("bank").columns.tolist()[:3]
    ['word', 'sense, WordNet', 'share, WordNet']
    """
    return Comparison(one, other, names, check_count("draws", draws, 0), random_state)


class Comparison:
    """The senses of words in two norms. Made by `compare`.

    Attributes
    ----------
    names : tuple of str
        The names of the norms.
    words : tuple of str
        The words that both have, as the first one writes them.
    senses : tuple of Consensus
        The senses in each.
    draws : int
        How often the people of both are dealt anew; 0 where no people are known.
    """

    def __init__(
        self,
        one: Consensus | Dataset,
        other: Consensus | Dataset,
        names: tuple[str, str],
        draws: int = 0,
        seed: int = 0,
    ) -> None:
        if len(names) != 2 or not all(isinstance(name, str) and name for name in names) or names[0] == names[1]:
            raise ValueError(f"names must be two texts that differ, got {names!r}; such as ('USF', 'EAT')")
        self.names = (names[0], names[1])
        first, second = (norms if isinstance(norms, Consensus) else groups(norms) for norms in (one, other))
        self.senses = (first, second)
        known = alone(second.names)
        both = [(i, known[folded]) for folded, i in alone(first.names).items() if folded in known]
        self._paired: dict[str, list[Pair]] = {}
        self._numbers = {first.names[i]: (i, j) for i, j in sorted(both)}
        self.words = tuple(self._numbers)
        if not self.words:
            raise ValueError("both norms must have some word in common, but there is none; check how both are spelled")
        counted = draws > 0 and first.counts is not None and second.counts is not None
        self.draws, self._seed, self._noise = draws if counted else 0, seed, dict[str, float]()
        self._people = [People(norms) for norms in self.senses] if counted else []

    def __repr__(self) -> str:
        return f"Comparison({' and '.join(self.names)}: {len(self.words)} words in both)"

    def _repr_html_(self) -> str:
        rows = [self._row(word) for word in self.words[:FIRST]]
        note = "table() has all words, of(word) the senses of one"
        return table_html(repr(self), list(rows[0]), [row.values() for row in rows], len(self.words), note)

    def find(self, word: str | int) -> str:
        """Return a word as the first norms write it, whatever its case; a ValueError if it is unknown."""
        return self.words[find_word(self.words, word)]

    def pairs(self, word: str | int) -> list[Pair]:
        """Return the senses of a word: those that both norms have, then those of one alone, the largest share first."""
        word = self.find(word)
        if word not in self._paired:
            self._paired[word] = self._pairs(self._numbers[word])
        return self._paired[word]

    def noise(self, word: str | int) -> float:
        """Return by how much the share of a sense of a word differs between two groups of the same people.

        Parameters
        ----------
        word : str or int
            As for `of`.

        Returns
        -------
        noise : float
            The largest difference of shares when people are dealt anew, up to the first deal in which it is as large as
            between the norms. 0 where these don't differ, NaN where no people are known.
        """
        word = self.find(word)
        self._judge([word])
        return self._noise[word]

    def _judge(self, words):
        """Deal the people anew until each word has once differed as much as between the norms, or `draws` times."""
        between = {word: largest(self.pairs(word)) for word in words if word not in self._noise}
        self._noise |= {word: 0.0 if self.draws or not size else np.nan for word, size in between.items()}
        left = [word for word, size in between.items() if size]
        with progress_bar("auto", self.draws, "people dealt anew") as bar:
            for k in range(self.draws if left else 0):
                parts = deal(self._people[0], self._people[1], np.random.default_rng((self._seed, k)))
                one, other = (groups(part, least=s.least) for part, s in zip(parts, self.senses, strict=True))
                dealt = Comparison(one, other, self.names)
                # Of words that are mapped, two more of the norms may differ by case alone.
                sizes = {word: largest(dealt.pairs(word)) if word in dealt._numbers else np.nan for word in left}
                self._noise |= {word: float(np.maximum(self._noise[word], size)) for word, size in sizes.items()}
                bar.update()
                if not (left := [word for word in left if self._noise[word] < between[word]]):
                    break

    def _pairs(self, numbers: tuple[int, int]) -> list[Pair]:
        found = [_groups(senses, i) for senses, i in zip(self.senses, numbers, strict=True)]
        common = [[_common(s, t) for t in found[1]] for s in found[0]]
        weights = np.array([[sum(common[a][b].values()) for b in range(len(found[1]))] for a in range(len(found[0]))])
        rows = []
        taken: tuple[set[int], set[int]] = (set(), set())
        matched = linear_sum_assignment(-weights.reshape(len(found[0]), len(found[1])))
        for a, b in zip(*(side.tolist() for side in matched), strict=True):
            if len(common[a][b]) >= LEAST_COMMON:
                taken[0].add(a)
                taken[1].add(b)
                s, t = found[0][a], found[1][b]
                both = sorted(common[a][b], key=lambda name: -common[a][b][name])
                written = {name.casefold(): name for name in s}
                shares = (sum(s.values()), sum(t.values()))
                rows.append(Pair((a + 1, b + 1), shares, (list(s), list(t)), [written[name] for name in both]))
        one, other = (
            [(k + 1, sum(sense.values()), list(sense)) for k, sense in enumerate(senses) if k not in had]
            for senses, had in zip(found, taken, strict=True)
        )
        rows += [Pair((k, 0), (share, 0.0), (own, []), []) for k, share, own in one]
        rows += [Pair((0, k), (0.0, share), ([], own), []) for k, share, own in other]
        return sorted(rows, key=lambda pair: (0 in pair.numbers, -max(pair.shares)))

    def of(self, word: str | int, n: int = 5) -> pd.DataFrame:
        """Return the senses of a word in both norms.

        Parameters
        ----------
        word : str or int
            A word that both have, in any case; or its number among `words`.
        n : int, default=5
            Associates to name.

        Returns
        -------
        table : pandas.DataFrame
            One row a sense: word; of each norm, by its name, the sense (its number there, 0 where it isn't found) and
            the share of the word's ties; difference (of these shares), noise (as the method `noise` returns it) and
            beyond (whether the difference is larger, missing where noise is); n_common (associates that both have in
            it), common (the first of them), and of each norm the first associates that the other doesn't have there.
        """
        import pandas as pd

        n, (one, other) = check_count("n", n, 1), self.names
        word, noise = self.find(word), self.noise(word)
        rows = []
        for pair in self.pairs(word):
            difference = largest([pair])
            common = {name.casefold() for name in pair.both}
            alone = [[name for name in own if name.casefold() not in common][:n] for own in pair.associates]
            rows.append({
                "word": word,
                f"sense, {one}": pair.numbers[0], f"share, {one}": pair.shares[0],
                f"sense, {other}": pair.numbers[1], f"share, {other}": pair.shares[1],
                "difference": difference, "noise": noise, "beyond": None if np.isnan(noise) else difference > noise,
                "n_common": len(pair.both), "common": ", ".join(pair.both[:n]),
                f"{one} alone": ", ".join(alone[0]), f"{other} alone": ", ".join(alone[1]),
            })  # fmt: skip
        return pd.DataFrame(rows)

    def table(self) -> pd.DataFrame:
        """Return a row for each word that both have.

        Returns
        -------
        table : pandas.DataFrame
            word; beyond (by how much the largest difference of a sense's shares is larger than noise, 0 where it is
            not), difference (this difference) and noise (as the method `noise` returns it), all three only where people
            are known; apart (half the sum of the differences of the shares of all senses, from 0 to 1); n_both (senses
            that both have) and shared (share of the word's ties that these have, the smaller one of both); of each
            norm, by its name, the number of senses and the certainty that there is a second one.
        """
        import pandas as pd

        self._judge(self.words)
        return pd.DataFrame([self._row(word) for word in self.words])

    def _row(self, word: str) -> dict[str, Any]:
        pairs = self.pairs(word)
        paired = [pair for pair in pairs if 0 not in pair.numbers]
        shares = np.array([pair.shares for pair in paired]).reshape(-1, 2).sum(axis=0)
        apart = 0.5 * sum(abs(pair.shares[0] - pair.shares[1]) for pair in pairs)
        row: dict[str, Any] = {"word": word}
        if self.draws:
            noise, difference = self.noise(word), largest(pairs)
            row |= {"beyond": max(difference - noise, 0.0), "difference": difference, "noise": noise}
        row |= {"apart": apart, "n_both": len(paired), "shared": float(shares.min())}
        for side, (name, senses, i) in enumerate(zip(self.names, self.senses, self._numbers[word], strict=True)):
            row[f"senses, {name}"] = sum(pair.numbers[side] > 0 for pair in pairs)
            row[f"certainty, {name}"] = senses.senses(i).second
        return row


def largest(pairs: list[Pair]) -> float:
    """Return the largest difference of the shares of a sense, 0 without any; sums of shares are rounded."""
    return round(max((abs(pair.shares[0] - pair.shares[1]) for pair in pairs), default=0.0), 9)


def _groups(senses, i):
    """Return {associate: share of the word's ties} of each sense of a word, the strongest associate first."""
    found = senses.senses(i)
    named = [{senses.known[found.associates[a]]: float(found.shares[a]) for a in group} for group in found.groups]
    return [group for group in named if group]


def _common(one, other):
    """Return {folded name: sqrt(p q)} of the associates that two senses have."""
    shares = {name.casefold(): share for name, share in other.items()}
    folded = {name.casefold(): share for name, share in one.items() if name.casefold() in shares}
    return {name: float(np.sqrt(share * shares[name])) for name, share in folded.items()}
