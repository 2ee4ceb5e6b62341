"""Which points may one believe? Scores of each object beside what is known of it, over seeds.

*digits between classes*: 800 digits of 8 x 8 pixels, and 40 means of two of them of different classes, with weights
from 0.4 to 0.6, which the map has to put somewhere. *between two Gaussians*: 800 objects of ten dimensions from two
normal distributions whose means are 4 standard deviations apart; true are those that belong to either with a
probability from 0.1 to 0.9. t-SNE at perplexity 30. A number is the area under the receiver operating characteristic:
of an object that is true and one that is not, how often the first has the worse score; 0.5 is chance. The length of
the move was chosen on seeds 0 to 3 (`quality.perturbations`); these are others.

*two Gaussians torn*: the same two at perplexity 5 and at 50. Told is by how many times the mean of the largest
twentieth of the singularity scores is larger at the low perplexity, which [Liu2025] choose a perplexity by; a score
that is infinite counts as the largest finite one.
"""

import time

import numpy as np
from sklearn.metrics import roc_auc_score

import notebook_sne as ns
from benchmarks.record import keep

SEEDS = range(100, 110)
N, BETWEEN, PERPLEXITY = 800, 40, 30
APART = 4.0  # standard deviations
LOW, HIGH = 5, 50  # perplexities


def digits_between(seed):
    """Return digits with means of two, and which are such."""
    digits, rng = ns.datasets.load_digits(), np.random.default_rng(seed)
    rows = rng.choice(len(digits.X), N, replace=False)
    X, labels = digits.X[rows].astype(float), np.asarray(digits.labels)[rows]
    means = []
    while len(means) < BETWEEN:
        i, j = rng.choice(N, 2, replace=False)
        if labels[i] != labels[j]:
            share = rng.uniform(0.4, 0.6)
            means.append(share * X[i] + (1 - share) * X[j])
    return np.concatenate([X, means]), np.arange(N + BETWEEN) >= N


def two_gaussians(seed):
    """Return objects of two normal distributions, and which may be of either."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N, 10))
    X[:, 0] += APART * (rng.integers(0, 2, N) - 0.5)
    return X, np.abs(APART * X[:, 0]) < np.log(9)  # of the odds


def fitted(X, seed, perplexity):
    """Return a t-SNE of X."""
    return ns.TSNE(perplexity=perplexity, random_state=seed, n_jobs=1, progress=False).fit(X)


def scores(X, model):
    """Yield each score, the worse the larger, and the seconds that it took; the first three are found together."""
    Y, P = model.embedding_, model.affinities_
    began = time.perf_counter()
    kept = ns.quality.object_scores(X, Y)
    took = time.perf_counter() - began
    for column in ("recall", "trustworthiness", "continuity"):
        yield "neighbors kept" if column == "recall" else column, -kept[column].to_numpy(), took
    ways = {
        "cost": lambda: ns.quality.object_costs(Y, P),
        "perturbation": lambda: ns.quality.perturbation_scores(X, Y, PERPLEXITY),
        "singularity": lambda: finite(ns.quality.singularity_scores(Y, P)),
    }
    for name, way in ways.items():
        began = time.perf_counter()
        yield name, np.asarray(way()), time.perf_counter() - began


def finite(values):
    """Return values, infinite ones as the largest of the others."""
    return np.where(np.isinf(values), values[np.isfinite(values)].max(), values)


def told(truth, score, values, seconds):
    """Return a row of the table."""
    return {
        "truth": truth, "score": score, "seeds": len(SEEDS), "median": round(float(np.median(values)), 3),
        "least": round(min(values), 3), "greatest": round(max(values), 3),
        "seconds, median": round(float(np.median(seconds)), 2),
    }  # fmt: skip


def main():
    """Measure, print and keep."""
    rows = []
    for truth, data in (("digits between classes", digits_between), ("between two Gaussians", two_gaussians)):
        areas, seconds = {}, {}
        for seed in SEEDS:
            X, true = data(seed)
            for name, score, took in scores(X, fitted(X, seed, PERPLEXITY)):
                areas.setdefault(name, []).append(float(roc_auc_score(true, score)))
                seconds.setdefault(name, []).append(took)
            print(truth, seed, {name: round(each[-1], 3) for name, each in areas.items()}, flush=True)
        rows += [told(truth, name, areas[name], seconds[name]) for name in areas]
    ratios, seconds = [], []
    for seed in SEEDS:
        X, _ = two_gaussians(seed)
        tops = []
        for perplexity in (LOW, HIGH):
            model = fitted(X, seed, perplexity)
            began = time.perf_counter()
            found = finite(ns.quality.singularity_scores(model.embedding_, model.affinities_))
            seconds.append(time.perf_counter() - began)
            tops.append(np.sort(found)[-N // 20 :].mean())
        ratios.append(float(tops[0] / tops[1]))
        print("torn", seed, round(ratios[-1], 2), flush=True)
    rows.append(told("two Gaussians torn", "singularity", ratios, seconds))
    settings = {"seeds": list(SEEDS), "objects": N, "between": BETWEEN, "perplexity": PERPLEXITY, "apart": APART}
    keep("reliability", settings, rows)


if __name__ == "__main__":
    main()
