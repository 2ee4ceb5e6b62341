"""One object among fitted ones, against expectation and maximization in plain NumPy."""

import numpy as np
import pytest
from scipy import sparse

from notebook_sne.engine.machine.parallel import threads
from notebook_sne.engine.mathematics import modes, row_mixtures
from notebook_sne.engine.mathematics.row_mixtures import RowMixtures
from tests import reference
from tests.tables import in_one_test

each_kernel = pytest.mark.parametrize("student", [False, True], ids=["gaussian", "student"])


def setting(n_rows=4, n_maps=3, n_objects=14, n_components=2, seed=0):
    rng = np.random.default_rng(seed)
    P = rng.random((n_rows, n_objects)) * (rng.random((n_rows, n_objects)) < 0.5)
    P[:, -1] += 0.1  # no empty row
    P[range(n_rows), range(n_rows)] = 0.0  # row i may belong to object i
    maps = 1.5 * rng.normal(size=(n_maps, n_objects, n_components))
    return sparse.csr_array(P), maps, rng.dirichlet(np.ones(n_maps), n_objects).T


def mixtures(rows, maps, mixing, *arguments, **options):
    return row_mixtures.row_mixtures(rows, maps, mixing, *arguments, **options)


def rows_of(found, rows):
    """The parts of each row."""
    return [found.parts[rows.indptr[i] : rows.indptr[i + 1]] for i in range(rows.shape[0])]


