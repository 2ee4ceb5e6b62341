"""What each accepted input costs beside a dense array: seconds and memory until the first state.

    python -m benchmarks.inputs --objects 4000 20000

The objects have 50 features, uniform in 20 groups; the sparse ones have 2,000 features, of which 1 % are not zero. Each
row is a process of its own, with code that has been compiled before; seconds of the processors are of both cores and
hardly depend on what else the machine does. Memory is what the process had at most above what
it had with the input in its hands. Holders of other packages are measured where they are installed.
"""

import argparse
import gc
import importlib.util
import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from scipy import sparse

from benchmarks.record import keep

PERPLEXITY = 30.0
NEEDS = {"AnnData": "anndata", "KeyedVectors": "gensim", "xarray.DataArray": "xarray"}
INPUTS = (
    "dense",
    "dense, single precision",
    "AnnData",
    "KeyedVectors",
    "xarray.DataArray",
    "cosine",
    "correlation",
    "manhattan",
    "sparse",
    "sparse, made dense",
    "neighbors, sparse matrix",
    "neighbors, arrays",
    "graph",
)


def objects(n_objects):
    """Return objects in groups, shape (n_objects, 50)."""
    random = np.random.default_rng(0)
    return random.uniform(-4, 4, (20, 50))[random.integers(20, size=n_objects)] + random.normal(size=(n_objects, 50))


def given(kind, n_objects):
    """Return the input and the options of the model that takes it."""
    if "sparse" in kind and "neighbors" not in kind:
        X = sparse.random_array((n_objects, 2000), density=0.01, random_state=np.random.default_rng(0), format="csr")
        return (X.toarray() if "dense" in kind else X), {}
    X = objects(n_objects)
    if kind in ("cosine", "correlation", "manhattan"):
        return X, {"metric": kind}
    if kind.startswith("neighbors") or kind == "graph":
        from sklearn.neighbors import NearestNeighbors

        search = NearestNeighbors(n_neighbors=int(3 * PERPLEXITY)).fit(X)
        if kind == "neighbors, arrays":
            return search.kneighbors()[::-1], {"input": "neighbors"}
        G = search.kneighbors_graph(mode="connectivity" if kind == "graph" else "distance")
        return G, {"input": "joint" if kind == "graph" else "neighbors"}
    if kind == "AnnData":
        from anndata import AnnData

        return AnnData(X), {}
    if kind == "KeyedVectors":
        from gensim.models import KeyedVectors

        vectors = KeyedVectors(X.shape[1])
        vectors.add_vectors([str(i) for i in range(n_objects)], X.astype(np.float32))
        return vectors, {}
    if kind == "xarray.DataArray":
        from xarray import DataArray

        return DataArray(X, dims=("object", "feature")), {}
    return (X.astype(np.float32) if "single" in kind else X), {}


def measure(kind, n_objects):
    """Return seconds, seconds of the processors, and megabytes until the first state of t-SNE; all is compiled."""
    import notebook_sne as ns

    def first(n):
        X, options = given(kind, n)
        before, start, own = forget_peak(), time.perf_counter(), time.process_time()
        if kind == "graph":
            X = ns.affinities.from_graph(X, joint=True).P
        next(ns.TSNE(perplexity=PERPLEXITY, random_state=0, progress=False, init="random", **options).iterate(X))
        return time.perf_counter() - start, time.process_time() - own, peak() - before

    first(3500)  # more than are searched through pair by pair, so that all is compiled
    return first(n_objects)


def peak():
    """Return the largest memory of this process since `forget_peak`, in megabytes; of Linux."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def forget_peak():
    """Let the largest memory count from now on, and return it."""
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")
    return peak()


def main():
    """Read the command line; measure, print and keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--objects", type=int, nargs="+", default=[4000, 20_000])
    parser.add_argument("--one", nargs=2, metavar=("KIND", "OBJECTS"), help="of a process of its own")
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(measure(arguments.one[0], int(arguments.one[1]))))
        return
    rows = []
    peers = [name for name in NEEDS.values() if importlib.util.find_spec(name)]
    for n_objects in arguments.objects:
        for kind in INPUTS:
            if NEEDS.get(kind, "numpy") not in (*peers, "numpy"):
                continue
            command = [sys.executable, "-m", "benchmarks.inputs", "--one", kind, str(n_objects)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            row = {
                "objects": n_objects,
                "input": kind,
                "seconds": None,
                "of processors": None,
                "MB": None,
                "said": None,
            }
            if done.returncode:  # refused: which is said
                row["said"] = done.stderr.strip().splitlines()[-1].partition(": ")[2][:90]
            else:
                seconds, own, megabytes = json.loads(done.stdout)
                row |= {"seconds": round(seconds, 2), "of processors": round(own, 2), "MB": round(megabytes)}
            print(row, flush=True)
            rows.append(row)
    keep("inputs", {"perplexity": PERPLEXITY, "model": "TSNE"}, rows, peers)


if __name__ == "__main__":
    main()
