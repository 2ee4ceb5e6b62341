"""A sweep on a real scheduler with real worker processes, of which one is killed while it makes a fit."""

import asyncio
import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

import notebook_sne as ns
from tests.standins.waiting import PATIENCE, until
from tests.sweeps.mites import Log, Mite

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.slow

X = np.random.default_rng(0).standard_normal((30, 4))


@pytest.fixture(scope="module")
def client():
    """Two worker processes of one thread each."""
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def same(table, other):
    pd.testing.assert_frame_equal(table.drop(columns="seconds"), other.drop(columns="seconds"), check_exact=True)


def test_a_cluster_gives_the_same_table(client, tmp_path):
    arguments = (ns.TSNE(max_iter=30), X, {"perplexity": [5, 9, 300], "exaggeration": [1, 4]})
    wanted = {"seeds": range(2), "labels": np.arange(30) % 3, "progress": False}
    alone = ns.sweep(*arguments, **wanted)
    same(ns.sweep(*arguments, **wanted, client=client, path=tmp_path / "sweep"), alone)
    assert (alone.error != "").sum() == 4
    same(ns.sweep(*arguments, **wanted, path=tmp_path / "sweep"), alone)  # what a cluster wrote is as good


def test_a_worker_that_is_killed_loses_nothing_and_nothing_counts_twice(client, tmp_path):
    log, path = Log(tmp_path / "log", waits_at=(2, 1)), tmp_path / "sweep"
    log.folder.mkdir()
    grid, seeds = {"step": [0, 1, 2, 3, 4]}, range(3)
    arguments = {"scores": {"log": log}, "embeddings": True, "progress": False}
    workers = {*client.run(os.getpid).values()}
    told = []
    sweep = threading.Thread(
        target=lambda: told.append(ns.sweep(Mite(), X, grid, seeds, **arguments, client=client, path=path))
    )
    sweep.start()
    assert until(lambda: (2, 1) in log.fits())  # there it waits, and the other worker goes on
    (victim,) = log.fits()[2, 1]
    assert victim in workers and victim != os.getpid()
    os.kill(victim, signal.SIGKILL)
    sweep.join(PATIENCE)
    assert not sweep.is_alive()
    (table,) = told

    alone = ns.sweep(Mite(), X, grid, seeds, **{**arguments, "scores": {"log": lambda *_: 0.0}})
    same(table, alone)
    assert not table.duplicated(["step", "seed"]).any() and len(table) == 15
    fits = log.fits()
    assert len(fits) == 15 and len(fits[2, 1]) == 2 and fits[2, 1][1] != victim
    before = path.read_bytes()
    same(ns.sweep(Mite(), X, grid, seeds, **arguments, client=client, path=path), alone)
    assert path.read_bytes() == before and log.fits() == fits


def test_a_fit_that_kills_its_workers_is_a_row_and_the_next_call_tries_again(client, tmp_path):
    path = tmp_path / "sweep"
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as cluster, distributed.Client(cluster) as fragile:  # fmt: skip
        cluster.scheduler.allowed_failures = 0
        wanted = {"seeds": [0], "scores": {"end": ends_at_two}, "client": fragile, "path": path, "progress": False}
        ns.sweep(Mite(), X, {"step": [1]}, **wanted)
        table = ns.sweep(Mite(), X, {"step": [1, 2]}, **wanted)
    assert table.error[0] == "" and table.error[1].startswith("KilledWorker: ")
    table = ns.sweep(Mite(), X, {"step": [1, 2]}, [0], scores={"end": stays}, path=path, progress=False)
    assert table.error.tolist() == ["", ""]


def ends_at_two(fitted, X):
    if fitted.step == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return 0.0


def stays(fitted, X):
    return 0.0


stays.__qualname__ = "ends_at_two"  # a function is known by its name


def test_an_error_is_raised_and_the_rest_canceled(client):
    with pytest.raises(ArithmeticError, match="the mite fell"):
        ns.sweep(
            Mite(), X, {"fails": [1, 0], "step": range(20)}, [0], scores=(), errors="raise", client=client,
            progress=False,
        )  # fmt: skip
    assert until(lambda: not client.run_on_scheduler(lambda dask_scheduler: [*dask_scheduler.tasks]))


def test_a_client_that_is_none_is_refused():
    with pytest.raises(TypeError, match=r"client must be a distributed.Client, got 'tcp://127.0.0.1:8786'"):
        ns.sweep(Mite(), X, [{}], client="tcp://127.0.0.1:8786")


def test_an_asynchronous_client_is_refused(client):
    async def sweep():
        async with distributed.Client(client.scheduler.address, asynchronous=True) as other:
            with pytest.raises(ValueError, match="client must not be asynchronous"):
                ns.sweep(Mite(), X, [{}], client=other)

    # In a thread of its own: after a test in a browser, Playwright's loop is still the main thread's running one.
    with ThreadPoolExecutor() as threads:
        threads.submit(asyncio.run, sweep()).result()
