"""``python -m benchmarks.senses.people FILE...``: what senses of norms are told when fewer people are asked.

Of the people who answered a cue, k are drawn without replacement, in five draws; "2 to 100" draws k for each cue,
log-uniformly. All homonyms and controls of a half of the gold list that are cues are asked, by what a reader calls:
`senses.groups`. The half for choosing is that of `FEW`, `LENT` and `ENOUGH` in `senses.shared_associates`.

With ``--halves``: of one norm, the people of each cue are dealt into two halves, which `senses.compare` compares, in
five draws. There is nothing to find, so every difference is a false alarm: it counts the controls of the gold list that
differ beyond noise, and, as the simplest rule beside it, those with a sense that only one half has.
"""

import sys
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

import notebook_sne as ns
from benchmarks.record import RESULTS, keep
from benchmarks.senses.gold import HALVES, gold

PEOPLE = ("all", 50, 20, 10, 5, "2 to 100")
COLUMNS = {"cue": "cue", "response": "response", "count": "count"}


def drawn(table, people, seed):
    """Return the answers of some people to each cue of a table; more people answer the same, for one seed."""
    if people == "all":
        return table
    rng = np.random.default_rng(seed)
    rows = rng.permutation(np.repeat(np.arange(len(table)), table["count"]))
    cues = pd.factorize(table["cue"])[0]
    rank = pd.Series(cues[rows]).groupby(cues[rows]).cumcount().to_numpy()
    unequal = np.round(np.exp(rng.uniform(np.log(2), np.log(100), cues.max() + 1)))
    half = (np.bincount(cues[rows])[cues[rows]] + rng.integers(2, size=cues.max() + 1)[cues[rows]]) // 2
    most = {"2 to 100": unequal[cues[rows]], "half": half}.get(people, people)
    counts = np.bincount(rows[rank < most], minlength=len(table))
    return table.assign(count=counts)[counts > 0]


def told(table, half):
    """Return a row for each asked word: homonym or not, its certainty, 0 where nothing is told, and its senses."""
    found = ns.senses.groups(ns.datasets.associations(table, **COLUMNS))
    number = {name.lower(): i for i, name in reversed(list(enumerate(found.names)))}
    asked = {**dict.fromkeys(gold(half).controls, False), **dict.fromkeys(gold(half).homonyms, True)}
    words = [word for word in asked if word in number]
    senses = [found.senses(number[word]) for word in words]
    return pd.DataFrame(
        {
            "homonym": [asked[word] for word in words],
            "certainty": np.nan_to_num([one.second for one in senses]),
            "several": [one.n_senses > 1 for one in senses],
        },
        index=words,
    )


def row_of(draws, whole):
    """Return medians and means over the draws; `whole` are those of all people."""
    known = whole.index[whole["homonym"] & whole["several"]]
    facts = []
    for one in draws:
        homonyms, controls = one[one["homonym"]], one[~one["homonym"]]
        signs = np.sign(homonyms["certainty"].to_numpy()[:, None] - controls["certainty"].to_numpy())
        facts.append({
            "AUC": (signs.mean() + 1) / 2, "controls, two senses": controls["several"].mean(),
            "homonyms, two senses": homonyms["several"].mean(),
            "of those that all show": one["several"].reindex(known).mean(),
            "median certainty, controls": controls["certainty"].median(),
            "median certainty, homonyms": homonyms["certainty"].median(),
        })  # fmt: skip
    return {name: round(value, 3) for name, value in pd.DataFrame(facts).mean().items()}


def halves(files, n_draws=5):
    """Compare two halves of the people of each norm, and keep a table."""
    controls, rows = gold().controls, []
    for file, seed in product(map(Path, files), range(n_draws)):
        table = pd.read_csv(file, keep_default_na=False)
        table = table[table["response"] != ""].astype({"count": int})
        first = drawn(table, "half", seed)
        left = table["count"] - first["count"].reindex(table.index, fill_value=0)
        parts = [ns.datasets.associations(one, **COLUMNS) for one in (first, table.assign(count=left)[left > 0])]
        both = ns.senses.compare(*parts, names=("one half", "the other"), random_state=seed)
        words = [word for word in both.words if word.lower() in controls]
        both._judge(words)
        told = [both.of(word) for word in words]
        rows.append({
            "norms": file.stem, "draw": seed, "controls": len(words),
            "a sense in one half alone": int(sum((one.filter(like="sense,") == 0).any(axis=None) for one in told)),
            "beyond noise": int(sum(one["beyond"].any() for one in told)),
        })  # fmt: skip
        print(rows[-1], flush=True)
    keep("senses_halves", {"draws": n_draws, "deals": both.draws}, rows, (), RESULTS)


def main(files, half, n_draws=5):
    """Draw, read and keep a table."""
    rows = []
    for file in map(Path, files):
        table = pd.read_csv(file, keep_default_na=False)
        table = table[table["response"] != ""].astype({"count": int})
        whole = told(table, half)
        for people in PEOPLE:
            draws = [told(drawn(table, people, seed), half) for seed in range(1 if people == "all" else n_draws)]
            rows.append({"norms": file.stem, "people": people, **row_of(draws, whole)})
            print(rows[-1], flush=True)
    keep(f"senses_people_{half.replace(' ', '_')}", {"half": half, "draws": n_draws}, rows, (), RESULTS)


if __name__ == "__main__":
    if "--halves" in sys.argv:
        sys.exit(halves(one for one in sys.argv[1:] if one != "--halves"))
    main([one for one in sys.argv[1:] if one != "--look-once"], HALVES["--look-once" in sys.argv])
