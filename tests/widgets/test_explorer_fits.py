"""The explorer of several fits: which maps travel, the senses, the columns of the table, the reader's notes."""

import itertools
import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import traitlets
from scipy import sparse

import notebook_sne as ns
from notebook_sne.browser.widgets.explore import explore
from notebook_sne.browser.widgets.explorer_maps import pack_maps
from notebook_sne.browser.widgets.explorer_senses import MOST_ASSOCIATES, ONCE, SENSE
from tests.widgets.test_explorer_page import data_of

GROUPS = ["TRASH GARBAGE WASTE DUMP", "BOTTLE BEER GLASS WINE", "TEAM GAME SCORE COACH"]
NAMES = ["CAN", *(word for group in GROUPS for word in group.split()), "half \ud83d"]
N, M = len(NAMES), 3


def counts():
    """CAN goes with the first two groups; the words of a group with one another."""
    C = np.zeros((N, N))
    for g in range(3):
        members = np.arange(1 + 4 * g, 5 + 4 * g)
        C[np.ix_(members, members)] = 5 + np.arange(4)
        if g < 2:
            C[0, members], C[members, 0] = 9 - np.arange(4), 3
    C[N - 1, 9] = 2
    np.fill_diagonal(C, 0)
    return sparse.csr_array(C)


def fit(cost=1.0, seed=0, missed=False):
    """A map for each group, and CAN in the first two; or, if the second one is missed, in the first."""
    rng = np.random.default_rng(seed)
    maps, mixing = rng.normal(0, 4, (M, N, 2)), np.full((M, N), 0.01)
    for g in range(3):
        maps[g, 1 + 4 * g : 5 + 4 * g] = rng.normal(0, 0.3, (4, 2))
        mixing[g, 1 + 4 * g : 5 + 4 * g] = 1
    maps[:2, 0] = 0.1
    mixing[:, 0] = [0.98, 0.001, 0.019] if missed else [0.6, 0.39, 0.01]
    return SimpleNamespace(maps_=maps, mixing_=mixing / mixing.sum(axis=0), cost_=cost, affinities_=counts())


def fits(*costs):
    return [fit(cost, seed) for seed, cost in enumerate(costs)]


def explored(**more):
    return explore([fit(3.0), fit(2.0, 1, missed=True)], NAMES, counts=counts(), **more)


def test_the_maps_of_the_fit_with_the_lowest_cost_travel_whole():
    models = fits(3.0, 1.5, 2.0)
    models[2]._kernel = "student"
    explorer = explore(models, NAMES)
    assert (explorer.best, explorer.fit, explorer.cost) == (1, 1, 1.5)
    assert explorer.snapshot == pack_maps(models[1].maps_, models[1].mixing_)
    assert [one["cost"] for one in explorer.fits] == [3.0, 1.5, 2.0]
    assert [one["kernel"] for one in explorer.fits] == ["gaussian", "gaussian", "student"]


def test_of_other_fits_points_travel_that_have_a_proportion():
    models = fits(3.0, 2.0)
    models[0].mixing_[:, 0] = [0.999, 0.001, 0.0]
    numbers = np.frombuffer(explore(models, NAMES).other_maps, "<f4")
    k, n_maps, d, n = numbers[:4].astype(int)
    m, i = numbers[4 : 4 + n].astype(int), numbers[4 + n : 4 + 2 * n].astype(int)
    assert (k, n_maps, d) == (0, M, 2) and len(numbers) == 4 + n * (3 + d)
    assert m[i == 0].tolist() == [0]  # at least 0.05 / M, or it is left out
    assert n == (models[0].mixing_ >= 0.05 / M).sum()
    np.testing.assert_allclose(numbers[4 + 2 * n : 4 + 3 * n], models[0].mixing_[m, i], rtol=1e-6)
    centered = models[0].maps_ - models[0].maps_.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(numbers[4 + 3 * n :].reshape(n, d), centered[m, i], atol=1e-6)


