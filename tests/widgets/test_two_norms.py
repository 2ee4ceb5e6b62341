"""Words in two norms as a widget and as a page: what the browser is sent, and what is refused."""

import json

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.browser.widgets.two_norms import TwoNorms
from tests.senses.test_compare import norms

HOSTILE = "</script><img src=x onerror='window.hacked=1'>"


def compared(title=HOSTILE):
    """BANK of money and of the river in one, of money and of savings in the other."""
    one = norms({"money loan teller cash": 8, "river shore stream water": 4})
    other = norms({"money loan cash credit": 9, f"{'x' * 60} saving coin box": 5}, upper=True)
    return ns.senses.compare(one, other, names=("old", title))


@pytest.fixture
def both():
    return compared()


def test_the_browser_has_the_senses_and_the_table_of_all_words(both):
    view = ns.explore(both, word="BANK", title="Two")
    assert isinstance(view, TwoNorms) and view.word == "bank" and view.names == list(both.words)
    sent = json.loads(view.pairs)[view.names.index("bank")]
    for (numbers, shares, left, right, common, n, noise), pair in zip(sent, both.pairs("bank"), strict=True):
        assert tuple(numbers) == pair.numbers and (left, right, common) == (*pair.associates, pair.both)
        assert shares == pytest.approx(pair.shares, rel=1e-3) and n == len(pair.both)
        assert noise == pytest.approx(both.noise("bank"), rel=1e-3)
    values = np.frombuffer(view.column_values, "<f4").reshape(len(view.columns), -1)
    table = both.table()
    assert [column["name"] for column in view.columns] == list(table.columns[1:])
    np.testing.assert_allclose(values, table[table.columns[1:]].to_numpy(float).T, rtol=1e-6)


def test_a_word_is_found_in_any_case_and_an_unknown_one_refused(both):
    view = ns.explore(both)
    assert view.word is None and repr(view) == repr(both)
    view.word = "Money"
    assert view.word == "money" and "the word money" in repr(view) and "<img" in view._still_html()
    with pytest.raises(ValueError, match="word must be one of"):
        view.word = "banc"
    assert view.word == "money"


def test_explore_says_what_it_takes(both):
    with pytest.raises(TypeError, match="a Comparison has its own words"):
        ns.explore(both, ["bank"])
    with pytest.raises(TypeError, match="takes word and title alone"):
        ns.explore(both, threshold=0.1)
    with pytest.raises(TypeError, match="names must be given with fits"):
        ns.explore(ns.AspectMaps())
    with pytest.raises(ValueError, match="word must be one of"):
        ns.explore(both, word="banc")


def test_a_page_holds_names_of_others_as_data(both, tmp_path):
    path = ns.explore(both, word="bank").to_html(tmp_path / "two.html", title=HOSTILE)
    page = path.read_text(encoding="utf-8")
    assert HOSTILE not in page and "&lt;/script&gt;&lt;img src=x" in page
