"""The code of a kernel on disk, in a file for each kind of arguments: Numba's own cache with other files.

Numba has no public way to say that something is compiled, or to compile again what is damaged, so this stands on
private parts of it. Its own files have an index for each kernel, which may name the code of other arguments once two
processes have written to it. Here the name of a file says what it is for, and the file begins with a digest of its name
and of the rest: machine code with one wrong bit may end the process or, worse, go on with wrong numbers.
"""

import hashlib
import inspect
import os
import pickle
import sys
import warnings
from pathlib import Path

from numba.core.caching import FunctionCache
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.serialize import dumps

from notebook_sne.engine.machine.files import write_whole

__all__ = ["KeptCode", "listeners"]

if hasattr(os, "register_at_fork"):
    # A child that is forked while another thread compiles would wait for ever for that thread, which it does not have.
    # So the fork waits until what is being compiled is done.
    os.register_at_fork(
        before=global_compiler_lock.acquire,
        after_in_parent=global_compiler_lock.release,
        after_in_child=global_compiler_lock.release,
    )

listeners: list = []
"""Functions without arguments, called where something has to be compiled, by the thread that does so."""

_warned = False


class KeptCode(FunctionCache):
    """The code of one kernel, in the folder that a function returns."""

    def __init__(self, kernel, folder):
        self._py_func, self._folder = kernel, folder
        self._begin = f"{Path(inspect.getfile(kernel)).stem}.{kernel.__qualname__}-{kernel.__code__.co_firstlineno}"

    @property
    def cache_path(self):
        """The folder."""
        return str(self._folder())

    def load_overload(self, sig, target_context):
        """Return the code for a signature, or tell the listeners and return None."""
        try:
            target_context.refresh()
            place = self._place(sig, target_context.codegen())
            with open(place, "rb") as file:
                digest, code = (file.read(32), file.read()) if _may_be_run(file) else (b"", b"")
            if digest == _digest(place, code):
                return CompileResult._rebuild(target_context, *pickle.loads(code))
        except Exception:  # there is none, or it was made by something else: it is compiled and written anew
            pass
        for tell in listeners[:]:
            tell()
        return None

    def save_overload(self, sig, data):
        """Keep the code for a signature, or warn once that it can't be kept."""
        global _warned
        if data.library.has_dynamic_globals:  # addresses in this process
            return
        try:
            place, code = self._place(sig, data.codegen), dumps(data._reduce())
            with write_whole(place) as file:
                file.write(_digest(place, code) + code)
        except Exception as error:
            if not _warned:
                _warned = True
                warnings.warn(
                    "compiled code cannot be kept, so every new process has to wait for it again "
                    f"({error}); set NUMBA_CACHE_DIR to a folder that can be written",
                    RuntimeWarning,
                    stacklevel=2,
                )

    def _place(self, sig, codegen):
        kind = hashlib.sha256(repr(self._index_key(sig, codegen)).encode()).hexdigest()[:20]
        return Path(self._folder()) / f"{self._begin}.{kind}.nbc".replace("<", "").replace(">", "")


def _digest(place, code):
    return hashlib.sha256(place.name.encode() + code).digest()


def _may_be_run(file):
    """Return whether a file is of this user, of root, or of the owner of this Python, whose code is run anyway.

    A folder that others can write to, as a cache in /tmp, may hold theirs. The digest is no signature.
    """
    if not hasattr(os, "geteuid"):  # Windows, where a user's folders are closed to others
        return True
    return os.fstat(file.fileno()).st_uid in {0, os.geteuid(), os.stat(sys.prefix).st_uid}
