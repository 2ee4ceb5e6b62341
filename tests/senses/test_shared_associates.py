"""Company: how much two associates of a word share beside the word itself."""

import numpy as np
import pytest
from scipy import sparse

from notebook_sne.senses.shared_associates import FEW, LENT, MANY, OWN, Company, ties_of
from tests.senses.planted import HOMONYMS, N_PLAIN, N_SUBJECTS, SUBJECTS, N, planted_counts


def slow_overlap(P, i, asked=None):
    """Return the overlaps of the associates of a word, pair by pair, as the docstring says."""
    P = np.asarray(P, dtype=float)
    P = P if asked is None else P * (asked / (asked + FEW))[:, None]
    s = P + P.T
    np.fill_diagonal(s, 0.0)
    sums, words = s.sum(axis=1), np.flatnonzero(s[i])
    with np.errstate(divide="ignore"):
        every = np.maximum(0.0, np.log(s * sums.sum() / np.outer(sums, sums)))
    every[:, i] = 0.0
    vectors = every[words]
    for row, j in enumerate(words):
        total = vectors[row].sum()
        vectors[row, j] = total * OWN / (1 - OWN) if total > 0 else 1.0
        if asked is not None:
            lent = s[j].copy()
            lent[i] = 0.0
            vectors[row] += max(LENT / asked[j] - LENT / MANY, 0.0) * (lent / sums[j]) @ every
    return np.array([[a @ b / np.sqrt(a @ a * (b @ b)) for b in vectors] for a in vectors])


@pytest.fixture(scope="module")
def P():
    counts = planted_counts()
    return sparse.csr_array(counts / counts.sum(axis=1)[:, None])


def test_the_overlap_is_that_of_the_plain_sums(P):
    company = Company(P)
    for i in (0, N - 1):
        np.testing.assert_allclose(company.overlap(i), slow_overlap(P.toarray(), i), atol=1e-12)


def test_of_few_answers_an_associate_has_also_the_company_of_its_own(P):
    asked = np.random.default_rng(0).uniform(2, 120, N)
    company = Company(P, asked)
    for i in (0, N - 1):
        np.testing.assert_allclose(company.overlap(i), slow_overlap(P.toarray(), i, asked), atol=1e-12)


def test_associates_are_tied_in_either_direction_and_their_shares_sum_to_one():
    P = np.array([[0, 1.0, 0, 0], [0.5, 0, 0.5, 0], [0, 0, 0, 1.0], [1.0, 0, 0, 0]])
    words, shares = Company(P).associates(0)
    assert words.tolist() == [1, 3]
    np.testing.assert_allclose(shares, [1.5 / 2.5, 1.0 / 2.5])
    assert Company(P).mean_associates == 2.0
    assert ties_of(P + np.eye(4)).diagonal().max() == 0.0


def test_associates_of_one_subject_share_more_than_those_of_two(P):
    company = Company(P)
    for h, (a, _) in enumerate(HOMONYMS):
        i = N_SUBJECTS * N_PLAIN + h
        words, _ = company.associates(i)
        first = np.array([SUBJECTS[j] == [a] for j in words])
        plain = np.array([len(SUBJECTS[j]) == 1 for j in words])
        overlap = company.overlap(i)
        off = ~np.eye(len(words), dtype=bool)
        within = overlap[np.outer(first & plain, first & plain) & off].mean()
        across = overlap[np.outer(first & plain, ~first & plain)].mean()
        assert within > 2 * across


def test_the_word_itself_is_left_out():
    # Two associates that have nothing in common but the word, and are not tied to each other.
    P = np.zeros((5, 5))
    P[0, [1, 2]] = 0.5
    P[1, [0, 3]] = P[2, [0, 4]] = 0.5
    P[3, 1] = P[4, 2] = 1.0
    assert Company(P).overlap(0)[0, 1] == 0.0


def test_an_associate_with_no_company_but_the_word_is_like_itself_alone():
    P = np.array([[0, 0.5, 0.5], [1.0, 0, 0], [1.0, 0, 0]])
    np.testing.assert_allclose(Company(P).overlap(0), np.eye(2))
