"""The explorer of several fits: which maps travel, the senses, the columns of the table, the reader's notes."""

import itertools
import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import traitlets

from notebook_sne.widgets.explorer import explore
from notebook_sne.widgets.explorer_maps import pack_maps
from notebook_sne.widgets.explorer_senses import MOST_ASSOCIATES
from tests.widgets.test_explorer_page import data_of

NAMES = ["CAN", "TRASH", "GARBAGE", "BOTTLE", "BEER", "half \ud83d"]
N = len(NAMES)


def fits(*costs, M=3):
    rng = np.random.default_rng(0)
    return [
        SimpleNamespace(maps_=rng.normal(size=(M, N, 2)), mixing_=rng.dirichlet(np.ones(M), N).T, cost_=cost)
        for cost in costs
    ]


class Agreed:
    """What `senses.consensus` returns, of two fits: CAN has two senses, the other words one."""

    names, n_fits = tuple(NAMES), 2

    def table(self):
        rows = [(name, 1, 0.125, 0.0, 0.0, "") for name in reversed(NAMES[1:])]
        columns = ["word", "n_senses", "certainty", "second", "seen", "senses"]
        return pd.DataFrame([*rows, ("CAN", 2, 0.75, 0.25, 0.5, "TRASH / BEER")], columns=columns)

    def of(self, word):
        columns = ["word", "sense", "share", "seen", "certainty", "rank", "associate", "belongs", "given", "giving"]
        rows = [(word, 1, 1.0, 1.0, 0.125, 1, "CAN", 0.5, 0, 0)]
        if word == "CAN":
            rows = [
                ("CAN", 1, 0.75, 1.0, 0.75, 1, "TRASH", 0.875, 3, 1),
                ("CAN", 1, 0.75, 1.0, 0.75, 2, "GARBAGE", 0.5, 0, 2),
                ("CAN", 2, 0.25, 0.5, 0.25, 1, NAMES[5], 0.25, 1, 0),
            ]
        return pd.DataFrame(rows, columns=columns)

    def places(self, word):
        rows = [(1, 0, 2, 0.5, 0.75), (1, 1, 0, 0.25, 0.75)]
        if word == "CAN":
            rows.insert(1, (2, 0, 1, 0.125, 0.25))
        return pd.DataFrame(rows, columns=["sense", "fit", "map", "proportion", "share"])


def explored(**more):
    return explore(fits(3.0, 2.0), NAMES, senses=Agreed(), **more)


def test_the_maps_of_the_fit_with_the_lowest_cost_travel_whole():
    models = fits(3.0, 1.5, 2.0)
    models[2]._kernel = "student"
    agreed = Agreed()
    agreed.n_fits = 3
    explorer = explore(models, NAMES, senses=agreed)
    assert (explorer.best, explorer.fit, explorer.cost) == (1, 1, 1.5)
    assert explorer.snapshot == pack_maps(models[1].maps_, models[1].mixing_)
    assert [fit["cost"] for fit in explorer.fits] == [3.0, 1.5, 2.0]
    assert [fit["kernel"] for fit in explorer.fits] == ["gaussian", "gaussian", "student"]


def test_of_other_fits_points_travel_that_have_a_proportion():
    models = fits(3.0, 2.0)
    models[0].mixing_[:, 0] = [0.999, 0.001, 0.0]
    numbers = np.frombuffer(explore(models, NAMES, senses=Agreed()).other_maps, "<f4")
    fit, n_maps, d, n = numbers[:4].astype(int)
    m, i = numbers[4 : 4 + n].astype(int), numbers[4 + n : 4 + 2 * n].astype(int)
    assert (fit, n_maps, d) == (0, 3, 2) and len(numbers) == 4 + n * (3 + d)
    assert m[i == 0].tolist() == [0]  # at least 0.05 / M, or it is left out
    assert n == (models[0].mixing_ >= 0.05 / 3).sum()
    np.testing.assert_allclose(numbers[4 + 2 * n : 4 + 3 * n], models[0].mixing_[m, i], rtol=1e-6)
    centered = models[0].maps_ - models[0].maps_.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(numbers[4 + 3 * n :].reshape(n, d), centered[m, i], atol=1e-6)


def test_senses_travel_with_associates_and_places():
    numbers = np.frombuffer(explored().senses, "<f4")
    n_words, n_senses, n_associates, n_places = numbers[:4].astype(int)
    assert (n_words, n_senses, n_associates, n_places) == (N, N + 1, N + 2, 2 * N + 1)
    cut = np.cumsum([4, N + 1, *[n_senses] * 3, *[n_senses + 1] * 2, *[n_associates] * 2, *[n_places] * 4])
    first, share, seen, certainty, associates, places, words, belongs, fit, maps, proportion, part = (
        numbers[a:b] for a, b in itertools.pairwise(cut)
    )
    assert len(numbers) == cut[-1] and first.tolist() == [0, 2, 3, 4, 5, 6, 7]
    assert (share[:2].tolist(), seen[:2].tolist(), certainty[:2].tolist()) == ([0.75, 0.25], [1, 0.5], [0.75, 0.25])
    assert associates[:3].tolist() == [0, 2, 3] and places[:3].tolist() == [0, 2, 3]
    assert words[:3].tolist() == [1, 2, 5] and belongs[:3].tolist() == [0.875, 0.5, 0.25]
    assert (fit[:3].tolist(), maps[:3].tolist()) == ([0, 1, 0], [2, 0, 1])
    assert (proportion[:3].tolist(), part[:3].tolist()) == ([0.5, 0.25, 0.125], [0.75, 0.75, 0.25])


