"""Compiled code, kept on disk: what a kernel is compiled to stays for the next process.

Numba keeps compiled code in the folder that NUMBA_CACHE_DIR names, or beside the sources, or, where these cannot be
written, in a folder of the user's. `njit` here is Numba's, with the same places and six cares more:

* Code is as fresh as everything that it calls. Numba looks at the file of a kernel alone; here, the modules that this
  file imports from the package count as well, by their content.
* What an administrator has compiled beside the sources (``notebook-sne warm``) is read by users who cannot write there.
* Where nothing can be kept, as in a read-only container or on a full disk, the code runs all the same and is compiled
  anew in each process; one warning says so.
* A process that compiles gets the bits that one gets which finds the code on disk.
* Two processes that compile at the same time, as a notebook and the warming behind it do, do not mix up what they keep,
  and neither compiles what the other one is compiling.
* What has been damaged on disk is compiled anew.

All but the fourth stand on private parts of Numba (`kept_code`). With a Numba that has changed these, code is kept by
Numba's own rules, ``numba.njit(cache=True)``, and a warning says so. Results are the same.

Code is kept for one processor. Numba tells it by name and features, and compiles anew for another one; on an image
that moves between machines, NUMBA_CPU_NAME=generic makes code that all of them share.
"""

import hashlib
import sys
import warnings
from contextlib import contextmanager
from pathlib import Path

import llvmlite.binding
import numba

from notebook_sne.engine.machine.package import PACKAGE, files_in

try:
    from notebook_sne.engine.machine import kept_code
except (ImportError, AttributeError):  # as `_rely_on_numba` says
    kept_code = None  # type: ignore[assignment]

__all__ = ["find_mark", "folder", "leave_mark", "njit", "when_compiling"]


def njit(**options):
    """Compile a function as `numba.njit` does with these options, and keep the code with ``cache=True``.

    A function without a loop for several threads becomes part of each function that calls it. Otherwise a process that
    compiles would call the function itself, and one that finds the caller on disk would call the caller's copy. These
    are optimized apart: the terms of a sum may come in another order, and the same run would end with other bits.
    """
    keep = options.pop("cache", False)
    options.setdefault("forceinline", not options.get("parallel", False))

    def decorate(function):
        kernel = numba.njit(**options)(function)
        if not keep or kernel is function:  # with NUMBA_DISABLE_JIT
            return kernel
        if kept_code is not None and hasattr(kernel, "_cache"):
            try:
                kernel._cache = kept_code.KeptCode(function)
                return kernel
            except Exception:  # whatever a Numba says whose private parts are others
                pass
        return _rely_on_numba(function, options)

    return decorate


@contextmanager
def when_compiling(tell):
    """Call `tell()` whenever, inside the block, code of the package is not on disk and has to be compiled first."""
    if kept_code is None:
        yield
        return
    kept_code.listeners.append(tell)
    try:
        yield
    finally:
        kept_code.listeners.remove(tell)


_warned = False


def _rely_on_numba(function, options):
    """Return the compiled function, kept by Numba's own rules as far as these go."""
    global _warned
    if not _warned:
        _warned = True
        warnings.warn(
            f"Numba {numba.__version__} keeps compiled code in another way than this package knows, so it is left to "
            "Numba: results are the same, but files damaged, or written by two processes at once, are not found "
            "out, and a full disk is an error; after a change to the package, empty the folder of the code "
            "(NUMBA_CACHE_DIR, or __pycache__ beside the sources); another version of either may go together",
            RuntimeWarning,
            stacklevel=2,
        )
    try:
        return numba.njit(cache=True, **options)(function)
    except RuntimeError:  # there is nowhere to keep it
        return numba.njit(**options)(function)


def folder():
    """Return where compiled code is kept, a Path, or None where it cannot be."""
    try:
        if kept_code is not None:
            return kept_code.place_of(folder)
        place = Path(numba.njit(cache=True)(folder).stats.cache_path)
        place.mkdir(parents=True, exist_ok=True)
        return place
    except (OSError, RuntimeError, AttributeError, TypeError):
        return None


def find_mark(name):
    """Tell whether there is a mark of this name with the code, for this processor and these sources."""
    places = [folder()]
    if not numba.config.CACHE_DIR:
        places.append(Path(__file__).parent / "__pycache__")
    file, text = _mark(name)
    for place in places:
        try:
            if place is not None and (place / file).read_text() == text:
                return True
        except OSError:
            continue
    return False


def leave_mark(name):
    """Leave a mark of this name with the code, for this processor and these sources."""
    place = folder()
    file, text = _mark(name)
    if place is not None:
        try:
            (place / file).write_text(text)
        except OSError:
            return  # a full disk: then there is no mark


def _mark(name):
    """Return the name of a file, one for each kind of processor, and what it holds as long as no source has changed."""
    asked = numba.config.CPU_NAME, numba.config.CPU_FEATURES
    here = llvmlite.binding.get_host_cpu_name(), llvmlite.binding.get_host_cpu_features().flatten()
    kind = hashlib.sha256(repr((sys.version_info[:2], asked, here)).encode())
    digest = hashlib.sha256(numba.__version__.encode())
    for name, file in files_in(PACKAGE):
        if name.endswith(".py"):
            digest.update(file.read_bytes())
    return f".notebook_sne.{name}.{kind.hexdigest()[:16]}", digest.hexdigest()
