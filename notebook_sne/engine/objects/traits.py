"""Facts about the objects, packed into the traits of every view of a map in a browser."""

import numpy as np

from notebook_sne.engine.objects.class_colors import read_class_colors
from notebook_sne.engine.objects.columns import column_traits, read_columns
from notebook_sne.engine.objects.images import Images
from notebook_sne.engine.objects.labels import UNLABELED, read_labels, read_values
from notebook_sne.engine.objects.names import read_importance, read_names
from notebook_sne.engine.objects.region_pairs import read_certainty, with_pairs

__all__ = ["first_names", "object_traits", "pack_images", "unpack_classes"]

MOST_IMAGE_BYTES = 8_000_000  # 10,000 images of 28 x 28
_NO_CLASS = 0xFFFF  # what UNLABELED is as uint16


def object_traits(
    n_objects, *, labels=None, values=None, names=None, title=None, columns=None, importance=None, label_colors=None,
    certainty=None,
):  # fmt: skip
    """Check what is known of the objects, and turn it into the traits that every view of a map has, a dict.

    Arguments are as for `notebook_sne.Player`. The traits are ``n_objects``, ``names``, ``title``; of classes
    ``classes`` (uint16 bytes, 65535 for unlabeled objects), ``class_names`` and, where they have any of their own,
    ``class_colors``; of values ``values`` (float32 bytes, NaN where one is missing) and ``value_range``; those of
    `column_traits`; ``importance``, uint32 bytes, the objects in the order in which names are written; and of a
    certainty ``region_pairs``, uint32 bytes, shape (P, 3), its counts of pairs of classes, ``blurs``, uint8 bytes,
    shape (n_fits, N), and ``focus``, how many fits there are. Raises a ValueError or TypeError if one of them doesn't
    fit the objects.
    """
    parsed = read_labels(labels, n_objects)
    if parsed.values is not None and values is not None:
        raise ValueError("labels must be classes where values are given, got floats for both; leave one of them out")
    numbers = parsed.values if values is None else read_values(values, n_objects)
    certainty = read_certainty(certainty, n_objects)
    parsed, counts = with_pairs(parsed, certainty, n_objects)
    names, columns = read_names(names, n_objects) or (), read_columns(columns, n_objects)
    order = read_importance(importance, n_objects, columns)
    traits = {
        "n_objects": int(n_objects),
        "names": list(names) if any(names) else [],
        "title": "" if title is None else str(title),
    }
    if order is not None:
        traits["importance"] = order.astype("<u4").tobytes()
    if parsed.classes is not None:
        traits |= {"classes": parsed.classes.astype("<u2").tobytes(), "class_names": list(parsed.class_names)}
    if counts is not None:
        traits["region_pairs"] = counts.astype("<u4").tobytes()
        if certainty.blurs is not None:
            traits |= {"blurs": certainty.blurs.tobytes(), "focus": len(certainty.blurs)}
    if colors := read_class_colors(label_colors, parsed.class_names):
        traits["class_colors"] = colors
    if numbers is not None:
        packed = numbers.astype("<f4")
        ends = [float(np.nanmin(packed)), float(np.nanmax(packed))]
        traits |= {"values": packed.tobytes(), "value_range": ends}
    return traits | column_traits(columns) if columns else traits


def first_names(names, classes):
    """Return what a view writes on its map before a reader chooses: classes where there are any, or else names."""
    return "classes" if classes else "names" if names else "none"


def unpack_classes(packed):
    """Return the class of each object from the trait, UNLABELED for those without."""
    classes = np.frombuffer(packed, "<u2").astype(np.int64)
    return np.where(classes == _NO_CLASS, UNLABELED, classes)


def pack_images(images, n_objects):
    """Return the traits ``has_images``, ``image_size`` (width, height, and 3 in color) and ``images``, uint8.

    A live view has only the first: it sends images one by one, when asked.
    """
    if images is None:
        return {"has_images": False}
    images = Images(images, n_objects)
    if images.given.size > MOST_IMAGE_BYTES:
        n, *size = images.given.shape
        raise ValueError(
            f"images must have at most {MOST_IMAGE_BYTES:,} bytes in all here, a pixel having one in gray and three in "
            f"color, got {n} of {' x '.join(map(str, size))} = {images.given.size:,}; give smaller ones, such as "
            "images[:, ::2, ::2], or none"
        )
    size = [images.width, images.height] + ([3] if images.in_color else [])
    return {"has_images": True, "image_size": size, "images": images.bytes_of().tobytes()}