def test_of_a_sense_the_first_associates_travel():
    class Many(Agreed):
        def of(self, word):
            row = super().of(word).iloc[[0]]
            return pd.concat([row] * (MOST_ASSOCIATES + 9), ignore_index=True)

        def places(self, word):
            return super().places("TRASH")

    numbers = np.frombuffer(explore(fits(1.0, 2.0), NAMES, senses=Many()).senses, "<f4")
    assert numbers[2] == N * MOST_ASSOCIATES


def columns_of(explorer):
    values = np.frombuffer(explorer.column_values, "<f4").reshape(-1, N)
    return {column["name"]: value for column, value in zip(explorer.columns, values, strict=True)}


def test_the_table_has_what_the_fits_agree_on_and_the_evidence():
    evidence = pd.DataFrame({"word": ["BEER", "CAN"], "note": ["x", "y"], "gain": [0.5, 0.25], "n": [4, 3]})
    columns = columns_of(explored(evidence=evidence))
    assert list(columns) == ["senses", "certainty", "second", "seen", "gain", "n"]
    assert columns["senses"].tolist() == [2, 1, 1, 1, 1, 1]
    assert columns["certainty"][0] == 0.75 and columns["second"][0] == 0.25 and columns["seen"][0] == 0.5
    np.testing.assert_array_equal(columns["gain"], [0.25, np.nan, np.nan, np.nan, 0.5, np.nan])
    assert all(column["text"] for column in explored().columns)
    assert list(columns_of(explored(evidence=SimpleNamespace(words=evidence)))) == list(columns)
    single = explore(fits(1.0)[0], NAMES, evidence=evidence)
    assert list(columns_of(single)) == ["gain", "n"]


@pytest.mark.parametrize(
    ("evidence", "words"),
    [
        ({"word": ["CAN"]}, "evidence must be a DataFrame with a column word, got"),
        (pd.DataFrame({"gain": [1.0]}), "evidence must be a DataFrame with a column word, got"),
        (
            pd.DataFrame({"word": ["CAT"], "gain": [1.0]}),
            r"evidence must be of words that are mapped, got 'CAT' \(1 su",
        ),
        (pd.DataFrame({"word": ["CAN", "CAN"], "gain": [1.0, 2.0]}), "one row a word, got several for 'CAN'"),
        (pd.DataFrame({"word": ["CAN"], "gain": ["a"]}), "evidence must have a column of numbers besides word"),
    ],
)
def test_bad_evidence_names_the_rule_and_the_way_out(evidence, words):
    with pytest.raises((TypeError, ValueError), match=words):
        explored(evidence=evidence)


def test_fits_and_their_senses_must_belong_together():
    with pytest.raises(ValueError, match="got an empty list"):
        explore([], NAMES)
    other = SimpleNamespace(maps_=np.zeros((1, 4, 2)))
    with pytest.raises(ValueError, match="fit 0 has 6 and fit 1 has 4; fit them to the same P"):
        explore([*fits(1.0), other], NAMES)
    with pytest.raises(ValueError, match=r"senses must be the Consensus of these 3 fits.*got one of 2 fits"):
        explore(fits(1.0, 2.0, 3.0), NAMES, senses=Agreed())
    with pytest.raises(ValueError, match="senses must be left out for a single fit"):
        explore(fits(1.0), NAMES, senses=Agreed())


def test_the_fit_drawn_and_the_word_beside_have_the_rules_of_the_word():
    explorer = explored(word="can")
    explorer.beside = "beer"
    explorer.fit = 0
    assert (explorer.beside, explorer.fit) == ("BEER", 0)
    with pytest.raises(traitlets.TraitError, match="fit must be from 0 to 1, got 2"):
        explorer.fit = 2
    with pytest.raises(traitlets.TraitError, match="beside must be one of the 6 names, got 'BEEER'; did you mean BEER"):
        explorer.beside = "BEEER"
    explorer.beside = None
    assert explorer.beside is None


def test_notes_are_texts_of_words_and_travel_with_the_page(tmp_path):
    explorer = explored()
    hostile = "</script><img src=x onerror='window.hacked=1'>"
    explorer.notes = {"CAN": hostile, NAMES[5]: "half \ud83d", "BEER": "  "}
    assert explorer.notes == {"CAN": hostile, NAMES[5]: "half \ud83d"}  # an empty note is none
    sent = json.loads(json.dumps(explorer.get_state("notes")["notes"]))
    assert sent == {"CAN": hostile, "half \ufffd": "half \ufffd"}
    explorer.set_state({"notes": {"half \ufffd": "from the browser"}})
    assert explorer.notes == {NAMES[5]: "from the browser"}
    explorer.notes = {"CAN": hostile}
    traits, packed, text = data_of(explorer.to_html(tmp_path / "words.html"))
    assert traits["notes"] == {"CAN": hostile} and "<img" not in text
    assert traits["fits"] == explorer.fits and traits["best"] == 1
    assert packed["senses"] == explorer.senses and packed["other_maps"] == explorer.other_maps
    for notes in ({"CAT": "x"}, {"CAN": 3}):
        with pytest.raises(traitlets.TraitError, match="notes must be a text for each word that has one"):
            explorer.notes = notes
