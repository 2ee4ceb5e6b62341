"""One entry for each object: how many there are, and which of them are missing."""

import numpy as np

from notebook_sne.engine.checks.numbers import check_given, is_missing, show
from notebook_sne.engine.objects.triples import Triples

__all__ = ["check_length", "count_objects", "read_entries", "split_entries"]


def count_objects(X):
    """Return the number of objects in X, or raise an error that says what X must be."""
    if isinstance(X, Triples):
        return len(X.objects)
    if isinstance(X, tuple) and len(X) == 2 and all(getattr(part, "ndim", 0) == 2 for part in X):
        return len(X[0])  # indices of neighbors and their distances, a row for each object
    shape = check_given("X", X, where="Run(model, {})").shape
    if not shape:
        raise TypeError(f"X must be an array with an entry for each object, got {show(X)}; give the objects")
    return shape[0]


def check_length(name, value, n_objects):
    """Refuse what doesn't hold one entry for each of the objects; any number of them for None. Return its shape."""
    shape = _shape(value)
    if isinstance(value, str | bytes) or not shape:
        raise ValueError(f"{name} must hold one entry for each object, got {show(value)}; give a list or an array")
    if n_objects is not None and shape[0] != n_objects:
        raise ValueError(
            f"{name} must hold one entry for each of the {n_objects} objects, got {shape[0]}; give as many"
        )
    return shape


def read_entries(name, values, n_objects=None):
    """Return the entries as they were given, a list or an array, and which of them are missing, bool, shape (N,).

    None, NaN, pandas' NA and NaT, and what is masked stand for none. Raises a ValueError if there isn't one entry for
    each of the objects; any number of them for None.
    """
    if hasattr(values, "__array__") and not hasattr(values, "dtype"):  # of another package's own kind
        values = np.asarray(values)
    shape = check_length(name, values, n_objects)
    if len(shape) != 1:
        raise ValueError(f"{name} must have one dimension, got shape {shape}; give one for each object")
    if not isinstance(getattr(values, "dtype", None), np.dtype):  # a list, or a column of pandas' own types
        listed = list(values)
        return listed, _missing_among(listed)
    entries = np.asarray(values)
    kind = entries.dtype.kind
    if kind == "O":
        missing = _missing_among(entries)
    else:
        missing = np.isnan(entries) if kind == "f" else np.isnat(entries) if kind in "Mm" else np.zeros(shape, bool)
    return entries, missing | np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else missing


def split_entries(name, values, n_objects=None):
    """Return the entries that are there, and which are missing, bool, shape (N,); see `read_entries`.

    Those that are there are an array as NumPy makes it of them alone: whole numbers with a gap stay whole, and a NaN
    among texts isn't the text "nan".
    """
    entries, missing = read_entries(name, values, n_objects)
    if isinstance(entries, list) or entries.dtype.kind == "O":
        present = np.asarray([entry for entry, gone in zip(entries, missing, strict=True) if not gone])
    else:
        present = entries[~missing] if missing.any() else entries
    if present.ndim != 1:
        raise ValueError(f"{name} must have one dimension, got shape {present.shape}; give one for each object")
    return present, missing


def _missing_among(entries):
    return np.fromiter(map(is_missing, entries), dtype=bool, count=len(entries))


def _shape(value):
    """Return the shape; of a list, without making an array of it, in which nothing would be missing any more."""
    if not isinstance(value, list | tuple):
        return np.shape(value)
    inner = [len(entry) for entry in value if isinstance(entry, list | tuple | np.ndarray) and np.ndim(entry)]
    return (len(value), *inner[:1])
