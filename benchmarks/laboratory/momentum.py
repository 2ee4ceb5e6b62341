"""Momentum and an adaptive step: do both help, and momentum above all at the end?  [Hinton2013]

300 digits of 8 x 8 pixels, 30 a class, drawn anew for each seed; symmetric SNE, perplexity 30, rate N / 10, 500 updates
from one random start for all: with no momentum, with 0.8 all the time, in the first 250 updates alone, from then on
alone, and with a step that adapts instead. A cost is the least so far. How quickly: the update from which on it is
within 1 % of the least of all settings.
"""

from itertools import islice

import numpy as np

import notebook_sne as ns
from benchmarks.record import keep

SEEDS, UPDATES, HALF = range(5), 500, 250
SETTINGS = {
    "none": {"momentum": 0.0},
    "0.8": {"momentum": 0.8},
    "0.8, then none": {"momentum": ns.Steps(0.8, 0.0, at=HALF)},
    "none, then 0.8": {"momentum": ns.Steps(0.0, 0.8, at=HALF)},
    "none, adaptive step": {"momentum": 0.0, "adaptive_step": True},
}
SHARED = {"perplexity": 30, "init": "random", "max_iter": UPDATES, "n_jobs": 1}


def main():
    """Measure, print and keep."""
    digits, costs = ns.datasets.load_digits(), np.empty((len(SETTINGS), len(SEEDS), UPDATES + 1))
    for seed in SEEDS:
        X = digits.sample(30, random_state=seed).X
        for k, options in enumerate(SETTINGS.values()):
            states = ns.SymmetricSNE(**SHARED, **options, random_state=seed).iterate(X)
            costs[k, seed] = np.minimum.accumulate([state.cost for state in islice(states, UPDATES + 1)])
    least, rows = costs.min(axis=(0, 2)), []
    for name, found in zip(SETTINGS, costs, strict=True):
        row = {"momentum": name, "seeds": len(SEEDS)}
        for update in (100, HALF, UPDATES):
            row[f"KL after {update}, median"] = round(float(np.median(found[:, update])), 4)
            row[f"KL after {update}, range"] = f"{found[:, update].min():.4f}-{found[:, update].max():.4f}"
        near = found <= 1.01 * least[:, None]
        first = [int(each.argmax()) for each in near if each.any()]
        row |= {"within 1 %, seeds": len(first), "within 1 %, update, median": float(np.median(first))}
        rows.append(row)
    keep("momentum", {"seeds": list(SEEDS), "objects": 300, "updates": UPDATES, "perplexity": 30}, rows)


if __name__ == "__main__":
    main()
