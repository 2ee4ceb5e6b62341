"""A graph as a data set: of networkx, a table or a list of edges; its groups of neighbors; what is refused."""

from itertools import combinations

import networkx
import numpy as np
import pandas as pd
import pytest

import notebook_sne as ns
from tests.tables import in_one_test

FIELDS = ["Ada Bo Cy Di Eve".split(), "Fay Gus Hal Ida Jon".split()]
EDGES = [(a, b, 2) for field in FIELDS for a, b in combinations(field, 2)]
EDGES += [("Zoe", name, 1) for field in FIELDS for name in field[:4]]


def graph(kind=networkx.Graph):
    G = kind()
    G.add_weighted_edges_from(EDGES)
    return G


def test_a_graph_a_table_and_a_list_are_the_same_nodes_and_weights():
    data = ns.datasets.from_graph(graph(), title="Joint papers", citation="by hand")
    for G in (EDGES, pd.DataFrame(EDGES), iter(EDGES)):
        other = ns.datasets.from_graph(G)
        assert set(other.names) == set(data.names)
        order = [other.names.tolist().index(name) for name in data.names]
        assert (other.counts.toarray()[np.ix_(order, order)] == data.counts.toarray()).all()
    np.testing.assert_allclose(data.P.sum(axis=1), 1)
    assert (data.title, data.citation, data.answers) == ("Joint papers", "by hand", None)
    assert ns.datasets.from_graph(graph(), weight=None).counts.max() == 1
    twice = ns.datasets.from_graph([*EDGES, ("Bo", "Ada"), ("Bo", "Bo", 9)])
    ada, bo = (twice.names.tolist().index(name) for name in ("Ada", "Bo"))
    assert twice.counts[ada, bo] == twice.counts[bo, ada] == 3 and twice.counts[bo, bo] == 0


def test_an_author_of_two_fields_has_two_groups_of_neighbors():
    """The groups have a certainty, since joint papers are counted."""
    found = ns.senses.groups(ns.datasets.from_graph(EDGES))
    zoe, ada = found.senses("Zoe"), found.senses("Ada")
    groups = [{found.known[zoe.associates[a]] for a in group} for group in zoe.groups]
    assert sorted(map(sorted, groups)) == [field[:4] for field in FIELDS]
    assert zoe.second > 0.5 and ada.n_senses == 1 and found.calibrated


def test_a_directed_edge_leads_one_way_and_a_node_that_leads_nowhere_is_left_out():
    G = networkx.DiGraph([(0, 1), (1, 2), (2, 0), (0, 3), (3, 4)])
    with pytest.warns(UserWarning, match="2 nodes lead to no other and are left out: 3, 4"):
        data = ns.datasets.from_graph(G)
    assert data.names.tolist() == ["0", "1", "2"] and data.counts.toarray().tolist() == [
        [0, 1, 0],
        [0, 0, 1],
        [1, 0, 0],
    ]
    G = graph()
    G.add_node("alone")
    with pytest.warns(UserWarning, match="1 nodes lead to no other and are left out: alone"):
        assert len(ns.datasets.from_graph(G)) == 11


@in_one_test(
    ("edges", "says"),
    [
        ([("a", "b")], "at least three nodes that are tied to others, got 2"),
        ([("a", "b", -1), ("b", "c")], "weights must be finite and not negative, got -1.0 between"),
        ([("a", "b", 1, 2)], "edges must be two nodes each"),
        ([(1, 2), (2, "1"), ("1", 1)], "nodes must differ in their names"),
    ],
)
def test_what_is_wrong_is_said(edges, says):
    with pytest.raises(ValueError, match=says):
        ns.datasets.from_graph(edges)
