"""Probability wormholes: does mass move between two images without passing between? [Hinton2002, section 5]

Sixty objects on a line and a map of one dimension, in which the last twenty stand in the wrong place, between the
first twenty and the next: forty others are in their way. SNE begins there. The mixture of images begins there as well,
with nine tenths of the mass of those twenty; the last tenth is an image in the right place. The images of the others
coincide. Steepest descent at rate 0.1 for both, without momentum or noise. *Way*: how far the wrong images moved
toward the right place, as a share; *mass*: what they have left.

A second case has two dimensions, forty objects and the last eight in the wrong place, with momentum, and both single
maps polished by L-BFGS: the map of SNE, and the map that SNE makes from the heavier image of each object.
"""

from dataclasses import replace
from itertools import islice

import numpy as np

import notebook_sne as ns
from benchmarks.record import extremes, keep

__all__ = ["case", "film"]

SEEDS = range(8)
SHARED = {"n_jobs": 1, "random_state": 0, "learning_rate": 0.1}


def case(seed=0, n=60, block=20, at=20, perplexity=3, n_components=1):
    """Return the objects X, their right map, its cost, a map with the last block at a wrong place, and which it is."""
    rng = np.random.default_rng(seed)
    X = (np.arange(n) + 0.1 * rng.standard_normal(n))[:, None]
    start = np.column_stack([0.4 * (X - X.mean()), *(0.01 * rng.standard_normal((n_components - 1, n)))])
    model = ns.SNE(perplexity=perplexity, n_components=n_components, init=start, optimizer="lbfgs", n_jobs=1)
    right = model.set_params(progress=False, max_iter=500).fit_transform(X)
    moved, wrong = np.arange(n - block, n), right.copy()
    wrong[moved] += (right[at] + right[at - 1]) / 2 - right[moved].mean(axis=0)
    return X, right, model.cost_, wrong, moved


def film(X, right, wrong, moved, updates, mass=0.9, held=False, **options):
    """Return the states of two images, that in the wrong place having so much of the mass; `held` keeps it there."""
    mixing = np.full((2, len(X)), 0.5)
    mixing[:, moved] = [[mass], [1 - mass]]
    if held:
        options["mixing"] = mixing
    states = ns.MixtureSNE(n_components=right.shape[1], **SHARED, **options).iterate(X)
    first = next(states)
    Y = np.stack([wrong, wrong])
    Y[1, moved] = right[moved]
    states.resume(replace(first, Y=Y, mixing=first.mixing if held else mixing))
    return list(islice(states, updates + 1))


def left(state, right, wrong, moved):
    """Return the mass of the wrong images, and the share of the way to the right place that they moved."""
    way = right[moved].mean(axis=0) - wrong[moved].mean(axis=0)
    gone = state.Y[0, moved].mean(axis=0) - wrong[moved].mean(axis=0)
    return float(state.mixing[0, moved].mean()), float(gone @ way / (way @ way))


def single(X, start, perplexity, updates, **options):
    """Return the states of SNE from a start."""
    shared = {"perplexity": perplexity, "n_components": start.shape[1], **SHARED}
    return list(islice(ns.SNE(init=start, **shared, **options).iterate(X), updates + 1))


def polished(X, Y, perplexity):
    """Return the cost at the bottom of the hollow in which a map lies."""
    model = ns.SNE(perplexity=perplexity, init=Y, optimizer="lbfgs", max_iter=500, n_jobs=1, progress=False)
    return model.fit(X).cost_


def on_a_line(seed):
    """Yield (measure, value) in one dimension."""
    X, right, least, wrong, moved = case(seed)
    yield "the right map: nats", least
    one = single(X, wrong, 3, 1000, momentum=0.0)
    yield "SNE, 100 updates: nats", one[100].cost
    yield "SNE, 1000 updates: nats", one[1000].cost
    yield "SNE with momentum, 1000 updates: nats", single(X, wrong, 3, 1000)[-1].cost
    states = film(X, right, wrong, moved, 400, perplexity=3, momentum=0.0)
    for t in (100, 400):
        mass, way = left(states[t], right, wrong, moved)
        yield f"two images, {t} updates: nats", states[t].cost
        yield f"two images, {t} updates: mass", mass
        yield f"two images, {t} updates: way", way


def in_a_plane(seed):
    """Yield (measure, value) in two dimensions."""
    X, right, least, wrong, moved = case(seed, 40, 8, 10, 6, 2)
    yield "the right map: nats", least
    yield "SNE, polished: nats", polished(X, single(X, wrong, 6, 500)[-1].embedding, 6)
    last = film(X, right, wrong, moved, 300, perplexity=6)[-1]
    mass, way = left(last, right, wrong, moved)
    yield "two images: mass", mass
    yield "two images: way", way
    heavier = last.Y[last.mixing.argmax(axis=0), np.arange(len(X))]
    yield "SNE from the heavier images, polished: nats", polished(X, single(X, heavier, 6, 300)[-1].embedding, 6)


def main():
    """Measure, print and keep."""
    rows = []
    for dimensions, check in ((1, on_a_line), (2, in_a_plane)):
        values = {}
        for seed in SEEDS:
            for measure, value in check(seed):
                values.setdefault(measure, []).append(value)
            print(dimensions, seed, {name: round(series[-1], 3) for name, series in values.items()}, flush=True)
        for measure, series in values.items():
            row = {"dimensions": dimensions, "measure": measure, "seeds": len(series), **extremes(series, 3)}
            rows.append(row)
    keep("wormholes", {"seeds": list(SEEDS), "mass": 0.9, "learning rate": 0.1}, rows)


if __name__ == "__main__":
    main()
