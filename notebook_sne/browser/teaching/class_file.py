"""The file of a class: one owner at a time, readable by its user alone, with a digest of what it holds."""

from __future__ import annotations

import hashlib
import json
import os
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from notebook_sne.engine.machine import files

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

__all__ = ["ClassFile", "digest_of", "read_signed", "write_signed"]

FORMAT = "notebook_sne class 2"


class ClassFile:
    """A file that is held until `close`, or until its process ends; OSError if another class holds it.

    The lock is on a file beside it, as the file itself is replaced each time that it is written.
    """

    def __init__(self, file: str | Path) -> None:
        self._held: int | None = None
        self.file = Path(file).expanduser().resolve()  # one file and one lock, by whatever link
        self._lock = files.check_place(self.file).with_name(f".{self.file.name}.lock")
        while fcntl is not None and self._held is None:
            held = os.open(self._lock, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                owner = os.read(held, 20).decode() or "another"
                os.close(held)
                raise OSError(
                    f"file must be of one class at a time, got {file}, which process {owner} holds; "
                    "end the class there, or name another file"
                ) from None
            except OSError:  # a file system without locks
                os.close(held)
                break
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(held), os.stat(self._lock)):
                    self._held = held
            if self._held is None:
                os.close(held)  # its owner has just removed it
        if self._held is not None:
            os.truncate(self._held, 0)
            os.write(self._held, str(os.getpid()).encode())
            _open.add(self)  # a forked child would hold the lock when its parent has gone

    def read(self, take: Callable[[dict[str, Any]], None]) -> None:
        """Let `take` read what the file holds; ValueError if it holds no class, FileExistsError if that has ended."""
        try:
            told = read_signed(self.file, FORMAT)
            if told["ended"]:
                raise FileExistsError(f"file must be new, or of a class that has not ended, got {self.file}")
            take(told)
            with suppress(OSError):
                os.chmod(self.file, 0o600)
        except FileExistsError as error:
            self.close()
            raise FileExistsError(f"{error}; name another") from None
        except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError):
            self.close()
            raise ValueError(
                f"file must be a file of a class, got {self.file}, which holds something else or is damaged"
            ) from None

    def write(self, told: dict[str, Any]) -> None:
        """Write what a class holds; OSError if it can't be written."""
        write_signed(self.file, {"format": FORMAT, **told})

    def close(self, remove: bool = False) -> None:
        """Let others go on with the file, or remove it."""
        if remove:
            self.file.unlink(missing_ok=True)
        if self._held is not None:
            self._lock.unlink(missing_ok=True)
            os.close(self._held)
            self._held = None

    __del__ = close


def read_signed(file: Path, kind: str) -> dict[str, Any]:
    """Return what `write_signed` has written of a kind; errors of many kinds if it is damaged, or something else."""
    told: dict[str, Any] = json.loads(file.read_bytes())
    if told["format"] != kind or told.pop("digest") != digest_of(told):
        raise ValueError
    return told


def write_signed(file: Path, told: dict[str, Any]) -> None:
    """Write a file that its user alone can read, with a digest of what it holds; OSError if it can't be written."""
    told = json.loads(json.dumps(told, allow_nan=False))
    text = json.dumps({**told, "digest": digest_of(told)}, indent=1)
    with suppress(FileExistsError):  # a file that is replaced keeps its mode
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    files.write(file, text.encode())


def digest_of(told: dict[str, Any]) -> str:
    """Return the digest of what a file holds besides."""
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


_open: weakref.WeakSet[ClassFile] = weakref.WeakSet()


def _forget() -> None:
    for file in list(_open):
        if file._held is not None:
            os.close(file._held)
            file._held = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
