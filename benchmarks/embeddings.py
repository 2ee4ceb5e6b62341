"""Embeddings of texts, 20,000 x 768: seconds, memory and what a map keeps, with principal components first and without.

The 2,000 sentences that are bundled have real embeddings, of 384 numbers and length 1. Each of 20,000 objects is one
of them, moved by the difference of two others that are neighbors: near and far distances, and the spectrum, are about
those of real embeddings. The numbers stand twice, divided by the root of 2: no distance changes, and the width is that
of the most common models. Beside them, the 2,000 themselves, of which a seed leaves out a tenth.

    python -m benchmarks.embeddings FILE    # keeps each fit in the file, and goes on from there

Every fit has a process of its own, whose peak of memory is that of all: libraries, the embeddings, the fit. A short fit
before compiles everything.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.record import keep

SEEDS = {1_800: range(5), 20_000: range(1)}  # of so many objects: five for quality, one for seconds and memory
K = 10
WAYS = {"all numbers": None, "50 components": 50}
_SAMPLE = 2_000  # objects whose neighbors among all numbers are looked for in the map
_NEAR = 5  # neighbors one of which is drawn for a difference


def embeddings(n_objects, seed):
    """Return embeddings, float32 of shape (n_objects, 768) made from the real ones, or nine in ten of these."""
    import notebook_sne as ns

    rng, E = np.random.default_rng(seed), ns.datasets.load_docstrings().X
    E = E / np.linalg.norm(E, axis=1, keepdims=True)
    if n_objects > len(E):
        near, n_real = nearest(E, np.arange(len(E)))[:, :_NEAR], len(E)
        a = rng.integers(n_real, size=n_objects)
        moves = E[near[a, rng.integers(_NEAR, size=n_objects)]] - E[a]
        E = E[rng.integers(n_real, size=n_objects)] + moves
        E /= np.linalg.norm(E, axis=1, keepdims=True)
    else:
        E = E[rng.permutation(len(E))[:n_objects]]
    return np.tile(E / np.sqrt(2), 2).astype(np.float32)


def nearest(X, asked):
    """Return the K nearest of each object asked for, itself left out, shape (n, K)."""
    from sklearn.neighbors import NearestNeighbors

    rows = NearestNeighbors(n_neighbors=K + 1, algorithm="brute").fit(X).kneighbors(X[asked], return_distance=False)
    return np.array([[j for j in row if j != i][:K] for i, row in zip(asked, rows, strict=True)])


def reduced(X, way):
    """Return what is given to the model: X, or its first principal components."""
    if WAYS[way] is None:
        return X
    from sklearn.decomposition import PCA

    return PCA(WAYS[way], random_state=0).fit_transform(X)


def one_fit(n_objects, way, seed):
    """Print seconds before the fit and of it, those of a core in all, peak in MB, and the share of neighbors kept."""
    import notebook_sne as ns

    X = embeddings(n_objects, seed)
    ns.TSNE(max_iter=5, progress=False).fit(reduced(X[:4000], way))  # compiles
    began, cpu = time.perf_counter(), time.process_time()
    given = reduced(X, way)
    searched = time.perf_counter()
    model = ns.TSNE(progress=False, random_state=seed).fit(given)
    ended, cpu = time.perf_counter(), time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    asked = np.random.default_rng(0).permutation(len(X))[:_SAMPLE]
    pairs = zip(nearest(X, asked), nearest(model.embedding_, asked), strict=True)
    kept = np.mean([len(set(a) & set(b)) / K for a, b in pairs])
    print(searched - began, ended - searched, cpu, peak, kept)


def measured(file):
    """Return what fits gave, {(objects, way, seed): numbers}; those that the file lacks are made, and kept there."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    found = {(one[0], one[1], one[2]): one[3] for one in map(json.loads, lines)}
    for case in ((n, way, seed) for n, seeds in SEEDS.items() for seed in seeds for way in WAYS):
        if case not in found:
            command = [sys.executable, "-m", "benchmarks.embeddings", "--objects", str(case[0]), "--way", case[1]]
            command += ["--seed", str(case[2])]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            found[case] = [float(word) for word in done.stdout.split()]
            with file.open("a", encoding="utf-8") as out:
                out.write(json.dumps([*case, found[case]]) + "\n")
    return found


def row(found, n_objects, way):
    """Return the row of some objects, given in one way: medians over the seeds."""
    seeds = SEEDS[n_objects]
    before, fit, cpu, peak, kept = np.array([found[n_objects, way, seed] for seed in seeds]).T
    return {
        "objects": n_objects,
        "given to t-SNE": way,
        "seeds": len(seeds),
        "seconds for components": round(float(np.median(before)), 1) if WAYS[way] else None,
        "seconds of the fit": round(float(np.median(fit)), 1),
        "range": f"{fit.min():.0f}-{fit.max():.0f}",
        "seconds of a core, both": round(float(np.median(cpu)), 1),
        "peak, MB": round(float(np.median(peak))),
        "neighbors kept": round(float(np.median(kept)), 4),
        "kept, range": f"{kept.min():.4f}-{kept.max():.4f}",
    }


def main():
    """Fit once, or measure all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--objects", type=int)
    parser.add_argument("--way", choices=WAYS)
    parser.add_argument("--seed", type=int, default=0)
    told = parser.parse_args()
    if told.way:
        return one_fit(told.objects, told.way, told.seed)
    if told.file is None:
        parser.error("name a file in which each fit is kept")
    found = measured(told.file)
    rows = [row(found, n_objects, way) for n_objects in SEEDS for way in WAYS]
    return keep("embeddings", {"features": 768, "perplexity": 30}, rows)


if __name__ == "__main__":
    main()
