"""The command ``notebook-sne``: ``lab`` opens the tutorials, ``fetch`` gets data, ``page`` a page, ``warm`` compiles.

``bench`` measures, and has its own module, `notebook_sne.bench.command`.

``notebook-sne lab`` copies the tutorials to a folder of the reader's and never over what the reader has changed. It
remembers the checksum of every file that it wrote, in ``.notebook_sne.json`` beside them:

====================================== ==========================================================
a file in the reader's folder          what becomes of it
====================================== ==========================================================
is missing                             it is copied, also where the reader deleted it
is as it was copied                    it is replaced by the package's present version
has changed since, or was never ours   it is left alone; a version that the reader has not got
                                       yet is put beside it, once, as ``NAME.new.ipynb``
====================================== ==========================================================

JupyterLab writes outputs into a notebook that is run, so most files that were read have changed.
"""

import argparse
import hashlib
import importlib.util
import json
import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

import notebook_sne
from notebook_sne import files, jupyter
from notebook_sne.bench import BenchError, command
from notebook_sne.mathematics import cores
from notebook_sne.runs import background

__all__ = ["main", "copy_tutorials", "tutorials_folder"]

FOLDER = "notebook_sne_tutorials"
"""Where the tutorials go when no folder is named, under the present one."""
MANIFEST = ".notebook_sne.json"

_NUMBERED = re.compile(r"\d+-.*\.ipynb")


class CommandError(Exception):
    """What a command says instead of a traceback."""


def main(arguments=None):
    """Run the command line.

    Parameters
    ----------
    arguments : list of str, optional
        What stands after ``notebook-sne``; ``sys.argv`` by default.

    Returns
    -------
    code : int
        The exit code: 0, or 1 after an error, whose message is on stderr. Wrong usage raises SystemExit(2).
    """
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    # Split by hand: to argparse, what follows "--" could still be FOLDER.
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
            return _lab(asked.folder, asked.browser, asked.port, more)
        if asked.command == "page":
            return _page(asked.recording, asked.output, asked.frames, asked.title)
        if asked.command == "warm":
            return _warm()
        if asked.command == "bench":
            return command.run(asked)
        if not asked.list and not asked.names:
            parser.error("fetch needs the name of a data set; notebook-sne fetch --list shows them")
        return _fetch(asked.names, asked.list)
    except (CommandError, BenchError, OSError) as error:
        print(f"notebook-sne: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130  # what a shell reports after Ctrl-C


def _parser():
    parser = argparse.ArgumentParser(prog="notebook-sne", description="Stochastic neighbor embeddings in notebooks.")
    parser.add_argument("--version", action="version", version=f"notebook_sne {notebook_sne.__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    lab = commands.add_parser(
        "lab",
        help="copy the tutorials to a folder of yours and open JupyterLab on the first one",
        description="Copy the tutorials to FOLDER and open JupyterLab on the first one. What you have changed there "
        "is never overwritten; what you have deleted comes back.",
        epilog="What stands after -- goes to JupyterLab as it is: notebook-sne lab -- --ip=0.0.0.0",
    )
    lab.add_argument("folder", nargs="?", default=FOLDER, metavar="FOLDER", help="default: ./%(default)s")
    lab.add_argument("--no-browser", dest="browser", action="store_false", help="print the address, open no browser")
    lab.add_argument("--port", type=_port, metavar="N", help="port of the server; the next free one if it is taken")
    fetch = commands.add_parser(
        "fetch",
        help="download data sets once",
        description="Download data sets into the cache folder, unless they are there already or in the folder that "
        "the environment variable NOTEBOOK_SNE_DATA names, and print where they are.",
    )
    fetch.add_argument("names", nargs="*", metavar="NAME", help="a data set, as --list names it")
    fetch.add_argument("--list", action="store_true", help="list what can be fetched")
    page = commands.add_parser(
        "page",
        help="make one HTML file of a recorded run, which plays in any browser",
        description="Write the film of a recorded run as one HTML file. It plays in any browser, opened from disk, "
        "with no kernel and no network.",
    )
    page.add_argument("recording", metavar="RECORDING.npz", help="what run.recording.save(path) has written")
    page.add_argument("-o", "--output", metavar="FILE.html", help="default: beside the recording; - is stdout")
    page.add_argument("--frames", type=_frames, default=100, metavar="N", help="most frames; default: %(default)s")
    page.add_argument("--title", metavar="TEXT", help="heading of the page")
    commands.add_parser(
        "warm",
        help="compile everything now, so that nobody waits for it later",
        description="Run every model for a few updates, so that what is compiled at first use is on disk before "
        "somebody waits for it. For an image that will run on other processors, set NUMBA_CPU_NAME=generic here and "
        "whenever the image runs.",
    )
    command.add_parser(commands)
    return parser


def _port(text):
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 to 65535, got {text!r}")
    return int(text)


def _frames(text):
    if not (text.isascii() and text.isdigit() and int(text) >= 1):
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 1, got {text!r}")
    return int(text)


# lab


def _lab(folder, browser, port, more):
    folder = Path(folder).expanduser().resolve()
    source = tutorials_folder()
    first = _first_tutorial(source)
    for line in copy_tutorials(source, folder):
        print(line)
    if importlib.util.find_spec("jupyterlab") is None:
        raise CommandError(
            f"JupyterLab is not installed for {sys.executable}; install it with\n"
            f'  {shlex.quote(sys.executable)} -m pip install "notebook_sne[lab]"\n'
            "or open the folder with what you use for notebooks"
        )
    if _is_root() and "--allow-root" not in more:
        # In a container everybody is root. It still listens on this machine only, and asks for its token.
        print("You are root: JupyterLab is started with --allow-root")
        more = [*more, "--allow-root"]
    background.start()
    environment = {**os.environ, **jupyter.settings(), **cores.variables()}
    return _start(_lab_command(folder, first, browser, port, more), environment)


def _lab_command(folder, first, browser, port, more):
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder}"]
    # Not as a file to open: then the address that --no-browser prints would lead to the folder.
    command.append(f"--LabApp.default_url=/lab/tree/{first}")
    if not browser:
        command.append("--no-browser")
    if port is not None:
        command.append(f"--port={port}")
    return command + more


