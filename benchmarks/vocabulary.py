"""Aspect maps of a large vocabulary: ``python -m benchmarks.vocabulary fit WORDS MAPS FILE``, then ``... read FILES``.

No vectors of 50,000 words are to be had here, so the vocabulary is made: a topic for every 40 words, unit vectors of
100 coordinates, each near one of 25 fields; a word is its topic and noise as long, and every tenth word is the sum of
two topics of different fields. So it is known which words have two meanings, and which words are neighbors of each.

``fit`` makes one fit of the cosine neighbor graph and keeps it, with the cost and the seconds of every update. It ends
where ten updates lower the objective by less than a thousandth, after 400 updates, or after the minutes that are given.
``read`` asks how many words of two topics have a copy beside each, and how many of one topic have copies beside
different ones. The neighbors of a copy have a topic if at least half of them are of it. Beside it stands the simplest
thing: the neighbors of a word in the graph, parted in two by the second eigenvector of its normalized Laplacian, if
both parts are large enough and little is cut. How large and how little was chosen on seed 0 of 5,000 words; the seed of
the fits was looked at once.
"""

import itertools
import resource
import sys
import time

import numpy as np
from scipy import sparse

import notebook_sne as ns
from benchmarks.record import keep, load

SEED = 7
PERPLEXITY = 30
SETTINGS = {"metric": "cosine", "perplexity": PERPLEXITY, "random_state": SEED, "n_jobs": 2, "progress": False}
SETTINGS |= {"init": "random"}  # of the kept results
MOST, ENOUGH = 400, 1e-3
# Of a word's neighbors, in the smaller part at least, and normalized cut at most: `choose` chose them.
LEAST_PART, MOST_CUT = 0.3, 0.1
SAMPLED = 1_000  # words of either kind, of which the neighbors are parted


