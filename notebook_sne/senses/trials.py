"""Trials of copies: fit to what is left in, take copies out, score what was held out; kept in a file as they are made.

One trial is one fit to one thinning of the responses. What it found is a dictionary of arrays:

word, map, proportion, neighbors
    The copies of the words in question, as `read` finds them; words in order, the strongest copy first.
regrown
    The proportion of each copy after the refit without it; NaN where none was taken out, as the word has no other or
    nothing of it was held out.
trained
    What the copy adds to the mean log q of the word's responses in training.
expected
    The variance of what the copy adds to the log q of a response, if responses came from the maps without it: that of
    all possible responses, also of the rare ones that no one gave.
with_copy, without_copy
    log q of the held-out responses to the word of each copy that is taken out, one copy after the other; NaN as long as
    it was not.
ended
    Whether all copies were taken out.
"""

import json

import numpy as np

from notebook_sne.affinities import from_counts
from notebook_sne.engine.archives.archive import expect
from notebook_sne.engine.archives.header import list_in
from notebook_sne.engine.archives.resumable import Form, check_same, reading, write
from notebook_sne.engine.machine import files
from notebook_sne.senses.reading import read
from notebook_sne.senses.removal import apart, settle, without_copies
from notebook_sne.senses.stability import refit

__all__ = ["Kept", "trial"]

_MEASURED = ("regrown", "trained", "expected", "with_copy", "without_copy")
# Below this Q is not exact (`Mixture.q`).
_LEAST = 1e-26
_FORM = Form(
    name="evidence",
    kind="file of evidence",
    writer="evidence",
    version=3,
    smaller="give each thinning, or some of the words, a file of its own",
    way_out="give another path, or remove the file",
)
_RESPONSES = ("with_copy", "without_copy")
_ARRAYS = {"word": "<i8", "map": "<i8", "proportion": "<f8", "neighbors": "<i8"}
_ARRAYS |= dict.fromkeys(_MEASURED, "<f8")
_ROW = [int, int, bool, int, int]  # thinning, restart, ended, copies, responses of copies taken out


def trial(model, train, test, names, words, seed, before=None, *, n_updates, n_together, threshold, n_neighbors):
    """Yield what one fit has found, after every refit; an iterator that gives more and more of the same arrays.

    A clone of the model, an AspectMaps or MultipleMapsTSNE, is fitted with the seed to `train`, the responses that are
    left in; `test` are those that are held out, both CSR, shape (N, N). `names` are those of all words, `words` the
    numbers of those in question. `before`, a dict of arrays, is what an iterator of the same arguments has yielded: all
    is fitted again, but no copy taken out twice. The others are as for `evidence`.
    """
    P = from_counts(train)
    fitted = refit(model, P, seed)
    reading = read(fitted, names, threshold=threshold, n_neighbors=n_neighbors)
    own = np.flatnonzero(np.isin(reading.word, words))
    word, maps = reading.word[own], reading.map[own]
    several = np.bincount(word, minlength=len(names)) > 1
    out = np.flatnonzero(several[word] & (np.diff(test.indptr) > 0)[word])
    rows = {i: (_row(train, i), _row(test, i)) for i in np.unique(word[out]).tolist()}
    lengths = [len(rows[i][1][0]) for i in word[out].tolist()]
    slots = dict(zip(out.tolist(), np.split(np.arange(sum(lengths)), np.cumsum(lengths)[:-1]), strict=False))
    found = {
        "word": word,
        "map": maps,
        "proportion": reading.proportion[own],
        "neighbors": reading.neighbors[own],
        "regrown": np.full(len(own), np.nan),
        "trained": np.full(len(own), np.nan),
        "expected": np.full(len(own), np.nan),
        "with_copy": np.full(sum(lengths), np.nan),
        "without_copy": np.full(sum(lengths), np.nan),
    }
    if before is not None:
        same = all(before[name].shape == array.shape for name, array in found.items())
        if not same or (before["word"] != word).any() or (before["map"] != maps).any():
            raise ValueError(
                "path must be continued where it was begun, but a fit of its trials has other copies now, as another "
                "processor makes it; give another path, or remove the file"
            )
        found |= {name: before[name] for name in _MEASURED}
    if len(out):
        unchanged = settle(fitted, P, fitted.state_, n_updates)
        for part in apart(P, word[out], n_together):
            k = out[part]
            if not np.isnan(found["trained"][k]).any():
                continue
            without = settle(fitted, P, without_copies(fitted.state_, maps[k], word[k]), n_updates)
            whole, less = (_Scores(mixture, rows, word[k].tolist()) for mixture in (unchanged, without))
            found["expected"][k] = _variance(whole.Q, less.Q)
            for at, i in zip(k.tolist(), word[k].tolist(), strict=True):
                found["with_copy"][slots[at]], found["without_copy"][slots[at]] = whole.tested[i], less.tested[i]
                found["trained"][at] = whole.trained[i] - less.trained[i]
                found["regrown"][at] = without.mixing[maps[at], i]
            yield found | {"ended": np.array(False)}
    yield found | {"ended": np.array(True)}


