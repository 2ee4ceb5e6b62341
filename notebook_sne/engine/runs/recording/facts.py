"""Facts about each object in a recording, besides its places: checked once, kept small, and read-only."""

import numpy as np

from notebook_sne.engine.checks.numbers import refuse_masked
from notebook_sne.engine.objects.class_colors import read_class_colors
from notebook_sne.engine.objects.columns import read_columns
from notebook_sne.engine.objects.images import Images
from notebook_sne.engine.objects.labels import check_labels, in_order, own_order, read_labels, read_values, with_gaps
from notebook_sne.engine.objects.names import importance_of, read_names
from notebook_sne.engine.objects.region_pairs import read_certainty

__all__ = ["FACTS", "check_facts"]

FACTS = (
    "labels", "values", "names", "images", "neighbors", "title", "columns", "importance", "certainty", "label_colors",
)  # fmt: skip
_PER_OBJECT = FACTS[:5]
_LONGEST_TITLE = 1000


def check_facts(n_objects, facts, columns=(), labels=None):
    """Return the number of objects, if it is known, and the facts that are given as a recording keeps them.

    Facts are as for `Recording.describe`, and None is what isn't given; `columns` and `labels` are those that are
    known already, as importance may name a column, and colors are those of labels. A ValueError or TypeError says which
    one doesn't fit the objects. As they are kept: ``labels``: str, int or float array, shape (N,), NaN among floats
    where one is missing, and an array of objects with None where another one is, or a pandas Categorical where their
    classes have an order of their own; ``values``: float64, shape (N,), NaN
    where missing; ``names``: tuple of str, an empty one where missing; ``images``: uint8, shape (N, height, width) or
    (N, height, width, 3); ``neighbors``: uint32, shape (N, K); ``title``: str; ``columns``: tuple of Column;
    ``importance``: float64, shape (N,), NaN where missing; ``certainty``: RegionPairs; ``label_colors``: dict of
    classes to colors, both texts.
    """
    given = {name: value for name, value in facts.items() if value is not None}
    for name in _PER_OBJECT:
        if n_objects is None and name in given and np.ndim(given[name]):
            n_objects = np.shape(given[name])[0]
    importance, colors = given.pop("importance", None), given.pop("label_colors", None)
    kept = {name: _CHECKS[name](value, n_objects) for name, value in given.items()}
    if importance is not None:
        kept["importance"] = importance_of(importance, n_objects, kept.get("columns", columns) or ())
    if colors is not None:
        names = read_labels(kept.get("labels", labels), n_objects).class_names
        kept["label_colors"] = {
            name: color for name, color in zip(names, read_class_colors(colors, names), strict=True) if color
        }
    for value in kept.values():
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
    return n_objects, kept


def _labels(labels, n_objects):
    read_labels(labels, n_objects)  # what a view could not show is refused now
    order, array = own_order(labels), check_labels(labels, n_objects)
    missing = np.array([label is None for label in array]) if array.dtype.kind == "O" else np.zeros(len(array), bool)
    present = np.asarray(array[~missing].tolist()) if missing.any() else array
    if present.dtype.kind == "f":
        present = present.astype(np.float64 if present.dtype.itemsize > 8 else present.dtype)
    elif present.dtype.kind not in "biu":
        present = np.array([str(label) for label in present.tolist()], dtype=str)
    return in_order(with_gaps(present, missing), order)


def _values(values, n_objects):
    return read_values(values, n_objects)


def _images(images, n_objects):
    images = Images(images, n_objects)
    return images.given.view() if images.given.dtype == np.uint8 else images.bytes_of()


def _neighbors(neighbors, n_objects):
    refuse_masked("neighbors", neighbors)
    array = np.asarray(neighbors)
    if array.ndim != 2 or len(array) != n_objects or not array.shape[1]:
        raise ValueError(
            f"neighbors must have shape (N, K) with N = {n_objects}, got {array.shape}; "
            "give the indices of the nearest objects, nearest first"
        )
    if array.dtype.kind not in "iu":
        raise TypeError(f"neighbors must be indices, got {array.dtype}; give whole numbers")
    if array.min() < 0 or array.max() >= n_objects:
        raise ValueError(
            f"neighbors must lie from 0 to N - 1 = {n_objects - 1}, got {array.min()} to {array.max()}; "
            "give indices of the objects"
        )
    itself = array == np.arange(n_objects)[:, None]
    # A row of nothing but the object says that it has none, as an isolated one; all rows cannot.
    own = np.flatnonzero(itself.any(axis=1) & (itself.all() | ~itself.all(axis=1)))
    if own.size:
        raise ValueError(
            f"neighbors must not name the object itself, but those of object {own[0]} do; "
            "leave out the first column if it holds the objects themselves"
        )
    return array.astype(np.uint32)


def _title(title, n_objects):
    if not isinstance(title, str):
        raise TypeError(f"title must be a str, got {type(title).__name__}; write title='digits'")
    if len(title) > _LONGEST_TITLE:
        raise ValueError(f"title must have at most {_LONGEST_TITLE} characters, got {len(title)}; shorten it")
    return title


_CHECKS = {
    "labels": _labels, "values": _values, "names": read_names, "images": _images, "neighbors": _neighbors,
    "title": _title, "columns": read_columns, "certainty": read_certainty,
}  # fmt: skip
