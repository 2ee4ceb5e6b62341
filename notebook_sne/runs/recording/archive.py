"""An archive: named arrays in one .npz file, written in a stream and read with distrust.

The file is what `numpy.load` reads. Ours is read by the functions here, which look at every declared size before they
spend memory on it, know a dozen plain types of numbers and never evaluate or unpickle anything.
"""

import errno
import math
import re
import struct
import zipfile
import zlib
from contextlib import contextmanager

import numpy as np

__all__ = ["TYPES", "Reader", "Writer"]

TYPES = frozenset("|b1 |i1 |u1 <i2 <u2 <i4 <u4 <i8 <u8 <f2 <f4 <f8".split())
_MAGIC = b"\x93NUMPY\x01\x00"
_HEADER = re.compile(rb"\{'descr': '([<|][a-z][0-9])', 'fortran_order': False, 'shape': \(([0-9, ]*)\), \} *\n")
_NAME = re.compile(r"[a-z]+(_[a-z0-9]+)*\.npy")
_END = struct.Struct("<4s4H2LH")
_LARGER_THAN_4_GB = b"PK\x06\x07"
_MOST_MEMBERS = 1000
_MOST_BYTES = 2**31 - 1  # what a zip file holds without its large variant, which not every reader knows
_SAMPLE = 1 << 18
_WORTH = 0.8  # a member is compressed if a sample of it shrinks to this share
_MENDING = "write the file again with save, or get another copy of it"


class Writer:
    """Writes arrays into an open binary file; use it in a ``with`` block."""

    def __init__(self, file):
        # The quickest level: the others gain little on numbers.
        self._zip = zipfile.ZipFile(file, "w", compresslevel=1)
        self._total = 0

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self._zip.close()

    def array(self, name, array):
        """Write one array."""
        self.stack(name, array.dtype, array.shape, [array])

    def stack(self, name, dtype, shape, arrays):
        """Write arrays whose entries, one after the other, fill an array of this type and shape."""
        dtype = np.dtype(dtype).newbyteorder("<")
        if dtype.str not in TYPES:
            raise TypeError(f"{name} must hold plain numbers, got {dtype}; use a standard type such as float64")
        shape = tuple(int(n) for n in shape)
        text = f"{{'descr': '{dtype.str}', 'fortran_order': False, 'shape': {shape!r}, }}"
        # The numbers begin at a multiple of 64 bytes, as NumPy likes it.
        text += " " * (-(len(_MAGIC) + 2 + len(text) + 1) % 64) + "\n"
        head = _MAGIC + len(text).to_bytes(2, "little") + text.encode("ascii")
        size = len(head) + math.prod(shape) * dtype.itemsize
        self._total += size
        if self._total > _MOST_BYTES or len(self._zip.filelist) >= _MOST_MEMBERS:
            raise ValueError(
                f"a recording must fit into a file of {_MOST_BYTES / 1e9:.1f} GB, but {name} makes this one larger; "
                "record with a lower limit, or describe the objects with smaller images"
            )
        self._zip.compression = zipfile.ZIP_DEFLATED if _shrinks(arrays, dtype) else zipfile.ZIP_STORED
        with self._zip.open(f"{name}.npy", "w") as stream:
            stream.write(head)
            for array in arrays:
                stream.write(_bytes(array, dtype))


def _bytes(array, dtype):
    return np.ascontiguousarray(array, dtype=dtype).tobytes()


