"""The page on misconceptions: each has a figure that the tool draws, a lecture and a question."""

import re
from pathlib import Path

import pytest

from tests.tables import in_one_test
from tools import build_misconceptions

GUIDE = Path(__file__).parents[1] / "docs" / "guide"
PARTS = re.split(r"^## ", (GUIDE / "misconceptions.md").read_text(encoding="utf-8"), flags=re.M)[1:]


def titles(text):
    """Return what stands above the maps of a figure."""
    return re.findall(r'<text x="\d+\.0" y="22" text-anchor="middle">([^<]*)</text>', text)


def test_it_has_ten_misconceptions_or_more():
    assert 10 <= len(PARTS) <= 14 and len({part.splitlines()[0] for part in PARTS}) == len(PARTS)


@in_one_test("part", PARTS, ids=lambda part: part.splitlines()[0])
def test_each_has_one_sentence_a_figure_a_lecture_and_a_question(part):
    heading, truth, figure, rest = part.strip().split("\n\n")
    assert re.fullmatch(r"“.+\.”", heading)
    assert len(re.findall(r"[.?!](?:\s|$)", truth)) == 1
    alt, name = re.fullmatch(r"!\[([^\]]+)\]\(misconceptions/(\w+)\.svg\)", figure).groups()
    assert len(alt) > 20 and callable(getattr(build_misconceptions, name))
    assert 2 <= len(titles((GUIDE / "misconceptions" / f"{name}.svg").read_text(encoding="utf-8"))) <= 3
    number, place = re.search(r"Shown in \[lecture (\d+)\]\(([^)]+)\)", rest).groups()
    assert (GUIDE / place).is_file() and Path(place).name.startswith(f"{int(number):02}-")
    assert re.search(r"\*\*Ask:\*\* [^*]+\?$", rest)


def test_there_is_no_figure_that_the_page_does_not_show():
    shown = set(re.findall(r"misconceptions/(\w+)\.svg", "".join(PARTS)))
    assert {path.stem for path in (GUIDE / "misconceptions").iterdir()} == shown


@pytest.mark.slow
def test_a_figure_drawn_anew_says_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr(build_misconceptions, "FOLDER", tmp_path)
    build_misconceptions.axes()
    build_misconceptions.widths()
    for path in tmp_path.iterdir():
        kept = titles((GUIDE / "misconceptions" / path.name).read_text(encoding="utf-8"))
        assert titles(path.read_text(encoding="utf-8")) == kept
