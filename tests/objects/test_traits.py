"""What is known of the objects becomes traits; what does not fit them is refused with its reason."""

import numpy as np
import pytest

from notebook_sne.engine.objects import traits
from notebook_sne.engine.objects.images import Images
from notebook_sne.engine.objects.labels import UNLABELED
from notebook_sne.engine.objects.traits import object_traits, pack_images, unpack_classes

N = 4


def test_labels_and_values_may_both_be_there():
    told = object_traits(N, labels=list("abab"), values=[3, 1, 4, 1], names=list("wxyz"), title=7)
    assert np.frombuffer(told["classes"], "<u2").tolist() == [0, 1, 0, 1] and told["class_names"] == ["a", "b"]
    assert np.frombuffer(told["values"], "<f4").tolist() == [3, 1, 4, 1] and told["value_range"] == [1, 4]
    assert (told["n_objects"], told["names"], told["title"]) == (N, list("wxyz"), "7")


def test_nothing_known_is_nothing_said():
    assert object_traits(N) == {"n_objects": N, "names": [], "title": ""}


def test_labels_that_are_floats_are_values():
    scale = object_traits(N, values=np.array([0.5, 2.5, 1.0, 1.0]))
    assert object_traits(N, labels=[0.5, 2.5, 1.0, 1.0]) == scale and scale["value_range"] == [0.5, 2.5]
    with pytest.raises(ValueError, match="labels must be classes where values are given, got floats for both"):
        object_traits(N, labels=np.zeros(N), values=np.zeros(N))


def test_the_range_is_that_of_the_values_as_they_are_sent():
    told = object_traits(N, values=[0.1, 0.2, 0.3, np.nan])
    sent = np.frombuffer(told["values"], "<f4")
    assert told["value_range"] == [float(np.nanmin(sent)), float(np.nanmax(sent))] and np.isnan(sent[3])


def test_classes_come_back_as_they_were_packed():
    told = object_traits(N, labels=["b", None, "a", "b"])
    assert np.frombuffer(told["classes"], "<u2").tolist() == [1, 65535, 0, 1] and told["class_names"] == ["a", "b"]
    assert unpack_classes(told["classes"]).tolist() == [1, UNLABELED, 0, 1]


@pytest.mark.parametrize(
    ("values", "error", "words"),
    [
        ([1, 2], ValueError, "values must hold one entry for each of the 4 objects, got 2; give as many"),
        (3.0, ValueError, "values must hold one entry for each object, got 3.0"),
        (np.zeros((N, 2)), ValueError, r"values must have one dimension, got shape \(4, 2\); give one for each object"),
        (list("abcd"), TypeError, "values must be numbers, got <U1; give names of classes as labels"),
        ([np.nan] * 4, ValueError, "values must hold at least one number, but all are missing; leave values out"),
        ([1, 2, -np.inf, 3], ValueError, "values must be finite, got -inf at object 2; replace it"),
        ([1, 2, 3, 1e300], ValueError, "values must be finite, got inf at object 3; its size must be below 3e38"),
    ],
)
def test_bad_values_are_named(values, error, words):
    with pytest.raises(error, match=words):
        object_traits(N, values=values)


def test_all_images_are_packed_together():
    images = np.random.default_rng(0).normal(size=(N, 3, 5))
    packed = pack_images(images, N)
    assert packed["image_size"] == [5, 3]
    assert packed["images"] == Images(images, N).bytes_of().tobytes() and len(packed["images"]) == N * 15
    colored = pack_images(np.zeros((N, 3, 5, 3), np.uint8), N)
    assert colored["image_size"] == [5, 3, 3] and len(colored["images"]) == N * 45
    assert pack_images(None, N) == {"has_images": False} and packed["has_images"]


def test_too_many_pixels_are_refused_with_a_way_to_give_fewer(monkeypatch):
    monkeypatch.setattr(traits, "MOST_IMAGE_BYTES", 99)
    with pytest.raises(ValueError, match=r"at most 99 bytes in all here, .*, got 4 of 5 x 5 = 100; give smaller ones"):
        pack_images(np.zeros((N, 5, 5)), N)
