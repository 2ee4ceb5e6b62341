"""The package's own files: in its folder, or in a zip from which it is imported, as in a frozen program."""

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable

__all__ = ["PACKAGE", "files_in"]

PACKAGE: Traversable = files("notebook_sne")
"""The package's folder: a Path, or outside the file system something that is read in the same way."""


def files_in(folder: Traversable, below: str = "") -> Iterator[tuple[str, Traversable]]:
    """Yield the files in a folder of the package and in those inside, sorted, each with its name in it, such as a/b."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from files_in(entry, f"{below}{entry.name}/")
        else:
            yield f"{below}{entry.name}", entry
