import itertools
import threading

import numpy as np
import pytest

from notebook_sne.engine.sums import mesh_sums
from notebook_sne.engine.sums.influence import own_terms
from notebook_sne.engine.sums.mesh_sums import LEAST_ACCURACY, gaussian_mesh_sums, student_mesh_sums
from notebook_sne.engine.sums.meshes import lay_out
from notebook_sne.engine.sums.pair_sums import gaussian_sums, student_sums
from notebook_sne.engine.sums.splines import _bspline, _cubic, bspline_table
from tests.standins.threads import no_bit_depends_on_threads
from tests.sums.layouts import exact, layouts

MAPS = layouts()
SPREAD_OUT = ("two distant clouds", "heavy tails")  # over the largest meshes
SUMS = {"gaussian": (gaussian_mesh_sums, np.inf, gaussian_sums), "student": (student_mesh_sums, 1.0, student_sums)}


def error(Y, weights, kernel, most=400, **options):
    """Root mean square error of the forces as a share of theirs, and the largest relative error of a value."""
    sums, freedom, _ = SUMS[kernel]
    freedom = options.get("degrees_of_freedom", freedom)
    values, forces = sums(Y, weights, **options)
    assert np.isfinite(values).all() and np.isfinite(forces).all()
    rows = np.sort(np.random.default_rng(1).choice(len(Y), min(most, len(Y)), replace=False))
    value, force = exact(Y, np.ones(len(Y)) if weights is None else weights, freedom, rows)
    # Below 1e-20 exact sums in single precision have a floor of their own.
    told = value > (1e-20 if weights is None else 1e-4 * value.max())
    of_values = np.abs(values[rows][told] / value[told] - 1).max(initial=0.0)
    of_all = np.square(force).sum()
    return np.sqrt(np.square(forces[rows] - force).sum() / of_all) if of_all > 1e-40 else 0.0, of_values


@pytest.mark.slow
@pytest.mark.sampled(6)
@pytest.mark.parametrize("kernel", SUMS)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.compiled] if name in SPREAD_OUT else []) for name in MAPS]
)
def test_errors_are_as_stated(kernel, name):
    for accuracy in (4e-2, 1e-2, 2e-3, 1e-3):
        of_forces, of_values = error(MAPS[name], None, kernel, accuracy=accuracy)
        assert of_forces <= accuracy, accuracy
        assert of_values <= accuracy, accuracy


@pytest.mark.parametrize("kernel", SUMS)
def test_errors_are_as_stated_with_weights(kernel):
    rng = np.random.default_rng(2)
    Y = MAPS["cloud"]
    some_far_heavier = np.where(np.arange(len(Y)) % 2000 == 7, 1e7, 1.0)
    for weights in (10 ** rng.uniform(-6, 0, len(Y)), some_far_heavier, rng.standard_normal(len(Y)) ** 2 + 0.1):
        assert max(error(Y, weights, kernel)) <= 1e-2
    heavy = np.flatnonzero(some_far_heavier > 1)
    values, _ = SUMS[kernel][0](Y, some_far_heavier)
    expected, _ = exact(Y, some_far_heavier, SUMS[kernel][1], heavy)
    np.testing.assert_allclose(
        values[heavy], expected, rtol=1e-4
    )  # those that drown others are not drowned by themselves


@pytest.mark.slow
@pytest.mark.parametrize("degrees_of_freedom", [0.3, 1.0, 2.5, 30.0])
def test_any_number_of_degrees_of_freedom(degrees_of_freedom):
    for name in ("dense", "sparse", "outliers", "spread 0.01"):
        assert max(error(MAPS[name], None, "student", degrees_of_freedom=degrees_of_freedom)) <= 1e-2, name


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("kernel", SUMS)
def test_a_map_that_grows_is_followed(kernel):
    # 1.3-fold steps from a start to beyond what a mesh should span; no step may be out of line.
    rng = np.random.default_rng(3)
    start = rng.standard_normal((1200, 2))
    for power in range(-36, 28, 2):
        assert max(error(1.3**power * start, None, kernel, most=60)) <= 1e-2, power


def nodes(Y, kernel, always=True):
    meshes, rows, _ = lay_out(Y, np.array([0, len(Y)]), (6, 1 / 3, 0.0), kernel == "gaussian", always)
    return sum(mesh.period[0] * mesh.period[1] * len(mesh.firsts) for mesh in meshes), len(rows)


