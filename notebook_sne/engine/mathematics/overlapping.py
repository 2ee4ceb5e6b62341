"""Communities that overlap: an object whose neighbors keep company of two kinds is in two of them or more.

In communities of objects, "can" holds *trash* and *beer* together in one. So each object is first divided into *nodes*,
one for each group of its neighbors that keeps company of its own, as in ego nets [Epasto2017]. With s_ij = p_ij + p_ji,
s_i = sum_j s_ij and s = sum_i s_i, the company of object j is the unit vector of

.. math:: w_jh = max(0, log(s_jh s / (s_j s_h))),

of which an entry of its own is the share `OWN`, and two neighbors j and k of object i have c_jk in common, the product
of their company but for i. They are divided by moving each of them to the group with which it has most in common beyond
chance, and joining groups a and b while these have more in common than by chance,

.. math:: c_ab c > c_a c_b,   c_ab = sum_{j in a, k in b} c_jk,   c_a = sum_{j in a, k} c_jk,   c = sum_a c_a

sums over neighbors of i. Groups of `LEAST_MEMBERS` with `LEAST_TIES` of the ties of i are joined further, those with
most in common first. How much of chance the last two have in common says how far object i comes apart, and the share
`DIVIDED` of all objects that come apart farthest are divided, into the groups that are left at that point; every other
neighbor goes to the group with which it has most in common, or to the largest, as those do that are not among the
`_STRONGEST`.

Nodes (i, a) and (j, b) are tied by s_ij where j is in a and i is in b. Communities of nodes
(`notebook_sne.engine.mathematics.communities`) are one for each map, and an object begins there with the share of its
ties that its nodes there have. All of this is made of P alone.
"""

import numpy as np
from scipy import sparse

from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.mathematics.aspects import attractive_pairs
from notebook_sne.engine.mathematics.communities import communities, proportions

__all__ = ["nodes_of", "overlapping", "reverse_of"]

LEAST_MEMBERS, LEAST_TIES, DIVIDED, OWN = 2, 0.15, 0.2, 0.35
_STRONGEST = 100  # ties of an object: its groups and its company are made of no more, which bounds the seconds
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
    weights = np.bincount(node, strengths, minlength=len(owner))
    sums = np.bincount(owner, weights)[owner]
    share = np.divide(weights, sums, out=np.ones_like(sums), where=sums > 0)
    return proportions(communities(attractive_pairs(ties), n_maps, rng), n_maps, owner, share)


def reverse_of(pointers, columns):
    """Return of each stored pair (i, j) of a symmetric matrix the number of (j, i)."""
    n = len(pointers) - 1
    return sparse.csr_array((np.arange(len(columns)), columns, pointers), shape=(n, n)).T.tocsr().data


def nodes_of(pointers, columns, strengths):
    """Return to which node of its object each stored pair belongs, from 0, int, shape (n_pairs,)."""
    arrays = pointers, columns, strengths, *_company(pointers, columns, strengths)
    node, apart = np.zeros(len(columns), np.int64), np.full(len(pointers) - 1, np.inf)
    _nodes(*arrays, 0.0, apart, node)
    _nodes(*arrays, min(1.0, np.sort(apart)[int(DIVIDED * len(apart))]), apart, node)
    return node


def _company(pointers, columns, strengths):
    """Return the pointers, columns and entries of the company of each object, rows of length 1."""
    N = len(pointers) - 1
    rows = np.repeat(np.arange(N), np.diff(pointers))
    sums = np.bincount(rows, strengths, minlength=N)
    with np.errstate(divide="ignore"):
        entries = np.maximum(np.log(strengths * (sums.sum() / (sums[rows] * sums[columns]))), 0.0)
    for i in np.flatnonzero(np.diff(pointers) > _STRONGEST):
        own = entries[pointers[i] : pointers[i + 1]]
        own[own < np.partition(own, -_STRONGEST)[-_STRONGEST]] = 0.0
    lengths = np.sqrt(np.bincount(rows, entries**2, minlength=N))[rows]
    entries = np.sqrt(1.0 - OWN) * np.divide(entries, lengths, out=np.zeros_like(entries), where=lengths > 0)
    company = sparse.csr_array((entries, columns, pointers), shape=(N, N)) + sparse.diags_array(np.full(N, OWN**0.5))
    return company.indptr.astype(np.int64), company.indices.astype(np.int64), company.data


