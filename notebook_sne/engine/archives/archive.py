"""An archive: named arrays in one .npz file, written one after the other and read with distrust.

`zipfile` and `numpy.lib.format` write and read it. They take much on trust in a file that anyone may have made. That is
checked here, before memory is spent on it: how long the list of members is, what they are called, how much they
declare, and that each is a plain array of numbers with exactly the bytes that its shape needs.
"""

import hashlib
import math
import re
import struct
import zipfile
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy

__all__ = ["TYPES", "Archive", "Damaged", "Entry", "declared", "expect", "write_arrays"]

TYPES = frozenset("|b1 |i1 |u1 <i2 <u2 <i4 <u4 <i8 <u8 <f2 <f4 <f8".split())
_NAME = re.compile(r"[a-z]+(_[a-z0-9]+)*\.npy")
_END = struct.Struct("<4s4H2LH")  # of a zip file: ..., length and begin of the list of members, length of a comment
_LOCATOR, _LARGER_THAN_4_GB = 20, b"PK\x06\x07"  # what lies before that end in the zip format's large variant
_MOST_MEMBERS, _LONGEST_ENTRY = 1000, 200  # in the list at the end, and the bytes of one
_MOST_BYTES = 2**31 - 1  # what a zip file holds without its large variant, which not every reader knows
_LONGEST_HEADER = 1024  # of one array: NumPy evaluates it as a literal
_MOST_AXES, _LONGEST_AXIS = 8, 10**12
_DIGEST = 16  # bytes, of the name and the whole content of a member
_SAMPLE = 1 << 18
_WORTH = 0.8  # a member is compressed if a sample of it shrinks to this share

Shape = tuple[Any, ...]
Entry = tuple[str, Any, Shape, Sequence[np.ndarray]]
"""An array as it is written: name, type, shape, and its entries along the first axis, or the whole of it alone."""


class Damaged(ValueError):
    """Why a file cannot be read. The way out is added where it is known what the file is for."""


def expect(condition: object, why: str) -> None:
    """Refuse a file where a condition does not hold, with the reason."""
    if not condition:
        raise Damaged(why)


# ---- writing ----


def write_arrays(file: IO[bytes], arrays: Iterable[Entry], kind: str, way_out: str, with_digests: bool = False) -> None:
    """Write arrays into an open binary file; errors name the kind of file, and the way out where it becomes too large.

    With digests, nothing is compressed, and a last member holds a digest of each. Raises a TypeError or a ValueError if
    an array does not hold plain numbers, or all of them are more than a file can hold.
    """
    total, by_name = 0, {}
    with zipfile.ZipFile(file, "w", compresslevel=1) as members:  # the other levels gain little on numbers
        for name, kind, shape, entries in arrays:
            dtype = np.dtype(kind).newbyteorder("<")
            if dtype.str not in TYPES:
                raise TypeError(f"{name} must hold plain numbers, got {dtype}; use a standard type such as float64")
            total += _LONGEST_HEADER + math.prod(shape) * dtype.itemsize
            if total > _MOST_BYTES or len(members.filelist) >= _MOST_MEMBERS:
                raise ValueError(
                    f"a {kind} must fit into a file of {_MOST_BYTES / 1e9:.1f} GB and {_MOST_MEMBERS} arrays, but "
                    f"{name} makes this one larger; {way_out}"
                )
            compressed = not with_digests and _shrinks(entries, dtype)
            members.compression = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
            with members.open(f"{name}.npy", "w") as stream:
                digested = _Digested(stream, name)
                npy.write_array_header_1_0(digested, {"descr": dtype.str, "fortran_order": False, "shape": shape})
                for entry in entries:
                    digested.write(_bytes(entry, dtype))
            by_name[name] = digested.digest.digest()
        if with_digests:
            digests = np.frombuffer(b"".join(by_name[name] for name in sorted(by_name)), dtype=np.uint8)
            with members.open("digests.npy", "w") as stream:
                npy.write_array(stream, digests.reshape(len(by_name), _DIGEST), version=(1, 0))


