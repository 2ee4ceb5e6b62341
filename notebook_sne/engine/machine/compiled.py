"""Compiled code, kept on disk: what a kernel is compiled to stays for the next process.

`njit` is Numba's with ``cache=True``, but for five cares:

* Code lies in a folder of its own for each state of the kernels' sources and all that they import, and for each Numba,
  Python and processor. So it is as fresh as what it calls, wherever the sources lie: in a folder that can't be
  written, or in a zip. This folder is in the one that NUMBA_CACHE_DIR names, or else in the user's ``~/.cache``.
* Where nothing can be kept, as on a full disk, the code runs all the same and is compiled anew in each process; one
  warning says so.
* What is damaged, or belongs to a user whose code isn't run here, is compiled anew (`kept_code`).
* A process that compiles gets the bits that one gets which finds the code on disk.
* A user who waits is told that something is compiled (`when_compiling`).

With a Numba whose private parts aren't those that `kept_code` knows, Numba keeps the code in that folder by its own
rules: results are the same, but a damaged file isn't found out.

Numba tells the processor by name and features. On an image that moves between machines, NUMBA_CPU_NAME=generic makes
code that all of them share.
"""

import functools
import hashlib
import os
import re
import shutil
import sys
from contextlib import contextmanager, suppress
from pathlib import Path

import llvmlite.binding
import numba

from notebook_sne.engine.machine.package import PACKAGE, files_in

try:
    from notebook_sne.engine.machine import kept_code
except (ImportError, AttributeError):  # another Numba
    kept_code = None  # type: ignore[assignment]

__all__ = ["can_keep", "find_mark", "folder", "leave_mark", "njit", "when_compiling"]

_IMPORTS = re.compile(r"^from notebook_sne\.?([\w.]*) import (\([^)]*\)|.*)", re.MULTILINE)
_MOST_FOLDERS = 10  # of up to 20 MB


def njit(**options):
    """Compile a function as `numba.njit` does with these options, and keep the code with ``cache=True``.

    A function without a loop for several threads becomes part of each function that calls it. Otherwise a process that
    compiles would call the function itself, and one that finds the caller on disk would call the caller's copy. These
    are optimized apart: the terms of a sum may come in another order, and the same run would end with other bits.
    """
    keep = options.pop("cache", False)
    options = {"forceinline": not options.get("parallel"), "no_cfunc_wrapper": True, **options}  # C calls none of them

    def decorate(function):
        kernel = numba.njit(**options)(function)
        if not keep or kernel is function:  # with NUMBA_DISABLE_JIT
            return kernel
        if kept_code is not None and hasattr(kernel, "_cache"):
            with suppress(Exception):  # whatever another Numba says
                kernel._cache = kept_code.KeptCode(function, folder)
                return kernel
        before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder())
        try:  # in no other folder, where Numba would take code for fresh that calls what has changed
            return numba.njit(cache=can_keep() and isinstance(PACKAGE, Path), **options)(function)
        finally:
            numba.config.CACHE_DIR = before

    return decorate


@contextmanager
def when_compiling(tell):
    """Call `tell()` whenever, inside the block, code of the package isn't on disk and has to be compiled first."""
    listeners = [] if kept_code is None else kept_code.listeners
    listeners.append(tell)
    try:
        yield
    finally:
        listeners.remove(tell)


def folder():
    """Return the folder of the compiled code, a Path, made if that is possible; then the oldest others are removed."""
    base = numba.config.CACHE_DIR or os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    place = Path(base).absolute() / "notebook_sne" / "compiled" / _digest()
    with suppress(OSError):
        try:
            os.utime(place)  # it is in use
        except FileNotFoundError:
            place.mkdir(mode=0o755, parents=True)  # others may read it, and none may write
            for old in sorted(place.parent.iterdir(), key=lambda path: path.stat().st_mtime)[:-_MOST_FOLDERS]:
                shutil.rmtree(old, ignore_errors=True)
    return place


@functools.cache
def _digest():
    """Return a digest of the sources of all kernels and what these import, of Numba, Python and the processor."""
    sources = {name: file.read_bytes() for name, file in files_in(PACKAGE) if name.endswith(".py")}
    taken, ahead = set(), [name for name, source in sources.items() if b"njit" in source]
    while ahead:
        if (name := ahead.pop()) in sources and name not in taken:
            taken.add(name)
            for module, names in _IMPORTS.findall(sources[name].decode()):
                place = module.replace(".", "/")
                # What is imported from a package may be modules.
                ahead += [f"{place}.py", *(f"{place}/{each}.py" for each in re.findall(r"\w+", names))]
    asked = numba.config.CPU_NAME, numba.config.CPU_FEATURES
    here = llvmlite.binding.get_host_cpu_name(), llvmlite.binding.get_host_cpu_features().flatten()
    digest = hashlib.sha256(repr((numba.__version__, sys.version, asked, here)).encode())
    for name in sorted(taken):
        digest.update(sources[name])
    return digest.hexdigest()[:20]


def can_keep():
    """Return whether compiled code can be kept."""
    return os.access(folder(), os.W_OK)


def find_mark(name):
    """Tell whether there is a mark of this name with the code, for this processor and these sources."""
    return os.path.exists(folder() / name)


def leave_mark(name):
    """Leave a mark of this name with the code, for this processor and these sources."""
    with suppress(OSError):  # a full disk: then there is no mark
        (folder() / name).touch()
