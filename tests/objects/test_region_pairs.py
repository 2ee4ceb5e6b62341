"""Pairs of regions beside labels: which are drawn, in what order, and what is refused."""

from types import SimpleNamespace

import numpy as np
import pytest

from notebook_sne.engine.objects.labels import UNLABELED, read_labels
from notebook_sne.engine.objects.region_pairs import BLURS, RegionPairs, blurs_of, read_certainty, with_pairs
from notebook_sne.engine.objects.traits import object_traits, unpack_classes

LABELS = ["b", "a", "c", None, "a"]
COUNTS = np.array([[9, 1, 0], [4, 2, 4], [0, 1, 9]])  # of a and b, a and c, b and c


def certainty(regions=("a", "b", "c"), region=(1, 0, 2, UNLABELED, 0), together=10):
    """What `quality.certainty` returns, as far as pairs need it."""
    R, shares = len(regions), np.full((3, len(regions), len(regions)), np.nan)
    first, second = np.triu_indices(R, 1)
    for kind in range(3):
        shares[kind][first, second] = shares[kind][second, first] = COUNTS[: len(first), kind] / 10
    joined, neighbors, apart = shares
    fits = np.full((R, R), together)
    so_far = np.ones((2, len(region)))
    return SimpleNamespace(
        regions=regions, region=np.array(region), joined=joined, neighbors=neighbors, apart=apart, together=fits,
        so_far=so_far,
    )  # fmt: skip


def test_counts_are_those_of_the_fits_that_hold_both():
    found = read_certainty(certainty(), 5)
    np.testing.assert_array_equal(found.counts, COUNTS)
    half = read_certainty(certainty(together=0), 5)
    assert (half.counts == 0).all() and read_certainty(found, 5) is found and read_certainty(None, 5) is None


def test_objects_that_fits_put_elsewhere_are_out_of_focus_from_the_second_fit_on():
    blurs = blurs_of(np.array([[0.5, 1, np.nan, 1], [0.75, 0.5, 1, 1], [0.9, 0.3, np.nan, 1]]))
    assert blurs.tolist() == [[0, 0, 0, 0], [2, BLURS, 0, 0], [1, BLURS, 0, 0]]
    traits = object_traits(5, labels=LABELS, certainty=certainty())
    assert (traits["blurs"], traits["focus"]) == (bytes(10), 2)
    kept = RegionPairs(("a", "b", "c"), np.array([1, 0, 2, UNLABELED, 0]), COUNTS)  # of a recording of before
    assert "focus" not in object_traits(5, labels=LABELS, certainty=kept)


def test_regions_are_the_classes_of_labels_in_their_order():
    labels, counts = with_pairs(read_labels(LABELS, 5), certainty(), 5)
    assert labels.class_names == ("a", "b", "c")
    np.testing.assert_array_equal(counts, COUNTS)
    turned = certainty(("c", "a", "b"), (2, 1, 0, UNLABELED, 1))  # its first row is of c and a
    labels, counts = with_pairs(read_labels(LABELS, 5), turned, 5)
    np.testing.assert_array_equal(counts, COUNTS[[2, 0, 1]])


def test_without_labels_the_regions_are_the_classes():
    traits = object_traits(5, certainty=certainty())
    assert traits["class_names"] == ["a", "b", "c"]
    assert unpack_classes(traits["classes"]).tolist() == [1, 0, 2, UNLABELED, 0]
    np.testing.assert_array_equal(np.frombuffer(traits["region_pairs"], "<u4").reshape(-1, 3), COUNTS)
    values = object_traits(5, labels=[0.5, 1, 2, 3, 4], certainty=certainty())
    assert values["class_names"] == ["a", "b", "c"] and values["value_range"] == [0.5, 4]
    assert "region_pairs" not in object_traits(5, labels=LABELS)


@pytest.mark.parametrize(
    ("labels", "given", "error", "words"),
    [
        (LABELS, 5, TypeError, r"certainty must be what certainty\(fits, labels\) returns, got 5; write certainty=ns"),
        (["a"] * 5, certainty(), ValueError, "the classes of labels, 'a', as regions, got 'a', 'b', 'c'; give"),
        (
            ["a", "b", "c", None, "a"], certainty(), ValueError,
            "the region of each object that labels say, got 'b' for object 0 with the label 'a', one of 2 that differ",
        ),
        (
            ["b", "a", "c", "c", "a"], certainty(), ValueError,
            "got None for object 3 with the label 'c', one of 1 that differ; give the same labels to certainty",
        ),
        (LABELS, certainty(region=(0, 1)), ValueError, "must be of the 5 objects shown, got one of 2; give"),
    ],
)  # fmt: skip
def test_a_certainty_of_others_is_refused(labels, given, error, words):
    with pytest.raises(error, match=words):
        with_pairs(read_labels(labels, 5), given, 5)


def test_more_regions_than_a_view_tells_apart_are_refused():
    pairs = RegionPairs(tuple(map(str, range(257))), np.zeros(5, int), np.zeros((257 * 128, 3), np.uint32))
    with pytest.raises(ValueError, match="certainty must have at most 256 regions to be drawn, got 257; find larger"):
        read_certainty(pairs, 5)
