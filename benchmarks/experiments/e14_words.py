"""E14 on words: multiple maps t-SNE of word associations, and the triangles that it keeps, [Maaten2012].

The 1000 words of E4. A triple a, b, c is intransitive if a and b are strongly associated, b and c are, and a and c are
not at all; it is kept if the maps show both ties and not the third (`senses.triangles`). One map cannot keep many; the
more maps, the more. The paper maps some 5,000 words; here they are as many as in [Cook2007].
"""

import time

import numpy as np

import notebook_sne as ns
from benchmarks.record import keep

SEEDS, N_MAPS = range(5), (1, 5, 20)


def main():
    """Measure, print and keep."""
    words, rows = ns.datasets.fetch_usf_associations(), []
    for n_maps in N_MAPS:
        found = []
        for seed in SEEDS:
            began = time.perf_counter()
            model = ns.MultipleMapsTSNE(
                n_maps=n_maps, input="probabilities", random_state=seed, n_jobs=1, progress=False
            ).fit(words.P)
            seconds = time.perf_counter() - began
            kept = ns.senses.triangles(words.P, model).iloc[0]
            several = float(np.mean((model.mixing_ > 0.1).sum(axis=0) > 1))
            separation = np.nan
            if n_maps > 1:
                reading = ns.senses.read(model, words)
                table = ns.senses.separation(reading, held_out=words.outside, random_state=seed)
                separation = table["ratio"].to_numpy()[1]
            found.append((kept["kept"], kept["tied"], kept["closed"], several, separation, model.cost_, seconds))
            print(n_maps, seed, *(f"{value:.4g}" for value in found[-1]), flush=True)
        names = ("triples kept", "both ties", "closed", "words in several maps", "separation held out", "KL", "seconds")
        row = {"maps": n_maps, "seeds": len(SEEDS), "triples": int(kept["n_triples"])}
        for name, values in zip(names, np.array(found).T, strict=True):
            if not np.isnan(values).any():
                row[f"{name}, median"] = round(float(np.median(values)), 4)
                if name != "seconds":
                    row[f"{name}, range"] = f"{values.min():.3g}-{values.max():.3g}"
        rows.append(row)
    keep("e14_words", {"seeds": list(SEEDS), "words": len(words)}, rows)


if __name__ == "__main__":
    main()
