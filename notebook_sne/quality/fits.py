"""Many fits of one model: made by joblib wherever it runs them, and kept in a table that grows by a line for each.

The file begins with a line that says what it is. Each further line is a digest and JSON, ``[key, row]``: what tells the
fit from all others, and what it gave. The digest is of all lines up to this one, so that lines that were damaged,
exchanged or left out are found. A last line that an interrupt cut off is written again.
"""

import hashlib
import json
import pickle
import time
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any, Literal

import joblib
import numpy as np
from scipy import sparse
from sklearn.base import clone

import notebook_sne
from notebook_sne.affinities.metrics import input_of
from notebook_sne.engine.checks.arguments import check_count
from notebook_sne.engine.checks.holders import matrix_held
from notebook_sne.engine.checks.numbers import generator_of, is_sparse, show
from notebook_sne.engine.fitting.progress import progress_bar
from notebook_sne.engine.machine import files

__all__ = ["digest", "fit_all", "one_fit", "refits"]

_FIRST = b"notebook_sne fits 1"
_NO_MATTER = ("random_state", "progress", "n_jobs")  # they change no bit of a fit, or stand beside it
_KINDS: Any = {"error": str, "updates": (int, type(None)), "embedding": list, "mixing": list}

# A run that has begun on the P of the last fit in this process: the next fit finds this P, if it needs the same.
_held: list[Any] = []


