"""Maps of very many objects: seconds, memory and worth, of all models with one map, and beside openTSNE.

    python -m benchmarks.million                                              # a million; an hour and more
    python -m benchmarks.million --objects 70000 200000 --models t-SNE openTSNE --name million_peers

The objects are the digits of `deformed`, perplexity 30. Each fit is a process of its own; its seconds are those of the
clock. openTSNE makes 250 + 500 updates, or a third and two thirds of what is asked for, exaggerated and not; our models
have the schedules that they have by default, and may end before. A late update is the mean of the last third, of
openTSNE that of all after the exaggeration.

All maps of t-SNE are judged by one formula on one P of ours: their cost, with sums by the finest mesh. Of every map it
is said how many of 10 nearest neighbors it keeps, on 2,000 objects.
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

__all__ = ["JUDGED", "MODELS", "fit", "judge", "main"]

PERPLEXITY, UPDATES, SAMPLE, NEAREST = 30.0, 750, 2000, 10
OURS = {"t-SNE": "TSNE", "SNE": "SNE", "symmetric SNE": "SymmetricSNE", "UNI-SNE": "UNISNE"}
SHORT = "t-SNE, two thirds"  # of the updates
MODELS = (*OURS, SHORT, "openTSNE")
JUDGED = ("t-SNE", SHORT, "openTSNE")
_ROOT = Path(__file__).parents[1]


def fit(name, X, updates, threads):
    """Fit one of MODELS in this process, and return its map and a row of the table."""
    before, began = _status("VmRSS"), time.perf_counter()
    if name == "openTSNE":
        import openTSNE
        from openTSNE import affinity, initialization

        P = affinity.PerplexityBasedNN(X, perplexity=PERPLEXITY, n_jobs=threads, random_state=0)
        start = initialization.pca(X, random_state=0)
        affinities, recall = time.perf_counter() - began, None
        embedding = openTSNE.TSNEEmbedding(start, P, negative_gradient_method="fft", n_jobs=threads, random_state=0)
        embedding.optimize(updates // 3, exaggeration=12, momentum=0.5, inplace=True)
        late = time.perf_counter()
        embedding.optimize(updates - updates // 3, momentum=0.8, inplace=True)
        per_update = (time.perf_counter() - late) / (updates - updates // 3)
        Y, took = np.asarray(embedding), time.perf_counter() - began - affinities
    else:
        import notebook_sne as ns
        from benchmarks.peers.ours import recipe

        updates = 2 * updates // 3 if name == SHORT else updates
        options = recipe(updates) | {"perplexity": PERPLEXITY, "n_jobs": threads, "progress": True}
        model = getattr(ns, OURS.get(name, "TSNE"))(**options).fit(X)
        seconds, updates = model.trace_.seconds.to_numpy(), model.n_iter_
        Y, recall, took = model.embedding_, model.neighbor_recall_, float(seconds[-1])
        affinities = time.perf_counter() - began - took
        per_update = float(np.diff(seconds)[-max(1, updates // 3) :].mean())
    return Y, _row(name, updates, affinities, took, per_update, recall, before)


def _row(name, updates, affinities, took, per_update, recall, before):
    return {
        "fit": name,
        "updates": updates,
        "seconds": round(affinities + took, 1),
        "P and start, s": round(affinities, 1),
        "updates, s": round(took, 1),
        "late update, s": round(per_update, 3),
        "peak, MB": round(_peak()),
        "above imports and data, MB": round(_peak() - before),
        "recall of neighbors": None if recall is None else round(recall, 4),
        "load": load(),
    }


def judge(X, maps, threads, of_tsne=JUDGED):
    """Return what maps, {name: Y}, are worth, {name: part of a row}: the cost of those of t-SNE, and neighbors kept."""
    from sklearn.neighbors import NearestNeighbors

    from notebook_sne.engine.fitting.inputs import target
    from notebook_sne.engine.machine.parallel import threads as at_most
    from notebook_sne.engine.mathematics import tsne
    from notebook_sne.engine.sums.mesh_sums import LEAST_ACCURACY, student_mesh_sums

    def sums(Y):
        return student_mesh_sums(Y, accuracy=LEAST_ACCURACY)

    costs = {}
    if students := [name for name in of_tsne if name in maps]:
        with at_most(threads):
            pairs = tsne.attractive_pairs(target(X, "vectors", PERPLEXITY, "joint").P)
            costs = {name: float(tsne.cost_and_gradient(pairs, maps[name], sums=sums).cost) for name in students}
        del pairs
    some = np.sort(np.random.default_rng(7).choice(len(X), min(SAMPLE, len(X)), replace=False))

    def nearest(Z):
        return NearestNeighbors(n_neighbors=NEAREST + 1, n_jobs=threads).fit(Z).kneighbors(Z[some])[1][:, 1:]

    true = nearest(X)
    return {
        name: {
            "KL": round(costs[name], 4) if name in costs else None,
            "neighbors kept": round(float(neighbors_kept(nearest(Y), true)), 4),
        }
        for name, Y in maps.items()
    }


def apart(threads):
    """Return the environment of a process of its own that finds this package and has so many threads."""
    most = {f"{library}_NUM_THREADS": str(threads) for library in ("OMP", "OPENBLAS", "MKL", "NUMBA")}
    path = os.pathsep.join([str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, **most, "PYTHONPATH": path}


def main(arguments=None):
    """Make the fits that are asked for, and keep a table of them."""
    arguments = sys.argv[1:] if arguments is None else arguments
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.million", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--objects", type=int, nargs="+", default=[1_000_000])
    parser.add_argument("--models", nargs="+", choices=MODELS, default=list(OURS))
    parser.add_argument("--updates", type=int, default=UPDATES, help="of each fit; default: %(default)s")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--name", default="million", help="of the kept table; default: %(default)s")
    parser.add_argument("--output", type=Path, default=RESULTS)
    parser.add_argument("--folder", type=Path, help="keeps objects, maps and rows, so that a run can go on from there")
    parser.add_argument("--apart", help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    if asked.apart:
        Y, row = fit(asked.apart, np.load("objects.npy"), asked.updates, asked.threads)
        np.save(f"{asked.apart}.npy", np.asarray(Y, np.float32))
        print(json.dumps(row), flush=True)
        return
    rows, peers = [], [name for name in asked.models if name == "openTSNE"]
    places = {"--output", "--folder"}  # of this machine
    told = [a for k, a in enumerate(arguments) if a not in places and (not k or arguments[k - 1] not in places)]
    settings = {"command": shlex.join(["python", "-m", "benchmarks.million", *told]), "perplexity": PERPLEXITY}
    for n_objects in sorted(asked.objects):
        with tempfile.TemporaryDirectory() as temporary:
            folder = (asked.folder or Path(temporary)) / str(n_objects)
            folder.mkdir(parents=True, exist_ok=True)
            rows += [{"objects": n_objects, **row} for row in _rows(n_objects, asked, folder)]
        keep(asked.name, settings, rows, peers, asked.output)


def _rows(n_objects, asked, folder):
    objects = folder / "objects.npy"
    if not objects.exists():
        np.save(objects, deformed_digits(n_objects)[0])
    made = {}
    for name in asked.models:
        kept = folder / f"{name}.json"
        if not kept.exists():
            kept.write_text(json.dumps(_apart(name, asked, folder)))
        made[name] = json.loads(kept.read_text())
    maps = {name: np.load(folder / f"{name}.npy").astype(np.float64) for name in made}
    for name, worth in judge(np.load(objects), maps, asked.threads).items():
        made[name] |= worth
    return list(made.values())


def _apart(name, asked, folder):
    """Fit in a process of its own, and return the row."""
    print(f"{time.strftime('%H:%M:%S')} {name}, load {load()}", file=sys.stderr, flush=True)
    command = [sys.executable, "-m", "benchmarks.million", "--threads", str(asked.threads)]
    command += ["--updates", str(asked.updates), "--apart", name]
    done = subprocess.run(command, cwd=folder, env=apart(asked.threads), stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise RuntimeError(f"the fit of {name} ended with exit code {done.returncode}; its error stands above")
    print(done.stdout, file=sys.stderr, flush=True)
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    main()
