"""Words of known senses: four subjects, a map for each, and six homonyms that are each in two of them."""

from itertools import combinations
from types import SimpleNamespace

import numpy as np
from scipy import sparse

import notebook_sne as ns

N_SUBJECTS, N_PLAIN = 4, 8
HOMONYMS = list(combinations(range(N_SUBJECTS), 2))
SUBJECTS = [[c] for c in range(N_SUBJECTS) for _ in range(N_PLAIN)] + [list(pair) for pair in HOMONYMS]
NAMES = [f"{'abcd'[c]}{k}" for c in range(N_SUBJECTS) for k in range(N_PLAIN)]
NAMES += [f"{'abcd'[a]}or{'abcd'[b]}" for a, b in HOMONYMS]
N = len(NAMES)


def planted_counts(seed=0, per_word=120):
    """Each word evokes words of its subjects, and now and then another one."""
    random = np.random.default_rng(seed)
    odds = np.full((N, N), 0.002)
    for i in range(N):
        for c in SUBJECTS[i]:
            for j in range(N):
                # Not all words of a subject are associated; of homonyms, only those with plain words.
                if c in SUBJECTS[j] and len(SUBJECTS[i]) + len(SUBJECTS[j]) < 4 and random.random() < 0.8:
                    odds[i, j] += 1 / len(SUBJECTS[i])
    np.fill_diagonal(odds, 0)
    odds /= odds.sum(axis=1, keepdims=True)
    return sparse.csr_array(np.array([random.multinomial(per_word, row) for row in odds]).astype(float))


def planted_model(seed=0):
    """What a perfect fit would look like."""
    random = np.random.default_rng(seed)
    maps = 0.3 * random.normal(size=(N_SUBJECTS, N, 2))
    mixing = np.full((N_SUBJECTS, N), 0.01)
    for i, subjects in enumerate(SUBJECTS):
        mixing[subjects, i] = 1.0 - 0.1 * np.arange(len(subjects))
    mixing /= mixing.sum(axis=0)
    P = ns.affinities.from_counts(planted_counts(seed))
    return SimpleNamespace(maps_=maps, mixing_=mixing, affinities_=P, _kernel="gaussian")


def planted_data(seed=0):
    """Counts beside profiles of words that are not mapped, ten for each subject."""
    random = np.random.default_rng(seed + 1)
    outside = random.poisson(0.2, (N, 10 * N_SUBJECTS)).astype(float)
    for i, subjects in enumerate(SUBJECTS):
        for c in subjects:
            outside[i, 10 * c : 10 * c + 10] += random.poisson(2.0, 10)
    return SimpleNamespace(
        names=np.array(NAMES), counts=planted_counts(seed), outside=sparse.csr_array(outside), P=None
    )
