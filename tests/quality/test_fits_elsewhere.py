"""Fits on a real scheduler with real worker processes, of which one is killed while it makes a fit."""

import os
import signal
import threading
from concurrent.futures.process import BrokenProcessPool

import joblib
import numpy as np
import pandas as pd
import pytest

import notebook_sne as ns
from tests.quality.mites import Log, Mite
from tests.standins.waiting import PATIENCE, until

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.slow

X = np.random.default_rng(0).standard_normal((30, 4))


@pytest.fixture
def client():
    """Two worker processes of one thread each."""
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def there(made, *arguments, **options):
    with joblib.parallel_config(backend="dask", wait_for_workers_timeout=PATIENCE):
        return made(*arguments, progress=False, **options)


def same(table, other):
    pd.testing.assert_frame_equal(table.drop(columns="seconds"), other.drop(columns="seconds"), check_exact=True)


def test_a_cluster_gives_the_same_table_and_the_same_maps(client, tmp_path):
    arguments = (ns.TSNE(max_iter=30, n_jobs=1), X, {"perplexity": [5, 9, 300], "exaggeration": [1, 4]})
    wanted = {"seeds": range(2), "labels": np.arange(30) % 3}
    alone = ns.sweep(*arguments, **wanted, progress=False)
    same(there(ns.sweep, *arguments, **wanted, path=tmp_path / "sweep"), alone)
    assert (alone.error != "").sum() == 4
    before = (tmp_path / "sweep").read_bytes()
    same(ns.sweep(*arguments, **wanted, path=tmp_path / "sweep"), alone)  # what a cluster wrote is as good
    assert (tmp_path / "sweep").read_bytes() == before
    model = ns.TSNE(perplexity=5, max_iter=30, n_jobs=1)
    np.testing.assert_array_equal(there(ns.refits, model, X, 3), ns.refits(model, X, 3, progress=False))


def test_a_worker_that_is_killed_loses_nothing_and_nothing_counts_twice(client, tmp_path):
    log, path = Log(tmp_path / "log", waits_at=(2, 1)), tmp_path / "sweep"
    log.folder.mkdir()
    arguments = {"seeds": range(3), "scores": {"log": log}, "embeddings": True}
    workers, told = {*client.run(os.getpid).values()}, []
    sweep = threading.Thread(
        target=lambda: told.append(there(ns.sweep, Mite(), X, {"step": [0, 1, 2, 3, 4]}, path=path, **arguments))
    )
    sweep.start()
    assert until(lambda: (2, 1) in log.fits())  # there it waits, and the other worker goes on
    (victim,) = log.fits()[2, 1]
    assert victim in workers and victim != os.getpid()
    os.kill(victim, signal.SIGKILL)
    sweep.join(PATIENCE)
    assert not sweep.is_alive()
    (table,) = told

    arguments["scores"] = {"log": lambda *_: 0.0}
    same(table, ns.sweep(Mite(), X, {"step": [0, 1, 2, 3, 4]}, **arguments, progress=False))
    assert not table.duplicated(["step", "seed"]).any() and len(table) == 15
    fits = log.fits()
    assert len(fits) == 15 and len(fits[2, 1]) == 2 and fits[2, 1][1] != victim


def ends_at_two(fitted, X):
    if fitted.step == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return 0.0


def stays(fitted, X):
    return 0.0


stays.__qualname__ = "ends_at_two"  # a function is known by its name


def test_where_a_fit_kills_its_process_the_others_are_kept(tmp_path):
    path = tmp_path / "sweep"
    wanted = {"seeds": [0], "path": path, "progress": False}
    ns.sweep(Mite(), X, {"step": [1]}, scores={"end": ends_at_two}, n_jobs=2, **wanted)
    with pytest.raises(BrokenProcessPool, match="terminated"):
        ns.sweep(Mite(), X, {"step": [1, 2]}, scores={"end": ends_at_two}, n_jobs=2, **wanted)
    before = path.read_bytes()
    table = ns.sweep(Mite(), X, {"step": [1, 2]}, scores={"end": stays}, **wanted)
    assert table.error.tolist() == ["", ""]
    assert path.read_bytes().startswith(before) and path.read_bytes().count(b"\n") == 3


def test_an_error_is_raised(client):
    with pytest.raises(ArithmeticError, match="the mite fell"):
        there(ns.sweep, Mite(), X, {"fails": [1, 0], "step": range(20)}, seeds=[0], scores=(), errors="raise")
