"""Lecture 16: the senses of a word, from the ties among its associates and from their company."""

from itertools import product
from typing import Any

import numpy as np
from scipy.sparse.csgraph import connected_components

from notebook_sne.course.checks_of_tasks import Wrong, array
from notebook_sne.course.tasks import Part, Posed, returned, values
from notebook_sne.datasets.relations import load_word_relations
from notebook_sne.engine.checks.arrays import Array, Floats

__all__ = ["best_split", "company_of", "long", "short", "ties_of"]


def _word(generator: np.random.Generator, least: int, most: int) -> tuple[Floats, list[str], int, Array]:
    """Return P, the names, a word, and its associates: all that it chooses."""
    norms = load_word_relations()
    assert norms.P is not None and norms.names is not None
    P = norms.P.toarray()
    counts = (P > 0).sum(axis=1)
    able = np.flatnonzero((counts >= least) & (counts <= most))
    rows = [i for i in generator.permutation(able) if _fits(P, int(i))]
    i = int(rows[0])
    return P, [str(name) for name in norms.names], i, np.flatnonzero(P[i])


def _fits(P: Floats, i: int) -> bool:
    """Tell whether a word's associates fall into two groups or more, of which one has several words."""
    a = np.flatnonzero(P[i])
    n_groups: int = connected_components(ties_of(P, a) > 0, directed=False)[0]
    return 1 < n_groups < len(a)


def ties_of(P: Floats, a: Array) -> Floats:
    """Return the ties among associates, p_{j|i} + p_{i|j}."""
    among: Floats = P[np.ix_(a, a)]
    return among + among.T


def _same_groups(a: Array, b: Array) -> bool:
    return bool(((a[:, None] == a) == (b[:, None] == b)).all())


def short(generator: np.random.Generator) -> Posed:
    """Groups of associates that are tied to one another."""
    P, names, i, a = _word(generator, 6, 14)
    T, among = ties_of(P, a), P[np.ix_(a, a)]
    right = connected_components(T > 0, directed=False)[1]

    def look_groups(name: str, value: Any, given: dict[str, Any]) -> None:
        groups = array(name, value, (len(a),))
        if _same_groups(groups, right):
            return
        whole = connected_components((P + P.T) > 0, directed=False)[1][a]
        if _same_groups(groups, whole):
            raise Wrong("groups must follow from ties among the associates alone: the word itself joins all of them")
        together = groups[:, None] == groups
        if (~together & (T > 0)).any():
            x, y = np.argwhere(~together & (T > 0))[0]
            raise Wrong(f"groups parts {names[a[x]]} and {names[a[y]]}, which are tied")
        raise Wrong(f"groups has {len(set(groups))} groups, and joins associates between which no chain of ties leads")

    data = {"P": P, "names": np.array(names), "word": i, "associates": a}
    parts = {
        "ties": values(2, f"p_(j|i) + p_(i|j) of each two associates, shape {T.shape}", T, [
            (among, "counts what one associate chooses of the other, and not what the other chooses of it"),
            (among.T, "counts what one associate chooses of the other, and not what the other chooses of it"),
            (T / 2, "is a mean, where the sum of both directions is asked for"),
        ], least=0.0),
        "groups": Part(2, "a number for each associate, the same for those that a chain of ties joins without the word "
                       f"itself, shape ({len(a)},)", look_groups),
    }  # fmt: skip
    return Posed(f"Which associates of “{names[i]}” belong together?", data, parts)


def _unit(rows: Floats) -> Floats:
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)


def _without(P: Floats, i: int, a: Array) -> Floats:
    """Return the rows of associates without the word."""
    C: Floats = P[a].copy()
    C[:, i] = 0.0
    return C


def company_of(P: Floats, i: int, a: Array) -> Floats:
    """Return the rows of associates without the word and with unit length."""
    return _unit(_without(P + P.T, i, a))


def value_of(A: Floats, groups: Array) -> float:
    """Return the mean likeness within groups less the mean across them."""
    upper = np.triu_indices(len(A), 1)
    together = (groups[:, None] == groups)[upper]
    if together.all() or not together.any():
        return -np.inf
    return float(A[upper][together].mean() - A[upper][~together].mean())


def best_split(A: Floats) -> Array:
    """Return the best division in two groups of two or more, by looking at all of them."""
    splits = [np.array([0, *rest]) for rest in product((0, 1), repeat=len(A) - 1) if 1 < sum(rest) < len(A) - 1]
    return max(splits, key=lambda groups: value_of(A, groups))


def long(generator: np.random.Generator) -> Posed:
    """Two senses from the company that associates keep."""
    P, names, i, a = _word(generator, 7, 9)
    A = company_of(P, i, a) @ company_of(P, i, a).T
    best = value_of(A, best_split(A))

    def look_senses(name: str, value: Any, given: dict[str, Any]) -> None:
        groups = array(name, value, (len(a),))
        if len(set(groups)) != 2:
            raise Wrong(f"senses must have two groups, got {len(set(groups))}")
        if min((groups == c).sum() for c in set(groups)) < 2:
            raise Wrong("each of the two senses needs two associates or more")
        got = value_of(A, groups)
        if got < best - 1e-9:
            raise Wrong(f"senses are {got:.3f} more alike within than across, and another division has more")

    raw, C, one_way = _unit((P + P.T)[a]), _without(P + P.T, i, a), _unit(_without(P, i, a))
    data = {"P": P, "names": np.array(names), "word": i, "associates": a}
    parts = {
        "alike": returned(5, "function of P, a word and its associates: cosines of the rows of P + P.T of the "
                          f"associates, with the column of the word set to 0, shape {A.shape}", [P, i, a], A, [
            (raw @ raw.T, "takes the word itself for company, which all its associates share"),
            (C @ C.T, "is an inner product and no cosine"),
            (one_way @ one_way.T, "counts whom an associate chooses, and not what chooses it"),
        ]),
        "senses": Part(4, "two groups, each of two or more, with the largest mean cosine within groups less that "
                       f"across, each pair once; a number for each associate, shape ({len(a)},)", look_senses),
        "margin": values(2, "that largest difference, a number", best, [
            (-best, "is across less within"),
            (_with_diagonal(A, best_split(A)), "counts the likeness of an associate to itself"),
        ], within=1e-4),
    }  # fmt: skip
    return Posed(f"Two senses of “{names[i]}”?", data, parts)


def _with_diagonal(A: Floats, groups: Array) -> float:
    together = groups[:, None] == groups
    return float(A[together].mean() - A[~together].mean())
