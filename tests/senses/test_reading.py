import warnings
from types import SimpleNamespace

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.senses.mixture import Mixture, first_of, mixture_of
from tests.objects.test_repr_html import NASTY, Parts
from tests.senses.planted import HOMONYMS, N_PLAIN, N_SUBJECTS, NAMES, SUBJECTS, N, planted_counts, planted_model
from tests.tables import in_one_test


@pytest.fixture(scope="module")
def reading():
    return ns.senses.read(planted_model(), NAMES, planted_counts(), n_neighbors=5)


def slow_strength(model):
    """s_ij^m, shape (M, N, N), with the kernel of the model."""
    D = ((model.maps_[:, :, None] - model.maps_[:, None]) ** 2).sum(axis=3)
    K = np.exp(-D) if model._kernel == "gaussian" else 1 / (1 + D)
    S = model.mixing_[:, :, None] * model.mixing_[:, None] * K
    S[:, np.arange(N), np.arange(N)] = 0
    return S


def test_a_homonym_has_its_two_copies_among_the_words_of_its_subjects(reading):
    for k, subjects in enumerate(HOMONYMS):
        copies = reading.copies(NAMES[N_SUBJECTS * N_PLAIN + k])
        assert set(copies["map"]) == set(subjects)
        for m, part in copies.groupby("map"):
            assert all(m in SUBJECTS[NAMES.index(word)] for word in part["neighbor"])
    assert set(reading.copies("a0")["map"]) == {0}


@pytest.mark.parametrize("kernel", ["gaussian", "student"])
def test_strength_and_share_are_those_of_the_formula(kernel):
    model = planted_model()
    model._kernel = kernel
    S = slow_strength(model)
    copies = ns.senses.read(model, NAMES, planted_counts(), n_neighbors=7).copies("AORB")
    i = NAMES.index("aorb")
    for row in copies.itertuples():
        j = NAMES.index(row.neighbor)
        assert row.strength == pytest.approx(S[row.map, i, j])
        assert row.share == pytest.approx(S[row.map, i, j] / S[:, i].sum())
        assert row.neighbor_proportion == model.mixing_[row.map, j]
    for m, part in copies.groupby("map"):
        assert [NAMES.index(word) for word in part["neighbor"]] == list(np.argsort(-S[m, i], kind="stable")[:7])
        assert list(part["rank"]) == list(range(1, 8))


def test_given_and_giving_are_the_two_directions(reading):
    counts = planted_counts().toarray()
    copies = reading.copies("aorb")
    i = NAMES.index("aorb")
    for row in copies.itertuples():
        j = NAMES.index(row.neighbor)
        assert (row.given, row.giving) == (counts[i, j], counts[j, i])
    assert ns.senses.read(planted_model(), NAMES).copies("aorb")["given"].isna().all()


def test_the_table_has_every_copy_of_every_word(reading):
    table = reading.table(n=3)
    assert len(table) == N_SUBJECTS * N_PLAIN + 2 * len(HOMONYMS)
    assert set(table["word"]) == set(NAMES)
    assert list(table[table["word"] == "aorb"]["n_maps"]) == [2, 2]
    assert table["neighbors"].str.count(",").eq(2).all()


def test_titles_name_words_of_the_map(reading):
    titles = reading.titles(n=2)
    assert list(titles["map"]) == list(range(N_SUBJECTS))
    for row in titles.itertuples():
        assert all(row.map in SUBJECTS[NAMES.index(word)] for word in row.title.split(", "))
    assert titles["mass"].sum() == pytest.approx(N)


def test_unexplained_associations_sum_to_the_cost_of_a_word(reading):
    model = planted_model()
    Q = slow_strength(model).sum(axis=0)
    Q /= Q.sum(axis=1, keepdims=True)
    P = model.affinities_.toarray()
    i = NAMES.index("b1")
    expected = P[i] * np.log(np.where(P[i] > 0, P[i] / np.where(P[i] > 0, Q[i], 1), 1))
    found = reading.unexplained("b1", n=N)
    assert found["nats"].sum() == pytest.approx(expected.sum())
    assert found["nats"].is_monotonic_decreasing
    everything = reading.unexplained(n=10**6)
    assert len(everything) == model.affinities_.nnz


def test_an_association_between_two_subjects_is_unexplained():
    model = planted_model()
    P = model.affinities_.toarray()
    P[NAMES.index("a0")] /= 2
    P[NAMES.index("a0"), NAMES.index("d0")] += 0.5
    model.affinities_ = P
    worst = ns.senses.read(model, NAMES).unexplained(n=1).iloc[0]
    assert (worst["word"], worst["response"]) == ("a0", "d0")
    assert worst["nats"] == pytest.approx(worst["p"] * np.log(worst["p"] / worst["q"]))


def test_tails_that_underflow_are_distinguished():
    maps = np.zeros((1, 4, 1))
    maps[0, :, 0] = 0, 1, 40, 45
    reading = ns.senses.read(SimpleNamespace(embedding_=maps[0]), list("abcd"), n_neighbors=3)
    assert list(reading.copies("a")["neighbor"]) == ["b", "c", "d"]
    log_q, best = reading.mixture.log_q(np.array([0, 0]), np.array([2, 3]), reading.mixture.log_z()[[0, 0]])
    np.testing.assert_allclose(log_q, [-1600 + 1, -2025 + 1])
    np.testing.assert_array_equal(best, 0)


