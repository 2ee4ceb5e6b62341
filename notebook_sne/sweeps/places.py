"""Where the fits of a sweep are made: in this process, in others of this machine, or on a Dask cluster."""

import uuid
from collections.abc import Generator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from notebook_sne.checks.numbers import show
from notebook_sne.sweeps.one_fit import Fit, Row, failed

__all__ = ["Task", "at_home", "check_client", "on_cluster"]

Task = tuple[int, Mapping[str, Any], int | None]
"""A number of its own, a setting and a seed."""


def at_home(fit: Fit, tasks: Sequence[Task], n_jobs: int) -> Generator[tuple[int, Row], None, None]:
    """Yield (number, row) of every task as it ends, from this process or, with more `n_jobs` than 1, from others."""
    if n_jobs == 1:
        for number, setting, seed in tasks:
            yield number, fit(setting, seed)
        return
    from joblib import Parallel, delayed

    # One fit at a time, so that each is written as soon as it has ended.
    pool = Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=1)
    yield from pool(delayed(_numbered)(fit, *task) for task in tasks)


def _numbered(fit: Fit, number: int, setting: Mapping[str, Any], seed: int | None) -> tuple[int, Row]:
    return number, fit(setting, seed)


def check_client(client: Any) -> None:
    """Raise an error if a client is not one of `distributed` that a script can wait for."""
    try:
        from distributed import Client
    except ImportError:
        raise ImportError(
            "client needs the package distributed, which is not installed; pip install 'notebook_sne[dask]', or leave "
            "client out and give n_jobs"
        ) from None
    if not isinstance(client, Client):
        raise TypeError(f"client must be a distributed.Client, got {show(client)}; make one of your cluster's address")
    if client.asynchronous:
        raise ValueError("client must not be asynchronous, as results are waited for; give Client(address)")


def on_cluster(fit: Fit, tasks: Sequence[Task], client: Any) -> Generator[tuple[int, Row], None, None]:
    """Yield (number, row) of every task as it ends on the workers of a cluster.

    Each task is one future. If its worker dies, the scheduler gives it to another one; a worker that dies after it has
    told its result changes nothing. A task on which several workers died has failed.
    """
    import dask
    from distributed import as_completed
    from distributed.scheduler import KilledWorker

    name = f"sweep-{uuid.uuid4().hex}"  # no other sweep's results
    # The data are a task as well: what is scattered to a worker is lost with it, what a task returns is made again.
    with dask.config.set({"distributed.admin.large-graph-warning-threshold": "10 GB"}):
        data = client.submit(_itself, replace(fit, one_thread=True), key=f"{name}-data")
    numbers = {
        client.submit(_fit_of, data, setting, seed, key=f"{name}-{number}"): number for number, setting, seed in tasks
    }
    try:
        for future in as_completed(list(numbers)):
            error = future.exception()
            if error is not None and (fit.raises or not isinstance(error, KilledWorker)):
                raise error
            yield numbers.pop(future), failed(error) if error is not None else future.result()
            future.release()
    finally:
        with suppress(Exception):  # a client that is gone has nothing to cancel, and the error that led here says why
            client.cancel([*numbers, data])


def _itself(fit: Fit) -> Fit:
    return fit


def _fit_of(fit: Fit, setting: Mapping[str, Any], seed: int | None) -> Row:
    return fit(setting, seed)
