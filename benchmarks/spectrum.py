"""umap-learn's map beside the spectrum of t-SNE: ``python -m benchmarks.spectrum``, for the lecture on both.

600 digits of 8 x 8 pixels, 60 of each class, those of the lecture. t-SNE at perplexity 15 and 500 updates, exaggerated
by 12 for a quarter of them and by the number of the row from then on; Neg-t-SNE with the loss of UMAP; umap-learn at
its defaults, of which one is 15 neighbors. Of each the share of ten neighbors that is kept, the rank correlation of
distances, how wide the gaps are (the mean distance between class centers over the mean distance to the own one), and
the share of ten neighbors that it has in common with the map of umap-learn; median of three seeds. Writes the table and
a picture of one map of umap-learn, which no extra of this package installs: ``pip install umap-learn``.
"""

from pathlib import Path

import numpy as np
from scipy.spatial.distance import pdist

import notebook_sne as ns
from benchmarks.record import keep

PICTURE = Path(__file__).parents[1] / "tutorials" / "figures" / "umap_digits.svg"
SEEDS = range(3)
EXAGGERATIONS = (1, 2, 4, 8, 16)
QUIET = {"perplexity": 15, "max_iter": 500, "n_jobs": 1, "progress": False}


def gaps(Y, labels):
    """Return how far class centers are apart, over how far objects are from theirs."""
    centers = np.array([Y[labels == label].mean(axis=0) for label in np.unique(labels)])
    within = np.linalg.norm(Y - centers[np.searchsorted(np.unique(labels), labels)], axis=1)
    return pdist(centers).mean() / within.mean()


def maps(X, seed):
    """Yield the name of each map, and its places."""
    import umap

    yield "umap-learn", umap.UMAP(random_state=seed).fit_transform(X).astype(float)
    quiet = {**QUIET, "random_state": seed, "init": "random"}
    yield "Neg-t-SNE, z_bar 0.2", ns.NegTSNE(**quiet).fit_transform(X)
    for exaggeration in EXAGGERATIONS:
        schedule = ns.Steps(12, exaggeration, at=125)
        yield f"t-SNE, exaggeration {exaggeration}", ns.TSNE(**quiet, exaggeration=schedule).fit_transform(X)


def main():
    """Measure, draw and keep."""
    digits = ns.datasets.load_digits().sample(60, random_state=0)
    numbers = {}
    for seed in SEEDS:
        theirs = None
        for name, Y in maps(digits.X, seed):
            theirs = Y if theirs is None else theirs
            if seed == 0 and name == "umap-learn":
                ns.views.svg(Y, digits.labels, PICTURE, title="600 digits by umap-learn", size=380)
            numbers.setdefault(name, []).append(
                (
                    ns.quality.neighbor_recall(digits.X, Y),
                    float(ns.quality.distance_rank_correlation(digits.X, Y)),
                    gaps(Y, digits.labels),
                    ns.quality.neighbor_recall(theirs, Y) if name != "umap-learn" else np.nan,
                )
            )
    rows = []
    for name, found in numbers.items():
        recall, distances, gap, shared = np.median(found, axis=0)
        row = {"map": name, "of ten neighbors kept": recall, "distances": distances, "gaps": gap}
        row |= {"neighbors shared with umap-learn": None if np.isnan(shared) else shared}
        rows.append({key: round(value, 3) if isinstance(value, float) else value for key, value in row.items()})
    keep("spectrum", {"seeds": list(SEEDS), "objects": len(digits), **QUIET}, rows, ("umap-learn",))


if __name__ == "__main__":
    main()
