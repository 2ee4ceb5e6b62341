"""A table of fits: one row for each setting and seed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.checks.arguments import check_choice
from notebook_sne.checks.arrays import Matrix
from notebook_sne.checks.numbers import check_given, is_sparse, show
from notebook_sne.datasets.dataset import Dataset
from notebook_sne.fitting.progress import progress_bar
from notebook_sne.fitting.workers import check_workers
from notebook_sne.objects.labels import check_labels
from notebook_sne.objects.named import facts_by_name
from notebook_sne.objects.triples import Triples
from notebook_sne.sweeps.kept import Kept
from notebook_sne.sweeps.one_fit import Fit, Row
from notebook_sne.sweeps.places import Task, at_home, check_client, on_cluster
from notebook_sne.sweeps.scores import Score, check_scores
from notebook_sne.sweeps.settings import check_seeds, check_settings, digest, matters, settings_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["sweep"]

_COLUMNS = ("seed", "cost", "seconds", "updates", "error", "final", "embedding", "mixing")


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
    n_jobs: int = 1,
    client: Any = None,
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
        and may have other settings and seeds than before; a file of another model, data, scores or version is refused.
        A function among the scores is identified only by its name. Only one call at a time may write the file.
    errors : {"keep", "raise"}, default="keep"
        The result of a fit that fails: "keep" gives a row with the text of the error and no numbers, "raise" raises the
        error. Such a row is kept in the file like others, unless memory, disk or a worker failed: then the next call
        tries again. If all fits fail, an error is raised in any case.
    n_jobs : int, default=1
        Number of processes of this machine that run fits at the same time; -1 for as many as there are cores.
    client : distributed.Client, optional
        The client of a Dask cluster whose workers run the fits; there, a model uses one thread, unless its own `n_jobs`
        is set. Needs the extra ``dask``, and this package on the workers. If a worker dies, another one repeats its
        fit.
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
        If the grid is empty or names an unknown parameter; seeds are not different whole numbers; a score is unknown or
        needs missing data; `path` holds something else; or all fits fail. The message tells which.
    ImportError
        If a client is given and distributed is not installed.

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
    settings = settings_of(grid)
    whole = check_settings(model, settings)
    chosen = check_seeds(model, seeds)
    check_choice("errors", errors, ("keep", "raise"))
    if client is not None:
        if n_jobs != 1:
            raise ValueError(f"n_jobs must be left out where a client is given, got {show(n_jobs)}")
        check_client(client)
    n_processes = check_workers(n_jobs)
    X, labels = _data(X, labels)
    swept = tuple(dict.fromkeys(name for setting in settings for name in setting))
    judged = check_scores(scores, model, labels, (*swept, *_COLUMNS))
    keys = _keys(whole, chosen, path is not None)
    about = {} if path is None else _about(model, whole[0], swept, X, labels, judged, embeddings)
    kept = Kept(path, about, judged, X.shape[0])

    columns = [(setting, seed) for setting in settings for seed in chosen]
    missing: list[Task] = [(k, *columns[k]) for k in _together(whole, len(chosen)) if kept.get(keys[k]) is None]
    fit = Fit(model, X, labels, judged, embeddings, errors == "raise")
    made = on_cluster(fit, missing, client) if client is not None else at_home(fit, missing, n_processes)
    with progress_bar(progress, len(keys), "sweep") as bar, closing(made):
        bar.update(len(keys) - len(missing))
        for number, row in made:
            kept.add(keys[number], row)
            bar.update()
    rows = [kept.get(key) or {} for key in keys]
    if all(row["error"] for row in rows):
        raise ValueError(f"all {len(rows)} fits of the sweep failed, the first with {rows[0]['error']}")
    parameters = [{name: each[name] for name in swept} for each in whole for _ in chosen]
    return _table(parameters, [seed for _, seed in columns], rows, [*judged], embeddings)


def _data(X: Any, labels: Any) -> tuple[Any, Any]:
    """Return the array that is fitted, and the labels."""
    X, facts = facts_by_name(X, labels=labels)
    labels = facts["labels"]
    if isinstance(X, Dataset):
        labels = X.labels if labels is None else labels
        X = X.X if X.X is not None else X.P if X.P is not None else X.triples
    if isinstance(X, Triples):
        raise TypeError(
            "X must be an array, as a sweep keeps its fits beside the numbers in it, got Triples; fit each setting by "
            "itself, as LRE(random_state=seed).fit(triples)"
        )
    X = check_given("X", X, 2, where="sweep(model, {}, grid)")
    X = X if is_sparse(X) else np.asarray(X)
    return X, None if labels is None else check_labels(labels, X.shape[0])


def _keys(whole: Sequence[Mapping[str, Any]], seeds: Sequence[int | None], lasting: bool) -> list[str]:
    """Return what tells each fit from the others, in the order of settings and seeds."""
    found = [digest(matters(parameters)) for parameters in whole]
    if lasting and None in found:
        raise TypeError(
            "grid and model must have parameters that can be told apart in another process, to be kept in a file; a "
            "schedule is Steps, Decay or a function of a module, no lambda"
        )
    kept = [each for each in found if each is not None]
    if len(set(kept)) < len(kept):
        again = next(each for k, each in enumerate(found) if each in found[:k])
        raise ValueError(
            f"grid must not have one setting twice, got {show(dict(whole[found.index(again)]))} again; it would be "
            "counted twice"
        )
    return [f"{each or f'setting {k}'} {seed}" for k, each in enumerate(found) for seed in seeds]


def _about(
    model: Any,
    parameters: Mapping[str, Any],
    swept: Sequence[str],
    X: Any,
    labels: Any,
    scores: Mapping[str, Score],
    embeddings: bool,
) -> dict[str, Any]:
    return {
        "model": _name(type(model)),
        "fixed": {name: digest(value) for name, value in matters(parameters).items() if name not in swept},
        "data": digest([X, None if labels is None else [str(label) for label in labels]]),
        "scores": [column if each == column else f"{column} ({_name(each)})" for column, each in scores.items()],
        "embeddings": bool(embeddings),
    }


def _name(thing: Any) -> str:
    """Return what a class, a function or a measure is called wherever it is imported."""
    if isinstance(thing, str):
        return thing
    thing = thing if hasattr(thing, "__qualname__") else type(thing)
    return f"{thing.__module__}.{thing.__qualname__}"


def _together(whole: Sequence[Mapping[str, Any]], n_seeds: int) -> list[int]:
    """Return the numbers of all fits, those of one P after the other."""
    perplexities = [str(each.get("perplexity")) for each in whole]
    order = sorted(range(len(whole)), key=lambda k: perplexities.index(perplexities[k]))
    return [k * n_seeds + s for k in order for s in range(n_seeds)]


def _table(
    parameters: list[dict[str, Any]], seeds: list[int | None], rows: list[Row], scores: list[str], embeddings: bool
) -> pd.DataFrame:
    import pandas as pd

    wanted = ["cost", *scores, "seconds", "updates", "error"]
    if embeddings:
        wanted += [name for name in ("embedding", "mixing") if any(name in row for row in rows)]
    columns = {name: _column([each[name] for each in parameters]) for name in parameters[0]}
    columns["seed"] = _column(seeds)
    for name in wanted:
        columns[name] = _column([np.nan if (value := row.get(name)) is None else value for row in rows])
    return pd.DataFrame(columns)


def _column(values: Sequence[Any]) -> Any:
    """Return a column of numbers or texts as they are, and of anything else as objects."""
    if all(isinstance(value, (bool, int, float, str)) for value in values):
        return list(values)
    column = np.empty(len(values), dtype=object)
    for k, value in enumerate(values):
        column[k] = value
    return column
