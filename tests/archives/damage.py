"""Copies of a file that are damaged in some way: by chance, or with right checksums by intent."""

import hashlib
import io
import json
import zipfile
from contextlib import suppress

import numpy as np

from notebook_sne.engine.archives.archive import TYPES


def members_of(content):
    """Return {name: bytes} of a zip file, or nothing of another file."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as members:
            return {name: members.read(name) for name in members.namelist()}
    except zipfile.BadZipFile:
        return {}


def zipped(members, compression=zipfile.ZIP_STORED):
    """Return the bytes of a zip file with these members, all of whose checksums are right."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression, compresslevel=1) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return out.getvalue()


def sealed(members):
    """Return members of an archive with the digest that belongs to them, of those that can be read."""
    digest = hashlib.sha256()
    for name, content in members.items():
        with suppress(Exception):
            if name != "digest.npy":
                array = np.load(io.BytesIO(content), allow_pickle=False)
                digest.update(f"{name[:-4]} {array.dtype.str} {array.shape}\n".encode() + array.tobytes())
    return members | {"digest.npy": npy(np.frombuffer(digest.digest(), np.uint8)[None])}


def npy(array):
    """Return an array in NumPy's own format."""
    out = io.BytesIO()
    np.lib.format.write_array(out, np.asarray(array), version=(1, 0))
    return out.getvalue()


def damaged(content, rng):
    """Return a copy of a file's content that differs in one of many ways, drawn at random."""
    ways = [_a_bit, _a_bit, _bytes, _shorter, _a_part_less, _a_part_more, _two_parts_swapped, _blank]
    members = members_of(content)
    if members:
        ways += [_in_the_list, _in_the_list, _named_otherwise, *_OF_MEMBERS]
    else:
        ways += [_early, _early, _other_numbers]
    way = ways[rng.integers(len(ways))]
    found = way(members if way in _OF_MEMBERS else content, rng)
    return found if found != content else damaged(content, rng)


# By chance


def _a_bit(content, rng, low=0, high=None):
    found = bytearray(content)
    found[rng.integers(low, high or len(content))] ^= 1 << int(rng.integers(8))
    return bytes(found)


def _early(content, rng):
    return _a_bit(content, rng, 0, 128)


def _bytes(content, rng):
    found = bytearray(content)
    for k in rng.integers(0, len(content), int(rng.integers(1, 9))):
        found[k] = int(rng.integers(256))
    return bytes(found)


def _shorter(content, rng):
    return content[: rng.integers(len(content))]


def _span(content, rng):
    begin = int(rng.integers(len(content)))
    return begin, min(len(content), begin + int(rng.integers(1, 200)))


def _a_part_less(content, rng):
    begin, end = _span(content, rng)
    return content[:begin] + content[end:]


def _a_part_more(content, rng):
    begin, end = _span(content, rng)
    return content[:begin] + rng.bytes(end - begin) + content[begin:]


def _two_parts_swapped(content, rng):
    a, b, c, d = sorted(int(k) for k in rng.integers(0, len(content) + 1, 4))
    return content[:a] + content[c:d] + content[b:c] + content[a:b] + content[d:]


def _blank(content, rng):
    """As after a machine failed: the length is right, and a part of the bytes are zeros."""
    begin = int(rng.integers(len(content)))
    end = int(rng.integers(begin, len(content))) + 1
    return content[:begin] + bytes(end - begin) + content[end:]


def _other_numbers(content, rng):
    kind = rng.integers(3)
    numbers = [np.full(700, np.nan), np.zeros((7, 3), "<i2"), np.zeros((350, 2))][kind]
    return content[:128] + numbers.tobytes().ljust(len(content) - 128, b"\0") if kind == 0 else npy(numbers)


# By intent: every checksum of the zip file is right


def _in_the_list(content, rng):
    return _a_bit(content, rng, content.find(b"PK\x01\x02"))


def _any(members, rng):
    return [*members][rng.integers(len(members))]


def _named_otherwise(content, rng):
    old = _any(members_of(content), rng)
    new = _a_bit(old.encode(), rng, 0, len(old) - 4)
    return content.replace(old.encode(), new)


def _swapped(members, rng):
    one, other = _any(members, rng), _any(members, rng)
    return zipped({**members, one: members[other], other: members[one]})


def _an_entry(members, rng):
    name = _any(members, rng)
    return zipped({**members, name: _a_bit(members[name], rng)})


def _another_type(members, rng):
    name = _any(members, rng)
    kind = sorted(TYPES)[rng.integers(len(TYPES))]
    head = np.lib.format.read_array(io.BytesIO(members[name]))
    shapes = [head.shape, head.shape[::-1], (head.size,), (), (10**9,), (*head.shape, 0)]
    shape = shapes[rng.integers(len(shapes))]
    out = io.BytesIO()
    np.lib.format.write_array_header_1_0(out, {"descr": kind, "fortran_order": False, "shape": shape})
    return zipped({**members, name: out.getvalue() + head.tobytes()})


def _left_out(members, rng):
    gone = _any(members, rng)
    return zipped({name: each for name, each in members.items() if name != gone})


def _filled(members, rng):
    """Very many zeros, which take no room compressed."""
    name = _any(members, rng)
    return zipped({**members, name: npy(np.zeros(10**6))}, zipfile.ZIP_DEFLATED)


_OF_MEMBERS = (_swapped, _an_entry, _another_type, _left_out, _filled)


def header_of(path):
    """Return the header of an archive."""
    return json.loads(np.load(path)["header"].tobytes())
