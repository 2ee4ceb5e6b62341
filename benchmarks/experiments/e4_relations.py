"""Senses recovered from the word relations of WordNet, whose synsets are a ground truth.

Related words that are near a word in one of its maps should belong to the same synset of it more often than two that
are near it in different maps. Wanted: above the 99th percentile of 1,000 random reassignments of the same words to the
maps, in each of five seeds.
"""

import time

import notebook_sne as ns
from benchmarks.record import keep

SEEDS = range(5)


def main():
    """Measure, print and keep."""
    words, rows = ns.datasets.load_word_relations(), []
    for n_maps in (20, 50):
        for seed in SEEDS:
            began = time.perf_counter()
            model = ns.AspectMaps(
                n_maps=n_maps, input="probabilities", init="random", random_state=seed, progress=False
            ).fit(words.P)
            seconds = time.perf_counter() - began
            found = ns.senses.agreement(ns.senses.read(model, words), words, n_random=1000, random_state=seed)
            facts = found.to_dict("records")[0] if hasattr(found, "to_dict") else dict(found)
            rows.append({"maps": n_maps, "seed": seed, "objective": round(model.objective_, 1), **facts})
            rows[-1]["seconds"] = round(seconds, 1)
            print(rows[-1], flush=True)
    keep("e4_relations", {"words": len(words), "reassignments": 1000}, rows)


if __name__ == "__main__":
    main()