def _row(counts, i):
    begin, end = counts.indptr[i : i + 2]
    return counts.indices[begin:end], counts.data[begin:end]


def _variance(whole, less):
    """Return the variance of log(whole / less) in each row, of responses that come from `less`."""
    change = np.log(np.maximum(whole, _LEAST)) - np.log(np.maximum(less, _LEAST))
    mean = (less * change).sum(axis=1)
    return (less * np.square(change - mean[:, None])).sum(axis=1)


class _Scores:
    """What a mixture says of the responses to some words: Q, mean log q in training, and log q of those held out."""

    def __init__(self, mixture, rows, words):
        self.trained, self.tested = {}, {}
        self.Q, log_of_z = mixture.q(words)
        for i, log_z in zip(words, log_of_z, strict=True):
            (j, n), (held_out, _) = rows[i]
            log_q = [mixture.log_q(np.full(len(c), i), c, np.full(len(c), log_z))[0] for c in (j, held_out)]
            self.trained[i], self.tested[i] = float(n @ log_q[0] / n.sum()), log_q[1]


class Kept:
    """Trials by their numbers (thinning, restart), kept in a file if there is a path: new, or of an earlier call.

    `about` is everything that a trial depends on, apart from its numbers; ready for JSON. A ValueError says that the
    file holds something else, or trials of other data or with other settings.
    """

    def __init__(self, path, about, n_words):
        self._path = None if path is None else files.check_place(path)
        self._about = json.loads(json.dumps(about))
        self._trials = {}
        if self._path is not None and self._path.exists():
            self._load(n_words)

    def get(self, thinning, restart):
        """Return a trial, or None if it has not been made."""
        return self._trials.get((thinning, restart))

    def add(self, thinning, restart, found):
        """Keep what is known of a trial; the file is written whole, or stays as it was."""
        self._trials[thinning, restart] = found
        if self._path is None:
            return
        trials, rows = [*self._trials.values()], []
        for (t, r), each in self._trials.items():
            rows.append([t, r, bool(each["ended"]), len(each["word"]), len(each["with_copy"])])
        # One array of each name, which holds those of all trials one after the other.
        arrays = []
        for name, kind in _ARRAYS.items():
            parts = [each[name] for each in trials]
            arrays.append((name, kind, (sum(map(len, parts)), *parts[0].shape[1:]), parts))
        write(self._path, _FORM, {**self._about, "trials": rows}, arrays)

    def _load(self, n_words):
        with reading(self._path, _FORM) as (there, archive):
            check_same(there, self._about)
            rows = list_in(there, "trials")
            known = all(type(row) is list and [type(value) for value in row] == _ROW for row in rows)
            known = known and all(0 <= value < 2**40 for row in rows for value in row)
            expect(known and len({(t, r) for t, r, *_ in rows}) == len(rows), "it does not say which trials it has")
            parts = {}
            for name, kind in _ARRAYS.items():
                n = [row[4 if name in _RESPONSES else 3] for row in rows]
                array = archive.array(name, (kind,), (sum(n), None) if name == "neighbors" else (sum(n),))
                parts[name] = np.split(array, np.cumsum(n)[:-1])
            for k, (thinning, restart, ended, *_) in enumerate(rows):
                found = {name: np.array(arrays[k]) for name, arrays in parts.items()}
                _check(found, n_words)
                self._trials[thinning, restart] = {**found, "ended": np.array(ended)}


def _check(found, n_words):
    """Refuse a trial with words that are not there, or in another order than `read` gives."""
    word, neighbors, proportion = found["word"], found["neighbors"], found["proportion"]
    fits = (np.diff(word) >= 0).all() and (found["map"] >= 0).all()
    for numbers in (word, neighbors):
        fits = fits and ((numbers >= 0) & (numbers < n_words)).all()
    expect(fits and neighbors.shape[1] > 0, f"a trial in it names words beyond the {n_words} that there are")
    expect(((proportion >= 0) & (proportion <= 1)).all(), "a trial in it has proportions that are none")
