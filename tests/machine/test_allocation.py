"""Arrays in memory or in files."""

import errno
import os
import subprocess

import numpy as np
import pytest

from notebook_sne.engine.machine.allocation import in_folder, room_for
from tests.standins.process import python


def test_an_array_is_in_memory_unless_a_folder_is_named(tmp_path):
    a = room_for((1000, 200), np.float64)
    assert a.base is None and a.shape == (1000, 200)
    with in_folder(tmp_path):
        b = room_for((1000, 200), np.float64)
        assert room_for(10, np.int32).base is None  # so few bytes are not worth a file
    c = room_for((1000, 200), np.float64)
    assert isinstance(b.base, np.memmap) and c.base is None
    b[:] = 7.0
    assert type(b) is np.ndarray and b.sum() == 7.0 * b.size
    assert not list(tmp_path.iterdir())  # no name outlives the array


def test_a_folder_that_is_not_there_is_an_error_and_the_setting_ends_with_the_block(tmp_path):
    with pytest.raises(FileNotFoundError), in_folder(tmp_path / "nowhere"):
        room_for(1 << 20, np.float64)
    assert room_for(1 << 20, np.float64).base is None


def test_a_full_disk_is_an_error_that_names_the_folder(tmp_path, monkeypatch):
    def full(*given):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full, raising=False)
    with in_folder(tmp_path), pytest.raises(OSError, match="1,600,000 bytes are needed") as caught:
        room_for((1000, 200), np.float64)
    assert caught.value.filename == str(tmp_path)


FULL = """
import sys, numpy as np, notebook_sne as ns
from notebook_sne.engine.machine.allocation import in_folder, room_for
folder = sys.argv[1]
try:
    with in_folder(folder):
        room_for(500_000, float)[:] = 1.0
except OSError as error:
    print(error.filename == folder, "bytes are needed" in str(error))
"""


@pytest.mark.slow
def test_a_disk_that_is_full_does_not_end_the_process(tmp_path):
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(tmp_path)], capture_output=True)
    if mounted.returncode:
        pytest.skip("no small disk may be mounted here")
    try:
        found = python(FULL, tmp_path)
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)
    assert (found.returncode, found.stdout) == (0, "True True\n"), found.stderr
