"""Read the senses of words from a mixture of maps: in which maps is a word, and next to which words?

A word with a large proportion in a map has a *copy* there. The neighbors of a copy are the words j to which map m
connects it most strongly, by

.. math:: s_ij^m = pi_i^m pi_j^m K(d_ij^m)

which is the part of q_{j|i} from map m, up to a factor: a word that is close by, but belongs to another map, is no
neighbor.

The maps show coherent contexts, not the senses of a dictionary: CAN is beside garbage, beside beer and beside coke,
and the last two are one can. `stability` asks whether another run of the model would show them again.

Longer than 300 lines because half of them tell what the columns of its tables mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from notebook_sne.datasets.dataset import Dataset
from notebook_sne.engine.checks.arguments import check_count, check_number
from notebook_sne.engine.checks.arrays import Floats, Matrix
from notebook_sne.engine.checks.numbers import as_floats
from notebook_sne.engine.mathematics.row_mixtures import row_mixtures
from notebook_sne.engine.objects.repr_html import FIRST, table_html
from notebook_sne.senses.attribution import Explained, WordMixture, one_of
from notebook_sne.senses.mixture import conditional_rows, mixture_of
from notebook_sne.senses.nearest_of_copies import beside
from notebook_sne.senses.one_word import LEAST_PART, OneWord, table_of
from notebook_sne.senses.shared_associates import ties_of
from notebook_sne.senses.word_senses import InFit
from notebook_sne.senses.words import find_word, words_of
from notebook_sne.senses.words import given as answers

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["LEAST_PART", "Reading", "read"]


def read(
    model: Any,
    names: Dataset | ArrayLike,
    counts: Matrix | None = None,
    *,
    threshold: float = 0.1,
    n_neighbors: int = 10,
) -> Reading:
    """Read the copies of each word, and the neighbors of each copy, from a fitted mixture of maps.

    Parameters
    ----------
    model : fitted AspectMaps or MultipleMapsTSNE, or a State of one
        Any of these has maps and mixing proportions.
    names : Dataset, or sequence of str of length N
        The words, each once; a Dataset also gives its counts and what it knows of words outside.
    counts : array or sparse matrix, shape (N, N), optional
        `counts[i, j]`, how often j was given for the cue i.
    threshold : float, default=0.1
        A word has a copy in each map where its proportion is at least that, and always one in its first map.
    n_neighbors : int, default=10
        Neighbors of each copy.

    Returns
    -------
    reading : Reading
        Its methods `of`, `place`, `table`, `titles` and `unexplained` return tables.

    Raises
    ------
    ValueError
        If the model isn't fitted, names aren't N different words, or a number is out of range.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> words = ns.datasets.load_word_relations()
    >>> model = ns.AspectMaps(n_maps=5, max_iter=60, input="probabilities", random_state=0).fit(words.P)
    >>> reading = ns.senses.read(model, words)
    >>> reading.of("bank").columns.tolist()[:5]
    ['word', 'sense', 'map', 'share', 'proportion']
    """
    return Reading(model, names, counts, threshold=threshold, n_neighbors=n_neighbors)


class Reading:
    """The copies of each word in a mixture of maps, with their neighbors. Made by `read`.

    Attributes
    ----------
    names : tuple of str
        The words.
    counts : scipy.sparse.csr_array or None
        How often j was given for i.
    outside : scipy.sparse.csr_array or None
        What a Dataset knows of its words beyond the mapped ones, one row a word.
    P : scipy.sparse.csr_array or None
        The conditional P that the model was fitted to, p_{j|i}; of a model with a joint P, what each row of it implies.
    mixture : Mixture
        Maps, proportions and kernel.
    threshold, n_neighbors : float, int
        As given to `read`.
    word, map : ndarray of int, shape (n_copies,)
        To which word and which map each copy belongs; ordered by word, the strongest copy first.
    neighbors : ndarray of int, shape (n_copies, n_neighbors)
        The neighbors of each copy, nearest first.
    """

    def __init__(
        self,
        model: Any,
        names: Dataset | ArrayLike,
        counts: Matrix | None = None,
        *,
        threshold: float = 0.1,
        n_neighbors: int = 10,
    ) -> None:
        self.mixture = mixture_of(model)
        N = self.mixture.n_objects
        self.names, self.counts, self.outside = words_of(names, counts, N)
        self.threshold = check_number("threshold", threshold, 0.0, 1.0, closed=False)
        self.n_neighbors = min(check_count("n_neighbors", n_neighbors, 1), N - 1)
        P = getattr(model, "affinities_", None)
        if P is None:
            P = names.P if self.counts is None and isinstance(names, Dataset) else self.counts
        self.P = None if P is None else conditional_rows(P)
        self._kept = getattr(names, "kept", None)
        self.word, self.map = _copies(self.mixture.mixing, self.threshold)
        self.neighbors, self._log_strength, self._weight = beside(self.mixture, self.word, self.map, self.n_neighbors)

    def __repr__(self) -> str:
        several = np.sum(np.bincount(self.word, minlength=len(self.names)) > 1)
        return (
            f"Reading({len(self.names)} words, {self.mixture.n_maps} maps: {several} words with two or more copies "
            f"above {self.threshold:g})"
        )

    def _repr_html_(self) -> str:
        table = self.table(3)
        rows = table.head(FIRST).itertuples(index=False)
        return table_html(
            repr(self), table.columns, rows, len(table), "table() has all copies, of(word) the senses of a word"
        )

    @property
    def proportion(self) -> Floats:
        """ndarray, shape (n_copies,): the mixing proportion of each copy."""
        return self.mixture.mixing[self.map, self.word]

    @cached_property
    def _log_z(self):
        return self.mixture.log_z()

    def find(self, word: str) -> int:
        """Return the number of a word, whatever its case; a ValueError with the closest spellings if it is unknown."""
        return find_word(self.names, word)

    def of(self, word: str) -> pd.DataFrame:
        """Return the senses of a word in this fit, each led by the word's own associates.

        Parameters
        ----------
        word : str or int
            A word, in any case unless two differ by nothing else; or its number.

        Returns
        -------
        table : pandas.DataFrame
            One row for each sense and word beside it: word, sense (from 1, that with the largest share first), map,
            share (of the word's ties that the sense explains), proportion (of the word in the map; near 0 where the fit
            has missed a sense whose company is there), kind, rank (from 1, within its kind), neighbor, explained (the
            part of this associate that the sense explains, 0 to 1; missing for others), near (what a copy at this place
            gives to the neighbor, f_m(j)), given (how often the neighbor was given for the word) and giving (how often
            the word was given for the neighbor); the last two are missing without counts. The kinds are

            - "associate": tied to the word by the norms, and explained by this sense more than by any other;
            - "company": no associate of this sense, but near the place and tied to at least one of its associates;
            - "stranger": near the place, but tied to none of them: take no notice of it;
            - "other": no sense explains `LEAST_PART` of this associate, but perhaps a place too small for a sense does;
              these come last, as sense 0.

        Raises
        ------
        ValueError
            If the word is unknown, or nothing is known of P: read the fitted model, or give counts.
        """
        i = self.find(word)
        ties = self._explained.ties
        own, strengths = ties[[i]].indices, ties[[i]].data
        given, giving = self._given(i, np.arange(len(self.names)))
        one = OneWord(self.names[i], i, own, strengths, self.explained(i), self.mixture.mixing[:, i], given, giving)
        return table_of(one, self.names, self.mixture, ties, self.n_neighbors)

    def place(self, associates: Mapping[str, float] | ArrayLike, word: str = "new word") -> pd.DataFrame:
        """Return the senses of a word that wasn't fitted, from its associates among those that were.

        All words of the fit stay where they are; this one gets a place in each map that explains some of its
        associates (`notebook_sne.engine.mathematics.row_mixtures`).

        Parameters
        ----------
        associates : mapping of str to number, or array of shape (N,)
            How often each word was given for it, such as ``{"money": 12, "river": 4}``; or one number
            for each word of the fit.
        word : str, default="new word"
            What to call it in the table.

        Returns
        -------
        table : pandas.DataFrame
            As that of `of`. A proportion is that of the new word, and nothing is known of `giving`.

        Raises
        ------
        ValueError
            If an associate is unknown or named twice, a number is negative or not finite, or all are 0; or nothing is
            known of P.
        """
        counts = self._counted(associates)
        own = np.flatnonzero(counts)
        row = sparse.csr_array(counts[None])
        mixture = self.mixture
        found = row_mixtures(row, mixture.maps, mixture.mixing, student=mixture.kernel == "student")
        one = OneWord(
            str(word), -1, own, counts[own], one_of(found, 0, slice(None)), found.mixing(mixture.n_maps)[:, 0],
            counts, np.full(len(counts), np.nan),
        )  # fmt: skip
        return table_of(one, self.names, mixture, self._explained.ties, self.n_neighbors)

    def _counted(self, associates: Any) -> Floats:
        """Return how often each word was given, shape (N,), checked."""
        N = len(self.names)
        if isinstance(associates, Mapping):
            counts = np.zeros(N)
            for name, count in associates.items():
                j = self.find(name)
                if counts[j]:
                    raise ValueError(f"associates must name each word once, got {self.names[j]!r} twice; add both up")
                counts[j] = check_number(f"associates[{name!r}]", count, 0.0)
        else:
            counts = as_floats("associates", associates)
            if counts.shape != (N,):
                raise ValueError(
                    f"associates must be a mapping, or one number for each of the {N} names, got shape {counts.shape}"
                )
            if not (np.isfinite(counts) & (counts >= 0)).all():
                raise ValueError("associates must be finite numbers that are not negative; give counts")
        if not counts.any():
            raise ValueError("associates must have a number above 0; a word without associates has no place")
        return counts

    def needed_P(self) -> Any:
        """Return P, or a ValueError where it isn't known."""
        if self.P is None:
            raise ValueError(
                "which associates a place explains is asked of P, but neither the model nor the reading has one; "
                "read a fitted model, or give counts"
            )
        return self.P

    @cached_property
    def _explained(self):
        # An answer weighs as a share of all answers to its cue: of a cue with one answer left among the words, P makes
        # that one as strong as can be.
        P = self.needed_P()
        return Explained(ties_of(P if self._kept is None else sparse.diags_array(self._kept) @ P), self.mixture)

    def explained(self, word: str | int) -> WordMixture:
        """Return which of a word's associates each of its places explains, as arrays."""
        return self._explained.of(self.find(word))

    def in_fit(self, i: int, associates: Any) -> InFit:
        """Return the maps of word i in this fit, and how much each explains of its associates, words of the norms."""
        ties, found = self._explained.ties, self._explained.of(i)
        own = ties.indices[ties.indptr[i] : ties.indptr[i + 1]]  # ascending
        if not len(own):
            return InFit(found.maps, self.mixture.mixing[found.maps, i], np.zeros((len(associates), len(found.maps))))
        at = np.minimum(np.searchsorted(own, associates), len(own) - 1)
        parts = np.where((own[at] == associates)[:, None], found.parts[at], 0.0)
        return InFit(found.maps, self.mixture.mixing[found.maps, i], parts)

    def explain_all(self) -> None:
        """Explain the associates of all words at once, if most of them will be needed."""
        self._explained.make_all()

    def _given(self, i, words):
        return answers(self.counts, i, words)

    def copies(self, word: str) -> pd.DataFrame:
        """Return the copies of a word, where the maps have put them, and their neighbors there.

        Parameters
        ----------
        word : str or int
            A word, in any case unless two differ by nothing else; or its number.

        Returns
        -------
        table : pandas.DataFrame
            One row for each map and neighbor: word, map, proportion (of the word in the map), rank (from 1),
            neighbor, neighbor_proportion (in the same map), strength (pi_i pi_j K), share (the part of the word's
            strength over all maps and words that the pair has, so of q), given (how often the neighbor was given for
            the word) and giving (how often the word was given for the neighbor); the last two are missing without
            counts.
        """
        import pandas as pd

        i = self.find(word)
        copies = np.flatnonzero(self.word == i)
        k = self.n_neighbors
        maps, j = np.repeat(self.map[copies], k), self.neighbors[copies].ravel()
        log_s = self._log_strength[copies].ravel()
        log_z = self.mixture.q([i])[1][0]
        both = self._given(i, j)
        return pd.DataFrame(
            {
                "word": self.names[i],
                "map": maps,
                "proportion": self.mixture.mixing[maps, i],
                "rank": np.tile(np.arange(1, k + 1), len(copies)),
                "neighbor": [self.names[n] for n in j],
                "neighbor_proportion": self.mixture.mixing[maps, j],
                "strength": np.exp(log_s),
                "share": np.exp(log_s - log_z),
                "given": both[0],
                "giving": both[1],
            }
        )

    def table(self, n: int = 5) -> pd.DataFrame:
        """Return all copies of all words.

        Parameters
        ----------
        n : int, default=5
            Neighbors to name.

        Returns
        -------
        table : pandas.DataFrame
            One row a copy: word, map, proportion, neighbors (a text, nearest first), n_maps (maps in which the word
            has at least the threshold; 0 where even its first map has less).
        """
        import pandas as pd

        n = check_count("n", n, 1)
        n_maps = (self.mixture.mixing >= self.threshold).sum(axis=0)
        return pd.DataFrame(
            {
                "word": [self.names[i] for i in self.word],
                "map": self.map,
                "proportion": self.proportion,
                "neighbors": [self._listed(row[:n]) for row in self.neighbors],
                "n_maps": n_maps[self.word],
            }
        )

    def titles(self, n: int = 3) -> pd.DataFrame:
        """Return what each map is about: the words that are connected most strongly to others there.

        Parameters
        ----------
        n : int, default=3
            Words to name.

        Returns
        -------
        table : pandas.DataFrame
            One row a map: map, title (a text), n_words (with a copy in it), mass (sum of all proportions in it). The
            title is empty where no word has a copy.
        """
        import pandas as pd

        n = check_count("n", n, 1)
        rows = []
        for m in range(self.mixture.n_maps):
            here = np.flatnonzero(self.map == m)
            first = here[np.argsort(-self._weight[here], kind="stable")[:n]]
            rows.append((m, self._listed(self.word[first]), len(here), float(self.mixture.mixing[m].sum())))
        return pd.DataFrame(rows, columns=["map", "title", "n_words", "mass"])

    def unexplained(self, word: str | None = None, n: int = 20) -> pd.DataFrame:
        """Return the associations that no map explains: where p log(p / q), a part of the cost, is largest.

        Parameters
        ----------
        word : str or int, optional
            Only what was given for this word.
        n : int, default=20
            Most rows.

        Returns
        -------
        table : pandas.DataFrame
            One row a pair: word, response, p (p_{j|i}), q (q_{j|i}), nats (p log(p / q)), given (missing without
            counts), map (the one that gives most of q). A single part may be negative; their sum over a row of P is
            the cost of this word.
        """
        import pandas as pd

        n = check_count("n", n, 1)
        if self.P is None:
            raise ValueError("what is unexplained needs P, but neither the model nor the reading has one; give counts")
        if word is None:
            pairs, log_z = self.P.tocoo(), self._log_z
            i, j, p = pairs.row, pairs.col, pairs.data
            log_z = log_z[i]
        else:
            k = self.find(word)
            begin, end = self.P.indptr[k : k + 2]
            j, p = self.P.indices[begin:end], self.P.data[begin:end]
            i = np.full(len(j), k)
            log_z = np.full(len(j), self.mixture.q([k])[1][0])
        log_q, best = self.mixture.log_q(i, j, log_z)
        nats = p * (np.log(p) - log_q)
        order = np.argsort(-nats, kind="stable")[:n]
        i, j = i[order], j[order]
        return pd.DataFrame(
            {
                "word": [self.names[k] for k in i],
                "response": [self.names[k] for k in j],
                "p": p[order],
                "q": np.exp(log_q[order]),
                "nats": nats[order],
                "given": np.nan if self.counts is None else np.asarray(self.counts[i, j]).ravel(),
                "map": best[order],
            }
        )

    def _listed(self, words):
        return ", ".join(self.names[k] for k in words)


def _copies(mixing, threshold):
    """Return the word and the map of each copy, ordered by word, the strongest copy first."""
    large = mixing >= threshold
    large[mixing.argmax(axis=0), np.arange(mixing.shape[1])] = True
    maps, words = np.nonzero(large)
    order = np.lexsort((maps, -mixing[maps, words], words))
    return words[order], maps[order]
