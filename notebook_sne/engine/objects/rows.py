"""Which objects rows of a table, indices or truth values mean."""

import numpy as np

from notebook_sne.engine.checks.numbers import show

__all__ = ["rows_meant"]


def rows_meant(which, n_objects):
    """Return the objects that are meant, int64, in rising order and each once; parameters and errors: `select`."""
    table = hasattr(which, "iloc") and hasattr(which, "index")
    if table and which.ndim == 1 and which.dtype == "boolean" and which.isna().any():
        raise ValueError("which must have a truth value for each object, got a missing one; use fillna(False)")
    if table and which.ndim == 1 and which.dtype in ("bool", "boolean"):
        return _of_mask(which.index, which.to_numpy(bool), n_objects)
    if table and which.index.name != "object":
        raise ValueError(
            "which must be rows of objects(), whose index is called object, as another one may count otherwise; "
            f"got one called {show(which.index.name)}: give a mask of all objects, such as "
            "(frame.year > 1995).to_numpy()"
        )
    values = which.index.to_numpy() if table else np.asarray(which)
    if not table and values.dtype.kind == "b":
        return _of_mask(None, values, n_objects)
    if values.ndim != 1 or (values.size and values.dtype.kind not in "iu"):
        raise TypeError(
            f"which must be rows of objects(), indices, or a truth value for each object, got {show(which)}; "
            "give a list of whole numbers"
        )
    wrong = values[(values < 0) | (values >= n_objects)]
    if len(wrong):
        raise ValueError(
            f"which must hold objects from 0 to {n_objects - 1}, the last one, got {wrong[0]}; leave it out"
        )
    return np.unique(values.astype(np.int64))


def _of_mask(index, mask, n_objects):
    if mask.shape != (n_objects,):
        raise ValueError(
            f"which must have a truth value for each of {n_objects} objects, got shape {mask.shape}; compare a column "
            "of objects(), which has all of them"
        )
    if index is not None and index.dtype.kind in "iu" and not np.array_equal(index, np.arange(n_objects)):
        raise ValueError(
            "which must be in the order of the objects, got a Series whose index is in another; sort it by its index, "
            "or give mask.to_numpy() if its entries are in that order"
        )
    return np.flatnonzero(mask)
