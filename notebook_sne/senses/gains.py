"""From trials of copies to tables: what each copy gains, which copies are the same, and which gains are sure.

Copies are matched between fits by their neighbors. A word is tested by its second copy, over the held-out responses of
all thinnings, as `evidence` says.
"""

import numpy as np

from notebook_sne.senses.stability import overlap_of_copies

__all__ = ["mean_and_error", "q_values", "tables"]

# Least overlap of the neighbors of what is called the same copy in two fits: two of ten.
_SAME = 0.1
_RUNS = ["word", "thinning", "restart", "copy", "map", "proportion", "neighbors", "with_copy", "without_copy", "gain"]
_RUNS += ["sampling_sd", "regrown", "n_test", "n_new", "note"]
_WORDS = ["word", "n_copies", "n_fits", "gain", "error", "p_value", "q_value", "n_test", "note"]

_SUMMARY = ["word", "copy", "neighbors", "proportion", "n_fits", "gain", "gain_sd", "gain_min", "gain_max"]
_SUMMARY += ["sampling_sd", "n_test", "n_new", "note"]


def tables(names, wanted, splits, trials):
    """Return the tables of words, of copies and of runs; `Evidence` says what their columns are.

    `wanted` are the numbers of those words that the tables are of, `splits` those of `thinnings`, and `trials` has for
    each (thinning, restart) what `trial` found.
    """
    import pandas as pd

    held_out = [_HeldOut(train, test) for train, test, _ in splits]
    rows, lists = [], []
    second: dict[int, dict[int, list]] = {i: {} for i in wanted.tolist()}
    for (thinning, restart), found in trials.items():
        begins = np.concatenate([[0], np.cumsum(_lengths(found, held_out[thinning]))])
        bounds = np.searchsorted(found["word"], [wanted, wanted + 1])
        for i, first, last in zip(wanted.tolist(), *bounds.tolist(), strict=True):
            here = held_out[thinning].of(i)
            trained = found["trained"][first:last]
            if here.n_test:
                which = first + np.argsort(-trained, kind="stable")[1] if last - first > 1 else None
                difference, expected = np.zeros(len(here.n)), 0.0
                if which is not None:
                    part = slice(begins[which], begins[which + 1])
                    difference = found["with_copy"][part] - found["without_copy"][part]
                    expected = found["expected"][which]
                second[i].setdefault(thinning, []).append((difference, expected))
            for at in range(first, last):
                row = {"word": names[i], "thinning": thinning, "restart": restart, "map": int(found["map"][at])}
                row |= {"proportion": float(found["proportion"][at]), "regrown": float(found["regrown"][at])}
                row["neighbors"] = ", ".join(names[j] for j in found["neighbors"][at][:5])
                row["note"] = here.note or ("one copy" if last - first == 1 else "")
                if not row["note"]:
                    part = slice(begins[at], begins[at + 1])
                    row |= here.gain(found["with_copy"][part], found["without_copy"][part])
                rows.append({**row, "n_test": here.n_test, "n_new": here.n_new})
                lists.append(found["neighbors"][at])
    runs = pd.DataFrame(rows, columns=_RUNS)
    runs["copy"] = _matched(runs, np.array(lists))
    copies = [_summary(copy) for _, copy in runs.groupby(["word", "copy"], sort=False)]
    summary = pd.DataFrame(copies, columns=_SUMMARY)
    order = {names[i]: k for k, i in enumerate(wanted.tolist())}
    keys = (runs["restart"], runs["thinning"], runs["copy"], runs["word"].map(order))
    runs = runs.iloc[np.lexsort(keys)].reset_index(drop=True)
    summary = summary.iloc[np.lexsort((summary["copy"], summary["word"].map(order)))].reset_index(drop=True)
    of_words = {word: part for word, part in runs.groupby("word", sort=False)}
    table = pd.DataFrame([_word(i, of_words[names[i]], second[i], held_out) for i in wanted.tolist()], columns=_WORDS)
    table["q_value"] = q_values(table["p_value"].to_numpy(dtype=float))
    return table, summary, runs


class _HeldOut:
    """The responses that a thinning holds out."""

    def __init__(self, train, test):
        self._train, self._test = train, test
        self.lengths = np.diff(test.indptr)
        self._words = {}

    def of(self, i):
        """Return those to one word."""
        if i not in self._words:
            self._words[i] = _Responses(i, self._train, self._test)
        return self._words[i]


def _lengths(found, held_out):
    """Return how many held-out responses each copy of a trial was scored by."""
    return np.where(np.isnan(found["trained"]), 0, held_out.lengths[found["word"]])


