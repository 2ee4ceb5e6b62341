"""E8 and E14: NIPS authors by their words, [Hinton2002, Fig. 2], and by their papers, and the triangles in these.

First the 676 authors as vectors of log word counts, perplexity 25, as they are and at length 1 (whose distances are
those of the cosine), by SNE and t-SNE: how often is the nearest map neighbor a co-author, among the 624 authors who
have one? Chance is the same with the map points permuted. The words of a joint paper are in the vectors of all its
authors, so that this agreement is no independent test. Then co-authorship itself, among the 624: one map and several,
and the share of triples that each keeps: a and b wrote together, b and c did, a and c did not (`senses.triangles`).
"""

import time

import numpy as np

import notebook_sne as ns
from benchmarks.record import keep

SEEDS, N_MAPS = range(5), (1, 5, 10, 20)


def over_seeds(names, found):
    """Return the median of each column, and of the first one its range, too."""
    first, *others = np.array(found).T
    medians = {name: round(float(np.median(values)), 3) for name, values in zip(names[1:], others, strict=True)}
    spread = {"median": round(float(np.median(first)), 3), "range": f"{first.min():.3f}-{first.max():.3f}"}
    return {**{f"{names[0]}, {what}": value for what, value in spread.items()}, **medians}


def agreement(Y, together):
    """Return the share of authors with a co-author whose nearest map neighbor is one."""
    D = np.square(Y[:, None] - Y[None]).sum(axis=-1)
    np.fill_diagonal(D, np.inf)
    connected = np.flatnonzero(together.any(axis=1))
    return float(together[connected, D.argmin(axis=1)[connected]].mean())


def of_words(authors):
    """Return rows of the maps made from words."""
    together, rows = authors.counts.toarray() > 0, []
    cosine = authors.X / np.linalg.norm(authors.X, axis=1, keepdims=True)
    for title, X in (("log counts", authors.X), ("log counts, length 1", cosine)):
        own = round(agreement_of_vectors(X, together), 3)
        rows.append({"data": title, "model": "none: the vectors", "agreement, median": own})
        for kind in (ns.SNE, ns.TSNE):
            found = []
            for seed in SEEDS:
                model = kind(perplexity=25, init="random", random_state=seed, n_jobs=1, progress=False)
                began = time.perf_counter()
                Y = model.fit(X).embedding_
                seconds = time.perf_counter() - began
                chance = agreement(np.random.default_rng(seed).permutation(Y), together)
                found.append((agreement(Y, together), chance, model.cost_, seconds))
                print(title, kind.__name__, seed, *(f"{value:.4g}" for value in found[-1]), flush=True)
            names = ("agreement", "chance", "cost", "seconds")
            rows.append({"data": title, "model": kind.__name__, **over_seeds(names, found)})
    return rows


def agreement_of_vectors(X, together):
    """Return the agreement of nearest neighbors among the vectors themselves."""
    lengths = np.square(X).sum(axis=1)
    D = lengths[:, None] + lengths - 2 * X @ X.T
    np.fill_diagonal(D, np.inf)
    connected = np.flatnonzero(together.any(axis=1))
    return float(together[connected, D.argmin(axis=1)[connected]].mean())


def of_papers(authors):
    """Return rows of the maps made from joint papers."""
    connected = authors.select(authors.counts.sum(axis=1) > 0)
    P, rows = ns.affinities.from_counts(connected.counts), []
    for title, kind, options in (
        ("t-SNE kernel", ns.MultipleMapsTSNE, {}),
        ("aspect maps", ns.AspectMaps, {"penalty": 0.0}),
        ("aspect maps, penalty 0.48", ns.AspectMaps, {}),
    ):
        for n_maps in N_MAPS:
            found = []
            for seed in SEEDS:
                more = {"input": "probabilities", "init": "random", "n_jobs": 1, "progress": False}
                model = kind(n_maps=n_maps, random_state=seed, **more, **options)
                began = time.perf_counter()
                model.fit(P)
                seconds = time.perf_counter() - began
                kept = ns.senses.triangles(P, model).iloc[0]
                found.append((kept["kept"], kept["tied"], kept["closed"], model.cost_, seconds))
                print(title, n_maps, seed, *(f"{value:.4g}" for value in found[-1]), flush=True)
            names = ("triples kept", "both ties", "closed", "cost", "seconds")
            model_name = f"{title}, {n_maps} map{'s' * (n_maps > 1)}"
            rows.append({"data": "joint papers", "model": model_name, **over_seeds(names, found)})
    return rows


def main():
    """Measure, print and keep."""
    authors = ns.datasets.fetch_nips_authors()
    keep("e8_authors", {"seeds": list(SEEDS), "perplexity": 25}, of_words(authors) + of_papers(authors))


if __name__ == "__main__":
    main()
