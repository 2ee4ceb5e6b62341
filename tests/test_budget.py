"""The project stays within its budget, tests/budget.json: what is added is paid for by what is removed.

A number may go down freely (``python tools/weigh.py --write``), and up only in a commit whose text says what was
removed for it, and why that was not enough.
"""

import json

import pytest

from tools import weigh
from tools.weigh import BUDGET, CASES, ROOT, code_lines, weights

LIMITS = json.loads(BUDGET.read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="only a checkout knows which files are the project's")
def test_no_part_weighs_more_than_its_budget():
    found = weights()
    assert set(LIMITS) == {*found, CASES}
    assert {part: number for part, number in found.items() if number > LIMITS[part]} == {}


def test_the_fast_lane_has_no_more_cases_than_its_budget(request):
    if request.config.option.markexpr == request.config.getini("addopts")[-1]:  # the full gate asks more
        assert len(request.session.items) <= LIMITS[CASES]


def test_a_line_counts_if_it_has_code():
    source = '"""Two\nlines."""\n\n# A reason.\nx = [\n    1,  # one\n]\n\n\ndef f():\n    """Said."""\n    return 2\n'
    assert code_lines(source) == 5


def test_writing_lowers_the_budget_and_raises_nothing(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(weigh, "BUDGET", tmp_path / "budget.json")
    weigh.BUDGET.write_text('{"a": 5, "b": 5, "c": 5}', encoding="utf-8")
    monkeypatch.setattr(weigh, "weights", lambda: {"a": 4, "b": 6})
    weigh.main(["--write"])
    assert json.loads(weigh.BUDGET.read_text("utf-8")) == {"a": 4, "b": 5, "c": 5}
    assert len(capsys.readouterr().out.splitlines()) == 2
