"""NIPS authors by field, [Hinton2002, Fig. 2]: do the five fields that the paper names have regions of their own?

The map of `benchmarks.experiments.e8_authors`: 676 authors as vectors of log word counts, perplexity 25, SNE from
random starts. The paper sees generative models, support vector machines, neuroscience, reinforcement learning and VLSI
in "distinguishable localized regions", by eye. Here authors of each field were listed by hand before any map was looked
at, those with work in two of the fields left out. *Same field*: listed authors whose nearest listed neighbor is of
their field, co-authors not counted as neighbors, as they share the words of joint papers. *By chance*: the same with
the fields of the authors permuted. Wanted: two thirds in all, and half in each field, as medians of five seeds.
"""

import time

import numpy as np
from sklearn.decomposition import PCA

import notebook_sne as ns
from benchmarks.record import keep

SEEDS = range(5)
FIELDS = {
    "generative models": """
        Attias_H Barber_D Bishop_C Frey_B Ghahramani_Z Hinton_G Jaakkola_T Jordan_M Koller_D MacKay_D Meila_M
        Revow_M Roweis_S Saul_L Svensen_M Tipping_M Waterhouse_S Williams_C Zemel_R""",
    "support vector machines": """
        Burges_C Chapelle_O Cortes_C Cristianini_N Graepel_T Herbrich_R Mangasarian_O Mika_S Mukherjee_S Onoda_T
        Ratsch_G Scholkopf_B Shawe-Taylor_J Smola_A Vapnik_V Weston_J Williamson_R""",
    "neuroscience": """
        Abbott_L Bair_W Bernander_O Bialek_W Blasdel_G Bower_J Brown_T Chklovskii_D Claiborne_B Deneve_S
        Gerstner_W Goodhill_G Hasselmo_M Kempter_R Koch_C Li_Z Linster_C Lisberger_S Mamelak_A Manwani_A Marder_E
        McNaughton_B Mel_B Merzenich_M Miller_K Niebur_E Obermayer_K Pouget_A Rieke_F Ruderman_D Schreiner_C
        Selverston_A Sereno_M Seung_H Skaggs_W Softky_W Stemmler_M Stevens_C Troyer_T Usher_M Zador_A deCharms_R
        de-Ruyter-van-Steveninck_R""",
    "reinforcement learning": """
        Atkeson_C Bachrach_J Baird_L Barto_A Boyan_J Bradtke_S Crites_R Duff_M Gullapalli_V Littman_M McAllester_D
        Mihatsch_O Moore_A Munos_R Neuneier_R Pareigis_S Parr_R Precup_D Schneider_J Singh_S Sutton_R Thrun_S
        Tsitsiklis_J van-Roy_B""",
    "VLSI": """
        Alspector_J Andreou_A Boahen_K Boser_B Brownlow_M Cauwenberghs_G Churcher_S Coggins_R DeWeerth_S
        Delbruck_T Etienne-Cummings_R Flower_B Fragniere_E Graf_H Hamilton_A Hammerstrom_D Harris_J Hasler_P
        Horiuchi_T Jabri_M Lazzaro_J Leerink_L Mahowald_M Mead_C Minch_B Moopenn_A Mueller_P Murray_A Patel_G
        Pickard_S Reekie_H Sackinger_E Satyanarayana_S Sivilotti_M Tawel_R Thakoor_A VanderSpiegel_J Vittoz_E
        Watts_L Wawrzynek_J van-Schaik_A""",
}


def same_field(Y, field, together):
    """Return for each listed author whether the nearest listed one who is no co-author is of the same field."""
    D = np.square(Y[:, None] - Y[None]).sum(axis=-1) if Y.shape[1] < 10 else _far(Y)
    D[together | np.eye(len(Y), dtype=bool)] = np.inf
    return field[D.argmin(axis=1)] == field


def _far(X):
    lengths = np.square(X).sum(axis=1)
    return lengths[:, None] + lengths - 2 * X @ X.T


def main():
    """Measure, print and keep."""
    authors = ns.datasets.fetch_nips_authors()
    names, order = list(authors.names), np.random.default_rng(0)
    listed = [names.index(name) for field in FIELDS.values() for name in field.split()]
    field = np.repeat(np.arange(len(FIELDS)), [len(field.split()) for field in FIELDS.values()])
    assert len(set(listed)) == len(listed)
    together, runs, rows = authors.counts.toarray()[np.ix_(listed, listed)] > 0, {}, []
    for seed in SEEDS:
        began = time.perf_counter()
        Y = ns.SNE(perplexity=25, init="random", random_state=seed, n_jobs=1, progress=False).fit_transform(authors.X)
        seconds = time.perf_counter() - began
        runs.setdefault("SNE", []).append((same_field(Y[listed], field, together), seconds))
        chance = [same_field(Y[listed], order.permutation(field), together).mean() for _ in range(200)]
        print(seed, runs["SNE"][-1][0].mean(), np.mean(chance), flush=True)
    runs["two principal components"] = [(same_field(PCA(2).fit_transform(authors.X)[listed], field, together), 0.0)]
    runs["none: the vectors"] = [(same_field(authors.X[listed], field, together), 0.0)]
    for name, values in runs.items():
        right, seconds = [value for value, _ in values], [value for _, value in values]
        row = {"map": name, "runs": len(values), "listed": len(listed)}
        everyone = np.array([each.mean() for each in right])
        row["same field, median"] = round(float(np.median(everyone)), 3)
        row["same field, range"] = f"{everyone.min():.3f}-{everyone.max():.3f}"
        for k, title in enumerate(FIELDS):
            row[f"{title}, median"] = round(float(np.median([each[field == k].mean() for each in right])), 3)
        rows.append({**row, "seconds, median": round(float(np.median(seconds)), 1)})
    keep("author_fields", {"seeds": list(SEEDS), "perplexity": 25, "chance": round(float(np.mean(chance)), 3)}, rows)


if __name__ == "__main__":
    main()