def unpacked(packed):
    """The senses of each word, as frontend/explorer/senses.js reads them."""
    numbers = np.frombuffer(packed, "<f4")
    n_words, n_senses, n_associates, n_places, d = numbers[:5].astype(int)
    sizes = [5, n_words + 1, *[n_senses] * 5, *[n_senses + 1] * 2, *[n_associates] * 5, *[n_places] * 5, n_places * d]
    cut = np.cumsum(sizes)
    assert cut[-1] == len(numbers)
    columns = (numbers[a:b] for a, b in itertools.pairwise(cut))
    first, kind, share, seen, certainty, of_word, begins, places, *rest, at = columns
    words, belongs, explained, given, giving, *where = rest
    at = at.reshape(n_places, d)

    def sense(s):
        own, here = (slice(*of[s : s + 2].astype(int)) for of in (begins, places))
        told = dict(zip(words[own].astype(int), belongs[own], strict=True))
        parts = explained[own].tolist()
        spots = [(*(column[k] for column in where), at[k]) for k in range(here.start, here.stop)]
        return SimpleNamespace(
            kind=int(kind[s]), share=share[s], seen=seen[s], certainty=certainty[s], given=of_word[s],
            associates=told, parts=parts, places=spots,
            answers=list(zip(given[own].tolist(), giving[own].tolist(), strict=True)),
        )  # fmt: skip

    return [[sense(s) for s in range(int(a), int(b))] for a, b in itertools.pairwise(first)]


def checked_senses(models):
    """Return the senses that travel, once each is what `consensus` tells."""
    agreed = ns.senses.consensus(models, NAMES, counts())
    explorer = explore(models, NAMES, counts=counts())
    words = unpacked(explorer.senses)
    assert len(words) == N
    assert list(columns_of(explorer)) == ["senses", "certainty", "second", "seen"]
    for i, name in enumerate(NAMES):
        of, places, once = agreed.of(name), agreed.places(name), agreed.once(name)
        senses = [sense for sense in words[i] if sense.kind == SENSE]
        assert len(senses) == of["sense"].max() and len(words[i]) - len(senses) == len(once)
        for number, sense in enumerate(senses, 1):
            rows, spots = of[of["sense"] == number], places[places["sense"] == number]
            assert [NAMES[j] for j in sense.associates] == rows["associate"].tolist()
            np.testing.assert_allclose(list(sense.associates.values()), rows["belongs"], rtol=1e-6)
            np.testing.assert_allclose(sense.parts, rows["explained"], rtol=1e-6)
            assert sense.given == rows["given"].sum()
            facts = [sense.share, sense.seen, sense.certainty]
            np.testing.assert_allclose(facts, rows[["share", "seen", "certainty"]].iloc[0].tolist(), rtol=1e-6)
            told = np.reshape([spot[:5] for spot in sense.places], (-1, 5))
            where = spots[["fit", "map", "proportion", "share", "seen"]].astype(float)
            np.testing.assert_allclose(told, where, rtol=1e-6)
            assert sense.answers == [*zip(rows["given"], rows["giving"], strict=True)]
    return words


def test_senses_travel_as_consensus_tells_them_also_of_one_fit():
    assert sorted(int(sense.places[0][1]) for sense in checked_senses(fit())[0]) == [0, 1]
    models = [fit(3.0), fit(2.0, 1, missed=True)]
    words = checked_senses(models)
    first, second = words[0][:2]
    assert {NAMES[j] for j in first.associates} == set(GROUPS[0].split())
    assert {NAMES[j] for j in second.associates} == set(GROUPS[1].split())
    for sense, m, seen in ((first, 0, [1, 1]), (second, 1, [1, 0])):  # its company is also where the word is missing
        assert [int(spot[1]) for spot in sense.places] == [m, m]
        assert [int(spot[4]) for spot in sense.places] == seen and sense.seen == np.mean(seen)
        for k, (*_, at) in enumerate(sense.places):
            near = models[k].maps_[m, 1 + 4 * m : 5 + 4 * m].mean(axis=0) - models[k].maps_[m].mean(axis=0)
            assert np.linalg.norm(at - near) < 0.5


def test_what_one_fit_alone_shows_travels_apart():
    models = [fit(3.0), fit(2.0, 1)]
    odd = [1, 5, 9]  # one word of each group, together in a map of the second fit
    models[1].maps_[2, odd] = 9 + np.random.default_rng(0).normal(0, 0.1, (3, 2))
    models[1].mixing_[:, odd] = [[0.005], [0.005], [0.99]]
    agreed = ns.senses.consensus(models, NAMES, counts())
    assert sum(len(agreed.once(name)) for name in NAMES) > 0  # or nothing is tested here
    for i, name in enumerate(NAMES):
        once = agreed.once(name)
        found = [sense for sense in unpacked(explore(models, NAMES, senses=agreed).senses)[i] if sense.kind == ONCE]
        assert [(int(sense.places[0][0]), int(sense.places[0][1])) for sense in found] == [
            *zip(once["fit"], once["map"], strict=True)
        ]
        assert [", ".join(NAMES[j] for j in sense.associates) for sense in found] == once["associates"].tolist()
        assert all(sense.seen == 0.5 for sense in found)


