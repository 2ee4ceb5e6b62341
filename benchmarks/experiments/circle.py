"""A circle mapped onto a line, [Hinton2002, section 4]: with one place an object it is folded, with two it is cut.

100 objects evenly on a circle, perplexity 10. A fold lays two halves over each other, so that all neighbors stay near
and as many strangers become neighbors; two images let the line begin and end with the same objects. Read off the line
(images with a proportion of 0.1 or more, in order): a *piece* goes on as long as the next image is at most 5 steps away
on the circle, so that a circle that is cut open once is one piece, and one that is folded is nearly as many as objects.
Wanted: with two images one or few cuts, and all neighbors kept. Images that are held together at first are folded with
the circle, as SNE folds it.
"""

import time

import numpy as np

import notebook_sne as ns
from benchmarks.record import keep

SEEDS = range(5)
N, STEPS, NEAREST, PRESENT = 100, 5, 10, 0.1


def models(seed):
    """Return {name: model} of what is compared."""
    shared = {"n_components": 1, "perplexity": 10, "random_state": seed, "n_jobs": 1, "progress": False}
    return {
        "SNE": ns.SNE(**shared),
        "two images, free proportions": ns.MixtureSNE(n_images=2, **shared),
        "two images, free, random start": ns.MixtureSNE(n_images=2, init="random", **shared),
        "simplified": ns.MixtureSNE.simplified(**shared),
        "simplified, held": ns.MixtureSNE.simplified(held=True, **shared),
    }


def mixture_q(maps, mixing):
    """Return q_{j|i} of images, shape (N, N).  [Hinton2002, Eq. 6-7]"""
    Q = np.zeros((N, N))
    for Y, share in zip(maps, mixing, strict=True):
        D = np.square(Y[:, None, None] - maps[None]).sum(axis=-1)  # (N, M, N): of this image to all others
        D[np.arange(N), :, np.arange(N)] = np.inf
        weights = (mixing * np.exp(D.min(axis=(1, 2), keepdims=True) - D)).sum(axis=1)
        Q += share[:, None] * weights / weights.sum(axis=1, keepdims=True)
    return Q


def steps(i, j):
    """Return how many steps apart objects are on the circle."""
    return np.minimum((i - j) % N, (j - i) % N)


def measure(maps, mixing):
    """Return pieces, the share of adjacent pairs kept, the share of true ones among the ten of largest q, doubles."""
    _, owner = np.nonzero(mixing >= PRESENT)
    order = owner[np.argsort(maps[mixing >= PRESENT][:, 0])]
    pieces = 1 + int((steps(order[1:], order[:-1]) > STEPS).sum())
    first = np.argsort(-mixture_q(maps, mixing), axis=1, kind="stable")[:, :NEAREST]
    apart = steps(first, np.arange(N)[:, None])
    separate = np.ptp(maps[..., 0], axis=0) > 1.0
    doubles = (separate & (mixing >= PRESENT).all(axis=0)).mean() if len(maps) > 1 else 0.0
    return pieces, (apart == 1).sum() / (2 * N), (apart <= NEAREST / 2).mean(), doubles


def main():
    """Measure, print and keep."""
    circle, runs, rows = ns.datasets.load_circle(N), {}, []
    for seed in SEEDS:
        for name, model in models(seed).items():
            began = time.perf_counter()
            model.fit(circle.X)
            seconds = time.perf_counter() - began
            maps = model.embedding_[None] if name == "SNE" else model.maps_
            mixing = np.ones((1, N)) if name == "SNE" else model.mixing_
            runs.setdefault(name, []).append((*measure(maps, mixing), model.cost_, seconds))
            print(seed, name, *(f"{value:.4g}" for value in runs[name][-1]), flush=True)
    for name, values in runs.items():
        pieces, adjacent, recall, doubles, cost, seconds = np.array(values).T
        rows.append(
            {
                "settings": name,
                "pieces": ", ".join(f"{value:.0f}" for value in pieces),
                "adjacent pairs kept, least": round(float(adjacent.min()), 3),
                "ten neighbors kept, median": round(float(np.median(recall)), 3),
                "objects at two places, median": round(float(np.median(doubles)), 3),
                "cost, median": round(float(np.median(cost)), 2),
                "seconds, median": round(float(np.median(seconds)), 2),
            }
        )
    keep("circle", {"seeds": list(SEEDS), "objects": N, "perplexity": 10}, rows)


if __name__ == "__main__":
    main()
