import os

import numpy as np
import pytest

from tests.standins.process import python

pytestmark = pytest.mark.compiled  # threads mean nothing to plain Python


WORKQUEUE = {"NUMBA_THREADING_LAYER": "workqueue", "NUMBA_NUM_THREADS": "2"}

FOREIGN = """
    import threading
    import numba, numpy as np
    import notebook_sne as ns
    from notebook_sne.engine.sums.pair_sums import gaussian_sums

    @numba.njit(parallel=True, nogil=True)
    def foreign(A):
        total = 0.0
        for i in numba.prange(A.shape[0]):
            for j in range(A.shape[1]):
                total += np.sqrt(abs(A[i, j]))
        return total

    A = np.ones((1500, 1500))
    foreign(A)
    Y = np.random.default_rng(0).normal(size=(1500, 2))
    model = ns.TSNE(perplexity=5, max_iter=200, random_state=0, progress=False)
    expected = [*gaussian_sums(Y), model.fit_transform(Y[:200])]
    over = threading.Event()
    wrong = []

    def same():
        found = [*gaussian_sums(Y), ns.TSNE(**model.get_params()).fit_transform(Y[:200])]
        if not all(np.array_equal(a, b) for a, b in zip(found, expected)):
            wrong.append(1)

    def beside():
        while not over.is_set():
            assert foreign(A) == A.size
"""
"""A parallel function of a notebook cell, and results of ours beside which it is called."""

PROGRAMS = {
    "a run that plays": """
    run = ns.Run(ns.TSNE(perplexity=5, max_iter=100_000), Y[:300])
    run.play()
    while run.state is None or run.state.iteration < 200:
        assert foreign(A) == A.size
    run.close()
    """,
    "fits in threads": """
    workers = [threading.Thread(target=same) for _ in range(3)]
    [w.start() for w in workers]
    while any(w.is_alive() for w in workers):
        assert foreign(A) == A.size
    """,
    "a fit beside a thread": """
    other = threading.Thread(target=beside)
    other.start()
    for _ in range(3):
        same()
    over.set()
    other.join()
    """,
}


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS)
def test_kernels_run_beside_the_parallel_functions_of_others(program):
    """Numba's layer "workqueue" ends a process in which two threads enter such functions at once."""
    done = python(FOREIGN + PROGRAMS[program] + "print(numba.threading_layer(), wrong)", **WORKQUEUE)
    assert done.returncode == 0, done.stderr[-500:]
    assert done.stdout.split() == ["workqueue", "[]"]


@pytest.mark.slow
def test_such_a_process_ends_if_kernels_use_the_threads_of_numba_everywhere():
    """So the test above can fail."""
    everywhere = """
    from notebook_sne.engine.machine import parallel
    parallel._may_use_threads_of_numba = lambda: True
    """
    assert python(FOREIGN + everywhere + PROGRAMS["a fit beside a thread"], **WORKQUEUE).returncode != 0


@pytest.mark.slow
def test_the_main_thread_by_itself_keeps_all_cores():
    done = python(
        FOREIGN
        + """
    from notebook_sne.engine.machine import parallel
    print(parallel._may_use_threads_of_numba())
    with parallel.threads(1):
        print(parallel._may_use_threads_of_numba())
    """,
        **WORKQUEUE,
    )
    assert done.stdout.split() == ["True", "False"], done.stderr[-500:]


def test_a_request_for_threads_ends_with_its_block():
    from notebook_sne.engine.machine import parallel

    with parallel.threads(1):
        with parallel.threads(2):
            assert parallel._wanted.number == 2
        assert parallel._wanted.number == 1
    assert parallel._wanted.number is None


