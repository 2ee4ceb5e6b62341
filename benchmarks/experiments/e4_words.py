"""E4 and E12: the senses of words, [Cook2007, Fig. 5-6].

The 1000 cue words of the USF norms that are most often given as responses. A uniform Q costs 5371.7 nats. Wanted, as
medians of five seeds at defaults: 50 maps KL <= 1600 and objective <= 2100, 10 maps objective <= 3200, 1 map without
penalty 3830 +- 20 or lower; CAN and FIELD in two maps or more; separation of senses, held out, >= 2.5 against
1 +- 0.15. E12 compares the penalties 0 and 0.48. All 5,018 cues within 15 minutes and 1 GB: ``--all``.
"""

import resource
import sys
import time

import numpy as np

import notebook_sne as ns
from benchmarks.record import keep

SEEDS = range(5)
INPUT: dict = {"input": "probabilities", "progress": False}
SETTINGS = (
    ("50 maps", {}),
    ("50 maps, penalty 0 (E12)", {"penalty": 0.0}),
    ("20 maps", {"n_maps": 20}),
    ("10 maps", {"n_maps": 10}),
    ("1 map, penalty 0", {"n_maps": 1, "penalty": 0.0}),
)
WORDS = ("CAN", "FIELD", "FIRE", "DEATH")


def senses(reading, word):
    """Return the word's maps as text: proportion and first neighbors."""
    rows = reading.copies(word)
    parts = [part for _, part in rows.groupby("map", sort=False)]
    return [f"{part.proportion.iloc[0]:.2f}: {', '.join(part.neighbor[:5])}" for part in parts]


def one(words, options):
    """Return a row over the seeds."""
    found, shown = [], {}
    for seed in SEEDS:
        began = time.perf_counter()
        model = ns.AspectMaps(**{"init": "random", **options}, **INPUT, random_state=seed).fit(words.P)
        seconds = time.perf_counter() - began
        several = np.mean((model.mixing_ > 0.1).sum(axis=0) > 1)
        separation = np.full((2, 2), np.nan)
        if len(model.maps_) > 1:
            reading = ns.senses.read(model, words)
            table = ns.senses.separation(reading, held_out=words.outside, random_state=seed)
            separation = table[["ratio", "random_mean"]].to_numpy()[:2]
            shown = shown or {word: senses(reading, word) for word in WORDS}
        found.append((model.cost_, model.objective_, seconds, several, *separation.ravel()))
        print(options, seed, np.round(found[-1], 3), flush=True)
    names = ("KL", "objective", "seconds", "words in several maps", "separation", "same, random")
    names = (*names, "separation held out", "held out, random")
    row = {"seeds": len(SEEDS)}
    for name, values in zip(names, np.array(found).T, strict=True):
        if not np.isnan(values).any():
            row[f"{name}, median"] = round(float(np.median(values)), 3)
            if name in ("KL", "objective"):
                row[f"{name}, range"] = f"{values.min():.0f}-{values.max():.0f}"
    return row, shown


def main():
    """Measure, print and keep."""
    if "--all" in sys.argv:
        words = ns.datasets.fetch_usf_associations(n_words=None)
        began = time.perf_counter()
        model = ns.AspectMaps(init="random", random_state=0, **INPUT).fit(words.P)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        row = {"words": len(words), "KL": round(model.cost_), "objective": round(model.objective_)}
        row.update({"updates": model.n_iter_, "minutes": round((time.perf_counter() - began) / 60, 2)})
        keep("e4_all_words", {"n_maps": 50, "seed": 0}, [{**row, "peak memory, MB": round(peak)}])
        return
    words = ns.datasets.fetch_usf_associations()
    rows, shown = [], {}
    for name, options in SETTINGS:
        row, senses_of_words = one(words, options)
        rows.append({"settings": name, **row})
        shown = shown or senses_of_words
    keep("e4_words", {"words": len(words), "uniform": 5371.7, "senses at 50 maps, seed 0": shown}, rows)


if __name__ == "__main__":
    main()
