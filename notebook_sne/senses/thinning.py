"""Binomial thinning: hold out a part of the counted responses, to be predicted from the rest."""

import numpy as np
from scipy import sparse

from notebook_sne.engine.checks.arguments import check_counts, check_number
from notebook_sne.engine.checks.numbers import generator_of

__all__ = ["thinnings"]


def thinnings(counts, held_out: float, n_thinnings: int = 1, random_state=0):
    """Return several splits of counts into a part for training and one for testing; no response is tested twice.

    Each response is held out with the same probability, 0 < held_out < 1, independently, so that both parts have the
    same distribution. Given the counts, each is held out in one split at most: `n_thinnings` times `held_out` is at
    most 1. The first splits are the same, however many there are.

    The counts are whole numbers, and no row is empty. A split is (train, test, kept_whole): train and test are CSR
    arrays of shape (N, N), their sum is counts; kept_whole, an ndarray of int, holds the words with all of their
    responses in train: the draw had taken every response of these for testing.
    """
    counts = sparse.csr_array(check_counts(counts, "counts"))
    if (counts.data != np.round(counts.data)).any():
        raise ValueError(
            f"counts must be whole numbers, as each response is held out or not, got "
            f"{counts.data[counts.data != np.round(counts.data)][0]:g}; give the counts, not P"
        )
    held_out = check_number("held_out", held_out, 0.0, 1.0, closed=False)
    if n_thinnings * held_out > 1 + 1e-9:
        raise ValueError(
            f"n_thinnings times held_out must be at most 1, as no response is held out twice, got {n_thinnings} times "
            f"{held_out:g}; lower one of them"
        )
    counts.sort_indices()
    random, left, splits = generator_of(random_state), counts.data.astype(np.int64), []
    for k in range(n_thinnings):
        drawn = random.binomial(left, min(1.0, held_out / (1.0 - k * held_out)))
        left = left - drawn
        splits.append(_split(counts, drawn.astype(float)))
    return splits


def _split(counts, drawn):
    """Return train and test, and the words of which nothing would be left for training."""
    train, test = counts.copy(), counts.copy()
    train.data, test.data = counts.data - drawn, drawn
    empty = np.flatnonzero(np.asarray(train.sum(axis=1)).ravel() == 0)
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    whole = np.isin(rows, empty)
    train.data[whole], test.data[whole] = counts.data[whole], 0.0
    train.eliminate_zeros()
    test.eliminate_zeros()
    return train, test, empty
