"""``python -m benchmarks.scales``: maps of one perplexity beside maps of several at once.

t-SNE of five data sets, at 10, 30, 100 and N / 100, at [10, 100] and at "multiscale". Nothing was tuned: the scales are
those of the sources, and the settings of all fits are the defaults. The columns were chosen on the digits and the
nested clusters; the other three were looked at once. Each seed draws other objects.
"""

import argparse
import time
import warnings
from pathlib import Path

import numpy as np

import notebook_sne as ns
from benchmarks.record import RESULTS, keep, spread

__all__ = ["main"]


def _nested(rng):
    """Five groups of five clusters of 60 objects in 20 dimensions: groups at 8 sigma from the origin, clusters at 3."""
    groups = rng.standard_normal((5, 20))
    groups *= 8.0 / np.linalg.norm(groups, axis=1, keepdims=True)
    clusters = rng.standard_normal((25, 20))
    clusters *= 3.0 / np.linalg.norm(clusters, axis=1, keepdims=True)
    labels = np.repeat(np.arange(25), 60)
    return groups[labels // 5] + clusters[labels] + rng.standard_normal((len(labels), 20)), labels


def _part_of(load, n):
    def draw(rng):
        data = load()
        some = rng.choice(len(data.X), n, replace=False)
        return np.asarray(data.X, float)[some], np.asarray(data.labels)[some]

    return draw


DATA = {
    "1,200 digits": _part_of(lambda: ns.datasets.load_digits(), 1200),
    "1,500 nested clusters": _nested,
    "1,200 photographs": _part_of(lambda: ns.datasets.fetch_coil20(progress=False), 1200),
    "1,500 of USPS": _part_of(lambda: ns.datasets.fetch_usps(progress=False), 1500),
    "2,000 of MNIST": _part_of(lambda: ns.datasets.fetch_mnist(progress=False), 2000),
}
SCALES = {
    "10": lambda n: 10, "30": lambda n: 30, "100": lambda n: 100, "N / 100": lambda n: n / 100,
    "[10, 100]": lambda n: [10, 100], "multiscale": lambda n: "multiscale",
}  # fmt: skip


def main(arguments=None):
    """Fit, measure, and keep the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scales", description=__doc__.partition("\n")[0])
    parser.add_argument("--data", nargs="+", default=list(DATA), choices=list(DATA))
    parser.add_argument("--seeds", type=int, default=5, help="default: %(default)s")
    parser.add_argument("--output", type=Path, default=RESULTS, metavar="FOLDER", help="default: benchmarks/results")
    asked, rows = parser.parse_args(arguments), []
    warnings.simplefilter("ignore")  # of ties in small integers, at perplexity 2
    for name in asked.data:
        found = {scales: [] for scales in SCALES}
        for seed in range(asked.seeds):
            X, labels = DATA[name](np.random.default_rng(seed))
            for scales in SCALES:
                found[scales].append(_measured(X, labels, SCALES[scales](len(X)), seed))
        for scales in SCALES:
            rows.append(_row(name, scales, found[scales]))
            print(rows[-1], flush=True)
    keep(
        "scales",
        {"seeds": list(range(asked.seeds)), "model": "TSNE(random_state=seed, n_jobs=1)"},
        rows,
        folder=asked.output,
    )


def _measured(X, labels, perplexity, seed):
    began = time.process_time()
    Y = ns.TSNE(perplexity=perplexity, random_state=seed, n_jobs=1, progress=False).fit_transform(X)
    return {
        "AUC of R_NX": ns.quality.recall_area(X, Y),
        "of ten neighbors kept": ns.quality.neighbor_recall(X, Y, 10),
        "distance rank correlation": float(ns.quality.distance_rank_correlation(X, Y, random_state=0)),
        "1-NN error": ns.quality.knn_error(Y, labels),
        "class centers kept": ns.quality.class_recall(X, Y, labels, 3),
        "seconds": time.process_time() - began,
    }


def _row(data, scales, found):
    *names, _ = found[0]
    return {"data": data, "perplexity": scales, **spread(names, [tuple(one.values()) for one in found], decimals=3)}


if __name__ == "__main__":
    main()
