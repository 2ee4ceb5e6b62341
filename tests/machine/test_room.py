"""Arrays in memory or in files."""

import numpy as np
import pytest

from notebook_sne.machine.room import in_folder, room_for


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
