"""Names: what each object is called.

In a picture an object may have no name, and is then told by its number; and several may have the same name, such as
two banks, which are told apart by their numbers. Where objects are looked up by their words, as in the explorer and in
`senses`, each word must be there, and once: there a word is the object, and what is asked of it has one answer.
"""

import numpy as np

from notebook_sne.engine.checks.numbers import list_objects, show
from notebook_sne.engine.objects.entries import read_entries, split_entries

__all__ = ["importance_of", "read_importance", "read_names", "read_words"]


def read_names(names, n_objects):
    """Return the name of each object, a tuple of str; an empty one where it is missing. None for None.

    The names, shape (N,), are texts, or what `str` makes texts of; N is `n_objects`, None for any number. Raises a
    ValueError if there isn't one entry for each object.
    """
    if names is None:
        return None
    entries, missing = read_entries("names", names, n_objects)
    return tuple("" if gone else _text(entry) for entry, gone in zip(entries, missing, strict=True))


def read_importance(importance, n_objects, columns=()):
    """Return the objects in the order in which their names are written, int64, shape (N,); None for their own order.

    Parameters and errors are those of `importance_of`.
    """
    values = importance_of(importance, n_objects, columns)
    return None if values is None else np.argsort(-values, kind="stable")  # NaN, the missing, come last


def importance_of(importance, n_objects, columns=()):
    """Return how important each object's name is, float64, shape (N,), NaN where that is missing; None for alike.

    It is given as the name of a column of numbers or dates among `columns`, a tuple of Column, or as a number for each
    object: the largest is written first, alike ones in their own order, and those without one last. Raises a ValueError
    if there is no such column, it holds texts, or the numbers are none, infinite or not one for each object; a
    TypeError if they are no numbers.
    """
    if importance is None:
        return None
    if isinstance(importance, str):
        numbers = {column.name: column.entries for column in columns if column.kind != "text"}
        if importance not in numbers:
            there = ", ".join(numbers) or "none"
            raise ValueError(
                f"importance must be a number for each object or a column of numbers or dates, of which there are "
                f"{there}, got {show(importance)}; give it in columns="
            )
        return np.array(numbers[importance])
    return _numbers(importance, n_objects)


def read_words(names, n_objects):
    """Return the words that are looked up, a tuple of str: all there, and no two alike."""
    if names is None:
        raise TypeError("names must be a sequence of words, got None; give a word for each object")
    words = read_names(names, n_objects)
    bad = [i for i, word in enumerate(words) if not word]
    if bad:
        raise ValueError(
            f"names must not be missing where words are looked up, but there is none of {list_objects(bad)}; leave "
            "these out, or give each a name of its own"
        )
    _refuse_twice(words)
    return words


def _numbers(importance, n_objects):
    present, missing = split_entries("importance", importance, n_objects)
    if present.dtype.kind not in "buif":
        raise TypeError(f"importance must be numbers, got {present.dtype}; give a number for each object, or a column")
    if not np.isfinite(present.astype(float)).all():
        raise ValueError("importance must be finite, got inf; give NaN where there is none")
    values = np.full(len(missing), np.nan)
    values[~missing] = present
    return values


def _refuse_twice(names):
    seen: dict[str, int] = {}
    for i, name in enumerate(names):
        if name and name in seen:
            raise ValueError(
                f"names must differ, got {show(name)} for objects {seen[name]} and {i}; "
                "make them distinct, or give them as labels"
            )
        seen[name] = i


def _text(name):
    return name.decode(errors="replace") if isinstance(name, bytes) else str(name)
