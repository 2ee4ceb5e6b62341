"""The package's own files: in its folder, or in a zip from which it is imported, as in a frozen program."""

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

__all__ = ["PACKAGE", "content_of", "files_in"]

PACKAGE: Traversable = files("notebook_sne")
"""The package's folder: a Path, or outside the file system something that is read in the same way."""


def files_in(folder: Traversable, below: str = "") -> Iterator[tuple[str, Traversable]]:
    """Yield the files in a folder of the package and in those inside, sorted, each with its name in it, such as a/b."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from files_in(entry, f"{below}{entry.name}/")
        else:
            yield f"{below}{entry.name}", entry


def content_of(path: Path) -> bytes | None:
    """Return what a file holds, by its path, which may lead into a zip with the package; None where there is none."""
    own = Path(__file__).parents[2]
    place: Traversable = PACKAGE.joinpath(*path.relative_to(own).parts) if path.is_relative_to(own) else path
    return place.read_bytes() if place.is_file() else None
