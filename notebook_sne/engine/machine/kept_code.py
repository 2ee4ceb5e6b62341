"""How code is kept on disk: Numba's own way, with the cares that `compiled` names.

Numba offers no public way to say where code is kept, when it is fresh and what becomes of a damaged file. So the
classes here stand on private ones of Numba. Where a release of Numba has changed these, `compiled` goes without.
"""

import functools
import hashlib
import inspect
import os
import pickle
import re
import time
import warnings
from contextlib import contextmanager, suppress
from pathlib import Path

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator
from numba.core.compiler_lock import global_compiler_lock

from notebook_sne.engine.machine.package import content_of

try:
    import fcntl
except ImportError:  # Windows; two processes may then compile the same thing twice, or a part of it once more later
    fcntl = None  # type: ignore[assignment]

__all__ = ["KeptCode", "beside", "listeners", "place_of"]

_PACKAGE = Path(__file__).resolve().parents[2]
_IMPORTS = re.compile(rb"^from (notebook_sne[\w.]*) import (\([^)]*\)|.*)", re.MULTILINE)
_LOCK = ".notebook_sne.lock"
_AT_WORK = ".notebook_sne.compiling"
_PATIENCE = 60.0  # s, after which what another process compiles is compiled here as well
_DIGEST = hashlib.sha256

if hasattr(os, "register_at_fork"):
    # A child that is forked while another thread compiles would wait for ever for that thread, which it does not have.
    # So the fork waits until what is being compiled is done.
    os.register_at_fork(
        before=global_compiler_lock.acquire,
        after_in_parent=global_compiler_lock.release,
        after_in_child=global_compiler_lock.release,
    )

listeners: list = []
"""Functions without arguments, called where something has to be compiled, by whoever does."""


def place_of(function):
    """Return the folder that keeps the code of a function, a Path; an OSError where none can."""
    locator = _Places(function).locator
    locator.ensure_cache_path()
    return Path(locator.get_cache_path())


def beside(function):
    """Return the folder beside the source of a function, where code may lie that can only be read."""
    return Path(inspect.getfile(function)).parent / "__pycache__"


@functools.cache
def _stamp(path):
    """Return a digest of a source file and of all that it imports from the package."""
    found: dict = {}
    ahead = [Path(path).resolve()]
    while ahead:
        here = ahead.pop()
        if here not in found and (content := content_of(here)) is not None:
            found[here] = content
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
        return str(beside(self._function))

    def get_source_stamp(self):
        return _stamp(self._py_file)

    def get_disambiguator(self):
        return str(self._lineno)

    @classmethod
    def from_function(cls, py_func, py_file):
        return cls(py_func, py_file)


class _Places(CompileResultCacheImpl):
    _locator_classes = (*CompileResultCacheImpl._locator_classes, _BesideSources)


class _Files(IndexDataCacheFile):
    """The code of one kernel in one folder: an index, and a file for each kind of arguments.

    Each begins with a digest of the rest. Machine code with one wrong bit may end the process or, worse, go on with
    wrong numbers; an index with one may name the code of other arguments.
    """

    def _load_index(self):
        try:
            version, stamp, overloads = self._load_data(self._index_name)
        except FileNotFoundError:
            return {}
        except OSError:
            raise
        except Exception:  # damaged, of another user, or written by another Numba: nothing in it can be used
            return {}
        return overloads if (version, stamp) == (self._version, self._source_stamp) else {}

    def _save_index(self, overloads):
        self._save_data(self._index_name, (self._version, self._source_stamp, overloads))

    def _load_data(self, name):
        with open(self._data_path(name), "rb") as file:
            if not _may_be_run(file):
                raise _ForeignError(name)
            content = file.read()
        size = _DIGEST().digest_size
        if _DIGEST(content[size:]).digest() != content[:size]:
            raise _DamagedError(name)
        return pickle.loads(content[size:])

    def _dump(self, obj):
        content = super()._dump(obj)
        return _DIGEST(content).digest() + content


