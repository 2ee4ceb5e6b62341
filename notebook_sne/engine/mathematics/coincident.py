"""Neighbors of identical objects, where there are more of these than each has neighbors.

Each of m identical objects has the m - 1 others as its nearest neighbors, all at distance 0. If only K < m neighbors
are stored, the choice among them is arbitrary, but it shows in a map. With the same K for all, these would be pulled
out of the middle of the others. With the next K in the order of the data, the m identical objects would form a thread.
The choice here has no shape: K random numbers o_k are the same for all objects, and the neighbors of the object at
place r of its group are those at the places

.. math:: (r + o_k) mod m,   1 <= k <= K

so every object is chosen equally often. Neighbors of neighbors soon join any two objects, so that the group stays in
one piece. Other objects that have such a group among their neighbors take turns with its members.
"""

from functools import lru_cache
from hashlib import blake2b

import numpy as np

__all__ = ["Coincident", "shapeless"]


@lru_cache(maxsize=16)
def shapeless(m, n):
    """Return n different random numbers from 0 to m - 1, shape (n,): the same ones at each call."""
    # The stream of RandomState is frozen: whatever the version of NumPy, these are the same numbers.
    return np.random.RandomState(0).permutation(m)[:n]


class Coincident:
    """Groups of more than n identical objects, for a search of the n neighbors of each object.

    X, shape (N, n_features), are the objects. `groups` has the objects of each group, in rising order, and `group`, int
    of shape (N,), the number of the group of each object; -1 without a group.
    """

    def __init__(self, X, n):
        self.n = n
        # Identical objects have identical sums, which tell in no time that there are none, as nearly always.
        sums = np.array([row.sum() for row in X]) if isinstance(X, list) else X.sum(axis=1)
        _, kinds, counts = np.unique(sums, return_inverse=True, return_counts=True)
        alike = np.flatnonzero(counts[kinds] > n)
        keys = b"".join(blake2b(X[i] + 0.0, digest_size=16).digest() for i in alike)  # -0.0 is 0.0 now
        _, kinds, counts = np.unique(
            np.frombuffer(keys, np.uint64).reshape(-1, 2), axis=0, return_inverse=True, return_counts=True
        )
        order, ends = alike[np.argsort(kinds.ravel(), kind="stable")], np.cumsum(counts)
        self.groups = [order[ends[k] - counts[k] : ends[k]] for k in np.flatnonzero(counts > n)]
        self.group = np.full(len(X), -1)
        for g, members in enumerate(self.groups):
            self.group[members] = g

    def outside(self):
        """Return the objects that are in no group, shape (R,), in rising order."""
        return np.flatnonzero(self.group < 0)

    def enough(self, more):
        """Return the objects to search, in rising order: all of them, but only the first n + `more` of each group."""
        left_out = [members[self.n + more :] for members in self.groups]
        return np.setdiff1d(np.arange(len(self.group)), np.concatenate([*left_out, np.empty(0, int)]))

    def neighbors(self, g):
        """Return n neighbors of each object of group g, in rising order, int32 of shape (m, n)."""
        members = self.groups[g]
        found = np.empty((len(members), self.n), np.int32)
        for k, offset in enumerate(1 + shapeless(len(members) - 1, self.n)):
            found[:, k] = np.roll(members, -offset)
        found.sort(axis=1)
        return found

    def take_turns(self, neighbors, D, turns):
        """Replace the members of groups that were found by other members of the same groups, in place.

        `neighbors` and D, shape (R, n), are the neighbors of objects that are in no group, in rising order, and their
        squared distances; `turns`, int of shape (R,), has a number for each of these objects, 0, 1, 2, ...
        """
        groups = self.group[neighbors]
        for r in np.flatnonzero((groups >= 0).any(axis=1)):
            for g in np.unique(groups[r][groups[r] >= 0]):
                here = np.flatnonzero(groups[r] == g)
                places = int(turns[r]) * self.n + np.arange(len(here))
                neighbors[r, here] = np.take(self.groups[g], places, mode="wrap")
            order = np.argsort(neighbors[r])
            neighbors[r], D[r] = neighbors[r, order], D[r, order]