COUNT = """
    from notebook_sne.engine.sums import pair_sums
    from notebook_sne.engine.machine import parallel
    import numba, numpy
    own = numba.get_num_threads()
    seen, say = [], numba.set_num_threads
    numba.set_num_threads = lambda number: (seen.append(number), say(number))
    pair_sums.gaussian_sums(numpy.eye(2))
    print(seen[0], parallel.number_of_threads(), numba.get_num_threads() == own == numba.config.NUMBA_NUM_THREADS)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "before, variables, expected",
    [
        # LOKY_MAX_CPU_COUNT stands in for what a control group grants: both are read by the same function.
        ("", {"LOKY_MAX_CPU_COUNT": "1"}, "1"),
        # What the user asks for is what there is, be it more.
        ("", {"LOKY_MAX_CPU_COUNT": "1", "NUMBA_NUM_THREADS": "3"}, "3"),
        ("import numba", {"LOKY_MAX_CPU_COUNT": "1"}, "1"),
        pytest.param(
            "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})",
            {},
            "1",
            marks=pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system cannot bind processes"),
        ),
    ],
)
def test_no_more_threads_are_used_than_the_process_may_and_numba_keeps_its_own(
    before, variables, expected, monkeypatch
):
    monkeypatch.delenv("NUMBA_NUM_THREADS", raising=False)
    done = python(f"    {before}{COUNT}", **variables)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [expected, expected, "True"]


@pytest.mark.slow
def test_the_environment_stays_the_users():
    # scikit-learn writes two variables of its own, KMP_*, when it is imported.
    done = python(
        """
        import os
        before = dict(os.environ)
        import importlib, pkgutil
        import numpy as np
        import notebook_sne as ns
        for module in pkgutil.walk_packages(ns.__path__, "notebook_sne."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
        X = np.random.default_rng(0).normal(size=(60, 4))
        model = ns.TSNE(perplexity=5, max_iter=3, random_state=0, progress=False).fit(X)
        model.transform(X[:5])
        changed = {name for name in {*before, *os.environ} if before.get(name) != os.environ.get(name)}
        print(sorted(name for name in changed if not name.startswith("KMP_")))
        """
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().split("\n")[-1] == "[]"


def test_a_process_of_ours_is_told_how_many_cores_it_has(monkeypatch):
    from notebook_sne.engine.machine import process

    for name in ("NUMBA_NUM_THREADS", "GOMP_SPINCOUNT", "OMP_WAIT_POLICY"):
        monkeypatch.delenv(name, raising=False)
    assert process.variables() == {"NUMBA_NUM_THREADS": str(process.available()), "GOMP_SPINCOUNT": "1000"}
    monkeypatch.setenv("OMP_WAIT_POLICY", "active")
    monkeypatch.setenv("NUMBA_NUM_THREADS", "7")
    assert process.variables() == {}


@pytest.mark.parametrize("number", [1, 3])
@pytest.mark.parametrize("n_rows", [0, 1, 2, 7, 100])
def test_every_row_is_done_once(n_rows, number, monkeypatch):
    from notebook_sne.engine.machine import parallel

    monkeypatch.setattr(parallel, "usable", lambda: 4)

    @parallel.by_rows
    def count(first, last, done):
        for i in range(first, last):
            done[i] += 1

    done = np.zeros(n_rows, int)
    with parallel.threads(number):
        count(n_rows, done)
    assert (done == 1).all()


def test_an_error_in_a_thread_is_raised(monkeypatch):
    from notebook_sne.engine.machine import parallel

    monkeypatch.setattr(parallel, "usable", lambda: 2)

    @parallel.by_rows
    def fail(first, last):
        raise ValueError(f"rows from {first}")

    with pytest.raises(ValueError, match="rows from 0"):
        fail(10)


def test_joblib_reads_what_a_control_group_grants(monkeypatch):
    """The number above rests on it."""
    from joblib.externals.loky.backend import context

    from notebook_sne.engine.machine.process import available

    monkeypatch.setattr(context, "_cpu_count_cgroup", lambda os_cpu_count: 1)
    assert available() == 1


def test_kernels_are_compiled_once_for_every_kind_of_input():
    from notebook_sne.engine.sums import pair_sums

    Y = np.random.default_rng(0).normal(size=(6, 4))
    kernel = pair_sums.in_plane.__wrapped__
    pair_sums.gaussian_sums(Y[:, :2]), pair_sums.student_sums(Y[:, :2])
    before = len(kernel.signatures)
    read_only = Y[:, :2].copy()
    read_only.flags.writeable = False
    for points in (Y[:, 1:3], Y[::-1, :2], Y[:, :2].astype(np.float32), read_only, np.asfortranarray(Y[:, :2])):
        pair_sums.gaussian_sums(points)
        pair_sums.student_sums(points, np.ones(6, np.float32))
    assert len(kernel.signatures) == before
