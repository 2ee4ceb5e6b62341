"""The senses of words over several fits, of planted words whose senses are known."""

from types import SimpleNamespace

import numpy as np
import pytest

import notebook_sne as ns
from tests.objects.test_repr_html import Parts
from tests.senses.planted import HOMONYMS, N_PLAIN, N_SUBJECTS, NAMES, SUBJECTS, N, planted_counts, planted_model


def fit(seed, associations=0):
    """What another perfect fit to the same associations would look like."""
    model, same = planted_model(seed), planted_model(associations)
    return SimpleNamespace(**{**vars(model), "affinities_": same.affinities_})


def blind(model):
    """A fit in which no homonym has found its second map, and all maps lie on top of each other."""
    mixing = np.full_like(model.mixing_, 1e-9)
    mixing[0] = 1.0
    mixing /= mixing.sum(axis=0)
    return SimpleNamespace(maps_=model.maps_, mixing_=mixing, affinities_=model.affinities_, _kernel="gaussian")


@pytest.fixture(scope="module")
def found():
    return ns.senses.consensus([fit(seed) for seed in range(3)], NAMES, planted_counts())


def subject_of(table, sense):
    """Return the subject of most of the associates of a sense, which are more than seven in ten of them."""
    names = table.associate[table.sense == sense]
    subjects = [SUBJECTS[NAMES.index(name)][0] for name in names if len(SUBJECTS[NAMES.index(name)]) == 1]
    counts = np.bincount(subjects, minlength=N_SUBJECTS)
    assert counts.max() > 0.7 * counts.sum() and counts.max() >= N_PLAIN - 1
    return int(counts.argmax())


@pytest.mark.parametrize("h", range(len(HOMONYMS)))
def test_each_homonym_has_its_two_subjects_as_senses(found, h):
    table = found.of(NAMES[N_SUBJECTS * N_PLAIN + h])
    assert {subject_of(table, sense) for sense in (1, 2)} == set(HOMONYMS[h])
    assert set(table.sense) <= {0, 1, 2}
    assert (table[table.sense > 0].seen == 1.0).all()


def test_homonyms_are_surer_of_a_second_sense_than_words_of_one_subject(found):
    table = found.table().set_index("word")
    homonyms, plain = table.certainty[NAMES[-6:]], table.certainty[NAMES[:-6]]
    assert homonyms.min() > plain.quantile(0.9)
    assert (table.n_senses[NAMES[-6:]] == 2).all()


def test_shares_and_ranks_and_counts_of_a_word(found):
    word = NAMES[-1]
    table, counts, i = found.of(word), planted_counts(), N - 1
    words, shares = found.company.associates(i)
    assert sorted(table.associate) == sorted(NAMES[j] for j in words)  # each associate once
    assert table.drop_duplicates("sense").share.sum() == pytest.approx(1.0)
    for _, part in table.groupby("sense"):
        assert part["rank"].tolist() == list(range(1, len(part) + 1))
        of = [shares[list(words).index(NAMES.index(name))] for name in part.associate]
        assert of == sorted(of, reverse=True)
    for _, row in table.iterrows():
        j = NAMES.index(row.associate)
        assert (row.given, row.giving) == (counts[i, j], counts[j, i])
    belongs = found.senses(word).belongs
    np.testing.assert_allclose(belongs.sum(axis=1), 1.0)


def test_a_fit_that_shows_nothing_has_not_seen_the_second_sense(found):
    word = NAMES[-1]
    mixed = ns.senses.consensus([fit(0), fit(1), blind(fit(0))], NAMES)
    table = mixed.of(word)
    assert table[table.sense == 2].seen.iloc[0] == pytest.approx(2 / 3)
    assert table.given.isna().all()
    places = mixed.places(word)
    assert set(places.fit[places.sense == 2]) == {0, 1}
    assert mixed.table().set_index("word").seen[word] == pytest.approx(2 / 3)


def test_places_are_the_maps_of_the_subjects(found):
    a, b = HOMONYMS[0]
    places = found.places(NAMES[N_SUBJECTS * N_PLAIN])
    assert set(places["map"]) == {a, b}
    assert (places.agreement >= 0.5).all() and (places.proportion > 0.3).all()
    assert len(places) == 2 * found.n_fits


def test_what_one_fit_alone_shows_is_told_apart():
    model = fit(0)
    # Another fit tears a subject into two maps.
    torn = fit(1)
    maps = np.concatenate([torn.maps_, torn.maps_[:1]])
    mixing = np.concatenate([torn.mixing_, torn.mixing_[:1] * 0.0 + 1e-9])
    half = [k for k in range(N_PLAIN) if k % 2]
    mixing[4, half], mixing[0, half] = mixing[0, half], 1e-9
    mixing /= mixing.sum(axis=0)
    torn = SimpleNamespace(maps_=maps, mixing_=mixing, affinities_=model.affinities_, _kernel="gaussian")
    alone = ns.senses.consensus([model, fit(2), torn], NAMES)
    both = ns.senses.consensus([model, torn, torn], NAMES)
    once = [alone.once(word) for word in NAMES]
    assert sum(len(table) for table in once) > 0
    assert all((table.fit == 2).all() for table in once)
    # Seen by two fits, it is not "once".
    assert sum(len(both.once(word)) for word in NAMES) == 0


