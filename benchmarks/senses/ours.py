"""Readings of aspect maps: each is a function of norms, fits and words, and returns a dict from word to Answer."""

import numpy as np

import notebook_sne as ns
from benchmarks.senses.scores import Answer

__all__ = ["company", "components", "consensus", "copies"]


def copies(norms, fits, words):
    """Return the copies of words in a single fit, by `senses.read`: the own associates among the ten nearest of each.

    A word is as sure of a second sense as its second proportion is large.
    """
    (fit,) = fits
    reading = ns.senses.read(fit, norms.data)
    second = np.sort(fit.mixing_, axis=0)[-2]
    return {i: Answer(_senses(norms, reading, i), float(second[i])) for i in words}


def components(norms, fits, words):
    """Return the senses of words in a single fit, by `Reading.of`: the associates that each component explains.

    A word is as sure of a second sense as the share of its ties is large that the second component explains.
    """
    (fit,) = fits
    reading = ns.senses.read(fit, norms.data)
    answers = {}
    for i in words:
        rows = reading.of(i)
        rows = rows[rows.kind == "associate"]
        strengths = dict(zip(*(array.tolist() for array in norms.associates(i)), strict=True))
        numbers = [norms.find(name) for name in rows.neighbor]
        senses = [
            [number for number, of in zip(numbers, rows.sense, strict=True) if of == sense]
            for sense in rows.sense.unique()
        ]
        senses = tuple((own, [strengths[j] for j in own]) for own in senses)
        shares = sorted(rows.drop_duplicates("sense")["share"], reverse=True)
        answers[i] = Answer(senses, float(shares[1]) if len(shares) > 1 else 0.0)
    return answers


def consensus(norms, fits, words):
    """Return the senses of words over several fits, by `senses.consensus`."""
    found = ns.senses.consensus(fits, norms.data)
    return {i: _grouped(found.senses(i)) for i in words}


def company(norms, _, words):
    """Return the senses of words by the company of their associates alone, by `senses.groups`."""
    found = ns.senses.groups(norms.data)
    return {i: _grouped(found.senses(i)) for i in words}


def _grouped(senses):
    groups = [(senses.associates[group], senses.shares[group]) for group in senses.groups]
    return Answer(tuple(groups), senses.second)


def _senses(norms, reading, i):
    strengths = dict(zip(*(array.tolist() for array in norms.associates(i)), strict=True))
    senses = []
    for neighbors in reading.neighbors[reading.word == i]:
        own = sorted((j for j in neighbors.tolist() if j in strengths), key=lambda j: -strengths[j])
        senses.append((own, [strengths[j] for j in own]))
    return tuple(senses)
