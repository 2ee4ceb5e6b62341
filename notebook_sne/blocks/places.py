"""Where blocks of objects are placed: in this process, in others of this machine, or on a Dask cluster."""

import uuid
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from notebook_sne.blocks.rows import Rows, digest_of
from notebook_sne.checks.arrays import Array, Floats, Ints

__all__ = ["Block", "Found", "Lost", "at_home", "on_cluster"]

PATIENCE = 60.0
"""Seconds that a cluster may be without any worker, as while others take their place."""

_LOOK = 5.0  # seconds between two looks at whether there are workers


class Block(NamedTuple):
    """Some neighboring rows of X, and which of them are to be placed."""

    start: int
    stop: int
    wanted: Ints  # counted from start; where there are none, the rows are only looked at


class Found(NamedTuple):
    """The results of one block."""

    places: Floats  # of the wanted rows
    rows: bytes  # a digest of all of them


class Lost(Exception):
    """Workers ended before their blocks did; the text says how."""


class _Failed(NamedTuple):
    """An error that is the block's own, and no fault of the worker."""

    error: Exception


def _placed(model: Any, X: Array, block: Block, n_features: int) -> Found | _Failed:
    """Return the places of the wanted rows of a block, and what tells its rows from others."""
    try:
        if np.shape(X) != (block.stop - block.start, n_features):
            raise ValueError(
                f"X must keep its shape, but rows {block.start} to {block.stop - 1} are now of shape {np.shape(X)}; "
                "leave it unchanged until all objects are placed"
            )
        places = model.transform(X[block.wanted]) if len(block.wanted) else np.empty((0, 0))
        return Found(np.asarray(places, dtype=np.float64), digest_of(X))
    except Exception as error:
        error.add_note(f"in the block of rows {block.start} to {block.stop - 1} of X")
        return _Failed(error)


def _told(block: Block, found: Found | _Failed) -> tuple[Block, Found]:
    if isinstance(found, _Failed):
        raise found.error
    return block, found


def at_home(model: Any, rows: Rows, blocks: Sequence[Block], n_jobs: int) -> Generator[tuple[Block, Found], None, None]:
    """Yield (block, found) as they are found, in this process or, with more `n_jobs` than 1, in others."""
    n_features = rows.shape[1]
    if n_jobs == 1:
        for block in blocks:
            yield _told(block, _placed(model, rows.block(block.start, block.stop), block, n_features))
        return
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import BrokenProcessPool

    # Blocks are read when a process is about to be free, so that few are in memory.
    pool = Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=1, pre_dispatch="n_jobs + 1")
    try:
        for block, found in pool(
            delayed(_numbered)(model, rows.block(block.start, block.stop), block, n_features) for block in blocks
        ):
            yield _told(block, found)
    except BrokenProcessPool as error:
        raise Lost(
            f"a process of this machine ended ({type(error).__name__}), as happens when memory runs out"
        ) from error


def _numbered(model: Any, X: Array, block: Block, n_features: int) -> tuple[Block, Found | _Failed]:
    return block, _placed(model, X, block, n_features)


def on_cluster(
    model: Any, rows: Rows, blocks: Sequence[Block], client: Any
) -> Generator[tuple[Block, Found], None, None]:
    """Yield (block, found) as they are found by the workers of a cluster, two blocks for each of their threads.

    A block whose worker dies is given to another one by the scheduler. `Lost` is raised if several workers died on one
    block, the scheduler is gone, or there has been no worker for a minute.
    """
    futures: dict[Any, Block] = {}
    every = _by_futures(model, rows, iter(blocks), client, futures)
    try:
        while True:
            try:
                block, found = next(every)
            except StopIteration:
                return
            except Lost:
                raise
            except Exception as error:  # the block's own errors come as values
                raise Lost(f"the cluster gave no result ({type(error).__name__}: {error})") from error
            yield _told(block, found)
    finally:
        with suppress(Exception):  # a cluster that is gone has nothing to cancel
            client.cancel([*futures])


def _by_futures(
    model: Any, rows: Rows, blocks: Iterator[Block], client: Any, futures: dict[Any, Block]
) -> Iterator[tuple[Block, Any]]:
    from distributed import wait

    name = f"embed-{uuid.uuid4().hex}"
    # The model is a task as well: what is scattered to a worker is lost with it, what a task returns is made again.
    shared = client.submit(_itself, model, key=f"{name}-model")
    waited = 0.0
    while True:
        while len(futures) < max(2, 2 * sum(client.nthreads().values())) and (block := next(blocks, None)) is not None:
            X = rows.block(block.start, block.stop)
            future = client.submit(_placed, shared, X, block, rows.shape[1], key=f"{name}-{block.start}")
            futures[future] = block
        if not futures:
            return
        try:
            done = wait(list(futures), timeout=_LOOK, return_when="FIRST_COMPLETED").done
        except TimeoutError:
            waited = 0.0 if client.nthreads() else waited + _LOOK
            if waited >= PATIENCE:
                raise Lost(f"the cluster has had no worker for {PATIENCE:.0f} s") from None
            continue
        waited = 0.0
        for future in done:
            yield futures[future], future.result()
            del futures[future]
            future.release()


def _itself(model: Any) -> Any:
    return model
