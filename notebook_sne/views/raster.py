"""A map as a PNG: a picture whose size in bytes is bounded by its pixels, however many objects there are.

Every pixel shows the mark that lies on top there, so that a picture has few colors: those of the classes or values,
each in some steps toward white for the edges of the marks. A palette holds them, one byte a pixel, and zlib makes a
tenth of that.
"""

import struct
import zlib
from typing import NamedTuple

import numpy as np

from notebook_sne.engine.objects.labels import UNLABELED
from notebook_sne.views.objects import drawing_order, window
from notebook_sne.views.palette import COLORS, GROUND, MARKERS, PLAIN, blend, color, mark_size, marker, value_color
from notebook_sne.views.static import mark_corners

__all__ = ["Looks", "looks_of", "paint", "png"]

_LEVELS = 5  # steps from white to a mark's color: 49 colors in 5 steps, and white, are fewer than 256
_SHADES = 48  # colors of a scale of values
_SHARPNESS = 2  # pixels of the picture for one on the page, as on sharp screens, where that is not too large
_SUBPIXELS = 4


def png(
    Y, classes=None, values=None, *, colors=(), blur=None, size: int = 480, mark: float | None = None,
    most_bytes: int = 150_000,
):  # fmt: skip
    """Draw a map as a PNG and return its bytes; its points Y, shape (N, 2), are finite.

    Color and shape tell the number of each object's class, UNLABELED for those without; or a color its place on a scale
    from 0 to 1, one of `values`, NaN for those without: not both. `colors` are those of at most 50 classes, "" for one
    of our palette; without any, all are of that. `blur`, shape (N,), says how far each is out of focus: one disc, paler
    and wider, in as many steps as there are of a color. `size` is the side of the map, and `mark` the width of a mark,
    by their number where left out, in pixels of a page. The picture is twice as fine where it has room for that; where
    it has more than `most_bytes`, it is made again with fewer pixels.
    """
    Y = np.asarray(Y, dtype=float)
    looks = looks_of(len(Y), classes, values, colors)
    pixels = _SHARPNESS * size
    while True:
        radius = (mark or mark_size(len(Y), size)) / 2 * pixels / size
        picture = _write(paint(Y, looks, pixels, radius, blur=blur), looks.palette)
        if len(picture) <= most_bytes or pixels <= size // 4:
            return picture
        pixels = pixels * 3 // 4


class Looks(NamedTuple):
    """How objects are drawn: colors and shapes, (N,), which of them lack one, and the colors of the whole picture."""

    shades: np.ndarray
    shapes: np.ndarray
    missing: np.ndarray | None
    palette: list[str]


def looks_of(n_objects, classes=None, values=None, given=()):
    """Return the Looks of objects; classes, values and given colors are those of `png`."""
    missing = None
    if values is not None:
        values = np.asarray(values, dtype=float)
        missing = np.isnan(values)
        shades = np.rint(np.where(missing, 0, values) * (_SHADES - 1)).astype(np.int64)
        shapes, colors = np.zeros(n_objects, dtype=np.int64), [value_color(k / (_SHADES - 1)) for k in range(_SHADES)]
    elif classes is not None:
        classes = np.asarray(classes, dtype=np.int64)
        missing = classes == UNLABELED
        shades, shapes = classes % len(COLORS), classes % len(MARKERS)
        colors = [color(k) for k in range(len(COLORS))]
        if given:
            of_class = [own or color(k) for k, own in enumerate(given)]
            colors = list(dict.fromkeys(of_class))
            place = np.array([colors.index(one) for one in of_class])
            shades = np.where(missing, 0, place[np.where(missing, 0, classes)])
    else:
        shades = shapes = np.zeros(n_objects, dtype=np.int64)
        colors = [PLAIN]
    if missing is not None and missing.any():
        shades[missing], shapes[missing] = len(colors), UNLABELED
        colors.append(color(UNLABELED))
    palette = [GROUND] + [blend(GROUND, shade, level / _LEVELS) for shade in colors for level in range(1, _LEVELS + 1)]
    return Looks(shades, shapes, missing, palette)


def paint(Y, looks, pixels, radius, view=None, blur=None):
    """Return which color of the palette each pixel has, uint8, shape (pixels, pixels); `view` is a Window."""
    shades, shapes, missing, _ = looks
    view = view or window(Y)
    scale = pixels / (view.right - view.left)
    places = np.column_stack([(view.high - Y[:, 1]) * scale, (Y[:, 0] - view.left) * scale])
    rows, columns = np.clip(places.astype(np.int64), 0, pixels - 1).T
    order = drawing_order(len(Y), missing, blur)
    steps = np.zeros(len(Y), dtype=int) if blur is None else np.minimum(blur, _LEVELS - 1)
    height = np.argsort(order)  # the mark above another has the larger number
    above = np.zeros(pixels * pixels, dtype=np.int64)
    for k, step in np.unique(np.stack([np.where(steps > 0, 0, shapes), steps], axis=1), axis=0):
        # Of several numbers for one pixel, NumPy keeps the last: the largest.
        members = order[(steps[order] == step) & ((step > 0) | (shapes[order] == k))]
        most = _LEVELS - step
        for down, right, level in _stamp(marker(int(k)), radius * np.sqrt(_LEVELS / most)):  # as much ink
            row, column = rows[members] + down, columns[members] + right
            inside = (row >= 0) & (row < pixels) & (column >= 0) & (column < pixels)
            number = (height[members] + 1) * (_LEVELS + 1) + min(level, most)
            at = row[inside] * pixels + column[inside]
            above[at] = np.maximum(above[at], number[inside])
    painted = np.flatnonzero(above)
    of = np.empty(len(Y), dtype=np.int64)
    of[height] = shades
    indices = np.zeros(pixels * pixels, dtype=np.uint8)
    number, level = np.divmod(above[painted], _LEVELS + 1)
    indices[painted] = of[number - 1] * _LEVELS + level
    return indices.reshape(pixels, pixels)


def _stamp(shape, radius):
    """Return the pixels that a mark covers: how far below and right of its own they are, and how many levels dark."""
    reach = int(np.ceil(1.5 * radius))
    corners = np.array(mark_corners(shape, radius))
    ticks = (np.arange((2 * reach + 1) * _SUBPIXELS) + 0.5) / _SUBPIXELS - reach - 0.5
    x, y = np.meshgrid(ticks, ticks)
    inside = np.zeros(x.shape, dtype=bool)
    for (x0, y0), (x1, y1) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if y0 != y1:  # even and odd crossings of a ray to the right
            inside ^= ((y0 <= y) != (y1 <= y)) & (x < x0 + (y - y0) * (x1 - x0) / (y1 - y0))
    share = inside.reshape(2 * reach + 1, _SUBPIXELS, 2 * reach + 1, _SUBPIXELS).mean(axis=(1, 3))
    levels = np.ceil(share * _LEVELS - 1e-9).astype(int)
    return [(int(i) - reach, int(j) - reach, int(levels[i, j])) for i, j in zip(*np.nonzero(levels), strict=True)]


def _write(indices, palette):
    """Return a PNG of the colors of a palette, uint8, shape (height, width)."""
    height, width = indices.shape
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)  # 8 bits a pixel, colors of a palette
    lines = np.zeros((height, width + 1), dtype=np.uint8)  # each begins with its filter: 0, none
    lines[:, 1:] = indices
    colors = bytes.fromhex("".join(shade[1:] for shade in palette))
    parts = ((b"IHDR", header), (b"PLTE", colors), (b"IDAT", zlib.compress(lines.tobytes())), (b"IEND", b""))
    body = b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + body
