"""A child that is forked after a fit, as multiprocessing makes them on Linux, can fit as well, and never hangs."""

import os
import textwrap

import pytest

from tests.standins.process import python

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")

# Small data; data whose neighbors scikit-learn searches, on several threads; sums by a mesh, with Fourier transforms;
# kernels of several maps and of images; pairs by a power and by counts; new objects; and what the judges of maps ask.
SETUP = """
    import multiprocessing, os, sys, warnings
    import numpy as np
    import notebook_sne as ns
    rng = np.random.default_rng(0)
    few, many = rng.normal(size=(60, 4)), rng.normal(size=(3100, 4))
    shared = {"perplexity": 5, "max_iter": 3, "random_state": 0, "progress": False, "n_jobs": -1}

    def fit(name):
        if name == "few":
            return ns.TSNE(**shared).fit(few).embedding_
        if name == "many":
            return ns.SNE(**shared).fit(many).embedding_
        if name == "mesh":
            return ns.UNISNE(sums="mesh", **shared).fit(few).embedding_
        if name == "space":
            return ns.TSNE(**{**shared, "n_components": 3}).fit(few).embedding_
        if name == "several":
            return ns.AspectMaps(n_maps=2, **shared).fit(few).maps_
        if name == "images":
            return ns.MixtureSNE(**shared).fit(few).maps_
        if name == "umap":
            return ns.UMAP(**{**shared, "perplexity": None}).fit(many).embedding_
        if name == "densities":
            return ns.UMAP(density=ns.Steps(1, 1, at=0), n_components=3, **shared).fit(few).embedding_
        if name == "pairs":
            return ns.InfoNCTSNE(**shared).fit(few).embedding_
        if name == "aligned":
            return np.stack(ns.aligned(ns.TSNE(density=ns.Steps(1, 1, at=0), **shared), [few, few[:, :3]]).maps)
        if name == "new of umap":
            return ns.UMAP(**shared).fit(few).transform(few[:9] + 0.1)
        if name == "new":
            return ns.TSNE(**shared).fit(few).transform(few[:9] + 0.1)
        return ns.quality.trustworthiness(many, many[:, :2])
"""
NAMES = ["few", "many", "mesh", "space", "several", "images", "umap", "densities", "pairs", "aligned", "new of umap"]
NAMES += ["new", "judged"]


def run(code, **variables):
    return python(textwrap.dedent(SETUP) + textwrap.dedent(code), flags=("-W", "ignore"), **variables)


@pytest.mark.slow  # everything is compiled twice
def test_every_kind_of_fit_gives_the_same_bits_in_a_forked_child():
    done = run(f"""
    for name in {NAMES}:
        expected = fit(name)
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            os._exit(0 if np.array_equal(fit(name), expected) else 1)
        print(name, os.waitpid(child, 0)[1])
    """)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[:-1] == [f"{name} 0" for name in NAMES], done.stderr


@pytest.mark.slow
def test_a_pool_of_forked_children_fits():
    done = run("""
    expected = fit("many")
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.map(fit, ["many"] * 3)
    print([np.array_equal(Y, expected) for Y in found])
    """)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[True, True, True]"


@pytest.mark.slow
def test_a_child_of_a_child_fits():
    done = run("""
    expected = fit("few")
    def child_of(depth):
        if depth == 0:
            return 0 if np.array_equal(fit("few"), expected) else 1
        child = os.fork()
        if child == 0:
            os._exit(child_of(depth - 1))
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(child_of(2))
    """)
    assert done.stdout.strip() == "0", done.stderr


@pytest.mark.slow
def test_a_child_that_is_forked_before_any_fit_fits():
    done = run("""
    child = os.fork()
    if child == 0:
        os._exit(0 if np.isfinite(fit("many")).all() else 1)
    print(os.waitpid(child, 0)[1], np.isfinite(fit("few")).all())
    """)
    assert done.stdout.strip() == "0 True", done.stderr


@pytest.mark.slow
def test_the_parent_goes_on_with_its_threads():
    done = run("""
    expected = fit("few")
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    from notebook_sne.engine.machine import parallel
    print(np.array_equal(fit("few"), expected), parallel.number_of_threads() == parallel.usable())
    """)
    assert done.stdout.strip() == "True True", done.stderr


@pytest.mark.slow
def test_a_fork_waits_for_the_thread_that_compiles():
    done = run("""
    import threading
    from numba.core.compiler_lock import global_compiler_lock
    ns.TSNE  # imported where it is named
    compiling, forking = threading.Event(), threading.Event()
    def compile():
        with global_compiler_lock:
            compiling.set()
            forking.wait()
    threading.Thread(target=compile).start()
    compiling.wait()
    os.register_at_fork(before=forking.set)  # called before those of the package
    child = os.fork()
    if child == 0:
        os._exit(0 if global_compiler_lock._lock.acquire(blocking=False) else 1)
    print(os.waitpid(child, 0)[1])
    """)
    assert done.stdout == "0\n", done.stderr
