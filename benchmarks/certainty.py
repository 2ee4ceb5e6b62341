"""``python -m benchmarks.certainty``: of pairs that are joined in so many fits, how many are truly joined.

Clusters at many distances and at those in doubt, mixtures of narrow and wide ones, and rings cut into arcs are made, so
that it is known which regions are joined: two clusters if they overlap, so that the best rule takes 1 in 40 objects or
more for the other's; two arcs if they meet. Each is mapped by t-SNE ten times: from ten seeds, or from ten resamples.
The border of `certainty` and this overlap were chosen on one fit each of six other draws of the clusters; all that is
kept was looked at once. Digits have means of two of them among them, of which one asks how sure each object is.
"""

import argparse
from pathlib import Path

import numpy as np

import notebook_sne as ns
from benchmarks.record import RESULTS, keep

__all__ = ["main"]

BINS = {"0": (0, 0), "0.1 to 0.3": (0.01, 0.35), "0.4 to 0.6": (0.35, 0.65), "0.7 to 0.9": (0.65, 0.99), "1": (1, 1)}
WAYS = {
    "ten seeds": {"init": "random", "bootstrap": False},
    "ten resamples": {"init": "auto", "bootstrap": True},
    "ten resamples and seeds": {"init": "random", "bootstrap": True},
}


def _overlap(one, other, widths, rng, n=4000):
    """Tell whether the best rule takes at least 1 in 40 objects of two equally large round clusters for the other's."""
    d, wrong = len(one), 0.0
    centers = np.array([one, other])
    for own in (0, 1):
        x = centers[own] + widths[own] * rng.standard_normal((n, d))
        logs = [
            -d * np.log(width) - np.square(x - center).sum(axis=1) / (2 * width**2)
            for center, width in zip(centers, widths, strict=True)
        ]
        wrong += np.mean(logs[own] < logs[1 - own]) / 2
    return wrong >= 1 / 40


def _clusters(rng, widths=(1.0,) * 6, d=5, distances=(1, 6)):
    """Six clusters of 60: three pairs, of which the two lie 1 to 6 widths apart and the pairs far from each other."""
    centers = 25.0 * np.eye(3)[np.repeat(np.arange(3), 2)]
    centers = np.c_[centers, np.zeros((6, d - 3))]
    for pair in range(3):
        way = rng.standard_normal(d)
        centers[2 * pair + 1] += rng.uniform(*distances) * widths[2 * pair + 1] * way / np.linalg.norm(way)
    labels = np.repeat(np.arange(6), 60)
    X = centers[labels] + np.array(widths)[labels, None] * rng.standard_normal((360, d))
    joined = np.array([
        [_overlap(centers[a], centers[b], (widths[a], widths[b]), rng) for b in range(6)] for a in range(6)
    ])  # fmt: skip
    return X, labels, joined


def _mixtures(rng):
    return _clusters(rng, widths=(1.0, 2.0, 0.5, 1.0, 1.0, 1.5))


def _close(rng):
    return _clusters(rng, distances=(3, 5))


def _rings(rng):
    """Two linked rings of 180, each cut into six arcs, with noise of 2 % of the radius."""
    t = np.tile(np.linspace(0, 2 * np.pi, 180, endpoint=False), 2)
    which = np.repeat([0, 1], 180)
    X = np.c_[np.cos(t) + which, np.where(which, 0, np.sin(t)), np.where(which, np.sin(t), 0)]
    arc = np.minimum(5, (t / (np.pi / 3)).astype(int)) + 6 * which
    a, b = np.divmod(np.arange(144), 12)
    joined = (a // 6 == b // 6) & np.isin((a - b) % 6, (1, 5))
    return X + 0.02 * rng.standard_normal(X.shape), arc, joined.reshape(12, 12)


DATA = {"clusters": _clusters, "close clusters": _close, "mixtures": _mixtures, "rings": _rings}
DIGITS = "digits and means of two"


def main(arguments=None):
    """Map, count, and keep the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.certainty", description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=5, help="default: %(default)s")
    parser.add_argument("--data", nargs="+", default=[*DATA, DIGITS], choices=[*DATA, DIGITS])
    parser.add_argument("--output", type=Path, default=RESULTS, metavar="FOLDER", help="default: benchmarks/results")
    asked, rows = parser.parse_args(arguments), []
    for data in asked.data:
        for way in WAYS:
            if data == DIGITS:
                rows.append(_digits(way, asked.seeds))
                print(rows[-1], flush=True)
                continue
            said, truly, agreed = [], [], []
            for seed in range(asked.seeds):
                X, labels, joined = DATA[data](np.random.default_rng(100 + seed))
                found = _found(X, labels, seed, 20, **WAYS[way])
                pairs = np.triu_indices(len(joined), 1)
                said, truly = np.r_[said, found.joined[pairs]], np.r_[truly, joined[pairs]]
                agreed.append(found.agreement)
            rows.append(_reliability(data, way, said, truly, agreed))
            print(rows[-1], flush=True)
    keep(
        "certainty",
        {"seeds": list(range(asked.seeds)), "fits": 10, "model": "TSNE(max_iter=300)"},
        rows,
        folder=asked.output,
    )


def _found(X, labels, seed, perplexity, init, bootstrap):
    model = ns.TSNE(perplexity=perplexity, init=init, max_iter=300, n_jobs=1, progress=False)
    return ns.certainty(ns.refits(model, X, bootstrap=bootstrap, random_state=seed), labels)


def _reliability(data, way, said, truly, agreed):
    row = {"data": data, "fits": way, "agreement": round(float(np.median(agreed)), 2)}
    for name, (low, high) in BINS.items():
        inside = (said >= low - 1e-9) & (said <= high + 1e-9)
        row[f"joined in {name}"] = f"{int(truly[inside].sum())} of {int(inside.sum())}"
    row["wrong in one map"] = f"{np.mean(np.where(truly, 1 - said, said)):.1%}"  # the mean over the fits, read alone
    row["wrong if called at a half"] = f"{np.mean((said > 0.5) != truly):.1%}"
    return row


def _digits(way, seeds):
    """The area under the ROC curve of 1 - `objects` for 20 means of two digits of different classes among 300."""
    from sklearn.metrics import roc_auc_score

    areas, parents_found = [], []
    for seed in range(seeds):
        digits = ns.datasets.load_digits().sample(30, random_state=seed)
        rng = np.random.default_rng(seed)
        pairs = [rng.choice(len(digits), 2, replace=False) for _ in range(60)]
        pairs = [(i, j) for i, j in pairs if digits.labels[i] != digits.labels[j]][:20]
        X = np.concatenate([digits.X, [(digits.X[i] + digits.X[j]) / 2 for i, j in pairs]])
        labels = [*digits.labels, *(digits.labels[i] for i, _ in pairs)]
        found = _found(X, np.array(labels), seed, 20, **WAYS[way])
        areas.append(roc_auc_score(np.arange(len(X)) >= len(digits), -found.objects))
        likeliest = np.argsort(-found.membership[len(digits) :], axis=1)[:, :2]
        theirs = [{int(digits.labels[i]), int(digits.labels[j])} for i, j in pairs]
        found_two = [{found.regions[r] for r in two} for two in likeliest]
        parents_found += [two == set(map(str, own)) for two, own in zip(found_two, theirs, strict=True)]
    return {
        "data": DIGITS, "fits": way,
        "AUC of an unsure object": f"{np.median(areas):.2f} ({min(areas):.2f} to {max(areas):.2f})",
        "the two regions are those of the parents": f"{np.mean(parents_found):.0%}",
    }  # fmt: skip


if __name__ == "__main__":
    main()
