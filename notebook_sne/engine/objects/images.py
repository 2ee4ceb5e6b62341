"""Images of the objects, gray or in color, and the one way in which they become 8 bits.

Gray values may have any unit: black and white are the extremes of all images. Colors must not be stretched so, and are
taken as Matplotlib takes them: whole numbers from 0 to 255, or floats from 0 to 1.
"""

from functools import cached_property

import numpy as np

from notebook_sne.engine.checks.numbers import refuse_masked
from notebook_sne.engine.objects.entries import check_length

__all__ = ["Images"]

_CHUNK = 1024  # images turned at a time: there may be many, and doubles take much memory


class Images:
    """Images, checked: gray values, shape (N, height, width), or red, green and blue, shape (N, height, width, 3).

    `given` are the images as they were given, of `width` and `height`, in color or not; N is `n_objects`, None for any
    number. Raises a ValueError if they have another shape, are masked or not finite, or colors lie outside their range;
    a TypeError if they are no numbers.
    """

    def __init__(self, images, n_objects):
        shape = check_length("images", images, n_objects)
        refuse_masked("images", images)
        array = np.asarray(images)
        if array.ndim not in (3, 4) or array.shape[3:] not in ((), (3,)) or min(array.shape) < 1:
            way = {(1,): "give images[..., 0]", (4,): "give images[..., :3]"}.get(array.shape[3:], "reshape them")
            raise ValueError(
                "images must have shape (N, height, width), or (N, height, width, 3) in color, got "
                f"{array.shape or shape}; {way}"
            )
        if array.dtype.kind not in "buif":
            raise TypeError(f"images must be numbers, got {array.dtype}; give gray values, or red, green and blue")
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            where = int(np.flatnonzero(~np.isfinite(array).reshape(len(array), -1).all(axis=1))[0])
            raise ValueError(f"images must be finite, got NaN or infinity in image {where}; replace it")
        self.given = array
        self.height, self.width = array.shape[1:3]
        self.in_color = array.ndim == 4
        if self.in_color:
            self._check_colors()

    def _check_colors(self):
        low, high = self.range
        least, most = self.given.min(), self.given.max()
        if least < low or most > high:
            whole = "whole numbers" if self.given.dtype.kind in "ui" else "floats"
            raise ValueError(
                f"images in color must be {whole} from 0 to {high:g}, got {least:g} to {most:g}; "
                "give (images - images.min()) / np.ptp(images), or uint8 from 0 to 255"
            )

    @cached_property
    def range(self):
        """The values that are black and white, two floats."""
        if self.in_color:
            return 0.0, 255.0 if self.given.dtype.kind in "ui" else 1.0
        return float(self.given.min()), float(self.given.max())

    def bytes_of(self, indices=None):
        """Return some images, or all, as uint8 of the shape in which they were given."""
        some = self.given if indices is None else self.given[indices]
        if self.in_color and some.dtype == np.uint8:
            return some
        low, high = self.range
        shown = np.empty(some.shape, dtype=np.uint8)
        for k in range(0, len(some), _CHUNK):
            part = some[k : k + _CHUNK].astype(np.float64)
            shown[k : k + _CHUNK] = np.rint(255 * ((part - low) / (high - low or 1.0)))
        return shown
