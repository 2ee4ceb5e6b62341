import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.engine.machine import parallel


def objects(n_objects):
    return np.random.default_rng(0).normal(size=(n_objects, 4))


def threads_of(model, X, monkeypatch):
    """How many threads each kernel of a run was given."""
    seen, run = [], parallel.number_of_threads

    def look():
        seen.append(run())
        return seen[-1]

    monkeypatch.setattr(parallel, "usable", lambda: 4)
    monkeypatch.setattr(parallel.numba, "set_num_threads", lambda n: None)
    monkeypatch.setattr(parallel, "number_of_threads", look)
    monkeypatch.setattr(parallel, "available", lambda: 4)
    states = model.iterate(X)
    next(states), next(states)
    del seen[:]  # what came before was P
    next(states)
    assert seen
    return set(seen)


@pytest.mark.parametrize(
    "n_objects, n_jobs, expected",
    [(100, None, 1), (1500, None, 4), (100, 3, 3), (100, -1, 4), (1500, 1, 1), (1500, 3, 3)],
)
def test_small_work_has_one_thread_and_a_wish_is_obeyed(n_objects, n_jobs, expected, monkeypatch):
    model = ns.TSNE(perplexity=5, n_jobs=n_jobs, random_state=0)
    assert threads_of(model, objects(n_objects), monkeypatch) == {expected}


def test_several_maps_are_more_work():
    assert parallel.nanoseconds(300, 1, 20_000) < parallel.SMALL < parallel.nanoseconds(300, 10, 20_000)


def test_many_stored_pairs_are_more_work():
    assert parallel.nanoseconds(500, 1, 10_000) < parallel.SMALL < parallel.nanoseconds(500, 1, 250_000)


@pytest.mark.parametrize("n_objects", [150, 1200])
def test_the_number_of_threads_that_is_chosen_changes_no_bit(n_objects):
    X = objects(n_objects)
    ends = []
    for n_jobs in (None, 1, 2):
        states = ns.SNE(perplexity=5, n_jobs=n_jobs, random_state=0).iterate(X)
        ends.append([next(states) for _ in range(8)][-1].Y)
    assert np.array_equal(ends[0], ends[1]) and np.array_equal(ends[0], ends[2])


def test_a_run_tries_one_thread_now_and_then_and_keeps_what_is_quicker(monkeypatch):
    crew, now = parallel.Crew(), [0.0]
    monkeypatch.setattr(parallel, "usable", lambda: 4)
    monkeypatch.setattr(parallel.time, "perf_counter", lambda: now[0])

    def updates(count, seconds):
        seen = []
        for _ in range(count):
            with crew.work(4):
                seen.append(parallel.number_of_threads())
                now[0] += seconds[seen[-1]]
        return seen

    busy, quiet, large = {1: 0.002, 4: 0.01}, {1: 0.004, 4: 0.002}, {1: 0.2, 4: 0.06}
    assert updates(20, busy) == [4] * 10 + [1, 4] * 5
    assert set(updates(240, busy)) == {1}, "other processes want the cores"
    assert updates(10, quiet) == [1, 4] * 5 and set(updates(240, quiet)) == {4}
    assert updates(500, large).count(1) == 1, "a long update hardly waits for a thread"
