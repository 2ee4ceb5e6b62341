"""``notebook-sne bench``: what it can be asked for, and the run itself."""

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from notebook_sne import files
from notebook_sne.bench import BenchError

__all__ = ["add_parser", "run"]

FOLDER = "notebook_sne_bench"
"""Where the results go when no folder is named, under the present one."""

_PEERS = ("openTSNE", "scikit-learn")
_ALL_WORDS = (1000, 2000, 3500, 5018)
# Of the quick run and the ordinary one: sizes, rounds, sizes of fits, words, sizes of their fits, maps, updates of
# t-SNE and of aspect maps.
_QUICK: dict[str, Any] = {
    "sizes": (500, 2000),
    "rounds": 3,
    "fits": (500,),
    "words": (200, 500),
    "word_fits": (200,),
    "maps": 10,
}
_USUAL: dict[str, Any] = {
    "sizes": (1000, 5000, 20_000),
    "rounds": 5,
    "fits": (5000,),
    "words": (),
    "word_fits": (),
    "maps": 50,
}
_LEAST = 150  # objects that a perplexity of 30 says something about
_MOST_IMAGES, _MOST_WORDS = 70_000, 5018  # all that there are


def add_parser(commands):
    """Add ``bench`` to the commands of ``notebook-sne``."""
    parser = commands.add_parser(
        "bench",
        help="measure speed, accuracy and memory beside openTSNE and scikit-learn",
        description="Measure gradients, sums over pairs and whole fits beside openTSNE and scikit-learn, in turns, "
        "with one P and one number of threads for all. Writes JSON, tables in Markdown and a figure into a folder; the "
        "parts that are not asked for stay there as they were. Compare ratios, and run it on a quiet machine: seconds "
        "depend on what else it does.",
    )
    parser.add_argument("--sizes", nargs="*", type=_size, metavar="N", help="objects of the gradients; default: "
                        + _listed(_USUAL["sizes"]))  # fmt: skip
    parser.add_argument("--rounds", type=_positive, metavar="N", help=f"turns of each; default: {_USUAL['rounds']}")
    parser.add_argument("--fits", nargs="*", type=_size, metavar="N", help="objects of the whole fits of t-SNE; "
                        f"default: {_listed(_USUAL['fits'])}; none without a number")  # fmt: skip
    parser.add_argument("--gaussian-fits", nargs="*", type=_size, metavar="N", default=[],
                        help="objects of whole fits of SNE, symmetric SNE and UNI-SNE; default: none")  # fmt: skip
    parser.add_argument("--words", nargs="*", type=_size, metavar="N", help="words of the gradients of aspect maps; "
                        f"default: none; without a number: {_listed(_ALL_WORDS)}")  # fmt: skip
    parser.add_argument("--word-fits", nargs="*", type=_size, metavar="N",
                        help="words of whole fits of aspect maps, by each way to sum; default: none")  # fmt: skip
    parser.add_argument("--maps", type=_positive, metavar="N", help=f"aspect maps; default: {_USUAL['maps']}")
    parser.add_argument("--peers", nargs="*", choices=_PEERS, default=list(_PEERS), help="default: both")
    parser.add_argument("--threads", type=_positive, metavar="N", help="default: all cores the process may use")
    parser.add_argument("--output", default=FOLDER, metavar="FOLDER", help="default: ./%(default)s")
    parser.add_argument("--layouts", metavar="FOLDER", help="where P and map points are kept for the next run; "
                        "default: layouts in the output folder")  # fmt: skip
    parser.add_argument("--quick", action="store_true",
                        help="small sizes and no download: about a minute, to see that it works")  # fmt: skip
    return parser


def _listed(numbers):
    return " ".join(map(str, numbers))


def _size(text):
    return _whole(text, _LEAST)


def _positive(text):
    return _whole(text, 1)


def _whole(text, least):
    if not (text.isascii() and text.isdigit() and int(text) >= least):
        raise argparse.ArgumentTypeError(f"must be a whole number of at least {least}, got {text!r}")
    return int(text)


def run(asked):
    """Measure what is asked for, print the tables, and write all into the folder.

    Parameters
    ----------
    asked : argparse.Namespace
        From `add_parser`.

    Returns
    -------
    code : int
        0.

    Raises
    ------
    BenchError
        If a peer is not installed (the message names the extra), or more objects are asked for than there are.
    """
    from threadpoolctl import threadpool_limits

    from notebook_sne.bench import peers, record, report

    peers.check_peers(asked.peers)
    plan = _plan(asked)
    folder = Path(asked.output).expanduser()
    folder.mkdir(parents=True, exist_ok=True)
    before, began = record.load(), time.monotonic()
    settings = {
        "command": plan["command"], "rounds": plan["rounds"], "threads": plan["threads"], "perplexity": 30,
        "updates of a fit": plan["updates"], "load before": before,
    }  # fmt: skip
    # The linear algebra under scikit-learn's exact sums is told of no number of threads but by this.
    with threadpool_limits(plan["threads"], "blas"):
        for name, rows in _parts(plan, lambda line: _say(line, began)):
            # At once: what is measured so far outlives an interrupt.
            record.write(folder / f"{name}.json", record.result(settings, rows, asked.peers))
            print(f"{report.PARTS[name]}\n\n{record.table(rows)}\n", flush=True)
    results = report.read(folder)
    files.write(folder / "peers.md", report.text(results).encode())
    if (page := report.page(results)) is not None:
        files.write(folder / "peers.html", page.encode())
    print(f"kept in {folder}")
    return 0


