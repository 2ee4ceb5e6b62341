"""The pull of stored pairs under a mixture of maps against its formula in plain NumPy."""

import os

import numpy as np
import pytest
from scipy import sparse

from notebook_sne.engine.mathematics.mixing import log_proportions
from notebook_sne.engine.sums import stored_mixtures
from notebook_sne.engine.sums.stored_mixtures import mixture_pull
from notebook_sne.engine.sums.stored_pairs import StoredPairs, store
from tests.standins.threads import no_bit_depends_on_threads
from tests.sums.test_stored_pairs import rows_of
from tests.tables import in_one_test

each_kernel = pytest.mark.parametrize("student", [False, True])


def plain(S, Y, log_mixing, student):
    i, j = np.nonzero(S)
    s, differences = S[i, j], Y[:, i] - Y[:, j]
    d = np.square(differences).sum(axis=2)
    exponents = log_mixing[:, i] + log_mixing[:, j] - (np.log1p(d) if student else d)
    top = exponents.max(axis=0)
    near = np.exp(exponents - top)
    r = s * near / near.sum(axis=0)
    energy = -s @ (top + np.log(near.sum(axis=0)))
    shares, forces = np.zeros(Y.shape[:2]), np.zeros(Y.shape)
    for m in range(len(Y)):
        np.add.at(shares[m], i, r[m])
        np.add.at(forces[m], i, (r[m] / (1 + d[m] if student else 1))[:, None] * differences[m])
    return energy, forces, shares


def setting(n_maps, n_components=2, n_objects=40, lengths=None, spread=1.0, seed=0):
    rng = np.random.default_rng(seed)
    S = rows_of([13] * n_objects if lengths is None else lengths, n_objects)
    Y = spread * rng.normal(size=(n_maps, n_objects, n_components))
    return S, Y, log_proportions(2 * rng.normal(size=(n_maps, n_objects)))


def pull(S, Y, log_mixing, student, **options):
    return mixture_pull(store(sparse.csr_array(S), sparse.csr_array(S)), Y, log_mixing, student, **options)


def assert_near(found, expected, of_energy, of_forces):
    # Shares of a row of pairs sum to its strengths, by which its logarithms are weighed.
    assert found[0] == pytest.approx(expected[0], rel=of_energy, abs=of_energy * expected[2].sum())
    for here, there in zip(found[1:], expected[1:], strict=True):
        assert here.shape == there.shape and here.dtype == np.float64
        assert np.linalg.norm(here - there) <= of_forces * np.linalg.norm(there)


# A logarithm in single precision is right to 1e-7, of itself or of 1, as exp is; forces to a few roundings.
PRECISIONS = {np.float32: (1e-7, 2e-6), np.float64: (1e-13, 1e-13)}
each_precision = pytest.mark.parametrize("dtype", PRECISIONS)


@each_kernel
@each_precision
@in_one_test("n_components", [1, 2, 3])
@in_one_test("n_maps", [1, 2, 8, 9, 16, 50])
def test_a_pull_is_its_formula(n_maps, n_components, dtype, student):
    S, Y, log_mixing = setting(n_maps, n_components)
    assert_near(
        pull(S, Y, log_mixing, student, dtype=dtype), plain(S, Y, log_mixing, student), *PRECISIONS[dtype]
    )  # fmt: skip


@each_kernel
@each_precision
def test_empty_rows_and_hubs_are_whole(dtype, student):
    # A hub of more pairs than are summed at a time in single precision.
    lengths = [0, 1, 2, 300, 0, 128, 129, *[3] * 294, 0]
    S, Y, log_mixing = setting(3, n_objects=len(lengths) + 2, lengths=lengths)
    found = pull(S, Y, log_mixing, student, dtype=dtype)
    assert_near(found, plain(S, Y, log_mixing, student), *PRECISIONS[dtype])
    assert not found[1][:, 0].any() and not found[2][:, 0].any()


@each_kernel
@each_precision
def test_pairs_that_are_far_in_every_map_have_finite_shares(dtype, student):
    # exp(-d) is below the floor of either precision.
    S, Y, log_mixing = setting(5, spread=30.0)
    found = pull(S, Y, log_mixing, student, dtype=dtype)
    # The largest exponents are some hundreds, of which single precision knows 1e-4; shares of two near maps then too.
    assert_near(found, plain(S, Y, log_mixing, student), *((1e-7, 3e-5) if dtype == np.float32 else PRECISIONS[dtype]))
    np.testing.assert_allclose(found[2].sum(axis=0), S.sum(axis=1), rtol=1e-6)


