"""Objects in the order of memory: the same pairs and the same sums, with neighbors close together."""

import numpy as np
import pytest
from scipy import sparse

from notebook_sne.engine.machine.parallel import threads
from notebook_sne.engine.sums import memory_order
from notebook_sne.engine.sums.memory_order import in_memory_order
from notebook_sne.engine.sums.stored_pairs import store, student_pull


def shuffled_grid(side=40, dtype=np.float64):
    """Pairs of a grid whose points are given in no order, two of them without any pair, and where they lie."""
    rng = np.random.default_rng(0)
    points = np.argwhere(np.ones((side, side)))[rng.permutation(side**2)].astype(float)
    near = (np.abs(points[:, None] - points[None]).max(axis=2) <= 2) & ~np.eye(side**2, dtype=bool)
    near[[3, 700]] = near[:, [3, 700]] = False
    S = np.triu(near * rng.random(near.shape))
    return store(sparse.csr_array((S + S.T).astype(dtype)), sparse.csr_array(S), single=True), points


def matrix(pairs):
    N = len(pairs.pointers) - 1
    return sparse.csr_array((pairs.strengths, pairs.columns, pairs.pointers), shape=(N, N))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_pairs_are_those_of_the_objects_in_another_order(dtype):
    pairs, _ = shuffled_grid(dtype=dtype)
    place, there = in_memory_order(pairs)
    order = place.order
    np.testing.assert_array_equal(np.sort(order), np.arange(len(order)))
    np.testing.assert_array_equal(place.rank[order], np.arange(len(order)))
    expected = matrix(pairs)[order][:, order]
    expected.sort_indices()
    found = matrix(there)
    assert found.has_sorted_indices and there.strengths.dtype == dtype and there.negentropy == pairs.negentropy
    for name in ("indptr", "indices", "data"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    assert not any(a.flags.writeable for a in there[:3])


def test_neighbors_come_close_together_and_objects_without_any_come_last(monkeypatch):
    monkeypatch.setattr(memory_order, "_CELL", 50)
    pairs, _ = shuffled_grid()
    place, there = in_memory_order(pairs)
    assert set(place.order[-2:]) == {3, 700}

    def apart(pairs):
        rows = np.repeat(np.arange(len(pairs.pointers) - 1), np.diff(pairs.pointers))
        return np.mean(np.abs(rows - pairs.columns) > 100)

    assert apart(pairs) > 0.8 and apart(there) < 0.5


def test_the_order_follows_from_the_pairs_whatever_the_threads():
    pairs, _ = shuffled_grid()
    with threads(1):
        place, there = in_memory_order(pairs)
    again, same = in_memory_order(pairs)
    np.testing.assert_array_equal(place.order, again.order)
    for one, other in zip(there[:3], same[:3], strict=True):
        np.testing.assert_array_equal(one, other)


def test_rows_go_there_and_back():
    pairs, points = shuffled_grid()
    place, there = in_memory_order(pairs)
    np.testing.assert_array_equal(place.back(place.there(points)), points)
    energy, forces = student_pull(pairs, points)
    again, moved = student_pull(there, place.there(points))
    np.testing.assert_allclose(again, energy, rtol=1e-13)
    np.testing.assert_allclose(place.back(moved), forces, atol=1e-12)
