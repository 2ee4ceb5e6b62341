"""Blocks placed by a real scheduler and real worker processes, of which one is killed while it places some objects."""

import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.blocks import places
from tests.standins.waiting import PATIENCE, until

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.slow

X = np.random.default_rng(0).standard_normal((150, 4))
OPTIONS = {"sample": 50, "block": 20, "refine": 0, "progress": False}


class Waiting(ns.TSNE):
    """t-SNE that writes down each block and its process; where a file says so it waits for ever, but only once."""

    def transform(self, X):
        folder = Path(os.environ["BLOCKS_TEST_FOLDER"])
        name = f"{X[0, 0]:.17g}"
        first = not list(folder.glob(f"{name} *"))
        (folder / f"{name} {time.time_ns()}.{os.getpid()}").touch()
        while first and (folder / f"wait {name}").exists():
            time.sleep(0.01)
        return super().transform(X)


def settings(kind=ns.TSNE):
    return kind(perplexity=5, max_iter=30, random_state=1, progress=False)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("BLOCKS_TEST_FOLDER", str(tmp_path))
    return tmp_path


@pytest.fixture
def client(folder):
    """Two worker processes of one thread each, which know the folder."""
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def first_number(block):
    """The first number of the first object that is placed of a block."""
    which = np.sort(np.random.default_rng(1).choice(150, 50, replace=False))
    return f"{X[np.setdiff1d(np.arange(20 * block, 150), which)[0], 0]:.17g}"


def test_a_worker_that_is_killed_changes_no_bit(client, folder):
    alone = ns.embed_in_blocks(settings(), X, **OPTIONS)
    told, name = [], first_number(2)
    (folder / f"wait {name}").touch()
    embed = threading.Thread(
        target=lambda: told.append(
            ns.embed_in_blocks(settings(Waiting), X, client=client, path=folder / "map.npy", **OPTIONS)
        )
    )
    workers = {*client.run(os.getpid).values()}
    embed.start()
    assert until(lambda: [*folder.glob(f"{name} *")])
    victim = int(next(folder.glob(f"{name} *")).name.rpartition(".")[2])
    assert victim in workers and victim != os.getpid()
    os.kill(victim, signal.SIGKILL)
    embed.join(PATIENCE)
    assert not embed.is_alive()
    assert np.array_equal(told[0], alone)
    tried = [path.name.rpartition(".")[2] for path in folder.glob(f"{name} *")]
    assert len(tried) == 2 and len(set(tried)) == 2


def test_a_dask_array_is_computed_by_the_workers(client):
    array = pytest.importorskip("dask.array")
    alone = ns.embed_in_blocks(settings(), X, **OPTIONS)
    lazy = array.from_array(X, chunks=(33, 4))
    assert np.array_equal(ns.embed_in_blocks(settings(), lazy, client=client, **OPTIONS), alone)
    assert np.array_equal(ns.embed_in_blocks(settings(), lazy, **OPTIONS), alone)
    assert until(lambda: not client.run_on_scheduler(lambda dask_scheduler: [*dask_scheduler.tasks]))


def test_rows_of_a_dask_array_are_compared_by_the_workers_before_more_are_placed(client, folder):
    array = pytest.importorskip("dask.array")
    path, changed, lazy = folder / "map.npy", X.copy(), array.from_array(X, chunks=(33, 4))
    Y = np.array(ns.embed_in_blocks(settings(), lazy, client=client, path=path, **OPTIONS))
    which = np.sort(np.random.default_rng(1).choice(150, 50, replace=False))
    changed[np.setdiff1d(np.arange(40, 60), which)[0]] += 1.0
    for given in (changed, array.from_array(changed, chunks=(33, 4))):
        with pytest.raises(ValueError, match=r"X must be what it was .* rows 40 to 59 have changed"):
            ns.embed_in_blocks(settings(), given, client=client, path=path, **OPTIONS)
    for given in (X, array.from_array(X, chunks=(50, 4))):
        assert np.array_equal(ns.embed_in_blocks(settings(), given, client=client, path=path, **OPTIONS), Y)


def test_rows_that_nobody_has_counted_are_refused():
    array = pytest.importorskip("dask.array")
    lazy = array.from_array(X, chunks=(33, 4))
    with pytest.raises(ValueError, match="compute_chunk_sizes"):
        ns.embed_in_blocks(settings(), lazy[lazy[:, 0] > 0], **OPTIONS)


def test_a_cluster_that_dies_is_told_in_words_and_the_next_call_goes_on(client, folder, monkeypatch):
    monkeypatch.setattr(places, "PATIENCE", 5.0)
    alone, name = ns.embed_in_blocks(settings(), X, **OPTIONS), first_number(5)
    (folder / f"wait {name}").touch()
    told = []

    def embed():
        try:
            ns.embed_in_blocks(settings(Waiting), X, client=client, path=folder / "map.npy", **OPTIONS)
        except RuntimeError as error:
            told.append(str(error))

    thread = threading.Thread(target=embed)
    thread.start()
    assert until(lambda: [*folder.glob(f"{name} *")])
    client.cluster.close()
    thread.join(PATIENCE)
    assert not thread.is_alive()
    assert "of 8 blocks are done" in told[0] and "the same call continues from there" in told[0]
    (folder / f"wait {name}").unlink()
    assert np.array_equal(ns.embed_in_blocks(settings(Waiting), X, path=folder / "map.npy", **OPTIONS), alone)


def test_a_process_that_is_killed_is_told_in_words(folder):
    name, told = first_number(3), []
    (folder / f"wait {name}").touch()

    def embed():
        try:
            ns.embed_in_blocks(settings(Waiting), X, n_jobs=2, path=folder / "map.npy", **OPTIONS)
        except RuntimeError as error:
            told.append(str(error))

    thread = threading.Thread(target=embed)
    thread.start()
    assert until(lambda: [*folder.glob(f"{name} *")])
    os.kill(int(next(folder.glob(f"{name} *")).name.rpartition(".")[2]), signal.SIGKILL)
    thread.join(PATIENCE)
    assert not thread.is_alive() and "a process of this machine ended" in told[0]
    alone = ns.embed_in_blocks(settings(), X, **OPTIONS)
    assert np.array_equal(ns.embed_in_blocks(settings(Waiting), X, path=folder / "map.npy", **OPTIONS), alone)
