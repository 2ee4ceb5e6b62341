"""A table of fits: one row for each setting and seed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from notebook_sne import quality
from notebook_sne.affinities.metrics import input_of
from notebook_sne.datasets.dataset import Dataset
from notebook_sne.engine.checks.arguments import check_choice, check_count
from notebook_sne.engine.checks.arrays import Matrix
from notebook_sne.engine.checks.numbers import as_list, check_given, is_sparse, show
from notebook_sne.engine.objects.labels import check_labels
from notebook_sne.engine.objects.named import facts_by_name
from notebook_sne.models.several import SeveralMaps
from notebook_sne.quality.fits import digest, fit_all, one_fit

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["sweep"]

Score = str | Callable[[Any, Any], float]
"""A measure of `notebook_sne.quality`, or a function of the fitted model and X that returns a number."""

# The measures of one map, and what each is given.
_OF_X = ("neighbor_recall", "recall_area", "trustworthiness", "continuity", "distance_rank_correlation")
_MEASURES = {name: {"X", "Y"} for name in (*_OF_X, "triplet_accuracy")}
_MEASURES |= {"knn_error": {"Y", "labels"}, "class_recall": {"X", "Y", "labels"}}
_COLUMNS = {"seed", "cost", "seconds", "updates", "error", "embedding", "mixing"}


def sweep(
    model: Any,
    X: Dataset | Matrix,
    grid: Mapping[str, Sequence[Any]] | Iterable[Mapping[str, Any]],
    seeds: Iterable[int] | None = None,
    *,
    scores: Sequence[Score] | Mapping[str, Score] | Callable[[Any, Any], float] | None = None,
    labels: ArrayLike | None = None,
    embeddings: bool = False,
    path: str | Path | None = None,
    errors: Literal["keep", "raise"] = "keep",
    n_jobs: int | None = None,
    progress: bool | Literal["auto"] = "auto",
) -> pd.DataFrame:
    """Fit a model at every setting of a grid, from every seed, and return a table with a row for each fit.

    A row depends only on model, data, setting and seed: it is the same, bit for bit, in whatever order and place the
    fits run, and whether they run in one call or in several after an interrupt. Only the seconds differ. Fits of one
    process that use the same P share it.

    Parameters
    ----------
    model : estimator
        A model, a baseline, or any estimator of scikit-learn with an `embedding_`. Clones of it are fitted.
    X : Dataset, array or sparse matrix
        Data for its `fit`; from a Dataset X or, if it has none, P, and its labels.
    grid : dict of lists, or list of dicts
        ``{"perplexity": [5, 30], "max_iter": [500, 1000]}`` gives all four combinations, as in scikit-learn's
        ``ParameterGrid``; ``[{"perplexity": 5}, {"perplexity": 30, "max_iter": 500}]`` gives these two settings, with
        the model's own values for other parameters. ``[{}]`` tries only seeds.
    seeds : iterable of int, default=(0, 1, 2)
        The `random_state` of each fit of a setting. A model without one is fitted once.
    scores : list of str and functions, or dict of them by column, optional
        Names of measures in `notebook_sne.quality`, and functions of the fitted model and X that return a number. The
        default is `knn_error` if labels are classes, for vectors also `neighbor_recall` and `trustworthiness`, and
        nothing for several maps.
    labels : array-like, shape (N,), or str, optional
        The class of each object, for measures that need it; or the name of a column of X, as for `watch`.
    embeddings : bool, default=False
        Whether to keep each map: an array in the column embedding, and for several maps their proportions in mixing.
    path : str or Path, optional
        A file that keeps each row as soon as its fit has ended. After an interrupt, the same call continues from there,
        and may have other settings and seeds than before; rows of another model, other data, scores or version stay in
        it and aren't taken. A function among the scores is identified only by its name. Only one call at a time may
        write the file.
    errors : {"keep", "raise"}, default="keep"
        The result of a fit that fails: "keep" gives a row with the text of the error and no numbers, "raise" raises the
        error. Such a row is kept in the file like others, unless memory or disk failed: then the next call tries again.
        If all fits fail, an error is raised in any case.
    n_jobs : int, optional
        Number of processes of this machine that run fits at the same time; -1 for as many as there are cores. By
        default one, or what ``joblib.parallel_config`` says: there, ``backend="dask"`` has a cluster run the fits.
    progress : {"auto"} or bool
        Whether to show a bar; with "auto", after a second, in a notebook or a terminal.

    Returns
    -------
    table : pandas.DataFrame
        In the order of grid and seeds. A column for each parameter of the grid; seed; cost (the fit's `cost_`, in
        nats for models of this package); a column for each score; seconds (of the fit alone, without P); updates
        (`n_iter_`); error, an empty text where there was none; and with `embeddings`, embedding and mixing.

    Raises
    ------
    TypeError, ValueError
        If the grid is empty or names an unknown parameter; seeds aren't different whole numbers; a score is unknown or
        needs missing data; `path` holds something else or is damaged; or all fits fail. The message tells which.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> rings = ns.datasets.load_two_rings(60)
    >>> table = ns.sweep(ns.TSNE(max_iter=50), rings, {"perplexity": [5, 15]}, seeds=range(2), progress=False)
    >>> table[["perplexity", "seed", "updates"]]
       perplexity  seed  updates
    0           5     0       50
    1           5     1       50
    2          15     0       50
    3          15     1       50
    >>> best = table.loc[table.groupby("perplexity")["cost"].idxmin()]
    """
    check_choice("errors", errors, ("keep", "raise"))
    settings = _settings(grid)
    models = [clone(model).set_params(**setting) for setting in settings]
    seeds = _seeds(model, seeds)
    X, labels = _data(X, labels)
    swept = [*dict.fromkeys(name for setting in settings for name in setting)]
    scores = _scores(scores, model, X, labels, {*_COLUMNS, *swept})
    names = [
        (name, f if isinstance(f, str) else getattr(f, "__qualname__", str(type(f)))) for name, f in scores.items()
    ]
    about = "" if path is None else digest(X, labels, embeddings, names)
    found = [k if path is None else digest(about, of=each) for k, each in enumerate(models)]
    keys = {(k, seed): f"{each} {seed}" for k, each in enumerate(found) for seed in seeds}
    measured = {name: partial(_measured, f, labels) if isinstance(f, str) else f for name, f in scores.items()}
    make = partial(one_fit, model, measured, embeddings, errors == "raise")
    # Fits of one P come after each other.
    order = sorted(keys, key=lambda fit: str(models[fit[0]].get_params().get("perplexity")))
    tasks = {keys[k, seed]: (X, settings[k], seed) for k, seed in order}
    known = fit_all(make, tasks, path, n_jobs, progress, "sweep")
    rows = [known[key] for key in keys.values()]
    if all(row["error"] for row in rows):
        raise ValueError(f"all {len(rows)} fits of the sweep failed, the first with {rows[0]['error']}")
    columns = {name: [models[k].get_params()[name] for k, _ in keys] for name in swept}
    columns["seed"] = [seed for _, seed in keys]
    maps = [name for name in ("embedding", "mixing") if embeddings and any(name in row for row in rows)]
    for name in ("cost", *scores, "seconds", "updates", "error", *maps):
        columns[name] = [np.nan if (value := row.get(name)) is None else value for row in rows]
    import pandas as pd

    return pd.DataFrame({name: pd.Series(values, dtype=object).infer_objects() for name, values in columns.items()})


def _settings(grid):
    """Return the settings of a grid, the last parameter changing first."""
    if isinstance(grid, Mapping):
        lists = [as_list(f"grid[{name!r}]", values) for name, values in grid.items()]
        grid = [dict(zip(grid, values, strict=True)) for values in itertools.product(*lists) if lists]
    settings = as_list("grid", grid)
    if not settings or not all(isinstance(each, Mapping) for each in settings):
        way = "give lists of values, as {'perplexity': [5, 30]}, or [{}] to try seeds alone"
        raise ValueError(f"grid must have at least one setting, each a dict of parameters, got {show(grid)}; {way}")
    if any({"random_state", "progress"} & each.keys() for each in settings):
        raise ValueError("grid must name neither random_state nor progress; give the arguments seeds and progress")
    return settings


def _seeds(model, seeds):
    """Return the seeds; only None for a model that takes none."""
    if "random_state" not in model.get_params():
        if seeds is None:
            return [None]
        raise ValueError(f"seeds must be left out where {type(model).__name__} has no random_state, got {show(seeds)}")
    found = [check_count("seeds", seed, 0) for seed in as_list("seeds", range(3) if seeds is None else seeds)]
    if not found or len({*found}) < len(found) or max(found) >= 2**32:
        raise ValueError(f"seeds must be different whole numbers below 2**32, got {show(found)}; give range(3)")
    return found


def _data(X, labels):
    """Return the array that is fitted, and the labels."""
    X, facts = facts_by_name(X, labels=labels)
    labels = facts["labels"]
    if isinstance(X, Dataset):
        labels = X.labels if labels is None else labels
        X = X.X if X.X is not None else X.P if X.P is not None else X.triples
    X = check_given("X", X, 2, where="sweep(model, {}, grid)")
    X = X if is_sparse(X) else np.asarray(X)
    return X, None if labels is None else check_labels(labels, X.shape[0])


def _scores(scores, model, X, labels, taken):
    """Return {column: score}: by default `knn_error` of classes, and for dense vectors two measures of neighbors."""
    several, vectors = isinstance(model, SeveralMaps), input_of(model) == "vectors" and not is_sparse(X)
    if scores is None:
        classes = labels is not None and labels.dtype.kind != "f"  # floats are values
        scores = [] if several else ["knn_error"] * classes + ["neighbor_recall", "trustworthiness"] * vectors
    if not isinstance(scores, Mapping):
        listed = as_list("scores", [scores] if callable(scores) else scores)
        scores = {each if isinstance(each, str) else getattr(each, "__name__", ""): each for each in listed}
        if len(scores) < len(listed) or {"", "<lambda>"} & scores.keys():
            raise ValueError(f"scores must have names that differ, got {show(listed)}; give a dict of them by column")
    if taken & scores.keys():
        raise ValueError(f"scores must have columns of their own, got {show([*scores])}; give a dict with other names")
    have = {"Y"} | ({"X"} if vectors else set()) | ({"labels"} if labels is not None else set())
    fitting = [name for name, needs in _MEASURES.items() if needs <= have and not several]
    if strange := [each for each in scores.values() if not callable(each) and each not in fitting]:
        rule = (
            "scores must be functions of the fitted model and X, or measures of one map that have all they need, here"
        )
        raise ValueError(f"{rule} {', '.join(fitting) or 'none'}, got {show(strange[0])}")
    return dict(scores)


def _measured(name, labels, fitted, X):
    given = {"X": X, "Y": fitted.embedding_, "labels": labels}
    return getattr(quality, name)(**{each: given[each] for each in _MEASURES[name]})
