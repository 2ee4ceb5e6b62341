"""A graph as a data set: nodes with names, and how strongly each is tied to others."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from notebook_sne.datasets.dataset import Dataset
from notebook_sne.engine.checks.numbers import show

__all__ = ["from_graph"]


def from_graph(
    G: Any, *, weight: str | None = "weight", title: str = "Graph", citation: str = "", license: str = ""
) -> Dataset:
    """Return the nodes of a graph as a data set, with the weights of its edges as counts.

    `notebook_sne.senses.groups` reads from it into which groups a node's neighbors fall, such as the co-authors of an
    author of two fields, and the models of several maps map its ``P``.

    Parameters
    ----------
    G : networkx graph, pandas.DataFrame, or sequence of tuples
        A graph; or its edges: two nodes in the first columns or entries, and the weight of the edge in the third, 1 if
        there is none. Such edges have no direction, and those of a directed graph lead one way. Edges of the same nodes
        are added up, and those of a node to itself are ignored.
    weight : str or None, default="weight"
        The edge attribute of networkx that is the weight, 1 if an edge has none; None for 1 everywhere.
    title, citation, license : str
        What to call the graph on pages and in tables, the publication to cite, and the terms.

    Returns
    -------
    dataset : Dataset
        ``names`` of the nodes, in the order of their first edges; ``counts`` and ``P``, shape (N, N), scipy.sparse CSR.

    Raises
    ------
    ValueError
        If fewer than three nodes are tied to others, two nodes have one name, or a weight is negative or not finite.

    Warns
    -----
    UserWarning
        If no edge leads from some nodes to others: a P has no row for them, so they are left out.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> papers = ns.datasets.from_graph([("Ann", "Ben", 3), ("Ann", "Cleo"), ("Cleo", "Ben")], title="Joint papers")
    >>> papers.counts.toarray()[0].tolist()
    [0.0, 3.0, 1.0]
    """
    from scipy import sparse

    directed = hasattr(G, "is_directed") and G.is_directed()
    if hasattr(G, "edges") and hasattr(G, "nodes"):
        edges = [(a, b, 1) for a, b in G.edges()] if weight is None else list(G.edges(data=weight, default=1))
    else:
        edges = [tuple(row) for row in (G.itertuples(index=False) if hasattr(G, "itertuples") else G)]
    if any(len(edge) not in (2, 3) for edge in edges):
        raise ValueError("edges must be two nodes each, or two nodes and a weight")
    number = {node: k for k, node in enumerate(dict.fromkeys(node for edge in edges for node in edge[:2]))}
    names = np.array([str(node) for node in number])
    if len(set(names.tolist())) < len(names):
        raise ValueError("nodes must differ in their names as texts; rename those that do not, such as 1 and '1'")
    weights = np.array([edge[2] if len(edge) == 3 else 1 for edge in edges], dtype=float)
    if not (np.isfinite(weights) & (weights >= 0)).all():
        bad = int(np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))[0])
        raise ValueError(f"weights must be finite and not negative, got {weights[bad]} between {show(edges[bad][:2])}")
    ends = np.array([[number[edge[0]], number[edge[1]]] for edge in edges], dtype=int).reshape(-1, 2)
    A = sparse.csr_array((weights, ends.T), shape=(len(names),) * 2)
    A = A if directed else sparse.csr_array(A + A.T)
    A.setdiag(0.0)
    A.eliminate_zeros()
    kept = np.ones(len(names), dtype=bool)
    while not (left := np.asarray(A[kept][:, kept].sum(axis=1)).ravel() > 0).all():  # others may lead to these alone
        kept[np.flatnonzero(kept)[~left]] = False
    aside = names[~kept].tolist() + [str(node) for node in getattr(G, "nodes", ()) if node not in number]
    if kept.sum() < 3:
        raise ValueError(f"G must have at least three nodes that are tied to others, got {kept.sum()}; give more edges")
    if aside:
        warnings.warn(f"{len(aside)} nodes lead to no other and are left out: {', '.join(aside[:5])}", stacklevel=2)
    counts = sparse.csr_array(A[kept][:, kept])
    P = sparse.csr_array(sparse.diags_array(1 / np.asarray(counts.sum(axis=1)).ravel()) @ counts)
    made = {"file": "a graph", "edges": len(edges)}
    return Dataset(P=P, counts=counts, names=names[kept], title=title, citation=citation, license=license, made=made)
