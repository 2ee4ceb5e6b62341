"""Neighbors by lists beside exact ones and, where it is installed, faiss: recall and time, and the maps that they make.

    python -m benchmarks.neighbors --objects 70000            # recall against processor seconds, three settings
    python -m benchmarks.neighbors --objects 70000 --maps 5   # and t-SNE maps from five seeds by either P

The objects are digits of MNIST in 50 principal components, 90 neighbors each. Recall is the share of them that is
found, of 500 objects. The cost of a map is against the exact P; the neighbors that it keeps are of 30, of 2,000
objects.
"""

import argparse
import importlib.util
import time

import numpy as np
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors

import notebook_sne as ns
from benchmarks.record import keep, load
from notebook_sne.affinities.nearest import Approximate, nearest_neighbors
from notebook_sne.engine.fitting.inputs import target
from notebook_sne.engine.mathematics.distances import unit_spread

NEIGHBORS, SAMPLE = 90, 500
KEPT = 30  # neighbors of a map that are compared with those of the data


def objects(n_objects):
    """Digits in 50 dimensions, shape (n_objects, 50)."""
    X = ns.datasets.fetch_mnist("both").X[:n_objects]
    return PCA(50, random_state=0, svd_solver="randomized").fit_transform(X.astype(np.float32))


def timed(call):
    """What `call` returns, and its seconds by the clock and of the processor."""
    clock, own = time.perf_counter(), time.process_time()
    made = call()
    return made, time.perf_counter() - clock, time.process_time() - own


def by_lists(X, wanted):
    """Return neighbors, shape (N, 90); all of them for None."""
    X, found = unit_spread(X), np.empty((len(X), NEIGHBORS), np.int32)
    approximate = None if wanted is None else Approximate(wanted)
    for rows, neighbors, _ in nearest_neighbors(X, NEIGHBORS, 1e-13, approximate):
        found[rows] = neighbors
    return found


def by_faiss(X, n_probes):
    """Return neighbors of an inverted file of 1,024 lists, or, above 100,000 objects, 2,048."""
    import faiss

    X = np.ascontiguousarray(X, np.float32)
    index = faiss.index_factory(X.shape[1], f"IVF{1024 if len(X) <= 100_000 else 2048},Flat")
    index.train(X)
    index.add(X)
    index.nprobe = n_probes
    return index.search(X, NEIGHBORS + 1)[1]


def neighbors_kept(near, true):
    """Share of true neighbors, shape (S, K), among those that were found."""
    return np.mean([np.isin(one, other).mean() for one, other in zip(true, near, strict=True)])


def compare_searches(X):
    """Return recall and seconds of each way."""
    some = np.sort(np.random.default_rng(7).choice(len(X), SAMPLE, replace=False))
    search = NearestNeighbors(n_neighbors=NEIGHBORS + 1, algorithm="brute").fit(X)
    true = search.kneighbors(X[some], return_distance=False)[:, 1:]
    by_lists(X[:4000], 0.99)  # compiled
    ways = {f"lists, {wanted} asked for": (by_lists, wanted) for wanted in (0.95, 0.99, 0.999)}
    ways["exact"] = (by_lists, None)
    if importlib.util.find_spec("faiss"):
        ways |= {f"faiss, {n} lists probed": (by_faiss, n) for n in (16, 32, 64)}
    rows = []
    for name, (call, setting) in ways.items():
        found, clock, own = timed(lambda call=call, setting=setting: call(X, setting))
        row = {"objects": len(X), "search": name, "recall": round(float(neighbors_kept(found[some], true)), 4)}
        rows.append(row | {"seconds": round(clock, 1), "processor seconds": round(own, 1), "load": load()})
        print(rows[-1], flush=True)
    return rows


def compare_maps(X, n_seeds):
    """Return the costs of t-SNE maps, against the exact P, and the neighbors that they keep."""
    made = {
        name: target(X, "vectors", 30.0, "joint", None, recall) for name, recall in (("exact", 1.0), ("lists", 0.99))
    }
    exact = made["exact"].P
    share = round(float(abs(exact - made["lists"].P).sum() / 2), 4)
    some = np.sort(np.random.default_rng(99).choice(len(X), 2000, replace=False))
    true = NearestNeighbors(n_neighbors=KEPT + 1).fit(X).kneighbors(X[some], return_distance=False)[:, 1:]
    start = PCA(2, random_state=0).fit_transform(X)
    start *= 1e-4 / start[:, 0].std()
    options = {"input": "joint", "progress": False, "n_jobs": 1}
    rows = []
    for seed in range(n_seeds):
        init = start + 1e-5 * np.random.default_rng(seed).normal(size=start.shape)
        for name, each in made.items():
            Y = ns.TSNE(**options, max_iter=750, init=init, random_state=seed).fit_transform(each.P)
            cost = next(ns.TSNE(**options, init=Y, random_state=0).iterate(exact)).cost
            near = NearestNeighbors(n_neighbors=KEPT + 1).fit(Y).kneighbors(Y[some], return_distance=False)[:, 1:]
            row = {"objects": len(X), "seed": seed, "neighbors": name, "KL": round(float(cost), 4)}
            row["of 30 neighbors kept"] = round(float(neighbors_kept(near, true)), 4)
            rows.append(row | {"share of P that differs": 0 if name == "exact" else share})
            print(rows[-1], flush=True)
    return rows


def main():
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--objects", type=int, default=70_000)
    parser.add_argument("--maps", type=int, default=0, help="seeds of maps")
    given = parser.parse_args()
    X = objects(given.objects)
    peers = ("faiss-cpu",) if importlib.util.find_spec("faiss") else ()
    keep("neighbors", {"neighbors": NEIGHBORS}, compare_searches(X), peers)
    if given.maps:
        keep("neighbor_maps", {"perplexity": 30, "updates": 750}, compare_maps(X, given.maps))


if __name__ == "__main__":
    main()
