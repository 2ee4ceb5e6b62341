"""Names: what each object is called.

In a picture an object may have no name, and is then told by its number; and several may have the same name, such as
two banks, which are told apart by their numbers. Where objects are looked up by their words, as in the explorer and in
`senses`, each word must be there, and once: there a word is the object, and what is asked of it has one answer.
"""

from notebook_sne.given import list_objects, show
from notebook_sne.objects.entries import read_entries

__all__ = ["read_names", "read_words"]


def read_names(names, n_objects):
    """Return the name of each object, a tuple of str; an empty one where it is missing. None for None.

    Parameters
    ----------
    names : array-like, shape (N,), or None
        Texts, or what `str` makes texts of.
    n_objects : int
        N; None for any number.

    Raises
    ------
    ValueError
        If there is not one entry for each object.
    """
    if names is None:
        return None
    entries, missing = read_entries("names", names, n_objects)
    return tuple("" if gone else _text(entry) for entry, gone in zip(entries, missing, strict=True))


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
