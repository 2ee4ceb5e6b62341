"""Taking copies of words out of a fitted mixture, and what the mixture predicts once it has settled without them.

A copy is worth what its removal costs after all maps have settled again, so every removal asks for a refit. Words that
are few and far between hardly feel one another's. So copies of many words are taken out at once, one copy a word, of
words that no response ties to each other, and one refit serves them all. How far this is from a refit for each copy is
in docs/decisions.md, and how far it is to settle only the word and its neighbors.
"""

from dataclasses import replace
from itertools import islice

import numpy as np
from scipy import sparse
from sklearn.base import clone

from notebook_sne.senses.mixture import mixture_of

__all__ = ["apart", "settle", "without_copies"]

# Negligible beside proportions near 1, and its logarithm is still a number that an optimizer can use.
_NOTHING = 1e-26


def without_copies(state, maps, objects):
    """Return a state in which object objects[k] is not in map maps[k]; its other proportions keep their ratios."""
    mixing = np.array(state.mixing)
    for m, i in zip(maps, objects, strict=True):
        mixing[m, i] = 0.0
        rest = mixing[:, i].sum()
        if rest <= 0:
            raise ValueError(f"a copy can be removed only where others are left, but object {i} is in map {m} only")
        mixing[:, i] /= rest
        mixing[m, i] = _NOTHING
        mixing[:, i] /= mixing[:, i].sum()
    return replace(state, mixing=mixing)


def settle(model, P, state, n_updates):
    """Return the Mixture after n_updates from the maps of a state, taken where the objective is lowest."""
    if "copy_moves" in model.get_params():
        model = clone(model).set_params(copy_moves=0)  # what was taken out is not to be put back
    # The name of no model, so that the optimizer begins without memory of the removed copy, in both fits.
    start = replace(state, model="edited", memory={})
    best = min(islice(model.iterate(P, start=start), n_updates + 1), key=lambda here: here.objective)
    return mixture_of(best, kernel=getattr(model, "_kernel", None))


def apart(P: sparse.csr_array, words: np.ndarray, most: int) -> list[np.ndarray]:
    """Share out copies so that no part holds two of one word, or of two words that P ties to each other.

    The maps are fitted to P, sparse, shape (N, N); `words`, shape (n,), has the word of each copy. Return the numbers
    of the copies of each part, at most `most`; each copy is in one part.
    """
    ties = sparse.csr_array(P + P.T)
    parts: list[list[int]] = []
    taken: list[np.ndarray] = []
    for k, i in enumerate(words):
        for part, felt in zip(parts, taken, strict=True):
            if len(part) < most and not felt[i]:
                break
        else:
            part, felt = [], np.zeros(P.shape[0], dtype=bool)
            parts.append(part)
            taken.append(felt)
        part.append(k)
        felt[i] = True
        felt[ties.indices[ties.indptr[i] : ties.indptr[i + 1]]] = True
    return [np.array(part) for part in parts]
