"""Questions to a fitted linear relational embedding, and objects that it didn't know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from notebook_sne.engine.checks.arrays import Array, Floats
from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.machine.parallel import one_thread
from notebook_sne.engine.objects.triples import Triples, listed, read_triples
from notebook_sne.engine.optimizers import lbfgs
from notebook_sne.engine.optimizers.iterate import norm, read_only
from notebook_sne.relations.cost import Facts, answers, cost_and_gradient, facts_of

__all__ = ["Asking", "name_some"]

_STARTS = 4  # of a new object: the places that cost least among those of all objects, and of least squares
_MOST_STEPS, _SETTLED = 200, 1e-9  # the gradient over its first norm


class Asking:
    """The questions to a fitted model; `embedding_`, `matrices_` and `triples_` are those of its fit."""

    embedding_: Floats
    matrices_: Floats
    triples_: Triples
    reflexive: bool
    state_: Any

    def complete(self, object: Any, relation: Any) -> Any:
        """Return all objects as answers to a question, the most probable first.

        Parameters
        ----------
        object, relation : str or int
            The first two terms of a triple, as in the fit.

        Returns
        -------
        answers : pandas.DataFrame
            The columns answer, probability, q_{b|aR}, and known, whether the triple was in the fit.

        Raises
        ------
        ValueError
            If the model doesn't know the object or the relation.

        Examples
        --------
        >>> import notebook_sne as ns
        >>> model = ns.relations.LRE(random_state=0).fit(ns.datasets.load_family_trees())
        >>> sorted(model.complete("Colin", "aunt").answer[:2])
        ['Jennifer', 'Margaret']
        """
        import pandas as pd

        a, r = self._question((object, relation))
        q = self._answers([a], [r])[0]
        order = np.argsort(-q, kind="stable")
        known = self._right(self.triples_)
        return pd.DataFrame(
            {
                "answer": [self.triples_.objects[b] for b in order],
                "probability": q[order],
                "known": [int(b) in known.get((a, r), ()) for b in order],
            }
        )

    def predict(self, X: Any) -> Array:
        """Return the most probable answer to each question.

        Parameters
        ----------
        X : sequence of (object, relation)
            Questions: pairs, or an array or a table with two columns.

        Returns
        -------
        answers : ndarray, shape (n,)
            Objects, as they are called in the fit.

        Raises
        ------
        ValueError
            If a question is no such pair, or the model doesn't know its object or relation.
        """
        rows = X.itertuples(index=False, name=None) if hasattr(X, "itertuples") else X
        asked = [self._question(row) for row in rows]
        if not asked:
            raise ValueError("X must hold at least one question (object, relation), got none")
        first, relation = np.transpose(asked)
        return np.array([self.triples_.objects[b] for b in self._answers(first, relation).argmax(axis=1)])

    def rank(self, X: Any) -> Array:
        """Return the rank of the third term of each triple among the answers to its question; 1 is the best.

        Other right answers don't count, those of the fit and of the triples that are given: a triple is solved, with
        rank 1, where its answer is more probable than all wrong ones.

        Parameters
        ----------
        X : Triples, or what can be read as such
            Of objects and relations of the fit, such as those that were held out.

        Returns
        -------
        ranks : ndarray of int, shape (n,)

        Raises
        ------
        ValueError
            If the model doesn't know an object or a relation.
        """
        triples = self._known(read_triples(X))
        right = self._right(self.triples_, triples)
        first, relation, _ = triples.numbers.T
        D = self._squares(first, relation)
        ranks = np.empty(len(D), np.int64)
        for i, (a, r, b) in enumerate(triples.numbers.tolist()):
            wrong = np.delete(D[i], list(right[a, r]))
            ranks[i] = 1 + np.count_nonzero(wrong <= D[i, b])
        return ranks

    def transform(self, X: Any) -> Floats:
        """Return the vectors of new objects, each from its triples with objects of the fit.

        A new object goes where the objective of the fit, with its triples added, is least; the other vectors and all
        matrices stay as they are. Each is placed as if alone.

        Parameters
        ----------
        X : Triples, or what can be read as such
            In each, one object is of the fit and one is new; the relation is of the fit.

        Returns
        -------
        vectors : ndarray, shape (n, n_components)
            Those of the new objects, in the order of their first appearance.

        Raises
        ------
        ValueError
            If a triple has no new object, or no known one, or the model doesn't know its relation.

        Examples
        --------
        >>> import notebook_sne as ns
        >>> families = ns.datasets.load_family_trees()
        >>> model = ns.relations.LRE(random_state=0).fit(families)
        >>> model.transform([("Emma", "mother", "Victoria"), ("Emma", "brother", "Colin")]).shape
        (1, 6)
        """
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self, "embedding_")
        given = read_triples(X)
        of_object = {term: i for i, term in enumerate(self.triples_.objects)}
        of_relation = {term: i for i, term in enumerate(self.triples_.relations)}
        triples_of: dict[Any, list[tuple[int, int, int, float]]] = {}
        N = len(of_object)
        for (i, r, j), weight in zip(given.numbers.tolist(), given.weights, strict=True):
            a, relation, b = given.objects[i], given.relations[r], given.objects[j]
            new = [term for term in (a, b) if term not in of_object]
            if relation not in of_relation:
                raise ValueError(_unknown("relation", relation, self.triples_.relations))
            if len(new) != 1:
                what = "names no new one" if not new else "names no object of the fit"
                raise ValueError(
                    f"each triple must have one new object and one of the fit, but ({show(a)}, {show(relation)}, "
                    f"{show(b)}) {what}; the objects of the fit are {listed(self.triples_.objects)}"
                )
            row = (of_object.get(a, N), of_relation[relation], of_object.get(b, N), float(weight))
            triples_of.setdefault(new[0], []).append(row)
        return np.array([self._place(rows) for rows in triples_of.values()])

    def _place(self, rows: Sequence[tuple[int, int, int, float]]) -> Floats:
        """Return the vector, shape (d,), of a new object, whose number is N, with these triples."""
        fitted, V, matrices = self.triples_, self.embedding_, self.matrices_
        N = len(V)
        numbers = np.concatenate([fitted.numbers, np.array([row[:3] for row in rows], np.int64)])
        weights = np.concatenate([fitted.weights, [row[3] for row in rows]])
        facts = facts_of(numbers, weights, N + 1, len(matrices), self.reflexive)
        penalty = self.state_.knobs.get("penalty", 0.0)

        def evaluate(x: Floats) -> Any:
            return _of_one(facts, V, matrices, x, penalty)

        starts = np.concatenate([V, _least_squares(rows, V, matrices, N)[None]])
        costs = [evaluate(x).objective for x in starts]
        ends = []
        for k in np.argsort(costs, kind="stable")[:_STARTS]:
            now = lbfgs.begin(0, read_only(starts[k].copy()), evaluate)
            steep = norm(now.gradient)
            for _ in range(_MOST_STEPS):
                if now.memory["converged"] or norm(now.gradient) <= _SETTLED * steep:
                    break
                now = lbfgs.step(now, evaluate)
            ends.append(now)
        return np.array(min(ends, key=lambda end: end.objective).theta)

    def _question(self, pair: Any) -> tuple[int, int]:
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self, "embedding_")
        if isinstance(pair, str | bytes) or not hasattr(pair, "__len__") or len(pair) != 2:
            raise ValueError(f"a question must be a pair (object, relation), got {show(pair)}")
        places = []
        for kind, term, terms in zip(
            ("object", "relation"), pair, (self.triples_.objects, self.triples_.relations), strict=True
        ):
            if term not in terms:
                raise ValueError(_unknown(kind, term, terms))
            places.append(terms.index(term))
        return places[0], places[1]

    def _known(self, triples: Triples) -> Triples:
        """Return the triples with the numbers of the fit."""
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self, "embedding_")
        fitted = self.triples_
        if (triples.objects, triples.relations) == (fitted.objects, fitted.relations):
            return triples
        a, r, b = triples.numbers.T
        rows = [
            (triples.objects[i], triples.relations[k], triples.objects[j], w)
            for i, k, j, w in zip(a, r, b, triples.weights, strict=True)
        ]
        return Triples(rows, objects=fitted.objects, relations=fitted.relations)

    def _right(self, *some: Triples) -> dict[tuple[int, int], set[int]]:
        """Return the answers that the triples hold, {(a, R): objects}."""
        right: dict[tuple[int, int], set[int]] = {}
        for triples in some:
            for a, r, b in triples.numbers.tolist():
                right.setdefault((a, r), set()).add(b)
        return right

    def _predicted(self, first: Any, relation: Any) -> Floats:
        return np.einsum("pij,pj->pi", self.matrices_[relation], self.embedding_[first])

    def _answers(self, first: Any, relation: Any) -> Floats:
        return answers(self._predicted(first, relation), self.embedding_, None if self.reflexive else first)

    def _squares(self, first: Any, relation: Any) -> Floats:
        """Return |R a - b|^2 of each pair and object; infinite where b may be no answer."""
        D = np.square(self._predicted(first, relation)[:, None] - self.embedding_).sum(axis=2)
        if not self.reflexive:
            D[np.arange(len(D)), first] = np.inf
        return D


def name_some(terms: Sequence[Any], places: Any) -> str:
    """Return the first of the terms at these places as text."""
    return listed([terms[i] for i in places])


def _unknown(kind: str, term: Any, terms: Sequence[Any]) -> str:
    return f"the {kind} {show(term)} is not known, only {listed(terms)}; give one of the fit, as triples_.{kind}s lists"


@one_thread()  # type: ignore[untyped-decorator]
def _least_squares(rows: Sequence[tuple[int, int, int, float]], V: Floats, matrices: Floats, N: int) -> Floats:
    """Return the x with least sum of |R x - b|^2 and |R a - x|^2."""
    d = V.shape[1]
    left, right = [], []
    for a, r, b, _ in rows:
        left.append(matrices[r] if a == N else np.eye(d))
        right.append(V[b] if a == N else matrices[r] @ V[a])
    return np.linalg.lstsq(np.concatenate(left), np.concatenate(right), rcond=1e-6)[0]


def _of_one(facts: Facts, V: Floats, matrices: Floats, x: Floats, penalty: float) -> Any:
    """Return the Evaluation of the vector x of the last object, all else held."""
    from notebook_sne.engine.mathematics.evaluation import Evaluation

    cost, of_vectors, _ = cost_and_gradient(facts, np.concatenate([V, x[None]]), matrices)
    return Evaluation(cost + 0.5 * penalty * float(np.sum(np.square(x))), of_vectors[-1] + penalty * x, cost)
