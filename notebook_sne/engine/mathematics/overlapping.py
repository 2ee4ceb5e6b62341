"""Communities that overlap: an object whose neighbors fall apart without it is in two of them or more.

In communities of objects, "can" holds *trash* and *beer* together in one. So each object is first divided into *nodes*,
one for each group of its neighbors that is tied to no other group but through the object, as in ego nets [Epasto2017].
With s_ij = p_ij + p_ji, the neighbors of object i are divided by moving each of them to the group with which it has
most ties beyond chance, and joining groups a and b while these have more ties than chance,

.. math:: s_ab s > s_a s_b,   s_ab = sum_{j in a, k in b} s_jk,   s_a = sum_{j in a, k} s_jk,   s = sum_a s_a

sums over neighbors of i. Groups of `LEAST_MEMBERS` with `LEAST_TIES` of the ties of i are joined further while they
have at least `APART` of the ties of chance. If two are left, the object is divided: every other neighbor goes to the
group with which it has most ties, or to the largest.

Nodes (i, a) and (j, b) are tied by s_ij where j is in a and i is in b. Communities of nodes
(`notebook_sne.engine.mathematics.communities`) are one for each map, and an object begins there with the share of its
ties that its nodes there have. All of this is made of P alone.
"""

import numpy as np
from scipy import sparse

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.mathematics.aspects import attractive_pairs
from notebook_sne.engine.mathematics.communities import EVENLY, communities

__all__ = ["nodes_of", "overlapping", "reverse_of"]

LEAST_MEMBERS, LEAST_TIES, APART = 2, 0.2, 0.1
_SWEEPS = 20
# Each is compiled once, and not in its callers too: half of the seconds. Loops stand where array functions would say
# the same, for the same reason: a sum along an axis alone takes three.
_APIECE = {"cache": True, "forceinline": False}


def overlapping(pairs, n_maps, rng):
    """Return mixing proportions to begin M maps with, shape (n_maps, N), from symmetric StoredPairs."""
    pointers, columns = pairs.pointers.astype(np.int64), pairs.columns.astype(np.int64)
    strengths = pairs.strengths.astype(np.float64)
    N, group = len(pointers) - 1, nodes_of(pointers, columns, strengths)
    objects = np.repeat(np.arange(N), np.diff(pointers))
    n_nodes = np.ones(N, np.int64)  # also of an object without ties
    np.maximum.at(n_nodes, objects, group + 1)
    owner = np.repeat(np.arange(N), n_nodes)
    node = (np.cumsum(n_nodes) - n_nodes)[objects] + group
    other = node[reverse_of(pointers, columns)]
    ties = sparse.csr_array((0.5 * strengths, (node, other)), shape=(len(owner), len(owner)))
    labels = communities(attractive_pairs(ties), n_maps, rng)
    weights = np.bincount(node, strengths, minlength=len(owner))
    sums = np.bincount(owner, weights)[owner]
    mixing = np.full((n_maps, N), EVENLY / n_maps)
    np.add.at(
        mixing, (labels, owner), (1.0 - EVENLY) * np.divide(weights, sums, out=np.ones_like(sums), where=sums > 0)
    )
    return mixing


def reverse_of(pointers, columns):
    """Return of each stored pair (i, j) of a symmetric matrix the number of (j, i)."""
    n = len(pointers) - 1
    return sparse.csr_array((np.arange(len(columns)), columns, pointers), shape=(n, n)).T.tocsr().data


@njit(**_APIECE)
def nodes_of(pointers, columns, strengths):
    """Return to which node of its object each stored pair belongs, from 0, int, shape (n_pairs,)."""
    N = len(pointers) - 1
    node = np.zeros(len(columns), np.int64)
    place = np.full(N, -1)
    for i in range(N):
        near = columns[pointers[i] : pointers[i + 1]]
        n = len(near)
        if n < 2 * LEAST_MEMBERS:
            continue
        for a in range(n):
            place[near[a]] = a
        # The graph of the neighbors among themselves.
        own, most = np.zeros(n + 1, np.int64), 0
        for j in near:
            most += pointers[j + 1] - pointers[j]
        to, ties = np.empty(most, np.int64), np.empty(most)
        for a in range(n):
            end = own[a]
            for k in range(pointers[near[a]], pointers[near[a] + 1]):
                if place[columns[k]] >= 0:
                    to[end], ties[end] = place[columns[k]], strengths[k]
                    end += 1
            own[a + 1] = end
        for j in near:
            place[j] = -1
        group, n_groups = _groups(own, to, ties)
        between = np.zeros((n, n_groups))
        for a in range(n):
            for k in range(own[a], own[a + 1]):
                between[a, group[to[k]]] += ties[k]
        _divide(group, between, strengths[pointers[i] : pointers[i + 1]], node[pointers[i] : pointers[i + 1]])
    return node


