"""An archive: arrays of numbers in one .npz file, written one after the other and read with distrust.

`zipfile` and `numpy.lib.format` write and read it, and so does ``numpy.load(allow_pickle=False)``. They take much on
trust in a file that anyone may have made. That is checked here, before memory is spent on it: how long the list of
members is, what they are called, how much they declare, and that each is a plain array with exactly the bytes that its
shape needs.
"""

import hashlib
import math
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO

import numpy as np
from numpy.lib import format as npy

__all__ = ["Archive", "Damaged", "expect", "write_arrays"]

TYPES = frozenset("|b1 |i1 |u1 <i2 <u2 <i4 <u4 <i8 <u8 <f2 <f4 <f8".split())
_NAME = re.compile(r"[a-z]+(_[0-9]+)?\.npy")
_END = struct.Struct("<4s4H2LH")  # of a zip file: ..., length and begin of the list of members, length of a comment
_LOCATOR, _LARGER_THAN_4_GB = 20, b"PK\x06\x07"  # what lies before that end in the zip format's large variant
_MOST_MEMBERS, _LONGEST_ENTRY = 1000, 200  # in the list at the end, and the bytes of one
_MOST_BYTES = 2**31 - 1  # what a zip file holds without its large variant, which not every reader knows
_LONGEST_HEADER = 1024  # of one array: NumPy evaluates it as a literal
_MOST_AXES, _LONGEST_AXIS = 8, 10**12
_SAMPLE = 1 << 18
_WORTH = 0.8  # a member is compressed if a sample of it shrinks to this share


class Damaged(ValueError):
    """Why a file can't be read. The way out is added where it is known what the file is for."""


def expect(condition: object, why: str) -> None:
    """Refuse a file where a condition doesn't hold, with the reason."""
    if not condition:
        raise Damaged(why)


def write_arrays(file: IO[bytes], members: Iterable[tuple[str, Sequence[np.ndarray]]], way_out: str) -> None:
    """Write members, each a name and arrays of one type and shape, which become one array, into an open binary file.

    A last member, ``digest``, is the SHA-256 of all others. Raises a TypeError if an array doesn't hold plain numbers,
    and a ValueError if all of them are more than a file can hold; `way_out` says what to do then.
    """
    total, digest = 0, hashlib.sha256()
    with zipfile.ZipFile(file, "w", compresslevel=1) as written:  # the other levels gain little on numbers
        for name, arrays in (*members, ("digest", [])):
            arrays = arrays or [np.frombuffer(digest.digest(), dtype=np.uint8)]
            dtype, shape = arrays[0].dtype.newbyteorder("<"), (len(arrays), *arrays[0].shape)
            if dtype.str not in TYPES:
                raise TypeError(f"arrays must hold plain numbers, got {dtype}; use a standard type such as float64")
            total += _LONGEST_HEADER + math.prod(shape) * dtype.itemsize
            if total > _MOST_BYTES or len(written.filelist) >= _MOST_MEMBERS:
                raise ValueError(
                    f"all must fit into a file of {_MOST_BYTES / 1e9:.1f} GB and {_MOST_MEMBERS} arrays, but "
                    f"{name} makes it larger; {way_out}"
                )
            written.compression = zipfile.ZIP_DEFLATED if _shrinks(arrays, dtype) else zipfile.ZIP_STORED
            with written.open(f"{name}.npy", "w") as stream:
                npy.write_array_header_1_0(stream, {"descr": dtype.str, "fortran_order": False, "shape": shape})
                digest.update(_named(name, dtype, shape))
                for array in arrays:
                    digest.update(data := _bytes(array, dtype))
                    stream.write(data)


def _named(name: str, dtype: np.dtype, shape: tuple[int, ...]) -> bytes:
    return f"{name} {dtype.str} {shape}\n".encode()


def _bytes(array: np.ndarray, dtype: np.dtype) -> bytes:
    return np.ascontiguousarray(array, dtype=dtype).tobytes()


def _shrinks(arrays: Sequence[np.ndarray], dtype: np.dtype) -> bool:
    chosen = np.unique(np.linspace(0, len(arrays) - 1, 8).astype(int))
    sample = b"".join(_bytes(np.ravel(arrays[k])[: _SAMPLE // (8 * dtype.itemsize)], dtype) for k in chosen)
    return len(zlib.compress(sample, 1)) < _WORTH * len(sample)


class Archive:
    """The arrays in an open binary file that anyone may have made.

    The file is seekable; `limit` is the most bytes that all members together may declare. Here and from every method, a
    ValueError says what is wrong with the file. Of a `Damaged` one the way out isn't told here.
    """

    def __init__(self, file: IO[bytes], limit: float) -> None:
        _check_end(file)
        with _damage_named("the list of its members"):
            self._zip = zipfile.ZipFile(file)
        self._members: dict[str, zipfile.ZipInfo] = {}
        self._digest = hashlib.sha256()
        for info in self._zip.infolist():
            name = info.orig_filename  # `filename` ends at the first zero byte
            expect(_NAME.fullmatch(name), f"a member has the strange name {name[:60]!r}")
            expect(name not in self._members, f"the member {name} is there twice")
            known = info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) and not info.flag_bits & 1
            expect(known, f"the member {name} is encrypted, or compressed in an unknown way")
            expect(info.header_offset < self._zip.start_dir, f"the member {name} is not in the file")
            self._members[name] = info
        total = sum(info.file_size for info in self._members.values())
        if total > limit:
            raise ValueError(
                f"it declares {total / 1e6:.3g} MB of contents, more than the limit of {limit / 1e6:.3g} MB; "
                "give a larger limit if you trust the file"
            )

    def size(self, name: str) -> int:
        """Return the bytes that a member declares."""
        expect(f"{name}.npy" in self._members, f"the member {name}.npy is missing")
        return self._members[f"{name}.npy"].file_size

    def entries(self, name: str, n: int) -> list[np.ndarray]:
        """Return the n entries of an array along its first axis, read-only, each with memory of its own."""
        size, found = self.size(name), []
        with _damage_named(f"the member {name}.npy"), self._zip.open(self._members[f"{name}.npy"]) as stream:
            dtype, shape = _declared(stream, f"the member {name}.npy")
            expect(shape[:1] == (n,), f"the member {name}.npy has shape {shape}, not {n} entries")
            n_bytes = math.prod(shape[1:]) * dtype.itemsize
            expect(stream.tell() + n * n_bytes == size, f"the member {name}.npy has no room for its shape {shape}")
            self._digest.update(_named(name, dtype, shape))
            for _ in range(n):
                self._digest.update(data := stream.read(n_bytes))
                expect(len(data) == n_bytes, f"the member {name}.npy ends too early")
                found.append(np.frombuffer(data, dtype=dtype).reshape(shape[1:]))
            expect(not stream.read(1), f"the member {name}.npy is longer than it says")  # here its checksum is compared
        return found

    def check_digest(self) -> None:
        """Refuse the file where what was read, which is all of it in its order, isn't what was written."""
        digest = self._digest.digest()
        expect(self.entries("digest", 1)[0].tobytes() == digest, "it is not as it was written")


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


def _declared(stream: IO[bytes], what: str) -> tuple[np.dtype, tuple[int, ...]]:
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


@contextmanager
def _damage_named(where: str) -> Iterator[None]:
    """Turn what `zipfile` and `zlib` say of a damaged file into one kind of error."""
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, struct.error, NotImplementedError, UnicodeError) as error:
        expect(False, f"{where} is damaged ({str(error) or type(error).__name__})")
