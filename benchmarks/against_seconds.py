"""``python -m benchmarks.against_seconds``: how low t-SNE of 70,000 images is after so many seconds, beside others.

Each method is a process of its own, from the data to the last map, and maps are kept on the way; the time that keeping
them takes is not counted. All maps are judged by one formula on one P of ours, by sums on the finest mesh, and by the
share of 10 nearest neighbors that they keep, on 2,000 objects. The kept rows are medians of the seeds; among the
settings are the curves, which ``python -m benchmarks.figures kl_against_seconds`` draws for the page DESCENT.md.

- *notebook_sne* is `TSNE` as it is;
- *openTSNE* too: its neighbors, 250 updates exaggerated by 12 and 500 more at a rate of N over the exaggeration
  [Belkina2019], which is the best published schedule;
- *scikit-learn* is its Barnes-Hut, as it is, and *scikit-learn-intelex* the same in single precision; they show their
  last map alone;
- *umap-learn* has another cost, and is judged by neighbors.

All are fitted in turns, seed by seed; who needs more than five minutes is fitted once. With ``--ends`` the rows say
where the others end, and when ours is as low.
"""

import argparse
import importlib
import json
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np

from benchmarks.deformed import deformed_digits
from benchmarks.million import apart, judge
from benchmarks.record import RESULTS, keep, load

__all__ = ["METHODS", "ends", "main", "maps_of", "short_rows"]

EVERY, LONG = 25, 300.0  # updates between two maps; seconds of a fit that is made once
SHOWN = (250, 350, 500, 750, 1000, None)  # updates in a table
METHODS = ("notebook_sne", "openTSNE", "umap-learn", "scikit-learn", "scikit-learn-intelex")


def maps_of(method, X, seed, threads):
    """Fit in this process; return how many updates were made, after how many seconds, and the maps then, as lists."""
    watch = _Watch()
    _FITS[method](X, seed, threads, watch)
    return watch.updates, watch.seconds, watch.maps


class _Watch:
    """A clock that stands still while a map is kept."""

    def __init__(self):
        self.updates, self.seconds, self.maps = [], [], []
        self.began = time.perf_counter()

    def keep(self, updates, Y):
        now = time.perf_counter()
        self.updates.append(updates)
        self.seconds.append(round(now - self.began, 2))
        self.maps.append(np.array(Y, np.float32))
        self.began += time.perf_counter() - now


def _ours(X, seed, threads, watch):
    import notebook_sne as ns

    model = ns.TSNE(random_state=seed, n_jobs=threads, progress=False)
    for state in islice(model.iterate(X), 0, model.max_iter + 1, EVERY):
        watch.keep(state.iteration, state.embedding)


def _open(X, seed, threads, watch):
    import openTSNE

    before = [0]

    def look(iteration, error, embedding):
        watch.keep(before[0] + iteration, embedding)
        if iteration == 250 and not before[0]:  # the exaggeration ends, and openTSNE counts from 1 again
            before[0] = 250

    openTSNE.TSNE(n_jobs=threads, random_state=seed, callbacks=look, callbacks_every_iters=EVERY).fit(X)


def _umap(X, seed, threads, watch):
    import umap

    watch.keep(None, umap.UMAP(n_jobs=threads).fit_transform(X))  # a seed would leave it one thread


def _sklearn(X, seed, threads, watch, package="sklearn"):
    model = importlib.import_module(f"{package}.manifold").TSNE(n_jobs=threads, random_state=seed)
    watch.keep(model.max_iter, model.fit_transform(X))


_FITS = dict(zip(METHODS, (_ours, _open, _umap, _sklearn, partial(_sklearn, package="sklearnex")), strict=True))


def short_rows(rows):
    """Return the rows after some updates alone, each the medians of its seeds."""
    short, kinds = [], ("objects", "fit", "updates")
    shown = [tuple(row[kind] for kind in kinds) for row in rows if row["updates"] in SHOWN]
    for n_objects, fit, updates in dict.fromkeys(shown):
        own = [row for row in rows if tuple(row[kind] for kind in kinds) == (n_objects, fit, updates)]
        medians = {
            what: None if own[0][what] is None else round(statistics.median(row[what] for row in own), digits)
            for what, digits in (("seconds", 1), ("KL", 3), ("neighbors kept", 3))
        }
        short.append({"objects": n_objects, "fit": fit, "seeds": len(own), "updates": updates, **medians})
    return short