@njit(**_APIECE)
def _nodes(pointers, columns, strengths, begins, fellows, entries, least, apart, node):
    """Write how far the neighbors of each object come apart, and the nodes of those where that is less than `least`."""
    company = np.zeros(len(pointers) - 1)
    for i in range(len(pointers) - 1):
        first, n = pointers[i], pointers[i + 1] - pointers[i]
        if n < 2 * LEAST_MEMBERS or (least > 0.0 and apart[i] >= least):
            continue
        order = np.argsort(-strengths[first : first + n], kind="mergesort")
        m = min(n, _STRONGEST)
        near = columns[first : first + n][order[:m]]
        common, group, nodes = np.zeros((m, m)), np.empty(m, np.int64), np.zeros(n, np.int64)
        for a in range(m):
            _gather(company, 1.0, near[a], i, begins, fellows, entries)
            for b in range(a):
                for k in range(begins[near[b]], begins[near[b] + 1]):
                    common[a, b] += company[fellows[k]] * entries[k]
                common[b, a] = common[a, b]
            _gather(company, 0.0, near[a], i, begins, fellows, entries)
        between = np.zeros((m, _groups(common, group)))
        for a in range(m):
            for b in range(m):
                between[a, group[b]] += common[a, b]
        apart[i] = _divide(group, between, strengths[first : first + n][order], least, nodes)
        node[first + order] = nodes


@njit(**_APIECE)
def _gather(company, times, j, i, begins, fellows, entries):
    """Add the company of object j but for i to `company`, or clear it again, times 1 or 0."""
    for k in range(begins[j], begins[j + 1]):
        if fellows[k] != i:
            company[fellows[k]] = times * (company[fellows[k]] + entries[k])


@njit(**_APIECE)
def _groups(common, group):
    """Write the group of each neighbor, from 0, and return their number."""
    n = len(common)
    sums, inside, near = np.zeros(n), np.empty(n), np.zeros(n)
    total, moves = 0.0, 1
    for a in range(n):
        for b in range(n):
            sums[a] += common[a, b]
        group[a], inside[a] = a, sums[a]
        total += sums[a]
    for _ in range(_SWEEPS):
        if total == 0 or moves == 0:
            break
        moves = 0
        for a in range(n):
            near[:] = 0.0
            for b in range(n):
                near[group[b]] += common[a, b]
            mine = group[a]
            inside[mine] -= sums[a]
            best, most = mine, near[mine] - sums[a] * inside[mine] / total
            for b in range(n):
                gain = near[group[b]] - sums[a] * inside[group[b]] / total
                if common[a, b] > 0.0 and gain > most + 1e-12 * sums[a]:  # a rounding is no reason to move
                    best, most = group[b], gain
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
    return n_groups


@njit(**_APIECE)
def _divide(group, between, strengths, least, node):
    """Write to which node each neighbor belongs, and return how far they come apart: inf where no two groups count."""
    n, n_groups = between.shape
    ties, shares, sizes = np.zeros((n_groups, n_groups)), np.zeros(n_groups), np.zeros(n_groups, np.int64)
    whole = strengths.sum()
    for a in range(n):
        for c in range(n_groups):
            ties[group[a], c] += between[a, c]
        shares[group[a]] += strengths[a] / whole
        sizes[group[a]] += 1
    one, among = np.arange(n_groups), np.ones(n_groups, np.bool_)  # the group that each is joined with
    _join(ties, one, among, shares, sizes, 1.0)
    for c in range(n_groups):
        among[c] = one[c] == c and sizes[c] >= LEAST_MEMBERS and shares[c] >= LEAST_TIES
    apart = _join(ties, one, among, shares, sizes, least)
    number, n_nodes, largest = np.full(n_groups, -1), 0, 0
    for c in range(n_groups):
        if among[c] and one[c] == c:
            if n_nodes == 0 or shares[c] > shares[largest]:
                largest = c
            number[c] = n_nodes
            n_nodes += 1
    if n_nodes < 2:
        return apart
    node[:] = number[largest]
    to = np.empty(n_nodes)
    for a in range(n):
        if number[one[group[a]]] >= 0:
            node[a] = number[one[group[a]]]
            continue
        to[:] = 0.0
        for c in range(n_groups):
            if number[one[c]] >= 0:
                to[number[one[c]]] += between[a, c]
        for k in range(n_nodes):
            if to[k] > to[node[a]] or (to[k] == to[node[a]] > 0.0 and k < node[a]):
                node[a] = k
    return 0.0


@njit(**_APIECE)
def _join(ties, one, among, shares, sizes, least):
    """Join groups, two with most in common first, while that is `least` of chance or more; return what the last had."""
    n = len(one)
    sums, total, last = np.zeros(n), 0.0, np.inf
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
            break
        last = best
        for a in range(n):
            ties[first, a] += ties[second, a]
            ties[second, a] = 0.0
            if one[a] == second:
                one[a] = first
        for a in range(n):
            ties[a, first] += ties[a, second]
            ties[a, second] = 0.0
        sums[first] += sums[second]
        shares[first] += shares[second]
        sizes[first] += sizes[second]
        among[second] = False
    return last
