"""``python -m benchmarks.senses``: how well homonyms are read, by aspect maps and by others.

Only the half of the gold list that is for choosing settings is scored, unless ``--look-once`` is given.
"""

import argparse
import sys
import time
from pathlib import Path

import notebook_sne as ns
from benchmarks.record import RESULTS, keep
from benchmarks.senses.fits import fits
from benchmarks.senses.gold import HALVES
from benchmarks.senses.methods import METHODS
from benchmarks.senses.norms import from_file, usf
from benchmarks.senses.questions import questions
from benchmarks.senses.scores import mark
from benchmarks.senses.tables import table_row

__all__ = ["main", "source"]


def main(arguments=None):
    """Let the methods answer about all norms, score them, keep and print the table."""
    asked = _asked(arguments)
    half = HALVES[asked.look_once]
    rows, all_norms = [], []
    for name in asked.norms:
        norms = usf() if name == "usf" else from_file(Path(name), asked.cue, asked.response, asked.count)
        all_norms.append(f"{norms.name}: {len(norms.data)} words")
        rows += _rows(norms, questions(norms, half), asked)
    model = ns.AspectMaps(input="probabilities")
    name, moves = f"senses_{half.replace(' ', '_')}", model.copy_moves
    if asked.copy_moves is not None:
        name, moves = f"{name}_moves_{asked.copy_moves}", asked.copy_moves
    about = {"maps": model.n_maps, "updates": model.max_iter, "copy moves": moves}
    settings = {"half": half, "norms": all_norms, "model": about}
    keep(name, settings, rows, ("networkx",), asked.output)


def _rows(norms, about, asked):
    """Return a row for each method that is asked for."""
    rows = []
    for method in METHODS:
        if not any(part.lower() in method.name.lower() for part in asked.methods):
            continue
        if method.n_fits and asked.fitted and norms.name not in asked.fitted:
            continue
        began = time.monotonic()
        marks = [
            mark(about, method.answers(norms, source(method, norms, seed, asked.fits, asked.copy_moves), about.words))
            for seed in range(asked.seeds)
        ]
        rows.append({"norms": norms.name, "method": method.name, **table_row(marks)})
        print(f"{time.monotonic() - began:5.0f} s  {norms.name}, {method.name}", file=sys.stderr, flush=True)
    return rows


def source(method, norms, seed, folder=None, copy_moves=None):
    """Return what a method reads besides the norms: a seed, or the fits of this set of answers."""
    if not method.n_fits:
        return seed
    return fits(norms, range(seed * method.n_fits, (seed + 1) * method.n_fits), folder, copy_moves)


def _asked(arguments):
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.senses",
        description="Read the senses of homonyms, and of words of one meaning, by aspect maps and by others; score all "
        'by the same rules. Louvain communities need networkx: pip install ".[bench]".',
    )
    parser.add_argument("--seeds", type=int, default=5, help="sets of answers of each method; default: %(default)s")
    parser.add_argument("--methods", nargs="+", default=[""], metavar="PART",
                        help="only those whose names contain one of these")  # fmt: skip
    parser.add_argument("--norms", nargs="+", default=["usf"], metavar="NAME", help="usf, or files; default: usf")
    for column, name in (("cue", "cue"), ("response", "response"), ("count", "R1")):
        parser.add_argument(f"--{column}", default=name, help="a column of these files; default: %(default)s")
    parser.add_argument("--copy-moves", type=int, metavar="N",
                        help="of the fits, which want a folder of their own; default: the model's")  # fmt: skip
    parser.add_argument("--fits", type=Path, metavar="FOLDER", help="where fits are kept; default: nowhere")
    parser.add_argument("--fitted", nargs="+", metavar="NAME",
                        help="norms to which maps are fitted, fifteen fits each; default: all")  # fmt: skip
    parser.add_argument("--look-once", action="store_true", help="score the half that settings were not chosen on")
    parser.add_argument("--output", type=Path, default=RESULTS, metavar="FOLDER", help="default: benchmarks/results")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
