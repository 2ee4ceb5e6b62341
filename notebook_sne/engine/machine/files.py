"""Files that the reader asks for: recordings, pages, pictures. Each is written whole, or not at all.

New contents are in the folder of the file, beside it, until they are complete and on the disk; then they replace it in
one step. A full disk, an error or a killed process leaves what was there before, and half a file can never be read.
Linux lets contents have no name until they are complete (O_TMPFILE), and removes them with the process that was
writing them. In the moment before they replace the file, and elsewhere, and on some network file systems, from the
beginning, they have a hidden name, and stay if the process is killed then. The writer holds a lock on them, which ends
with it, and the next save into the folder removes what nobody holds; without locks, what is more than a day old.
"""

import errno
import os
import secrets
import shutil
import stat
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

__all__ = ["check_place", "is_stdout", "reserve", "write", "write_whole"]

_BEGIN, _END = ".notebook_sne.", ".part"
_OLD = 24 * 3600  # seconds: no file takes so long to write, and clocks in a network differ by less


def check_place(path):
    """Return the file that a path leads to, after checking that it may be written.

    It is a file, new or there already, or a device or a pipe, such as /dev/null. ``~`` is the home folder; a link
    stands for what it leads to. Raises an OSError if it is a folder, a read-only file or anything else that can't be
    replaced, or there is no folder to hold it.
    """
    path = Path(os.path.expanduser(path))
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and (stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)):
        return path  # a link such as /dev/stdout leads to a pipe that has no name of its own
    place = Path(os.path.realpath(path))
    if mode is None:
        if not place.parent.is_dir():
            raise FileNotFoundError(f"there is no folder {place.parent}; make it first")
    elif stat.S_ISDIR(mode):
        raise IsADirectoryError(f"path must be a file, got the folder {place}; add a name, such as map.html")
    elif not stat.S_ISREG(mode):
        raise OSError(f"path must be a file, a pipe or a device that takes text, got {place}; give another name")
    elif not mode & 0o222 or not os.access(place, os.W_OK):  # os.access lets root write everything
        raise PermissionError(
            f"path must be a file that may be changed, got the read-only {place}; give another name, or allow writing"
        )
    return place