def _start(command, environment):
    """Run a command to its end and return its exit code."""
    sys.stdout.flush()
    if os.name == "posix":
        # In our place rather than below us: Ctrl-C, signals and the exit code are then JupyterLab's own.
        os.execve(command[0], command, environment)
    with subprocess.Popen(command, env=environment) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                continue  # JupyterLab got it as well, and may ask whether it is meant


def _is_root():
    return hasattr(os, "geteuid") and os.geteuid() == 0


def tutorials_folder():
    """Return where the package keeps its tutorials, a Path.

    Returns
    -------
    folder : Path
        Inside the package; or, in an editable installation, beside it in the repository.

    Raises
    ------
    CommandError
        If it is in neither place.
    """
    package = Path(notebook_sne.__file__).resolve().parent
    places = [package / "tutorials"]
    # Beside a package that is not in its repository, a folder of this name would be anybody's.
    if (package.parent / "pyproject.toml").is_file():
        places.append(package.parent / "tutorials")
    for place in places:
        if place.is_dir():
            return place
    raise CommandError(f"this installation has no tutorials in {places[0]}; install notebook_sne again")


def _first_tutorial(source):
    numbered = sorted(path.name for path in source.iterdir() if _NUMBERED.fullmatch(path.name))
    if not numbered:
        raise CommandError(f"there is no numbered notebook in {source}; install notebook_sne again")
    return numbered[0]


def copy_tutorials(source, folder):
    """Bring the tutorials in the reader's folder up to date, without touching what the reader changed.

    Parameters
    ----------
    source : Path
        The package's tutorials. Hidden files, and folders such as ``__pycache__``, stay there.
    folder : Path
        The reader's folder; made if need be.

    Returns
    -------
    report : list of str
        A line that says where the tutorials are and what was done, and one for each file that now has a newer version
        beside it.

    Raises
    ------
    OSError
        If the folder is a file, or cannot be read or written.
    """
    if folder.resolve() == source.resolve():
        return [f"The tutorials are the package's own, in {folder}"]
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(f"FOLDER must be a folder, got the file {folder}; name another one")
    folder.mkdir(parents=True, exist_ok=True)
    written = _read_manifest(folder / MANIFEST)
    counts = {"copied": 0, "updated": 0, "kept as you changed them": 0}
    beside = []
    for path in _files(source):
        key = path.relative_to(source).as_posix()
        content, place = path.read_bytes(), folder / key
        wanted = _checksum(content)
        if not os.path.lexists(place):
            _write(place, content)
            counts["copied"] += 1
        elif (present := _checksum(place.read_bytes())) == wanted:
            pass
        elif present == written.get(key) and place.stat().st_mode & 0o200:  # who made it read-only keeps it
            _write(place, content)
            counts["updated"] += 1
        else:
            counts["kept as you changed them"] += 1
            if wanted != written.get(key):
                new = _free_name(place)
                _write(new, content)
                beside.append(f"{key} has a newer version: yours is as it was, the new one is {new.name} beside it")
        # The version the reader was given last, be it in its place or beside it.
        written[key] = wanted
    _write(folder / MANIFEST, json.dumps(written, indent=1, sort_keys=True).encode())
    done = ", ".join(f"{n} {what}" for what, n in counts.items() if n) or "nothing to do"
    return [f"The tutorials are in {folder} ({done})", *beside]


