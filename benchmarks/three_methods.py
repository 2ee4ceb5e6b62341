"""One table of sentence embeddings by t-SNE, UMAP and PaCMAP: ``python -m benchmarks.three_methods``, for lecture 13.

2,000 docstrings, 384 numbers each, as unit vectors. Ours at its defaults; umap-learn at its defaults and at twice
their neighbors or with five times its `min_dist`; PaCMAP at its defaults. Of each the share of 10 and of 100
neighbors that is kept, the rank correlation of distances, how often the nearest neighbor on the map is of another
package, and the share of ten neighbors that two seeds have in common; medians of five seeds. It writes the table and
a picture of a map of each. No extra of this package installs the others: ``pip install umap-learn pacmap``.
"""

from itertools import pairwise
from pathlib import Path

import numpy as np

import notebook_sne as ns
from benchmarks.record import keep

PICTURES = Path(__file__).parents[1] / "tutorials" / "figures"
SEEDS = range(5)
N_JOBS = 2


def methods(X, seed):
    """Yield the name of each map, and what makes it."""
    import pacmap
    import umap

    yield "t-SNE, defaults", lambda: ns.TSNE(random_state=seed, init="random", progress=False).fit_transform(X)
    yield (
        "t-SNE, exaggeration 4",
        lambda: ns.TSNE(
            random_state=seed, init="random", exaggeration=ns.Steps(12, 4, at=125), progress=False
        ).fit_transform(X),
    )
    for neighbors, least in ((15, 0.1), (30, 0.1), (15, 0.5)):
        yield (
            f"UMAP, {neighbors} neighbors, min_dist {least:g}",
            lambda neighbors=neighbors, least=least: umap.UMAP(
                n_neighbors=neighbors, min_dist=least, random_state=seed, n_jobs=1
            ).fit_transform(X),
        )
    yield "PaCMAP, defaults", lambda: pacmap.PaCMAP(random_state=seed).fit_transform(X.astype(np.float32))


def main():
    """Measure, draw and keep."""
    docstrings = ns.datasets.load_docstrings()
    X = docstrings.X / np.linalg.norm(docstrings.X, axis=1, keepdims=True)
    numbers, maps = {}, {}
    for seed in SEEDS:
        for name, make in methods(X, seed):
            Y = np.asarray(make(), dtype=float)
            maps.setdefault(name, []).append(Y)
            found = [ns.quality.neighbor_recall(X, Y, k) for k in (10, 100)]
            found += [
                float(ns.quality.distance_rank_correlation(X, Y)),
                ns.quality.knn_error(Y, docstrings.labels),
            ]
            numbers.setdefault(name, []).append(found)
            print(seed, name, [round(one, 3) for one in found], flush=True)
    rows = []
    columns = ("of 10 neighbors kept", "of 100", "distances", "another package nearest")
    for name, found in numbers.items():
        row = {"map": name} | dict(zip(columns, np.median(found, axis=0).tolist(), strict=True))
        row["shared by two seeds"] = float(
            np.median([ns.quality.neighbor_recall(a, b) for a, b in pairwise(maps[name])])
        )
        rows.append({key: round(value, 3) if isinstance(value, float) else value for key, value in row.items()})
    for name, file in (
        ("UMAP, 15 neighbors, min_dist 0.1", "umap_docstrings"),
        ("PaCMAP, defaults", "pacmap_docstrings"),
    ):
        title = f"2,000 docstrings by {name.split(',')[0]}"
        ns.views.svg(maps[name][0], docstrings.labels, PICTURES / f"{file}.svg", title=title, size=380)
    keep("three_methods", {"seeds": len(SEEDS), "objects": len(X)}, rows, ("umap-learn", "pacmap"))


if __name__ == "__main__":
    main()
