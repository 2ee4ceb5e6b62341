"""The pull of stored pairs against its formulas in plain NumPy."""

import os

import numpy as np
import pytest
from scipy import sparse

from notebook_sne.engine.sums import stored_pairs
from notebook_sne.engine.sums.stored_pairs import (
    StoredPairs,
    gaussian_pull,
    share_out,
    store,
    student_pull,
    uniform_background_pull,
)
from tests.standins.threads import no_bit_depends_on_threads
from tests.tables import in_one_test

BACKGROUND, LOG_Z = 0.2, 3.0


def uniform_pull(pairs, Y):
    return uniform_background_pull(pairs, Y, BACKGROUND, LOG_Z)


PULLS = [gaussian_pull, student_pull, uniform_pull]
each_pull = pytest.mark.parametrize("pull", PULLS)


def plain(pull, S, Y):
    """Energy, forces and share from a dense S."""
    N = len(Y)
    i, j = np.nonzero(S)
    s, differences = S[i, j], Y[i] - Y[j]
    d = np.square(differences).sum(axis=1)
    if pull is gaussian_pull:
        energy, r = s @ d, s
    elif pull is student_pull:
        energy, r = s @ np.log1p(d), s / (1 + d)
    else:
        log_near = np.log1p(-BACKGROUND) - d - LOG_Z
        log_q = np.logaddexp(log_near, np.log(BACKGROUND / (N * (N - 1))))
        energy, r = -s @ log_q, s * np.exp(log_near - log_q)
    forces = np.stack([np.bincount(i, r * t, N) for t in differences.T], axis=1)
    return energy, forces, r.sum()


def assert_is_formula(pull, S, Y, tolerance=1e-13):
    found, expected = pull(store(sparse.csr_array(S), sparse.csr_array(S)), Y), plain(pull, S, Y)
    assert found[0] == pytest.approx(expected[0], rel=tolerance)
    assert np.linalg.norm(found[1] - expected[1]) <= tolerance * np.linalg.norm(expected[1])
    if len(found) > 2:
        assert found[2] == pytest.approx(expected[2], rel=tolerance)


def rows_of(lengths, n_objects, seed=0):
    """A dense S whose row i has lengths[i] entries."""
    rng = np.random.default_rng(seed)
    S = np.zeros((n_objects, n_objects))
    for i, length in enumerate(lengths):
        S[i, rng.choice(np.delete(np.arange(n_objects), i), length, replace=False)] = rng.random(length)
    return S


@each_pull
@in_one_test("n_components", [1, 2, 3])
@in_one_test("spread", [1e-4, 1.0, 30.0])
def test_a_pull_is_its_formula(pull, n_components, spread):
    Y = spread * np.random.default_rng(1).normal(size=(40, n_components))
    assert_is_formula(pull, rows_of([13] * 40, 40), Y)


@each_pull
@pytest.mark.parametrize("n_components", [2, 3])
def test_rows_of_every_length_are_whole(pull, n_components):
    # Eight pairs are taken at a time: none, a part, whole ones and a part, and a hub; long rows first, short ones last.
    lengths = [*range(26), 59, *range(25, -1, -1), 0, 0, 1]
    Y = np.random.default_rng(2).normal(size=(len(lengths) + 4, n_components))
    assert_is_formula(pull, rows_of(lengths, len(Y)), Y)


@each_pull
@in_one_test("lengths", [[2, 1, 3], [0, 0, 3], [7, 0, 0], [1, 9, 1], [3, 3, 2]])
def test_the_first_few_pairs_have_nothing_before_them(pull, lengths):
    Y = np.random.default_rng(3).normal(size=(12, 2))
    assert_is_formula(pull, rows_of(lengths, 12), Y)


@each_pull
def test_maps_far_off_and_wide_lose_no_digits(pull):
    rng = np.random.default_rng(4)
    S = rows_of([20] * 60, 60)
    # Ten digits are left of the differences at 1e6, and all of them in a map 2000 wide.
    Y = np.round(rng.normal(size=(60, 2)) * 2**20) / 2**20
    assert_is_formula(pull, S, Y + 2.0**20)
    tight = np.repeat(rng.normal(size=(12, 2)) * 1000, 5, axis=0) + 1e-3 * rng.normal(size=(60, 2))
    assert_is_formula(pull, S, tight, 1e-12)


@each_pull
def test_coincident_points_do_not_pull_at_each_other(pull):
    S = rows_of([11] * 20, 20)
    found = pull(store(sparse.csr_array(S), sparse.csr_array(S)), np.full((20, 2), 7.5))
    assert not found[1].any()
    expected = plain(pull, S, np.zeros((20, 2)))[0]
    assert found[0] == pytest.approx(expected, rel=1e-13, abs=1e-13)


@each_pull
@in_one_test("nowhere", [np.inf, -np.inf, np.nan])
def test_a_cost_tells_of_a_point_that_is_nowhere(pull, nowhere):
    # A run stops by its objective.
    S = rows_of([11] * 20, 20)
    Y = np.random.default_rng(9).normal(size=(20, 2))
    Y[4, 1] = nowhere
    with np.errstate(invalid="ignore"):
        assert not np.isfinite(pull(store(sparse.csr_array(S), sparse.csr_array(S)), Y)[0])