def refits(
    model: Any,
    X: Any,
    n_fits: int = 10,
    *,
    bootstrap: bool = True,
    random_state: Any = 0,
    path: str | Path | None = None,
    n_jobs: int | None = None,
    progress: bool | Literal["auto"] = "auto",
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return maps of the same objects from several seeds and, with `bootstrap`, from several resamples.

    Parameters
    ----------
    model : estimator
        A model with one map, which is cloned; it keeps its `init`. Without `bootstrap`, fits from principal components
        are all the same, so give it ``init="random"``.
    X : array-like or sparse matrix
        The objects, as `fit` takes them; with `bootstrap`, vectors or distances.
    n_fits : int, default=10
        Number of fits, at least 2. The first is of all objects.
    bootstrap : bool, default=True
        Whether each later fit is of N objects drawn with replacement, each drawn one once: 63% of them on average.
    random_state : int, RandomState or Generator, default=0
        Draws seeds and objects.
    path, n_jobs, progress
        A file from which an interrupted call continues, the number of processes, and the bar: as for `sweep`.

    Returns
    -------
    maps : ndarray, shape (n_fits, N, n_components)
        Map points; NaN where a fit doesn't hold an object. `certainty` reads them.

    Raises
    ------
    ValueError
        If there are fewer than two fits, the model has several maps, its input can't be resampled, or `path` holds
        something else or is damaged.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> clusters = ns.datasets.load_clusters((30, 30, 30), widths=1.0)
    >>> maps = ns.refits(ns.TSNE(perplexity=10, max_iter=50, progress=False), clusters.X, n_fits=3)
    >>> maps.shape
    (3, 90, 2)
    """
    n_fits = check_count("n_fits", n_fits, 2)
    if not isinstance(bootstrap, bool | np.bool_):
        raise TypeError(f"bootstrap must be True or False, got {show(bootstrap)}")
    input = input_of(model, X)
    if bootstrap and input not in ("vectors", "distances"):
        raise ValueError(
            f"bootstrap needs objects that can be drawn, with input='vectors' or 'distances', got input={show(input)}; "
            "give bootstrap=False, for several seeds of the same P"
        )
    if bootstrap:
        X = matrix_held("X", X, input)
        X = sparse.csr_array(X) if is_sparse(X) else X.to_numpy() if hasattr(X, "to_numpy") else np.asanyarray(X)
    rng, tasks = generator_of(random_state), {}
    about = "" if path is None else digest(X, of=model)
    for m in range(n_fits):
        drawn = np.unique(rng.integers(X.shape[0], size=X.shape[0])) if bootstrap and m else None
        seed = int(rng.integers(2**31)) if "random_state" in model.get_params(deep=False) else None
        tasks[f"{about} {m} {seed} {joblib.hash(drawn)}"] = (X, drawn, seed)
    rows = fit_all(partial(_refit, model, input == "distances"), tasks, path, n_jobs, progress, "refits")
    maps = [rows[key]["embedding"] for key in tasks]
    if maps[0].ndim != 2:
        raise ValueError(f"model must have one map, got {type(model).__name__}; give a model such as TSNE")
    found = np.full((n_fits, *maps[0].shape), np.nan)
    for Y, part, (_, drawn, _) in zip(found, maps, tasks.values(), strict=True):
        Y[slice(None) if drawn is None else drawn] = part
    return found


def _refit(model, by_distance, X, drawn, seed):
    part = X if drawn is None else X[np.ix_(drawn, drawn)] if by_distance else X[drawn]
    return one_fit(model, {}, True, True, part, {}, seed)


def digest(*values: Any, of: Any = None) -> str:
    """Return what tells values, and a model by its parameters, from others in a later process, too."""
    parameters = {} if of is None else {k: v for k, v in of.get_params().items() if k not in _NO_MATTER}
    parts = [[v.shape, v.data, v.indices, v.indptr] if is_sparse(v) else v for v in values]
    try:
        return str(joblib.hash([notebook_sne.__version__, type(of).__qualname__, parameters, parts]))
    except (pickle.PicklingError, AttributeError, TypeError):
        rule = "path must be left out where pickle does not know a parameter, as a lambda"
        raise TypeError(f"{rule}, got {show(of)}; give Steps, Decay or a function of a module") from None


def one_fit(model, scores, with_maps, raises, X, setting, seed):
    """Return the row of a clone's fit at a setting from a seed, and whether another try would give the same.

    The row has cost, updates, seconds and error, the scores, ``{column: function of the fitted model and X}``, and
    embedding and mixing. An error is raised, or told in the row.
    """
    try:
        model = clone(model).set_params(**setting)
        silent = {"progress": False} | ({} if seed is None else {"random_state": seed})
        model.set_params(**{name: silent[name] for name in silent.keys() & model.get_params().keys()})
        with suppress(Exception):  # whatever is wrong with data or perplexity, the fit says it
            next(run := model.iterate(X))
            _held[:] = [run]
        began = time.perf_counter()
        model.fit(X)
        seconds, n = time.perf_counter() - began, getattr(model, "n_iter_", None)
        row: Any = {"cost": float(getattr(model, "cost_", np.nan)), "updates": None if n is None else int(n)}
        row |= {"seconds": seconds, "error": "", **{name: float(score(model, X)) for name, score in scores.items()}}
        maps = {"embedding": getattr(model, "embedding_", getattr(model, "maps_", None))} if with_maps else {}
        maps |= {"mixing": model.mixing_} if with_maps and hasattr(model, "mixing_") else {}
        return row | {name: np.array(value, np.float64) for name, value in maps.items()}, True
    except Exception as error:  # of whatever kind: a row tells it
        if raises:
            error.add_note(f"in the fit at {dict(setting)}, seed {seed}")
            raise
        lasts, told = not isinstance(error, (MemoryError, OSError)), f"{type(error).__name__}: {error}".rstrip(": ")
        return {"cost": np.nan, "updates": None, "seconds": np.nan, "error": told}, lasts


def fit_all(make, tasks, path, n_jobs, progress, name):
    """Return {key: row} of what ``make(*task)`` gives of each task, by its key; a file at `path` knows some already."""
    table = _Table(path)
    missing = {key: tasks[key] for key in tasks if key not in table.rows}
    # One fit at a time, so that each is written as soon as it has ended.
    pool = joblib.Parallel(n_jobs, return_as="generator_unordered", batch_size=1)
    with progress_bar(progress, len(tasks), name) as bar:
        bar.update(len(tasks) - len(missing))
        with closing(pool(joblib.delayed(_keyed)(key, make, *task) for key, task in missing.items())) as made:
            for key, row, lasts in made:
                table.add(key, row, lasts)
                bar.update()
    return table.rows


def _keyed(key, make, *task):
    # What libraries share out inside stays here: Dask would queue it behind fits that wait for this one's lock.
    with joblib.parallel_config(backend="threading", n_jobs=1):
        return key, *make(*task)


class _Table:
    """Rows by their keys, in memory and, with a path, in a file."""

    def __init__(self, path):
        self.rows, self._path, self._end = {}, None if path is None else files.check_place(path), 0
        self._digest = hashlib.blake2b(_FIRST, digest_size=16)
        if self._path is None or not self._path.exists():
            return
        try:
            self._read(self._path.read_bytes() if self._path.is_file() else b"a device or a pipe")
        except (AttributeError, RecursionError, TypeError, ValueError) as error:
            rule = "path must be a new file, or one that holds fits and has no damage"
            raise ValueError(f"{rule}, got {self._path} ({error}); give another path, or remove the file") from None

    def _read(self, content):
        first, *lines = content.split(b"\n")
        if not lines and _FIRST.startswith(first):  # interrupted before there was a row
            return
        if first != _FIRST:
            raise ValueError("it does not begin as one")
        for sign, text in (line.split(b" ", 1) for line in lines[:-1]):
            self._digest.update(text)
            if sign.decode() != self._digest.hexdigest():
                raise ValueError("a line in it is not as it was written")
            key, row = json.loads(text)
            if not all(isinstance(value, _KINDS.get(name, float)) for name, value in row.items()):
                raise ValueError("a row in it holds something else than numbers, maps and the text of an error")
            maps = {name: np.array(value, np.float64) for name, value in row.items() if isinstance(value, list)}
            self.rows[key] = {**row, **maps}
        self._end = len(content) - len(lines[-1])

    def add(self, key, row, lasts):
        self.rows[key] = row
        if self._path is None or not lasts:
            return
        text = json.dumps([key, row], default=np.ndarray.tolist)
        self._digest.update(text.encode())
        line = f"{self._digest.hexdigest()} {text}\n".encode()
        with open(self._path, "r+b" if self._path.exists() else "wb") as file:
            file.truncate(self._end)
            file.seek(self._end)
            self._end += file.write(line if self._end else _FIRST + b"\n" + line)