@njit(**_APIECE)
def _groups(own, to, ties):
    """Return the group of each neighbor, from 0, and their number."""
    n = len(own) - 1
    sums, inside, near, group = np.zeros(n), np.empty(n), np.zeros(n), np.empty(n, np.int64)
    total, moves = 0.0, 1
    for a in range(n):
        for k in range(own[a], own[a + 1]):
            sums[a] += ties[k]
        group[a], inside[a] = a, sums[a]
        total += sums[a]
    for _ in range(_SWEEPS):
        if total == 0 or moves == 0:
            break
        moves = 0
        for a in range(n):
            rows = to[own[a] : own[a + 1]]
            for k in range(len(rows)):
                near[group[rows[k]]] += ties[own[a] + k]
            mine = group[a]
            inside[mine] -= sums[a]
            best, most = mine, near[mine] - sums[a] * inside[mine] / total
            for b in rows:
                gain = near[group[b]] - sums[a] * inside[group[b]] / total
                if gain > most + 1e-12 * sums[a]:  # a rounding is no reason to move
                    best, most = group[b], gain
            for b in rows:
                near[group[b]] = 0.0
            inside[best] += sums[a]
            group[a] = best
            moves += best != mine
    number, n_groups = np.zeros(n, np.int64), 0  # of a group, counted from 1
    for a in range(n):
        if number[group[a]] == 0:
            n_groups += 1
            number[group[a]] = n_groups
    for a in range(n):
        group[a] = number[group[a]] - 1
    return group, n_groups


@njit(**_APIECE)
def _divide(group, between, strengths, node):
    """Write to which node each neighbor belongs, where the groups of neighbors are nodes."""
    n, n_groups = between.shape
    ties, shares, sizes = np.zeros((n_groups, n_groups)), np.zeros(n_groups), np.zeros(n_groups, np.int64)
    whole = 0.0
    for a in range(n):
        whole += strengths[a]
    for a in range(n):
        for c in range(n_groups):
            ties[group[a], c] += between[a, c]
        shares[group[a]] += strengths[a] / whole
        sizes[group[a]] += 1
    one, among = np.empty(n_groups, np.int64), np.ones(n_groups, np.bool_)  # the group that each is joined with
    for c in range(n_groups):
        one[c] = c
    _join(ties, one, among, shares, sizes, 1.0)
    for c in range(n_groups):
        among[c] = one[c] == c and sizes[c] >= LEAST_MEMBERS and shares[c] >= LEAST_TIES
    _join(ties, one, among, shares, sizes, APART)
    number, n_nodes, largest = np.empty(n_groups, np.int64), 0, 0
    for c in range(n_groups):
        number[c] = -1
        if among[c] and one[c] == c:
            if n_nodes == 0 or shares[c] > shares[largest]:
                largest = c
            number[c] = n_nodes
            n_nodes += 1
    if n_nodes < 2:
        return
    for c in range(n_groups):
        number[c] = number[one[c]]
    to = np.empty(n_nodes)
    for a in range(n):
        node[a] = number[group[a]]
        if node[a] < 0:
            for k in range(n_nodes):
                to[k] = 0.0
            for c in range(n_groups):
                if number[c] >= 0:
                    to[number[c]] += between[a, c]
            most = number[largest]
            for k in range(n_nodes):
                if to[k] > to[most] or (to[k] == to[most] > 0.0 and k < most):
                    most = k
            node[a] = most


@njit(**_APIECE)
def _join(ties, one, among, shares, sizes, least):
    """Join groups, two with most ties beyond chance first, while these have `least` of the ties of chance or more."""
    n = len(one)
    sums, total = np.zeros(n), 0.0
    for a in range(n):
        for b in range(n):
            sums[a] += ties[a, b]
        total += sums[a]
    while total > 0:
        best, first, second = 0.0, -1, -1
        for b in range(n):
            for a in range(b):
                if among[a] and among[b] and ties[a, b] * total > best * sums[a] * sums[b]:
                    best, first, second = ties[a, b] * total / (sums[a] * sums[b]), a, b
        if first < 0 or best < least:
            return
        for a in range(n):
            ties[first, a] += ties[second, a]
            ties[second, a] = 0.0
        for a in range(n):
            ties[a, first] += ties[a, second]
            ties[a, second] = 0.0
        sums[first] += sums[second]
        shares[first] += shares[second]
        sizes[first] += sizes[second]
        among[second] = False
        for a in range(n):
            if one[a] == second:
                one[a] = first