class _Digested:
    """A stream to write to, with a digest of its name and of what is written."""

    def __init__(self, stream: IO[bytes], name: str) -> None:
        self._stream, self.digest = stream, _digest_of(name)

    def write(self, data: bytes) -> int:
        self.digest.update(data)
        return self._stream.write(data)


def _digest_of(name: str) -> "hashlib.blake2b":
    return hashlib.blake2b(f"{name}\0".encode(), digest_size=_DIGEST)


def _bytes(array: np.ndarray, dtype: np.dtype) -> bytes:
    return np.ascontiguousarray(array, dtype=dtype).tobytes()


def _shrinks(arrays: Sequence[np.ndarray], dtype: np.dtype) -> bool:
    chosen = np.unique(np.linspace(0, len(arrays) - 1, 8).astype(int)) if len(arrays) else ()
    sample = b"".join(_bytes(np.ravel(arrays[k])[: _SAMPLE // (8 * dtype.itemsize)], dtype) for k in chosen)
    return len(zlib.compress(sample, 1)) < _WORTH * len(sample)


# ---- reading ----


class Archive:
    """The arrays in an open binary file that anyone may have made.

    The file is seekable. `limit` is the most bytes that all members together may declare; None where nothing is
    compressed, so that they cannot be more than the file has. `kind` says what the file is, for errors; `unread` are
    the names of arrays that have not been asked for.

    Here and from every method, a ValueError says what is wrong with the file. Of a `Damaged` one the way out is not
    told here.
    """

    def __init__(self, file: IO[bytes], limit: float | None, kind: str) -> None:
        self.kind = kind
        _check_end(file)
        with _damage_named("the list of its members"):
            self._zip = zipfile.ZipFile(file)
        self._members: dict[str, zipfile.ZipInfo] = {}
        self.unread: set[str] = set()
        for info in self._zip.infolist():
            name = info.orig_filename  # `filename` ends at the first zero byte
            expect(_NAME.fullmatch(name), f"a member has the strange name {name[:60]!r}")
            expect(name not in self._members, f"the member {name} is there twice")
            ways = (zipfile.ZIP_STORED,) if limit is None else (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
            known = info.compress_type in ways and not info.flag_bits & 1
            expect(known, f"the member {name} is encrypted, or compressed in an unknown way")
            expect(info.header_offset < self._zip.start_dir, f"the member {name} is not in the file")
            self._members[name] = info
            self.unread.add(name.removesuffix(".npy"))
        total = sum(info.file_size for info in self._members.values())
        expect(limit is not None or total <= self._zip.start_dir, "its members declare more bytes than it has")
        if limit is not None and total > limit:
            raise ValueError(
                f"it declares {total / 1e6:.3g} MB of contents, more than the limit of {limit / 1e6:.3g} MB; "
                "give a larger limit if you trust the file"
            )

    def check_digests(self) -> None:
        """Compare every member with its digest, in little memory; none may be missing, and none more be there."""
        names = sorted(name.removesuffix(".npy") for name in self._members if name != "digests.npy")
        for name, expected in zip(names, self.array("digests", ("|u1",), (len(names), _DIGEST)), strict=True):
            digest = _digest_of(name)
            with _damage_named(f"the member {name}.npy"), self._zip.open(self._members[f"{name}.npy"]) as stream:
                while data := stream.read(1 << 20):
                    digest.update(data)
            expect(digest.digest() == expected.tobytes(), f"the member {name}.npy is not what was written")

    def __contains__(self, name: str) -> bool:
        return f"{name}.npy" in self._members

    def size(self, name: str) -> int:
        """Return the bytes that a member declares."""
        expect(name in self, f"the member {name}.npy is missing")
        return self._members[f"{name}.npy"].file_size

    def array(self, name: str, kinds: Collection[str], shape: Shape) -> np.ndarray:
        """Return a whole array, read-only; its type must be one of `kinds`, its shape as given where that is not None.

        A shape may end in ``...`` for any number of axes more.
        """
        ((found, whole),) = self._pieces(name, kinds, shape, in_one=True)
        return whole.reshape(found)

    def entries(self, name: str, kinds: Collection[str], shape: Shape) -> Iterator[np.ndarray]:
        """Yield the entries of an array along its first axis, one after the other, each with memory of its own."""
        for found, entry in self._pieces(name, kinds, shape, in_one=False):
            yield entry.reshape(found[1:])

    def _pieces(
        self, name: str, kinds: Collection[str], shape: Shape, in_one: bool
    ) -> Iterator[tuple[Shape, np.ndarray]]:
        size = self.size(name)
        self.unread.discard(name)
        with _damage_named(f"the member {name}.npy"), self._zip.open(self._members[f"{name}.npy"]) as stream:
            dtype, found = declared(stream, f"the member {name}.npy")
            expect(dtype.str in kinds, f"the member {name}.npy holds {dtype}, which does not belong there")
            expect(_fits(found, shape), f"the member {name}.npy has shape {found}, which does not fit the others")
            n_bytes = math.prod(found) * dtype.itemsize
            expect(stream.tell() + n_bytes == size, f"the member {name}.npy has no room for its shape {found}")
            n = 1 if in_one else found[0]
            for _ in range(n):
                data = stream.read(n_bytes // n) if n_bytes else b""
                expect(len(data) == n_bytes // n, f"the member {name}.npy ends too early")
                yield found, np.frombuffer(data, dtype=dtype)
            expect(not stream.read(1), f"the member {name}.npy is longer than it says")  # here its checksum is compared


def _check_end(file: IO[bytes]) -> None:
    """Look at the last bytes before `zipfile` does, which would read a list of members of any length."""
    size = file.seek(0, 2)
    file.seek(max(0, size - _LOCATOR - _END.size))
    tail = file.read()
    whole = len(tail) >= _END.size and tail[-_END.size :].startswith(b"PK\x05\x06")
    expect(whole, "it is no .npz file, or it is cut short, or something was added at its end")
    *_, length, begin, comment = _END.unpack(tail[-_END.size :])
    ours = not comment and not tail.startswith(_LARGER_THAN_4_GB) and begin + length + _END.size == size
    ours = ours and length <= _MOST_MEMBERS * _LONGEST_ENTRY
    expect(ours, "the list of its members is damaged, far too long, or of a kind that is never written here")


def declared(stream: IO[bytes], what: str) -> tuple[np.dtype, Shape]:
    """Return the type and the shape at the beginning of an array in NumPy's own format."""
    try:
        expect(npy.read_magic(stream) == (1, 0), "")
        shape, fortran_order, dtype = npy.read_array_header_1_0(stream, max_header_size=_LONGEST_HEADER)
    except (OSError, zipfile.BadZipFile, zlib.error):
        raise
    except Exception:  # a text that anybody wrote makes NumPy raise many kinds: ValueError, IndexError, TokenError ...
        shape, fortran_order, dtype = (), True, np.dtype(object)
    plain = dtype.str in TYPES and not fortran_order
    expect(plain, f"{what} is no plain array of numbers, as all of them are written")
    readable = len(shape) <= _MOST_AXES and all(0 <= n < _LONGEST_AXIS for n in shape)
    expect(readable, f"{what} has a shape that cannot be read")
    return dtype, shape


def _fits(found: Shape, wanted: Shape) -> bool:
    if wanted[-1:] == (...,):
        wanted = (*wanted[:-1], *found[len(wanted) - 1 :])
    return len(found) == len(wanted) and all(w in (None, n) for n, w in zip(found, wanted, strict=True))


@contextmanager
def _damage_named(where: str) -> Iterator[None]:
    """Turn what `zipfile` and `zlib` say of a damaged file into one kind of error."""
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, struct.error, NotImplementedError, UnicodeError) as error:
        expect(False, f"{where} is damaged ({str(error) or type(error).__name__})")
