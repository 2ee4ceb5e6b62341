"""Communities that overlap: which objects are divided, and where several maps begin with them."""

import numpy as np
import pytest
from scipy import sparse

from notebook_sne.engine.mathematics.aspects import attractive_pairs
from notebook_sne.engine.mathematics.communities import EVENLY
from notebook_sne.engine.mathematics.overlapping import nodes_of, overlapping, reverse_of


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


def test_groups_that_are_tied_to_each_other_are_one():
    assert len(parts_of(bridged(weak=0.01))[-1]) == 2  # far fewer ties than chance
    assert all(len(own) == 1 for own in parts_of(bridged(weak=0.4)))


@pytest.mark.parametrize("few", [1, 3])
def test_a_small_part_goes_with_the_rest(few):
    P = bridged()
    P[-1, few:8] = P[few:8, -1] = 0.0
    P /= P.sum(axis=1, keepdims=True)
    assert len(parts_of(P)[-1]) == (1 if few == 1 else 2)
    P[-1, :few] = P[:few, -1] = 1e-3  # three, but with hardly any of its ties
    assert len(parts_of(P)[-1]) == 1


def test_a_divided_object_begins_in_two_maps_by_its_ties():
    P = bridged()
    P[-1, :8] *= 3
    P /= P.sum(axis=1, keepdims=True)
    mixing = overlapping(attractive_pairs(sparse.csr_array(P)), 2, np.random.default_rng(0))
    np.testing.assert_allclose(mixing.sum(axis=0), 1.0)
    first = mixing[:, 0].argmax()
    assert (mixing[first, :8] > 0.8).all() and (mixing[first, 8:16] < 0.2).all()
    assert 0.5 < mixing[first, -1] < 0.8 and mixing[1 - first, -1] > 0.2


@pytest.mark.parametrize("n_maps", [1, 3, 5])
def test_odd_graphs_have_a_start_as_well(n_maps):
    alone = np.zeros((12, 12))
    alone[0, 1] = 1
    for P in (np.kron(np.eye(2), np.ones((6, 6))) - np.eye(12), alone, np.zeros((12, 12))):
        mixing = overlapping(attractive_pairs(sparse.csr_array(P)), n_maps, np.random.default_rng(0))
        np.testing.assert_allclose(mixing.sum(axis=0), 1.0)
        assert mixing.min() >= EVENLY / n_maps - 1e-12


def test_the_reverse_of_a_pair_is_that_of_its_transpose():
    S = sparse.random_array((30, 30), density=0.2, rng=np.random.default_rng(0)).tocsr()
    S = sparse.csr_array(S + S.T)
    S.sort_indices()
    back = reverse_of(S.indptr, S.indices)
    rows = np.repeat(np.arange(30), np.diff(S.indptr))
    assert (rows[back] == S.indices).all() and (S.indices[back] == rows).all()