@pytest.mark.parametrize("kernel", SUMS)
def test_a_far_outlier_does_not_blow_up_the_mesh(kernel):
    plain, _ = nodes(MAPS["cloud"], kernel)
    with_outliers, apart = nodes(MAPS["outliers"], kernel)
    # The Gaussian cuts empty space out, which costs a cell's reach for each gap; Student's t leaves the three out.
    assert with_outliers <= (2.5 if kernel == "gaussian" else 1.1) * plain
    assert apart <= len(MAPS["outliers"]) // 20


def test_empty_space_between_clouds_costs_a_gaussian_nothing():
    near, far = MAPS["cloud"].copy(), MAPS["cloud"].copy()
    near[1500:] += 60
    far[1500:] += 1e8
    assert nodes(far, "gaussian")[0] <= 1.2 * nodes(near, "gaussian")[0]


def test_a_map_too_wide_for_memory_is_summed_exactly():
    Y = 1e7 * np.random.default_rng(4).random((300, 2))
    assert nodes(Y, "student") == (0, 300)
    assert max(error(Y, None, "student")) <= 1e-2


@pytest.mark.parametrize("kernel", SUMS)
def test_groups_do_not_feel_each_other(kernel):
    sums, freedom, _ = SUMS[kernel]
    rng = np.random.default_rng(5)
    sizes = [0, 700, 3, 500, 1, 650, 0]
    scales = [1, 3, 1, 1e-3, 1, 20, 1]
    groups = np.concatenate([[0], np.cumsum(sizes)])
    Y = np.concatenate([s * rng.standard_normal((n, 2)) for n, s in zip(sizes, scales, strict=True)])
    weights = rng.random(len(Y))
    values, forces = sums(Y, weights, groups=groups)
    for start, stop in itertools.pairwise(groups):
        if stop > start:
            value, force = exact(Y[start:stop], weights[start:stop], freedom, np.arange(stop - start))
            np.testing.assert_allclose(values[start:stop], value, rtol=1e-2, atol=1e-5 * value.max() + 1e-25)
            assert np.linalg.norm(forces[start:stop] - force) <= 1e-2 * np.linalg.norm(force) + 1e-12


@pytest.mark.parametrize("kernel", SUMS)
def test_maps_on_a_line(kernel):
    sums, freedom, _ = SUMS[kernel]
    Y = np.random.default_rng(6).standard_normal((800, 1)) * 20
    values, forces = sums(Y)
    value, force = exact(Y, np.ones(800), freedom, np.arange(800))
    assert forces.shape == (800, 1)
    np.testing.assert_allclose(values, value, rtol=1e-2, atol=1e-25)
    assert np.linalg.norm(forces - force) <= 1e-2 * np.linalg.norm(force)


@pytest.mark.parametrize("kernel", SUMS)
def test_points_all_in_one_place_have_no_force(kernel):
    values, forces = SUMS[kernel][0](np.full((40, 2), 0.1))
    np.testing.assert_allclose(values, 39, rtol=1e-6)
    assert np.abs(forces).max() < 1e-9


@pytest.mark.parametrize("kernel", SUMS)
def test_the_bits_do_not_depend_on_the_number_of_threads(kernel):
    for name in ("cloud", "outliers", "spread 0.01", "very sparse"):

        def anew(name=name):
            mesh_sums._last = threading.local()  # nothing remembered
            return SUMS[kernel][0](MAPS[name])

        no_bit_depends_on_threads(anew)