def vocabulary(n_words, seed=0):
    """Return word vectors of single precision, shape (N, 100), and the two topics of each, (N, 2), equal for most."""
    rng = np.random.default_rng(seed)
    n_topics = n_words // 40
    fields = rng.standard_normal((25, 100))
    field = np.arange(n_topics) % 25
    topics = fields[field] + 1.5 * rng.standard_normal((n_topics, 100))
    topics /= np.linalg.norm(topics, axis=1, keepdims=True)
    first = rng.permutation(n_words) % n_topics
    second = first.copy()
    ambiguous = np.arange(n_words) % 10 == 0
    # A step that is no multiple of 25 leads into another field.
    second[ambiguous] = (first + 25 * rng.integers(n_topics // 25 - 1, size=n_words) + 1 + first % 24)[
        ambiguous
    ] % n_topics
    X = topics[first] + np.where((first != second)[:, None], topics[second], 0.0)
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    noise = rng.standard_normal(X.shape)
    X += noise / np.linalg.norm(noise, axis=1, keepdims=True)
    return X.astype(np.float32), np.column_stack([first, second])


def fit(n_words, n_maps, file, minutes=40.0):
    """Fit aspect maps to one vocabulary, and keep maps, proportions, P and what every update took in the file."""
    X, topics = vocabulary(n_words, SEED)
    # Compiled before the clock starts, on few words.
    ns.AspectMaps(n_maps=20, max_iter=26, **SETTINGS).fit(X[:400])
    began, busy = time.monotonic(), time.process_time()
    run = ns.AspectMaps(n_maps=n_maps, **SETTINGS).iterate(X)
    P, curve = None, []
    for state in run:
        if P is None:
            P = run._problem.target(state.knobs).P
        spent = time.monotonic() - began, time.process_time() - busy
        curve.append((state.iteration, state.objective, state.cost, *spent, len(state.copies)))
        if state.iteration % 5 == 0:
            print(*curve[-1], load(), flush=True)
        far = state.iteration >= 100 and curve[-11][1] - state.objective < ENOUGH * state.objective
        done = far or state.iteration >= MOST or spent[0] > 60 * minutes
        if done or state.iteration % 25 == 0:
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
            np.savez(
                file, maps=state.Y.astype(np.float32), mixing=state.mixing.astype(np.float32), data=P.data,
                indices=P.indices, pointers=P.indptr, topics=topics, curve=np.array(curve), peak=peak, load=load(),
            )  # fmt: skip
        if done:
            return


class Fitted:
    """A kept fit, as a model that has been fitted."""

    def __init__(self, file):
        with np.load(file) as kept:
            self.maps_ = kept["maps"].astype(np.float64)
            mixing = kept["mixing"].astype(np.float64)
            self.mixing_ = mixing / mixing.sum(axis=0)
            N = mixing.shape[1]
            self.affinities_ = sparse.csr_array((kept["data"], kept["indices"], kept["pointers"]), shape=(N, N))
            self.topics, self.curve = kept["topics"], kept["curve"]
            self.peak, self.load = float(kept["peak"]), float(kept["load"])
        self.cost_ = self.curve[-1, 2]


def topic_of(words, topics):
    """Return the topic that at least half of these words have, or None."""
    count = np.unique(
        np.concatenate([topics[words, 0], topics[words, 1][topics[words, 0] != topics[words, 1]]]), return_counts=True
    )
    best = count[1].argmax()
    return int(count[0][best]) if 2 * count[1][best] >= len(words) else None


def shares(senses, topics):
    """Return the shares of words of two topics for which both are found, and of those of one with two or more."""
    two = topics[:, 0] != topics[:, 1]
    found = [set(topics[i].tolist()) <= some for i, some in senses.items() if two[i]]
    wrong = [len(some) > 1 for i, some in senses.items() if not two[i]]
    return float(np.mean(found)), float(np.mean(wrong))


def by_copies(reading, topics):
    """Return the topics that the copies of each word are beside."""
    senses = {i: set() for i in range(len(topics))}
    for i, words in zip(reading.word.tolist(), reading.neighbors, strict=True):
        senses[i].add(topic_of(words, topics))
    return {i: some - {None} for i, some in senses.items()}


def parted(P, words):
    """Yield each word with both parts of its neighbors, and what is cut between them."""
    ties = sparse.csr_array(P + P.T)
    for i in words:
        near = P.indices[P.indptr[i] : P.indptr[i + 1]]
        W = ties[near][:, near].toarray()
        degrees = W.sum(axis=1) + 1e-12
        scaled = W / np.sqrt(degrees[:, None] * degrees)
        side = np.linalg.eigh(scaled)[1][:, -2] > 0
        if side.all() or not side.any():
            yield i, near, near[:0], np.inf
            continue
        across = W[side][:, ~side].sum()
        yield i, near[side], near[~side], across / degrees[side].sum() + across / degrees[~side].sum()


def by_parts(found, topics, least_part=LEAST_PART, most_cut=MOST_CUT):
    """Return the topics that the parts of each word's neighbors are of."""
    senses = {}
    for i, one, other, cut in found:
        large = min(len(one), len(other)) >= least_part * (len(one) + len(other))
        parts = (one, other) if large and cut <= most_cut else (np.concatenate([one, other]),)
        senses[int(i)] = {topic_of(part, topics) for part in parts} - {None}
    return senses


def sampled(topics):
    """Return so many words of two topics, and as many of one."""
    two = topics[:, 0] != topics[:, 1]
    return np.concatenate([np.flatnonzero(two)[:SAMPLED], np.flatnonzero(~two)[:SAMPLED]])


def choose(n_words=5_000, seed=0):
    """Print how the neighbors are best parted, on a vocabulary that no fit was made of."""
    X, topics = vocabulary(n_words, seed)
    model = ns.AspectMaps(n_maps=2, **{**SETTINGS, "random_state": seed})
    run = model.iterate(X)
    P = run._problem.target(next(run).knobs).P
    found = list(parted(sparse.csr_array(P), sampled(topics)))
    for least, most in itertools.product((0.1, 0.2, 0.3, 0.35, 0.4, 0.45), (0.01, 0.02, 0.05, 0.1, 0.2, 1.0)):
        print(least, most, *np.round(shares(by_parts(found, topics, least, most), topics), 3))


def read(file):
    """Return what one fit took and shows."""
    model = Fitted(file)
    topics, curve, names = model.topics, model.curve, [f"w{i}" for i in range(model.maps_.shape[1])]
    few = ns.AspectMaps(n_maps=2, max_iter=2, perplexity=5, progress=False).fit(vocabulary(2_000)[0][:40])
    ns.senses.read(few, names[:40]).of("w0")  # compiled
    seconds = [time.process_time()]
    reading = ns.senses.read(model, names)
    seconds.append(time.process_time())
    reading.of("w10")
    seconds.append(time.process_time())
    reading.of("w20")
    seconds.append(time.process_time())
    explorer = ns.explore(model, names, word="w10")
    seconds.append(time.process_time())
    explorer.word = "w20"
    explorer.close()
    first, second, third, opened = np.round(np.diff(seconds), 2).tolist()
    both, wrong = shares(by_copies(reading, topics), topics)
    simple = shares(by_parts(parted(model.affinities_, sampled(topics)), topics), topics)
    rounds = np.flatnonzero(curve[:, 5])
    plain = np.diff(curve[:, 4])[np.setdiff1d(np.arange(len(curve) - 1), rounds - 1)]
    return {
        "words": len(topics),
        "maps": len(model.maps_),
        "updates": int(curve[-1, 0]),
        "minutes": round(curve[-1, 3] / 60, 1),
        "processor minutes": round(curve[-1, 4] / 60, 1),
        "processor seconds until the start": round(curve[0, 4], 1),
        "of an update, median": round(float(np.median(plain)), 2),
        "of the first round of copies": round(float(curve[rounds[0], 4] - curve[rounds[0] - 1, 4]), 1),
        "of a later round, median": round(float(np.median([curve[r, 4] - curve[r - 1, 4] for r in rounds[1:]])), 1),
        "peak memory, GB": round(model.peak, 2),
        "KL": round(float(curve[-1, 2])),
        "objective": round(float(curve[-1, 1])),
        "and ten updates before": round(float(curve[-11, 1])),
        "both topics found": round(both, 3),
        "one topic as two": round(wrong, 3),
        "both, by parting neighbors": round(simple[0], 3),
        "one as two, by parting": round(simple[1], 3),
        "processor seconds to read senses": first,
        "to show the first word": second,
        "to show the next": third,
        "to make the explorer": opened,
        "load of the fit": model.load,
        "load": load(),
    }


def main(command, *arguments):
    """Fit, choose, or read fits and keep what was found."""
    if command == "fit":
        fit(int(arguments[0]), int(arguments[1]), *arguments[2:3], *map(float, arguments[3:]))
    elif command == "choose":
        choose()
    else:
        rows = [read(file) for file in arguments]
        keep("vocabulary", {key: value for key, value in SETTINGS.items() if key != "progress"}, rows)


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in ("fit", "choose", "read"):
        sys.exit(__doc__)
    main(*sys.argv[1:])
