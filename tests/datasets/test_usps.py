import gzip
import re

import numpy as np
import pytest

from notebook_sne.datasets import DamagedFile, fetch_usps, usps

TRAIN, TEST = "usps/zip.train.gz", "usps/zip.test.gz"


def as_text(labels, images):
    table = np.column_stack([labels, images])
    # The published files end each line with a blank.
    return "".join(" ".join(f"{value:.4f}" for value in row) + " \n" for row in table).encode()


@pytest.fixture
def digits(monkeypatch):
    """Two files of 10 and 5 random images, as {key: (labels, images)}, and class counts to match."""
    generator = np.random.default_rng(0)
    parts = {}
    for key, n in ((TRAIN, 10), (TEST, 5)):
        parts[key] = generator.integers(0, 10, n), generator.integers(-10_000, 10_001, (n, 256)) / 10_000
    counts = {key: tuple(np.bincount(labels, minlength=10).tolist()) for key, (labels, _) in parts.items()}
    monkeypatch.setattr(usps, "_CLASS_COUNTS", counts)
    return parts


@pytest.mark.parametrize("pack", [gzip.compress, bytes])
def test_training_and_test_images_come_together(digits, cache, site, publish, pack):
    for key, part in digits.items():
        publish(key, site.publish(key, pack(as_text(*part))))
    data = fetch_usps(progress=False)
    labels, images = (np.concatenate(arrays) for arrays in zip(digits[TRAIN], digits[TEST], strict=True))
    np.testing.assert_array_equal(data.labels, labels)
    np.testing.assert_array_equal(data.X, images)
    np.testing.assert_array_equal(data.images, images.reshape(-1, 16, 16))
    assert data.labels.dtype == np.int64


def damage(text, old, new):
    return re.sub(old, new, text, count=1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: b"", "is empty"),
        (lambda text: b"\n\n", "is empty"),
        (lambda text: text[:-20], "is not a table of 257 numbers a line"),
        (lambda text: text + b"# end", "is not a table of 257 numbers a line"),
        (lambda text: text + b"\xff", "is not a table of 257 numbers a line"),
        (lambda text: text.split(b"\n", 1)[1], r"is a table of shape \(9, 257\) where \(10, 257\) is expected"),
        (lambda text: damage(text, rb" -?0\.\d+", b" nan"), "gray values that are not numbers from -1 to 1"),
        (lambda text: damage(text, rb" -?0\.\d+", b" -inf"), "gray values that are not numbers from -1 to 1"),
        (lambda text: damage(text, rb" -?0\.\d+", b" 255"), "gray values that are not numbers from -1 to 1"),
        (lambda text: damage(text, rb"^\d\.0", b"0.5"), "labels that are not digits"),
        (lambda text: damage(text, rb"^\d\.0000", b"nan"), "labels that are not digits"),
        (lambda text: damage(text, rb"^8\.0", b"7.0"), "images of the classes 0 to 9 where .* are expected"),
        (lambda text: text * 3, "holds more than the 41120 bytes"),
    ],
)
def test_a_file_that_does_not_hold_the_digits_is_damaged(digits, cache, change, message):
    (cache / "usps").mkdir(parents=True)
    for key, part in digits.items():
        text = as_text(*part)
        (cache / key).write_bytes(gzip.compress(change(text) if key == TRAIN else text))
    with pytest.raises(DamagedFile, match=message) as caught:
        fetch_usps()
    assert str(cache / TRAIN) in str(caught.value)


@pytest.mark.slow
@pytest.mark.data
def test_600_of_each_real_digit_from_0_to_4_can_be_drawn(real_data):
    real_data("usps")
    data = fetch_usps()
    assert data.X.shape == (9298, 256)
    assert (data.X.min(), data.X.max()) == (-1, 1)
    assert np.bincount(data.labels)[:5].tolist() == [1553, 1269, 929, 824, 852]
    assert len(data.sample(600, labels=range(5))) == 3000


@pytest.mark.data
def test_a_real_zero_has_a_hole_in_its_middle(real_data):
    real_data("usps")
    data = fetch_usps()
    zero, one = (data.images[data.labels == label].mean(axis=0)[6:10, 6:10].mean() for label in (0, 1))
    assert zero < 0 < one
