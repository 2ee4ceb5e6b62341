"""A map as a PNG: what stands where, in which color, and in how many bytes."""

import io

import numpy as np
import pytest
from PIL import Image

from notebook_sne.views import palette
from notebook_sne.views.raster import png

SQUARE = np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)])


def pixels(picture):
    return np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"))


def rgb(shade):
    return tuple(bytes.fromhex(shade[1:]))


def at(image, x, y):
    """The pixel at a share of the width from the left and of the height from above."""
    return tuple(image[int(y * image.shape[0]), int(x * image.shape[1])])


def test_every_object_stands_in_its_place_in_the_color_of_its_class():
    image = pixels(png(SQUARE, classes=[0, 1, 2, 3], size=200))
    assert image.shape == (400, 400, 3)
    margin = 0.05 / 1.1
    corners = [(margin, 1 - margin), (1 - margin, 1 - margin), (margin, margin), (1 - margin, margin)]
    assert [at(image, x, y) for x, y in corners] == [rgb(palette.color(k)) for k in range(4)]
    assert at(image, 0.5, 0.5) == rgb(palette.GROUND)


def test_classes_differ_in_shape_and_look_equally_large():
    covered = []
    for k in range(len(palette.MARKERS)):
        image = pixels(png(np.zeros((1, 2)), classes=[k], size=200))
        covered.append((image != 255).any(axis=2))
    assert all(not np.array_equal(a, b) for i, a in enumerate(covered) for b in covered[:i])
    areas = [shape.sum() for shape in covered]
    assert max(areas) < 1.6 * min(areas)


def test_values_are_colors_of_the_scale_and_nothing_is_plain():
    image = pixels(png(SQUARE, values=[0.0, 1.0, 0.5, 0.5], size=200))
    margin = 0.05 / 1.1
    assert at(image, margin, 1 - margin) == rgb(palette.VIRIDIS[0])
    assert at(image, 1 - margin, 1 - margin) == rgb(palette.VIRIDIS[-1])
    assert at(pixels(png(SQUARE, size=200)), margin, margin) == rgb(palette.PLAIN)


def test_the_order_of_objects_does_not_put_one_class_above_another():
    rng = np.random.default_rng(0)
    Y = np.concatenate([rng.normal(size=(3000, 2)), rng.normal(size=(3000, 2))])
    image = pixels(png(Y, classes=np.repeat([0, 7], 3000), size=200)).reshape(-1, 3)
    painted = [int((image == rgb(palette.color(k))).all(axis=1).sum()) for k in (0, 7)]  # both circles
    assert min(painted) > 0.8 * max(painted)


def test_of_two_objects_in_one_place_the_class_above_is_not_always_the_same():
    there = np.argwhere(np.ones((15, 15))).astype(float)
    image = pixels(png(np.concatenate([there, there]), classes=np.repeat([0, 1], 225), size=200)).reshape(-1, 3)
    painted = [int((image == rgb(palette.color(k))).all(axis=1).sum()) for k in (0, 1)]  # a circle and a square
    assert min(painted) > 0.5 * max(painted)


@pytest.mark.slow
@pytest.mark.parametrize("n_objects", [2_000, 70_000])
def test_many_objects_fit_the_budget(n_objects):
    rng = np.random.default_rng(0)
    Y, values = rng.normal(size=(n_objects, 2)), rng.random(n_objects)
    assert len(png(Y, classes=rng.integers(0, 168, n_objects))) <= 150_000
    assert len(png(Y, values=values)) <= 150_000


def test_a_picture_that_is_too_large_is_made_again_with_fewer_pixels():
    rng = np.random.default_rng(0)
    Y, values = rng.normal(size=(5000, 2)), rng.random(5000)
    picture = png(Y, values=values, size=300, most_bytes=20_000)
    assert len(picture) <= 20_000 and pixels(picture).shape[0] < 600
    assert pixels(png(Y, values=values, size=300, most_bytes=10)).shape[0] >= 50  # some picture there is


def test_the_same_map_gives_the_same_bytes():
    assert png(SQUARE, classes=[0, 1, 2, 3]) == png(SQUARE, classes=[0, 1, 2, 3])


def test_objects_in_one_place_are_drawn():
    assert (pixels(png(np.ones((5, 2)))) != 255).any()
