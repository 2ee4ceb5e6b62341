"""Labels: classes in their natural order, or values; and objects that have neither.

Labels are what the entries that are there are. Floats are values, for a continuous color scale; anything else names
classes. Those of a pandas Categorical keep the order of its categories. All others are ordered as a reader would:
numbers by size, texts with the numbers in them taken as numbers, so that class 2 comes before class 10. Class k has the
color and the shape number k in every picture. A missing label is no class: its object is drawn as unlabeled, gray and
with a shape of its own, and no score counts it.
"""

import re
from typing import NamedTuple

import numpy as np

from notebook_sne.engine.checks.numbers import list_objects
from notebook_sne.engine.objects.entries import split_entries

__all__ = ["MOST_CLASSES", "UNLABELED", "Group", "Labels", "check_labels", "in_order", "legend_of", "own_order"]
__all__ += ["read_labels", "read_values", "sort_classes", "with_gaps"]

MOST_CLASSES = 65_535
"""As many as two bytes tell apart, beside none. The first 168 all look different, by 24 colors and 7 shapes; class 168
looks like class 0 again, and the words under the pointer tell them apart."""

MOST_NAMED = 256
"""Classes that are drawn each by itself."""

MOST_TOLD = 24
"""Classes that a legend names. The names of more stand on the map, and their colors follow their places."""

LOOKS = 168
"""How many classes look different."""

UNLABELED = -1
"""The number that stands for no class."""


class Group(NamedTuple):
    """Objects that are drawn alike."""

    k: int
    """Number of their class; UNLABELED for those without."""
    name: str
    rows: np.ndarray
    """Which objects these are."""

    @property
    def text(self):
        """The content of a legend."""
        return self.name if self.k != UNLABELED else f"{self.name} ({len(self.rows)})"


class Labels(NamedTuple):
    """Labels as a picture needs them: either classes or values, or neither."""

    classes: np.ndarray | None = None
    """Number of each object's class, shape (N,); UNLABELED for those without."""
    class_names: tuple[str, ...] = ()
    """What the classes are called, in their order."""
    values: np.ndarray | None = None
    """A value for each object, float64, shape (N,), for a color scale; NaN for those without."""

    @property
    def missing(self):
        """Which objects have no label, bool, shape (N,); None without labels."""
        if self.classes is not None:
            return self.classes == UNLABELED
        return None if self.values is None else np.isnan(self.values)

    @property
    def texts(self):
        """The label of each object in words, a list; None without labels."""
        if self.classes is not None:
            names = [*self.class_names, "unlabeled"]
            return [names[k] for k in self.classes]
        return None if self.values is None else ["no value" if v != v else f"{v:.6g}" for v in self.values.tolist()]

    def few(self):
        """Return these Labels as they are drawn: of many classes, those beyond 256 are joined where they look alike."""
        if self.classes is None or len(self.class_names) <= MOST_NAMED:
            return self
        joined = np.where(self.classes < MOST_NAMED, self.classes, MOST_NAMED + (self.classes - MOST_NAMED) % LOOKS)
        return self._replace(classes=joined, class_names=(*self.class_names[:MOST_NAMED], *[""] * LOOKS))

    def groups(self):
        """Return the Groups of a legend: the classes in their order, then what has no label or no value, if any has."""
        if self.missing is None:
            return []
        groups = [
            Group(k, name, rows) for k, (name, rows) in enumerate(zip(self.class_names, self._rows(), strict=True))
        ]
        rest = np.flatnonzero(self.missing)
        name = "unlabeled" if self.values is None else "no value"
        return [*groups, Group(UNLABELED, name, rest)] if len(rest) else groups

    def _rows(self):
        """Return which objects are of each class; one sort for all."""
        if self.classes is None:
            return []
        order = np.argsort(self.classes, kind="stable")
        return np.split(order, np.searchsorted(self.classes[order], np.arange(len(self.class_names) + 1)))[1:-1]


def read_labels(labels, n_objects):
    """Return Labels, with classes, or with values, or empty for None.

    The labels, shape (N,), are classes (anything but floats), or floats: values for a color scale. Missing ones are
    allowed. Raises a ValueError if there isn't one for each object, a float is infinite, or there are more than
    65,535 classes; a TypeError if they are complex numbers or records.
    """
    if labels is None:
        return Labels()
    present, missing = _split(labels, n_objects)
    if present.dtype.kind == "f" and len(present):
        return Labels(values=_as_values("labels", present, missing))
    names, classes = _sorted(present, missing, _categories(labels))
    if len(names) > MOST_CLASSES:
        raise ValueError(
            f"labels must fall into at most {MOST_CLASSES:,} classes, got {len(names)}; "
            "give names= for what tells single objects apart, or floats for a color scale"
        )
    return Labels(classes, tuple(str(name) for name in names))


def check_labels(labels, n_objects=None):
    """Return labels as an array to keep: as they are, with NaN among floats and None among others where one is missing.

    They are as for `read_labels`, of however many classes; `n_objects` is N, where it is known. The array, shape (N,),
    is one of objects where one that is no float is missing.
    """
    present, missing = _split(labels, n_objects)
    if present.dtype.kind == "f" and len(present):
        _refuse_infinite("labels", present, missing)
    return with_gaps(present, missing)


