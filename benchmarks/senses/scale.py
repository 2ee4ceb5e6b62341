"""How long do eight fits and their consensus take for all words of a modern norm, and how much memory?

    python -m benchmarks.senses.scale FILE --cue cue --response response --count R1 --fits FOLDER

A fit that is in the folder is not made again, and what it took is read from beside it: the run can be left alone, and
be taken up where it stopped.
"""

import argparse
import json
import resource
import time
from pathlib import Path

from benchmarks.record import keep
from benchmarks.senses.fits import fits
from benchmarks.senses.norms import from_file
from notebook_sne import senses

__all__ = ["main"]


def main():
    """Measure, print and keep."""
    parser = argparse.ArgumentParser(description="Eight fits and their consensus: time and memory.")
    parser.add_argument("norms", type=Path)
    parser.add_argument("--fits", type=Path, required=True, help="folder in which fits are kept")
    parser.add_argument("--n-fits", type=int, default=8)
    often = "read each fit so often, as what a consensus takes depends on their number alone"
    parser.add_argument("--repeat", type=int, default=1, help=often)
    for column, name in (("cue", "cue"), ("response", "response"), ("count", "R1")):
        parser.add_argument(f"--{column}", default=name)
    chosen = parser.parse_args()
    began, spent = time.perf_counter(), time.process_time()
    norms = from_file(chosen.norms, chosen.cue, chosen.response, chosen.count)
    rows = [_row("reading the norms", began, spent)]
    made = [_fit(norms, seed, chosen.fits) for seed in range(chosen.n_fits)]
    rows += [row for _, row in made]
    began, spent = time.perf_counter(), time.process_time()
    read = [fit for fit, _ in made] * chosen.repeat
    table = senses.consensus(read, norms.data).table()
    rows.append(_row(f"consensus of {len(read)} fits", began, spent))
    settings = {"words": len(norms.data), "n_maps": 50, "ties": int(norms.data.P.nnz)}
    keep("scale_senses", {**settings, "words with two senses": int((table.n_senses > 1).sum())}, rows)


def _fit(norms, seed, folder):
    """Return a fit, and what it took."""
    kept = folder / f"{norms.name}_{seed}.json"
    began, spent = time.perf_counter(), time.process_time()
    (fit,) = fits(norms, [seed], folder)
    if not kept.exists():
        kept.write_text(json.dumps(_row(f"fit, seed {seed}", began, spent)))
    return fit, json.loads(kept.read_text())


def _row(what, began, spent):
    return {
        "what": what,
        "minutes": round((time.perf_counter() - began) / 60, 2),
        "processor seconds": round(time.process_time() - spent),
        "peak memory, MB": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


if __name__ == "__main__":
    main()
