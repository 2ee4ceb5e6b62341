"""Scores of reliability: what the paper says that they find, and what they refuse."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import spearmanr

import notebook_sne as ns
from notebook_sne.quality import leave_one_out, neighbor_recall, perturbation_scores, singularity_scores
from notebook_sne.quality.perturbations import Perturbations
from tests import reference
from tests.tables import in_one_test

CUSTOMARY = {  # the descent of before, of 100 objects, whose maps the shares below were measured on
    "max_iter": 1000,
    "exaggeration": ns.Steps(12.0, 1.0, at=250),
    "momentum": ns.Steps(0.5, 0.8, at=250),
    "learning_rate": 50.0,
}
TSNE = ns.TSNE(perplexity=15, random_state=0, max_iter=500)


@pytest.fixture(scope="module")
def between():
    """Digits, the last twenty of which are means of two of different classes, and a map of them."""
    digits = ns.datasets.load_digits().sample(30, random_state=0)
    rng = np.random.default_rng(0)
    left, right = rng.choice(np.flatnonzero(digits.labels < 5), 20), rng.choice(np.flatnonzero(digits.labels > 4), 20)
    X = np.concatenate([digits.X, (digits.X[left] + digits.X[right]) / 2])
    model = TSNE.set_params().fit(X)
    return X, model.embedding_, model.affinities_


@pytest.mark.slow
def test_objects_between_two_classes_go_far_when_they_are_moved(between):
    X, Y, _ = between
    scores = perturbation_scores(X, Y, 15)
    assert scores.shape == (320,) and (scores >= 0).all()
    # The share of pairs, one from each part, in which the object between two classes goes farther: 0.5 is chance.
    assert np.mean(scores[300:, None] > scores[:300]) > 0.7


@pytest.mark.slow
def test_some_objects_have_the_scores_that_they_have_among_all(between):
    X, Y, _ = between
    rows = [310, 3, 60]
    np.testing.assert_array_equal(perturbation_scores(X, Y, 15, objects=rows), perturbation_scores(X, Y, 15)[rows])


@pytest.fixture(scope="module")
def few():
    """Objects, a map of them, and the P that each of six moves of one of them brings, by the formula."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(16, 3)) * [3.0, 2.0, 1.0]
    directions = np.linalg.svd(X - X.mean(axis=0))[2]
    moved = [reference.perturbed(X, 5, 7, 0.5 * move) for move in (*directions, *-directions)]
    return X, X[:, :2] + 0.1 * rng.normal(size=(16, 2)), moved


@pytest.mark.plain
@pytest.mark.parametrize("kernel", ["student", "gaussian"])
def test_a_score_is_that_of_the_formula(few, kernel):
    X, Y, moved = few
    goes = []
    for P in moved:
        cost = lambda y, P=P: reference.left_out(P, Y, 7, y, kernel == "gaussian")  # noqa: E731
        ends = [minimize(cost, start) for start in (Y[7], *Y[np.argsort(-P[7])[:2]])]
        goes.append(np.linalg.norm(min(ends, key=lambda end: end.fun).x - Y[7]))
    score = perturbation_scores(X, Y, 5, length=0.5, objects=[7], kernel=kernel)
    # Sums over all points are of single precision, in which the place of a minimum is less sure than its cost.
    assert score == pytest.approx(max(goes), rel=2e-3)


@pytest.mark.slow
def test_scores_follow_neither_the_place_nor_the_unit_of_the_data(between):
    X, Y, _ = between
    rows = range(0, 320, 20)
    scores = perturbation_scores(X, Y, 15, objects=rows)
    turned = np.linalg.qr(np.random.default_rng(1).normal(size=(64, 64)))[0]
    long = perturbation_scores(X, Y, 15, length=2.0, objects=rows)
    for again, first in (
        (perturbation_scores(1e4 * X + 7, Y, 15, objects=rows), scores),
        (perturbation_scores(X @ turned, Y, 15, objects=rows), scores),
        (perturbation_scores(10 * X, Y, 15, length=20.0, objects=rows), long),
    ):
        # An object between two minima that are equally low may go to either, as rounding has it.
        assert np.isclose(again, first, rtol=1e-3, atol=1e-3).mean() > 0.7


@pytest.mark.slow
def test_an_object_that_hardly_moves_stays_where_a_map_at_rest_has_it():
    X = ns.datasets.load_digits().sample(15, random_state=0).X
    model = ns.TSNE(perplexity=10, max_iter=2000, random_state=0).fit(X)
    near = perturbation_scores(X, model.embedding_, 10, length=1e-6)
    far = perturbation_scores(X, model.embedding_, 10)
    assert np.median(near) < 0.02 * np.median(far)


@pytest.mark.compiled
def test_singularity_is_the_inverse_of_the_least_curvature(between):
    _, Y, P = between
    scores = singularity_scores(Y, P)
    dense = P.toarray()
    for i in range(0, 320, 60):

        def slope(y, a, i=i):
            moved = Y.copy()
            moved[i] = y
            return reference.tsne(dense, moved)[1][i, a]

        H = np.stack([reference.central_difference(lambda y, a=a: slope(y, a), Y[i].copy()) for a in (0, 1)])
        least = np.linalg.eigvalsh((H + H.T) / 2)[0]
        assert scores[i] == pytest.approx(1 / least if least > 0 else np.inf, rel=1e-3)


