"""P + P.T in little memory, against SciPy's."""

import numpy as np
import pytest
from scipy import sparse

from notebook_sne.engine.machine.allocation import in_folder
from notebook_sne.engine.machine.parallel import threads
from notebook_sne.engine.sums import symmetric
from notebook_sne.engine.sums.symmetric import with_transpose


def unsorted(N=700, K=40, seed=0):
    """K entries a row in no order, one of them 0, and no entry in every seventh row."""
    rng = np.random.default_rng(seed)
    rows = [rng.choice(N, 0 if i % 7 == 3 else K, replace=False) for i in range(N)]
    pointers = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    values = rng.random(pointers[-1])
    values[5] = 0.0
    return sparse.csr_array((values, np.concatenate(rows).astype(np.int32), pointers.astype(np.int32)), shape=(N, N))


def by_scipy(P):
    S = P + P.T
    S.sum_duplicates()
    S.eliminate_zeros()
    return S


def assert_same(S, T):
    assert S.dtype == T.dtype and S.shape == T.shape
    for name in ("indptr", "indices", "data"):
        np.testing.assert_array_equal(getattr(S, name), getattr(T, name))


@pytest.mark.parametrize("number", [1, 2, 5])
def test_the_sum_is_that_of_scipy_bit_for_bit_on_any_number_of_threads(number):
    expected = by_scipy(unsorted())
    with threads(number):
        found = with_transpose(unsorted())
    assert_same(found, expected)
    assert found.has_canonical_format and found.indices.dtype == np.int32
    assert expected.nnz < 2 * unsorted().nnz  # some entries have a partner


def test_an_empty_matrix_has_an_empty_sum():
    assert with_transpose(sparse.csr_array((4, 4))).nnz == 0


def test_a_matrix_that_nobody_may_change_is_left_as_it_is():
    P = unsorted()
    P.sort_indices()
    for part in (P.data, P.indices, P.indptr):
        part.flags.writeable = False
    assert_same(with_transpose(P), by_scipy(P))


def test_many_entries_are_kept_in_single_precision(monkeypatch):
    expected = by_scipy(unsorted())
    monkeypatch.setattr(symmetric, "MOST_IN_DOUBLE", expected.nnz)
    assert with_transpose(unsorted()).dtype == np.float64
    monkeypatch.setattr(symmetric, "MOST_IN_DOUBLE", expected.nnz - 1)
    found = with_transpose(unsorted())
    assert_same(found, expected.astype(np.float32))


def test_the_sum_may_lie_in_a_file(tmp_path, monkeypatch):
    from notebook_sne.engine.machine import allocation as room

    monkeypatch.setattr(room, "_LEAST", 1)
    with in_folder(tmp_path):
        found = with_transpose(unsorted())
    assert isinstance(found.data.base, np.memmap) or isinstance(found.data.base.base, np.memmap)
    assert_same(found, by_scipy(unsorted()))
