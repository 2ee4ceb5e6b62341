"""One object among all others that stay, against the formula in plain NumPy and a descent by SciPy."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.sparse import csr_array

import notebook_sne as ns
from notebook_sne.engine.sums.pair_sums import gaussian_sums, student_sums
from notebook_sne.quality import leave_one_out
from notebook_sne.quality.perturbations import Perturbations
from tests import reference
from tests.standins.threads import no_bit_depends_on_threads

KERNELS = {"student": student_sums, "gaussian": gaussian_sums}
each_kernel = pytest.mark.parametrize("kernel", KERNELS)


def setting(kernel, n=30, n_components=2, seed=0):
    rng = np.random.default_rng(seed)
    P = rng.random((n, n)) * (rng.random((n, n)) < 0.4)
    np.fill_diagonal(P, 0)
    P = P + P.T
    P /= P.sum()
    Y = rng.normal(size=(n, n_components)) * (3.0 if kernel == "student" else 0.8)
    values = KERNELS[kernel](Y, dtype=np.float64)[0]
    return P, Y, values.sum() - 2 * values


@pytest.mark.slow
@pytest.mark.sampled(6)
@each_kernel
@pytest.mark.parametrize("n_components", [1, 2, 3])
def test_cost_gradient_and_curvature_are_those_of_the_formula(kernel, n_components):
    P, Y, rest = setting(kernel, n_components=n_components)
    costs, gradients, H = leave_one_out.curvatures(csr_array(P), Y, rest, student=kernel == "student", dtype=np.float64)
    for i, y in enumerate(Y):
        cost = lambda y, i=i: reference.left_out(P, Y, i, y, kernel == "gaussian")  # noqa: E731
        assert costs[i] == pytest.approx(cost(y), rel=1e-10)
        slope = reference.central_difference(cost, y.copy())
        assert np.linalg.norm(gradients[i] - slope) < 1e-6 * max(np.linalg.norm(slope), 1e-3)
    # The gradient is the model's own: of all but the place of i, the cost is a constant.
    model = {"student": reference.tsne, "gaussian": reference.unisne}[kernel]
    np.testing.assert_allclose(gradients, model(P, Y)[1], rtol=1e-8, atol=1e-12)
    for i in range(5):
        for a in range(n_components):

            def bent(y, i=i, a=a):
                moved = Y.copy()
                moved[i] = y
                return model(P, moved)[1][i, a]

            curve = reference.central_difference(bent, Y[i].copy())
            assert np.linalg.norm(H[i, a] - curve) < 1e-6 * np.linalg.norm(H[i])


@pytest.mark.slow
@pytest.mark.sampled(2)
@each_kernel
def test_an_object_goes_where_the_lowest_of_three_descents_ends(kernel):
    P, Y, rest = setting(kernel)
    rows = np.arange(len(Y))
    rng = np.random.default_rng(1)
    moved = P * rng.uniform(0.2, 1.8, P.shape)  # the row of an object that has other neighbors now
    places, costs = leave_one_out.moved(moved, Y, rows, rest, student=kernel == "student", dtype=np.float64)
    for i in rows:
        starts = [Y[i], *Y[np.argsort(-moved[i])[:2]]]
        cost = lambda y, i=i: reference.left_out(moved, Y, i, y, kernel == "gaussian")  # noqa: E731
        assert costs[i] == pytest.approx(cost(places[i]), rel=1e-9)
        # Newton's steps and SciPy's may lead to different minima from one start: at rest, and not the highest of three.
        slope = reference.central_difference(cost, places[i].copy())
        assert np.linalg.norm(slope) < 1e-4
        ends = sorted(minimize(cost, start, method="BFGS").fun for start in starts)
        assert costs[i] < ends[2] + 1e-7
        assert costs[i] <= min(cost(start) for start in starts) + 1e-9


@pytest.mark.slow
@pytest.mark.sampled(2)
@pytest.mark.parametrize("perplexity", [5.0, 12.0])
def test_the_moved_row_of_p_is_the_formula(perplexity):
    X = np.random.default_rng(0).normal(size=(40, 4))
    found = Perturbations(X, perplexity, 0.7)
    unit = np.ptp(X, axis=0).max() / np.ptp(found.X, axis=0).max()
    rows = np.array([3, 17])
    D, moved = leave_one_out.squares_moved(found.X, rows, found.directions, 0.7 / unit)
    for r, i in enumerate(rows):
        for k, direction in enumerate(found.directions):
            wanted = reference.perturbed(X, perplexity, i, 0.7 * direction)[i]
            got = leave_one_out.joint_rows(found.widths, D[[r]], moved[[r], k], perplexity, found.kept, found.equal)[0]
            np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-12)


def test_a_duplicate_that_moves_away_leaves_its_neighbors_their_rows():
    """Objects with more duplicates than the perplexity share their mass among these; one that moves away has none."""
    rng = np.random.default_rng(0)
    X = np.concatenate([np.zeros((12, 3)), rng.normal(size=(30, 3)) + 4])
    with np.errstate(all="raise", under="ignore"):
        found = Perturbations(X, 5.0, 0.5)
        D, moved = leave_one_out.squares_moved(found.X, np.array([0]), found.directions, 0.05)
        P = leave_one_out.joint_rows(found.widths, D, moved[:, 0], 5.0, found.kept, found.equal)
    assert np.isfinite(P).all() and (P >= 0).all() and P[0, 0] == 0


@pytest.mark.slow
def test_no_bit_depends_on_threads():
    digits = ns.datasets.load_digits().sample(20, random_state=0)
    from notebook_sne.quality import perturbation_scores

    Y = np.random.default_rng(0).normal(size=(len(digits.X), 2)) * 10
    no_bit_depends_on_threads(lambda: [perturbation_scores(digits.X, Y, 10, objects=range(0, 200, 20))])
