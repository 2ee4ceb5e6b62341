"""Triples: facts of the form (object, relation, object), as "Colin has-mother Victoria"."""

from __future__ import annotations

from typing import Any

import numpy as np

from notebook_sne.engine.checks.numbers import as_floats, generator_of, is_missing, show

__all__ = ["Triples", "read_triples"]

_MOST_SHOWN = 5


class Triples:
    """Facts about objects, each a triple of an object, a relation and an object.

    The third term is what the first has the relation to: (Colin, mother, Victoria) says that Colin has the mother
    Victoria. ``len`` is the number of triples.

    Parameters
    ----------
    triples : sequence of tuples, array or DataFrame, shape (n, 3) or (n, 4)
        Texts or whole numbers: object, relation, object; a fourth column, where there is one, is the weight of the
        triple. A triple that comes again adds its weight.
    objects : sequence, optional
        What the objects are, in the order in which a map is to have them; left out, those of the triples, numbers in
        rising order and names in that of their first appearance.
    relations : sequence, optional
        The same for the relations.

    Attributes
    ----------
    objects, relations : tuple
        Them, as they were given; of N objects and K relations.
    numbers : ndarray of int64, shape (n, 3)
        The triples, with the place of each object and relation in these for its name.
    weights : ndarray of float64, shape (n,)
        1 where none are given.

    Raises
    ------
    ValueError
        If there is no triple, or one that doesn't have three or four parts; if something is missing in it, if a weight
        isn't above 0, or it names an object or a relation that isn't among those that are given.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> facts = ns.relations.Triples([("Colin", "mother", "Victoria"), ("Colin", "father", "James")])
    >>> facts
    Triples(2 triples, 3 objects, 2 relations)
    >>> facts.to_frame()
      object relation   answer
    0  Colin   mother Victoria
    1  Colin   father    James
    """

    def __init__(self, triples: Any, *, objects: Any = None, relations: Any = None) -> None:
        rows, weights = _rows(triples)
        self.objects = _terms("objects", objects, [term for row in rows for term in (row[0], row[2])])
        self.relations = _terms("relations", relations, [row[1] for row in rows])
        of_object = {term: i for i, term in enumerate(self.objects)}
        of_relation = {term: i for i, term in enumerate(self.relations)}
        for i, row in enumerate(rows):
            for known, kind, term in (
                (of_object, "object", row[0]), (of_relation, "relation", row[1]), (of_object, "object", row[2])
            ):  # fmt: skip
                if term not in known:
                    raise ValueError(
                        f"triple {i}, {_told(row)}, names the {kind} {show(term)}, which is not among the {kind}s: "
                        f"{listed(known)}; add it, or leave the triple out"
                    )
        self.numbers = np.array([(of_object[a], of_relation[r], of_object[b]) for a, r, b in rows], np.int64)
        self.weights = weights
        for part in (self.numbers, self.weights):
            part.flags.writeable = False

    def __len__(self) -> int:
        return len(self.numbers)

    def __repr__(self) -> str:
        return f"Triples({len(self)} triples, {len(self.objects)} objects, {len(self.relations)} relations)"

    @property
    def names(self) -> np.ndarray:
        """Ndarray of str, shape (N,): what a map writes to each object."""
        return np.array([str(term) for term in self.objects])

    @property
    def counts(self) -> Any:
        """scipy.sparse CSR, shape (N, N): the weight of all triples that lead from one object to another."""
        from scipy import sparse

        N = len(self.objects)
        a, _, b = self.numbers.T
        return sparse.coo_array((self.weights, (a, b)), shape=(N, N)).tocsr()

    def select(self, which: Any) -> Triples:
        """Return the chosen triples, among the same objects and relations.

        Parameters
        ----------
        which : slice, sequence of int, or of bool with one entry for each triple
            Which ones, as in indexing an array.

        Returns
        -------
        triples : Triples

        Raises
        ------
        ValueError
            If none is chosen, or one that isn't there.
        """
        try:
            chosen = np.arange(len(self))[which if isinstance(which, slice) else np.asarray(which)]
        except IndexError as error:
            raise ValueError(f"which must choose among {len(self)} triples, got {show(which)}; {error}") from None
        if chosen.ndim != 1 or len(chosen) == 0:
            raise ValueError(f"which must choose a list of at least one triple, got {show(which)}")
        return self._with(self.objects, self.numbers[chosen], self.weights[chosen])

    def among(self, objects: Any) -> Triples:
        """Return the triples whose two objects are both chosen, among the chosen objects and all relations.

        Parameters
        ----------
        objects : sequence of int
            The places of objects, each at most once, in the order that they are to have.

        Returns
        -------
        triples : Triples

        Raises
        ------
        ValueError
            If no triple is left, or an object is chosen twice.
        """
        chosen = np.asarray(objects)
        place = np.full(len(self.objects), -1)
        place[chosen] = np.arange(len(chosen))
        if len(np.unique(chosen)) < len(chosen):
            raise ValueError("objects must be chosen once each where there are triples, got one twice")
        numbers = np.stack([place[self.numbers[:, 0]], self.numbers[:, 1], place[self.numbers[:, 2]]], axis=1)
        inside = numbers.min(axis=1) >= 0
        if not inside.any():
            raise ValueError(f"no triple is left among the {len(chosen)} chosen objects; choose those that are related")
        return self._with(tuple(self.objects[i] for i in chosen), numbers[inside], self.weights[inside])

    def _with(self, objects: tuple[Any, ...], numbers: np.ndarray, weights: np.ndarray) -> Triples:
        part = object.__new__(Triples)
        part.objects, part.relations, part.numbers, part.weights = objects, self.relations, numbers, weights
        for array in (numbers, weights):
            array.flags.writeable = False
        return part

    def hold_out(self, n: int, random_state: int | np.random.Generator | None = 0) -> tuple[Triples, Triples]:
        """Draw triples to keep from a model, so that it can be asked for them.

        Each object stays in a triple that is kept, and so does each relation: of what is never told, nothing can be
        asked.

        Parameters
        ----------
        n : int
            How many.
        random_state : int, numpy.random.Generator or None, default=0
            Seed of the draw.

        Returns
        -------
        kept, held_out : Triples
            Both among the same objects and relations, in the order that they had.

        Raises
        ------
        ValueError
            If not so many can be held out.
        """
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1:
            raise ValueError(f"n must be a whole number of at least 1, got {show(n)}; hold out a tenth, say")
        of_object = np.bincount(self.numbers[:, [0, 2]].ravel(), minlength=len(self.objects))
        of_relation = np.bincount(self.numbers[:, 1], minlength=len(self.relations))
        held = np.zeros(len(self), bool)
        for i in generator_of(random_state).permutation(len(self)):
            if held.sum() == n:
                break
            a, r, b = self.numbers[i]
            left = of_object[[a, b]] - (1 + (a == b))
            if left.min() > 0 and of_relation[r] > 1:
                of_object[[a, b]] = left
                of_relation[r] -= 1
                held[i] = True
        if held.sum() != n:
            raise ValueError(
                f"n must be at most {int(held.sum())} with this seed, as each object and relation stays in a kept "
                f"triple, got {show(n)}; hold out fewer"
            )
        return self.select(~held), self.select(held)

    def to_frame(self) -> Any:
        """Return a pandas.DataFrame with the columns object, relation, answer and, where they differ, weight."""
        import pandas as pd

        a, r, b = self.numbers.T
        columns = {
            "object": [self.objects[i] for i in a],
            "relation": [self.relations[i] for i in r],
            "answer": [self.objects[i] for i in b],
        }
        if np.ptp(self.weights):
            columns["weight"] = self.weights.tolist()
        return pd.DataFrame(columns)


