"""Communities that overlap: which objects are divided, and where several maps begin with them."""

import numpy as np
import pytest
from scipy import sparse

from notebook_sne.engine.mathematics.aspects import attractive_pairs
from notebook_sne.engine.mathematics.overlapping import DIVIDED, nodes_of, overlapping, reverse_of


def bridged(n=8, weak=0.0):
    """Return a P of two groups of n objects, each tied to the others of its group, and a last one tied to all."""
    P = np.full((2 * n + 1, 2 * n + 1), weak)
    P[:n, :n] = P[n : 2 * n, n : 2 * n] = 1.0
    P[-1] = P[:, -1] = 1.0
    np.fill_diagonal(P, 0.0)
    return P / P.sum(axis=1, keepdims=True)


def parts_of(P):
    """Return for each object the set of its neighbors in each node."""
    pairs = attractive_pairs(sparse.csr_array(P))
    pointers, columns = pairs.pointers.astype(np.int64), pairs.columns.astype(np.int64)
    node = nodes_of(pointers, columns, pairs.strengths.astype(float))
    rows = [slice(*pointers[i : i + 2]) for i in range(len(P))]
    return [[set(columns[row][node[row] == k].tolist()) for k in range(node[row].max(initial=-1) + 1)] for row in rows]


def test_an_object_between_two_groups_is_divided_and_no_other():
    parts = parts_of(bridged())
    assert parts[-1] == [set(range(8)), set(range(8, 16))]
    assert all(len(own) == 1 for own in parts[:-1])


@pytest.mark.parametrize("apart", [False, True])
def test_neighbors_are_one_group_where_they_keep_the_same_company_though_not_each_others(apart):
    P, fellows = np.zeros((21, 21)), [range(10, 15), range(15, 20) if apart else range(10, 15)]
    for a in (0, 1):
        P[np.ix_(fellows[a], range(5 * a, 5 * a + 5))] = P[20, 5 * a : 5 * a + 5] = 1.0
    P += P.T
    assert len(parts_of(P / np.maximum(P.sum(axis=1, keepdims=True), 1.0))[-1]) == 1 + apart


def test_most_objects_are_whole_whatever_the_graph():
    S = sparse.random_array((200, 200), density=0.1, rng=np.random.default_rng(0)).toarray()
    assert 0.15 <= np.mean([len(own) > 1 for own in parts_of(S + S.T)]) <= DIVIDED


def test_of_many_neighbors_the_strongest_make_the_groups_and_the_others_go_to_the_largest():
    P = bridged(80)
    P[-1, 40:80] *= 0.5
    assert parts_of(P)[-1] == [set(range(40)), set(range(40, 160))]


@pytest.mark.parametrize("few", [1, 3])
def test_a_small_part_goes_with_the_rest(few):
    P = bridged()
    P[-1, few:8] = P[few:8, -1] = 0.0
    assert len(parts_of(P)[-1]) == (1 if few == 1 else 2)
    P[-1, :few] = P[:few, -1] = 1e-3  # three, but with hardly any of its ties
    assert len(parts_of(P)[-1]) == 1


def test_a_divided_object_begins_in_two_maps_by_its_ties():
    P = bridged()
    P[-1, :8] *= 3
    mixing = overlapping(attractive_pairs(sparse.csr_array(P)), 2, np.random.default_rng(0))
    np.testing.assert_allclose(mixing.sum(axis=0), 1.0)
    first = mixing[:, 0].argmax()
    assert (mixing[first, :8] > 0.8).all() and (mixing[first, 8:16] < 0.2).all()
    assert 0.5 < mixing[first, -1] < 0.8 and mixing[1 - first, -1] > 0.2


def test_the_reverse_of_a_pair_is_that_of_its_transpose():
    S = sparse.random_array((30, 30), density=0.2, rng=np.random.default_rng(0)).tocsr()
    S = sparse.csr_array(S + S.T)
    back = reverse_of(S.indptr, S.indices)
    rows = np.repeat(np.arange(30), np.diff(S.indptr))
    assert (rows[back] == S.indices).all() and (S.indices[back] == rows).all()
