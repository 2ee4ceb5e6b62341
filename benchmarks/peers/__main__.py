"""``python -m benchmarks.peers``: what it can be asked for, and the run itself."""

import argparse
import shlex
import sys
import time
from pathlib import Path

from threadpoolctl import threadpool_limits

from benchmarks.peers import fits, iterations, layouts, theirs
from benchmarks.record import RESULTS, keep, load
from notebook_sne.engine.machine import process

__all__ = ["main", "plan"]

_LEAST = 150  # objects that a perplexity of 30 says something about
_IMAGES = 70_000  # all that there are


def plan(arguments):
    """Return what is asked for, an `argparse.Namespace`, with what depends on ``--quick`` filled in."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.peers",
        description="Measure gradients and whole fits beside openTSNE and scikit-learn, in turns, "
        "with one P and one number of threads for all. Each part is printed and kept as JSON; "
        "parts that are not asked for stay as they were. Compare ratios, and run it on a quiet machine.",
    )
    images = _whole(_LEAST, _IMAGES)
    for option, text in (
        ("--sizes", "objects of the gradients"),
        ("--fits", "objects of whole fits of t-SNE"),
        ("--gaussian-fits", "objects of whole fits of SNE, symmetric SNE and UNI-SNE"),
    ):
        parser.add_argument(option, nargs="+", type=images, default=[], metavar="N", help=f"{text}; default: none")
    parser.add_argument("--rounds", type=_whole(1), default=5, metavar="N", help="turns of each; default: %(default)s")
    parser.add_argument("--threads", type=_whole(1), default=process.available(), metavar="N",
                        help="default: all cores the process may use, %(default)s here")  # fmt: skip
    parser.add_argument("--output", type=Path, default=RESULTS, metavar="FOLDER",
                        help="default: benchmarks/results")  # fmt: skip
    parser.add_argument("--quick", action="store_true",
                        help="few updates and no download, to see that it works")  # fmt: skip
    asked = parser.parse_args(arguments)
    asked.peers = theirs.installed()
    asked.objects = "clusters" if asked.quick else "mnist"
    # None: as many as each of the models with a Gaussian makes by itself.
    asked.updates, asked.gaussian_updates = (300, 300) if asked.quick else (750, None)
    return asked


def _whole(least, most=None):
    def number(text):
        if not (text.isascii() and text.isdigit() and least <= int(text) <= (most or int(text))):
            upper = f" and at most {most}" if most else ""
            raise argparse.ArgumentTypeError(f"must be a whole number of at least {least}{upper}, got {text!r}")
        return int(text)

    return number


def main(arguments=None):
    """Measure what is asked for; print and keep each part at once, so that it outlives an interrupt."""
    arguments = sys.argv[1:] if arguments is None else arguments
    asked, began = plan(arguments), time.monotonic()
    settings = {
        "command": shlex.join(["python", "-m", "benchmarks.peers", *arguments]),
        "rounds": asked.rounds, "threads": asked.threads, "perplexity": layouts.PERPLEXITY,
        "updates of a fit": asked.updates, "load before": load(),
    }  # fmt: skip

    def say(line):
        print(f"{time.monotonic() - began:5.0f} s  {line}", file=sys.stderr, flush=True)

    for peer in set(theirs.PEERS) - set(asked.peers):
        say(f'{peer} is not installed and not measured: pip install ".[bench]"')
    # The linear algebra under scikit-learn's exact sums is told of no number of threads but by this.
    with threadpool_limits(asked.threads, "blas"):
        for name, rows in _parts(asked, say):
            keep(name, settings, rows, asked.peers, asked.output)


def _parts(asked, say):
    """Yield (name of a part, its rows) one after the other."""
    student, gaussian = [], []
    for n_objects in sorted(asked.sizes):
        case = layouts.case(asked.objects, n_objects, asked.updates, asked.threads, say)
        say(f"{n_objects} objects: gradients of t-SNE")
        student += iterations.student_rows(case, asked.rounds, asked.threads, asked.peers)
        say(f"{n_objects} objects: gradients of the models with a Gaussian")
        gaussian += iterations.gaussian_rows(case, asked.rounds, asked.threads)
    if student:
        yield "peers_iterations", student
        yield "peers_gaussian", gaussian
    fitted = fits.rows(
        asked.objects, asked.fits, asked.gaussian_fits, asked.updates, asked.gaussian_updates, asked.threads,
        asked.peers, say,
    )  # fmt: skip
    if fitted:
        yield "peers_fits", fitted


if __name__ == "__main__":
    main()
