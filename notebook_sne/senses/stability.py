"""Would another run show the same senses? Copies of a word are matched between independent fits by their neighbors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.datasets.dataset import Dataset
from notebook_sne.engine.checks.arguments import check_count
from notebook_sne.engine.checks.arrays import Matrix
from notebook_sne.engine.checks.numbers import generator_of, show
from notebook_sne.senses.reading import Reading, read

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["check_refittable", "overlap_of_copies", "refit", "stability"]


def stability(
    models: Any,
    names: Dataset | ArrayLike,
    *,
    P: Matrix | None = None,
    n_fits: int = 5,
    threshold: float = 0.1,
    n_neighbors: int = 10,
    n_random: int = 20,
    random_state: int | np.random.Generator = 0,
) -> pd.DataFrame:
    """Return, for each copy of each word, how well the other fits repeat it.

    The overlap of two copies is the Jaccard index of their neighbors: words next to both over words next to either.
    Each copy is compared with the most similar copy of the same word in another fit.

    Parameters
    ----------
    models : list of fitted models or Readings, or one model
        Independent fits; of one model, `n_fits` clones with seeds of their own are fitted to P.
    names : Dataset, or sequence of str
        The words.
    P : sparse matrix or ndarray, shape (N, N), optional
        What one model is fitted to; the P of a Dataset when left out.
    n_fits : int, default=5
        Fits of one model, at least 2.
    threshold, n_neighbors
        As for `read`.
    n_random : int, default=20
        Random assignments for the chance level.
    random_state : int, default=0
        Seed of the assignments; and of the first fit, the others taking the next numbers.

    Returns
    -------
    table : pandas.DataFrame
        One row a copy: word, fit, map, proportion, neighbors (a text), n_copies (of the word in this fit), overlap
        (mean over the other fits), least (of them), chance (mean overlap if in the other fits the same neighbors of
        the word were assigned to its copies at random).

    Notes
    -----
    The chance level knows which words are near, not which belong together. A word with one copy in the other fits
    has only one way to assign them, so its chance level is its overlap. Proportions and the number of maps set how many
    copies there are at all; what is repeatable may still be a property of the model.
    """
    import pandas as pd

    generator = generator_of(random_state)
    n_random = check_count("n_random", n_random, 1)
    if not isinstance(models, (list, tuple)):
        P = getattr(names, "P", None) if P is None else P
        if P is None:
            raise ValueError("P must be given to fit one model to, got none; or give a list of fitted models")
        n_fits, seed = check_count("n_fits", n_fits, 2), check_count("random_state", random_state, 0)
        check_refittable(models)
        models = [refit(models, P, seed + k) for k in range(n_fits)]
    if len(models) < 2:
        raise ValueError(
            f"models must be at least 2 independent fits, got {len(models)}; fit with another random_state"
        )
    readings = [
        model if isinstance(model, Reading) else read(model, names, threshold=threshold, n_neighbors=n_neighbors)
        for model in models
    ]
    words = readings[0].names
    if any(reading.names != words for reading in readings):
        raise ValueError("all models must have the same words in the same order; read them with the same names")
    begins = [np.searchsorted(reading.word, np.arange(len(words) + 1)) for reading in readings]
    rows = []
    for i, word in enumerate(words):
        copies = [reading.neighbors[b[i] : b[i + 1]] for reading, b in zip(readings, begins, strict=True)]
        for a, reading in enumerate(readings):
            found = np.empty((len(readings) - 1, len(copies[a])))
            chance = np.empty_like(found)
            for k, other in enumerate(copies[:a] + copies[a + 1 :]):
                found[k] = overlap_of_copies(copies[a], other).max(axis=1)
                chance[k] = _chance(copies[a], other, n_random, generator) if len(other) > 1 else found[k]
            for c in range(len(copies[a])):
                at = begins[a][i] + c
                text = ", ".join(words[j] for j in copies[a][c][:5])
                scores = found[:, c].mean(), found[:, c].min(), chance[:, c].mean()
                rows.append((word, a, int(reading.map[at]), reading.proportion[at], text, len(copies[a]), *scores))
    columns = ["word", "fit", "map", "proportion", "neighbors", "n_copies", "overlap", "least", "chance"]
    return pd.DataFrame(rows, columns=columns)


def check_refittable(model):
    """Raise unless clones of the model can be fitted to a conditional P."""
    if not hasattr(model, "get_params"):
        raise TypeError(f"model must be an estimator such as AspectMaps, got {type(model).__name__}")
    if getattr(model, "input", None) != "probabilities":
        raise ValueError(
            f"model must have input='probabilities', as it is fitted to a conditional P, got {show(model.input)}; "
            "use model.set_params(input='probabilities')"
        )


def refit(model, P, seed):
    """Return a fitted clone of a model with a seed of its own."""
    from sklearn.base import clone

    return clone(model).set_params(random_state=seed, progress=False).fit(P)


def overlap_of_copies(ours, theirs):
    """Return the Jaccard index of the neighbors, shape (len(ours), len(theirs)); no list holds a word twice."""
    shared = (ours[:, None, :, None] == theirs[None, :, None, :]).sum(axis=(2, 3))
    return shared / (ours.shape[1] + theirs.shape[1] - shared)


def _chance(ours, theirs, n_random, generator):
    """Return the mean best overlap with random assignments of their neighbors.

    A word that is next to two copies may be assigned to one of them twice; it then counts once.
    """
    assigned = generator.permuted(np.tile(theirs.ravel(), (n_random, 1)), axis=1).reshape(n_random, *theirs.shape)
    assigned = np.sort(assigned, axis=2)
    once = np.ones(assigned.shape, dtype=bool)
    once[:, :, 1:] = assigned[:, :, 1:] != assigned[:, :, :-1]
    shared = ((ours[:, None, None, :, None] == assigned[None, :, :, None, :]) & once[None, :, :, None, :]).sum(
        axis=(3, 4)
    )
    overlap = shared / (ours.shape[1] + once.sum(axis=2)[None] - shared)
    return overlap.max(axis=2).mean(axis=1)
