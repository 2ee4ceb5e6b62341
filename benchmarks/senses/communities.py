"""Readings without maps: communities in the graph of a word's own associates, and random deals of them.

The graph of a word has its associates as nodes; the word itself is left out. Its edges are the ties among them, or how
alike their ties to other words are.
"""

import numpy as np
from scipy import sparse
from sklearn.cluster import KMeans

from benchmarks.senses.scores import Answer

__all__ = ["deal", "louvain", "spectral"]

_MOST_GROUPS = 8


def louvain(norms, i, seed, resolution=1.0, graph="ties"):
    """Return Louvain communities [Blondel et al., J. Stat. Mech. P10008, 2008].

    The edges are the ties among the associates, or, with the graph "common ties", how alike the ties of two associates
    to all words but this one are: the cosine of the square roots of their strengths.

    The certainty is 1 less the conductance between the two communities with the strongest ties to the word. Of eight
    candidates (modularity, the share of the second largest, their product, entropy, and so on) it told homonyms from
    controls best on the half of the gold list that is for choosing.
    """
    import networkx

    words, strengths = norms.associates(i)
    A = {"ties": _graph, "common ties": _common}[graph](norms, words, i)
    groups = networkx.community.louvain_communities(
        networkx.from_scipy_sparse_array(A), resolution=resolution, seed=seed
    )
    group_of = np.empty(len(words), dtype=int)
    for number, group in enumerate(groups):
        group_of[list(group)] = number
    return Answer(_senses(words, strengths, group_of), _separation(A, strengths, group_of))


def _separation(A, strengths, group_of):
    """Return 1 less the conductance between the two heaviest groups, in the graph of these two; 0 of a single one."""
    heaviest = np.argsort(-np.bincount(group_of, weights=strengths), kind="stable")[:2]
    if len(heaviest) < 2:
        return 0.0
    inside = group_of == heaviest[:, None]
    within = [A[mine][:, mine].sum() for mine in inside]
    across = A[inside[0]][:, inside[1]].sum()
    return float(1 - across / (min(within) + across)) if across > 0 else 1.0


def spectral(norms, i, seed, n_groups=None):
    """Return normalized spectral clusters [Ng, Jordan & Weiss, 2001]; as many as the largest gap of eigenvalues says.

    Each pair of associates is tied a little, by the mean strength of a pair, as else each associate without a tie to
    the others would be a cluster. The certainty is 1 less the second smallest eigenvalue of the normalized Laplacian.
    """
    words, strengths = norms.associates(i)
    A = _graph(norms, words, i).toarray()
    A += max(A.mean(), np.finfo(float).tiny)
    root = np.sqrt(A.sum(axis=1))
    eigenvalues, vectors = np.linalg.eigh(np.eye(len(A)) - A / root[:, None] / root)
    if n_groups is None:
        gaps = np.diff(eigenvalues[: min(_MOST_GROUPS + 1, len(A))])
        n_groups = 1 + int(np.argmax(gaps[1:])) + 1  # the gap above the first is there for any graph in one piece
    rows = vectors[:, :n_groups]
    rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.finfo(float).tiny)
    group_of = KMeans(n_groups, n_init=4, random_state=seed).fit_predict(rows)
    return Answer(_senses(words, strengths, group_of), float(1 - eigenvalues[1]))


def deal(norms, i, seed, n_groups=2):
    """Return a random deal of the associates into groups, and a random certainty."""
    words, strengths = norms.associates(i)
    generator = np.random.default_rng((seed, i))
    return Answer(_senses(words, strengths, generator.integers(n_groups, size=len(words))), generator.random())


def _graph(norms, words, i):
    """Return the ties among the associates of word i."""
    return sparse.csr_array(norms.ties[words][:, words])


def _common(norms, words, i):
    """Return the cosines between the ties of the associates to all words but i."""
    rows = np.sqrt(norms.ties[words].toarray())
    rows[:, i] = 0.0
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.finfo(float).tiny)
    A = rows @ rows.T
    np.fill_diagonal(A, 0.0)
    return sparse.csr_array(A)


def _senses(words, strengths, group_of):
    """Return the groups as senses, the heaviest first; a word weighs as its tie, and the strongest comes first."""
    groups = [(words[group_of == g], strengths[group_of == g]) for g in np.unique(group_of)]
    return tuple(sorted(groups, key=lambda group: -group[1].sum()))