def is_stdout(path):
    """Return whether a path, such as /dev/stdout, leads to standard output, which must not be opened a second time."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(sys.stdout.fileno()))
    except (OSError, ValueError):  # nothing is there; standard output is no file
        return False


def write(path, content):
    """Write bytes into a file, whole or not at all, and return its Path; errors are those of `write_whole`."""
    place = check_place(path)
    with write_whole(place) as file:
        file.write(content)
    return place


@contextmanager
def write_whole(path):
    """Open a binary file that takes the place of another at the end of the ``with`` block, unless the block fails.

    It is seekable, and has the mode of the file that it replaces and, where the system allows, the owner. A pipe or a
    device isn't replaced: it gets the contents when they are complete. The path is as for `check_place`. Raises an
    OSError if it can't be written; a file that was there is then unchanged.
    """
    place = check_place(path)
    try:
        if place.exists() and not place.is_file():
            with tempfile.TemporaryFile() as file:
                yield file
                with open(place, "wb") as stream:
                    _copy(file, stream)
        else:
            with _replacing(place) as file:
                yield file
            _remove_left_over(place.parent)
    except OSError as error:
        if error.errno is not None and error.filename is None:
            error.filename = str(place)  # the error of a full disk does not name the file
        raise


def reserve(file, n_bytes, place):
    """Take the room on a disk for bytes that will be written through a mapping; they are zeros until then.

    Without it the first byte that a full disk has no room for ends the process, and no error says why. The file is open
    for writing; the bytes begin at its position, which must be its end. Raises an OSError, which names `place`, if
    there is no room for them.
    """
    file.flush()
    begin, descriptor = file.tell(), file.fileno()
    try:
        try:
            os.posix_fallocate(descriptor, begin, n_bytes)
        except (AttributeError, OSError) as error:
            # Not a call of this system, or not one of this file system.
            if getattr(error, "errno", errno.ENOSYS) not in (errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP):
                raise
            os.lseek(descriptor, begin, os.SEEK_SET)
            zeros, left = bytes(min(n_bytes, 1 << 20)), n_bytes
            while left:
                left -= os.write(descriptor, zeros[:left])
            file.seek(begin)
    except OSError as error:
        why = f"{error.strerror}, where {n_bytes:,} bytes are needed; make room there, or give another folder"
        raise OSError(error.errno, why, str(place)) from None


@contextmanager
def _replacing(place):
    part = place.with_name(f"{_BEGIN}{secrets.token_hex(8)}{_END}")
    try:
        with ExitStack() as opened:
            file = opened.enter_context(_open_unnamed(place) or _open_named(part, place))
            yield file
            _flush_to_disk(file)
            if not part.exists():
                _give_name(file, part, place, opened)
            if fcntl is not None:
                os.replace(part, place)  # while it is open, and so held
        if fcntl is None:  # on Windows, an open file cannot be renamed
            os.replace(part, place)
    finally:
        part.unlink(missing_ok=True)


def _open_unnamed(place):
    """Open a file without a name beside a place, or return None where there can be none."""
    if not hasattr(os, "O_TMPFILE") or not os.path.isdir("/proc/self/fd"):
        return None
    try:
        descriptor = os.open(place.parent, os.O_TMPFILE | os.O_RDWR, 0o666)
    except OSError:
        return None  # not on this file system; if it is the folder that is read-only, _open_named says so
    _held(descriptor)
    return _with_owner_and_mode(place, os.fdopen(descriptor, "w+b"))


def _open_named(part, place):
    try:
        file = open(part, "x+b")
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise
        raise PermissionError(
            f"path must be in a folder that may be changed, got the read-only {part.parent}; give another folder"
        ) from None
    _held(file.fileno(), wait=True)
    if not part.exists():  # it was swept away before it was held
        file.close()
        return _open_named(part, place)
    return _with_owner_and_mode(place, file)


def _give_name(file, part, place, opened):
    try:
        # Only with dst_dir_fd does Python link the file that the entry in /proc leads to.
        folder = os.open(part.parent, os.O_PATH)
        try:
            os.link(f"/proc/self/fd/{file.fileno()}", part.name, dst_dir_fd=folder)
        finally:
            os.close(folder)
    except OSError:  # a file system without links, or a process that may not make them
        second = opened.enter_context(_open_named(part, place))
        _copy(file, second)
        _flush_to_disk(second)


def _with_owner_and_mode(place, file):
    """Return an open file, with the owner and mode of the one at a place if there is one."""
    if hasattr(os, "fchown") and place.exists():
        there, here = place.stat(), os.fstat(file.fileno())
        # One after the other: a user other than root may still choose among their groups.
        for user, group in ((there.st_uid, -1), (-1, there.st_gid)):
            with suppress(PermissionError):
                os.fchown(file.fileno(), user, group)
        mode = stat.S_IMODE(there.st_mode) & 0o777
        if mode != stat.S_IMODE(here.st_mode):
            os.fchmod(file.fileno(), mode)
    return file


def _copy(file, into):
    file.seek(0)
    shutil.copyfileobj(file, into)


def _flush_to_disk(file):
    file.flush()
    os.fsync(file.fileno())  # otherwise a machine that fails might leave the new name without the contents


def _remove_left_over(folder):
    """Remove what killed processes left in a folder."""
    for part in folder.glob(f"{_BEGIN}*{_END}"):
        with suppress(OSError), open(part, "r+b") as file:
            if _held(file.fileno()) or part.stat().st_mtime < time.time() - _OLD:
                part.unlink()


def _held(descriptor, wait=False):
    """Lock an open file until it is closed or the process ends; return whether that was possible."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:  # another process holds it, or the file system has no locks
        return False
    return True