class _Responses:
    """The held-out responses to one word: how often each was given, in all, and how many are new."""

    def __init__(self, i, train, test):
        begin, end = test.indptr[i : i + 2]
        self.n = test.data[begin:end]
        self.n_test = int(self.n.sum())
        known = train.indices[train.indptr[i] : train.indptr[i + 1]]
        self.n_new = int(self.n[~np.isin(test.indices[begin:end], known)].sum())
        self.note = "" if self.n_test else "no held-out responses"

    def gain(self, with_copy, without_copy):
        """Return scores in nats a response from log q of each different response."""
        gain, error = mean_and_error(with_copy - without_copy, self.n)
        share = self.n / self.n_test
        return {
            "with_copy": float(share @ with_copy),
            "without_copy": float(share @ without_copy),
            "gain": gain,
            "sampling_sd": error,
        }


def mean_and_error(values, n):
    """Return the mean of values that were met n times each, and its standard error."""
    total = n.sum()
    mean = float(n @ values / total)
    return mean, float(np.sqrt(n @ (values - mean) ** 2 / total / (total - 1))) if total > 1 else np.nan


def _word(i, runs, second, held_out):
    """Return a row of the table of words."""
    from scipy.stats import t

    fits = runs.groupby(["thinning", "restart"]).size()
    several = int((fits > 1).sum())
    row = {"word": runs["word"].iloc[0], "n_copies": fits.mean(), "n_fits": several, "n_test": 0, "note": ""}
    row |= dict.fromkeys(("gain", "error", "p_value"), np.nan)
    if second:
        n = np.concatenate([held_out[thinning].of(i).n for thinning in second])
        values = np.concatenate([np.mean([each for each, _ in found], axis=0) for found in second.values()])
        expected = [np.mean([variance for _, variance in found]) for found in second.values()]
        n_test = [held_out[thinning].of(i).n_test for thinning in second]
        row["n_test"] = int(n.sum())
        if several:
            row["gain"], error = mean_and_error(values, n)
            # The spread of the values tells nothing of rare responses that did not come, which a copy may spoil.
            row["error"] = max(error, float(np.sqrt(np.average(expected, weights=n_test) / n.sum())))
            sure = row["error"] > 1e-9 * abs(row["gain"])
            row["p_value"] = float(t.sf(row["gain"] / row["error"], n.sum() - 1)) if sure else 1.0
    row["note"] = "no held-out responses" if not second else "" if several else "one copy"
    return row


def q_values(p):
    """Return the least rate of false discoveries at which each is one of those found; NaN stays. [Benjamini1995]"""
    from scipy.stats import false_discovery_control

    q = np.full(len(p), np.nan)
    tested = ~np.isnan(p)
    if tested.any():
        q[tested] = false_discovery_control(p[tested])
    return q


def _matched(runs, lists):
    """Return the number of each copy, by its neighbors the same in each fit; unmatched ones get new numbers."""
    from scipy.optimize import linear_sum_assignment

    numbers = np.empty(len(runs), dtype=int)
    for _, own in runs.groupby("word", sort=False):
        known: list[int] = []  # the row in which each copy was first met
        for _, some in own.groupby(["thinning", "restart"]):
            rows = some.index.to_numpy()
            new = dict.fromkeys(rows.tolist())
            if known:
                overlap = overlap_of_copies(lists[rows], lists[known])
                for a, b in zip(*linear_sum_assignment(-overlap), strict=True):
                    if overlap[a, b] >= _SAME:
                        new[int(rows[a])] = int(b)
            for row, number in new.items():
                if number is None:
                    number = len(known)
                    known.append(row)
                numbers[row] = number
        # The strongest copy is number 0.
        rows = own.index.to_numpy()
        sums = np.bincount(numbers[rows], weights=runs["proportion"].to_numpy()[rows])
        rank = np.argsort(np.argsort(-sums, kind="stable"), kind="stable")
        numbers[rows] = rank[numbers[rows]]
    return numbers


def _summary(copy):
    first, gain = copy.iloc[0], copy["gain"]
    notes = copy["note"][copy["note"] != ""].value_counts(sort=False)
    thinnings = copy.groupby("thinning")
    sampling = thinnings["sampling_sd"].mean().dropna()  # fits to one thinning are tested by the same responses
    return {
        "word": first["word"],
        "copy": first["copy"],
        "neighbors": first["neighbors"],
        "proportion": copy["proportion"].mean(),
        "n_fits": len(copy),
        "gain": gain.mean(),
        "gain_sd": gain.std(ddof=1),
        "gain_min": gain.min(),
        "gain_max": gain.max(),
        "sampling_sd": np.sqrt(np.square(sampling).sum()) / len(sampling) if len(sampling) else np.nan,
        "n_test": thinnings["n_test"].first().sum(),
        "n_new": thinnings["n_new"].first().sum(),
        "note": "; ".join(f"{note} in {n} of {len(copy)} fits" for note, n in notes.items()),
    }
