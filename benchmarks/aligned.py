"""``python -m benchmarks.aligned``: how far objects move from step to step, and what aligned maps cost.

Three sequences: 500 digits at five perplexities, on which the default strength was chosen; 500 digits of which four,
then five to eight rows of pixels are known, with noise that grows; and six years, in which two of six made clusters
travel, and one object in ten leaves and another comes each year. The last two were looked at once. Each seed draws
digits, noise and years anew. A user would try otherwise: maps by themselves, each turned to the one before by
Procrustes, without a change of size; maps that begin each at the end of the one before, new objects at the mean of the
five that are nearest in the data, with exaggeration and without. AlignedUMAP of umap-learn is the peer, at its own
settings with as many neighbors as the perplexity, where it is installed. The extent of a map is the root mean square
distance of its points from their mean.
"""

import argparse
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import notebook_sne as ns
from benchmarks.record import RESULTS, keep

__all__ = ["main"]

SEEDS = range(5)
STRENGTHS = (0.0, 0.001, 0.01, 0.1, 1.0, 10.0)
PERPLEXITIES = (5, 10, 20, 40, 80)


def _perplexities(seed):
    X = ns.datasets.load_digits().sample(50, random_state=seed).X
    return [X] * 5, [np.arange(len(X))] * 5, PERPLEXITIES, None


def _versions(seed):
    X, rng = ns.datasets.load_digits().sample(50, random_state=seed).X, np.random.default_rng(seed)
    noise = rng.standard_normal(X.shape)
    sets = [(X + t * noise)[:, : 8 * rows] for t, rows in enumerate(range(4, 9))]
    return sets, [np.arange(len(X))] * 5, (30,) * 5, None


def _years(seed):
    """Return six years of 360 objects in ten dimensions; clusters 0 and 1 travel two widths a year."""
    rng, n = np.random.default_rng(seed), 360
    centers, ways = 4 * rng.standard_normal((6, 10)), rng.standard_normal((6, 10))
    ways *= (np.arange(6) < 2)[:, None] * 2 / np.linalg.norm(ways, axis=1, keepdims=True)
    of, own = np.tile(np.arange(6), n), rng.standard_normal((6 * n, 10))
    there, sets, ids = np.arange(n), [], []
    for t in range(6):
        if t:
            there = np.sort(np.r_[rng.permutation(there)[n // 10 :], n + (t - 1) * (n // 10) + np.arange(n // 10)])
        ids.append(there)
        sets.append((centers + t * ways)[of[there]] + own[there] + 0.3 * rng.standard_normal((n, 10)))
    return sets, ids, (30,) * 6, of < 2


DATA = {"perplexities": _perplexities, "versions": _versions, "years": _years}


def _model(perplexity, seed, **more):
    return ns.TSNE(perplexity=perplexity, random_state=seed, n_jobs=1, progress=False, **more)


def _together(alignment, sets, ids, widths, seed):
    return ns.aligned([_model(perplexity, seed) for perplexity in widths], sets, ids=ids, alignment=alignment).maps


def _common(ids, t):
    return np.intersect1d(ids[t], ids[t + 1], assume_unique=True, return_indices=True)[1:]


def _turned(sets, ids, widths, seed):
    maps = [_model(perplexity, seed).fit_transform(X) for X, perplexity in zip(sets, widths, strict=True)]
    for t in range(len(maps) - 1):
        now, then = _common(ids, t)
        A, B = maps[t][now], maps[t + 1][then]
        left, _, right = np.linalg.svd((B - B.mean(axis=0)).T @ (A - A.mean(axis=0)))
        maps[t + 1] = (maps[t + 1] - B.mean(axis=0)) @ (left @ right) + A.mean(axis=0)
    return maps


def _one_by_one(exaggeration, sets, ids, widths, seed):
    maps = [_model(widths[0], seed).fit_transform(sets[0])]
    for t in range(len(sets) - 1):
        now, then = _common(ids, t)
        X, start = sets[t + 1], np.empty((len(sets[t + 1]), 2))
        start[then] = maps[t][now]
        for new in np.setdiff1d(np.arange(len(X)), then):
            nearest = np.argsort(np.square(X[then] - X[new]).sum(axis=1), kind="stable")[:5]
            start[new] = maps[t][now[nearest]].mean(axis=0)
        maps.append(_model(widths[t + 1], seed, init=start, exaggeration=exaggeration).fit_transform(X))
    return maps


def _peer(sets, ids, widths, seed):
    from umap import AlignedUMAP

    common = [_common(ids, t) for t in range(len(sets) - 1)]
    relations = [dict(zip(now.tolist(), then.tolist(), strict=True)) for now, then in common]
    return AlignedUMAP(n_neighbors=list(widths), random_state=seed).fit(sets, relations=relations).embeddings_


def _methods(data):
    strengths = STRENGTHS if data == "perplexities" else (0.0, ns.aligned.__kwdefaults__["alignment"])
    for alignment in strengths:
        yield f"aligned, {alignment:g}", lambda *given, a=alignment: _together(a, *given)
    yield "each turned to the last", _turned
    yield "each started at the last", lambda *given: _one_by_one(12.0, *given)
    yield "the same, not exaggerated", lambda *given: _one_by_one(1.0, *given)
    if find_spec("umap"):
        yield "AlignedUMAP", _peer


def _judged(maps, sets, ids, travels):
    """Return the median movement, the neighbors kept, and how well movement tells what travels."""
    moved, ours = [], []
    for t in range(len(maps) - 1):
        now, then = _common(ids, t)
        size = np.sqrt(np.square(maps[t] - maps[t].mean(axis=0)).sum(axis=1).mean())
        moved.append(np.linalg.norm(maps[t][now] - maps[t + 1][then], axis=1) / size)
        ours.append(ids[t][now])
    kept = np.mean([ns.quality.neighbor_recall(X, Y, k=10) for X, Y in zip(sets, maps, strict=True)])
    told = np.nan
    if travels is not None:
        from sklearn.metrics import roc_auc_score

        told = np.mean([roc_auc_score(travels[which], far) for which, far in zip(ours, moved, strict=True)])
    return float(np.median(np.concatenate(moved))), float(kept), float(told)


def _row(data, method, make):
    found, seconds = [], []
    for seed in SEEDS:
        sets, ids, widths, travels = DATA[data](seed)
        began = time.process_time()
        maps = make(sets, ids, widths, seed)
        seconds.append(time.process_time() - began)
        found.append(_judged(maps, sets, ids, travels))
    moved, kept, told = np.array(found).T
    return {
        "data": data, "method": method, "moved, of the extent": _said(moved), "ten neighbors kept": _said(kept),
        "AUC of what travels": None if np.isnan(told).any() else _said(told),
        "processor seconds": round(float(np.median(seconds)), 1),
    }  # fmt: skip


def main(arguments=None):
    """Map, measure, and keep the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.aligned", description=__doc__.partition("\n")[0])
    parser.add_argument("--data", nargs="+", default=[*DATA], choices=[*DATA])
    parser.add_argument("--output", type=Path, default=RESULTS, metavar="FOLDER", help="default: benchmarks/results")
    asked, rows = parser.parse_args(arguments), []
    for data in asked.data:
        for method, make in _methods(data):
            rows.append(_row(data, method, make))
            print(rows[-1], flush=True)
    keep("aligned", {"seeds": len(SEEDS), "model": "TSNE, one thread"}, rows, folder=asked.output)


def _said(values):
    return f"{np.median(values):.3f} ({min(values):.3f} to {max(values):.3f})"


if __name__ == "__main__":
    main()
