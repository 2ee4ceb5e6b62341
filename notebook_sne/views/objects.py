"""What a figure is given for each object, checked: its map point, its label, its name."""

from typing import NamedTuple

import numpy as np

from notebook_sne import objects
from notebook_sne.checks import check_number, check_points
from notebook_sne.given import as_floats, show
from notebook_sne.views.palette import COLORS, MARKERS

__all__ = ["Labels", "Window", "check_labels", "check_map", "check_names", "check_size", "check_title"]
__all__ += ["shorten", "window"]

MOST_CLASSES = len(COLORS) * len(MARKERS)


class Labels(NamedTuple):
    """Labels as a figure needs them: either classes or values, or neither."""

    classes: np.ndarray | None
    """Number of each object's class, shape (N,)."""
    class_names: tuple[str, ...]
    """What the classes are called, in their order."""
    values: np.ndarray | None
    """A value for each object, shape (N,), for a color scale."""
    texts: list[str] | None
    """The label of each object in words."""


class Window(NamedTuple):
    """A square part of the plane."""

    left: float
    right: float
    low: float
    high: float


def check_map(Y):
    """Return map points as finite float64, shape (N, 2) with N >= 1."""
    points = as_floats("Y", Y)
    if points.ndim == 0:
        raise TypeError(f"Y must be an array of map points, shape (N, 2), got {type(Y).__name__}")
    if not len(points):
        raise ValueError("Y must hold at least one map point, got none; give the map points, shape (N, 2)")
    return check_points("Y", points, len(points), 2)


def check_labels(labels, n_objects):
    """Return Labels.

    Parameters
    ----------
    labels : array-like, shape (N,), or None
        Classes (anything but floats), or floats: values for a color scale.
    n_objects : int
        N.

    Returns
    -------
    labels : Labels
        With classes, or with values, or empty for None.
    """
    if labels is None:
        return Labels(None, (), None, None)
    _one_each("labels", labels, n_objects)
    array = objects.check_labels(labels)
    if array.dtype.kind == "f":
        return Labels(None, (), array.astype(np.float64), [f"{value:.6g}" for value in array])
    if array.dtype.kind in "OS":
        array = np.array([_text(label) for label in array])
    names, classes = np.unique(array, return_inverse=True)
    if len(names) > MOST_CLASSES:
        raise ValueError(
            f"labels must fall into at most {MOST_CLASSES} classes, got {len(names)}, as colors and shapes tell no "
            "more apart; give names= for what tells single objects apart, or floats for a color scale"
        )
    classes = classes.reshape(-1)
    class_names = tuple(str(name) for name in names)
    return Labels(classes, class_names, None, [class_names[c] for c in classes])


def check_names(names, n_objects):
    """Return the name of each object as a list of str, or None."""
    if names is None:
        return None
    array = _one_each("names", names, n_objects)
    objects.refuse_missing("names", names, 'give "" to those that have no name')
    return [_text(name) for name in array]


def check_size(name, size, low=100, high=4000):
    """Return a length in pixels as an int."""
    return round(check_number(name, size, low, high))


def check_title(title):
    """Return the title, a str; empty for None."""
    if title is not None and not isinstance(title, str):
        raise TypeError(f"title must be a str, got {show(title)}")
    return title or ""


def shorten(text, most=24):
    """Return the text, or its beginning where it is too long for a legend."""
    return text if len(text) <= most else text[: most - 1] + "…"


def window(Y, margin=0.05):
    """Return the smallest square about all map points, with a margin around it as a share of its side."""
    low, high = Y.min(axis=0), Y.max(axis=0)
    span = float((high - low).max())
    # All points in one place: any square will do.
    half = (0.5 + margin) * span if span > 0 else 1.0
    x, y = ((low + high) / 2).tolist()
    return Window(x - half, x + half, y - half, y + half)


def _one_each(name, value, n_objects):
    """Return value as an array with one entry for each object."""
    if isinstance(value, str | bytes) or np.ndim(value) == 0:
        raise ValueError(f"{name} must hold one entry for each object, got {show(value)}; give a list or an array")
    array = np.asarray(value)
    if array.shape != (n_objects,):
        raise ValueError(
            f"{name} must have shape (N,) = ({n_objects},), got {array.shape}; give one for each map point"
        )
    return array


def _text(value):
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return str(value)
