"""Look at what is to be published: one wheel and one sdist, with all that belongs into them and nothing else.

    python -m build && python tools/check_distributions.py dist --tag v0.1.0

Ends with a line for each fault, or with the size of both.
"""

import argparse
import re
import sys
import tarfile
import zipfile
from email import message_from_bytes
from pathlib import Path

_NEEDED = (
    "py.typed",
    "browser/frontend/player/player.js",
    "engine/portable/kernels.wasm",
    "engine/portable/placing.wasm",
    "tutorials/01-why-is-a-linear-map-not-enough.ipynb",
    "tutorials/solutions/",
    "tutorials/tasks/exam-reading-maps.ipynb",
    "datasets/bundled/",
)
_NEEDED_IN_SDIST = (
    "LICENSE", "LICENSE-CC-BY-4.0", "README.md", "CHANGELOG.md", "CITATION.cff", "pyproject.toml", "tests/conftest.py",
)  # fmt: skip
_JUNK = re.compile(
    r"(^|/)(__pycache__|\.ipynb_checkpoints|node_modules|\.[a-z]+_cache|\.coverage|\.git|\.venv|dist|build)(/|$)"
    r"|\.(pyc|pyo|nbi|nbc|orig|rej|log)$|~$"
)
_LARGEST = 10e6  # bytes


def read(path):
    """Return the names in an archive, and its metadata; those of an sdist without its folder."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            about = archive.read(next(name for name in names if name.endswith(".dist-info/METADATA")))
        return names, message_from_bytes(about)
    with tarfile.open(path) as archive:
        names = [member.name.partition("/")[2] for member in archive if member.isfile()]
        top = archive.getnames()[0].partition("/")[0]
        return names, message_from_bytes(archive.extractfile(f"{top}/PKG-INFO").read())


def faults(path, tag=None):
    """Return what is wrong with one distribution, a line each."""
    names, about = read(path)
    wheel = path.suffix == ".whl"
    found = [f"{name} does not belong there" for name in names if _JUNK.search(name)]
    if wheel:
        tops = sorted({name.partition("/")[0] for name in names})
        found += [f"{top} does not belong there" for top in tops if not re.match(r"notebook_sne($|-.*dist-info$)", top)]
        wanted = [f"notebook_sne/{part}" for part in _NEEDED]
    else:
        wanted = [*_NEEDED_IN_SDIST, *(part if part[:9] == "tutorials" else f"notebook_sne/{part}" for part in _NEEDED)]
    found += [f"{part} is missing" for part in wanted if not any(name.startswith(part) for name in names)]
    if tag is not None and tag != f"v{about['Version']}":
        found.append(f"the tag is {tag}, the version {about['Version']}")
    text = about.get_payload()
    relative = [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if not link.startswith(("https://", "#"))]
    found += [f"the description links to {link}, which leads nowhere outside the repository" for link in relative]
    if "# notebook_sne" not in text:
        found.append("the description is not the README")
    if path.stat().st_size > _LARGEST:
        found.append(f"it has {path.stat().st_size / 1e6:.1f} MB, more than {_LARGEST / 1e6:.0f}")
    return [f"{path.name}: {fault}" for fault in found]


def main(arguments=None):
    """Read the command line; return how many faults there are."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tag", help="that the version is to agree with, such as v0.1.0")
    given = parser.parse_args(arguments)
    paths = sorted([*given.folder.glob("*.whl"), *given.folder.glob("*.tar.gz")])
    found = [fault for path in paths for fault in faults(path, given.tag)]
    if sorted(path.suffix for path in paths) != [".gz", ".whl"]:
        found.append(f"{given.folder}: one wheel and one sdist are wanted, there are {len(paths)} files")
    for fault in found:
        print(fault, file=sys.stderr)
    if not found:
        print(", ".join(f"{path.name} {path.stat().st_size / 1e6:.1f} MB" for path in paths))
    return len(found)


if __name__ == "__main__":
    sys.exit(min(main(), 1))
