"""CAN and FIELD in 50 maps, over seeds, [Cook2007, Fig. 5-6]: are they in several maps, and in each of another sense?

The maps of `benchmarks.experiments.e4_words`: 1000 words, 50 maps, penalty 0.48. The figures show two maps for each of
the two words; FIRE and DEATH, which the text gives as examples and no figure shows, are counted beside them. *Maps*:
those in which a word has a proportion of 0.1 or more. *Apart*: two senses, each a list of words that go with it, have
their home in two different maps, both among these; the home of a sense is the map that gives most of the strength
S_ij = pi_i pi_j exp(-d_ij) of the word to the list. The lists are from the norms alone, written down before a map was
looked at: what is given to the cue, or the cue to, sorted by hand. Plain descent from noise, which is what the paper
had; with the copy moves of this package; and as it fits by default, from communities that overlap. Wanted: both words
in two maps or more, apart, in all of five seeds.
"""

import time

import numpy as np

import notebook_sne as ns
from benchmarks.experiments.e4_words import WORDS
from benchmarks.record import keep

SEEDS, PRESENT = range(5), 0.1
SENSES = {
    "CAN": (
        ("BEER", "SODA", "COKE", "JAR", "BOTTLE", "GARBAGE", "TRASH", "SOUP"),
        ("DO", "ALLOW", "ABILITY"),
    ),
    "FIELD": (
        ("FOOTBALL", "BASEBALL", "PLAY", "BALL", "GOAL"),
        ("GRASS", "CORN", "FARM", "STRAWBERRY", "LAND", "WHEAT", "YARD", "FLOWER", "HAY", "SHEEP"),
    ),
}


def homes(model, names, word):
    """Return the map in which each sense of a word has its home."""
    i, found = names.index(word), []
    for sense in SENSES[word]:
        j = [names.index(other) for other in sense]
        d = np.square(model.maps_[:, [i]] - model.maps_[:, j]).sum(axis=2)
        found.append(int((model.mixing_[:, [i]] * model.mixing_[:, j] * np.exp(-d)).sum(axis=1).argmax()))
    return found


def main():
    """Measure, print and keep."""
    words, rows = ns.datasets.fetch_usf_associations(), []
    names = list(words.names)
    noise = {"init": "random"}
    for title, options in (
        ("plain descent", {**noise, "copy_moves": 0}), ("with copy moves", noise), ("default call", {})
    ):  # fmt: skip
        maps, apart, seconds, ends = {word: [] for word in WORDS}, {word: [] for word in SENSES}, [], []
        for seed in SEEDS:
            began = time.perf_counter()
            model = ns.AspectMaps(input="probabilities", random_state=seed, n_jobs=1, progress=False, **options).fit(
                words.P
            )
            seconds.append(time.perf_counter() - began)
            ends.append((model.cost_, model.objective_, np.mean((model.mixing_ > PRESENT).sum(axis=0) > 1)))
            for word in WORDS:
                present = model.mixing_[:, names.index(word)] >= PRESENT
                maps[word].append(int(present.sum()))
                if word in SENSES:
                    one, other = homes(model, names, word)
                    apart[word].append(bool(one != other and present[one] and present[other]))
            print(title, seed, {word: (maps[word][-1], apart.get(word, [None])[-1]) for word in WORDS}, flush=True)
        row = {"maps of words": title, "seeds": len(SEEDS)}
        row.update({f"{word}, maps": ", ".join(map(str, found)) for word, found in maps.items()})
        row.update({f"{word}, apart": sum(found) for word, found in apart.items()})
        for name, found, digits in zip(
            ("KL", "objective", "words in several maps"), np.array(ends).T, (0, 0, 2), strict=True
        ):
            row[f"{name}, median"] = round(float(np.median(found)), digits)
            row[f"{name}, range"] = f"{min(found):.{digits}f}-{max(found):.{digits}f}"
        rows.append({**row, "seconds, median": round(float(np.median(seconds)), 1)})
    keep("can_and_field", {"seeds": list(SEEDS), "words": len(names), "present": PRESENT}, rows)


if __name__ == "__main__":
    main()