def _shrinks(arrays, dtype):
    sample, size = [], 0
    for k in np.unique(np.linspace(0, len(arrays) - 1, 8).astype(int)) if len(arrays) else ():
        piece = _bytes(np.ravel(arrays[k])[: _SAMPLE // (8 * dtype.itemsize)], dtype)
        sample.append(piece)
        size += len(piece)
    return size > 0 and len(zlib.compress(b"".join(sample), 1)) < _WORTH * size


class Reader:
    """Reads arrays from an open binary file that anybody may have made.

    Parameters
    ----------
    file : binary file, seekable
    limit : float
        Most bytes that all members together may declare.

    Raises
    ------
    ValueError
        Here and from every method: what is wrong with the file, and the way out.
    """

    def __init__(self, file, limit):
        _check_end(file)
        with _translated("the list of its members"):
            self._zip = zipfile.ZipFile(file)
        self._members: dict[str, zipfile.ZipInfo] = {}
        total = 0
        for info in self._zip.infolist():
            name = info.orig_filename
            if not _NAME.fullmatch(name):
                raise ValueError(f"a member has the strange name {name[:60]!r}; {_MENDING}")
            if name in self._members:
                raise ValueError(f"the member {name} is there twice; {_MENDING}")
            if info.flag_bits & 1 or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise ValueError(f"the member {name} is encrypted, or compressed in an unknown way; {_MENDING}")
            self._members[name] = info
            total += info.file_size
        if total > limit:
            raise ValueError(
                f"it declares {_size(total)} of contents, more than the limit of {_size(limit)}; "
                "give a larger limit if you trust the file"
            )

    def __contains__(self, name):
        return f"{name}.npy" in self._members

    def size(self, name):
        """Return the bytes that a member declares."""
        return self._member(name).file_size

    def array(self, name, dtype, shape):
        """Return a whole array, read-only; its type must be as given, and its shape where that is not None.

        A shape may end in ``...`` for any number of axes more.
        """
        with self._open(name, dtype, shape) as (dtype, shape, stream):
            data = _read(stream, math.prod(shape) * dtype.itemsize)
            _finish(stream)
        return np.frombuffer(data, dtype=dtype).reshape(shape)

    def arrays(self, name, dtype, shape):
        """Yield the entries of an array along its first axis, one after the other, as read-only arrays."""
        with self._open(name, dtype, shape) as (dtype, shape, stream):
            size = math.prod(shape[1:]) * dtype.itemsize
            for _ in range(shape[0]):
                yield np.frombuffer(_read(stream, size), dtype=dtype).reshape(shape[1:])
            _finish(stream)

    def _member(self, name):
        if name not in self:
            raise ValueError(f"the member {name}.npy is missing; {_MENDING}")
        return self._members[f"{name}.npy"]

    @contextmanager
    def _open(self, name, dtype, shape):
        """Open a member and check that what it declares is what is wanted, and what it has room for."""
        info = self._member(name)
        with _translated(f"the member {name}.npy"):
            with self._zip.open(info) as stream:
                found, dims, length = _npy_header(stream, name)
                if found.str not in ([dtype] if isinstance(dtype, str) else dtype):
                    raise ValueError(f"the member {name}.npy holds {found}, which does not belong there; {_MENDING}")
                if not _fits(dims, shape):
                    raise ValueError(
                        f"the member {name}.npy has shape {dims}, which does not fit the others; {_MENDING}"
                    )
                if length + math.prod(dims) * found.itemsize != info.file_size:
                    raise ValueError(f"the member {name}.npy has no room for its shape {dims}; {_MENDING}")
                yield found, dims, stream


def _check_end(file):
    """Look at the last bytes of a zip file before `zipfile` does, which would read a list of any length."""
    size = file.seek(0, 2)
    file.seek(max(0, size - _END.size - 20))
    tail = file.read()
    end = tail[-_END.size :]
    if len(end) < _END.size or not end.startswith(b"PK\x05\x06"):
        file.seek(0)
        if file.read(4) == b"PK\x03\x04":
            raise ValueError(f"it is cut short, or something was added at its end; {_MENDING}")
        raise ValueError("it is no .npz file; give a file that Recording.save wrote")
    _, disk, first_disk, here, members, length, begin, comment = _END.unpack(end)
    if tail[: -_END.size].startswith(_LARGER_THAN_4_GB) or disk or first_disk or comment or here != members:
        raise ValueError(f"it is a kind of zip file that save does not write; {_MENDING}")
    if members > _MOST_MEMBERS or length > 200 * _MOST_MEMBERS or begin + length + _END.size != size:
        raise ValueError(f"the list of its members is damaged, or far too long; {_MENDING}")


def _npy_header(stream, name):
    """Return type, shape and the number of bytes read."""
    start = _read(stream, len(_MAGIC) + 2)
    length = int.from_bytes(start[-2:], "little")
    match = _HEADER.fullmatch(_read(stream, length)) if start.startswith(_MAGIC) and length <= 1024 else None
    if match is None or match[1].decode() not in TYPES:
        raise ValueError(f"the member {name}.npy is no plain array of numbers as save writes it; {_MENDING}")
    dims = [part.strip() for part in match[2].decode().split(",")]
    if dims[-1] == "":
        dims.pop()
    if not all(part.isdecimal() and len(part) <= 12 for part in dims) or len(dims) > 8:
        raise ValueError(f"the member {name}.npy has a shape that cannot be read; {_MENDING}")
    return np.dtype(match[1].decode()), tuple(int(part) for part in dims), len(start) + length


def _fits(dims, shape):
    if shape[-1:] == (...,):
        shape = (*shape[:-1], *dims[len(shape) - 1 :])
    return len(dims) == len(shape) and all(wanted in (None, n) for n, wanted in zip(dims, shape, strict=True))


def _read(stream, n):
    data = stream.read(n) if n else b""
    if len(data) != n:
        raise ValueError(f"it ends too early; {_MENDING}")
    return data


def _finish(stream):
    """Reach the end of a member, where its checksum is compared."""
    if stream.read(1):
        raise ValueError(f"a member is longer than it says; {_MENDING}")


def _size(n):
    return f"{n / 1e9:.3g} GB" if n >= 1e9 else f"{n / 1e6:.3g} MB"


@contextmanager
def _translated(where):
    """Turn what `zipfile` and `zlib` say of a damaged file into one kind of error."""
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, struct.error, NotImplementedError, UnicodeError) as error:
        raise ValueError(f"{where} is damaged ({str(error) or type(error).__name__}); {_MENDING}") from None
    except OSError as error:
        if error.errno != errno.EINVAL:  # a place before the beginning of the file
            raise
        raise ValueError(f"{where} is damaged; {_MENDING}") from None
