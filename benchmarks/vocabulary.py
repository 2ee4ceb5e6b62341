"""Aspect maps of a large vocabulary: ``python -m benchmarks.vocabulary``.

No vectors of 50,000 words are to be had here, so the vocabulary is made: a topic for every 40 words, unit vectors of
100 coordinates, each near one of 25 fields; a word is its topic and noise as long, and every tenth word is the sum of
two topics of different fields. So it is known which words have two meanings, and which words are neighbors of each.
Each setting is measured in a process of its own: processor seconds on one thread
until there is a P of the cosine neighbor graph and of an update (median), those of a round of copy moves, as the search
for the first 20 words lets expect, when all words still count in all maps, and the most memory that the process had.
``python -m benchmarks.vocabulary WORDS MAPS`` measures one setting.
"""

import json
import os
import resource
import subprocess
import sys
import time

import numpy as np

import notebook_sne as ns
from benchmarks.record import keep, load
from notebook_sne.mathematics import aspects, copies
from notebook_sne.sums.mesh_sums import gaussian_mesh_sums

SETTINGS = ((5_000, 20), (5_000, 100), (10_000, 20), (10_000, 100), (50_000, 20), (50_000, 100))
UPDATES, SEARCHED = 4, 20
PERPLEXITY = 30
QUIET = {"metric": "cosine", "perplexity": PERPLEXITY, "random_state": 0, "n_jobs": 1, "progress": False}


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


def copy_seconds(problem, state):
    """Return the seconds that a round of copy moves takes by what it takes for some words; nothing is moved."""
    pairs = aspects.attractive_pairs(problem.target(state.knobs).P)
    M, N, d = state.Y.shape
    Y, mixing = np.array(state.Y, order="C"), np.array(state.mixing, order="C")
    points = np.ascontiguousarray(Y.reshape(-1, d))
    values, _ = gaussian_mesh_sums(points, mixing.ravel(), groups=np.arange(0, M * N + 1, N))
    z = (mixing * values.reshape(M, N)).sum(axis=0)
    who = np.empty((M, N), np.int64), np.empty((M, N), np.int64), np.empty((M, d, N)), np.empty((M, N))
    gathered = copies.Gathered(np.zeros(M, np.int64), *who)
    copies.gather(Y, mixing, copies.NEGLIGIBLE, *gathered)
    given = pairs.pointers, pairs.columns, pairs.strengths, Y, mixing, z, np.full(d, 0.48), np.array(copies.PROPORTIONS)
    found = np.full(N, -1), np.zeros(N), np.zeros(N)

    def search(begin, end):
        copies.search(begin, end, *given, False, False, copies.NEGLIGIBLE, *gathered, *found)

    search(0, 1)  # compiled
    began = time.process_time()
    search(1, 1 + SEARCHED)
    return (time.process_time() - began) * N / SEARCHED


def measure(n_words, n_maps):
    """Return what some updates of one setting take."""
    X, _ = vocabulary(n_words)
    model = ns.AspectMaps(n_maps=n_maps, **QUIET)
    # Compiled before the clock starts, on few words.
    ns.AspectMaps(n_maps=n_maps, max_iter=26, **QUIET).fit(X[:400])
    began = time.process_time()
    run = model.iterate(X)
    state = next(run)
    prepared = time.process_time() - began
    spent = []
    for _ in range(UPDATES):
        began = time.process_time()
        state = next(run)
        spent.append(time.process_time() - began)
    return {
        "words": n_words,
        "maps": n_maps,
        "processor seconds until the start": round(prepared, 1),
        "of an update, median": round(float(np.median(spent)), 2),
        "of a round of copy moves": round(copy_seconds(run._problem, state)),
        "peak memory, GB": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, 2),
        "cost": round(float(state.cost), 1),
        "load": load(),
    }


def main(*settings):
    """Measure each setting in a process of its own, and keep what was found."""
    rows = []
    for n_words, n_maps in settings or SETTINGS:
        command = [sys.executable, "-m", "benchmarks.vocabulary", str(n_words), str(n_maps)]
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ)
        rows.append(json.loads(done.stdout.splitlines()[-1]))
        print(rows[-1], flush=True)
    keep("vocabulary", {"updates": UPDATES, **QUIET}, rows)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        print(json.dumps(measure(int(sys.argv[1]), int(sys.argv[2]))))
    else:
        main()