def test_a_pair_that_only_the_background_explains_has_no_share():
    S = rows_of([9] * 10, 10)
    Y = np.random.default_rng(5).normal(size=(10, 2)) * 1e4
    energy, forces, share = uniform_pull(store(sparse.csr_array(S), sparse.csr_array(S)), Y)
    assert energy == pytest.approx(-S.sum() * np.log(BACKGROUND / 90), rel=1e-13)
    assert np.isfinite(forces).all() and np.abs(forces).max() < 1e-200 and 0 <= share < 1e-200


@each_pull
@pytest.mark.parametrize("n_components", [2, 3])
def test_the_bits_are_the_same_for_any_number_of_threads(pull, n_components):
    S = rows_of(np.random.default_rng(6).integers(0, 60, 300), 300)
    pairs = store(sparse.csr_array(S), sparse.csr_array(S))
    Y = np.random.default_rng(7).normal(size=(300, n_components)) * 5
    no_bit_depends_on_threads(lambda: pull(pairs, Y))


@pytest.mark.skipif(bool(os.environ.get("NUMBA_DISABLE_JIT")), reason="nothing is compiled")
def test_a_kernel_is_compiled_once_for_every_kind_of_input():
    S = sparse.csr_array(rows_of([5] * 12, 12))
    pairs, Y = store(S, S), np.random.default_rng(8).normal(size=(12, 4))
    kernel = stored_pairs.in_plane.__wrapped__
    expected, *_ = gaussian_pull(pairs, Y[:, :2])[1], student_pull(pairs, Y[:, :2]), uniform_pull(pairs, Y[:, :2])
    before = len(kernel.signatures)
    writable = StoredPairs(pairs.pointers.astype(np.int32), *(a.copy() for a in pairs[1:3]), pairs.negentropy)
    read_only = Y[:, :2].copy()
    read_only.flags.writeable = False
    for points in (Y[:, :2], read_only, np.asfortranarray(Y[:, :2])):
        for some in (pairs, writable):
            student_pull(some, points), uniform_pull(some, points)
            np.testing.assert_array_equal(gaussian_pull(some, points)[1], expected)
    assert len(kernel.signatures) == before


def test_what_cannot_change_is_not_copied_and_what_can_is():
    S = sparse.csr_array(rows_of([5] * 12, 12))
    pairs = store(S, S)
    before = pairs.strengths.copy()
    S.data *= 2
    np.testing.assert_array_equal(pairs.strengths, before)
    S.indices = S.indices.astype(np.int32)
    for part in (S.data, S.indices, S.indptr):
        part.flags.writeable = False
    pairs = store(S, S)
    assert np.shares_memory(pairs.strengths, S.data) and np.shares_memory(pairs.columns, S.indices)
    assert not any(a.flags.writeable for a in pairs[:3])


def test_to_store_leaves_the_matrix_as_it_was():
    data, columns = np.array([1.0, 2.0, 3.0, 4.0]), np.array([2, 1, 0, 2])
    S = sparse.csr_array((data, columns, np.array([0, 2, 4, 4])), (3, 3))
    pairs = store(S, S)
    np.testing.assert_array_equal(S.indices, [2, 1, 0, 2])
    np.testing.assert_array_equal(pairs.columns, [1, 2, 0, 2])
    np.testing.assert_array_equal(pairs.strengths, [2.0, 1.0, 3.0, 4.0])


def test_blocks_of_rows_hold_equal_numbers_of_pairs():
    lengths = np.zeros(1000, int)
    lengths[:100] = 90  # hubs come first, as the commonest words do
    S = sparse.csr_array(rows_of(lengths, 1000))
    pointers, *_, blocks = share_out(store(S, S))
    assert blocks[0] == 0 and blocks[-1] == 1000 and np.all(np.diff(blocks) >= 0)
    half = len(blocks) // 2
    assert abs(pointers[blocks[half]] - S.nnz / 2) < 0.06 * S.nnz


@pytest.mark.plain
@each_pull
def test_strengths_in_single_precision_pull_as_those_in_double_to_six_digits(pull):
    S = rows_of([0, 1, 7, 8, 9, 20, 40] * 9, 63)
    S = sparse.csr_array((S + S.T).astype(np.float32))
    Y = 3 * np.random.default_rng(1).normal(size=(63, 2))
    single, double = store(S, S, single=True), store(S.astype(np.float64), S.astype(np.float64), single=True)
    assert single.strengths.dtype == np.float32 and double.strengths.dtype == np.float64
    assert store(S, S).strengths.dtype == np.float64
    for a, b in zip(pull(single, Y), pull(double, Y), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-6 * np.abs(b).max())


def test_the_negentropy_by_parts_is_that_of_the_whole(monkeypatch):
    p = np.random.default_rng(0).dirichlet(np.ones(1000))
    p[[3, 998]] = 0.0
    whole = stored_pairs._negentropy(p)
    monkeypatch.setattr(stored_pairs, "_PART", 64)
    assert stored_pairs._negentropy(p) == pytest.approx(whole, rel=1e-14)


def test_many_strengths_of_one_map_are_in_single_precision(monkeypatch):
    S = sparse.csr_array(np.ones((4, 4)))
    for most, one_map, several in ((16, np.float64, np.float64), (15, np.float32, np.float64)):
        monkeypatch.setattr(stored_pairs, "MANY", most)
        assert store(S, S, single=True).strengths.dtype == one_map and store(S, S).strengths.dtype == several