def test_a_consensus_knows_senses_alike_word_by_word_and_all_at_once(found):
    again = ns.senses.consensus([fit(seed) for seed in range(3)], NAMES)
    again.table()
    for word in NAMES[::7]:
        np.testing.assert_array_equal(again.senses(word).belongs, found.senses(word).belongs)
        np.testing.assert_array_equal(again.senses(word).overlap, found.senses(word).overlap)


def test_fits_of_other_words_or_another_P_are_refused():
    with pytest.raises(ValueError, match="at least one fitted model"):
        ns.senses.consensus([], NAMES)
    with pytest.raises(ValueError, match="fit 1 is of another"):
        ns.senses.consensus([fit(0), planted_model(1)], NAMES)
    others = ns.senses.read(fit(0), [name.upper() for name in NAMES])
    with pytest.raises(ValueError, match="fit 1 has others"):
        ns.senses.consensus([ns.senses.read(fit(0), NAMES), others], NAMES)
    with pytest.raises(ValueError, match="least"):
        ns.senses.consensus([fit(0)], NAMES, least=0.0)
    bare = SimpleNamespace(maps_=fit(0).maps_, mixing_=fit(0).mixing_, _kernel="gaussian")
    with pytest.raises(ValueError, match="give counts"):
        ns.senses.consensus([bare], NAMES)


def test_one_fit_need_not_be_in_a_list():
    found = ns.senses.consensus(fit(0), NAMES)
    assert found.n_fits == 1 and "1 fit)" in repr(found)


# ---- one fit: the reading ----


def test_a_reading_leads_with_the_associates_that_each_place_explains():
    reading = ns.senses.read(planted_model(), NAMES, planted_counts(), n_neighbors=7)
    for h, (a, b) in enumerate(HOMONYMS):
        table = reading.of(NAMES[N_SUBJECTS * N_PLAIN + h])
        own = table[table.kind == "associate"]
        for m in (a, b):
            names = own.neighbor[own["map"] == m]
            plain = [SUBJECTS[NAMES.index(name)] for name in names if len(SUBJECTS[NAMES.index(name)]) == 1]
            assert plain.count([m]) >= N_PLAIN - 1 and plain.count([m]) > 0.7 * len(plain)
        assert (own.explained >= 0.3).all() and (own.given + own.giving > 0).all()
        assert own.drop_duplicates("sense").share.is_monotonic_decreasing


def test_company_is_tied_to_associates_and_strangers_are_not():
    counts = planted_counts().tolil()
    counts[0, 1:] = 0
    counts[1:, 0] = 0
    counts[0, 1] = counts[1, 0] = 50  # a0 is tied to a1 alone
    model = planted_model()
    model.affinities_ = ns.affinities.from_counts(counts.tocsr())
    reading = ns.senses.read(model, NAMES, n_neighbors=12)
    table = reading.of("a0")
    assert table.neighbor[table.kind == "associate"].tolist() == ["a1"]
    ties = model.affinities_ + model.affinities_.T
    for kind, tied in (("company", True), ("stranger", False)):
        names = table.neighbor[table.kind == kind]
        assert len(names) and all((ties[NAMES.index(name), 1] > 0) == tied for name in names)
    assert table.explained[table.kind != "associate"].isna().all()


def test_associates_that_no_place_explains_come_last():
    model = planted_model()
    counts = planted_counts().tolil()
    counts[0, N_PLAIN] = 40  # a0 evokes b0, and nothing else of b
    model.affinities_ = ns.affinities.from_counts(counts.tocsr())
    model.mixing_[1, N_PLAIN] = 1e-12  # whose place no map tells
    model.mixing_[3, N_PLAIN] = 1.0
    model.maps_[3, N_PLAIN] = 50.0
    model.mixing_ /= model.mixing_.sum(axis=0)
    table = ns.senses.read(model, NAMES).of("a0")
    assert "b0" in table.neighbor[table.kind.isin(["other", "associate"])].tolist()
    assert (table[table.kind == "other"].sense == 0).all()
    assert table.kind.iloc[-1] == "other" or "other" not in set(table.kind)


def test_a_reading_without_P_tells_copies_only():
    bare = planted_model()
    del bare.affinities_
    reading = ns.senses.read(bare, NAMES)
    assert len(reading.copies("a0")) > 0
    with pytest.raises(ValueError, match="give counts"):
        reading.of("a0")


def test_by_its_bare_name_it_is_a_table_of_the_first_words(found):
    parts, table = Parts(found._repr_html_()), found.table()
    assert parts.elements.count("tr") == 11 and parts.elements.count("caption") == 1
    assert list(table.columns) == parts.texts[1 : 1 + table.shape[1]]
    assert parts.texts[1 + table.shape[1]] == found.names[0] and table["senses"][0] in parts.texts
    assert parts.texts[-1] == f"10 of {len(found.names)} rows; table() has all words, of(word) the senses of one"
