"""Readings of aspect maps: each is a function of norms, fits and words, and returns a dict from word to Answer."""

import numpy as np

import notebook_sne as ns
from benchmarks.senses.scores import Answer

__all__ = ["copies"]


def copies(norms, fits, words):
    """Return the copies of words in a single fit, by `senses.read`: the own associates among the ten nearest of each.

    A word is as sure of a second sense as its second proportion is large.
    """
    (fit,) = fits
    reading = ns.senses.read(fit, norms.data)
    second = np.sort(fit.mixing_, axis=0)[-2]
    return {i: Answer(_senses(norms, reading, i), float(second[i])) for i in words}


def _senses(norms, reading, i):
    strengths = dict(zip(*(array.tolist() for array in norms.associates(i)), strict=True))
    senses = []
    for neighbors in reading.neighbors[reading.word == i]:
        own = sorted((j for j in neighbors.tolist() if j in strengths), key=lambda j: -strengths[j])
        senses.append((own, [strengths[j] for j in own]))
    return tuple(senses)
