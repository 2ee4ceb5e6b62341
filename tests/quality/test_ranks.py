import numpy as np
import pytest
from sklearn.manifold import trustworthiness as of_scikit_learn

from notebook_sne.engine.machine.parallel import threads
from notebook_sne.quality import continuity, counting, trustworthiness
from tests.quality.slow import slow_trust

RANDOM = np.random.default_rng(0)


def test_a_map_that_is_the_data_is_trustworthy():
    X = RANDOM.normal(size=(40, 2))
    assert trustworthiness(X, X, 5) == continuity(X, X, 5) == 1.0
    assert trustworthiness(X, RANDOM.normal(size=(40, 2)), 5) < 0.7


@pytest.mark.parametrize("k", [1, 5, 49])
def test_it_is_the_trustworthiness_of_scikit_learn(k):
    X, Y = RANDOM.normal(size=(100, 5)), RANDOM.normal(size=(100, 2))
    # Sums of integers, divided in another order.
    assert trustworthiness(X, Y, k) == pytest.approx(of_scikit_learn(X, Y, n_neighbors=k), abs=1e-13)
    assert continuity(X, Y, k) == pytest.approx(of_scikit_learn(Y, X, n_neighbors=k), abs=1e-13)


@pytest.mark.parametrize("k", [1, 4, 14])
def test_ranks_are_exact_among_ties_and_identical_objects(k, monkeypatch):
    X = RANDOM.integers(0, 3, (30, 2)).astype(float)
    Y = RANDOM.integers(0, 2, (30, 2)).astype(float)
    monkeypatch.setattr(counting, "_ENTRIES", 30 * 7)  # several blocks, the last of which is short
    assert trustworthiness(X, Y, k) == pytest.approx(slow_trust(X, Y, k).mean(), abs=1e-13)
    assert continuity(X, Y, k) == pytest.approx(slow_trust(Y, X, k).mean(), abs=1e-13)


def test_what_is_torn_apart_lacks_continuity_and_what_is_laid_upon_each_other_trust():
    angle = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    cut, flattened = angle[:, None], circle[:, :1] + 1e-3 * angle[:, None]
    assert trustworthiness(circle, cut, 4) > continuity(circle, cut, 4)
    assert trustworthiness(circle, flattened, 4) < continuity(circle, flattened, 4)


def test_the_number_of_threads_changes_no_bit():
    X, Y = RANDOM.normal(size=(300, 5)), RANDOM.normal(size=(300, 2))
    with threads(1):
        alone = trustworthiness(X, Y, 20)
    assert alone == trustworthiness(X, Y, 20)


@pytest.mark.slow
def test_a_sample_says_how_far_it_may_be_off_and_all_are_exact():
    X, Y = RANDOM.normal(size=(400, 5)), RANDOM.normal(size=(400, 2))
    Y[:200] = X[:200, :2]
    exact = trustworthiness(X, Y)
    assert (exact.error, exact.asked, exact.among) == (0, 400, 400)
    drawn = [trustworthiness(X, Y, sample=100, random_state=seed) for seed in range(200)]
    assert {(one.asked, one.among) for one in drawn} == {(100, 400)}
    errors, stated = np.array(drawn, float) - exact, np.mean([one.error for one in drawn])
    # Of 200 draws the spread is known to a twentieth, and their mean to a fourteenth of it.
    assert 0.8 < errors.std() / stated < 1.25 and abs(errors.mean()) < 0.3 * stated
    assert trustworthiness(X, Y, sample=100) == trustworthiness(X, Y, sample=100, random_state=0)


def test_more_objects_than_a_dense_table_holds_are_asked_by_a_sample():
    Y = RANDOM.normal(size=(10_001, 1))
    found = trustworthiness(Y, -Y, sample=50)
    assert found == 1.0 and found.asked == 50 and found.among == 10_001
