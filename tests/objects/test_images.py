"""Images may be gray or in color, and become 8 bits in one way wherever they are shown."""

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.engine.objects.images import Images
from tests import calls
from tests.tables import in_one_test

RANDOM = np.random.default_rng(0)
COLORED = RANDOM.integers(0, 256, (calls.N, 3, 4, 3)).astype(np.uint8)
SHOWN = ["views.thumbnails", "watch", "replay", "Recording.describe", "Dataset"]


def test_black_and_white_are_the_extremes_of_gray_images_of_any_unit():
    images = RANDOM.normal(size=(7, 3, 5))
    shown = Images(images, 7).bytes_of()
    assert shown.dtype == np.uint8 and (shown.min(), shown.max()) == (0, 255)
    np.testing.assert_array_equal(shown, np.rint(255 * (images - images.min()) / np.ptp(images)))
    few = Images(images, 7).bytes_of([5, 2])
    np.testing.assert_array_equal(few, shown[[5, 2]])
    assert set(Images(np.zeros((4, 2, 2), bool), 4).bytes_of().ravel()) == {0}
    assert Images(np.array([[[3, 5]]], dtype=np.uint8), 1).bytes_of().tolist() == [[[0, 255]]]


def test_many_images_are_turned_in_parts_as_well_as_at_once():
    images = RANDOM.integers(0, 17, (2500, 2, 2)) / 4
    np.testing.assert_array_equal(Images(images, 2500).bytes_of(), np.rint(255 * (images / 4)))


@pytest.mark.parametrize("given", [COLORED, COLORED.astype(int), COLORED / 255, (COLORED / 255).astype(np.float32)])
def test_colors_stay_as_they_are(given):
    np.testing.assert_array_equal(Images(given, calls.N).bytes_of(), COLORED)
    dark = given // 2 if given.dtype.kind != "f" else given / 2
    assert Images(dark, calls.N).bytes_of().max() <= 128, "colors are not stretched"


def test_every_view_shows_the_same_bytes(tmp_path):
    for images in (COLORED, RANDOM.uniform(size=(calls.N, 3, 4))):
        expected = Images(images, calls.N).bytes_of()
        recording = ns.Recording().describe(images=images)
        np.testing.assert_array_equal(recording.images, expected)
        view = ns.replay(calls.FILM, images=images)
        assert view.images == expected.tobytes() and view.image_size == [4, 3] + [3] * (images.ndim == 4)
        player = ns.watch(calls.Drifting(), calls.X, images=images, autoplay=False)
        assert player.images_of_objects.bytes_of([3]).tobytes() == expected[3].tobytes() and player.has_images
        player.close()
        figure = ns.views.thumbnails(calls.Y, images, image_size=8)
        (renderer,) = figure.renderers
        for i, image in zip(renderer.data_source.data["object"], renderer.data_source.data["image"], strict=True):
            if images.ndim == 4:
                image = np.asarray(image).view(np.uint8).reshape(3, 4, 4)
                assert (image[..., 3] == 255).all()
                image = image[..., :3]
            np.testing.assert_array_equal(image[::-1], expected[i])


def test_a_recording_in_color_comes_back_from_its_file(tmp_path):
    film = calls.recording().describe(images=COLORED)
    back = ns.Recording.load(film.save(tmp_path / "film.npz"))
    np.testing.assert_array_equal(back.images, COLORED)
    assert not back.images.flags.writeable


def test_images_in_color_wear_a_frame_of_their_class():
    figure = ns.views.thumbnails(calls.Y, COLORED, labels=[None, *calls.LABELS[1:]], image_size=8)
    frames = {r.name: r.glyph.line_color for r in figure.renderers if str(r.name).startswith("frames of ")}
    assert frames == {
        "frames of a": "#0072b2", "frames of b": "#d67d00", "frames of c": "#009e73", "frames of unlabeled": "#858f99",
    }  # fmt: skip
    assert [item.label.value for item in figure.legend[0].items] == ["a", "b", "c", "unlabeled (1)"]


@pytest.mark.parametrize("name", SHOWN)
def test_images_in_color_are_taken_everywhere(name):
    for images in (COLORED, COLORED / 255, COLORED.astype(np.int64)):
        assert calls.spoilt(name, "images", images) is None


@in_one_test("name", SHOWN)
@in_one_test(
    ("images", "error", "words"),
    [
        (COLORED[:, 0], ValueError, None),
        (COLORED[:, 0, :, 0], ValueError, "images must have shape (N, height, width), or (N, height, width, 3) in"),
        (COLORED[..., :1], ValueError, "got (24, 3, 4, 1); give images[..., 0]"),
        (np.zeros((calls.N, 3, 4, 4)), ValueError, "got (24, 3, 4, 4); give images[..., :3]"),
        (COLORED.astype(str), TypeError, "images must be numbers, got <U3; give gray values, or red, green and blue"),
        (COLORED * 1.0, ValueError, "images in color must be floats from 0 to 1, got 0 to 255; give (images"),
        (COLORED.astype(int) - 9, ValueError, "images in color must be whole numbers from 0 to 255, got -9 to 246"),
        (np.full((calls.N, 2, 2, 3), np.nan), ValueError, "images must be finite, got NaN or infinity in image 0"),
        (np.ma.masked_less(COLORED, 9), ValueError, "images must not be masked"),
    ],
)
def test_what_is_no_image_is_refused_everywhere_in_the_same_words(name, images, error, words):
    found = calls.spoilt(name, "images", images)
    if words is None:  # three columns: gray images that are three pixels wide
        assert found is None
    else:
        assert type(found) is error and words in str(found), found
