"""What docs/linking.md shows with ipywidgets does what it says."""

import re
from pathlib import Path

import numpy as np
import pytest

import notebook_sne as ns
from tests.standins import Drifting, until

PAGE = Path(__file__).parents[2] / "docs" / "linking.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)


@pytest.fixture
def player():
    columns = {"year": np.arange(12) + 1990, "kind": ["a", "<b>"] * 6}
    shown = ns.watch(Drifting(max_iter=5), np.zeros((12, 2)), columns=columns)
    assert until(lambda: shown.status == "finished" and shown.snapshot)
    yield shown
    shown.close()


def test_a_table_follows_the_selection_and_a_field_sets_it(player):
    here = {"player": player}
    for block in BLOCKS[:2]:
        exec(block, here)
    player.selection = [3]
    assert "1993" in here["table"].value and "&lt;b&gt;" in here["table"].value and "<b>" not in here["table"].value
    here["field"].value = "year > 1995 and kind == 'a'"
    assert player.selection == [6, 8, 10] and here["said"].value == "3 objects"
    assert "2000" in here["table"].value and "1993" not in here["table"].value
    here["field"].value = "@player"
    assert "query must be a condition" in here["said"].value and player.selection == [6, 8, 10]


def test_a_linked_scatter_plot_sets_the_selection_and_is_set(player):
    pytest.importorskip("jscatter")
    here = {"player": player}
    exec(BLOCKS[2].replace("scatter.show()", ""), here)
    player.selection = [2, 1]
    assert sorted(here["scatter"].selection()) == [1, 2]
    here["scatter"].widget.selection = np.array([9, 4], np.uint32)
    assert player.selection == [4, 9] == sorted(here["scatter"].selection())
