"""``python -m benchmarks.beginnings``: where several maps end when they begin from communities, and when from noise.

Aspect maps and multiple-maps t-SNE of several kinds of data, few maps and many, with ten rounds of copy moves. Of every
seed: the objective from communities over that from noise.
"""

import argparse
import time
from functools import partial
from pathlib import Path

import numpy as np

import notebook_sne as ns
from benchmarks.record import RESULTS, keep

__all__ = ["main"]

MODELS = {
    "aspect maps": ns.AspectMaps,
    "aspect maps, joint": partial(ns.AspectMaps, normalization="joint"),
    "multiple maps": ns.MultipleMapsTSNE,
}


def _nouns():
    return ns.datasets.load_word_relations().P


def _digits():
    X = ns.datasets.load_digits().X
    return ns.affinities.conditional(X[np.random.default_rng(0).choice(len(X), 600, replace=False)], perplexity=20)


def _words(n_words):
    return ns.datasets.fetch_usf_associations(n_words=n_words, progress=False).P


def _authors():
    authors = ns.datasets.fetch_nips_authors(progress=False)
    counts = authors.counts
    return ns.affinities.from_counts(authors.select(counts.sum(axis=1) > 0).counts)


DATA = {
    "475 nouns": (_nouns, (5, 20)),
    "600 digits": (_digits, (2, 5, 10)),
    "624 authors": (_authors, (5, 20)),
    "500 words": (lambda: _words(500), (10, 100)),
    "1,500 words": (lambda: _words(1500), (5, 20)),
}


def main(arguments=None):
    """Fit, and keep the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.beginnings", description=__doc__.partition("\n")[0])
    parser.add_argument("--data", nargs="+", default=list(DATA), choices=list(DATA))
    parser.add_argument("--seeds", type=int, default=5, help="default: %(default)s")
    parser.add_argument("--output", type=Path, default=RESULTS, metavar="FOLDER", help="default: benchmarks/results")
    asked, rows = parser.parse_args(arguments), []
    for name in asked.data:
        make, numbers = DATA[name]
        P = make()
        rows += [_row(name, model, P, n_maps, asked.seeds) for model in MODELS for n_maps in numbers]
    keep("beginnings", {"seeds": asked.seeds}, rows, folder=asked.output)


def _row(data, model, P, n_maps, seeds):
    found, seconds = {}, {}
    for start in ("random", "communities"):
        settings = {"n_maps": n_maps, "input": "probabilities", "init": start, "n_jobs": 1, "progress": False}
        found[start], seconds[start] = [], []
        for seed in range(seeds):
            began = time.process_time()
            found[start].append(MODELS[model](random_state=seed, **settings).fit(P).objective_)
            seconds[start].append(time.process_time() - began)
    noise, ratio = np.median(found["random"]), np.divide(found["communities"], found["random"])
    row = {
        "data": data, "model": model, "maps": n_maps, "from noise, median": float(f"{noise:.4g}"),
        "communities over noise, median": round(float(np.median(ratio)), 3),
        "range": f"{ratio.min():.3f} to {ratio.max():.3f}", "lower": f"{(ratio < 1).sum()} of {seeds}",
        "processor seconds, noise": round(float(np.median(seconds["random"])), 1),
        "processor seconds, communities": round(float(np.median(seconds["communities"])), 1),
    }  # fmt: skip
    print(row, flush=True)
    return row


if __name__ == "__main__":
    main()
