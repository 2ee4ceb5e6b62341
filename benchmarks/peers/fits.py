"""Whole fits, each in a fresh process: wall time, KL divergence by one formula on one P, neighbor recall, memory.

Every code makes its own affinities from the same objects. Its map is then judged by us: by the KL divergence from our P
with sums over all pairs in double precision, and by the ten nearest neighbors of each object.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.peers import ours
from benchmarks.peers.layouts import PERPLEXITY, objects
from benchmarks.peers.rounds import rounded
from notebook_sne import affinities, quality
from notebook_sne.engine.fitting.inputs import target
from notebook_sne.engine.machine.parallel import threads as at_most

__all__ = ["GAUSSIAN", "MOST_IN_TREES", "rows"]

GAUSSIAN = ("SNE", "symmetric SNE", "UNI-SNE")
# A fit of 70,000 by scikit-learn takes the better part of an hour.
MOST_IN_TREES = 20_000
# Enough for the code that sums by mesh over nearest neighbors, which small data never meet.
_WARMING = 4000
_NEIGHBORS = 10
_ROOT = Path(__file__).parents[2]


def rows(data, sizes, gaussian_sizes, updates, gaussian_updates, threads, peers, say):
    """Fit t-SNE by all codes, and the models with a Gaussian by ours; return a row, a dict, for each fit.

    `data` is as for `layouts.objects`. `sizes` are numbers of objects for t-SNE, `gaussian_sizes` those for SNE,
    symmetric SNE and UNI-SNE. A third of the updates of t-SNE have early exaggeration; `gaussian_updates` are the most
    of the others, None for as many as each model makes by itself. `peers` are among `theirs.PEERS`, and `say` is called
    with a line of text on what is done.
    """
    made = []
    for n_objects in sorted(set(sizes) | set(gaussian_sizes)):
        name, X, labels = objects(data, n_objects)
        codes = ["notebook_sne"] if n_objects in sizes else []
        if codes and "openTSNE" in peers:
            codes.append("openTSNE, FFT")
        if codes and "scikit-learn" in peers and n_objects <= MOST_IN_TREES:
            codes.append("scikit-learn, Barnes-Hut")
        codes += GAUSSIAN if n_objects in gaussian_sizes else ()
        with tempfile.TemporaryDirectory() as folder:
            here = _fits(
                {code: gaussian_updates if code in GAUSSIAN else updates for code in codes},
                X,
                Path(folder),
                threads,
                say,
            )
        say(f"{n_objects} objects: what the maps are worth")
        with at_most(threads):
            P = {"conditional": target(X, "vectors", PERPLEXITY, "conditional").P}
            P["joint"] = affinities.joint(P["conditional"])
            for code, (row, Y) in here.items():
                model = code if code in GAUSSIAN else "t-SNE"
                row["KL"] = rounded(ours.exact_cost(model, P["conditional" if model == "SNE" else "joint"], Y), 5)
                row["neighbor recall"] = rounded(quality.neighbor_recall(X, Y, _NEIGHBORS), 3)
                row["1-NN error"] = rounded(quality.knn_error(Y, labels), 3)
        made += [{"objects": n_objects, "fit": code, **row, "data": name} for code, (row, _) in here.items()]
        _compare(made, n_objects)
    return made


def _fits(codes, X, folder, threads, say):
    """Return {code: (row, map)} of {code: updates}."""
    few, all_of_them, place = folder / "few.npy", folder / "objects.npy", folder / "map.npy"
    np.save(few, X[:_WARMING])
    np.save(all_of_them, X)
    here = {}
    for code, updates in codes.items():
        if code == "notebook_sne" or code in GAUSSIAN:
            say(f"{code}: compiling what is not yet compiled")
            _run(code, few, place, 6, threads)
        say(f"{code}: a fit of {len(X)} objects")
        took = _run(code, all_of_them, place, updates, threads)
        row = {
            "seconds": rounded(took["affinities, s"] + took["optimization, s"]),
            "affinities, s": rounded(took["affinities, s"]),
            "optimization, s": rounded(took["optimization, s"]),
            "updates": took["updates"],
        }
        peak = took["peak above imports, MB"]
        row["peak above imports, MB"] = None if peak is None else round(peak)
        here[code] = row, np.load(place, allow_pickle=False)
    return here


def _run(code, objects_file, map_file, updates, threads):
    command = [sys.executable, "-m", "benchmarks.peers.one_fit", code, str(objects_file), str(map_file)]
    command += ["--threads", str(threads), *([] if updates is None else ["--updates", str(updates)])]
    most = {f"{library}_NUM_THREADS": str(threads) for library in ("OMP", "OPENBLAS", "MKL", "NUMBA")}
    done = subprocess.run(command, cwd=_ROOT, env={**os.environ, **most}, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise RuntimeError(f"the fit by {code} ended with exit code {done.returncode}; its error stands above")
    return json.loads(done.stdout.splitlines()[-1])


def _compare(made, n_objects):
    """Add to the t-SNE rows of a size what they took and reached beside ours."""
    here = {row["fit"]: row for row in made if row["objects"] == n_objects and row["fit"] not in GAUSSIAN}
    for row in here.values():
        row["times ours"] = rounded(row["seconds"] / here["notebook_sne"]["seconds"], 3)
        row["KL, of ours"] = rounded(row["KL"] / here["notebook_sne"]["KL"], 4)