class _DamagedError(Exception):
    """A file is not what was written."""


class _ForeignError(Exception):
    """A file is of a user whose code is not run here."""


def _may_be_run(file):
    """Return whether a file is of this user, of root, or of the owner of the package, whose sources are run anyway.

    A folder that others can write to, as a cache in /tmp, may hold theirs. The digest is no signature.
    """
    if not hasattr(os, "geteuid"):  # Windows, where a user's folders are closed to others
        return True
    sources = next(place for place in (_PACKAGE, *_PACKAGE.parents) if place.exists())  # or the zip that holds them
    return os.fstat(file.fileno()).st_uid in {0, os.geteuid(), sources.stat().st_uid}


class _Folders(_Files):
    """The code of one kernel in several folders, of which only the first is ever written to.

    Numba reads the index, adds a line and writes it back, then writes the code under a free number. Two processes that
    did so at once would take the same number for different code.
    """

    def __init__(self, places, name, stamp):
        super().__init__(places[0], name, stamp)
        self._others = [_Files(place, name, stamp) for place in places[1:]]

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
            if fcntl is not None:
                with suppress(OSError):  # to close it is not enough: a child that was forked meanwhile has it, too
                    fcntl.flock(file, fcntl.LOCK_UN)
            os.close(file)


class _AtWork:
    """What processes say to each other of the kernels that they compile: a lock on one byte for each, in a file.

    A kernel is compiled after those that it calls, so no two processes wait for one another. The locks of a process
    that dies are gone; those of a child are its own.
    """

    def __init__(self):
        self._files: dict = {}

    def begin(self, folder, name):
        """Say that a kernel is compiled now, after any other process that compiles it; return whether one did."""
        waited, deadline = False, time.monotonic() + _PATIENCE
        while fcntl is not None and time.monotonic() < deadline:
            try:
                self._change(folder, name, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return waited
            except BlockingIOError:
                waited = True
                time.sleep(0.02)
            except OSError:  # a folder that cannot be written, or a file system without locks
                break
        return waited

    def end(self, folder, name):
        """Say that it is not compiled any more."""
        if fcntl is not None:
            with suppress(OSError):
                self._change(folder, name, fcntl.LOCK_UN)

    def _change(self, folder, name, how):
        if folder not in self._files:  # stays open: to close it anywhere would end all locks of the process
            self._files[folder] = os.open(os.path.join(folder, _AT_WORK), os.O_RDWR | os.O_CREAT, 0o666)
        fcntl.lockf(self._files[folder], how, 1, int.from_bytes(_DIGEST(name.encode()).digest()[:7]))


_at_work = _AtWork()


class KeptCode(FunctionCache):
    """The code of one kernel, a function that is compiled, wherever it lies."""

    _impl_class = _Places

    def __init__(self, function):
        super().__init__(function)
        places = [self._cache_path]
        if not numba.config.CACHE_DIR and (second := str(beside(function))) not in places:
            places.append(second)  # but who names a folder wants that one
        self._cache_file = _Folders(places, self._impl.filename_base, _stamp(inspect.getfile(function)))

    def load_overload(self, sig, target_context):
        """Return the code for a signature `sig`, made for `target_context`, or tell the listeners and return None."""
        if (found := self._load(sig, target_context)) is not None:
            return found
        for tell in listeners[:]:
            tell()
        if _at_work.begin(self._cache_path, self._impl.filename_base):
            if (found := self._load(sig, target_context)) is not None:
                _at_work.end(self._cache_path, self._impl.filename_base)
        return found

    def _load(self, sig, target_context):
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # damaged, foreign, or not to be read: it is compiled and written anew
            return None

    def save_overload(self, sig, data):
        """Keep `data`, the code for a signature `sig`, or warn that it cannot be kept."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn_once(str(error))
        finally:
            _at_work.end(self._cache_path, self._impl.filename_base)


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
