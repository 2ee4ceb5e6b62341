"""Compiled code, kept on disk: what a kernel is compiled to stays for the next process.

Numba keeps compiled code in the folder that NUMBA_CACHE_DIR names, or beside the sources, or, where these cannot be
written, in a folder of the user's. `njit` here is Numba's, with the same places and five cares more:

* Code is as fresh as everything that it calls. Numba looks at the file of a kernel alone; here, the modules that this
  file imports from the package count as well, by their content.
* What an administrator has compiled beside the sources (``notebook-sne warm``) is read by users who cannot write there.
* Where nothing can be kept, as in a read-only container or on a full disk, the code runs all the same and is compiled
  anew in each process; one warning says so.
* A process that compiles gets the bits that one gets which finds the code on disk.
* Two processes that compile at the same time, as a notebook and the warming behind it do, do not mix up what they keep.

Code is kept for one processor. Numba tells it by name and features, and compiles anew for another one; on an image
that moves between machines, NUMBA_CPU_NAME=generic makes code that all of them share.
"""

import functools
import hashlib
import inspect
import os
import re
import sys
import warnings
from contextlib import contextmanager, suppress
from pathlib import Path

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator

try:
    import fcntl
except ImportError:  # Windows; two processes may then compile the same thing twice, or a part of it once more later
    fcntl = None  # type: ignore[assignment]

__all__ = ["find_mark", "folder", "leave_mark", "njit"]

_PACKAGE = Path(__file__).resolve().parents[1]
_IMPORTS = re.compile(rb"^from (notebook_sne[\w.]*) import (\([^)]*\)|.*)", re.MULTILINE)
_LOCK = ".notebook_sne.lock"


def njit(**options):
    """Compile a function as `numba.njit` does with these options, and keep the code with ``cache=True``.

    What is no loop for several threads becomes part of each function that calls it. A process that compiles would
    otherwise call the function by itself, and one that finds the caller on disk the caller's copy of it. These are
    optimised apart, so that the terms of a sum may come in another order, and the same run would end with other bits.
    """
    keep = options.pop("cache", False)
    options.setdefault("forceinline", not options.get("parallel", False))

    def decorate(function):
        kernel = numba.njit(**options)(function)
        if keep and hasattr(kernel, "enable_caching"):  # with NUMBA_DISABLE_JIT it is the function itself
            kernel._cache = _KeptCode(function)
        return kernel

    return decorate


def folder():
    """Return where compiled code is kept, a Path, or None where it cannot be."""
    places = _Places(folder)
    try:
        places.locator.ensure_cache_path()
    except OSError:
        return None
    return Path(places.locator.get_cache_path())


def find_mark(name):
    """Tell whether there is a mark of this name with the code, for this processor and these sources."""
    places = [folder()]
    if not numba.config.CACHE_DIR:
        places.append(_beside(folder))
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
    from numba.core.registry import cpu_target

    kind = hashlib.sha256(repr((sys.version_info[:2], cpu_target.target_context.codegen().magic_tuple())).encode())
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(_PACKAGE.rglob("*.py")):
        digest.update(path.read_bytes())
    return f".notebook_sne.{name}.{kind.hexdigest()[:16]}", digest.hexdigest()


def _beside(function):
    """Return the folder beside the source of a function, where code may lie that can only be read."""
    return Path(inspect.getfile(function)).parent / "__pycache__"


@functools.cache
def _stamp(path):
    """Return a digest of a source file and of all that it imports from the package."""
    found: dict = {}
    ahead = [Path(path).resolve()]
    while ahead:
        here = ahead.pop()
        if here not in found and here.is_file():
            found[here] = here.read_bytes()
            for module, names in _IMPORTS.findall(found[here]):
                place = _PACKAGE.joinpath(*module.decode().split(".")[1:])
                inside = re.findall(rb"\w+", names)  # of a package, the names may be modules
                ahead += [place.with_suffix(".py"), *(place / f"{name.decode()}.py" for name in inside)]
    digest = hashlib.sha256()
    for here in sorted(found):
        digest.update(found[here])
    return digest.hexdigest()


class _BesideSources(_CacheLocator):
    """The last resort, a place that cannot be written: to keep something there fails, to look for it does not."""

    def __init__(self, function, file):
        self._function, self._py_file, self._lineno = function, file, function.__code__.co_firstlineno

    def get_cache_path(self):
        return str(_beside(self._function))

    def get_source_stamp(self):
        return _stamp(self._py_file)

    def get_disambiguator(self):
        return str(self._lineno)

    @classmethod
    def from_function(cls, py_func, py_file):
        return cls(py_func, py_file)


class _Places(CompileResultCacheImpl):
    _locator_classes = (*CompileResultCacheImpl._locator_classes, _BesideSources)


class _Folders(IndexDataCacheFile):
    """The code of one kernel: in each folder an index, and a file for each kind of arguments.

    Numba reads the index, adds a line and writes it back, then writes the code under a free number. Two processes that
    did so at once would take the same number for different code. Only the first folder is ever written to.
    """

    def __init__(self, places, name, stamp):
        super().__init__(places[0], name, stamp)
        self._others = [IndexDataCacheFile(place, name, stamp) for place in places[1:]]

    def _load_index(self):
        try:
            return super()._load_index()
        except OSError:
            raise
        except Exception:  # cut short by a crash: nothing in it can be used
            return {}

    def load(self, key):
        with self._alone(shared=True):
            found = super().load(key)
        for other in self._others:
            found = other.load(key) if found is None else found
        return found

    def save(self, key, data):
        with self._alone(shared=False):
            super().save(key, data)

    @contextmanager
    def _alone(self, shared):
        try:
            file = os.open(os.path.join(self._cache_path, _LOCK), os.O_RDWR | os.O_CREAT, 0o666)
        except OSError:  # what cannot be written has no writers
            yield
            return
        try:
            if fcntl is not None:
                with suppress(OSError):  # there are file systems without locks
                    fcntl.flock(file, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
            yield
        finally:
            os.close(file)  # and the lock is given back


class _KeptCode(FunctionCache):
    """The code of one kernel, wherever it lies."""

    _impl_class = _Places

    def __init__(self, function):
        super().__init__(function)
        places = [self._cache_path]
        if not numba.config.CACHE_DIR and (beside := str(_beside(function))) not in places:
            places.append(beside)  # but who names a folder wants that one
        self._cache_file = _Folders(places, self._impl.filename_base, _stamp(inspect.getfile(function)))

    def load_overload(self, sig, target_context):
        """Return the code for a signature, or None where it has to be compiled."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # cut short by a crash, or not to be read: it is compiled and written anew
            return None

    def save_overload(self, sig, data):
        """Keep the code for a signature, or warn that it cannot be kept."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn_once(str(error))


_warned = False


def _warn_once(reason):
    global _warned
    if not _warned:
        _warned = True
        warnings.warn(
            "compiled code cannot be kept, so every new process has to wait for it again: neither the folder of the "
            f"package nor a cache folder of yours can be written ({reason}); set NUMBA_CACHE_DIR to a folder that can",
            RuntimeWarning,
            stacklevel=2,
        )
