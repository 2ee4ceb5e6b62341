"""Rows of a view and back, and the regions of its map as a table."""

import numpy as np
import pandas as pd
import pytest

from notebook_sne.browser.widgets.player import watch
from notebook_sne.browser.widgets.region_table import name_of
from notebook_sne.engine.objects.enrichment import Told
from tests.standins import Drifting

N = 120
HOSTILE = "<img src=x onerror='window.hacked=1'>"
KINDS = np.repeat(["shore", HOSTILE, "deep"], N // 3)


@pytest.fixture
def player():
    columns = {
        "kind": KINDS,
        "when": np.repeat(np.array(["2001-01-01", "2011-01-01", "2021-01-01"], "datetime64[D]"), N // 3),
        "open": np.arange(N) < N // 3,
    }
    player = watch(Drifting(), np.zeros((N, 2)), columns=columns, labels=np.arange(N) % 2, autoplay=False)
    player.run.wait()
    yield player
    player.discard()


def test_rows_go_out_and_come_back(player):
    player.select("kind == 'deep'")
    rows = player.selected()
    assert len(rows) == N // 3
    assert player.select(rows[rows["label"] == "1"]).index.tolist() == player.selection
    assert len(player.selection) == N // 6
    assert player.select(player.objects()["open"] == "yes").index.tolist() == list(range(N // 3))
    assert player.select([3, 1]).index.tolist() == [1, 3]
    with pytest.raises(ValueError, match=r"select\(mask\)"):
        player.selection = [True, False]


def test_regions_that_are_given_are_told_by_their_columns(player):
    of = [None if i < 10 else -1 if i < 20 else int(i >= 80) for i in range(N)]
    table = player.regions(of)
    assert list(table.columns) == ["name", "n_objects", "x", "y", "telling", "objects"]
    assert table.index.tolist() == [0, 1] and table["n_objects"].tolist() == [60, 40]
    assert table["objects"][1].tolist() == list(range(80, N))
    assert "deep (kind): 100%, elsewhere 0%" in table["telling"][1]
    assert table["name"][1].split(" · ")[0] in ("deep", "when ≥ 2021-01-01")
    assert HOSTILE in table["telling"][0], "a text stays a text"
    np.testing.assert_allclose(table[["x", "y"]].loc[1], player.objects()[["x", "y"]][80:].mean())
    assert len(player.select(table["objects"][1])) == 40


def test_a_map_is_divided_where_no_regions_are_given(player):
    table = player.regions()
    assert table["n_objects"].sum() == N and sorted(np.concatenate(table["objects"])) == list(range(N))
    assert len(player.regions(n_regions=1)) == 1
    named = pd.Series(np.where(np.arange(N) < 50, "left", "right"))
    assert player.regions(named).index.tolist() == ["right", "left"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"n_regions": N + 1}, "at most the 120 objects"),
        ({"n_regions": 0}, "n_regions"),
        ({"of": [0] * N, "n_regions": 2}, "left out where regions are given"),
        ({"of": [0]}, "of"),
    ],
)
def test_regions_that_cannot_be_are_refused(player, arguments, words):
    with pytest.raises(ValueError, match=words):
        player.regions(**arguments)


def test_a_name_says_of_which_column_where_its_value_does_not():
    parts = ("open", "kind", "yes", 9.0), ("year", "low", 1990.0, 8.0), ("k", "word", "x", 7.0)
    told = [Told(name, kind, value, 1, 0, score) for name, kind, value, score in parts]
    assert name_of(told) == "open: yes · year ≤ 1990"
    assert name_of([]) == ""


def test_a_page_begins_with_the_table_open_where_the_view_has_it(player, tmp_path):
    player.run.step(2)
    player.show_table = True
    assert '"show_table":true' in player.to_html(tmp_path / "page.html").read_text()
