"""Are two copies of a word two meanings? Ask whether the second one helps to predict what people will say.

[Cook2007, section 5] leaves open whether a word that is in two maps has two meanings, and names the test: do two
meanings model the judgments better than one? On the judgments that were fitted the answer is always yes, as a copy is
a set of parameters. So a part of the responses is held out, the maps are fitted to the others, and a copy is removed:
its proportion becomes almost 0, and all maps are fitted further from there, as are the unchanged ones, by the same
number of updates. The *gain* of the copy is what it adds to the mean log q of the word's held-out responses, in nats a
response.

What it says: whether this mixture, with this number of maps, predicts new people's answers better with the copy. What
it does not say: that the copy is a sense of a dictionary. A copy for one strong associate predicts well, too; a
homonym of which one meaning is never answered has nothing to gain. A gain near 0 may mean that another copy took over,
as the updates gave it time to. Responses of the same people to the same cues are held out, so nothing is learned about
other cues.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.affinities import from_counts
from notebook_sne.arrays import Matrix
from notebook_sne.checks import check_count
from notebook_sne.datasets.dataset import Dataset
from notebook_sne.given import as_list, show
from notebook_sne.senses.mixture import mixture_of
from notebook_sne.senses.reading import read
from notebook_sne.senses.stability import check_refittable, overlap_of_copies, refit
from notebook_sne.senses.thinning import thin
from notebook_sne.senses.words import find_word, words_of

__all__ = ["Evidence", "evidence"]

# Negligible beside proportions near 1, and its logarithm is still a number that an optimizer can use.
_NOTHING = 1e-26
# Least overlap of the neighbors of what is called the same copy in two restarts: two of ten.
_SAME = 0.1


@dataclass(frozen=True, eq=False)
class Evidence:
    """What the copies of some words add to the prediction of their held-out responses. Made by `evidence`.

    Attributes
    ----------
    summary : pandas.DataFrame
        One row a copy, matched between restarts by its neighbors: word, copy (from 0, the strongest first),
        neighbors (a text, of its first restart), proportion (mean), n_restarts (with this copy), gain, gain_sd,
        gain_min, gain_max (over those restarts, in nats a response; positive: better with the copy), sampling_sd (of
        the gain, from the finite number of responses; mean over restarts), n_test (held-out responses of the word),
        n_new (of them, those that no one gave in training) and note.
    runs : pandas.DataFrame
        One row a copy and restart: word, restart, copy, map, proportion, neighbors, with_copy and without_copy (mean
        log q), gain, sampling_sd, regrown (proportion of the copy after the refit without it), n_test, n_new, note.
    kept_whole : tuple of str
        Words, of all that were mapped, for which nothing was held out, as the draw had taken every response.
    """

    summary: Any
    runs: Any
    kept_whole: tuple

    def _repr_html_(self) -> str:
        return self.summary._repr_html_()

    def __repr__(self) -> str:
        return repr(self.summary)


def evidence(
    model: Any,
    counts: Dataset | Matrix,
    names: ArrayLike | None = None,
    words: Sequence[str] = (),
    *,
    held_out: float = 0.2,
    n_restarts: int = 3,
    n_updates: int = 100,
    threshold: float = 0.1,
    n_neighbors: int = 10,
    random_state: int = 0,
    progress: bool | Literal["auto"] = "auto",
) -> Evidence:
    """Return how much worse held-out responses are predicted when a copy of a word is removed.

    Parameters
    ----------
    model : AspectMaps or MultipleMapsTSNE, fitted or not
        With input="probabilities" and free mixing. Clones of it are fitted; it is not changed.
    counts : Dataset, or array or sparse matrix of whole numbers, shape (N, N)
        `counts[i, j]`, how often j was given for the cue i.
    names : sequence of str, optional
        The words; those of the Dataset when left out.
    words : sequence of str
        The words to test. Each of their copies costs a refit in each restart.
    held_out : float, default=0.2
        Probability of each response to be held out.
    n_restarts : int, default=3
        Independent fits, all to the same training responses.
    n_updates : int, default=100
        Updates after the copy was removed, and of the unchanged maps.
    threshold : float, default=0.1
        A word has a copy in each map where its proportion is at least that.
    n_neighbors : int, default=10
        Neighbors by which copies are matched between restarts.
    random_state : int, default=0
        Seed of the draw of the held-out responses; and of the first fit, the others taking those that follow.
    progress : {"auto"} or bool
        Whether to show a bar; with "auto", one that appears after a second.

    Returns
    -------
    evidence : Evidence
        With the DataFrames `summary` and `runs`.

    Raises
    ------
    ValueError
        If counts are not whole, a word is unknown, or the model cannot be fitted to a conditional P.

    Notes
    -----
    A word with one copy has none that can be removed, and one without held-out responses cannot be judged: both stay
    in the tables, with a note and without a gain. The spread over restarts is that of the fits alone, the sampling
    deviation that of the responses alone; a gain that is not clearly larger than both is none. Each fit is taken at the
    update with the lowest objective on the training responses.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> data = ns.datasets.fetch_usf_associations()                                     # doctest: +SKIP
    >>> model = ns.AspectMaps(n_maps=50, input="probabilities")
    >>> ns.senses.evidence(model, data, words=["can", "field"]).summary                 # doctest: +SKIP
    """
    import pandas as pd
    from tqdm.auto import tqdm

    names = counts if getattr(counts, "names", None) is not None and names is None else names
    counts = getattr(counts, "counts", counts)
    if counts is None or not hasattr(counts, "shape"):
        raise TypeError(f"counts must be a Dataset with counts, or a matrix of them, got {type(counts).__name__}")
    names, counts, _ = words_of(names, counts, counts.shape[0])
    wanted = [find_word(names, word) for word in ([words] if isinstance(words, str) else as_list("words", words))]
    wanted = list(dict.fromkeys(wanted))
    if not wanted:
        raise ValueError("words must name at least one word, got none; each costs a refit for each of its copies")
    n_restarts, n_updates = check_count("n_restarts", n_restarts, 1), check_count("n_updates", n_updates, 1)
    seed = check_count("random_state", random_state, 0)
    check_refittable(model)
    if not isinstance(getattr(model, "mixing", "free"), str) or getattr(model, "mixing", "free") != "free":
        raise ValueError(f"model must have mixing='free', or no copy can be removed, got mixing={show(model.mixing)}")
    train, test, kept_whole = thin(counts, held_out, seed)
    P = from_counts(train)
    responses = {i: _Responses(i, train, test) for i in wanted}
    rows, lists = [], []
    with tqdm(total=n_restarts, desc="restarts", delay=1.0, leave=progress is True, disable=progress is False) as bar:
        for restart in range(n_restarts):
            fitted = refit(model, P, seed + restart)
            reading = read(fitted, names, threshold=threshold, n_neighbors=n_neighbors)
            untouched = None
            for i in wanted:
                here = responses[i]
                copies = np.flatnonzero(reading.word == i)
                note = here.note or ("one copy" if len(copies) == 1 else "")
                for at in copies:
                    m = int(reading.map[at])
                    row = {
                        "word": names[i],
                        "restart": restart,
                        "map": m,
                        "proportion": float(reading.proportion[at]),
                        "neighbors": ", ".join(names[j] for j in reading.neighbors[at][:5]),
                        "note": note,
                    }
                    if not note:
                        if untouched is None:
                            untouched = settle(fitted, P, fitted.state_, n_updates)
                        row |= here.gain(untouched, settle(fitted, P, without_copy(fitted.state_, m, i), n_updates), m)
                    rows.append({**row, "n_test": here.n_test, "n_new": here.n_new})
                    lists.append(reading.neighbors[at])
            bar.update()
    runs = pd.DataFrame(rows).reindex(columns=_RUNS)
    runs["copy"] = _matched(runs, np.array(lists))
    summary = pd.DataFrame([_summary(copy) for _, copy in runs.groupby(["word", "copy"], sort=False)])
    order = {names[i]: k for k, i in enumerate(wanted)}
    runs = runs.iloc[np.lexsort((runs["restart"], runs["copy"], runs["word"].map(order)))].reset_index(drop=True)
    summary = summary.iloc[np.lexsort((summary["copy"], summary["word"].map(order)))].reset_index(drop=True)
    return Evidence(summary, runs, tuple(names[i] for i in kept_whole))


_RUNS = ["word", "restart", "copy", "map", "proportion", "neighbors", "with_copy", "without_copy", "gain"]
_RUNS += ["sampling_sd", "regrown", "n_test", "n_new", "note"]


class _Responses:
    """The held-out responses of one word."""

    def __init__(self, i, train, test):
        row = test[[i]].toarray()[0]
        self.word, self.j = i, np.flatnonzero(row)
        self.n = row[self.j]
        self.n_test = int(self.n.sum())
        self.n_new = int(self.n[train[[i]].toarray()[0][self.j] == 0].sum())
        self.note = "" if self.n_test else "no held-out responses"

    def log_q(self, mixture):
        """Return log q of each different response."""
        i = np.full(len(self.j), self.word)
        return mixture.log_q(i, self.j, mixture.q([self.word])[1].repeat(len(i)))[0]

    def gain(self, untouched, without, m):
        """Return scores in nats a response of two mixtures, of which the second has no copy in map m."""
        a, b = self.log_q(untouched), self.log_q(without)
        share = self.n / self.n_test
        gain = float(share @ (a - b))
        variance = share @ (a - b - gain) ** 2
        return {
            "with_copy": float(share @ a),
            "without_copy": float(share @ b),
            "gain": gain,
            "sampling_sd": float(np.sqrt(variance / (self.n_test - 1))) if self.n_test > 1 else np.nan,
            "regrown": float(without.mixing[m, self.word]),
        }


def without_copy(state, m, i):
    """Return a state in which object i is not in map m; its other proportions keep their ratios."""
    mixing = np.array(state.mixing)
    mixing[m, i] = 0.0
    rest = mixing[:, i].sum()
    if rest <= 0:
        raise ValueError(f"a copy can be removed only where others are left, but object {i} is in map {m} only")
    mixing[:, i] /= rest
    mixing[m, i] = _NOTHING
    mixing[:, i] /= mixing[:, i].sum()
    return replace(state, mixing=mixing)


def settle(model, P, state, n_updates):
    """Return the Mixture after n_updates from the maps of a state, taken where the objective is lowest."""
    from sklearn.base import clone

    # The name of no model, so that the optimizer begins without memory of the removed copy, in both fits.
    start = replace(state, model="edited", memory={})
    if "copy_moves" in model.get_params():
        model = clone(model).set_params(copy_moves=0)  # what was taken out is not to be put back
    best = min(islice(model.iterate(P, start=start), n_updates + 1), key=lambda here: here.objective)
    return mixture_of(best, kernel=getattr(model, "_kernel", None))


def _matched(runs, lists):
    """Return the number of each copy, by its neighbors the same in each restart; unmatched ones get new numbers."""
    from scipy.optimize import linear_sum_assignment

    numbers = np.empty(len(runs), dtype=int)
    for _, own in runs.groupby("word", sort=False):
        known: list[int] = []  # the row in which each copy was first met
        for _, some in own.groupby("restart"):
            rows = some.index.to_numpy()
            new = dict.fromkeys(rows.tolist())
            if known:
                overlap = overlap_of_copies(lists[rows], lists[known])
                for a, b in zip(*linear_sum_assignment(-overlap), strict=True):
                    if overlap[a, b] >= _SAME:
                        new[int(rows[a])] = int(b)
            for row, number in new.items():
                if number is None:
                    number = len(known)
                    known.append(row)
                numbers[row] = number
        # The strongest copy is number 0.
        rows = own.index.to_numpy()
        sums = np.bincount(numbers[rows], weights=runs["proportion"].to_numpy()[rows])
        rank = np.argsort(np.argsort(-sums, kind="stable"), kind="stable")
        numbers[rows] = rank[numbers[rows]]
    return numbers


def _summary(copy):
    first, gain = copy.iloc[0], copy["gain"]
    notes = copy["note"][copy["note"] != ""].value_counts(sort=False)
    return {
        "word": first["word"],
        "copy": first["copy"],
        "neighbors": first["neighbors"],
        "proportion": copy["proportion"].mean(),
        "n_restarts": len(copy),
        "gain": gain.mean(),
        "gain_sd": gain.std(ddof=1),
        "gain_min": gain.min(),
        "gain_max": gain.max(),
        "sampling_sd": copy["sampling_sd"].mean(),
        "n_test": first["n_test"],
        "n_new": first["n_new"],
        "note": "; ".join(f"{note} in {n} of {len(copy)} restarts" for note, n in notes.items()),
    }