def test_no_word_is_its_own_neighbor_where_all_others_have_left():
    mixing = np.array([[1.0, 0, 0, 0.5], [0, 1, 1, 0.5]])
    reading = ns.senses.read(SimpleNamespace(maps_=np.zeros((2, 4, 2)), mixing_=mixing), list("abcd"))
    assert reading.n_neighbors == 3
    assert all(word not in row for word, row in zip(reading.word, reading.neighbors, strict=True))


def test_blocks_of_q_are_exact(monkeypatch):
    model = planted_model()
    Q = slow_strength(model).sum(axis=0)
    monkeypatch.setattr("notebook_sne.senses.mixture._CHUNK", 3 * N)
    mixture = mixture_of(model)
    found = np.vstack([mixture.q(rows)[0] for rows in mixture.blocks()])
    np.testing.assert_allclose(found, Q / Q.sum(axis=1, keepdims=True), rtol=1e-12)
    np.testing.assert_allclose(mixture.log_z(), np.log(Q.sum(axis=1)))


@pytest.mark.parametrize("levels", [2, 1000])
def test_first_of_agrees_with_a_stable_sort(levels):
    A = np.random.default_rng(0).integers(0, levels, (30, 200)).astype(float)
    np.testing.assert_array_equal(first_of(A, 6), np.argsort(-A, axis=1, kind="stable")[:, :6])


def test_a_word_below_the_threshold_everywhere_keeps_its_first_map():
    model = planted_model()
    model.mixing_ = np.full((N_SUBJECTS, N), 1 / N_SUBJECTS)
    reading = ns.senses.read(model, NAMES, threshold=0.5)
    assert len(reading.table()) == N
    assert (reading.table()["n_maps"] == 0).all()


def test_a_joint_affinity_is_read_as_conditional():
    model = planted_model()
    expected = ns.senses.read(model, NAMES).P
    model.affinities_ = model.affinities_ / N
    np.testing.assert_allclose(ns.senses.read(model, NAMES).P.toarray(), expected.toarray())


def test_words_are_found_in_any_case_and_others_are_offered(reading):
    assert reading.find("AORB") == reading.find("aorb") == NAMES.index("aorb") == reading.find(NAMES.index("aorb"))
    with pytest.raises(ValueError, match=r"one of the 38 words, got 'aorx'; did you mean .*aorb"):
        reading.copies("aorx")
    names = ["May", "may", *NAMES[2:]]
    both = ns.senses.read(planted_model(), names)
    assert (both.find("May"), both.find("may")) == (0, 1)
    with pytest.raises(ValueError, match="got 'MAY'; say which: May, may"):
        both.find("MAY")


@in_one_test(
    ("call", "message"),
    [
        (lambda m: ns.senses.read(ns.SNE(), NAMES), "model must be fitted, got a SNE without maps_; call fit first"),
        (lambda m: ns.senses.read(m, NAMES[1:]), "names must hold one entry for each of the 38 objects, got 37"),
        (lambda m: ns.senses.read(m, [*NAMES[1:], "a1"]), "names must differ, got 'a1' for objects 0 and 37"),
        (lambda m: ns.senses.read(m, NAMES, np.ones((3, 3))), r"counts must have shape \(N, N\) = \(38, 38\)"),
        (lambda m: ns.senses.read(m, NAMES, threshold=0), "threshold must satisfy 0 < threshold < 1"),
        (lambda m: ns.senses.read(m, NAMES, n_neighbors=0), "n_neighbors must be at least 1, got 0"),
        (lambda m: ns.senses.read(m.maps_, NAMES), r"mixing must be given for 4 maps, shape \(M, N\) = \(4, 38\)"),
        (lambda m: mixture_of(m.maps_, 2 * m.mixing_), "those of object 0 sum to 2 .38 such objects.; divide"),
        (lambda m: mixture_of(m.maps_ * np.nan, m.mixing_), "map points of model must be finite"),
        (lambda m: mixture_of(np.zeros(3)), r"shape \(M, N, d\) or \(N, d\), got shape \(3,\)"),
        (lambda m: mixture_of(np.zeros((3, 2)), kernel="cauchy"), "kernel must be one of 'gaussian', 'student'"),
        (lambda m: ns.senses.read(SimpleNamespace(embedding_=m.maps_[0]), NAMES).unexplained(), "has one; give counts"),
        (lambda m: Mixture(m.maps_[:1], np.eye(1, N)).q([0]), "connected to another one in some map, but object 0"),
    ],
)
def test_errors_name_the_argument_and_the_rule(call, message):
    with pytest.raises(ValueError, match=message), warnings.catch_warnings():
        warnings.simplefilter("error")
        call(planted_model())
    with pytest.raises(TypeError, match="names must be a sequence of words"):
        ns.senses.read(planted_model(), None)


def test_by_its_bare_name_it_is_a_table_of_the_first_copies(reading):
    parts, table = Parts(reading._repr_html_()), reading.table(3)
    assert parts.elements.count("tr") == 11 and repr(reading) in parts.texts
    assert parts.texts[1 : 1 + table.shape[1]] == list(table.columns) and table["neighbors"][9] in parts.texts
    assert f"10 of {len(table)} rows" in parts.texts[-1]


def test_words_of_others_are_texts_by_its_bare_name():
    names = [f"{name}{NASTY}" for name in NAMES]
    parts = Parts(ns.senses.read(planted_model(), names, planted_counts())._repr_html_())
    assert not {"script", "img"} & set(parts.elements)