@pytest.mark.slow
def test_singularity_falls_as_the_perplexity_rises():
    """At a low perplexity clusters are torn: the largest twentieth is what [Liu2025] choose a perplexity by."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(100, 2)), rng.normal(size=(100, 2)) + 6])
    tops = []
    for perplexity in (4, 40):
        model = ns.TSNE(perplexity=perplexity, random_state=0, max_iter=600).fit(X)
        scores = singularity_scores(model.embedding_, model.affinities_)
        tops.append(np.sort(scores)[-10:].clip(max=1e12).mean())
    assert tops[0] > 2 * tops[1]


@pytest.mark.compiled
def test_a_map_at_no_minimum_is_infinitely_sensitive(between):
    X, _, P = between
    heap = 1e-4 * np.random.default_rng(0).normal(size=(len(X), 2))
    assert np.isinf(singularity_scores(heap, P)).any()


@pytest.mark.slow
def test_symmetric_sne_has_scores_of_its_own_kernel(between):
    X, _, _ = between
    model = ns.SymmetricSNE(perplexity=15, random_state=0, max_iter=300).fit(X)
    Y = model.embedding_
    assert np.isfinite(perturbation_scores(X, Y, 15, objects=[0, 100], kernel="gaussian")).all()
    same = singularity_scores(Y, X=X, perplexity=15, kernel="gaussian")
    np.testing.assert_allclose(same, singularity_scores(Y, model.affinities_, kernel="gaussian"), rtol=1e-6)


@pytest.mark.slow
def test_above_three_thousand_objects_neighbors_are_those_of_the_models():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(1600, 5)), rng.normal(size=(1600, 5)) + 5])
    Y = X[:, :2] * 8
    scores = perturbation_scores(X, Y, 10, objects=range(0, 3200, 400))
    assert np.isfinite(scores).all() and neighbor_recall(X, Y) > 0


JOINT = (np.ones((10, 10)) - np.eye(10)) / 90


@in_one_test(
    ("call", "error", "message"),
    [
        (lambda Y: perturbation_scores(Y, Y[:9], 3), ValueError, "X and Y must hold the same objects, got 10 and 9"),
        (lambda Y: perturbation_scores(Y, Y, 9), ValueError, "perplexity must be below N - 1 = 9"),
        (lambda Y: perturbation_scores(Y, Y, 3, length=0), ValueError, "length must satisfy 0 < length"),
        (lambda Y: perturbation_scores(Y, Y, 3, objects=[10]), ValueError, "objects must be from 0 to N - 1 = 9"),
        (lambda Y: perturbation_scores(Y, Y, 3, objects=[True]), ValueError, "objects must be the numbers"),
        (lambda Y: perturbation_scores(Y, Y, 3, kernel="t"), ValueError, "kernel must be one of"),
        (lambda Y: singularity_scores(Y), TypeError, "P or X must be given, got neither"),
        (lambda Y: singularity_scores(Y, JOINT, X=Y), TypeError, "P and X must not both be given"),
        (lambda Y: singularity_scores(Y, JOINT * 10), ValueError, "P must be joint"),
        (lambda Y: singularity_scores(Y[:9], JOINT), ValueError, "Y and P must hold the same objects, got 9 and 10"),
        (lambda Y: singularity_scores(Y[:9], X=Y, perplexity=3), ValueError, "Y and X must hold the same objects"),
    ],
)
def test_bad_input_is_named(call, error, message):
    with pytest.raises(error, match=message):
        call(np.random.default_rng(0).normal(size=(10, 2)))


@pytest.mark.slow
def test_scores_are_in_the_order_of_those_with_all_widths_found_anew():
    """Kept widths are an approximation: scores may be larger than the exact ones, and hardly change their order."""
    digits, rows = ns.datasets.load_digits().sample(10, random_state=0), np.arange(0, 100, 4)
    scorer, largest = Perturbations(np.asarray(digits.X, float), 10), []
    for seed in range(3):
        Y = ns.TSNE(perplexity=10, init="random", random_state=seed, **CUSTOMARY).fit_transform(digits.X)
        rest, exact = scorer.rest(Y, "student"), []
        for i in rows:
            far = []
            for direction in scorer.directions:
                X = scorer.X.copy()
                X[i] += scorer.length / (np.ptp(digits.X, axis=0).max() / np.ptp(scorer.X, axis=0).max()) * direction
                P = ns.affinities.joint(ns.affinities.conditional(X, 10))
                far.append(np.linalg.norm(leave_one_out.moved(P[[i]], Y, np.array([i]), rest[[i]])[0] - Y[i]))
            exact.append(max(far))
        found, exact = scorer.scores(Y, rows, rest, "student"), np.array(exact)
        # On most maps an object or two at an edge jump with kept widths and stay with new ones, and lose their ranks;
        # on one of twenty, one jumps with new widths alone. Which ones they are depends on the last bits of the map.
        calm = found < 2 * exact
        assert calm.sum() >= len(rows) - 2 and spearmanr(found[calm], exact[calm])[0] > 0.98
        largest.append(np.max(found / exact))
        assert 0.99 < np.median(found / exact) < 1.02 and (np.sort(found / exact)[:2] > (0.5, 0.97)).all()
    assert max(largest) > 1.1
