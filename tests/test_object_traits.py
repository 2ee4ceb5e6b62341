"""What is known of the objects becomes traits; what does not fit them is refused with its reason."""

import numpy as np
import pytest

from notebook_sne import objects
from notebook_sne.objects import gray_image, object_traits, pack_images, pack_labels, pack_values

N = 4


def test_labels_and_values_may_both_be_there():
    traits = object_traits(N, labels=list("abab"), values=[3, 1, 4, 1], names=list("wxyz"), title=7)
    assert np.frombuffer(traits["classes"], "<u2").tolist() == [0, 1, 0, 1] and traits["class_names"] == ["a", "b"]
    assert np.frombuffer(traits["values"], "<f4").tolist() == [3, 1, 4, 1] and traits["value_range"] == [1, 4]
    assert (traits["n_objects"], traits["names"], traits["title"]) == (N, list("wxyz"), "7")
    assert not traits["has_images"]


def test_nothing_known_is_nothing_said():
    assert object_traits(N) == {"n_objects": N, "names": [], "title": "", "has_images": False}


def test_labels_that_are_floats_are_values():
    scale = pack_values(np.array([0.5, 2.5, 1.0, 1.0]), N)
    assert pack_labels([0.5, 2.5, 1.0, 1.0], N) == scale and scale["value_range"] == [0.5, 2.5]
    with pytest.raises(ValueError, match="labels must be classes where values are given, got floats for both"):
        object_traits(N, labels=np.zeros(N), values=np.zeros(N))


def test_the_range_is_that_of_the_values_as_they_are_sent():
    traits = pack_values([0.1, 0.2, 0.3, 0.7], N)
    sent = np.frombuffer(traits["values"], "<f4")
    assert traits["value_range"] == [float(sent.min()), float(sent.max())]


@pytest.mark.parametrize(
    ("values", "error", "words"),
    [
        ([1, 2], ValueError, "values must hold one entry for each of the 4 objects, got 2; give as many"),
        (3.0, ValueError, "values must hold one entry for each object, got 3.0"),
        (np.zeros((N, 2)), ValueError, r"values must have one dimension, got shape \(4, 2\); give one value for each"),
        (list("abcd"), TypeError, "values must be numbers, got <U1; give names of classes as labels"),
        ([1, np.nan, 2, 3], ValueError, "values must be finite, got nan at object 1; replace it"),
        ([1, 2, -np.inf, 3], ValueError, "values must be finite, got -inf at object 2; replace it"),
        ([1, 2, 3, 1e300], ValueError, "values must be finite, got inf at object 3; its size must be below 3e38"),
    ],
)
def test_bad_values_are_named(values, error, words):
    with pytest.raises(error, match=words):
        pack_values(values, N)


def test_images_are_packed_in_gray_as_they_are_sent_one_by_one():
    images = np.random.default_rng(0).normal(size=(N, 3, 5))
    packed = pack_images(images, N)
    assert packed["image_size"] == [5, 3]
    together = np.frombuffer(packed["images"], np.uint8).reshape(N, 15)
    assert together.min() == 0 and together.max() == 255
    for i in range(N):
        one = np.frombuffer(gray_image(images, i)[2], np.uint8)
        assert np.abs(one.astype(int) - together[i]).max() <= 1  # single and double precision may round apart
    assert pack_images(None, N) == {}
    assert set(pack_images(np.zeros((N, 2, 2), bool), N)["images"]) == {0}


def test_too_many_pixels_are_refused_with_a_way_to_give_fewer(monkeypatch):
    monkeypatch.setattr(objects, "MOST_IMAGE_BYTES", 99)
    with pytest.raises(ValueError, match=r"at most 99 pixels in all here, got 4 of 5 x 5 = 100; give smaller ones"):
        pack_images(np.zeros((N, 5, 5)), N)
