"""The words of a reading: their names, what was counted for them, and how to find one."""

from difflib import get_close_matches

import numpy as np

from notebook_sne.engine.checks.numbers import as_list, as_rows, show
from notebook_sne.engine.objects.names import read_words

__all__ = ["find_word", "given", "words_of"]


def words_of(names, counts, n_objects):
    """Return names as a tuple, counts as CSR or None, and profiles outside as CSR or None; all checked."""
    outside = None
    if getattr(names, "names", None) is not None:
        counts = getattr(names, "counts", None) if counts is None else counts
        outside, names = getattr(names, "outside", None), names.names
    if names is None or isinstance(names, dict):
        raise TypeError(f"names must be a sequence of words or a Dataset that has names, got {show(names)}")
    names = read_words(as_list("names", names), n_objects)
    if counts is not None:
        counts = as_rows("counts", counts)
        if counts.shape != (n_objects, n_objects):
            raise ValueError(f"counts must have shape (N, N) = ({n_objects}, {n_objects}), got {counts.shape}")
    if outside is not None:
        outside = as_rows("outside", outside)
    return names, counts, outside


def find_word(names, word, what="word"):
    """Return the number of a word, or of an index; case matters only where words differ by nothing else."""
    number = isinstance(word, (int, np.integer)) and not isinstance(word, bool)
    if number and 0 <= word < len(names):
        return int(word)
    if str(word) in names:
        return names.index(str(word))
    if number or not isinstance(word, str):
        rule = f"from 0 to {len(names) - 1} as an index" if number else "one of the words, or an index"
        raise ValueError(f"{what} must be {rule}, got {show(word)}")
    wanted, folded = word.casefold().strip(), [name.casefold().strip() for name in names]
    same = [k for k, name in enumerate(folded) if name == wanted]
    if len(same) == 1:
        return same[0]
    if same:
        raise ValueError(f"{what} must name one word, got {show(word)}; say which: {', '.join(names[k] for k in same)}")
    offers = [names[folded.index(name)] for name in get_close_matches(wanted, folded, n=5, cutoff=0.6)]
    fix = f"did you mean {', '.join(offers)}?" if offers else "the known ones are in names"
    raise ValueError(f"{what} must be one of the {len(names)} words, got {show(word)}; {fix}")


def given(counts, i, words):
    """Return how often words were given for word i, and it for them, as counts, CSR or None, say; NaN without any."""
    if counts is None:
        return (np.full(len(words), np.nan),) * 2
    return counts[[i]].toarray()[0][words], counts[:, [i]].toarray()[words, 0]
