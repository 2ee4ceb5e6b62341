"""What is known of each object besides its place: labels, values, names and images, checked and packed for a view.

One entry for each object, and none of them missing. Whoever takes labels or names asks here whether one is missing, so
that a missing one means the same everywhere: an error. As a text it would look like one more class, called None or nan.
"""

import re

import numpy as np

from notebook_sne.given import check_given, is_missing, list_objects, refuse_masked, show

__all__ = [
    "check_images",
    "check_labels",
    "count_objects",
    "gray_image",
    "object_traits",
    "pack_images",
    "pack_labels",
    "pack_names",
    "pack_values",
    "refuse_missing",
]

MOST_CLASSES = 256
MOST_IMAGE_BYTES = 8_000_000  # 10,000 images of 28 x 28


def count_objects(X):
    """Return the number of objects in X, or raise an error that says what X must be."""
    shape = check_given("X", X, where="Run(model, {})").shape
    if not shape:
        raise TypeError(f"X must be an array with an entry for each object, got {show(X)}; give the objects")
    return shape[0]


def object_traits(n_objects, *, labels=None, values=None, names=None, images=None, title=None):
    """Check what is known of the objects, and turn it into the traits that every view of a map has.

    Parameters
    ----------
    n_objects : int
        N.
    labels, values, names, images, title
        See `notebook_sne.Player`.

    Returns
    -------
    traits : dict
        ``n_objects``, ``names``, ``title``, ``has_images``, and what labels and values give. The images themselves
        are not among them (`pack_images`): a live view sends them one by one, when asked.

    Raises
    ------
    ValueError, TypeError
        If one of them does not fit the objects.
    """
    classes, scale = pack_labels(labels, n_objects), pack_values(values, n_objects)
    if scale and "values" in classes:
        raise ValueError("labels must be classes where values are given, got floats for both; leave one of them out")
    return {
        "n_objects": int(n_objects),
        "names": pack_names(names, n_objects),
        "title": "" if title is None else str(title),
        "has_images": check_images(images, n_objects) is not None,
        **classes,
        **scale,
    }


def _one_each(name, value, n_objects):
    shape = np.shape(value)
    if isinstance(value, str | bytes) or not shape:
        raise ValueError(f"{name} must hold one entry for each object, got {show(value)}; give a list or an array")
    if shape[0] != n_objects:
        raise ValueError(
            f"{name} must hold one entry for each of the {n_objects} objects, got {shape[0]}; give as many"
        )
    refuse_masked(name, value)


def _natural(text):
    """Return a sort key that takes the numbers in a text as numbers."""
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in re.split(r"(\d+)", text) if part]


def pack_labels(labels, n_objects):
    """Turn labels into traits of the player.

    Parameters
    ----------
    labels : array-like, shape (N,), or None
        Classes (anything but floats), or floats: values for a continuous color scale.
    n_objects : int
        N.

    Returns
    -------
    traits : dict
        ``classes`` (uint16 bytes) and ``class_names``, or ``values`` (float32 bytes) and ``value_range``, or nothing.
    """
    if labels is None:
        return {}
    _one_each("labels", labels, n_objects)
    if np.ndim(labels) != 1:
        raise ValueError(
            f"labels must have one dimension, got shape {np.shape(labels)}; give one label for each object"
        )
    array = check_labels(labels)
    if array.dtype.kind == "f":
        return _scale("labels", array)
    if array.dtype.kind == "O":
        array = np.array([str(label) for label in array], dtype=str)
    names, classes = np.unique(array, return_inverse=True)
    if array.dtype.kind == "U":  # "class 2" comes before "class 10"
        order = sorted(range(len(names)), key=lambda k: _natural(names[k]))
        names, classes = names[order], np.argsort(order)[classes]
    if len(names) > MOST_CLASSES:
        raise ValueError(
            f"labels must fall into at most {MOST_CLASSES} classes, got {len(names)}; "
            "give names= for what tells single objects apart, or floats for a color scale"
        )
    return {
        "classes": classes.reshape(-1).astype("<u2").tobytes(),
        "class_names": [name.decode(errors="replace") if isinstance(name, bytes) else str(name) for name in names],
    }


def pack_values(values, n_objects):
    """Turn a number for each object into traits of the player; labels may be there beside it.

    Parameters
    ----------
    values : array-like, shape (N,), or None
        Numbers, for a continuous color scale.
    n_objects : int
        N.

    Returns
    -------
    traits : dict
        ``values`` (float32 bytes) and ``value_range``, or nothing.
    """
    if values is None:
        return {}
    _one_each("values", values, n_objects)
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"values must have one dimension, got shape {array.shape}; give one value for each object")
    if array.dtype.kind not in "buif":
        raise TypeError(f"values must be numbers, got {array.dtype}; give names of classes as labels")
    array = array.astype(float)
    _all_finite("values", array, "replace it")
    return _scale("values", array)