def read_triples(triples: Any) -> Triples:
    """Return Triples: these themselves, those of a Dataset, or what they are made of."""
    given = getattr(triples, "triples", triples) if not hasattr(triples, "shape") else triples
    return given if isinstance(given, Triples) else Triples(given)


def listed(terms: Any) -> str:
    """Return the first terms as text."""
    terms = [show(term) for term in terms]
    return ", ".join(terms[:_MOST_SHOWN]) + (
        f" and {len(terms) - _MOST_SHOWN} more" if len(terms) > _MOST_SHOWN else ""
    )


def _told(row: Any) -> str:
    return "(" + ", ".join(show(term) for term in row) + ")"


def _rows(triples: Any) -> tuple[list[tuple[Any, ...]], np.ndarray]:
    """Return the terms of each triple, and its weight."""
    if hasattr(triples, "columns") and hasattr(triples, "itertuples"):
        triples = triples.itertuples(index=False, name=None)
    elif isinstance(triples, str | bytes | dict) or not hasattr(triples, "__iter__"):
        raise TypeError(
            f"triples must be tuples, an array or a table, got {show(triples)}; give (object, relation, object)"
        )
    given = list(triples)
    if not given:
        raise ValueError(
            "triples must hold at least one (object, relation, object), got none; there is nothing to learn"
        )
    widths = set()
    for i, row in enumerate(given):
        if isinstance(row, str | bytes) or not hasattr(row, "__len__") or len(row) not in (3, 4):
            raise ValueError(
                f"triples must have 3 parts, object, relation and object, or 4 with a weight, but triple {i} is "
                f"{show(row)}; give such tuples, or a table of 3 or 4 columns"
            )
        widths.add(len(row))
    if len(widths) > 1:
        raise ValueError("triples must all have a weight or none, got both; give each its weight")
    rows = [tuple(_term(i, term) for term in row[:3]) for i, row in enumerate(given)]
    weights = np.ones(len(rows))
    if widths == {4}:
        weights = as_floats("weights", [row[3] for row in given])
        bad = np.flatnonzero(~(np.isfinite(weights) & (weights > 0)))
        if len(bad):
            raise ValueError(
                f"weights must be finite and above 0, but that of triple {bad[0]}, {_told(rows[bad[0]])}, is "
                f"{weights[bad[0]]:g}; leave out what does not count"
            )
    return rows, weights


def _term(i: int, term: Any) -> Any:
    """Return an object or a relation as a text or a whole number."""
    if is_missing(term):
        raise ValueError(f"triples must not be missing parts, but triple {i} has {show(term)}; leave it out")
    if isinstance(term, bytes):
        term = term.decode(errors="replace")
    term = term.item() if isinstance(term, np.generic) else term
    if isinstance(term, float) and term.is_integer():
        term = int(term)
    if isinstance(term, bool) or not isinstance(term, str | int):
        raise TypeError(
            f"objects and relations must be texts or whole numbers, but triple {i} has {show(term)}; give each a name"
        )
    return term


def _terms(what: str, given: Any, met: list[Any]) -> tuple[Any, ...]:
    """Return the objects or relations: those that are given, each once, or those that are met."""
    if given is None:
        found = list(dict.fromkeys(met))
        return tuple(sorted(found) if all(isinstance(term, int) for term in found) else found)
    if isinstance(given, str | bytes) or not hasattr(given, "__iter__"):
        raise TypeError(f"{what} must be a list, got {show(given)}; put the entries into one")
    terms = [_term(i, term) for i, term in enumerate(given)]
    if len(set(terms)) < len(terms):
        twice = next(term for i, term in enumerate(terms) if term in terms[:i])
        raise ValueError(f"{what} must differ, got {show(twice)} {terms.count(twice)} times; name each once")
    return tuple(terms)
