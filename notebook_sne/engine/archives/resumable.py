"""Files of calls that take long: what is done stands there, and the same call goes on from it.

Such a file is written whole after each step. It has a header of JSON, which names the kind of file, its version and
its call; arrays; and a digest of each part. All of them are compared before anything is used.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from notebook_sne.engine.archives.archive import Archive, Entry, expect, write_arrays
from notebook_sne.engine.archives.header import read_header, written_header
from notebook_sne.engine.machine import files

__all__ = ["Form", "OtherCall", "check_same", "reading", "write"]


class Form(NamedTuple):
    """A kind of file."""

    name: str  # in the header
    kind: str  # in errors
    writer: str  # the function that writes it
    version: int
    smaller: str  # the way out where a file becomes too large
    way_out: str  # where a file cannot be gone on from


class OtherCall(ValueError):
    """A file is of another call; the message says how."""


def write(place: Path, form: Form, header: Mapping[str, Any], arrays: Iterable[Entry] = ()) -> None:
    """Write a file whole, or leave what was there; the header must be ready for JSON."""
    whole = {"format": f"notebook_sne {form.name}", "version": form.version, **header}
    entries = [written_header(whole, form.smaller), *arrays]
    with files.write_whole(place) as file:
        write_arrays(file, entries, form.kind, form.smaller, with_digests=True)


@contextmanager
def reading(place: Path, form: Form) -> Iterator[tuple[dict[str, Any], Archive]]:
    """Open a file, and give its header and its arrays, which must all be readable.

    Raises a ValueError if it is damaged or something else, or the block says so: by `expect`, or by `OtherCall`.
    """
    try:
        expect(place.is_file(), "it is a device or a pipe")  # before it is opened: a pipe would wait
        with open(place, "rb") as file:
            _check_age(file.read(4096), form)
            archive = Archive(file, None, form.kind)
            header, _ = read_header(archive)
            ours = isinstance(header, dict) and header.get("format") == f"notebook_sne {form.name}"
            expect(ours, f"it is no {form.kind}")
            if (version := header.get("version")) != form.version:
                raise OtherCall(f"is of version {version!r:.20} of the format, and this is {form.version}")
            archive.check_digests()
            yield header, archive
            expect(not archive.unread, f"{' '.join(sorted(archive.unread))[:60]} does not belong there")
    except OtherCall as error:
        raise ValueError(f"path must be a new file or one of this call, but {place} {error}; {form.way_out}") from None
    except ValueError as error:
        raise ValueError(
            f"path must be a new file, or one that {form.writer} has written, but {place} is neither ({error}); "
            f"{form.way_out}"
        ) from None


def check_same(there: Mapping[str, Any], here: Mapping[str, Any]) -> None:
    """Refuse a file whose header says other things of its call than these."""
    other = [name for name, value in here.items() if there.get(name) != value]
    if other:
        raise OtherCall(f"is of other {', '.join(other)}")


def _check_age(begin: bytes, form: Form) -> None:
    """Refuse a file of version 1 by that name: JSON alone, or arrays of which one is a text of NumPy's."""
    name = f"notebook_sne {form.name}"
    if begin.startswith(f'{{"format": "{name}"'.encode()) or name.encode("utf-32-le") in begin:
        raise OtherCall(f"is of an older version of the format, and this is {form.version}")
