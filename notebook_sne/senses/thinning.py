"""Binomial thinning: hold out a part of the counted responses, to be predicted from the rest."""

import numpy as np
from scipy import sparse

from notebook_sne.checks import check_counts, check_number
from notebook_sne.given import generator_of

__all__ = ["thin"]


def thin(counts, held_out, random_state=0):
    """Return counts for training, counts for testing, and the words for which nothing could be held out.

    Each response is held out with the same probability, independently, so that both parts have the same distribution.

    Parameters
    ----------
    counts : array or sparse matrix, shape (N, N)
        Whole numbers; no row is empty.
    held_out : float
        Probability of each response to be held out, 0 < held_out < 1.
    random_state : int or numpy.random.Generator, default=0
        Seed of the draw.

    Returns
    -------
    train, test : scipy.sparse.csr_array, shape (N, N)
        Their sum is counts.
    kept_whole : ndarray of int
        Words with all of their responses in train: the draw had taken every response of these for testing.
    """
    counts = sparse.csr_array(check_counts(counts, "counts"))
    if (counts.data != np.round(counts.data)).any():
        raise ValueError(
            f"counts must be whole numbers, as each response is held out or not, got "
            f"{counts.data[counts.data != np.round(counts.data)][0]:g}; give the counts, not P"
        )
    held_out = check_number("held_out", held_out, 0.0, 1.0, closed=False)
    counts.sort_indices()
    test = counts.copy()
    test.data = generator_of(random_state).binomial(counts.data.astype(np.int64), held_out).astype(float)
    train = counts.copy()
    train.data = counts.data - test.data
    empty = np.flatnonzero(np.asarray(train.sum(axis=1)).ravel() == 0)
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    whole = np.isin(rows, empty)
    train.data[whole], test.data[whole] = counts.data[whole], 0.0
    train.eliminate_zeros()
    test.eliminate_zeros()
    return train, test, empty
