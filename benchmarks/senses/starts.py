"""``python -m benchmarks.senses.starts``: where aspect maps of words end, and what they show, by where they begin.

A start from noise, from communities of words, from communities that overlap, which is the default, and from groups of
associates (`senses.start`), each with ten rounds of copy moves. Of every fit: its objective and cost, its processor
seconds, how many homonyms of the gold list are read rightly off its components and how many controls are split, in how
many homonyms of two senses both are seen (`Consensus`), in how many of the whole gold list two meanings are placed, and
what a held-out response costs. Of all fits of a start: how well copies are repeated (`stability`).

A response is held out with a chance of 0.4; a fit to the others gives it the probability 0.9 q + 0.1 u, u being how
often each word is given at all, as q alone may be 0. What a start gains for a word is what the held-out responses to it
cost less than from communities, the mean over the seeds.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from scipy import sparse

import notebook_sne as ns
from benchmarks.record import RESULTS, keep
from benchmarks.senses.fits import Fit
from benchmarks.senses.gold import HALVES
from benchmarks.senses.norms import from_file, usf
from benchmarks.senses.ours import components
from benchmarks.senses.questions import questions
from benchmarks.senses.scores import mark
from notebook_sne.senses.mixture import mixture_of

__all__ = ["main"]

STARTS = ("random", "communities", "overlapping", "senses")
HELD_OUT, EVEN = 0.4, 0.1


def main(arguments=None):
    """Fit, read, and keep the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.senses.starts", description=__doc__.partition("\n")[0])
    parser.add_argument("--norms", nargs="+", default=["usf"], metavar="NAME", help="usf, or files; default: usf")
    parser.add_argument("--chosen", default="usf", help="norms of which the half for choosing is asked")
    parser.add_argument("--words", type=int, default=1500, help="given most often; default: %(default)s")
    parser.add_argument("--maps", type=int, default=50, help="default: %(default)s")
    parser.add_argument("--seeds", type=int, default=5, help="default: %(default)s")
    parser.add_argument("--output", type=Path, default=RESULTS, metavar="FOLDER", help="default: benchmarks/results")
    asked = parser.parse_args(arguments)
    rows = []
    for name in asked.norms:
        norms = usf(asked.words) if name == "usf" else from_file(Path(name), "cue", "response", "R1", asked.words)
        about = questions(norms, HALVES[norms.name != asked.chosen])
        groups = ns.senses.groups(norms.data)
        two = np.array([i for i in range(len(norms.data)) if len(groups.senses(i).groups) > 1])
        kinds = {"two senses": two, "homonyms": np.intersect1d(list(about.homonyms), two)}
        costs = {}
        for start in STARTS:
            models, found = zip(
                *(_fit(norms, about, groups, start, asked.maps, seed) for seed in range(asked.seeds)), strict=True
            )
            row = {"norms": norms.name, "start": start, **_row(found)}
            again = ns.senses.stability(list(models), norms.data)
            row["overlap of copies"], row["by chance"] = again[["overlap", "chance"]].mean().round(2)
            lost, costs[start] = zip(
                *(_held_out(norms.data, start, asked.maps, seed) for seed in range(asked.seeds)), strict=True
            )
            row["nats a held-out response, median"] = round(float(np.median(lost)), 3)
            row["nats a held-out response, range"] = f"{min(lost):.3f} to {max(lost):.3f}"
            rows.append(row)
        for row in rows[-len(STARTS) :]:
            gains = np.nanmean(np.array(costs["communities"]) - np.array(costs[row["start"]]), axis=0)
            row |= {f"gain of {kind}": _gain(gains[which]) for kind, which in kinds.items()}
            print(row, flush=True)
    settings = {"words": asked.words, "maps": asked.maps, "seeds": asked.seeds, "chosen on": asked.chosen}
    keep("senses_starts", settings, rows, folder=asked.output)


def _model(start, data, n_maps, seed):
    init = ns.senses.start(data, n_maps, random_state=seed) if start == "senses" else start
    init = "auto" if start == "overlapping" else init
    more = {"n_maps": n_maps, "random_state": seed, "n_jobs": 1, "progress": False}
    return ns.AspectMaps(init=init, input="probabilities", **more)


