"""The command ``notebook-sne``.

``lab`` opens the tutorials, ``course`` writes them as pages, ``class`` asks their questions of a room of phones,
``fetch`` gets data, ``page`` makes a page of a run, ``warm`` compiles. Each command is a module of this folder.
"""

import argparse
import shlex
import sys
import time

import notebook_sne
from notebook_sne.cli.class_ import hold_class
from notebook_sne.cli.course import course
from notebook_sne.cli.errors import CommandError
from notebook_sne.cli.fetch import fetch
from notebook_sne.cli.lab import lab
from notebook_sne.cli.page import page
from notebook_sne.cli.tutorials import FOLDER

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit code: 0, or 1 after an error, whose message is on stderr.

    The arguments are those after ``notebook-sne``, by default of ``sys.argv``. Wrong usage raises SystemExit(2).
    """
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    # Split here: argparse could take what follows "--" for FOLDER.
    more = []
    if "--" in arguments:
        cut = arguments.index("--")
        arguments, more = arguments[:cut], arguments[cut + 1 :]
    parser = _parser()
    asked = parser.parse_args(arguments)
    if more and asked.command != "lab":
        parser.error(f"only lab takes arguments after --, got {shlex.join(more)}")
    try:
        if asked.command == "lab":
            return lab(asked.folder, asked.browser, asked.port, more, asked.answers)
        if asked.command == "page":
            if asked.p_only and asked.live is None:
                parser.error("--p-only needs --live OBJECTS.npy")
            how = {"live": asked.live, "p_only": asked.p_only, "explorer": asked.explorer}
            return page(asked.recording, asked.output, asked.frames, asked.title, **how)
        if asked.command == "course":
            folder = asked.html or asked.folder
            if folder is None:
                parser.error("course needs FOLDER, where the files go")
            if asked.html and asked.folder:
                parser.error(f"course writes into one folder, got {asked.html} and {asked.folder}")
            others = [kind for kind, wanted in (("slides", asked.slides), ("handout", asked.handout)) if wanted]
            kinds = others if others and asked.html is None else ["page", *others]
            return course(folder, asked.lecture or (), kinds=kinds, pdf=asked.pdf, answers=asked.answers)
        if asked.command == "class":
            how = {"lan": asked.lan, "port": asked.port, "file": asked.file, "pages": asked.pages}
            return hold_class(asked.lecture, **how, keep_votes=asked.keep_votes, open_screen=asked.browser)
        if asked.command == "warm":
            return _warm()
        if not asked.list and not asked.names:
            parser.error("fetch needs the name of a data set; notebook-sne fetch --list shows them")
        return fetch(asked.names, asked.list)
    except (CommandError, OSError) as error:
        print(f"notebook-sne: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130  # what a shell reports after Ctrl-C


def _parser():
    parser = argparse.ArgumentParser(prog="notebook-sne", description="Stochastic neighbor embeddings in notebooks.")
    parser.add_argument("--version", action="version", version=f"notebook_sne {notebook_sne.__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    add = commands.add_parser(
        "lab",
        help="copy the tutorials to a folder of yours and open JupyterLab on the first one",
        description="Copy the tutorials to FOLDER and open JupyterLab on the first one. What you have changed there "
        "is never overwritten; what you have deleted comes back. The answers to the exercises are copied on request.",
        epilog="Arguments after -- go to JupyterLab unchanged: notebook-sne lab -- --ip=0.0.0.0",
    ).add_argument
    add("folder", nargs="?", default=FOLDER, metavar="FOLDER", help="default: ./%(default)s")
    add("--no-browser", dest="browser", action="store_false", help="print the address, open no browser")
    add("--port", type=_port, metavar="N", help="port of the server; the next free one if it is taken")
    add("--answers", action="store_true", help="copy the answers to the exercises, too")
    add = commands.add_parser(
        "fetch",
        help="download data sets once",
        description="Download data sets into the cache folder, unless they are there already or in the folder that "
        "the environment variable NOTEBOOK_SNE_DATA names, and print where they are.",
    ).add_argument
    add("names", nargs="*", metavar="NAME", help="a data set, as --list names it")
    add("--list", action="store_true", help="list what can be fetched")
    add = commands.add_parser(
        "page",
        help="make one HTML file of a recorded run, which plays in any browser",
        description="Write the film of a recorded run as one HTML file. It plays in any browser, opened from disk, "
        "with no kernel and no network.",
    ).add_argument
    add("recording", metavar="RECORDING.npz", help="what run.recording.save(path) has written")
    add("-o", "--output", metavar="FILE.html", help="default: beside the recording; - is stdout")
    add("--frames", type=_frames, default=100, metavar="N", help="most frames; default: %(default)s")
    add("--title", metavar="TEXT", help="heading of the page")
    add(
        "--live",
        metavar="OBJECTS.npy",
        help="let the run go on in the page, which computes by itself and so holds these data: X as the models took "
        "it, written by numpy.save, or by scipy.sparse.save_npz",
    )
    add("--explorer", action="store_true", help="an explorer of the words, with all their maps")
    add("--p-only", action="store_true", help="with --live: hold P alone, and not the objects")
    add = commands.add_parser(
        "course",
        help="write the lectures as pages, slides and handouts that open without Python",
        description="Run the lectures and write them as HTML files. Pages have prose, equations, figures, and maps "
        "that compute in the page; slides have a few words of that, and notes for the lecturer; a handout is two "
        "sheets of paper. All open from disk and load nothing. It takes some minutes a lecture.",
    ).add_argument
    add("folder", nargs="?", metavar="FOLDER", help="where the files go")
    add("--html", nargs="?", const="", metavar="FOLDER", help="write pages, as without --slides and --handout")
    add("--slides", action="store_true", help="write slides, NAME-slides.html")
    add("--handout", action="store_true", help="write handouts, NAME-handout.html")
    add("--lecture", type=_lecture, action="append", metavar="N", help="this lecture alone; may be given several times")
    add("--pdf", action="store_true", help="print each file, too, with the Chromium, Chrome or Edge that is installed")
    add("--answers", action="store_true", help="write the answers to the exercises, too")
    add = commands.add_parser(
        "class",
        help="ask the questions of a lecture of a class, which answers on its phones",
        description="Serve the questions of a lecture to phones, and show what they answer on a page for the "
        "projector. No account, no name, nothing from elsewhere; the class ends with the program.",
    ).add_argument
    add("lecture", nargs="?", type=_lecture, default=1, metavar="LECTURE", help="number; default: %(default)s")
    add("--lan", action="store_true", help="let phones of this network in, and not only this machine")
    add("--port", type=_port, metavar="N", help="default: the first that is free from 8765 on")
    add("--file", metavar="FILE.json", help="keep what is counted; a class that did not end goes on from its file")
    add("--pages", metavar="FOLDER", help="pages of the course, as notebook-sne course wrote them, for all to open")
    add("--keep-votes", action="store_true", help="keep also which phone, by its number, has said what")
    add("--no-browser", dest="browser", action="store_false", help="print the address of the screen, open no browser")
    commands.add_parser(
        "warm",
        help="compile everything now, so that no cell waits for it later",
        description="Run every model for a few updates, so that what is compiled at first use is on disk before "
        "a cell needs it. For an image that will run on other processors, set NUMBA_CPU_NAME=generic here and "
        "whenever the image runs.",
    )
    return parser


def _port(text):
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 to 65535, got {text!r}")
    return int(text)


def _frames(text):
    if not (text.isascii() and text.isdigit() and int(text) >= 1):
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 1, got {text!r}")
    return int(text)


def _lecture(text):
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"must be the number of a lecture, got {text!r}")
    return int(text)


def _warm():
    from notebook_sne.cli.warm import warm

    start = time.monotonic()
    for name in warm():
        print(f"{name} ({time.monotonic() - start:.0f} s)", flush=True)
    return 0
