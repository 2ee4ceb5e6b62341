"""Which tests run when: those that are `seldom` of interest run each time where their places have changed."""

import re
from pathlib import Path

import pytest

from tests import conftest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ([], False),
        (["everything"], True),
        (["docs/decisions.md", "notebook_sne/machine/files.py"], True),
        (["notebook_sne/machines.py", "tests/notebook_sne/machine/files.py"], False),
        (["tests/test_marks.py"], True),
        (["tests/test_marks.pyi"], False),
    ],
)
def test_a_place_is_touched_by_a_file_of_it(changed, found, monkeypatch):
    monkeypatch.setattr(conftest, "TOUCHED", changed)
    assert conftest.touched(("notebook_sne/machine", "tests/test_marks.py")) is found


def test_every_place_that_is_watched_exists():
    sources = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests").rglob("test_*.py"))]
    marks = [mark for text in sources for mark in re.findall(r"mark\.seldom\(([^)]+)\)", text)]
    places = re.findall(r'"([^"]+)"', "".join(marks))
    assert len(marks) > 3 and [place for place in places if not (ROOT / place).exists()] == []