def _fit(norms, about, groups, start, n_maps, seed):
    began = time.process_time()
    model = _model(start, groups, n_maps, seed).fit(norms.data.P)
    seconds = time.process_time() - began
    marks = mark(about, components(norms, [Fit(model.maps_, model.mixing_, norms.data.P)], about.words))
    seen = ns.senses.consensus(model, norms.data)
    two = [seen.senses(i) for i in about.homonyms]
    both = [found.seen[:2, 0].all() for found in two if len(found.groups) > 1]
    return model, {
        "objective": model.objective_, "cost": model.cost_, "processor seconds": seconds,
        "right": int(marks.right.sum()), "homonyms": len(marks.right), "split": marks.split.mean(), "AUC": marks.auc,
        "both senses seen": np.mean(both), "both meanings placed": _placed(norms, model),
        "copies a word": (model.mixing_ >= 0.1).sum() / len(norms.data),
    }  # fmt: skip


def _placed(norms, model):
    """Return the share of homonyms of which two meanings have two of their key words each in maps of their own.

    These must have the word, by a twentieth of it, and explain the key words (`Reading.of`).
    """
    reading, placed = ns.senses.read(model, norms.data), []
    for i, labels in questions(norms, None).homonyms.items():
        rows = reading.of(str(norms.data.names[i]))
        rows = rows[(rows.kind == "associate") & (rows.proportion >= 0.05)]
        meanings = [labels.get(norms.find(str(name))) for name in rows.neighbor]
        counts = rows.assign(meaning=meanings).groupby("sense").meaning.value_counts()
        told = [set(one[one >= 2].droplevel(0).index) for _, one in counts.groupby(level=0)]
        placed.append(any(a != b for x, one in enumerate(told) for two in told[:x] for a in one for b in two))
    return np.mean(placed)


def _held_out(data, start, n_maps, seed):
    """Return what a held-out response costs, in nats: the mean over all, and over those to each word."""
    counts = sparse.csr_array(data.counts, dtype=float)
    rng = np.random.default_rng(seed)
    train, test = counts.copy(), counts.copy()
    train.data = rng.binomial(counts.data.astype(int), 1 - HELD_OUT).astype(float)
    test.data = counts.data - train.data
    inside = np.ones(len(data), dtype=bool)
    while not (left := train[inside][:, inside].sum(axis=1) > 0).all():
        inside[np.flatnonzero(inside)[~left]] = False
    train, test = (sparse.csr_array(part[inside][:, inside]) for part in (train, test))
    train.eliminate_zeros()
    P = ns.affinities.from_counts(train)
    part = ns.datasets.Dataset(title="thinned", P=P, counts=train, names=data.names[inside], kept=np.ones(inside.sum()))
    mixture = mixture_of(_model(start, part, n_maps, seed).fit(P))
    often = train.sum(axis=0) + 0.5
    pairs = test.tocoo()
    log_q, _ = mixture.log_q(pairs.row, pairs.col, mixture.log_z()[pairs.row])
    given = (1 - EVEN) * np.exp(log_q) + EVEN * (often / often.sum())[pairs.col]
    lost = -pairs.data * np.log(given)
    numbers, words = np.flatnonzero(inside), np.full(len(data), np.nan)
    answers = np.bincount(pairs.row, pairs.data, minlength=len(numbers))
    asked = answers > 0
    words[numbers[asked]] = np.bincount(pairs.row, lost, minlength=len(numbers))[asked] / answers[asked]
    return float(lost.sum() / pairs.data.sum()), words


def _gain(gains):
    """Return the mean gain of some words with its standard error, and the share that gains."""
    known = gains[np.isfinite(gains)]
    error = known.std(ddof=1) / np.sqrt(len(known))
    return f"{known.mean():.3f} +- {error:.3f}, {(known > 0).mean():.2f} of {len(known)}"


def _row(found):
    """Return medians, with the least and the greatest where that says something."""
    row = {}
    for name in found[0]:
        values = [one[name] for one in found]
        digits = 1 if name in ("objective", "cost") else 0 if name == "processor seconds" else 2
        low, middle, high = (round(float(value), digits) for value in (min(values), np.median(values), max(values)))
        row[f"{name}, median" if name != "homonyms" else name] = middle
        if name in ("objective", "right", "both senses seen", "both meanings placed"):
            row[f"{name}, range"] = f"{low:g} to {high:g}"
    return row


if __name__ == "__main__":
    main()
