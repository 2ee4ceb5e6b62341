"""How good are answers? The same rules for all methods.

A *sense* that a method finds counts if it holds at least two associates of the word and 5 % of the strength of all its
ties. It is *right* for a meaning if of its labeled associates, at least one, two thirds or more belong to that meaning;
it is *whole* if besides it has half of the meaning's labeled associates or more. A homonym is right, or whole, if two
of its meanings have such a sense each; a control is split if two senses count.

Whoever cuts a word into many small senses is often right, as a sense with one labeled associate always is. How often
the very same senses are right for meanings that are dealt to the labeled associates at random says how much that is.
And whoever splits nearly all words is right more often than who splits with care, so that the right words are counted
again where each method splits those words only of which it is surest, as many as leave most controls in one piece.
"""

from dataclasses import dataclass

import numpy as np
from sklearn.metrics import adjusted_rand_score

__all__ = ["Answer", "Marks", "counted", "found_again", "mark", "standard_errors"]

LEAST_WORDS, LEAST_SHARE = 2, 0.05
RIGHT_SHARE, WHOLE_SHARE = 2 / 3, 1 / 2
MOST_SPLIT = 0.6
_DEALS, _RESAMPLES = 20, 1000


@dataclass(frozen=True)
class Answer:
    """What a method says of a word."""

    # For each sense (words, weights): numbers of its associates, and how surely each belongs to it, the surest first.
    # Words that are no associates are passed over.
    senses: tuple
    certainty: float  # how certain it is that there is a second sense: larger is surer, in any unit


@dataclass(frozen=True)
class Marks:
    """The marks of a method, for each word."""

    right: np.ndarray  # bool, shape (n_homonyms,): whether two meanings have a right sense each
    whole: np.ndarray  # bool, shape (n_homonyms,): whether two have a whole one
    by_chance: np.ndarray  # shape (n_homonyms,): how often the same senses are right when meanings are dealt at random
    # Adjusted Rand index of the labeled associates; one that is in no sense is a group by itself.
    rand: np.ndarray  # shape (n_homonyms,)
    split: np.ndarray  # bool, shape (n_controls,): whether two senses count
    certainty: np.ndarray  # shape (n_homonyms,): certainty of the second sense
    certainty_of_controls: np.ndarray  # shape (n_controls,)

    @property
    def surer(self):
        """ndarray, shape (n_homonyms, n_controls): 1 where the homonym is the surer one, 0.5 at equal certainty."""
        return (np.sign(self.certainty[:, None] - self.certainty_of_controls) + 1) / 2

    @property
    def auc(self):
        """float: how often a homonym is surer to have a second sense than a control."""
        return float(self.surer.mean())

    @property
    def right_with_care(self):
        """int: right homonyms where only words above a certainty are split, and MOST_SPLIT of the controls at most."""
        for least in np.unique(self.certainty_of_controls):
            if (self.split & (self.certainty_of_controls >= least)).mean() <= MOST_SPLIT:
                return int((self.right & (self.certainty >= least)).sum())
        return int((self.right & (self.certainty > self.certainty_of_controls.max())).sum())


def counted(norms, i, answer):
    """Return the senses of an answer that count, each as a dict from associate to weight."""
    words, strengths = norms.associates(i)
    share = dict(zip(words.tolist(), (strengths / strengths.sum()).tolist(), strict=True))
    found = []
    for words, weights in answer.senses:
        sense = {int(j): float(weight) for j, weight in zip(words, weights, strict=True) if int(j) in share}
        if len(sense) >= LEAST_WORDS and sum(share[j] for j in sense) >= LEAST_SHARE:
            found.append(sense)
    return found


def mark(questions, answers):
    """Return the marks of answers, a dict from word to Answer that has all words of the questions."""
    missing = set(questions.words) - set(answers)
    if missing:
        raise ValueError(
            f"answers must have all {len(questions.words)} words that are asked; {len(missing)} are missing"
        )
    senses = {i: counted(questions.norms, i, answers[i]) for i in questions.words}
    homonyms = [_marks_of_one(senses[i], labels) for i, labels in questions.homonyms.items()]
    return Marks(
        *(np.array(values) for values in zip(*homonyms, strict=True)),
        np.array([len(senses[i]) >= 2 for i in questions.controls]),
        np.array([answers[i].certainty for i in questions.homonyms], dtype=float),
        np.array([answers[i].certainty for i in questions.controls], dtype=float),
    )


def _marks_of_one(senses, labels):
    """Return right, whole, by_chance and rand of a homonym."""
    associates, meanings = list(labels), list(labels.values())
    # One row a labeled associate: its senses, and its meaning.
    in_sense = np.array([[j in sense for sense in senses] for j in associates], dtype=float).reshape(len(labels), -1)
    of_meaning = np.array([[meaning == name for name in dict.fromkeys(meanings)] for meaning in meanings], dtype=float)
    right, whole = _right(in_sense, of_meaning)
    generator = np.random.default_rng(0)
    deals = [_right(in_sense, generator.permutation(of_meaning))[0] for _ in range(_DEALS)]
    weights = np.array([[sense.get(j, -np.inf) for sense in senses] for j in associates]).reshape(len(labels), -1)
    alone = len(senses) + np.arange(len(labels))
    groups = np.where(in_sense.any(axis=1), weights.argmax(axis=1), alone) if senses else alone
    return right, whole, np.mean(deals), adjusted_rand_score(meanings, groups)


def _right(in_sense, of_meaning):
    """Return whether two meanings have a right sense, and whether two have a whole one."""
    both = in_sense.T @ of_meaning
    right = (both > 0) & (both >= RIGHT_SHARE * in_sense.sum(axis=0)[:, None] - 1e-9)
    whole = right & (both >= WHOLE_SHARE * of_meaning.sum(axis=0))
    return right.any(axis=0).sum() >= 2, whole.any(axis=0).sum() >= 2


def found_again(marks):
    """Return how often a homonym that is right in one of several marks is right in another; NaN where none is right."""
    right = np.array([each.right for each in marks], dtype=float)
    both = right @ right.T
    n_right = right.sum(axis=1)
    pairs = n_right.sum() * (len(marks) - 1)
    return float((both.sum() - np.trace(both)) / pairs) if pairs else np.nan


def standard_errors(marks, seed=0):
    """Return the bootstrap errors, over words, of what several marks are on average, by the names of the columns."""
    generator = np.random.default_rng(seed)
    n_homonyms, n_controls = marks[0].surer.shape
    homonyms = generator.multinomial(n_homonyms, np.full(n_homonyms, 1 / n_homonyms), _RESAMPLES) / n_homonyms
    controls = generator.multinomial(n_controls, np.full(n_controls, 1 / n_controls), _RESAMPLES) / n_controls
    means = {name: np.mean([getattr(each, name) for each in marks], axis=0) for name in ("right", "split")}
    surer = np.mean([each.surer for each in marks], axis=0)
    return {
        "right": n_homonyms * float(np.std(homonyms @ means["right"])),
        "split": float(np.std(controls @ means["split"])),
        "AUC": float(np.std(((homonyms @ surer) * controls).sum(axis=1))),
    }
