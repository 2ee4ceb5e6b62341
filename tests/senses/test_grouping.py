"""Grouping: where a word comes apart, and how sure that is."""

import numpy as np
import pytest

from notebook_sne.senses.grouping import MIDDLE, STEEPNESS, Split, Tree, certainty_of, similarity_at


def blocks(sizes, within=0.5, across=0.001):
    """Return the similarity of associates in groups of given sizes."""
    group = np.repeat(np.arange(len(sizes)), sizes)
    similarity = np.where(group[:, None] == group, within, across)
    np.fill_diagonal(similarity, 1.0)
    return similarity


def even(n):
    return np.full(n, 1 / n)


def test_two_groups_with_nothing_in_common_are_two_senses():
    tree = Tree(blocks([6, 4]), even(10), 20.0)
    split = tree.split
    assert split == pytest.approx(Split(0.001, 24, 0.4))
    assert [group.tolist() for group in tree.groups(0.25)] == [list(range(6)), [6, 7, 8, 9]]
    assert tree.certainty() > 0.25


def test_one_group_is_one_sense_with_all_associates():
    similarity = blocks([6, 4], across=0.4)
    tree = Tree(similarity, even(10), 20.0)
    assert tree.certainty() < 0.01
    assert [group.tolist() for group in tree.groups(0.25)] == [list(range(10))]


def test_three_senses_once_there_are_two():
    tree = Tree(blocks([5, 4, 3]), even(12), 20.0)
    assert [len(group) for group in tree.groups(0.25)] == [5, 4, 3]


def test_the_share_orders_the_senses_and_small_groups_are_none():
    shares = np.array([0.02, 0.02, 0.3, 0.3, 0.18, 0.18])
    groups = Tree(blocks([2, 2, 2]), shares, 20.0).groups(0.25)
    assert [group.tolist() for group in groups] == [[2, 3], [4, 5]]  # the first two have 4 % of the ties
    assert Tree(blocks([5, 1]), even(6), 20.0).split is None  # one word alone is no sense


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_few_associates_have_one_sense(n):
    tree = Tree(blocks([1] * n) if n else np.empty((0, 0)), even(n) if n else np.empty(0), 20.0)
    assert tree.split is None and tree.certainty() == 0.0
    assert [group.tolist() for group in tree.groups(0.25)] == [list(range(n))]


def test_what_is_only_left_over_is_no_group():
    similarity = np.eye(6)
    similarity[:2, :2] = similarity[2:4, 2:4] = 0.5  # the last two have nothing in common with each other either
    np.fill_diagonal(similarity, 1.0)
    tree = Tree(similarity, even(6), 20.0)
    groups = tree.groups(1e-6)
    assert all(set(group.tolist()) != {4, 5} for group in groups)


def test_certainty_rises_with_the_share_and_falls_with_what_is_common():
    sure = certainty_of(Split(0.001, 100, 0.3), 20.0)
    assert certainty_of(Split(0.01, 100, 0.3), 20.0) < sure
    assert certainty_of(Split(0.001, 100, 0.1), 20.0) < sure
    assert certainty_of(Split(0.001, 4, 0.3), 20.0) < sure
    assert certainty_of(Split(0.001, 100, 0.3), 60.0) < sure
    assert certainty_of(None, 20.0) == 0.0


def test_certainty_is_the_logistic_function_of_x():
    similarity = (0.002 * 30 + 0.01) / 31
    x = np.log(np.sqrt(0.2 / 25) / similarity)
    wanted = 1 / (1 + np.exp(-STEEPNESS * (x - MIDDLE)))
    assert certainty_of(Split(0.002, 30, 0.2), 25.0) == pytest.approx(wanted)


@pytest.mark.parametrize("certainty", [0.05, 0.25, 0.9])
def test_the_similarity_at_a_certainty_has_it(certainty):
    split = Split(similarity_at(certainty, 30.0), 10**9, 0.1)
    assert certainty_of(split, 30.0) == pytest.approx(certainty, rel=1e-3)


def test_a_group_that_falls_apart_further_down_is_kept_whole():
    # Both groups are loose, but held together better than apart: the cut for further senses leaves crumbs only.
    similarity = np.full((8, 8), 1e-5)
    similarity[:4, :4] = similarity[4:, 4:] = 1.5 * similarity_at(0.25, 20.0)
    np.fill_diagonal(similarity, 1.0)
    assert [len(group) for group in Tree(similarity, even(8), 20.0).groups(0.25)] == [4, 4]
