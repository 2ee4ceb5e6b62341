"""``python -m benchmarks.senses.sizes``: are the senses of words found, whatever part of the norms is mapped?

For the commonest words of norms, as many as a map may have: the senses that are read from the whole norms
(`Dataset.whole`), and those that the mapped words alone would tell, with Louvain communities of resolution 0.5 of
either. Asked are the words of the gold list that are among the mapped ones.
"""

import argparse
from dataclasses import replace
from pathlib import Path

from benchmarks.record import RESULTS, keep
from benchmarks.senses.communities import louvain
from benchmarks.senses.gold import HALVES
from benchmarks.senses.norms import Norms, from_file, usf
from benchmarks.senses.ours import company
from benchmarks.senses.questions import Questions, questions
from benchmarks.senses.scores import mark

__all__ = ["main"]

SIZES = (1000, 1500, 5000, None)


def main(arguments=None):
    """Read all norms at all sizes, and keep the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.senses.sizes", description=__doc__.partition("\n")[0])
    parser.add_argument("--norms", nargs="+", default=["usf"], metavar="NAME", help="usf, or files; default: usf")
    parser.add_argument("--look-once", action="store_true", help="the half that settings were not chosen on")
    parser.add_argument("--output", type=Path, default=RESULTS, metavar="FOLDER", help="default: benchmarks/results")
    asked = parser.parse_args(arguments)
    half, rows = HALVES[asked.look_once], []
    for name in asked.norms:
        make = (
            (lambda n: usf(n)) if name == "usf" else (lambda n, f=name: from_file(Path(f), "cue", "response", "R1", n))
        )
        whole = make(None)
        for size in SIZES:
            cut = make(size)
            if size is None or len(cut.data) < len(whole.data):
                rows.append({"norms": whole.name, "words": len(cut.data), **_row(whole, cut, half)})
                print(rows[-1], flush=True)
    keep(
        f"senses_sizes_{half.replace(' ', '_')}",
        {"half": half, "least certainty": 0.25},
        rows,
        ("networkx",),
        asked.output,
    )


def _row(whole, cut, half):
    mapped = set(cut.data.names.tolist())
    about = questions(whole, half)
    inside = Questions(
        whole,
        {i: labels for i, labels in about.homonyms.items() if whole.data.names[i] in mapped},
        tuple(i for i in about.controls if whole.data.names[i] in mapped),
    )
    alone = Norms(cut.name, replace(cut.data, whole=None))
    own = questions(alone, half)
    row = {"homonyms": len(inside.homonyms), "controls": len(inside.controls)}
    ways = {
        "whole": (inside, company(whole, None, inside.words)),
        "Louvain, whole": (inside, {i: louvain(whole, i, 0, 0.5) for i in inside.words}),
        "cut": (own, company(alone, None, own.words)),
        "Louvain, cut": (own, {i: louvain(alone, i, 0, 0.5) for i in own.words}),
    }
    for way, (asked, answers) in ways.items():
        marks = mark(asked, answers)
        if way == "cut":
            row["homonyms, cut"] = len(asked.homonyms)
        row[f"right, {way}"] = int(marks.right.sum())
        row[f"by chance, {way}"] = round(float(marks.by_chance.sum()), 1)
        row[f"split, {way}"] = round(float(marks.split.mean()), 2)
        row[f"AUC, {way}"] = round(marks.auc, 2)
    return row


if __name__ == "__main__":
    main()
