"""The bytes in a file of a user that may be packed: plain, a .gz, or one of the files in a .zip.

A file is judged by its first bytes and not by its name, as some servers and browsers unpack what they send and keep its
name. It is untrusted: no more is unpacked than a table of words may hold, nothing is written to disk or executed.
"""

from __future__ import annotations

import gzip
import io
import lzma
import zipfile
import zlib

from notebook_sne.engine.checks.numbers import show

__all__ = ["read_packed"]

_MOST_BYTES = 1_000_000_000  # five times the largest norms that are distributed
_PACKED = {b"PK\x03\x04": "zip", b"PK\x05\x06": "zip", b"\x1f\x8b": "gz"}
_OTHER = {
    **{b"BZh%d1AY&SY" % level: "bz2" for level in range(1, 10)},
    b"\xfd7zXZ\0": "xz",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"\x28\xb5\x2f\xfd": "zst",
    b"Rar!\x1a\x07": "rar",
}
_TABLES = (".csv", ".tsv", ".txt", ".tab", ".dat")


def read_packed(file, member: str | None = None, *, at_most: int = _MOST_BYTES) -> tuple[bytes, str]:
    """Return what a file holds, and what to call it in an error message, such as "the file norms.zip (norms.csv)".

    `member` is which file of a zip to read, by its name there, with or without its folder. Left out, the only one; or,
    beside files of other kinds, the only one with the name of a table. `at_most` is how many bytes it may unpack to; a
    plain file may have any number. A TypeError or ValueError says that the file cannot be unpacked, holds more, or does
    not hold the one file that is asked for; OSError, that it cannot be opened.
    """
    content, called = file.read_bytes(), f"the file {file}"
    if member is not None and not isinstance(member, str):
        raise TypeError(f"member must be the name of a file in a zip, as text, got {show(member)}")
    kind = _kind(content, _PACKED)
    if member is not None and kind != "zip":
        raise ValueError(f"member must be None for {called}, which is not a zip, got {show(member)}; leave it out")
    if kind == "gz":
        content = _unpack(called, lambda: gzip.GzipFile(fileobj=io.BytesIO(content)), at_most)
    elif kind == "zip":
        content, called = _from_zip(content, called, member, at_most)
    packing = _kind(content, {**_PACKED, **_OTHER})
    if content[257:262] == b"ustar" and b"\0" in content[:257]:
        packing = "tar"
    if packing is not None:
        raise ValueError(
            f"{called} must hold text, but holds another packed file ({packing}); unpack it, and give the table"
            if kind
            else f"{called} must be text, a .gz or a .zip, but is packed otherwise ({packing}); unpack it"
        )
    return content, called


def _kind(content, starts):
    return next((kind for start, kind in starts.items() if content.startswith(start)), None)


def _unpack(called, opened, at_most):
    """Return the bytes of what ``opened()`` opens, at most so many."""
    try:
        with opened() as packed:
            content = packed.read(at_most + 1)
    # RuntimeError: encrypted; NotImplementedError, which is one: packed by a method that zipfile does not know.
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError, OSError) as error:
        raise ValueError(f"{called} cannot be unpacked ({error}); get it again, or unpack it by other means") from error
    _check_size(called, len(content), at_most)
    return content


def _check_size(called, size, at_most):
    if size > at_most:
        raise ValueError(
            f"{called} unpacks to more than {at_most} bytes, the most that is unpacked here; if you trust it, unpack "
            "it by other means, and give the path of the table"
        )


def _from_zip(content, called, member, at_most):
    """Return the bytes of one file of a zip, and what to call it."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError) as error:
        raise ValueError(f"{called} is a zip that cannot be unpacked ({error}); get it again") from error
    with archive:
        names = [info.filename for info in archive.infolist() if not info.is_dir() and not _is_hidden(info.filename)]
        if "[Content_Types].xml" in names:
            raise ValueError(f"{called} must hold text, but is a workbook, such as one of Excel; save its sheet as CSV")
        name = _chosen(names, member, called)
        info = archive.getinfo(name)
        called = f"{called} ({name})"
        _check_size(called, info.file_size, at_most)  # what it says of itself; what it holds is counted below
        return _unpack(called, lambda: archive.open(info), at_most), called


def _is_hidden(name):
    """Return whether a file is not meant for readers, such as those that macOS adds."""
    return name.startswith("__MACOSX/") or name.rpartition("/")[2].startswith(".")


def _chosen(names, member, called):
    if member is not None:
        found = [name for name in names if name == member] or [n for n in names if n.rpartition("/")[2] == member]
        if len(found) == 1:
            return found[0]
        rule = f"must name one file of {called}, got {show(member)}"
    else:
        found = names if len(names) == 1 else [name for name in names if name.lower().endswith(_TABLES)]
        if len(found) == 1:
            return found[0]
        rule = f"must be given for {called}"
    shown = ", ".join(show(name) for name in names[:10]) + (", ..." if len(names) > 10 else "")
    raise ValueError(f"member {rule}; the files in it are {shown or 'none'}")
