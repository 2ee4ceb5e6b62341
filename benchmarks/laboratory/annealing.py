"""Annealing in two passes: does it find better minima? [Cook2007, section 2; Hinton2013]

USPS digits 0-4, SNE at perplexity 15, twelve samples of 200 and of 600 digits with a random start each. Compared are,
from the same start: no noise; the fast pass of `Annealed` alone; both passes; and what the same time buys without
noise: of several plain runs, as many as make up for the updates of both passes, the best. The fast pass evaluates
twice an update. Rate and momentum are the defaults for all. Every map is polished by L-BFGS, so that all are compared
at the bottom of the hollow that they ended in; *better* and *worse* count the seeds that differ by more than 1 nat.

How far above the emergence a slow pass begins (`above`) was chosen on other samples (seeds 0 to 7 of 200 digits).

Beside it, for 200 digits, where the steepest fall of the cost itself would say that structure emerges: twice as high,
where the fast pass begins twice as high. Each size is measured by itself, and takes the place of its rows in what is
kept.
"""

import argparse
import time

import numpy as np

import notebook_sne as ns
from benchmarks.record import extremes, keep, kept_rows

SEEDS = range(20, 32)
MANY = {200: 5, 600: 2}  # plain runs of each sample, by the number of its digits
HIGH, LOW, FAST, SLOW = 10.0, 0.02, 200, 600
PLAIN = 500  # updates of a plain run, which end to within 0.1 % of what 1000 reach before the polish
_FALLS = ("steepest cost at noise", "steepest cost, begun twice as high")
RESTARTS = round((2 * FAST + SLOW) / PLAIN)
AS_LONG = f"none, best of {RESTARTS}, as long"


def fitted(X, seed, updates, **options):
    """Return (map at the end of so many updates, its last state, seconds)."""
    began = time.perf_counter()
    shared = {"perplexity": 15, "init": "random", "random_state": seed, "n_jobs": 1}
    for state in ns.SNE(**{**shared, **options}).iterate(X):
        if state.iteration == updates:
            return state.embedding, state, time.perf_counter() - began


def polished(X, Y):
    """Return the cost at the bottom of the hollow in which a map lies."""
    shared = {"perplexity": 15, "n_jobs": 1, "progress": False, "random_state": 0}
    return ns.SNE(init=Y, optimizer="lbfgs", max_iter=1000, **shared).fit(X).cost_


def steepest(X, seed, high):
    """Return the noise at which the cost itself falls most for each factor of the noise, averaged over 20 updates."""
    fast = round(FAST * np.log(high / LOW) / np.log(HIGH / LOW))
    noise = ns.Annealed(high, LOW, fast=fast, slow=2)
    shared = {"perplexity": 15, "init": "random", "random_state": seed, "n_jobs": 1}
    costs = []
    for state in ns.SNE(jitter=noise, **shared).iterate(X):
        if state.iteration > 20:  # after the start, which is a heap
            costs.append(state.cost)
        if state.iteration == fast:
            break
    means = np.array([np.mean(costs[k : k + 20]) for k in range(0, len(costs) - 19, 20)])
    return noise(20 + 20 * int(1 + np.diff(means).argmin()))


def measured(X, seed):
    """Return {what: cost after the polish}, the noise of the emergence, and seconds of both passes and of one run."""
    noise = ns.Annealed(HIGH, LOW, fast=FAST, slow=SLOW)
    first = fitted(X, seed, FAST, jitter=noise)
    both = fitted(X, seed, FAST + SLOW, jitter=noise)
    plain = [fitted(X, seed + 1000 * k, PLAIN) for k in range(MANY[len(X)])]
    costs = [polished(X, Y) for Y, _, _ in plain]
    return (
        {
            "none": costs[0],
            "fast pass alone": polished(X, first[0]),
            "both passes": polished(X, both[0]),
            AS_LONG: min(costs[:RESTARTS]),
            **({f"none, best of {len(costs)}": min(costs)} if len(costs) > RESTARTS else {}),
            "none, PCA start": polished(X, fitted(X, seed, PLAIN, init="pca")[0]),
        },
        both[1].emerged,
        (both[2], plain[0][2]),
    )


def main():
    """Measure, print and keep."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, nargs=2, default=[SEEDS[0], SEEDS[-1]], metavar=("FIRST", "LAST"))
    parser.add_argument("--sizes", type=int, nargs="+", default=list(MANY), choices=list(MANY))
    given = parser.parse_args()
    seeds, usps = range(given.seeds[0], given.seeds[1] + 1), ns.datasets.fetch_usps()
    rows = [row for row in kept_rows("annealing") if row["objects"] not in given.sizes]
    for size in given.sizes:
        found, emerged, seconds, falls = [], [], [], []
        for seed in seeds:
            X = usps.sample(size // 5, labels=range(5), random_state=seed).X
            costs, noise, taken = measured(X, seed)
            found.append(costs)
            emerged.append(noise)
            seconds.append(taken)
            if size == min(MANY):
                falls.append([steepest(X, seed, HIGH), steepest(X, seed, 2 * HIGH)])
            print(size, seed, f"{noise:.3g}", *(f"{cost:.5g}" for cost in costs.values()), flush=True)
        plain = np.array([costs["none"] for costs in found])
        for title in found[0]:
            cost = np.array([costs[title] for costs in found])
            row = {"objects": size, "jitter": title, "seeds": len(cost)}
            row |= {f"cost, {name}": value for name, value in extremes(cost, 5).items()}
            gain = plain - cost
            row["less than none, mean"] = float(f"{gain.mean():.3g}")
            row["less than none, standard error"] = float(f"{gain.std(ddof=1) / len(gain) ** 0.5:.2g}")
            row["better"], row["worse"] = int((gain > 1).sum()), int((gain < -1).sum())
            if title == "both passes":
                as_long = np.array([costs[AS_LONG] for costs in found])
                row["better than as long"] = int((as_long - cost > 1).sum())
                row["worse than as long"] = int((cost - as_long > 1).sum())
                row["emerged at noise, median"] = float(f"{np.median(emerged):.3g}")
                row["emerged, least"], row["emerged, greatest"] = (float(f"{f(emerged):.3g}") for f in (min, max))
                row["times one run, seconds"] = float(f"{np.median([a / b for a, b in seconds]):.3g}")
                for name, at in zip(_FALLS, np.median(falls, axis=0) if falls else (), strict=False):
                    row[name] = float(f"{at:.3g}")
            rows.append(row)
    settings = {
        "seeds": list(seeds), "perplexity": 15, "high": HIGH, "low": LOW, "fast": FAST, "slow": SLOW,
        "above": ns.Annealed(HIGH, LOW).above, "updates of a plain run": PLAIN,
    }  # fmt: skip
    keep("annealing", settings, rows)


if __name__ == "__main__":
    main()
