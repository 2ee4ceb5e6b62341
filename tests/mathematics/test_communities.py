"""Communities of a graph, which several maps may begin with."""

import numpy as np
import pytest
from scipy import sparse

from notebook_sne.engine.mathematics.aspects import attractive_pairs
from notebook_sne.engine.mathematics.communities import EVENLY, communities, proportions
from notebook_sne.engine.mathematics.overlapping import overlapping


def found(P, n_groups, seed=0):
    return communities(attractive_pairs(sparse.csr_array(P)), n_groups, np.random.default_rng(seed))


def planted(sizes, inside=0.5, between=0.01, seed=0):
    """Return a P in which each object is tied to many of its own group and few of others, and the groups."""
    groups = np.repeat(np.arange(len(sizes)), sizes)
    chance = np.where(groups[:, None] == groups, inside, between)
    P = (np.random.default_rng(seed).random(chance.shape) < chance).astype(float)
    np.fill_diagonal(P, 0)
    return P / np.maximum(P.sum(axis=1, keepdims=True), 1), groups


def same_partition(one, other):
    pairs = np.unique(np.stack([one, other]), axis=1).shape[1]
    return pairs == len(np.unique(one)) == len(np.unique(other))


def modularity(P, labels, resolution=1.0):
    """By the formula, over all pairs."""
    S = P + P.T
    s = S.sum(axis=1)
    together = labels[:, None] == labels
    return ((S - resolution * np.outer(s, s) / s.sum()) * together).sum() / s.sum()


def test_planted_groups_are_found_the_largest_first():
    P, groups = planted([50, 40, 30, 20])
    labels = found(P, 4)
    assert same_partition(labels, groups)
    assert np.bincount(labels).tolist() == [50, 40, 30, 20]


@pytest.mark.parametrize("n_groups", [2, 3])
def test_what_is_left_over_joins_what_it_has_most_ties_with(n_groups):
    P, _ = planted([40, 40, 12, 12])
    P[80:92, :3] += 0.05  # the third group is tied to the first, the fourth to the second
    P[92:, 40:43] += 0.05
    labels = found(P, n_groups)
    assert labels.max() < n_groups
    assert len(set(labels[:40])) == len(set(labels[40:80])) == 1 and labels[0] != labels[40]
    if n_groups == 2:
        assert set(labels[80:92]) == {labels[0]} and set(labels[92:]) == {labels[40]}


def test_modularity_is_that_of_networkx():
    networkx = pytest.importorskip("networkx")
    P, _ = planted([30] * 6, inside=0.4, between=0.04)
    graph = networkx.from_numpy_array(P + P.T)
    for seed in range(3):
        theirs = np.zeros(len(P), dtype=int)
        for c, members in enumerate(networkx.community.louvain_communities(graph, weight="weight", seed=seed)):
            theirs[list(members)] = c
        ours = found(P, theirs.max() + 1, seed)
        assert modularity(P, ours) > modularity(P, theirs) - 0.01


def test_a_seed_gives_the_same_groups_and_another_seed_others():
    P = sparse.random_array((400, 400), density=0.02, rng=np.random.default_rng(0)).toarray()
    assert np.array_equal(found(P, 20), found(P, 20))
    assert not np.array_equal(found(P, 20), found(P, 20, seed=1))


@pytest.mark.parametrize("n_groups", [1, 3, 12])
def test_odd_graphs_have_groups_and_proportions_as_well(n_groups):
    everyone = np.full((12, 12), 1 / 11)
    np.fill_diagonal(everyone, 0)
    two_parts = np.kron(np.eye(2), np.ones((6, 6))) - np.eye(12)
    alone = np.zeros((12, 12))
    alone[0, 1] = 1
    for P in (everyone, two_parts, alone, np.zeros((12, 12))):
        labels = found(P, n_groups)
        assert labels.shape == (12,) and set(labels) == set(range(n_groups))
        one = proportions(labels, n_groups)
        divided = overlapping(attractive_pairs(sparse.csr_array(P)), n_groups, np.random.default_rng(0))
        np.testing.assert_allclose([one.sum(axis=0), divided.sum(axis=0)], 1)
        np.testing.assert_allclose(one[labels, range(12)], 1 - EVENLY + EVENLY / n_groups)
        assert divided.min() >= EVENLY / n_groups - 1e-12
    if n_groups == 3:
        assert same_partition(found(two_parts, 2), np.repeat([0, 1], 6))
