"""Maps of very many objects: seconds, memory and worth, of all models with one map, and beside openTSNE.

    python -m benchmarks.million                                         # a million, t-SNE whole, others briefly
    python -m benchmarks.million --objects 70000 200000 --models t-SNE openTSNE

The objects are the digits of `deformed`, perplexity 30. Each fit is a process of its own; its seconds are those of the
clock. t-SNE makes 250 + 500 updates, or the number that is asked for; the other models of ours first make some from
their own start, and then some from the map of t-SNE, spread to the width that their own maps come to, as an update of a
wide map takes longer. All maps of t-SNE are judged by one formula on one P of ours: their cost with sums by the finest
mesh, and by how many of 10 nearest neighbors they keep, on 2,000 objects.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.deformed import deformed_digits
from benchmarks.neighbors import neighbors_kept
from benchmarks.peers.one_fit import _peak, _status
from benchmarks.record import RESULTS, keep, load

__all__ = ["MODELS", "fit", "judge", "main"]

PERPLEXITY, SAMPLE, NEAREST = 30.0, 2000, 10
MODELS = ("t-SNE", "openTSNE", "SNE", "symmetric SNE", "UNI-SNE")
_ROOT = Path(__file__).parents[1]


def fit(name, X, updates, threads, start=None):
    """Fit one model in this process, and return its map and a row of the table.

    Parameters
    ----------
    name : str
        One of `MODELS`.
    X : ndarray, shape (N, n_features)
        The objects.
    updates : int
        How many; of t-SNE a third of them exaggerated.
    threads : int
        How many may be used.
    start : ndarray, shape (N, 2), optional
        Where our models begin.
    """
    before, began = _status("VmRSS"), time.perf_counter()
    if name == "openTSNE":
        Y, affinities, recall = _of_opentsne(X, updates, threads)
        took = time.perf_counter() - began - affinities
        per_update = took / updates
    else:
        from benchmarks.peers import ours
        from notebook_sne import SNE, TSNE, UNISNE, SymmetricSNE

        kind = {"t-SNE": TSNE, "SNE": SNE, "symmetric SNE": SymmetricSNE, "UNI-SNE": UNISNE}[name]
        recipe = ours.recipe(updates) if name == "t-SNE" else {"max_iter": updates, "random_state": 0}
        began_at = {} if start is None else {"init": start}
        model = kind(**{**recipe, **began_at, "perplexity": PERPLEXITY, "n_jobs": threads, "progress": True}).fit(X)
        seconds = model.trace_.seconds.to_numpy()
        Y, recall, took = model.embedding_, model.neighbor_recall_, float(seconds[-1])
        affinities, updates = time.perf_counter() - began - took, model.n_iter_
        # Of the last third, which the map has its width in.
        per_update = float(np.diff(seconds)[-max(1, updates // 3) :].mean())
    return Y, {
        "fit": name,
        "updates": updates,
        "seconds": round(affinities + took, 1),
        "P and start, s": round(affinities, 1),
        "updates, s": round(took, 1),
        "late update, s": round(per_update, 3),
        "peak, MB": round(_peak()),
        "above imports and data, MB": round(_peak() - before),
        "recall of neighbors": recall if recall is None else round(recall, 4),
        "load": load(),
    }


def _of_opentsne(X, updates, threads):
    import openTSNE
    from openTSNE import affinity, initialization

    began = time.perf_counter()
    P = affinity.PerplexityBasedNN(X, perplexity=PERPLEXITY, n_jobs=threads, random_state=0)
    start = initialization.pca(X, random_state=0)
    affinities = time.perf_counter() - began
    embedding = openTSNE.TSNEEmbedding(start, P, negative_gradient_method="fft", n_jobs=threads, random_state=0)
    embedding.optimize(updates // 3, exaggeration=12, momentum=0.5, inplace=True)
    embedding.optimize(updates - updates // 3, momentum=0.8, inplace=True)
    return np.asarray(embedding), affinities, None


def judge(X, maps, threads):
    """Return the cost of maps {name: Y} of t-SNE on one P, and the neighbors they keep, {name: row}."""
    from sklearn.neighbors import NearestNeighbors

    from notebook_sne import TSNE
    from notebook_sne.fitting.inputs import target
    from notebook_sne.machine.parallel import threads as at_most
    from notebook_sne.mathematics import tsne
    from notebook_sne.sums.mesh_sums import LEAST_ACCURACY, student_mesh_sums

    with at_most(threads):
        made = target(X, "vectors", PERPLEXITY, TSNE._convention)
        pairs = tsne.attractive_pairs(made.P)

        def sums(Y):
            return student_mesh_sums(Y, accuracy=LEAST_ACCURACY)

        costs = {name: tsne.cost_and_gradient(pairs, Y, sums=sums).cost for name, Y in maps.items()}
    del made, pairs
    some = np.sort(np.random.default_rng(7).choice(len(X), min(SAMPLE, len(X)), replace=False))

    def nearest(Z):
        return NearestNeighbors(n_neighbors=NEAREST + 1, n_jobs=threads).fit(Z).kneighbors(Z[some])[1][:, 1:]

    true = nearest(X)
    return {
        name: {"KL": round(float(costs[name]), 4), "neighbors kept": round(float(neighbors_kept(nearest(Y), true)), 4)}
        for name, Y in maps.items()
    }


def main(arguments=None):
    """Make the fits that are asked for, and keep a table of them."""
    arguments = sys.argv[1:] if arguments is None else arguments
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.million", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--objects", type=int, nargs="+", default=[1_000_000])
    parser.add_argument("--models", nargs="+", choices=MODELS, default=[m for m in MODELS if m != "openTSNE"])
    parser.add_argument("--updates", type=int, default=750, help="of t-SNE; default: %(default)s")
    parser.add_argument("--brief", type=int, default=30, help="updates of the other models; default: %(default)s")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--name", default="million", help="of the kept table; default: %(default)s")
    parser.add_argument("--output", type=Path, default=RESULTS)
    parser.add_argument("--maps", type=Path, help="a folder that keeps objects and maps for another run")
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    if asked.one:
        name, updates, start, place = asked.one
        X = np.load("objects.npy")
        Y, row = fit(name, X, int(updates), asked.threads, np.load(start) if start != "-" else None)
        np.save(place, np.asarray(Y, np.float32))
        print(json.dumps(row))
        return
    rows = []
    for n_objects in sorted(asked.objects):
        with tempfile.TemporaryDirectory() as folder:
            folder = folder if asked.maps is None else asked.maps / str(n_objects)
            rows += [{"objects": n_objects, **row} for row in _rows(n_objects, asked, Path(folder))]
            settings = {
                "command": shlex.join(["python", "-m", "benchmarks.million", *arguments]),
                "perplexity": PERPLEXITY,
            }
            keep(asked.name, settings, rows, [peer for peer in ("openTSNE",) if peer in asked.models], asked.output)


def _rows(n_objects, asked, folder):
    folder.mkdir(parents=True, exist_ok=True)
    objects = folder / "objects.npy"
    if not objects.exists():
        np.save(objects, deformed_digits(n_objects)[0])
    made = {}
    for name in asked.models:
        if name in ("t-SNE", "openTSNE"):
            made[name] = _apart(name, asked.updates, "-", f"{name}.npy", asked, folder)
            continue
        made[name] = _apart(name, asked.brief, "-", "brief.npy", asked, folder)
        if (folder / "t-SNE.npy").exists():
            wide = np.load(folder / "t-SNE.npy").astype(np.float64)
            # Each object takes a disk of the area that `perplexity` neighbors of unit width share.
            wide *= (n_objects / PERPLEXITY / 4) ** 0.5 / wide.std()
            np.save(folder / "wide.npy", wide)
            later = _apart(name, asked.brief, "wide.npy", "brief.npy", asked, folder)
            made[name]["late update, s"] = later["late update, s"]
    maps = {
        name: np.load(folder / f"{name}.npy").astype(np.float64) for name in made if "t" == name[0] or "o" == name[0]
    }
    if maps:
        worth = judge(np.load(objects), maps, asked.threads)
    return [{**row, **(worth[name] if name in maps else {})} for name, row in made.items()]


def _apart(name, updates, start, place, asked, folder):
    """Fit in a process of its own, and return its row."""
    print(f"{time.strftime('%H:%M:%S')} {name}: {updates} updates, load {load()}", file=sys.stderr, flush=True)
    command = [sys.executable, "-m", "benchmarks.million", "--threads", str(asked.threads)]
    command += ["--one", name, str(updates), start, place]
    most = {f"{library}_NUM_THREADS": str(asked.threads) for library in ("OMP", "OPENBLAS", "MKL", "NUMBA")}
    path = os.pathsep.join([str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, **most, "PYTHONPATH": path}
    done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise RuntimeError(f"the fit of {name} ended with exit code {done.returncode}; its error stands above")
    row = json.loads(done.stdout.splitlines()[-1])
    print(json.dumps(row), file=sys.stderr, flush=True)
    return row


if __name__ == "__main__":
    main()
