"""Does annealing give a better global organization?  [Hinton2013]

The samples, the starts and the two passes of `annealing`: USPS digits 0-4, SNE at perplexity 15. There the cost is
judged, which weighs neighbors; here what a map keeps at large, of the map as it ends, without a polish:

- *distances*: the rank correlation of all distances in the data and in the map;
- *class distances*: the same of the ten distances between the means of the five classes;
- *in pieces*: the share of digits whose class lies in more than one piece, where a piece is what hangs together by
  links of objects of one class to their three nearest places, and pieces below a tenth of a class are left out.
"""

import numpy as np
from scipy import sparse
from scipy.spatial.distance import pdist
from scipy.stats import spearmanr
from sklearn.neighbors import kneighbors_graph

import notebook_sne as ns
from benchmarks.laboratory.annealing import FAST, HIGH, LOW, PLAIN, SEEDS, SLOW, fitted
from benchmarks.record import extremes, keep

SIZES = (200, 600)
STARTS = {
    "none": (PLAIN, {}),
    "both passes": (FAST + SLOW, {"jitter": ns.Annealed(HIGH, LOW, fast=FAST, slow=SLOW)}),
    "none, PCA start": (PLAIN, {"init": "pca"}),
}


def in_pieces(Y, labels, k=3, least=0.1):
    """Return the share of objects whose class lies in more than one piece of the map."""
    graph = sparse.coo_array(kneighbors_graph(Y, k))
    alike = labels[graph.row] == labels[graph.col]
    links = sparse.coo_array((graph.data[alike], (graph.row[alike], graph.col[alike])), shape=graph.shape)
    _, piece = sparse.csgraph.connected_components(links, directed=False)
    torn = 0
    for label in np.unique(labels):
        members = labels == label
        torn += members.sum() * (np.sum(np.bincount(piece[members]) >= least * members.sum()) > 1)
    return torn / len(labels)


def measured(X, Y, labels):
    """Return what a map keeps at large."""
    means = [np.array([Z[labels == label].mean(axis=0) for label in np.unique(labels)]) for Z in (X, Y)]
    return {
        "distances": float(ns.quality.distance_rank_correlation(X, Y)),
        "class distances": float(spearmanr(pdist(means[0]), pdist(means[1])).statistic),
        "in pieces": in_pieces(Y, labels),
    }


def main():
    """Measure, print and keep."""
    usps, rows = ns.datasets.fetch_usps(), []
    for size in SIZES:
        found = {}
        for seed in SEEDS:
            digits = usps.sample(size // 5, labels=range(5), random_state=seed)
            for name, (updates, options) in STARTS.items():
                Y, _, _ = fitted(digits.X, seed, updates, **options)
                found.setdefault(name, []).append(measured(digits.X, Y, digits.labels))
            print(size, seed, [series[-1] for series in found.values()], flush=True)
        for name, series in found.items():
            for measure in series[0]:
                own, plain = (np.array([each[measure] for each in found[of]]) for of in (name, "none"))
                gain = (plain - own) if measure == "in pieces" else (own - plain)
                row = {"objects": size, "jitter": name, "measure": measure, "seeds": len(own), **extremes(own, 3)}
                row |= {"better": int((gain > 0).sum()), "worse": int((gain < 0).sum())}
                rows.append(row)
    keep("organization", {"seeds": list(SEEDS), "perplexity": 15}, rows)


if __name__ == "__main__":
    main()