def with_gaps(present, missing):
    """Return labels that are there, shape (n,), in an array of all, shape (N,): NaN or None where one is missing."""
    if not missing.any():
        return np.array(present)
    if present.dtype.kind == "f" and len(present):
        whole = np.full(len(missing), np.nan, dtype=present.dtype)
        whole[~missing] = present
    else:
        whole = np.full(len(missing), None, dtype=object)
        # As Python's own numbers and texts; dates have no twin there of the same unit.
        whole[~missing] = list(present) if present.dtype.kind in "Mm" else present.tolist()
    return whole


def legend_of(groups, n_classes):
    """Return those of the Groups of Labels that a legend names: of more than 24 classes none but what has no label."""
    return [group for group in groups if n_classes <= MOST_TOLD or group.k == UNLABELED]


def own_order(labels):
    """Return the texts of the classes of labels in their order; None for values, or where it is the natural one."""
    if _categories(labels) is None:
        return None
    names, _ = sort_classes(labels)
    natural, _ = _sorted(names, np.zeros(len(names), dtype=bool))
    return None if names.dtype.kind == "f" or natural.tolist() == names.tolist() else tuple(map(str, names))


def in_order(labels, order):
    """Return labels, an array with None where one is missing, as a pandas Categorical whose classes have an order.

    `order` is that of their texts, as of `own_order`; None leaves labels as they are.
    """
    if order is None:
        return labels
    import pandas as pd

    names = {str(label): label for label in labels.tolist() if label is not None}
    return pd.Categorical(labels, categories=[names[text] for text in order if text in names], ordered=True)


def sort_classes(labels, n_objects=None):
    """Return the distinct labels in natural order, floats too, and the number of each object's, UNLABELED for none."""
    present, missing = _split(labels, n_objects)
    if present.dtype.kind == "f":
        _refuse_infinite("labels", present, missing)
    return _sorted(present, missing, _categories(labels))


def read_values(values, n_objects):
    """Return a number for each object as float64, shape (N,), with NaN where one is missing.

    The numbers are for a continuous color scale. Missing ones are allowed, but not all. Raises a ValueError if there is
    not one for each object, none is there, or one is infinite in single precision; a TypeError if they are no numbers.
    """
    present, missing = split_entries("values", values, n_objects)
    if not len(present):
        raise ValueError("values must hold at least one number, but all are missing; leave values out")
    if present.dtype.kind not in "buif":
        raise TypeError(f"values must be numbers, got {present.dtype}; give names of classes as labels")
    return _as_values("values", present, missing)


def _split(labels, n_objects):
    present, missing = split_entries("labels", labels, n_objects)
    if present.dtype.kind in "cV":
        raise TypeError(f"labels must be classes or real numbers, got {present.dtype}; give a text for each class")
    if present.dtype.kind == "S":
        present = np.array([label.decode(errors="replace") for label in present.tolist()], dtype=str)
    if present.dtype.kind == "f" and hasattr(getattr(labels, "dtype", None), "categories"):
        present = np.array([str(label) for label in present.tolist()], dtype=str)  # whoever says category means classes
    return present, missing


def _categories(labels):
    """Return the place of each category of a pandas column, as a dict by its text; None for labels without them."""
    categories = getattr(getattr(labels, "dtype", None), "categories", None)
    if categories is None:
        return None
    texts = [str(one) for one in categories]
    by_pandas = not labels.dtype.ordered and texts == sorted(texts)  # sorted letter by letter, with 10 before 2
    return None if by_pandas else {text: k for k, text in enumerate(texts)}


def _sorted(present, missing, places=None):
    if present.dtype.kind == "O":
        present = np.array([str(label) for label in present], dtype=str)
    names, inverse = np.unique(present, return_inverse=True)
    classes = np.full(len(missing), UNLABELED)
    if places is not None or present.dtype.kind == "U":
        texts = [str(name) for name in names]
        key = _natural if places is None else lambda text: places.get(text, len(places))
        order = np.array(sorted(range(len(names)), key=lambda k: key(texts[k])), dtype=int)
        names, inverse = names[order], np.argsort(order)[inverse.reshape(-1)]
    classes[~missing] = inverse.reshape(-1)
    return names, classes


def _natural(text):
    """Return a sort key that takes the whole numbers in a text as numbers, however long they are."""
    return [
        (0, len(digits), digits) if part.isdecimal() else (1, 0, part)
        for part in re.split(r"(\d+)", text)
        if part
        for digits in [part.lstrip("0")]
    ]


def _as_values(name, present, missing):
    with np.errstate(over="ignore"):
        short = present.astype(np.float32)  # as a browser takes them
    _refuse_infinite(name, present, missing)
    _refuse_infinite(name, short, missing, "its size must be below 3e38: give it in another unit")
    return with_gaps(present.astype(np.float64), missing)


def _refuse_infinite(name, present, missing, way_out="replace it, or give NaN where there is none"):
    bad = np.flatnonzero(~np.isfinite(present.astype(float) if present.dtype.kind not in "f" else present))
    if len(bad):
        places = np.flatnonzero(~missing)[bad]
        more = f" (in all {len(bad)}: {list_objects(places)})" if len(bad) > 1 else ""
        raise ValueError(f"{name} must be finite, got {present[bad[0]]} at object {places[0]}{more}; {way_out}")