def ends(rows):
    """Return a row for each other t-SNE at each size: where it ends, and when ours is as low; medians of the seeds."""
    found = []
    for n_objects, fit in dict.fromkeys((row["objects"], row["fit"]) for row in rows if row["KL"] is not None):
        own = [row for row in rows if (row["objects"], row["fit"]) == (n_objects, fit)]
        ends = [[row for row in own if row["seed"] == seed][-1] for seed in {row["seed"] for row in own}]
        its = {what: statistics.median(row[what] for row in ends) for what in ("seconds", "KL", "neighbors kept")}
        ours = [row for row in rows if (row["objects"], row["fit"]) == (n_objects, METHODS[0])]
        first = [next((row for row in ours if row["seed"] == seed and row["KL"] <= its["KL"]), None)
                 for seed in {row["seed"] for row in ours}]  # fmt: skip
        then = {f"ours, {what}": None if None in first else statistics.median(row[what] for row in first)
                for what in ("seconds", "updates", "neighbors kept")}  # fmt: skip
        found.append({"objects": n_objects, "until the end of": fit, "seeds": len(ends), **its, **then})
    return found


def main(arguments=None):
    """Fit, judge, and keep the rows."""
    parser = argparse.ArgumentParser("python -m benchmarks.against_seconds", description=__doc__.partition("\n")[0])
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--objects", nargs="+", type=int, default=[70_000])
    parser.add_argument("--seeds", type=int, default=5, help="of ours and openTSNE; default: %(default)s")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="keeps maps, so that a run can go on from there")
    parser.add_argument("--ends", action="store_true", help="keep where the others end, not maps on the way")
    parser.add_argument("--name", default="against_seconds", help="of the kept rows; default: %(default)s")
    parser.add_argument("--output", type=Path, default=RESULTS)
    parser.add_argument("--apart", nargs=2, metavar=("METHOD", "SEED"), help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    if asked.apart:
        method, seed = asked.apart
        updates, seconds, maps = maps_of(method, np.load("objects.npy"), int(seed), asked.threads)
        np.savez(f"{method} {seed}.npz", maps=maps)
        Path(f"{method} {seed}.json").write_text(json.dumps([updates, seconds, load()]))
        return
    peers = [name for name in asked.methods if name not in ("notebook_sne", "scikit-learn")]
    with tempfile.TemporaryDirectory() as temporary:
        rows = []
        for n_objects in asked.objects:
            folder = (asked.folder or Path(temporary)) / str(n_objects)
            X = _objects(folder, n_objects)
            turns = [(name, seed) for seed in range(asked.seeds) for name in asked.methods]
            fits = sorted(filter(None, (_fit(*turn, folder, asked) for turn in turns)))
            worth = {}
            rows += [{"objects": n_objects, **row} for fit in fits for row in _rows(*fit, X, folder, asked, worth)]
    settings = {"perplexity": 30, "threads": asked.threads} | ({} if asked.ends else {"curves": rows})
    keep(asked.name, settings, (ends if asked.ends else short_rows)(rows), peers, asked.output)


def _objects(folder, n_objects):
    path = folder / "objects.npy"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        np.save(path, deformed_digits(n_objects)[0])
    return np.load(path)


def _fit(method, seed, folder, asked):
    """Fit, if that was not done yet, and return the method's place, the seed and the method; None if once is enough."""
    told = folder / f"{method} {seed}.json"
    if seed and json.loads((folder / f"{method} 0.json").read_text())[1][-1] > LONG:
        return None
    if not told.exists():
        print(f"{time.strftime('%H:%M:%S')} {method} {seed}, load {load()}", file=sys.stderr, flush=True)
        command = f"-m benchmarks.against_seconds --threads {asked.threads} --apart {method} {seed}".split()
        subprocess.run([sys.executable, *command], cwd=folder, env=apart(asked.threads), check=True)
    return METHODS.index(method), seed, method


def _rows(_, seed, method, X, folder, asked, worth):
    """Return a row for each map that is judged; `worth` keeps what maps are worth, as those of two seeds may be one."""
    updates, seconds, busy = json.loads((folder / f"{method} {seed}.json").read_text())
    maps = dict(enumerate(np.load(folder / f"{method} {seed}.npz")["maps"].astype(np.float64)))
    last = len(maps) - 1
    maps = {last: maps[last]} if asked.ends and method != METHODS[0] else maps
    key = method, maps[last].tobytes()
    if key not in worth:
        worth[key] = judge(X, maps, asked.threads, () if method == "umap-learn" else tuple(maps))
    return [
        {"fit": method, "seed": seed, "updates": updates[k], "seconds": seconds[k], **worth[key][k], "load": busy}
        for k in maps
    ]


if __name__ == "__main__":
    main()
