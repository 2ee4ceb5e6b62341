"""What is asked of all methods: the words of the gold list that some norms have, with their labeled associates.

An associate of a word is tied to it in either direction. It is labeled with a meaning if it is one of its key words.
A homonym is asked if at least two of its meanings have two labeled associates each; a control, if it is mapped. Both
need ten associates, as there is nothing to divide among fewer. These rules look at the norms alone.
"""

from dataclasses import dataclass

from benchmarks.senses.gold import gold
from benchmarks.senses.norms import Norms

__all__ = ["LEAST_ASSOCIATES", "LEAST_LABELED", "Questions", "questions"]

LEAST_LABELED = 2
LEAST_ASSOCIATES = 10


@dataclass(frozen=True)
class Questions:
    """The words that are asked, by their numbers among the mapped words."""

    norms: Norms  # where the words come from
    homonyms: dict  # for each its labeled associates, with the meaning of each: {int: {int: str}}
    controls: tuple  # words of one meaning

    @property
    def words(self):
        """All that are asked: homonyms, then controls."""
        return (*self.homonyms, *self.controls)


def questions(norms, half, least_labeled=LEAST_LABELED):
    """Return what can be asked about a half of the gold list; None stands for both halves."""
    listed = gold(half)
    homonyms = {}
    for word, meanings in listed.homonyms.items():
        i = _asked(norms, word)
        if i is None:
            continue
        labels = _labels(norms, i, meanings)
        given = list(labels.values())
        known = {meaning for meaning in given if given.count(meaning) >= least_labeled}
        if len(known) >= 2:
            homonyms[i] = labels
    controls = [_asked(norms, word) for word in listed.controls]
    return Questions(norms, homonyms, tuple(i for i in controls if i is not None))


def _asked(norms, word):
    """Return the number of a word that is mapped and has enough associates, else None."""
    i = norms.find(word)
    return None if i is None or len(norms.associates(i)[0]) < LEAST_ASSOCIATES else i


def _labels(norms, i, meanings):
    """Return the meaning of each associate of a word that is a key word of it."""
    of_key = {key: meaning for meaning, keys in meanings.items() for key in keys}
    found = {int(j): of_key.get(str(norms.data.names[j]).lower()) for j in norms.associates(i)[0]}
    return {j: meaning for j, meaning in found.items() if meaning is not None}