@each_kernel
def test_a_map_is_measured_from_its_own_place(student):
    S, Y, log_mixing = setting(3)
    Y = np.round(Y * 2**20) / 2**20
    moved = Y + 2.0 ** np.array([0, 20, 25])[:, None, None]
    one, two = pull(S, Y, log_mixing, student), pull(S, moved, log_mixing, student)
    assert_near(two, plain(S, moved, log_mixing, student), 1e-7, 2e-6)
    assert_near(two, one, 1e-7, 1e-6)


@each_kernel
def test_wide_maps_are_summed_in_double_precision(student):
    S, Y, log_mixing = setting(3)
    Y[1] = np.repeat(1e3 * Y[1, :8], 5, axis=0) + Y[1]  # eight tight groups, far from each other
    assert_near(pull(S, Y, log_mixing, student), plain(S, Y, log_mixing, student), 1e-12, 1e-12)


@each_kernel
@each_precision
def test_coincident_points_do_not_pull_at_each_other(dtype, student):
    S, Y, log_mixing = setting(4)
    Y[:] = np.arange(4)[:, None, None]
    found = pull(S, Y, log_mixing, student, dtype=dtype)
    assert not found[1].any()
    assert_near(found, plain(S, Y, log_mixing, student), *PRECISIONS[dtype])


@each_kernel
@each_precision
def test_an_object_that_is_not_in_a_map_has_no_share_there(dtype, student):
    S, Y, log_mixing = setting(4)
    log_mixing[1, ::2] = -np.inf
    found = pull(S, Y, log_mixing, student, dtype=dtype)
    assert np.abs(found[2][1, ::2]).max() < 2.0**-40  # what the floor of exp, 2^-100, is of the least sum, 2^-60
    with np.errstate(invalid="ignore"):
        assert_near(found, plain(S, Y, log_mixing, student), *PRECISIONS[dtype])


@each_kernel
@each_precision
@in_one_test("nowhere", [np.inf, -np.inf, np.nan])
def test_a_cost_tells_of_a_point_that_is_nowhere(nowhere, dtype, student):
    S, Y, log_mixing = setting(4)
    Y[2, 7, 1] = nowhere
    with np.errstate(invalid="ignore"):
        assert not np.isfinite(pull(S, Y, log_mixing, student, dtype=dtype)[0])


@each_kernel
def test_small_strengths_pull_in_proportion(student):
    # As those of a joint P of many objects: no share may sink among the numbers that are too small to be normal.
    S, Y, log_mixing = setting(5, spread=5.0)
    one, two = pull(S, Y, log_mixing, student), pull(S * 2.0**-80, Y, log_mixing, student)
    for here, there in zip(one, two, strict=True):
        np.testing.assert_array_equal(np.asarray(there) * 2.0**80, here)


@each_kernel
@each_precision
def test_the_bits_are_the_same_for_any_number_of_threads(dtype, student):
    lengths = np.random.default_rng(6).integers(0, 60, 300)
    S, Y, log_mixing = setting(9, n_objects=300, lengths=lengths)
    no_bit_depends_on_threads(lambda: pull(S, Y, log_mixing, student, dtype=dtype))


@pytest.mark.skipif(bool(os.environ.get("NUMBA_DISABLE_JIT")), reason="nothing is compiled")
def test_a_kernel_is_compiled_once_for_every_kind_of_input():
    S, Y, log_mixing = setting(3, n_objects=14)
    S = sparse.csr_array(S)
    pairs = store(S, S)
    expected = mixture_pull(pairs, Y, log_mixing)[1]
    kernels = [stored_mixtures.mixture_rows.__wrapped__, stored_mixtures.pack, stored_mixtures.ranges]
    before = [len(kernel.signatures) for kernel in kernels]
    writable = StoredPairs(pairs.pointers.astype(np.int32), *(a.copy() for a in pairs[1:3]), pairs.negentropy)
    read_only = Y.copy()
    read_only.flags.writeable = False
    for points in (Y, read_only, np.asfortranarray(Y)):
        for some in (pairs, writable):
            for logs in (log_mixing, np.asfortranarray(log_mixing)):
                mixture_pull(some, points, logs, student=True)
                np.testing.assert_array_equal(mixture_pull(some, points, logs)[1], expected)
    assert [len(kernel.signatures) for kernel in kernels] == before