@each_kernel
@in_one_test("n_components", [1, 2, 3])
@in_one_test("owned", [False, True])
def test_all_is_as_in_the_plain_form(student, n_components, owned):
    rows, maps, mixing = setting(n_components=n_components)
    owners = np.arange(4) if owned else np.full(4, -1)
    found = mixtures(rows, maps, mixing, owners, student=student)
    for i, parts in enumerate(rows_of(found, rows)):
        slow = reference.row_mixture(rows[[i]].toarray()[0], maps, mixing, owners[i], student=student)
        np.testing.assert_array_equal(found.maps[i], slow["maps"])
        for name in ("places", "shares", "weights"):
            np.testing.assert_allclose(getattr(found, name)[i], slow[name], rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(parts, slow["parts"], rtol=1e-9, atol=1e-9)
        assert found.unexplained[i] == pytest.approx(slow["unexplained"], abs=1e-9)


@each_kernel
def test_the_density_of_each_map_sums_to_one_over_the_others(student):
    _, maps, mixing = setting()
    P = np.ones((1, 14))
    P[0, 5] = 0.0
    found = mixtures(sparse.csr_array(P), maps, mixing, np.array([5]), student=student)
    for m, y, z in zip(found.maps[0], found.places[0], found.weights[0], strict=True):
        f, expected, _ = reference.row_density(maps[m], mixing[m], y, 5, student=student)
        assert f.sum() == pytest.approx(1.0) and f[5] == 0.0
        assert z == pytest.approx(expected)


@each_kernel
def test_what_climbs_is_the_likelihood_of_the_associates(student, monkeypatch):
    rows, maps, mixing = setting()
    values = []
    for turns in range(1, 12):
        monkeypatch.setattr(reference, "ROW_TURNS", turns)
        slow = [reference.row_mixture(row, maps, mixing, student=student) for row in rows.toarray()]
        values.append([one["likelihood"] for one in slow])
    assert (np.diff(values, axis=0) > -1e-12).all()
    assert (np.array(values[-1]) > np.array(values[0]) + 1e-3).all()


@each_kernel
@pytest.mark.parametrize("n_components", [1, 2, 3])
def test_a_place_moves_along_the_gradient_of_its_gain(student, n_components):
    rows, maps, mixing = setting(n_components=n_components)
    p = rows[[0]].toarray()[0]
    p /= p.sum()
    for m in range(3):
        rng = np.random.default_rng(m)
        r, y = rng.random(14), rng.normal(size=n_components)
        r[0] = 0.0  # the owner

        def gain(y, m=m, r=r):
            f = reference.row_density(maps[m], mixing[m], y, 0, student=student)[0]
            return np.sum(p[1:] * r[1:] * np.log(f[1:]))

        numeric = reference.central_difference(gain, y.copy())
        step = reference.row_step(p, r, maps[m], mixing[m], y, 0, student=student)
        # The step is the gradient over twice the share a_m.
        np.testing.assert_allclose(2 * np.sum(p * r) * step, numeric, atol=1e-6 * np.linalg.norm(numeric))


def test_a_mode_is_where_most_associates_lie_together():
    rng = np.random.default_rng(0)
    maps = np.concatenate([0.1 * rng.normal(size=(6, 2)), 0.1 * rng.normal(size=(5, 2)) + 8.0])[None]
    found = mixtures(sparse.csr_array(np.ones((1, 11))), maps, np.ones((1, 11)))
    assert np.linalg.norm(found.places[0, 0] - maps[0, :6].mean(axis=0)) < 0.05


def test_seeds_of_equal_strength_are_all_tried():
    # The first associate is alone; the mode is reached from the second and the third, which are as strong.
    maps = np.array([[[9.0, 0.0], [0.0, 0.0], [0.1, 0.0]]])
    found = mixtures(sparse.csr_array(np.ones((1, 3))), maps, np.ones((1, 3)))
    assert abs(found.places[0, 0, 0]) < 0.2


def planted(n_each=12, seed=0):
    """Three maps, in each of which a group of its own lies together in one spot, and all others elsewhere."""
    rng = np.random.default_rng(seed)
    n = 3 * n_each
    maps, mixing = 6.0 * rng.normal(size=(3, n, 2)), np.full((3, n), 0.02)
    for m in range(3):
        own = slice(m * n_each, (m + 1) * n_each)
        maps[m, own] = 0.4 * rng.normal(size=(n_each, 2))
        mixing[m, own] = 0.96
    return maps, mixing


@each_kernel
def test_planted_mixtures_are_recovered(student):
    maps, mixing = planted()
    P = np.zeros((2, 36))
    P[0, :12], P[0, 24:] = 0.7 / 12, 0.3 / 12
    P[1, 12:24] = 1 / 12
    rows = sparse.csr_array(P)
    found = mixtures(rows, maps, mixing, student=student)
    parts = rows_of(found, rows)
    assert list(found.maps[0, :2]) == [0, 2] and found.maps[1, 0] == 1
    np.testing.assert_allclose(found.shares[0, :2], [0.7, 0.3], atol=0.03)  # one word may have a map to itself
    assert found.shares[1, 0] > 0.97
    assert (parts[0][:12].argmax(axis=1) == 0).all() and (parts[0][12:].argmax(axis=1) == 1).all()
    assert np.linalg.norm(found.places[0, 0]) < 0.4 and np.linalg.norm(found.places[0, 1]) < 0.4


def test_what_no_map_explains_is_left_to_the_even_component():
    maps, mixing = planted()
    P = np.zeros((1, 36))
    P[0, :12] = 1.0
    P[0, [14, 27]] = 3.0  # each is alone wherever it is not with its own group
    found = mixtures(sparse.csr_array(P), maps, mixing, n_components=1)
    assert found.shares.shape == (1, 1)
    assert (found.parts[12:] < 1e-3).all() and found.unexplained[0] >= 6 / 18
    without = mixtures(sparse.csr_array(np.arange(36)[None] < 12) * 1.0, maps, mixing, n_components=1)
    assert without.unexplained[0] < 0.01


@each_kernel
def test_shares_and_proportions_say_the_same(student):
    rows, maps, mixing = setting()
    found = mixtures(rows, maps, mixing, student=student)
    new = found.mixing(3)
    np.testing.assert_allclose(new.sum(axis=0), 1.0)
    # a_m = pi_i^m z_m / sum_k pi_i^k z_k, but for what the even component has.
    strength = np.take_along_axis(new.T, found.maps, axis=1) * found.weights
    expected = strength / strength.sum(axis=1, keepdims=True) * (1 - found.unexplained)[:, None]
    np.testing.assert_allclose(found.shares, expected, rtol=1e-12)
    # And so the row of Q is that of one more object in the fit [Cook2007, Eq. 7].
    for i, row in enumerate(rows.toarray()):
        Q = np.zeros(14)
        by_maps = np.zeros(14)
        for c, m in enumerate(found.maps[i]):
            f, _, _ = reference.row_density(maps[m], mixing[m], found.places[i, c], student=student)
            squares = np.square(maps[m] - found.places[i, c]).sum(axis=1)
            by_maps += new[m, i] * mixing[m] * (1 / (1 + squares) if student else np.exp(-squares))
            Q += found.shares[i, c] * f
        np.testing.assert_allclose(by_maps / by_maps.sum(), Q / Q.sum(), rtol=1e-9)
        assert row.any()


def test_shares_add_up_and_the_largest_comes_first():
    rows, maps, mixing = setting(n_maps=12, n_rows=6)
    found = mixtures(rows, maps, mixing)
    assert found.maps.shape == (6, row_mixtures.N_COMPONENTS)
    np.testing.assert_allclose(found.shares.sum(axis=1) + found.unexplained, 1.0)
    assert (np.diff(found.shares, axis=1) <= 0).all()
    for i, parts in enumerate(rows_of(found, rows)):
        p = rows[[i]].data / rows[[i]].data.sum()
        np.testing.assert_allclose(p @ parts, found.shares[i], atol=1e-12)


def test_a_row_is_read_up_to_a_factor_and_an_empty_one_has_no_component():
    rows, maps, mixing = setting()
    found = mixtures(rows, maps, mixing)
    scaled = mixtures(1024.0 * rows, maps, mixing)
    assert all(np.array_equal(a, b) for a, b in zip(found, scaled, strict=True))
    P = rows.toarray()
    P[1] = 0.0
    found = mixtures(sparse.csr_array(P), maps, mixing)
    assert (found.maps[1] == -1).all() and (found.shares[1] == 0).all() and found.unexplained[1] == 1.0
    assert (found.mixing(3)[:, 1] == 0).all() and (found.shares[[0, 2, 3]].sum(axis=1) > 0.5).all()
    nothing = mixtures(sparse.csr_array((2, 14)), maps, mixing)
    assert nothing.parts.shape == (0, 3) and (nothing.unexplained == 1.0).all()


@each_kernel
def test_an_object_has_no_part_in_its_own_row(student):
    rows, maps, mixing = setting()
    found = mixtures(rows, maps, mixing, np.arange(4), student=student)
    away = maps.copy()
    away[:, 0] = 1e3  # row 0 does not tell where object 0 is
    moved = mixtures(rows, away, mixing, np.arange(4), student=student)
    np.testing.assert_allclose(moved.shares[0], found.shares[0], rtol=1e-9)
    np.testing.assert_allclose(moved.places[0], found.places[0], rtol=1e-9)
    assert not np.allclose(mixtures(rows, maps, mixing, student=student).shares[0], found.shares[0])


def test_an_object_beside_which_all_others_are_far_leaves_nothing_of_itself():
    # Its own term is 1e16 times that of all others: as a difference of sums, z would be rounding alone.
    maps, mixing = np.array([[[0.0], [6.5], [6.6], [6.7]]]), np.ones((1, 4))
    squares = np.square(maps[0, 1:, 0] - 6.6)
    found = mixtures(sparse.csr_array([[0.0, 1.0, 2.0, 1.0]]), maps, mixing, np.array([0]))
    assert found.weights[0, 0] == pytest.approx(np.exp(-squares).sum(), rel=1e-6)
    assert found.places[0, 0, 0] == pytest.approx(6.6, abs=1e-6)


@pytest.mark.parametrize("n_maps", [60, 2])
def test_however_even_the_proportions_are_some_map_is_tried(n_maps):
    rng = np.random.default_rng(0)
    maps = rng.normal(size=(n_maps, 12, 2))
    found = mixtures(sparse.csr_array(np.ones((1, 12))), maps, np.full((n_maps, 12), 1 / n_maps))
    assert (found.maps >= 0).all() and found.shares.sum() > 0.1


def test_an_associate_that_is_left_out_of_z_has_at_most_the_density_one(monkeypatch):
    monkeypatch.setattr(row_mixtures, "_PRESENT", 0.5)
    maps, mixing = np.array([[[0.0], [0.1], [50.0]]]), np.array([[1.0, 1.0, 0.4]])
    found = mixtures(sparse.csr_array([[0.0, 0.0, 1.0]]), maps, mixing)
    assert np.isfinite(found.places).all() and 0.99 < found.shares[0, 0] <= 1.0
    assert found.parts[0, 0] == pytest.approx(found.shares[0, 0])


@each_kernel
def test_every_row_is_the_same_alone_and_with_any_number_of_threads(student):
    rows, maps, mixing = setting(n_rows=9)
    owners = np.arange(9)
    with threads(1):
        one = mixtures(rows, maps, mixing, owners, student=student)
    with threads(2):
        two = mixtures(rows, maps, mixing, owners, student=student)
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))
    for i, parts in enumerate(rows_of(one, rows)):
        alone = mixtures(rows[[i]], maps, mixing, owners[[i]], student=student)
        for name in ("maps", "places", "shares", "unexplained", "weights"):
            assert np.array_equal(getattr(alone, name)[0], getattr(one, name)[i])
        assert np.array_equal(alone.parts, parts)


