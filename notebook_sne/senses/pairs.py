"""Pairs of neighbors of a word: are two from one map more similar than two from different maps?

Each neighbor of a word belongs to one of its maps. Any measure of similarity has a mean over pairs of the same map and
one over pairs of different maps. Assigning the same neighbors to maps at random, as many to each map as before, shows
what both means would be if the maps had no information. Pairs are pooled over words.
"""

import numpy as np

__all__ = ["Pool"]


class Pool:
    """Sums over pairs within and across maps, of the true maps and of random ones; `n_words` words gave a pair."""

    def __init__(self, n_random, generator):
        self.n_words = 0
        self._random = generator
        # Sum and number of pairs within a map and of all pairs; first of the true maps, then of each random assignment.
        self._within = np.zeros((2, n_random + 1))
        self._all = np.zeros(2)

    def add(self, similarity: np.ndarray, valid: np.ndarray, maps: np.ndarray) -> None:
        """Add the n neighbors of one word.

        The similarity of two neighbors is read only where their pair is `valid`, which says that it counts; both have
        the shape (n, n) and are symmetric. `maps`, shape (n,), has the map of each neighbor.
        """
        valid = valid.astype(float)
        np.fill_diagonal(valid, 0.0)
        tables = np.where(valid > 0, similarity, 0.0), valid
        if not valid.any():
            return
        self.n_words += 1
        n_random = self._within.shape[1] - 1
        assigned = np.vstack([maps[None], self._random.permuted(np.tile(maps, (n_random, 1)), axis=1)])
        for m in np.unique(maps):
            member = (assigned == m).astype(float)
            for k, table in enumerate(tables):
                self._within[k] += np.einsum("rn,rn->r", member @ table, member) / 2
        for k, table in enumerate(tables):
            self._all[k] += table.sum() / 2

    def rates(self):
        """Return the mean similarity within and across maps, each of shape (1 + n_random,); NaN without a pair."""
        across = self._all[:, None] - self._within
        across[np.abs(across) < 1e-9 * np.maximum(self._all[:, None], 1.0)] = 0.0  # rounding
        with np.errstate(invalid="ignore", divide="ignore"):
            return self._within[0] / self._within[1], across[0] / across[1]
