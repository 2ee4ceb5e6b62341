"""``python -m benchmarks.senses.evidence FILE``: is the second copy of a word worth anything? [Cook2007, section 5]

All words of the USF norms that have several copies in a fit to a part of the responses, by
`notebook_sne.senses.evidence`: five thinnings, none of which holds out a response of another, with a fit each. FILE
keeps what was found, and the same command goes on from there. Homonyms and words of one meaning are those of the half
of the gold list that is for choosing settings, unless ``--look-once`` is given.
"""

import argparse
import resource
import time
from pathlib import Path

import numpy as np

import notebook_sne as ns
from benchmarks.record import RESULTS, keep
from benchmarks.senses.gold import HALVES
from benchmarks.senses.norms import usf
from benchmarks.senses.questions import questions

__all__ = ["main", "rows_of"]

RATE = 0.05


class FromSenses(ns.AspectMaps):
    """Aspect maps that begin with groups of associates: those of the responses that they are fitted to, no others."""

    def fit(self, X, y=None):
        """Fit to P, shape (N, N)."""
        words = ns.datasets.Dataset(title="what is left in", P=X, names=[str(i) for i in range(X.shape[0])])
        init = ns.senses.start(words, self.n_maps, random_state=self.random_state)
        self.set_params(init=init)
        return super().fit(X)


def main(arguments=None):
    """Test the words, print and keep the table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.senses.evidence", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("file", type=Path, help="where to keep what was found, and where to go on from")
    parser.add_argument("--words", type=int, metavar="N", help="the N words given most often; default: all cues")
    parser.add_argument("--thinnings", type=int, default=5, help="default: %(default)s")
    parser.add_argument("--fits", type=int, default=1, help="fits to each thinning; default: %(default)s")
    parser.add_argument("--init", default="random", help="random, communities or senses; default: %(default)s")
    parser.add_argument("--look-once", action="store_true", help="the half that settings were not chosen on")
    parser.add_argument("--output", type=Path, default=RESULTS, metavar="FOLDER", help="default: benchmarks/results")
    asked = parser.parse_args(arguments)
    half = HALVES[asked.look_once]
    norms, began = usf(asked.words), time.perf_counter()
    kind, init = (FromSenses, "random") if asked.init == "senses" else (ns.AspectMaps, asked.init)
    model = kind(input="probabilities", init=init, n_jobs=1)
    found = ns.senses.evidence(
        model, norms.data, n_thinnings=asked.thinnings, n_restarts=asked.fits, path=asked.file, progress=True
    )
    minutes = (time.perf_counter() - began) / 60
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    about = questions(norms, half)
    settings = {"half": half, "words": len(norms.data), "maps": model.n_maps, "thinnings": asked.thinnings}
    settings["init"] = asked.init
    settings["copy moves"] = getattr(model, "copy_moves", 0)
    settings |= {"fits to each": asked.fits, "rate": RATE, "AUC": auc(found, norms.data.names, about)}
    settings |= {"minutes of the last call": round(minutes, 1), "peak memory, MB": round(peak)}
    name = "senses_evidence" if asked.words is None else f"senses_evidence_{asked.words}"
    name += f"_{asked.init}" * (asked.init != "random") + "_look_once" * asked.look_once
    keep(name, settings, rows_of(found, norms.data.names, about), folder=asked.output)


def rows_of(found, names, about):
    """Return a row for each kind of words, and for first and further copies."""
    numbers = {"all words": range(len(names)), "homonyms": about.homonyms, "words of one meaning": about.controls}
    rows = []
    for kind, chosen in numbers.items():
        table = found.words[found.words["word"].isin([names[i] for i in chosen])]
        rows.append({"of": kind, **_row(len(chosen), table), **_discoveries(len(chosen), table)})
    tested = found.summary[found.summary["gain"].notna()].rename(columns={"sampling_sd": "error"})
    for kind, which in (("first copies", tested["copy"] == 0), ("further copies", tested["copy"] > 0)):
        rows.append({"of": kind, **_row(int(which.sum()), tested[which])})
    return rows


def auc(found, names, about):
    """Return how often the gain of a homonym, in units of its error, is above that of a word of one meaning."""
    score = dict(zip(found.words["word"], found.words["gain"] / found.words["error"], strict=True))
    # A word with one copy in all fits has nothing to gain.
    a, b = (np.array([score.get(names[i], 0.0) for i in kind]) for kind in (about.homonyms, about.controls))
    a, b = np.nan_to_num(a), np.nan_to_num(b)
    above = (a[:, None] > b).mean() + 0.5 * (a[:, None] == b).mean()
    return round(float(above), 3)


def _row(asked, table):
    gain, error = table["gain"], table["error"]
    return {
        "asked": asked,
        "with several copies": len(table),
        "gain, mean": round(float(gain.mean()), 4),
        "gain, median": round(float(gain.median()), 4),
        "gain, quarter below": round(float(gain.quantile(0.25)), 4),
        "gain, quarter above": round(float(gain.quantile(0.75)), 4),
        "gain above its error": round(float((gain > error).mean()), 3),
    }


def _discoveries(asked, table):
    sure = int((table["q_value"] < RATE).sum())
    return {"q < 0.05": sure, "of all asked": round(sure / max(asked, 1), 3)}


if __name__ == "__main__":
    main()