def _all_finite(name, array, fix):
    bad = np.flatnonzero(~np.isfinite(array))
    if bad.size:
        raise ValueError(f"{name} must be finite, got {array[bad[0]]} at object {bad[0]}; {fix}")


def _scale(name, array):
    with np.errstate(over="ignore"):
        packed = array.astype("<f4")
    _all_finite(name, packed, "its size must be below 3e38: give it in another unit")
    return {"values": packed.tobytes(), "value_range": [float(packed.min()), float(packed.max())]}


def pack_names(names, n_objects):
    """Return the names as a list of str, one for each object and no two alike; empty for None."""
    if names is None:
        return []
    _one_each("names", names, n_objects)
    if np.ndim(names) != 1:
        raise ValueError(f"names must have one dimension, got shape {np.shape(names)}; give one name for each object")
    refuse_missing("names", names, "give each a name of its own, such as its number")
    texts = [str(name) for name in names]
    seen: dict[str, int] = {}
    for i, text in enumerate(texts):
        if text in seen:
            raise ValueError(
                f"names must differ, got {show(text)} for objects {seen[text]} and {i}; "
                "make them distinct, or give them as labels"
            )
        seen[text] = i
    return texts


def check_images(images, n_objects):
    """Return the images as an array of shape (N, height, width), or None; their values are scaled when shown."""
    if images is None:
        return None
    _one_each("images", images, n_objects)
    array = np.asarray(images)
    if array.ndim != 3 or min(array.shape) < 1:
        raise ValueError(f"images must have shape (N, height, width), got {array.shape}; reshape them")
    if array.dtype.kind not in "buif":
        raise TypeError(f"images must be numbers, got {array.dtype}; give gray values")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        where = int(np.flatnonzero(~np.isfinite(array).all(axis=(1, 2)))[0])
        raise ValueError(f"images must be finite, got NaN or infinity in image {where}; replace it")
    return array


def gray_image(images, index):
    """Return one image as (width, height, uint8 bytes), black and white being the extremes of all images."""
    image = np.asarray(images[index], dtype=float)
    low, high = float(np.min(images)), float(np.max(images))
    gray = 255 * (image - low) / (high - low or 1.0)
    return image.shape[1], image.shape[0], gray.astype(np.uint8).tobytes()


def pack_images(images, n_objects):
    """Return the traits ``image_size`` and ``images``: all images as uint8; nothing for None."""
    images = check_images(images, n_objects)
    if images is None:
        return {}
    if images.size > MOST_IMAGE_BYTES:
        n, height, width = images.shape
        raise ValueError(
            f"images must have at most {MOST_IMAGE_BYTES:,} pixels in all here, got {n} of {width} x {height} = "
            f"{images.size:,}; give smaller ones, such as images[:, ::2, ::2], or none"
        )
    low, high = float(images.min()), float(images.max())
    gray = 255 * ((images.astype(float) - low) / (high - low or 1.0))
    return {"image_size": [images.shape[2], images.shape[1]], "images": gray.astype(np.uint8).tobytes()}


def check_labels(labels):
    """Return labels as an array: classes, or finite floats.

    Parameters
    ----------
    labels : array-like
        One for each object.

    Returns
    -------
    labels : ndarray

    Raises
    ------
    ValueError
        If one is masked, missing or not finite; the message says how many, and of which objects.
    TypeError
        If they are complex numbers or records.
    """
    refuse_missing("labels", labels, "leave these objects out, or give them a class of their own, such as 'unknown'")
    array = np.asarray(labels)
    if array.dtype.kind in "cV":
        raise TypeError(f"labels must be classes or real numbers, got {array.dtype}; give a text for each class")
    return array


def refuse_missing(name, values, way_out):
    """Raise a ValueError where an entry is masked, or stands for none, or is infinite; `way_out` says what to do."""
    refuse_masked(name, values)
    array = np.asarray(values)
    if array.dtype.kind == "f":
        rule, bad = "be finite", np.flatnonzero(~np.isfinite(array.ravel())).tolist()
    else:
        # Entry by entry, as they were given: of the list ["a", nan], NumPy has made the text "nan" by now.
        entries = values if isinstance(values, (list, tuple)) else array.ravel() if array.dtype.kind in "OMm" else ()
        rule, bad = "not be missing", [i for i, entry in enumerate(entries) if is_missing(entry)]
    if len(bad):
        i = bad[0]
        got = values[i] if isinstance(values, (list, tuple)) else array.flat[i]
        raise ValueError(
            f"{name} must {rule}, got {show(got)} at object {i} (in all {len(bad)}: {list_objects(bad)}); {way_out}"
        )
