"""What is known of single objects: one entry for each, and none of them missing.

Whoever takes labels or names asks here whether one is missing, so that a missing one means the same everywhere: an
error. As a text it would look like one more class, called None or nan.
"""

import numpy as np

from notebook_sne.given import is_missing, list_objects, refuse_masked, show

__all__ = ["check_labels", "refuse_missing"]


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
