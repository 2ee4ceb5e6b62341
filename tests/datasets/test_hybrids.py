import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from notebook_sne.datasets import Dataset, fetch_usps, load_digits, load_hybrid_digits
from notebook_sne.datasets.hybrids import _couples
from tests.tables import in_one_test


def marked(n_per_class):
    """Digits whose every pixel is the number of the image, so that a pixel tells where it comes from."""
    labels = np.repeat(range(6), n_per_class)
    X = np.repeat(np.arange(len(labels))[:, None], 64, axis=1)
    return Dataset(title="marked", X=X, labels=labels, images=X.reshape(-1, 8, 8), citation="nobody", license="none")


def test_digits_come_class_by_class_and_then_hybrids():
    data = load_hybrid_digits(20, 7)
    assert data.labels.tolist() == ["2"] * 20 + ["3"] * 20 + ["4"] * 20 + ["2+3"] * 3 + ["2+4"] * 2 + ["3+4"] * 2
    assert data.X.shape == (67, 64)
    np.testing.assert_array_equal(data.X.reshape(-1, 8, 8), data.images)
    assert data.license == load_digits().license


def test_each_pixel_of_a_hybrid_comes_from_one_of_two_parents_that_are_not_in_the_set():
    digits = marked(40)
    data = load_hybrid_digits(30, 30, digits=digits)
    objects = set(data.X[:90, 0])
    assert len(objects) == 90
    shares = []
    for pixels, label in zip(data.X[90:].astype(int), data.labels[90:], strict=True):
        parents, sizes = np.unique(pixels, return_counts=True)
        assert "+".join(str(digits.labels[parent]) for parent in parents) == label
        assert not objects & {*parents}
        shares.append(sizes[0] / 64)
    # The standard error of the mean share of 30 x 64 pixels is 0.011.
    assert np.mean(shares) == pytest.approx(0.5, abs=0.05)


@given(st.integers(1, 6), st.integers(1, 6), st.data())
def test_no_two_hybrids_have_the_same_parents(n_a, n_b, data):
    n_needed = data.draw(st.integers(0, n_a * n_b))
    couples = _couples({2: np.arange(n_a), 3: np.arange(n_b)}, [(2, 3)], [n_needed])
    assert len({tuple(couple) for couple in couples}) == n_needed


def test_with_enough_images_no_parent_serves_twice():
    data = load_hybrid_digits(10, 30, digits=marked(30))
    used = [parent for pixels in data.X[30:] for parent in np.unique(pixels)]
    assert len(used) == len(set(used)) == 60


def test_there_may_be_no_hybrids_and_then_every_image_can_be_used():
    data = load_hybrid_digits(177, 0)
    assert len(data) == 3 * 177


@in_one_test(
    ("arguments", "error", "message"),
    [
        ({"n_per_class": 0}, ValueError, "n_per_class must be at least 1, got 0"),
        ({"n_hybrids": -1}, ValueError, "n_hybrids must be at least 0, got -1"),
        ({"n_per_class": 300}, ValueError, r"at most 176, got 300: .* has 177 images of a 2, .*fetch_usps"),
        ({"n_per_class": 177}, ValueError, "n_per_class must be at most 176, got 177"),
        ({"n_per_class": 178, "n_hybrids": 0}, ValueError, "n_per_class must be at most 177, got 178"),
        ({"n_per_class": 39, "n_hybrids": 4, "digits": marked(40)}, ValueError, "got 4: 2 of .*, but only 1 pairs"),
        ({"digits": "usps"}, TypeError, r"digits must be a Dataset, such as fetch_usps\(\), got str"),
        ({"digits": Dataset(title="x", X=[[1]])}, ValueError, "digits must have X, labels and images"),
        ({"digits": Dataset(title="x", X=[[1]], labels=[2], images=[[[1, 2]]])}, ValueError, "X .* must be its images"),
    ],
)
def test_an_impossible_set_is_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        load_hybrid_digits(**arguments)


@pytest.mark.slow
@pytest.mark.data
def test_the_numbers_of_the_paper_can_be_drawn_from_usps(real_data):
    real_data("usps")
    data = load_hybrid_digits(300, 100, digits=fetch_usps())
    assert dict(zip(*np.unique(data.labels, return_counts=True), strict=True)) == {
        **{"2": 300, "3": 300, "4": 300},
        **{"2+3": 34, "2+4": 33, "3+4": 33},
    }
    assert data.images.shape == (1000, 16, 16)