def _files(source):
    """Return what is copied: every file, but for hidden ones and what Python leaves behind."""
    paths = sorted(path for path in source.rglob("*") if path.is_file())
    return [
        path
        for path in paths
        if not any(part.startswith(".") or part == "__pycache__" for part in path.relative_to(source).parts)
    ]


def _checksum(content):
    return hashlib.sha256(content).hexdigest()


def _read_manifest(file):
    """Return {file: checksum as written}; empty, so that every file counts as the reader's, if it cannot be read."""
    try:
        written = json.loads(file.read_bytes())
    except (FileNotFoundError, ValueError):
        return {}
    return written if isinstance(written, dict) else {}


def _write(place, content):
    place.parent.mkdir(parents=True, exist_ok=True)
    files.write(place, content)


def _free_name(place):
    """Return NAME.new.ipynb, or the first of NAME.new2.ipynb, ... that is not taken: these are the reader's as well."""
    number = 1
    while True:
        name = place.with_name(f"{place.stem}.new{number if number > 1 else ''}{place.suffix}")
        if not os.path.lexists(name):
            return name
        number += 1


# fetch


def _fetch(names, listed):
    from notebook_sne.datasets import FETCHERS

    unknown = [name for name in names if name not in FETCHERS]
    if unknown:
        raise CommandError(f"NAME must be one of {', '.join(FETCHERS)}, got {', '.join(unknown)}")
    if listed:
        for name, fetch in FETCHERS.items():
            # "Return the ...; downloads 10 MB once.", without its verb.
            says = (fetch.__doc__ or "").partition("\n")[0].removeprefix("Return ")
            print(f"{name:8} {says}".rstrip())
    failed = False
    for name in dict.fromkeys(names):
        try:
            data = FETCHERS[name](progress=True)
        except (OSError, ValueError) as error:  # no network, a full disk; a damaged file
            print(f"notebook-sne: {name}: {error}", file=sys.stderr)
            failed = True
            continue
        print(f"{name}: {data!r}")
        for file in _fetched_files(name):
            print(f"  {file}")
    return int(failed)


def _fetched_files(name):
    """Return where the files of a data set are."""
    from notebook_sne.datasets import downloads

    keys = [key for key in downloads.REMOTE_FILES if key.startswith(f"{name}/")]
    return [file for key in keys if (file := downloads.find(key)) is not None]


# page


def _page(recording, output, frames, title):
    from notebook_sne.runs.page import film_page
    from notebook_sne.runs.recording import Recording

    source = Path(recording).expanduser()
    place = source.with_suffix(".html") if output is None else Path(output).expanduser()
    to_stdout = output == "-" or files.is_stdout(place)
    try:
        if place.resolve() == source.resolve():
            raise CommandError(f"FILE.html must be another file than the recording, got {place}")
        if not to_stdout:
            place = files.check_place(place)
        page = film_page(Recording.load(source), frames=frames, title=title)
    except ValueError as error:  # not a recording, or too large for a page
        raise CommandError(str(error)) from None
    if to_stdout:
        sys.stdout.buffer.write(page)
        sys.stdout.flush()
    else:
        print(f"{files.write(place, page)} ({len(page) / 1e6:.1f} MB)")
    return 0


# warm


def _warm():
    from notebook_sne.runs.warm import warm

    start = time.monotonic()
    for name in warm():
        print(f"{name} ({time.monotonic() - start:.0f} s)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
