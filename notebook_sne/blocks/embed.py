"""Maps of very many objects: a sample is fitted, the others are placed in blocks, and all are refined together."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from notebook_sne.affinities.metrics import input_of
from notebook_sne.blocks.kept import Kept
from notebook_sne.blocks.places import Block, Lost, at_home, on_cluster
from notebook_sne.blocks.rows import Rows
from notebook_sne.checks.arguments import LEAST_OBJECTS, check_count
from notebook_sne.checks.arrays import Array, Floats, Ints
from notebook_sne.checks.numbers import show
from notebook_sne.fitting.progress import progress_bar
from notebook_sne.fitting.workers import check_workers
from notebook_sne.models.base import Model
from notebook_sne.models.single import OneMap
from notebook_sne.sweeps.places import check_client
from notebook_sne.sweeps.settings import digest, matters

__all__ = ["embed_in_blocks"]

REFINED_UPDATES, MOST_REFINED = 250, 1_000_000


def embed_in_blocks(
    model: Any,
    X: ArrayLike,
    *,
    sample: int = 10_000,
    block: int = 10_000,
    refine: int | None = None,
    path: str | Path | None = None,
    n_jobs: int = 1,
    client: Any = None,
    progress: bool | Literal["auto"] = "auto",
) -> Floats:
    """Map more objects than one process should hold: fit a sample, place the others in blocks, refine all together.

    This process fits the model to a random sample. The model's `transform` places all other objects, block by block, in
    this process or on workers. Then, if there is enough memory, the model refines all objects together from these
    places. Each object is placed as if alone: the map is the same, bit for bit, whatever the size of a block, the
    number of workers and the order in which they end, and even if some of them die.

    Parameters
    ----------
    model : estimator
        A model of vectors with `transform`, such as `TSNE()`. A clone of it is fitted; its `random_state` also draws
        the sample.
    X : array, shape (N, n_features)
        The objects: an array, one mapped from a file (``numpy.load(path, mmap_mode="r")``), or a Dask array. Without
        refining, only some blocks of it are in memory at a time.
    sample : int, default=10000
        Number of objects to fit, at least 3 and fewer than N.
    block : int, default=10000
        Number of objects that a worker places at a time.
    refine : int, optional
        Updates of all objects together, from the places found, in this process; they need X and its P in memory, about
        3 kB per object at perplexity 30. The default is 250 up to a million objects and 0 above; 0 for a model without
        an `init`.
    path : str or Path, optional
        A file for the places, in NumPy's own format. After an interrupt, the same call continues from there; a second
        file, with ``.blocks`` after its name, lists the finished blocks. Only one call at a time may write it. First X
        is read and compared with the file: a file that is damaged, or of other rows, is refused.
    n_jobs : int, default=1
        Number of processes of this machine that place blocks; -1 for as many as there are cores.
    client : distributed.Client, optional
        The client of a Dask cluster whose workers place blocks. Needs the extra ``dask``, and this package on the
        workers. If a worker dies, another one places its block.
    progress : {"auto"} or bool
        Whether to show bars; with "auto", in a notebook or a terminal.

    Returns
    -------
    Y : ndarray of float64, shape (N, n_components)
        The map; with `path`, mapped from the file and read-only.

    Raises
    ------
    TypeError, ValueError
        If the model has no `transform` or no use for vectors, there are no more objects than `sample`, X changes, or
        `path` holds something else or is damaged; the message says which.
    OSError
        If there is no room for the places in the folder of `path`.
    RuntimeError
        If workers or the cluster end for good; the message says how many blocks are done, and how to continue.
    ImportError
        If a client is given and distributed is not installed.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> digits = ns.datasets.load_digits()
    >>> model = ns.TSNE(perplexity=10, max_iter=100, random_state=0)
    >>> Y = ns.embed_in_blocks(model, digits.X, sample=300, block=500, refine=20, progress=False)
    >>> Y.shape
    (1797, 2)
    """
    _check_model(model)
    if client is not None:
        if n_jobs != 1:
            raise ValueError(f"n_jobs must be left out where a client is given, got {show(n_jobs)}")
        check_client(client)
    n_processes = check_workers(n_jobs)
    rows = Rows(X, client)
    N = rows.shape[0]
    sample, block = check_count("sample", sample, LEAST_OBJECTS), check_count("block", block, 1)
    if sample >= N:
        raise ValueError(
            f"sample must be below the number of objects, {N}, got {sample}; lower it, or fit the model to all of "
            "them: model.fit(X)"
        )
    updates = _updates(refine, model, N)
    which = _drawn(model.random_state if "random_state" in model.get_params() else 0, N, sample)
    chosen = rows.chosen(which)
    if chosen.shape != (sample, rows.shape[1]):
        raise ValueError(f"X must keep its shape {rows.shape}, but {sample} rows of it are of shape {chosen.shape}")
    blocks = _blocks(which, N, block)
    kept = Kept(path, {} if path is None else _about(model, rows, chosen, block, updates), N, which, blocks)
    if kept.done:
        _check_rows(kept, rows, blocks, path, client, progress)
    missing = [each for each in blocks if each.start not in kept.done]

    if missing:
        fitted = clone(model).set_params(**_shown(model, progress))
        fitted.fit(chosen)
        places = fitted.embedding_ if hasattr(fitted, "embedding_") else fitted.transform(chosen)
        kept.begin(np.asarray(places, dtype=np.float64))
        alone = copy.copy(fitted).set_params(**_shown(model, False))
        if "n_jobs" in alone.get_params():
            alone.set_params(n_jobs=None if client is None and n_processes == 1 else 1)
        made = (
            at_home(alone, rows, missing, n_processes) if client is None else on_cluster(alone, rows, missing, client)
        )
        with progress_bar(progress, len(blocks), "blocks") as bar, closing(made):
            bar.update(len(blocks) - len(missing))
            try:
                for each, found in made:
                    kept.add(each, found.places, found.rows)
                    bar.update()
            except Lost as lost:
                raise RuntimeError(_how_to_go_on(lost, kept, len(blocks), path)) from lost
    if updates and not kept.refined:
        kept.refine(_refined(model, rows, kept.result(), updates, progress))
    return kept.result()


def _check_model(model: Any) -> None:
    """Raise an error unless a model places new vectors."""
    if isinstance(model, type) or not hasattr(model, "fit") or not hasattr(model, "get_params"):
        raise TypeError(f"model must be an estimator, such as TSNE(), got {show(model)}")
    if not hasattr(model, "transform") or (isinstance(model, Model) and not isinstance(model, OneMap)):
        raise TypeError(
            f"model must place new objects in one map by transform, which {type(model).__name__} does not; take one "
            "that does, such as TSNE()"
        )
    if (input := input_of(model)) != "vectors":
        raise ValueError(f"model must be of vectors, got input={input!r}; give the vectors with input='vectors'")


def _updates(refine: Any, model: Any, n_objects: int) -> int:
    """Return for how many updates all objects go on together."""
    has_start = {"init", "max_iter"} <= model.get_params().keys()
    if refine is None:
        return REFINED_UPDATES if has_start and n_objects <= MOST_REFINED else 0
    if check_count("refine", refine, 0) and not has_start:
        raise ValueError(f"refine must be 0 for a model without init, got {refine} and {type(model).__name__}")
    return int(refine)


def _drawn(random_state: Any, n_objects: int, sample: int) -> Ints:
    """Return the numbers of the objects that are fitted, rising."""
    if random_state is not None and (isinstance(random_state, bool) or not isinstance(random_state, int | np.integer)):
        raise TypeError(f"random_state of the model must be a whole number or None, got {show(random_state)}")
    rng = np.random.default_rng(random_state)
    return np.sort(rng.choice(n_objects, sample, replace=False))


def _blocks(which: Ints, n_objects: int, size: int) -> list[Block]:
    """Return all blocks that have something to be placed."""
    blocks = []
    for start in range(0, n_objects, size):
        stop = min(start + size, n_objects)
        fitted = which[np.searchsorted(which, start) : np.searchsorted(which, stop)]
        wanted = np.setdiff1d(np.arange(start, stop), fitted) - start
        if len(wanted):
            blocks.append(Block(start, stop, wanted))
    return blocks


def _about(model: Any, rows: Rows, chosen: Array, block: int, updates: int) -> dict[str, Any]:
    parameters = model.get_params()
    matter = digest(matters(parameters))
    if matter is None:
        raise TypeError(
            "model must have parameters that can be told apart in another process, to be kept in a file; a schedule is "
            "Steps, Decay or a function of a module, no lambda"
        )
    seed = parameters.get("random_state", 0)
    if seed is None:
        raise ValueError(
            "random_state of the model must be a whole number where a path is given, got None; set it to 0"
        )
    about: dict[str, Any] = {"model": f"{type(model).__module__}.{type(model).__qualname__}", "parameters": matter}
    about |= {"random_state": int(seed), "data": digest([list(rows.shape), chosen]), "sample": len(chosen)}
    return {**about, "block": block, "refine": updates}


def _check_rows(kept: Kept, rows: Rows, blocks: Sequence[Block], path: Any, client: Any, progress: Any) -> None:
    """Refuse an X of which some rows are other ones than those whose places are kept."""
    looked = [each._replace(wanted=each.wanted[:0]) for each in blocks if each.start in kept.done]
    made = on_cluster(None, rows, looked, client) if rows.are_futures else at_home(None, rows, looked, 1)
    changed = []
    with progress_bar(progress, len(looked), "blocks compared") as bar, closing(made):
        try:
            for each, found in made:
                if found.rows != kept.done[each.start][1]:
                    changed.append((each.start, each.stop - 1))
                bar.update()
        except Lost as lost:
            raise RuntimeError(f"{lost}, while X was compared; finished blocks are kept, so repeat the call") from lost
    if changed:
        first, last = min(changed)
        more = f" and those of {len(changed) - 1} more blocks" if len(changed) > 1 else ""
        raise ValueError(
            f"X must be what it was when its places were written to {path}, but rows {first} to {last}{more} have "
            "changed; give the X of before, give another path, or remove both files"
        )


def _shown(model: Any, progress: Any) -> dict[str, Any]:
    return {"progress": progress} if "progress" in model.get_params() else {}


def _refined(model: Any, rows: Rows, Y: Floats, updates: int, progress: Any) -> Floats:
    """Return the map after so many updates of all objects together from Y."""
    parameters = model.get_params()
    changes = {"init": np.array(Y), "max_iter": updates, **_shown(model, progress)}
    if parameters.get("exaggeration") is not None:
        changes["exaggeration"] = 1.0  # what it is for, the order of the clusters, is there
    if "extra_dimensions" in parameters:
        changes["extra_dimensions"] = 0
    return np.asarray(clone(model).set_params(**changes).fit(rows.whole()).embedding_)


def _how_to_go_on(lost: Lost, kept: Kept, n_blocks: int, path: Any) -> str:
    done = sorted(kept.done)
    first = ", ".join(map(str, done[:10])) + (", ..." if len(done) > 10 else "")
    which = f", those that begin with row {first}" if done else ""
    way = (
        "give path, so that a later call can continue from there"
        if path is None
        else f"they are in {path}, and the same call continues from there"
    )
    return f"{lost}; {len(done)} of {n_blocks} blocks are done{which}: {way}"
