"""Communities of a P: groups of objects that have more ties among them than chance would give.

Several maps divide the objects among them. From a start of noise, they find this division only in part; a start in
which each map has one community of the graph of P is already most of the way there. With s_ij = p_ij + p_ji, s_i =
sum_j s_ij and s = sum_i s_i, communities c make

.. math:: sum_ij (s_ij - gamma s_i s_j / s) [c_i = c_j]          [Reichardt2006]

large. Each object in turn joins the community, among those to which it has ties, that makes this largest. When no
object moves any more, the communities become the objects of a smaller graph, with sums of ties, and so on
[Blondel2008]. The larger gamma is, the more communities there are. For M maps, gamma is searched until the effective
number of communities is M.
"""

import numpy as np
from scipy import sparse

from notebook_sne.engine.machine.compiled import njit

__all__ = ["communities", "proportions"]

EVENLY = 0.3
"""Part of each object that is spread evenly over all maps, so that it has a gradient in each."""
_RESOLUTIONS = (2.0**-2, 2.0**8)
_HALVINGS = 7  # of the interval in which gamma lies, on a scale of logarithms: to within 6 %
_SWEEPS = 100  # over all objects; some ten are enough, and none is needed to end


def communities(pairs, n_groups, rng):
    """Return the community of each object, from 0 to n_groups - 1, int, shape (N,); none is empty where N >= n_groups.

    `pairs` are StoredPairs, symmetric; `rng` draws the order in which objects move. The largest communities come first.
    The remaining communities join, one after the other, the community with which they have most ties, or the smallest
    if they have none. If there are too few, the largest is halved at random.
    """
    N = len(pairs.pointers) - 1
    ties = sparse.csr_array((pairs.strengths.astype(np.float64), pairs.columns, pairs.pointers), shape=(N, N))
    low, high = np.log(_RESOLUTIONS)
    best, labels = np.inf, np.zeros(N, dtype=np.int64)
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        found = _louvain(ties, np.exp(middle), rng)
        surplus = np.log(_effective(found) / n_groups)
        if abs(surplus) < best:
            best, labels = abs(surplus), found
        low, high = (middle, high) if surplus < 0 else (low, middle)
    return _halved(_joined(ties, labels, n_groups), n_groups, rng)


def proportions(labels, n_groups, owner=None, share=1.0):
    """Return mixing proportions, shape (n_groups, N), with most of each object in the map of its community.

    Where objects are divided, labels are those of their parts, `owner` the object of each, rising, and `share` what it
    has of the object.
    """
    owner = np.arange(len(labels)) if owner is None else owner
    mixing = np.full((n_groups, owner[-1] + 1), EVENLY / n_groups)
    np.add.at(mixing, (labels, owner), (1.0 - EVENLY) * share)
    return mixing


def _effective(labels):
    """Return the effective number of communities, N^2 / sum_c n_c^2: as many of one size separate as many pairs."""
    sizes = np.bincount(labels)
    return len(labels) ** 2 / np.sum(sizes**2)


def _louvain(ties, resolution, rng):
    """Return communities of a symmetric CSR matrix, numbered from 0 on."""
    labels, total = np.arange(ties.shape[0]), ties.sum()
    level = ties
    while total > 0:
        n = level.shape[0]
        sums = np.asarray(level.sum(axis=1)).ravel()
        community = np.arange(n)
        rows = level.indptr.astype(np.int64), level.indices.astype(np.int64), level.data
        if not _move(*rows, sums, resolution / total, rng.permutation(n), community):
            break
        community = np.unique(community, return_inverse=True)[1]
        labels = community[labels]
        level = _merged(level, community)
    return labels


@njit(cache=True)
def _move(pointers, columns, data, sums, pull, order, community):
    """Move objects to where the modularity is largest until none moves; return the number of moves."""
    inside = sums.copy()  # of each community, the sum of s_i
    ties = np.zeros(len(sums))  # of the object at hand with each community
    near = np.empty(len(sums), np.int64)
    moves = 0
    for _ in range(_SWEEPS):
        before = moves
        for i in order:
            n_near = 0
            for k in range(pointers[i], pointers[i + 1]):
                c = community[columns[k]]
                if columns[k] == i or data[k] <= 0.0:
                    continue
                if ties[c] == 0.0:
                    near[n_near] = c
                    n_near += 1
                ties[c] += data[k]
            own = community[i]
            inside[own] -= sums[i]
            best, most = own, ties[own] - pull * sums[i] * inside[own]
            for c in near[:n_near]:
                gain = ties[c] - pull * sums[i] * inside[c]
                if gain > most + 1e-12 * sums[i]:  # a rounding is no reason to move
                    best, most = c, gain
            inside[best] += sums[i]
            community[i] = best
            moves += best != own
            ties[near[:n_near]] = 0.0
        if moves - before <= len(sums) // 1000:
            break
    return moves


def _merged(ties, labels):
    """Return the ties of communities, summed over their objects, CSR."""
    n = len(labels)
    members = sparse.csr_array((np.ones(n), (np.arange(n), labels)), shape=(n, labels.max() + 1))
    return sparse.csr_array(members.T @ ties @ members)


def _joined(ties, labels, n_groups):
    """Return the labels with no more than `n_groups` communities, the largest first."""
    sizes = np.bincount(labels)
    order = np.argsort(-sizes, kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    labels = rank[labels]
    if len(order) <= n_groups:
        return labels
    between = _merged(ties, labels)[n_groups:, :n_groups].toarray()
    target, counts = np.arange(len(order)), sizes[order][:n_groups]
    for extra, row in enumerate(between):
        target[n_groups + extra] = row.argmax() if row.any() else counts.argmin()
        counts[target[n_groups + extra]] += sizes[order[n_groups + extra]]
    return target[labels]


def _halved(labels, n_groups, rng):
    """Return the labels with the largest communities halved at random until there are `n_groups`, if objects allow."""
    labels, sizes = labels.copy(), np.bincount(labels, minlength=n_groups)
    for empty in np.flatnonzero(sizes == 0):
        largest = sizes.argmax()
        moved = rng.permutation(np.flatnonzero(labels == largest))[: sizes[largest] // 2]
        labels[moved] = empty
        sizes[largest], sizes[empty] = sizes[largest] - len(moved), len(moved)
    return labels
