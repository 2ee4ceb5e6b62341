import gzip
import hashlib
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from notebook_sne.datasets import DamagedFile, fetch_mnist, load_mnist_5000, load_turned_digits, mnist
from notebook_sne.datasets.mnist import read_idx

BUNDLED = Path(mnist.__file__).parent / "bundled"


def idx(array):
    return struct.pack(f">HBB{array.ndim}I", 0, 8, array.ndim, *array.shape) + array.tobytes()


IMAGES = np.arange(30 * 28 * 28, dtype=np.uint32).astype(np.uint8).reshape(30, 28, 28)
LABELS = np.arange(30, dtype=np.uint8) % 10


@pytest.fixture
def small_mnist(cache, site, publish, monkeypatch):
    """A MNIST of 20 training and 10 test images on a site on this machine."""
    monkeypatch.setattr(mnist, "_PARTS", {"train": ("train", 20), "test": ("t10k", 10)})
    for begin, part in (("train", slice(20)), ("t10k", slice(20, 30))):
        for name, array in ((f"{begin}-images-idx3", IMAGES[part]), (f"{begin}-labels-idx1", LABELS[part])):
            content = gzip.compress(idx(array))
            address = site.publish(f"{name}-ubyte.gz", content)
            publish(f"mnist/{name}-ubyte.gz", address, sha256=hashlib.sha256(content).hexdigest())
    return cache


@pytest.mark.parametrize(("part", "which"), [("train", slice(20)), ("test", slice(20, 30)), ("both", slice(30))])
def test_each_part_of_mnist_can_be_fetched(small_mnist, part, which):
    data = fetch_mnist(part, progress=False)
    np.testing.assert_array_equal(data.images, IMAGES[which])
    np.testing.assert_array_equal(data.labels, LABELS[which])
    np.testing.assert_array_equal(data.X, IMAGES[which].reshape(-1, 784))
    assert (data.X.dtype, data.images.dtype, data.labels.dtype) == (np.float64, np.uint8, np.int64)


def test_only_the_files_of_the_part_are_downloaded(small_mnist):
    fetch_mnist("test", progress=False)
    names = sorted(file.name for file in (small_mnist / "mnist").iterdir())
    assert names == ["t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz"]


def test_an_unknown_part_is_an_error():
    with pytest.raises(ValueError, match='part must be "train", "test" or "both", got \'all\''):
        fetch_mnist("all")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "begins with 0x, not with the magic number 0x00000803"),
        (idx(LABELS), "begins with 0x00000801, not with the magic number 0x00000803"),
        (b"<html></html>", "begins with 0x3c68746d"),
        (idx(IMAGES)[:9], r"does not announce an array of shape \(30, 28, 28\)"),
        (idx(IMAGES[:, :, :27]), r"does not announce an array of shape \(30, 28, 28\)"),
        (idx(IMAGES)[:4] + b"\xff" * 12 + bytes(9), r"does not announce an array of shape \(30, 28, 28\)"),
        (idx(IMAGES)[:-1], "is cut off: it unpacks to 23535 bytes where 23536 are expected"),
        (idx(IMAGES) + b"\0", "holds more than the 23536 bytes"),
    ],
)
def test_a_file_that_is_not_the_array_expected_is_damaged(tmp_path, content, message):
    (tmp_path / "images").write_bytes(gzip.compress(content))
    with pytest.raises(DamagedFile, match=message):
        read_idx(tmp_path / "images", (30, 28, 28))


def test_5000_images_come_without_a_network():
    data = load_mnist_5000()
    assert data.X.shape == (5000, 784)
    assert (data.X.min(), data.X.max()) == (0, 255)
    assert data.labels.tolist() == np.repeat(np.arange(10), 500).tolist()
    np.testing.assert_array_equal(data.images.reshape(5000, 784), data.X)
    assert (data.X.dtype, data.images.dtype, data.labels.dtype) == (np.float64, np.uint8, np.int64)


@pytest.mark.slow
@pytest.mark.data
def test_both_parts_are_70000_real_images_and_their_classes_as_large_as_published(real_data):
    real_data("mnist")
    data = fetch_mnist("both")
    assert data.images.shape == (70_000, 28, 28)
    training = [5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949]
    assert np.bincount(data.labels[:60_000]).tolist() == training
    np.testing.assert_array_equal(data.images[60_000:], fetch_mnist("test").images)


@pytest.mark.data
def test_the_5000_are_the_first_500_of_each_class_in_the_training_set(real_data):
    real_data("mnist")
    train, small = fetch_mnist(), load_mnist_5000()
    first = np.concatenate([np.flatnonzero(train.labels == label)[:500] for label in range(10)])
    np.testing.assert_array_equal(train.images[first], small.images)
    np.testing.assert_array_equal(train.labels[first], small.labels)


@pytest.mark.slow
@pytest.mark.data
def test_the_build_script_writes_the_same_arrays(real_data, tmp_path):
    script = Path(__file__).parents[2] / "tools" / "build_mnist_5000.py"
    subprocess.run([sys.executable, script, real_data("mnist"), tmp_path], check=True)
    with np.load(tmp_path / "mnist_5000.npz") as written, np.load(BUNDLED / "mnist_5000.npz") as ours:
        for name in ("images", "labels"):
            np.testing.assert_array_equal(written[name], ours[name])


def test_each_digit_is_turned_all_the_way_round():
    data, bundled = load_turned_digits(8), load_mnist_5000()
    assert data.X.shape == (80, 784) and data.images.dtype == np.uint8
    np.testing.assert_array_equal(data.labels, np.repeat(np.arange(10), 8))
    for k in range(10):
        first = data.images[8 * k]
        assert (bundled.images[bundled.labels == k] == first).all(axis=(1, 2)).any()
        # A quarter turn of pixels needs no interpolation; rounding of the rotation alone is left.
        np.testing.assert_allclose(data.images[8 * k + 2], np.rot90(first), atol=1)
        np.testing.assert_allclose(data.images[8 * k + 4], np.rot90(first, 2), atol=1)
