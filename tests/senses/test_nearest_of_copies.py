"""Who stands beside a copy: the same whether few words of a map are looked at or all."""

import numpy as np
import pytest

from notebook_sne.senses import nearest_of_copies as beside
from notebook_sne.senses.mixture import Mixture


def mixture_of_words(kernel, seed=0, N=400, M=4):
    rng = np.random.default_rng(seed)
    logits = 12.0 * rng.normal(size=(M, N))
    mixing = np.exp(logits - logits.max(axis=0))
    mixing[:, 7] = [1.0, 0.0, 0.0, 0.0]
    return Mixture(4 * rng.normal(size=(M, N, 2)), mixing / mixing.sum(axis=0), kernel)


@pytest.mark.parametrize(("kernel", "least"), [("gaussian", 1e-4), ("student", 0.1)])
def test_few_words_that_are_looked_at_are_the_neighbors_among_all(monkeypatch, kernel, least):
    mixture = mixture_of_words(kernel)
    maps, words = np.nonzero(mixture.mixing >= 0.05)
    full = beside.beside(mixture, words, maps, 8)
    looked = []
    look = beside._look
    monkeypatch.setattr(beside, "_look", lambda *given: (looked.append((len(given[3]), len(given[4]))), look(*given)))
    monkeypatch.setattr(beside, "_MANY", 10)
    monkeypatch.setattr(beside, "_LEAST", least)
    few = beside.beside(mixture, words, maps, 8)
    for ours, theirs in zip(few[:2], full[:2], strict=True):
        assert np.array_equal(ours, theirs)
    assert (few[2] <= full[2] * (1 + 1e-12)).all()
    assert few[2].sum() > 0.9 * full[2].sum()
    # Some copies need all words, and not all of them do.
    needed = sum(copies for copies, candidates in looked if candidates == mixture.n_objects)
    assert 0 < needed < 0.9 * len(words)


def test_a_map_with_hardly_anybody_looks_at_all_words(monkeypatch):
    monkeypatch.setattr(beside, "_MANY", 10)
    rng = np.random.default_rng(1)
    mixing = np.full((2, 30), 1e-6)
    mixing[1] = 1 - 1e-6
    mixing[:, 0] = 0.5
    mixture = Mixture(rng.normal(size=(2, 30, 2)), mixing)
    neighbors, log_strength, _ = beside.beside(mixture, np.array([0]), np.array([0]), 5)
    L = mixture.log_strength(0, [0])[0]
    assert neighbors[0].tolist() == np.argsort(-L)[:5].tolist()
    assert np.array_equal(log_strength[0], np.sort(L)[::-1][:5])