def test_without_parts_all_else_is_the_same():
    rows, maps, mixing = setting()
    found, short = mixtures(rows, maps, mixing), mixtures(rows, maps, mixing, parts=False)
    assert short.parts.shape == (0, 3)
    assert all(np.array_equal(a, b) for a, b in zip(found[:-1], short[:-1], strict=True))


def test_read_only_arrays_and_those_of_other_layouts_are_taken():
    rows, maps, mixing = setting()
    expected = mixtures(rows, maps, mixing, np.arange(4))
    given = rows.copy(), np.asfortranarray(maps), mixing[::-1][::-1].copy(), np.arange(4, dtype=np.int32)
    for part in (given[0].data, given[0].indices, given[0].indptr, *given[1:]):
        part.flags.writeable = False
    found = mixtures(*given)
    assert all(np.array_equal(a, b) for a, b in zip(found, expected, strict=True))
    assert isinstance(found, RowMixtures)


def test_the_least_mass_of_a_map_is_that_of_the_reference():
    assert (reference.ROW_LEAST_MASS, reference.ROW_SEEDS, reference.ROW_SHIFTS) == (
        modes._LEAST_MASS,
        modes._SEEDS,
        modes._SHIFTS,
    )
    assert (reference.ROW_TURNS, reference.ROW_SWEEPS) == (row_mixtures._TURNS, row_mixtures._SWEEPS)
