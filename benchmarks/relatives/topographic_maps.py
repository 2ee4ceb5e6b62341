"""Maps on a grid, [Hinton2002, sections 1, 2 and 6], beside SNE on digits, by numbers; five seeds.

A seed draws 150 of each digit of 8 x 8 pixels; the other 297 are new objects. All methods with their defaults, SOM and
GTM also with a start at random, and with grids of their own: 15 x 15 units, 20 x 20 nodes.

- 1-NN error; *kept*: of the ten nearest neighbors; trustworthiness, with ten neighbors.
- *Far neighbors*: the share of objects whose nearest one in the map is none of the nearer half of all in the data, or
  none of the nearest tenth.
- *New*: 1-NN error of the new objects, placed by `transform`, with the fitted ones as neighbors.
- *Shared*: objects that share their node with others; *fullest*: objects on the fullest node; *empty*: nodes without
  any. A node of GTM has the objects for which it is the most probable one. Of GTM, *sure*: objects with more than 99 %
  of their probability on one node.
- *Quantization*: mean distance of an object and its node, in gray levels; *topographic*: the topographic error.
- *Rise*: the largest one of GTM's objective in an update, as a share of it; below 0 it always falls.
"""

import time

import numpy as np

import notebook_sne as ns
from benchmarks.record import extremes, keep

SEEDS = range(5)
EACH = 150


def split(seed):
    """Return the fitted digits, and the new ones."""
    digits, rng = ns.datasets.load_digits(), np.random.default_rng(seed)
    labels = np.asarray(digits.labels)
    fitted = np.concatenate([rng.permutation(np.flatnonzero(labels == one))[:EACH] for one in np.unique(labels)])
    new = np.setdiff1d(np.arange(len(labels)), fitted)
    return digits.X[fitted], labels[fitted], digits.X[new], labels[new]


def methods(seed):
    """Return the methods by name."""
    shared = {"random_state": seed, "progress": False}
    return {
        "PCA": ns.baselines.PCA(),
        "SOM": ns.baselines.SOM(**shared),
        "SOM, random start": ns.baselines.SOM(init="random", **shared),
        "GTM": ns.baselines.GTM(**shared),
        "GTM, random start": ns.baselines.GTM(init="random", **shared),
        "SNE": ns.SNE(n_jobs=1, **shared),
        "t-SNE": ns.TSNE(n_jobs=1, **shared),
    }


def far_neighbors(X, Y):
    """Return the shares of objects whose nearest one in the map is none of the nearer half, or tenth, in the data."""
    D = np.square(X[:, None] - X).sum(axis=2)
    d = np.square(Y[:, None] - Y).sum(axis=2)
    for A in (D, d):
        np.fill_diagonal(A, np.inf)
    nearest = d.argmin(axis=1)
    rank = (D < D[np.arange(len(X)), nearest][:, None]).sum(axis=1)
    return [float(np.mean(rank >= part * (len(X) - 1))) for part in (0.5, 0.1)]


def measured(model, X, labels, new, new_labels):
    """Return {measure: value} of one fit."""
    began = time.perf_counter()
    Y = model.fit_transform(X)
    seconds = time.perf_counter() - began
    placed = model.transform(new)
    nearest = np.square(placed[:, None] - Y).sum(axis=2).argmin(axis=1)
    half, tenth = far_neighbors(X, Y)
    values = {
        "1-NN error": ns.quality.knn_error(Y, labels),
        "kept": ns.quality.neighbor_recall(X, Y, k=10),
        "trustworthiness": ns.quality.trustworthiness(X, Y, 10),
        "far neighbors, beyond half": half,
        "far neighbors, beyond a tenth": tenth,
        "new": float(np.mean(labels[nearest] != new_labels)),
        "seconds": seconds,
    }
    if not hasattr(model, "prototypes_"):
        return values
    if isinstance(model, ns.baselines.SOM):
        nodes = model.units_
        values |= {"quantization": model.cost_, "topographic": model.topographic_error_}
    else:
        R = model.responsibilities(X)
        nodes, objectives = R.argmax(axis=1), model.trace_["objective"].to_numpy()
        values["sure"] = float(np.mean(R.max(axis=1) > 0.99))
        values["quantization"] = float(np.linalg.norm(X - model.prototypes_[nodes], axis=1).mean())
        values["rise"] = float((np.diff(objectives) / np.abs(objectives[:-1])).max())
    counts = np.bincount(nodes, minlength=len(model.prototypes_))
    values |= {"shared": float(np.mean(counts[nodes] > 1)), "fullest": int(counts.max())}
    return values | {"empty": float(np.mean(counts == 0))}


def main():
    """Measure, print and keep."""
    values = {}
    for seed in SEEDS:
        data = split(seed)
        for name, model in methods(seed).items():
            for measure, value in measured(model, *data).items():
                values.setdefault((name, measure), []).append(float(value))
            print(seed, name, {m: round(v[-1], 4) for (n, m), v in values.items() if n == name}, flush=True)
    rows = []
    for (name, measure), series in values.items():
        rows.append({"map": name, "measure": measure, "seeds": len(series), **extremes(series, 3)})
    keep("topographic_maps", {"seeds": list(SEEDS), "fitted": 10 * EACH, "new": 1797 - 10 * EACH}, rows)


if __name__ == "__main__":
    main()
