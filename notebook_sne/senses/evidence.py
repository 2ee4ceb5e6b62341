"""Are two copies of a word two meanings? Test whether the second one helps to predict people's answers.

[Cook2007, section 5] leaves open whether a word that is in two maps has two meanings, and names the test: do two
meanings model the judgments better than one? On the fitted judgments the answer is always yes, because a copy is a set
of parameters. So a part of the responses is held out, the maps are fitted to the others, and a copy is removed: its
proportion becomes almost 0. From there, all maps are fitted further, and so are the unchanged maps, by the same number
of updates. The *gain* of the copy is its contribution to the mean log q of the word's held-out responses, in nats per
response.

The responses are thinned several times, so that no response is held out twice. Given a fit, a copy adds a number to the
log q of each possible response. These numbers are fixed before the held-out responses are used, and these are answers
of different people. So the held-out responses to a word are a sample, and Student's t, one-sided, tests the hypothesis
that the expected gain is not above 0. Over several thinnings the responses are pooled, and the test is of the mean over
the fits; [Bayle2020] shows that this is valid although the fits share most of their responses. Gains have a long tail,
mostly to the right, which makes the test conservative (docs/decisions.md). If the tail is to the left, a rare response
that the copy spoils may not be among those held out, which then agree too well. So the error is at least the one
expected if all responses came from the maps without the copy.

A word with several copies is tested once, by its *second copy*: the copy with the second largest value for the
responses in training. If it gains nothing, one copy is enough. Over the words, the share of false discoveries is
bounded as in [Benjamini1995].

The test says whether this mixture, with this number of maps, predicts new people's answers better with the copy. It
does not say that the copy is a dictionary sense. A copy for one strong associate also predicts well, and a homonym with
one meaning that is never answered has nothing to gain. A gain near 0 may mean that another copy took over during the
updates. Responses of the same people to the same cues are held out, so nothing is learned about other cues.

[Bayle2020]
    Pierre Bayle, Alexandre Bayle, Lucas Janson, Lester Mackey. Cross-validation confidence intervals for test error.
    NeurIPS 33, 2020.
[Benjamini1995]
    Yoav Benjamini, Yosef Hochberg. Controlling the false discovery rate. Journal of the Royal Statistical Society B
    57, 1995.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.datasets.dataset import Dataset
from notebook_sne.engine.checks.arguments import check_count
from notebook_sne.engine.checks.arrays import Matrix
from notebook_sne.engine.checks.numbers import as_list, show
from notebook_sne.engine.fitting.progress import progress_bar
from notebook_sne.senses.gains import tables
from notebook_sne.senses.stability import check_refittable
from notebook_sne.senses.thinning import thinnings
from notebook_sne.senses.trials import Kept, trial
from notebook_sne.senses.words import find_word, words_of

__all__ = ["Evidence", "evidence"]

# Parameters of a model that change no fit here: seeds are our own, and the others change no bit.
_NO_MATTER = ("random_state", "progress", "n_jobs")
# One word of so many loses a copy in one refit: docs/decisions.md says what this does to a gain.
_TOGETHER = 20


@dataclass(frozen=True, eq=False)
class Evidence:
    """The gain in predicting held-out responses that comes from the copies of some words. Made by `evidence`.

    Attributes
    ----------
    words : pandas.DataFrame
        One row a word: does it need more than one copy? word, n_copies (mean over fits), n_fits (with several), gain
        (of its second copy, in nats a response; 0 where a fit has one copy), error (standard error of the gain, over
        responses, at least that of responses from the maps without the copy), p_value (of no gain), q_value (least
        rate of false discoveries at which the word is among those found), n_test (held-out responses) and note.
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
        Mapped words for which nothing was held out in some thinning, because the draw had taken every response.
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
        The words; by default those of the Dataset.
    words : sequence of str, optional
        The words to test; by default all that have two copies or more in a fit.
    held_out : float, default=0.2
        Probability of each response to be held out, in each thinning.
    n_thinnings : int, default=5
        How often responses are held out and maps are fitted to the others; times `held_out`, at most 1, because no
        response is held out twice.
    n_restarts : int, default=1
        Independent fits to each thinning.
    n_updates : int, default=100
        Updates after copies were removed, and of the unchanged maps.
    n_together : int, optional
        Largest number of copies that are removed in one refit, each of another word, and no two of words that a
        response ties to each other. With 1, each copy has its own refit. By default a twentieth of the words.
    threshold : float, default=0.1
        A word has a copy in each map where its proportion is at least that.
    n_neighbors : int, default=10
        Neighbors by which copies are matched between fits.
    random_state : int, default=0
        Seed of the draw of the held-out responses, and of the fits.
    path : str or Path, optional
        A file that keeps the results, after each refit. After an interrupt, the same call continues from there, and may
        ask for more thinnings or restarts than before; a file of other data or settings is refused.
    progress : {"auto"} or bool
        Whether to show a bar; with "auto", after a second, in a notebook or a terminal.

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
    A word with one copy has none that can be removed, and one without held-out responses cannot be judged: both stay in
    the tables, with a note and without a gain. The spread over fits (`gain_sd`) has its share of the sampling deviation
    where they are of several thinnings. Each fit is taken at the update with the lowest objective on the training
    responses. The test of some words takes about as long as the fits, and up to `n_together` words take no longer than
    one; all ambiguous words of a large vocabulary take about five times as long.

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
    kept = Kept(path, about, len(names))
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
    trials = {(t, r): kept.get(t, r) for t in range(n_thinnings) for r in range(n_restarts)}
    if words is None:
        several = [np.flatnonzero(np.bincount(found["word"], minlength=len(names)) > 1) for found in trials.values()]
        wanted = np.unique(np.concatenate(several))
    whole = np.unique(np.concatenate([kept_whole for _, _, kept_whole in splits]))
    of_words, summary, runs = tables(names, wanted, splits, trials)
    return Evidence(of_words, summary, runs, tuple(names[i] for i in whole.tolist()))
