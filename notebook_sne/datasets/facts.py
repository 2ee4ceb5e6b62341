"""Facts of the form (object, relation, object), made from rules: the family trees of [Hinton1986], and arithmetic."""

from __future__ import annotations

import numpy as np

from notebook_sne.datasets.dataset import Dataset
from notebook_sne.engine.checks.arguments import check_count
from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.objects.triples import Triples

__all__ = ["load_arithmetic", "load_family_trees"]

RELATIONS = "husband wife son daughter father mother brother sister nephew niece uncle aunt".split()

# Each couple, husband first, and their children, son first.
_FAMILIES = {
    "English": {
        ("Christopher", "Penelope"): ("Arthur", "Victoria"),
        ("Andrew", "Christine"): ("James", "Jennifer"),
        ("Arthur", "Margaret"): (),
        ("James", "Victoria"): ("Colin", "Charlotte"),
        ("Charles", "Jennifer"): (),
    },
    "Italian": {
        ("Roberto", "Maria"): ("Emilio", "Lucia"),
        ("Pierro", "Francesca"): ("Marco", "Angela"),
        ("Emilio", "Gina"): (),
        ("Marco", "Lucia"): ("Alfonso", "Sophia"),
        ("Tomaso", "Angela"): (),
    },
}


def _kin(couples):
    """Return the triples of one family, from its couples and their children; uncles and aunts by marriage count."""
    triples: list[tuple[str, str, str]] = []
    parents = {child: couple for couple, children in couples.items() for child in children}
    spouse = {a: b for couple in couples for a, b in (couple, couple[::-1])}
    men = {couple[0] for couple in couples} | {children[0] for children in couples.values() if children}
    people = list(dict.fromkeys(one for couple, children in couples.items() for one in (*couple, *children)))

    def siblings(one):
        return [other for other in couples.get(parents.get(one), ()) if other != one]

    def add(one, of_man, of_woman, others):
        triples.extend((one, of_man if other in men else of_woman, other) for other in others)

    for one in people:
        add(one, "husband", "wife", [spouse[one]] if one in spouse else [])
        add(one, "son", "daughter", [child for child, couple in parents.items() if one in couple])
        add(one, "father", "mother", parents.get(one, ()))
        add(one, "brother", "sister", siblings(one))
        aside = [other for parent in parents.get(one, ()) for other in siblings(parent)]
        add(one, "uncle", "aunt", [*aside, *(spouse[other] for other in aside if other in spouse)])
        beside = [*siblings(one), *(siblings(spouse[one]) if one in spouse else ())]
        add(one, "nephew", "niece", [child for other in beside for child, couple in parents.items() if other in couple])
    return people, triples


def load_family_trees() -> Dataset:
    """Return the two family trees of [Hinton1986]: 24 people and 12 relations; needs no network.

    An English and an Italian family have the same tree of three generations, and no person in common. The 112 triples
    name each person's husband, wife, son, daughter, father, mother, brother, sister, nephew, niece, uncle or aunt,
    including uncles and aunts by marriage.

    Returns
    -------
    dataset : Dataset
        The people of the first family and then those of the second, in the same order:

        - ``triples``; (Colin, mother, Victoria) says that Colin has the mother Victoria.
        - ``labels``, the family.
        - ``names``.

    Notes
    -----
    The triples are derived from marriages and children. They are 112, as the paper says; 104 of the questions "who is
    whose uncle?" have an answer, eight of these two, a pair of uncles or aunts.

    Examples
    --------
    >>> families = load_family_trees()
    >>> families.triples
    Triples(112 triples, 24 objects, 12 relations)
    >>> facts = families.triples.to_frame()
    >>> facts[(facts.object == "Colin") & (facts.relation == "uncle")].answer.tolist()
    ['Arthur', 'Charles']
    """
    people, triples, families = [], [], []
    for family, couples in _FAMILIES.items():
        names, facts = _kin(couples)
        people += names
        triples += facts
        families += [family] * len(names)
    return Dataset(
        title="Two family trees",
        triples=Triples(triples, objects=people, relations=RELATIONS),
        labels=np.array(families),
        names=np.array(people),
        citation="G. E. Hinton, Learning distributed representations of concepts, Proceedings of the Eighth Annual "
        "Conference of the Cognitive Science Society, 1986",
        license="facts, free to use",
    )


def load_arithmetic(n: int = 10, most: int = 4, *, modulo: bool = True) -> Dataset:
    """Return sums of whole numbers as triples: (3, +2, 5) says that 3 + 2 is 5; needs no network.

    Parameters
    ----------
    n : int, default=10
        The number of whole numbers, from 0 to n - 1.
    most : int, default=4
        The relations are -most, ..., +most; below n / 2 on a clock, or below n.
    modulo : bool, default=True
        Whether the numbers lie on a clock, on which n - 1 is followed by 0; otherwise sums that leave the numbers are
        left out.

    Returns
    -------
    dataset : Dataset
        ``triples``, ``names`` and, as ``labels``, the numbers as values to color by. By default 90 triples, all that
        there are, as in the example of [Paccanaro2001].

    Raises
    ------
    ValueError
        If there are fewer than three numbers, or `most` is out of its range.

    Examples
    --------
    >>> load_arithmetic().triples
    Triples(90 triples, 10 objects, 9 relations)
    """
    check_count("n", n, 3)
    if check_count("most", most, 1) > (highest := (n - 1) // 2 if modulo else n - 1):
        raise ValueError(f"most must be at most {highest} with {n} numbers, got {show(most)}; lower it, or raise n")
    steps = range(-most, most + 1)
    triples = [(i, f"{step:+d}", (i + step) % n) for step in steps for i in range(n) if modulo or 0 <= i + step < n]
    return Dataset(
        title=f"Sums of {n} numbers" + (" on a clock" if modulo else ""),
        triples=Triples(triples, objects=range(n), relations=[f"{step:+d}" for step in steps]),
        labels=np.arange(float(n)),
        names=np.arange(n).astype(str),
        citation="A. Paccanaro and G. E. Hinton, Learning distributed representations of concepts using linear "
        "relational embedding, IEEE Transactions on Knowledge and Data Engineering 13, 2001",
        license="facts, free to use",
    )
