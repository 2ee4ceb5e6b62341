"""Copying the tutorials to the reader's folder, and never over what the reader has changed.

``notebook-sne lab`` remembers the checksum of every file that it wrote, in ``.notebook_sne.json`` beside them:

====================================== ==========================================================
a file in the reader's folder          what becomes of it
====================================== ==========================================================
is missing                             it is copied, also where the reader deleted it
is as it was copied                    it is replaced by the package's present version
has changed since, or is another file  it isn't changed; a version that the reader doesn't have
                                       yet is put beside it, once, as ``NAME.new.ipynb``
====================================== ==========================================================

Answers to the exercises stay in the package unless they are asked for: a file of `ANSWERS` that is missing isn't
copied then. One that is there is treated as any other.

JupyterLab writes outputs into a notebook that is run, so most files that were read have changed.
"""

import hashlib
import json
import os
import re
from pathlib import Path

from notebook_sne.cli.errors import CommandError
from notebook_sne.course.order import files_of
from notebook_sne.engine.machine import files
from notebook_sne.engine.machine.package import PACKAGE

__all__ = ["ANSWERS", "FOLDER", "MANIFEST", "copy_tutorials", "first_tutorial", "tutorials_folder"]

FOLDER = "notebook_sne_tutorials"
"""Where the tutorials go when no folder is named, in the current one."""
MANIFEST = ".notebook_sne.json"
ANSWERS = "solutions"
"""The folder of the answers to the exercises, among the tutorials."""

_NUMBERED = re.compile(r"\d+-.*\.ipynb")


def tutorials_folder() -> Path:
    """Return where the package keeps its tutorials, a Path; CommandError if it is nowhere.

    It is inside the package; or, in an editable installation, beside it in the repository.
    """
    if not isinstance(PACKAGE, Path):
        raise CommandError(f"the tutorials cannot be read out of {PACKAGE}; install notebook_sne in a folder")
    places = [PACKAGE / "tutorials"]
    # Beside a package outside its repository, a folder of this name may be anything.
    if (PACKAGE.parent / "pyproject.toml").is_file():
        places.append(PACKAGE.parent / "tutorials")
    for place in places:
        if place.is_dir():
            return place
    raise CommandError(f"this installation has no tutorials in {places[0]}; install notebook_sne again")


def first_tutorial(source):
    """Return the name of the first numbered notebook in a folder."""
    numbered = sorted(path.name for path in source.iterdir() if _NUMBERED.fullmatch(path.name))
    if not numbered:
        raise CommandError(f"there is no numbered notebook in {source}; install notebook_sne again")
    return numbered[0]


def copy_tutorials(source: Path, folder: Path, answers: bool = False) -> list[str]:
    """Bring the tutorials in the reader's folder up to date, without touching what the reader changed.

    `source` is the package's tutorials; answers that are missing are copied only with `answers`. Hidden files, and
    folders such as ``__pycache__``, stay there. The reader's folder is made if it isn't
    there; OSError if it is a file, or can't be read or written.

    Return a line that says where the tutorials are and what was done, and one for each file that now has a newer
    version beside it.
    """
    if folder.resolve() == source.resolve():
        return [f"The tutorials are the package's own, in {folder}"]
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(f"FOLDER must be a folder, got the file {folder}; name another one")
    folder.mkdir(parents=True, exist_ok=True)
    written = _read_manifest(folder / MANIFEST)
    counts = {"copied": 0, "updated": 0, "kept as you changed them": 0}
    beside = []
    for key, path in files_of(source).items():
        content, place = path.read_bytes(), folder / key
        if not answers and key.startswith(f"{ANSWERS}/") and not os.path.lexists(place):
            continue
        wanted = _checksum(content)
        if not os.path.lexists(place):
            _write(place, content)
            counts["copied"] += 1
        elif (present := _checksum(place.read_bytes())) == wanted:
            pass
        elif present == written.get(key) and place.stat().st_mode & 0o200:  # a file made read-only is kept
            _write(place, content)
            counts["updated"] += 1
        else:
            counts["kept as you changed them"] += 1
            if wanted != written.get(key):
                new = _free_name(place)
                _write(new, content)
                beside.append(f"{key} has a newer version: yours is unchanged, the new one is {new.name} beside it")
        # The version that was written last, in its place or beside it.
        written[key] = wanted
    _write(folder / MANIFEST, json.dumps(written, indent=1, sort_keys=True).encode())
    done = ", ".join(f"{n} {what}" for what, n in counts.items() if n) or "nothing to do"
    return [f"The tutorials are in {folder} ({done})", *beside]


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
