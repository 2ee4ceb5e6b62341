"""From a relocatable object of one module to a WebAssembly module, without a linker.

An object whose functions are all in it is nearly a module: it lacks exports, imports memory and the pointer to its
stack, and has sections that only a linker reads. Here the memory becomes its own and is exported, the stack lies below
`HEAP`, and what a linker would read is left out.
"""

import struct

__all__ = ["HEAP", "finished", "sections_of", "signed"]

HEAP = 131072
"""Where arrays begin: the constants come first, the stack grows from here down to their end."""

_LEAST_STACK = 65536
_PAGES = 4  # of 64 kB, to begin with
_CUSTOM, _TYPE, _IMPORT, _MEMORY, _GLOBAL, _EXPORT, _CODE, _DATA = 0, 1, 2, 5, 6, 7, 10, 11
_ORDER = [_TYPE, _IMPORT, 3, 4, _MEMORY, 13, _GLOBAL, _EXPORT, 8, 9, 12, _CODE, _DATA, _CUSTOM]
_FUNCTIONS, _SYMBOL_TABLE = 0, 8
_UNDEFINED, _EXPLICIT_NAME = 0x10, 0x40


class _Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def number(self):
        """Read a number of any length, seven bits a byte."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def take(self, n):
        self.at += n
        return self.data[self.at - n : self.at]

    def text(self):
        return self.take(self.number()).decode()

    @property
    def done(self):
        return self.at >= len(self.data)


def _number(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def _signed_number(n):
    out = b""
    while not -64 <= n < 64:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n & 127])


def _text(text):
    return _number(len(text.encode())) + text.encode()


def sections_of(module):
    """Return the sections of a module, a list of (kind, bytes); a custom one begins with its name."""
    reader, sections = _Reader(module[8:]), []
    while not reader.done:
        kind = reader.byte()
        sections.append((kind, reader.take(reader.number())))
    return sections


def signed(module, name):
    """Return what a custom section of this name holds, as text, or None."""
    for kind, body in sections_of(module):
        reader = _Reader(body)
        if kind == _CUSTOM and reader.text() == name:
            return body[reader.at :].decode()
    return None


def finished(obj, exports, custom):
    """Return the module of an object: `exports` are names of its functions, `custom` {name: text} of more sections."""
    sections = dict(pair for pair in sections_of(obj) if pair[0] != _CUSTOM)
    linking = [_Reader(body) for kind, body in sections_of(obj) if kind == _CUSTOM]
    places = _functions(next(reader for reader in linking if reader.text() == "linking"))
    if missing := set(exports) - set(places):
        raise ValueError(f"the object has no functions {sorted(missing)}")
    _check_imports(sections.pop(_IMPORT))
    end = _data_end(sections.get(_DATA, b"\0"))
    if end > HEAP - _LEAST_STACK:
        raise ValueError(f"constants end at {end}, and must leave {_LEAST_STACK} bytes below {HEAP} for the stack")
    sections[_MEMORY] = _number(1) + b"\0" + _number(_PAGES)
    more = _Reader(sections.get(_GLOBAL, b"\0"))
    n = more.number()
    # The stack pointer was the first global, as an import, and is the first one still.
    sections[_GLOBAL] = _number(n + 1) + b"\x7f\1\x41" + _signed_number(HEAP) + b"\x0b" + more.data[more.at :]
    table = [_text("memory") + b"\2\0", *(_text(name) + b"\0" + _number(places[name]) for name in exports)]
    sections[_EXPORT] = _number(len(table)) + b"".join(table)
    parts = [(kind, sections[kind]) for kind in _ORDER if kind in sections]
    parts += [(_CUSTOM, _text(name) + text.encode()) for name, text in custom.items()]
    return b"\0asm" + struct.pack("<I", 1) + b"".join(bytes([k]) + _number(len(b)) + b for k, b in parts)


def _functions(reader):
    """Return {name: index} of the functions that the symbol table of an object defines."""
    if reader.number() != 2:
        raise ValueError("the linking section of the object has another version than 2")
    found = {}
    while not reader.done:
        kind = reader.byte()
        body = _Reader(reader.take(reader.number()))
        for _ in range(body.number() if kind == _SYMBOL_TABLE else 0):
            what, flags = body.byte(), body.number()
            if what == 1:  # data
                body.text()
                if not flags & _UNDEFINED:
                    body.number(), body.number(), body.number()
                continue
            index = body.number()
            if what != 3 and (not flags & _UNDEFINED or flags & _EXPLICIT_NAME):  # a section has no name
                name = body.text()
                if what == _FUNCTIONS:
                    found[name] = index
    return found


def _check_imports(body):
    """Raise a ValueError where an object imports more than a memory and the pointer to its stack."""
    reader, names = _Reader(body), []
    for _ in range(reader.number()):
        module, name, kind = reader.text(), reader.text(), reader.byte()
        names.append(f"{module}.{name}")
        if kind == 0:
            reader.number()
        elif kind == 1:
            reader.byte()
        elif kind == 3:
            reader.take(2)
        if kind in (1, 2):
            limits = reader.byte()
            reader.number()
            if limits & 1:
                reader.number()
    if extra := set(names) - {"env.__linear_memory", "env.__stack_pointer"}:
        raise ValueError(f"the kernels must need nothing from outside, but import {sorted(extra)}")


def _data_end(body):
    reader, end = _Reader(body), 0
    for _ in range(reader.number()):
        if reader.number() != 0 or reader.byte() != 0x41:
            raise ValueError("the object has data without a fixed place")
        start = reader.number()
        reader.byte()
        n = reader.number()
        reader.take(n)
        end = max(end, start + n)
    return end
