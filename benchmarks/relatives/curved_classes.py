"""What does a network do that a projection cannot? LDA, NCA and non-linear NCA on long curved classes, [Hinton2013].

Three strands of a rope, and digits of 8 x 8 pixels, which come along. Each method is told the classes of one part, and
makes codes of two numbers; objects that were kept back are placed by it, and guess their class from the nearest and
from the five nearest of the fit. Beside them the same guesses from the numbers that the data have. Settings were chosen
on seeds 0 and 1; these are others: other ropes, other parts of the digits, other weights at the start.
"""

import time

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

import notebook_sne as ns
from benchmarks.record import keep, spread

SEEDS, HIDDEN = range(10, 15), (100, 50)


def objects(seed):
    """Yield (name, X, labels, how many of them are for the fit), in random order."""
    rope = ns.datasets.load_rope(900, random_state=seed)
    yield "three strands of a rope", rope.X, rope.labels, 600
    digits = ns.datasets.load_digits()
    order = np.random.default_rng(seed).permutation(len(digits))
    yield "digits", (digits.X[order] / 16).astype(np.float32), digits.labels[order], 900


def methods(seed):
    """Return {name: estimator or None}."""
    shared = {"random_state": seed, "n_jobs": 1, "progress": False}
    network = {"hidden": HIDDEN, **shared}
    return {
        "none: the data's own numbers": None,
        "LDA": ns.baselines.LDA(n_components=2),
        "NCA": ns.baselines.NCA(**shared),
        "non-linear NCA, log": ns.networks.NNCA(**network),
        "non-linear NCA, log, no penalty": ns.networks.NNCA(penalty=None, **network),
        "non-linear NCA, accuracy": ns.networks.NNCA(objective="accuracy", **network),
    }


def errors(codes, labels, new, truth):
    """Return the share of new objects whose 1 and whose 5 nearest of the fit name a wrong class."""
    return [1 - KNeighborsClassifier(k).fit(codes, labels).score(new, truth) for k in (1, 5)]


def main():
    """Measure, print and keep."""
    runs, rows = {}, []
    for seed in SEEDS:
        for data, X, labels, n in objects(seed):
            for name, method in methods(seed).items():
                began = time.perf_counter()
                codes, new = X[:n], X[n:]
                if method is not None:
                    method.fit(codes, labels[:n])
                    codes, new = method.transform(codes), method.transform(new)
                seconds = time.perf_counter() - began
                found = (*errors(codes, labels[:n], new, labels[n:]), seconds)
                runs.setdefault((data, name), []).append(found)
                print(seed, data, name, *(f"{value:.4g}" for value in found), flush=True)
    for (data, name), values in runs.items():
        cells = spread(("1-NN error", "5-NN error"), values)
        rows.append({"objects": data, "codes by": name, "seeds": len(values), **cells})
    keep("curved_classes", {"seeds": list(SEEDS), "components": 2, "hidden units": list(HIDDEN)}, rows, ("autograd",))


if __name__ == "__main__":
    main()