def test_a_state_is_explored_as_the_fit_that_it_is_of():
    model = ns.MultipleMapsTSNE(n_maps=3, max_iter=30, input="probabilities", random_state=0)
    few = ns.datasets.Dataset(title="few", P=ns.affinities.from_counts(counts()), counts=counts(), names=NAMES)
    model.fit(few.P)
    by_model, by_state = explore(model, few), explore([model.state_], few)
    assert by_model.kernel == by_state.kernel == "student"
    assert by_model.snapshot == by_state.snapshot
    assert by_state.fits[0]["model_name"] == "MultipleMapsTSNE" and by_state.cost == pytest.approx(model.cost_)


def test_associates_that_are_not_mapped_travel_by_name():
    table = pd.DataFrame(
        [(a, b, n) for a in "abcdef" for b, n in zip("bcdefa", [5, 4, 3, 2, 2, 1], strict=True) if a != b],
        columns=["cue", "response", "count"],
    )  # fmt: skip
    data = ns.datasets.associations(table, cue="cue", response="response", count="count", n_words=4)
    assert len(data) == 4 and len(data.whole) == 6
    rng = np.random.default_rng(0)
    model = SimpleNamespace(maps_=rng.normal(size=(2, 4, 2)), mixing_=np.full((2, 4), 0.5), affinities_=data.P)
    explorer = explore(model, data)
    told, words = ns.senses.consensus(model, data), unpacked(explorer.senses)
    assert set(explorer.others) == set(data.whole.names) - set(data.names)
    called = [*explorer.names, *explorer.others]
    for i, name in enumerate(data.names):
        listed = {called[j] for sense in words[i] for j in sense.associates}
        assert listed <= set(told.of(name).associate) and listed & set(explorer.others)
    assert explorer.made["norms"]["n_words"] == 4 and explorer.made["package"].startswith("notebook_sne ")


def test_without_counts_the_ties_of_P_tell_strangers_and_are_no_counts():
    told = explore(fit(), NAMES)
    C = counts()
    C.sort_indices()
    assert not told.counted and np.frombuffer(told.count_columns, "<i4").tolist() == C.indices.tolist()
    assert set(np.frombuffer(told.count_values, "<f4")) == {1.0}
    assert explore(fit(), NAMES, counts=C).counted
    bare = fit()
    del bare.affinities_
    assert not explore(bare, NAMES).count_values


def test_without_several_maps_or_associations_nothing_is_known_of_senses():
    model = fit()
    del model.affinities_
    assert not explore(model, NAMES).senses and explore(model, NAMES, counts=counts()).senses
    assert not explore(SimpleNamespace(embedding_=model.maps_[0], affinities_=counts()), NAMES).senses
    dense = SimpleNamespace(**vars(fit()) | {"affinities_": np.full((N, N), 1 / N)})
    assert not explore(dense, NAMES).senses  # all are neighbors of all: no associations


def test_of_a_sense_the_first_associates_travel():
    n = MOST_ASSOCIATES + 8
    C = np.ones((n, n)) - np.eye(n)
    mixing = np.tile([[0.9], [0.1]], (1, n))
    model = SimpleNamespace(maps_=np.zeros((2, n, 2)), mixing_=mixing)
    words = unpacked(explore(model, [str(i) for i in range(n)], counts=C).senses)
    assert max(len(sense.associates) for word in words for sense in word) == MOST_ASSOCIATES


def columns_of(explorer):
    values = np.frombuffer(explorer.column_values, "<f4").reshape(-1, N)
    return {column["name"]: value for column, value in zip(explorer.columns, values, strict=True)}