@pytest.mark.parametrize("kernel", SUMS)
def test_points_changed_in_place_are_other_points(kernel):
    sums = SUMS[kernel][0]
    Y = MAPS["dense"].copy()
    sums(Y)
    Y[0] += 1.0
    again = sums(Y)
    mesh_sums._last = threading.local()
    for one, other in zip(again, sums(Y), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("kernel", SUMS)
def test_read_only_strided_and_single_precision_points_are_taken(kernel):
    sums = SUMS[kernel][0]
    wide = np.random.default_rng(7).normal(size=(600, 4)).astype(np.float32)
    Y = wide[:, ::2]
    Y.flags.writeable = False
    np.testing.assert_array_equal(sums(Y)[0], sums(Y.astype(float).copy())[0])


@pytest.mark.compiled
@pytest.mark.parametrize("kernel", SUMS)
def test_where_exact_sums_are_quicker_they_are_exact(kernel):
    sums, _, exactly = SUMS[kernel]
    rng = np.random.default_rng(8)
    for Y in (rng.standard_normal((500, 2)), rng.standard_normal((60, 3))):
        for one, other in zip(sums(Y, always=False), exactly(Y), strict=True):
            np.testing.assert_array_equal(one, other)
    Y = 5 * rng.standard_normal((6000, 2))
    assert not np.array_equal(sums(Y, always=False)[0], exactly(Y)[0])


@pytest.mark.parametrize("kernel", SUMS)
def test_what_cannot_be_summed_is_refused(kernel):
    sums = SUMS[kernel][0]
    Y = np.random.default_rng(9).normal(size=(50, 2))
    with pytest.raises(ValueError, match=r"accuracy must be at least 0.001.* got 1e-05; use exact sums"):
        sums(Y, accuracy=1e-5)
    assert sums(Y, accuracy=LEAST_ACCURACY)
    with pytest.raises(ValueError, match="Y must have one or two columns for sums by a mesh, got 3"):
        sums(np.zeros((50, 3)))
    Y[[7, 30]] = [[np.nan, 0], [0, np.inf]]
    with pytest.raises(ValueError, match=r"Y must be finite, got \[nan  ?0\.\] for objects 7, 30"):
        sums(Y)
    with pytest.raises(ValueError, match="degrees_of_freedom must be positive"):
        student_mesh_sums(Y, degrees_of_freedom=0.0)


# What the mesh is made of.


@pytest.mark.parametrize("order", [4, 6, 8])
def test_shares_sum_to_one_and_slopes_are_theirs(order):
    u = np.linspace(0, 0.999, 7)
    a, slope = bspline_table(u, order)
    np.testing.assert_allclose(a.sum(axis=1), 1, rtol=1e-14)
    assert (a >= 0).all()
    step = 1e-6
    np.testing.assert_allclose(
        slope, (bspline_table(u + step, order)[0] - bspline_table(u - step, order)[0]) / (2 * step), atol=1e-8
    )


def test_the_cubic_is_the_spline_of_order_four():
    # De Boor's recursion by hand, from the hat function.
    for u in (0.0, 0.3, 0.9999):
        W, D = np.empty(4), np.empty(4)
        _cubic(u, W, D)
        hat = np.array([1 - u, u])
        square = np.array([(1 - u) * hat[0], (u + 1) * hat[0] + (2 - u) * hat[1], u * hat[1]]) / 2
        cube = (
            np.array(
                [
                    (1 - u) * square[0],
                    (u + 2) * square[0] + (2 - u) * square[1],
                    (u + 1) * square[1] + (3 - u) * square[2],
                    u * square[2],
                ]
            )
            / 3
        )
        np.testing.assert_allclose(W, cube, atol=1e-15)
        np.testing.assert_allclose(D, np.diff(np.concatenate([[0], square, [0]])) * -1, atol=1e-15)
        assert _bspline is not _cubic


def test_the_quintic_is_the_spline_of_order_six():
    u = np.linspace(0, 0.9999, 9)
    below = np.pad(bspline_table(u, 5)[0], ((0, 0), (1, 1)))  # by the recursion that serves any order
    j = np.arange(6)
    expected = ((u[:, None] + 5 - j) * below[:, :-1] + (j + 1 - u[:, None]) * below[:, 1:]) / 5
    a, slope = bspline_table(u, 6)
    np.testing.assert_allclose(a, expected, atol=1e-15)
    np.testing.assert_allclose(slope, -np.diff(below, axis=1), atol=1e-15)


@pytest.mark.parametrize("kernel", SUMS)
def test_a_point_alone_feels_nothing(kernel):
    # Forty points out of reach of each other, each at another place in its cell.
    Y = np.random.default_rng(10).random((40, 2)) + 1000.0 * np.arange(40)[:, None]
    if kernel == "student":
        assert np.abs(own_terms(6, 1 / 3, 1.0)[0] - 1).max() < 3e-3  # it would feel 1 and a little
        return
    values, forces = gaussian_mesh_sums(Y)
    assert np.abs(values).max() < 1e-6 and np.abs(forces).max() < 1e-6