def _say(line, began):
    print(f"{time.monotonic() - began:5.0f} s  {line}", file=sys.stderr, flush=True)


def _plan(asked):
    """Return everything that a run needs to know, with what was left out filled in."""
    from notebook_sne.machine import cores

    usual = _QUICK if asked.quick else _USUAL
    plan: dict[str, Any] = {
        name: usual[name] if (given := getattr(asked, name)) is None else given
        for name in ("sizes", "rounds", "fits", "words", "word_fits", "maps")
    }
    if asked.words == []:
        plan["words"] = _ALL_WORDS
    for name in ("sizes", "fits", "words", "word_fits"):
        plan[name] = sorted(set(plan[name]))
    plan["gaussian_fits"] = sorted(set(asked.gaussian_fits))
    for name, most in (("sizes", _MOST_IMAGES), ("fits", _MOST_IMAGES), ("gaussian_fits", _MOST_IMAGES),
                       ("words", _MOST_WORDS), ("word_fits", _MOST_WORDS)):  # fmt: skip
        if plan[name] and plan[name][-1] > most:
            option = name.replace("_", "-")
            raise BenchError(f"--{option} must be at most {most}, all that there are, got {plan[name][-1]}; lower it")
    plan["threads"] = asked.threads or cores.available()
    plan["peers"] = asked.peers
    # None: as many as each of these models makes by itself.
    usual_updates = (300, 300, 60) if asked.quick else (750, None, 400)
    plan["updates"], plan["gaussian_updates"], plan["word_updates"] = usual_updates
    plan["objects"], plan["word_data"] = ("clusters", "clusters") if asked.quick else ("mnist", "usf")
    output = Path(asked.output).expanduser()
    plan["layouts"] = output / "layouts" if asked.layouts is None else Path(asked.layouts).expanduser()
    plan["command"] = _command(plan, asked.quick)
    return plan


def _command(plan, quick):
    """Return the options that repeat the run, without where things lie."""
    listed = ("sizes", "fits", "gaussian_fits", "words", "word_fits")
    # --words alone would be all words.
    words = [f"--{name.replace('_', '-')} {_listed(plan[name])}" for name in listed if plan[name] or name != "words"]
    words += [f"--{name} {plan[name]}" for name in ("rounds", "maps", "threads")]
    words += [f"--peers {' '.join(plan['peers'])}"]
    return " ".join(" ".join(["notebook-sne bench", *words, *(["--quick"] if quick else [])]).split())


def _parts(plan, say):
    """Yield (name of a part, its rows) one after the other."""
    from notebook_sne.bench import fits, iterations, layouts, repulsion, words

    student, gaussian, largest = [], [], None
    for n_objects in plan["sizes"]:
        case = layouts.case(plan["objects"], n_objects, plan["layouts"], plan["updates"], plan["threads"], say)
        say(f"{n_objects} objects: gradients of t-SNE")
        student += iterations.student_rows(case, plan["rounds"], plan["threads"], plan["peers"])
        say(f"{n_objects} objects: gradients of the models with a Gaussian")
        gaussian += iterations.gaussian_rows(case, plan["rounds"], plan["threads"])
        largest = case.Y
    if largest is not None:
        yield "peers_iterations", student
        yield "peers_gaussian", gaussian
        say(f"{min(len(largest), repulsion.MOST_POINTS)} points: sums over all pairs")
        yield "peers_repulsion", repulsion.rows(largest, plan["rounds"], plan["threads"])
        del largest, case
    if plan["words"] or plan["word_fits"]:
        yield from words.parts(
            plan["word_data"], plan["words"], plan["word_fits"], plan["maps"], plan["word_updates"],
            plan["rounds"], plan["threads"], say,
        )  # fmt: skip
    if plan["fits"] or plan["gaussian_fits"]:
        fitted = fits.rows(
            plan["objects"], plan["fits"], plan["gaussian_fits"], plan["updates"], plan["gaussian_updates"],
            plan["threads"], plan["peers"], say,
        )  # fmt: skip
        yield "peers_fits", fitted
