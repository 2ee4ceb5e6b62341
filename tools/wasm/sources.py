"""What the compiled kernels are made of: a digest of the sources, and the versions of Numba and llvmlite."""

import ast
import hashlib
import io
import sys
import tokenize
from pathlib import Path

import llvmlite
import numba

__all__ = ["SECTION", "digest", "modules", "stamp", "versions"]

SECTION = "notebook_sne"
"""The custom section of the module that holds the stamp."""

ROOT = Path(__file__).resolve().parents[2]
_PORTABLE = "notebook_sne.engine.portable."
# What lies outside of these is not compiled.
_ROOMS = tuple(f"notebook_sne.engine.{room}." for room in ("machine", "sums", "mathematics", "portable", "optimizers"))
_TOOLS = ("memory.ll", "module.py", "compiling.py")


def modules(table):
    """Return the files that the exports of a table are made of, by their imports, in alphabetical order."""
    found, waiting = set(), [_PORTABLE + table, f"{_PORTABLE}elementary"]
    while waiting:
        name = waiting.pop()
        path = ROOT.joinpath(*name.split(".")).with_suffix(".py")
        if path in found or not name.startswith(_ROOMS) or not path.is_file():
            continue
        found.add(path)
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("notebook_sne"):
                waiting.append(node.module)
                waiting.extend(f"{node.module}.{alias.name}" for alias in node.names)
    return sorted(found)


def _code(text):
    """Return a source without comments, docstrings and empty lines: what may change without another kernel."""
    lines = text.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            for row in range(node.lineno, node.end_lineno + 1):
                lines[row - 1] = ""
    return "\n".join(line.rstrip() for line in lines if line.strip())


def digest(table):
    """Return the digest of all that the kernels of a table are made of, in hexadecimal digits."""
    found = hashlib.sha256()
    for path in modules(table):
        found.update(f"{path.relative_to(ROOT).as_posix()}\n{_code(path.read_text(encoding='utf-8'))}\n".encode())
    for name in _TOOLS:
        text = (Path(__file__).parent / name).read_text(encoding="utf-8")
        found.update((_code(text) if name.endswith(".py") else text).encode())
    return found.hexdigest()


def versions():
    """Return what else decides over the bytes: the versions of Python, Numba and llvmlite, in words."""
    python = ".".join(map(str, sys.version_info[:2]))
    return f"Python {python}, numba {numba.__version__}, llvmlite {llvmlite.__version__}"


def stamp(table):
    """Return both in one line."""
    return f"sources {digest(table)}; {versions()}"
