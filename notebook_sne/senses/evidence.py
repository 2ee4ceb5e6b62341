"""Are two copies of a word two meanings? Ask whether the second one helps to predict what people will say.

[Cook2007, section 5] leaves open whether a word that is in two maps has two meanings, and names the test: do two
meanings model the judgments better than one? On the judgments that were fitted the answer is always yes, as a copy is
a set of parameters. So a part of the responses is held out, the maps are fitted to the others, and a copy is removed:
its proportion becomes almost 0, and all maps are fitted further from there, as are the unchanged ones, by the same
number of updates. The *gain* of the copy is what it adds to the mean log q of the word's held-out responses, in nats a
response.

The responses are thinned several times, so that no response is held out twice. Given a fit, what a copy adds to the
log q of a response is a number for each possible response, fixed before the held-out ones are looked at, and those
are answers of different people. So the held-out responses to a word are a sample, and that the expected gain is not
above 0 is tested by Student's t, one-sided. Over several thinnings the responses are pooled, and the test is of the
mean over the fits; that it may be made so, although the fits share most of their responses, is shown by [Bayle2020].
Gains have a long tail to the right, which makes the test careful rather than bold (docs/decisions.md). A word with
several copies is tested once, by its *second copy*: of all copies that which is second in what it is worth to the
responses in training. Where it gains nothing, one copy is enough. Over the words, the share of false discoveries is
bounded as by [Benjamini1995].

What it says: whether this mixture, with this number of maps, predicts new people's answers better with the copy. What
it does not say: that the copy is a sense of a dictionary. A copy for one strong associate predicts well, too; a
homonym of which one meaning is never answered has nothing to gain. A gain near 0 may mean that another copy took over,
as the updates gave it time to. Responses of the same people to the same cues are held out, so nothing is learned about
other cues.

[Bayle2020]
    Pierre Bayle, Alexandre Bayle, Lucas Janson, Lester Mackey. Cross-validation confidence intervals for test error.
    NeurIPS 33, 2020.
[Benjamini1995]
    Yoav Benjamini, Yosef Hochberg. Controlling the false discovery rate. Journal of the Royal Statistical Society B
    57, 1995.

Longer than 300 lines because a good part of them tells what the columns of its tables mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.arrays import Matrix
from notebook_sne.checks import check_count
from notebook_sne.datasets.dataset import Dataset
from notebook_sne.fitting.progress import progress_bar
from notebook_sne.given import as_list, show
from notebook_sne.senses.stability import check_refittable, overlap_of_copies
from notebook_sne.senses.thinning import thinnings
from notebook_sne.senses.trials import Kept, trial
from notebook_sne.senses.words import find_word, words_of

__all__ = ["Evidence", "evidence"]

# Parameters of a model that change no fit here: seeds are our own, and the others change no bit.
_NO_MATTER = ("random_state", "progress", "n_jobs")
# Least overlap of the neighbors of what is called the same copy in two fits: two of ten.
_SAME = 0.1
# One word of so many loses a copy in one refit: docs/decisions.md says what this does to a gain.
_TOGETHER = 20


@dataclass(frozen=True, eq=False)
class Evidence:
    """What the copies of some words add to the prediction of their held-out responses. Made by `evidence`.

    Attributes
    ----------
    words : pandas.DataFrame
        One row a word, does it need more than one copy: word, n_copies (mean over fits), n_fits (with several), gain
        (of its second copy, in nats a response; 0 where a fit has one copy), error (standard error of the gain, over
        responses), p_value (of no gain), q_value (least rate of false discoveries at which the word is among those
        found), n_test (held-out responses) and note.
    summary : pandas.DataFrame
        One row a copy, matched between fits by its neighbors: word, copy (from 0, the strongest first), neighbors (a
        text, of its first fit), proportion (mean), n_fits (with this copy), gain, gain_sd, gain_min, gain_max (over
        those fits, in nats a response; positive: better with the copy), sampling_sd (of the gain, from the finite
        number of responses), n_test (held-out responses of the word), n_new (of them, those that no one gave in
        training) and note.
    runs : pandas.DataFrame
        One row a copy and fit: word, thinning, restart, copy, map, proportion, neighbors, with_copy and without_copy
        (mean log q), gain, sampling_sd, regrown (proportion of the copy after the refit without it), n_test, n_new,
        note.
    kept_whole : tuple of str
        Words, of all that were mapped, for which nothing was held out in some thinning, as the draw had taken every
        response.
    """

    words: Any
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
    words: Sequence[str] | None = None,
    *,
    held_out: float = 0.2,
    n_thinnings: int = 5,
    n_restarts: int = 1,
    n_updates: int = 100,
    n_together: int | None = None,
    threshold: float = 0.1,
    n_neighbors: int = 10,
    random_state: int = 0,
    path: str | Path | None = None,
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
    words : sequence of str, optional
        The words to test; all that have two copies or more in a fit when left out.
    held_out : float, default=0.2
        Probability of each response to be held out, in each thinning.
    n_thinnings : int, default=5
        How often responses are held out and all is fitted to the others; times `held_out`, at most 1, as no response
        is held out twice.
    n_restarts : int, default=1
        Independent fits to each thinning.
    n_updates : int, default=100
        Updates after copies were removed, and of the unchanged maps.
    n_together : int, optional
        Most copies that are removed in one refit, each of another word, and no two of words that a response ties to
        each other. With 1, each copy has a refit of its own. A twentieth of the words when left out.
    threshold : float, default=0.1
        A word has a copy in each map where its proportion is at least that.
    n_neighbors : int, default=10
        Neighbors by which copies are matched between fits.
    random_state : int, default=0
        Seed of the draw of the held-out responses, and of the fits.
    path : str or Path, optional
        A file that keeps what was found, after each refit. The same call goes on from there if it was interrupted, and
        may ask for more thinnings or restarts than before; a file of other data or settings is refused.
    progress : {"auto"} or bool
        Whether to show a bar; with "auto", one that appears after a second where somebody can see it.

    Returns
    -------
    evidence : Evidence
        With the DataFrames `words`, `summary` and `runs`.

    Raises
    ------
    ValueError
        If counts are not whole, a word is unknown, the model cannot be fitted to a conditional P, more would be held
        out than there is, or `path` holds something else.

    Notes
    -----
    A word with one copy has none that can be removed, and one without held-out responses cannot be judged: both stay
    in the tables, with a note and without a gain. The spread over fits (`gain_sd`) has its share of the sampling
    deviation where they are of several thinnings. Each fit is taken at the update with the lowest objective on the
    training responses. Some words take about as long again as the fits, as many as `n_together` no longer than one;
    all ambiguous words of a large vocabulary about five times as long.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> data = ns.datasets.fetch_usf_associations()                                     # doctest: +SKIP
    >>> model = ns.AspectMaps(n_maps=50, input="probabilities")
    >>> ns.senses.evidence(model, data, words=["can", "field"]).summary                 # doctest: +SKIP
    >>> ns.senses.evidence(model, data, path="usf.evidence").words                      # doctest: +SKIP
    """
    import joblib

    names = counts if getattr(counts, "names", None) is not None and names is None else names
    counts = getattr(counts, "counts", counts)
    if counts is None or not hasattr(counts, "shape"):
        raise TypeError(f"counts must be a Dataset with counts, or a matrix of them, got {type(counts).__name__}")
    names, counts, _ = words_of(names, counts, counts.shape[0])
    wanted = np.arange(len(names))
    if words is not None:
        given = [words] if isinstance(words, str) else as_list("words", words)
        wanted = np.array(list(dict.fromkeys(find_word(names, word) for word in given)), dtype=int)
        if not len(wanted):
            raise ValueError("words must name at least one word, got none; leave it out for all with several copies")
    n_thinnings, n_restarts = check_count("n_thinnings", n_thinnings, 1), check_count("n_restarts", n_restarts, 1)
    settings = {
        "n_updates": check_count("n_updates", n_updates, 1),
        "n_together": max(1, len(names) // _TOGETHER)
        if n_together is None
        else check_count("n_together", n_together, 1),
        "threshold": threshold,
        "n_neighbors": check_count("n_neighbors", n_neighbors, 1),
    }
    seed = check_count("random_state", random_state, 0)
    check_refittable(model)
    if not isinstance(getattr(model, "mixing", "free"), str) or getattr(model, "mixing", "free") != "free":
        raise ValueError(f"model must have mixing='free', or no copy can be removed, got mixing={show(model.mixing)}")
    splits = thinnings(counts, held_out, n_thinnings, seed)
    about = {**settings, "held_out": held_out, "random_state": seed, "words": wanted.tolist()}
    about["counts"] = joblib.hash((names, counts.indptr.tolist(), counts.indices.tolist(), counts.data.tolist()))
    parameters = {name: value for name, value in model.get_params().items() if name not in _NO_MATTER}
    about["model"] = joblib.hash((type(model).__name__, parameters))
    kept = Kept(path, about)
    with progress_bar(progress, n_thinnings * n_restarts, "fits") as bar:
        for thinning, (train, test, _) in enumerate(splits):
            for restart in range(n_restarts):
                before = kept.get(thinning, restart)
                if before is None or not before["ended"]:
                    # Another start for each fit, whatever their number.
                    begin = seed + 1000 * thinning + restart
                    for found in trial(model, train, test, names, wanted, begin, before, **settings):
                        kept.add(thinning, restart, found)
                        bar.set_postfix_str(f"{np.sum(~np.isnan(found['trained']))} copies removed")
                bar.update()
    return _evidence(names, wanted, words is None, splits, n_restarts, kept)


_RUNS = ["word", "thinning", "restart", "copy", "map", "proportion", "neighbors", "with_copy", "without_copy", "gain"]
_RUNS += ["sampling_sd", "regrown", "n_test", "n_new", "note"]
_WORDS = ["word", "n_copies", "n_fits", "gain", "error", "p_value", "q_value", "n_test", "note"]


def _evidence(names, wanted, some, splits, n_restarts, kept):
    """Return the Evidence of all trials; `some` tells whether words with one copy in all fits are left out."""
    import pandas as pd

    trials = {(t, r): kept.get(t, r) for t in range(len(splits)) for r in range(n_restarts)}
    if some:
        ambiguous = [np.flatnonzero(np.bincount(found["word"], minlength=len(names)) > 1) for found in trials.values()]
        wanted = np.unique(np.concatenate(ambiguous))
    held_out = [_HeldOut(train, test) for train, test, _ in splits]
    rows, lists = [], []
    second: dict[int, dict[int, list]] = {i: {} for i in wanted.tolist()}
    for (thinning, restart), found in trials.items():
        begins = np.concatenate([[0], np.cumsum(_lengths(found, held_out[thinning]))])
        bounds = np.searchsorted(found["word"], [wanted, wanted + 1])
        for i, first, last in zip(wanted.tolist(), *bounds.tolist(), strict=True):
            here = held_out[thinning].of(i)
            trained = found["trained"][first:last]
            if here.n_test:
                which = first + np.argsort(-trained, kind="stable")[1] if last - first > 1 else None
                difference = np.zeros(len(here.n))
                if which is not None:
                    part = slice(begins[which], begins[which + 1])
                    difference = found["with_copy"][part] - found["without_copy"][part]
                second[i].setdefault(thinning, []).append(difference)
            for at in range(first, last):
                row = {"word": names[i], "thinning": thinning, "restart": restart, "map": int(found["map"][at])}
                row |= {"proportion": float(found["proportion"][at]), "regrown": float(found["regrown"][at])}
                row["neighbors"] = ", ".join(names[j] for j in found["neighbors"][at][:5])
                row["note"] = here.note or ("one copy" if last - first == 1 else "")
                if not row["note"]:
                    part = slice(begins[at], begins[at + 1])
                    row |= here.gain(found["with_copy"][part], found["without_copy"][part])
                rows.append({**row, "n_test": here.n_test, "n_new": here.n_new})
                lists.append(found["neighbors"][at])
    runs = pd.DataFrame(rows, columns=_RUNS)
    runs["copy"] = _matched(runs, np.array(lists))
    summary = pd.DataFrame([_summary(copy) for _, copy in runs.groupby(["word", "copy"], sort=False)])
    order = {names[i]: k for k, i in enumerate(wanted.tolist())}
    keys = (runs["restart"], runs["thinning"], runs["copy"], runs["word"].map(order))
    runs = runs.iloc[np.lexsort(keys)].reset_index(drop=True)
    if len(summary):
        summary = summary.iloc[np.lexsort((summary["copy"], summary["word"].map(order)))].reset_index(drop=True)
    of_words = {word: part for word, part in runs.groupby("word", sort=False)}
    table = pd.DataFrame([_word(i, of_words[names[i]], second[i], held_out) for i in wanted.tolist()], columns=_WORDS)
    table["q_value"] = _q_values(table["p_value"].to_numpy(dtype=float))
    whole = np.unique(np.concatenate([each for _, _, each in splits]))
    return Evidence(table, summary, runs, tuple(names[i] for i in whole.tolist()))


class _HeldOut:
    """The responses that a thinning holds out."""

    def __init__(self, train, test):
        self._train, self._test = train, test
        self.lengths = np.diff(test.indptr)
        self._words = {}

    def of(self, i):
        """Return those to one word."""
        if i not in self._words:
            self._words[i] = _Responses(i, self._train, self._test)
        return self._words[i]


def _lengths(found, held_out):
    """Return how many held-out responses each copy of a trial was scored by."""
    return np.where(np.isnan(found["trained"]), 0, held_out.lengths[found["word"]])


class _Responses:
    """The held-out responses to one word: how often each was given, in all, and how many are new."""

    def __init__(self, i, train, test):
        begin, end = test.indptr[i : i + 2]
        self.n = test.data[begin:end]
        self.n_test = int(self.n.sum())
        known = train.indices[train.indptr[i] : train.indptr[i + 1]]
        self.n_new = int(self.n[~np.isin(test.indices[begin:end], known)].sum())
        self.note = "" if self.n_test else "no held-out responses"

    def gain(self, with_copy, without_copy):
        """Return scores in nats a response from log q of each different response."""
        gain, error = _mean(with_copy - without_copy, self.n)
        share = self.n / self.n_test
        return {
            "with_copy": float(share @ with_copy),
            "without_copy": float(share @ without_copy),
            "gain": gain,
            "sampling_sd": error,
        }


def _mean(values, n):
    """Return the mean of values that were met n times each, and its standard error."""
    total = n.sum()
    mean = float(n @ values / total)
    return mean, float(np.sqrt(n @ (values - mean) ** 2 / total / (total - 1))) if total > 1 else np.nan


def _word(i, runs, second, held_out):
    """Return a row of the table of words."""
    from scipy.stats import t

    fits = runs.groupby(["thinning", "restart"]).size()
    several = int((fits > 1).sum())
    row = {"word": runs["word"].iloc[0], "n_copies": fits.mean(), "n_fits": several, "n_test": 0, "note": ""}
    row |= dict.fromkeys(("gain", "error", "p_value"), np.nan)
    if second:
        n = np.concatenate([held_out[thinning].of(i).n for thinning in second])
        values = np.concatenate([np.mean(found, axis=0) for found in second.values()])
        row["n_test"] = int(n.sum())
        if several:
            row["gain"], row["error"] = _mean(values, n)
            # Where all values agree, their spread tells nothing of the responses that did not come.
            sure = row["error"] > 1e-9 * abs(row["gain"])
            row["p_value"] = float(t.sf(row["gain"] / row["error"], n.sum() - 1)) if sure else 1.0
    row["note"] = "no held-out responses" if not second else "" if several else "one copy"
    return row


def _q_values(p):
    """Return the least rate of false discoveries at which each is one of those found; NaN stays. [Benjamini1995]"""
    from scipy.stats import false_discovery_control

    q = np.full(len(p), np.nan)
    tested = ~np.isnan(p)
    if tested.any():
        q[tested] = false_discovery_control(p[tested])
    return q


def _matched(runs, lists):
    """Return the number of each copy, by its neighbors the same in each fit; unmatched ones get new numbers."""
    from scipy.optimize import linear_sum_assignment

    numbers = np.empty(len(runs), dtype=int)
    for _, own in runs.groupby("word", sort=False):
        known: list[int] = []  # the row in which each copy was first met
        for _, some in own.groupby(["thinning", "restart"]):
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
    thinnings = copy.groupby("thinning")
    sampling = thinnings["sampling_sd"].mean().dropna()  # fits to one thinning are tested by the same responses
    return {
        "word": first["word"],
        "copy": first["copy"],
        "neighbors": first["neighbors"],
        "proportion": copy["proportion"].mean(),
        "n_fits": len(copy),
        "gain": gain.mean(),
        "gain_sd": gain.std(ddof=1),
        "gain_min": gain.min(),
        "gain_max": gain.max(),
        "sampling_sd": np.sqrt(np.square(sampling).sum()) / len(sampling) if len(sampling) else np.nan,
        "n_test": thinnings["n_test"].first().sum(),
        "n_new": thinnings["n_new"].first().sum(),
        "note": "; ".join(f"{note} in {n} of {len(copy)} fits" for note, n in notes.items()),
    }
