"""Results do not depend on how many threads the linear algebra of other libraries may use."""

import threading

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from notebook_sne.engine.machine.parallel import one_thread
from tests.standins.process import FORKS, printed

pytestmark = pytest.mark.compiled

BITS = """
    import hashlib, multiprocessing, sys, warnings
    import joblib
    import numpy as np
    import notebook_sne as ns
    from notebook_sne import baselines, failures, quality

    warnings.simplefilter("ignore")
    digits = ns.datasets.load_digits()
    few = {"max_iter": 2, "random_state": 0, "progress": False}

    def digest(*arrays):
        return hashlib.md5(b"".join(np.ascontiguousarray(A).tobytes() for A in arrays)).hexdigest()[:8]

    def bits(N):
        X, labels = digits.X[:N], digits.labels[:N]
        of = {"labels": labels}
        for name, model in {
            "TSNE": ns.TSNE(perplexity=15, **few), "UMAP": ns.UMAP(**few),
            "TSNE, density": ns.TSNE(perplexity=15, density=0.5, **few),
            "TSNE, spectral": ns.TSNE(perplexity=15, optimizer="spectral", **few),
            "InfoNCTSNE": ns.InfoNCTSNE(perplexity=15, **few),
            "MetricMDS": baselines.MetricMDS(**few), "NCA": baselines.NCA(labels=labels, **few),
            "PCA": baselines.PCA(), "ClassicalMDS": baselines.ClassicalMDS(), "Isomap": baselines.Isomap(),
            "LLE": baselines.LLE(), "LaplacianEigenmaps": baselines.LaplacianEigenmaps(), "SOM": baselines.SOM(**few),
            "GTM": baselines.GTM(**few),
        }.items():
            if N < 800 or name not in ("ClassicalMDS", "Isomap", "LLE"):
                model.fit(X)
                placed = model.transform(digits.X[1200:1205]) if hasattr(model, "transform") else 0.0
                yield name, N, digest(model.embedding_, placed)
        yield "LDA", N, digest(baselines.LDA().fit(X, labels).embedding_)
        A, B = X[:, 20:22] + X[:, 30:32], X[:, 12:14]
        yield "procrustes", N, digest(quality.procrustes_align(A, B), quality.procrustes_disparity(A, B))
        if N <= 300:
            found = quality.perturbation_scores(X, A, perplexity=9.0, length=1.0, objects=[0, 1])
            yield "perturbation", N, digest(found)

    def all_bits(sizes):
        return [line for N in sizes for line in bits(N)]
"""


@pytest.mark.slow
def test_bits_are_the_same_on_any_number_of_threads():
    sizes = [100, 300, 450, 700, 1100]
    said = [
        printed(f"{BITS}\n    for line in all_bits({sizes}): print(*line)", OMP_NUM_THREADS=n, OPENBLAS_NUM_THREADS=n)
        for n in ("1", "2", "4")
    ]
    assert said[0].count("\n") > 70
    assert said[0].splitlines() == said[1].splitlines() == said[2].splitlines()


@pytest.mark.slow
def test_bits_are_the_same_in_workers_and_in_forked_children():
    """A worker of joblib has one thread of its own, and a child of a process with two."""
    said = printed(
        f"""{BITS}
    here = all_bits([300])
    fork = multiprocessing.get_context("fork")
    receive, send = fork.Pipe()
    child = fork.Process(target=lambda: send.send(all_bits([300])))
    child.start()
    print(receive.recv() == here)
    child.join()
    there = joblib.Parallel(n_jobs=2)(joblib.delayed(all_bits)([300]) for _ in range(2))
    print(there == [here, here])
    """,
        flags=FORKS,
        OMP_NUM_THREADS="2",
        OPENBLAS_NUM_THREADS="2",
    )
    assert said.split() == ["True", "True"]


def threads_of_blas():
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


def test_blocks_in_other_threads_wait_and_all_threads_are_given_back():
    begun, over, seen = threading.Event(), threading.Event(), []

    def other():
        begun.set()
        with one_thread():
            seen.append(over.is_set())

    with threadpool_limits(2):
        before = threads_of_blas()
        thread = threading.Thread(target=other)
        with one_thread(), one_thread():
            assert threads_of_blas() == {1}
            thread.start()
            begun.wait()
            over.set()
        thread.join()
        assert seen == [True]
        assert threads_of_blas() == before
