"""The experiment on second copies: what its table counts."""

import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import notebook_sne as ns
from benchmarks.senses import evidence

NAMES = tuple("abcdefgh")
# Two homonyms, of which one has a copy that is worth something; two words of one meaning, of which one has two copies.
ABOUT = SimpleNamespace(homonyms={0: {}, 1: {}}, controls=(2, 3))


@pytest.fixture(scope="module")
def found():
    words = pd.DataFrame(
        {
            "word": ["a", "b", "c", "e"],
            "gain": [0.4, 0.1, -0.1, np.nan],
            "error": [0.1, 0.2, 0.1, np.nan],
            "q_value": [0.01, 0.3, 1.0, np.nan],
        }
    )
    summary = pd.DataFrame(
        {"copy": [0, 1, 0, 1, 2], "gain": [2.0, 0.4, 1.0, -0.1, np.nan], "sampling_sd": [0.1, 0.1, 2.0, 0.1, np.nan]}
    )
    return ns.senses.Evidence(words, summary, pd.DataFrame(), ())


def test_a_row_for_each_kind_of_words_and_copies(found):
    rows = {row["of"]: row for row in evidence.rows_of(found, NAMES, ABOUT)}
    assert list(rows) == ["all words", "homonyms", "words of one meaning", "first copies", "further copies"]
    everything, homonyms, controls = list(rows.values())[:3]
    assert (everything["asked"], everything["with several copies"], everything["q < 0.05"]) == (8, 4, 1)
    assert everything["of all asked"] == 0.125 and everything["gain, median"] == 0.1
    assert homonyms["of all asked"] == 0.5 and homonyms["gain above its error"] == 0.5
    assert (controls["with several copies"], controls["q < 0.05"], controls["gain, median"]) == (1, 0, -0.1)
    assert rows["first copies"]["asked"] == 2 and rows["first copies"]["gain above its error"] == 0.5
    assert rows["further copies"]["asked"] == 2 and rows["further copies"]["gain, median"] == 0.15


def test_homonyms_are_told_from_words_of_one_meaning_by_their_gain(found):
    # Both homonyms are above -1 error and above the word with one copy, which counts as 0.
    assert evidence.auc(found, NAMES, ABOUT) == 1.0
    turned = SimpleNamespace(homonyms={2: {}, 3: {}}, controls=(0, 1))
    assert evidence.auc(found, NAMES, turned) == 0.0
    assert evidence.auc(found, NAMES, SimpleNamespace(homonyms={3: {}}, controls=(5,))) == 0.5


def test_the_command_keeps_its_table(found, tmp_path, monkeypatch):
    given = {}

    def answer(model, data, **options):
        given.update(options, n_maps=model.n_maps)
        return found

    monkeypatch.setattr(ns.senses, "evidence", answer)
    data = ns.datasets.Dataset(title="planted", names=np.array(NAMES), X=np.zeros((len(NAMES), 1)))
    monkeypatch.setattr(evidence, "usf", lambda n_words: SimpleNamespace(data=data, n_words=n_words))
    halves = []
    monkeypatch.setattr(evidence, "questions", lambda norms, half: halves.append(half) or ABOUT)
    evidence.main([str(tmp_path / "kept"), "--thinnings", "3", "--output", str(tmp_path)])
    kept = json.loads((tmp_path / "senses_evidence.json").read_text())
    assert kept["rows"] == evidence.rows_of(found, NAMES, ABOUT)
    assert kept["settings"]["AUC"] == 1.0 and kept["settings"]["half"] == "choose" and halves == ["choose"]
    evidence.main([str(tmp_path / "kept"), "--words", "8", "--look-once", "--output", str(tmp_path)])
    assert json.loads((tmp_path / "senses_evidence_8_look_once.json").read_text())["settings"]["half"] == "look once"
    assert given.pop("n_thinnings") == 5
    evidence.main([str(tmp_path / "kept"), "--thinnings", "3", "--output", str(tmp_path)])
    assert given["n_thinnings"] == 3 and given["path"] == tmp_path / "kept" and given["n_maps"] == 50