@pytest.mark.slow
def test_the_table_has_what_the_fits_agree_on_and_what_is_given():
    models = [fit(3.0), fit(2.0, 1, missed=True)]
    given = pd.DataFrame({"word": ["BEER", "CAN"], "note": ["x", "y"], "gain": [0.5, 0.25], "n": [4, 3]})
    columns = columns_of(explore(models, NAMES, counts=counts(), columns=given))
    assert list(columns) == ["senses", "certainty", "second", "seen", "gain", "n"]
    table = ns.senses.consensus(models, NAMES, counts=counts()).table()
    for name, told in (("senses", "n_senses"), ("certainty",) * 2, ("second",) * 2, ("seen",) * 2):
        np.testing.assert_allclose(columns[name], table[told], rtol=1e-6)
    assert columns["senses"][0] == 2 and columns["certainty"][0] > columns["certainty"][1:].max()
    assert columns["gain"][[0, NAMES.index("BEER")]].tolist() == [0.25, 0.5]
    assert np.isnan(columns["gain"]).sum() == N - 2
    assert all(column["text"] for column in explored().columns)
    assert list(columns_of(explore(fit(), NAMES, counts=counts(), columns=given))) == list(columns)
    assert "certainty" not in columns_of(explore(fit(), NAMES, columns=given)), "it is known of what was counted alone"
    own = pd.DataFrame({"word": ["CAT", "CAN"], "frequency": [1.0, 2.0]})  # of other words, too
    told = columns_of(explore(fit(), NAMES, columns=own))["frequency"]
    assert told[0] == 2 and np.isnan(told[1:]).all()
    beside = pd.DataFrame({"length": [len(name) for name in NAMES], "kind": ["x"] * N})
    data = ns.datasets.Dataset(title="words", counts=counts(), names=NAMES, columns=beside)
    assert columns_of(explore(fit(), data))["length"].tolist() == beside["length"].tolist()
    assert columns_of(explore(fit(), NAMES, columns=beside))["length"].tolist() == beside["length"].tolist()
    with pytest.raises(ValueError, match=rf"a row for each of the {N} words, got 2 rows; add the words"):
        explore(fit(), NAMES, columns=own.drop(columns="word"))
    with pytest.raises(TypeError, match="columns must be a DataFrame with a column word, or a row for each word"):
        explore(fit(), NAMES, columns=[1, 2])


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        (pd.DataFrame({"word": ["CAN", "CAN"], "gain": [1.0, 2.0]}), "one row a word, got several for 'CAN'"),
        (pd.DataFrame({"word": ["CAN"], "gain": ["a"]}), "columns must have a column of numbers besides word"),
    ],
)
def test_bad_columns_name_the_rule_and_the_way_out(columns, words):
    with pytest.raises(ValueError, match=words):
        explore(fit(), NAMES, columns=columns)


def test_fits_and_their_senses_must_belong_together():
    with pytest.raises(ValueError, match="got an empty list"):
        explore([], NAMES)
    with pytest.raises(ValueError, match=rf"fit 0 has {N} and fit 1 has 4; fit them to the same P"):
        explore([fit(), SimpleNamespace(maps_=np.zeros((1, 4, 2)))], NAMES)
    agreed = ns.senses.consensus(fits(1.0, 2.0), NAMES)
    with pytest.raises(ValueError, match=r"senses must be the Consensus of these 3 fits.*got one of 2 fits"):
        explore(fits(1.0, 2.0, 3.0), NAMES, senses=agreed)
    with pytest.raises(ValueError, match=r"senses must be the Consensus of these 1 fits.*got one of 2 fits"):
        explore([fit()], NAMES, senses=agreed)


def test_the_fit_drawn_and_the_word_beside_have_rules():
    explorer = explored(word="can")
    explorer.beside = "beer"
    explorer.fit = 0
    assert (explorer.word, explorer.beside, explorer.fit) == ("CAN", "BEER", 0)
    with pytest.raises(traitlets.TraitError, match="fit must be from 0 to 1, got 2"):
        explorer.fit = 2
    with pytest.raises(
        traitlets.TraitError, match=rf"beside must be one of the {N} words, got 'BEEER'; did you mean B"
    ):
        explorer.beside = "BEEER"
    explorer.beside = None
    assert explorer.beside is None


def test_the_still_picture_tells_that_its_maps_are_the_best_ones():
    assert "the best of 2 fits" in explored(word="CAN")._repr_mimebundle_()["text/plain"]
    assert "best of" not in explore(fit(), NAMES)._repr_mimebundle_()["text/plain"]


def test_notes_are_texts_of_words_and_travel_with_the_page(tmp_path):
    explorer, odd = explored(), NAMES[-1]
    hostile = "</script><img src=x onerror='window.hacked=1'>"
    explorer.notes = {"CAN": hostile, odd: "half \ud83d", "BEER": "  "}
    assert explorer.notes == {"CAN": hostile, odd: "half \ud83d"}  # an empty note is none
    sent = json.loads(json.dumps(explorer.get_state("notes")["notes"]))
    assert sent == {"CAN": hostile, "half \ufffd": "half \ufffd"}
    explorer.set_state({"notes": {"half \ufffd": "from the browser"}})
    assert explorer.notes == {odd: "from the browser"}
    explorer.notes = {"CAN": hostile}
    traits, packed, text = data_of(explorer.to_html(tmp_path / "words.html"))
    assert traits["notes"] == {"CAN": hostile} and "<img" not in text
    assert traits["fits"] == explorer.fits and traits["best"] == 1
    assert packed["senses"] == explorer.senses and packed["other_maps"] == explorer.other_maps
    for notes in ({"CAT": "x"}, {"CAN": 3}):
        with pytest.raises(traitlets.TraitError, match="notes must be a text for each word that has one"):
            explorer.notes = notes
