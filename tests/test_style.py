"""The style that tools can hold: formatting, docstrings, types."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.standins.waiting import LONG

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        pytest.param(["mypy"], marks=pytest.mark.slow),
    ],
    ids=" ".join,
)
def test_tools_find_nothing(command):
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, timeout=LONG, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def head_of(path):
    """What is said at the head of a module, on one line."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        said = ast.get_docstring(ast.parse(text)) or ""
    else:
        said = re.match(r"(?s)/\*.*?\*/|(//[^\n]*\n)*", text)[0].replace("//", " ")
    return " ".join(said.split())


def is_too_long(path):
    """A module has one subject. More than 300 lines need a reason, which its head gives in a sentence."""
    lines = len(path.read_text(encoding="utf-8").splitlines())
    return lines > 300 and not re.search(r"\bLonger than 300 lines because \w", head_of(path))


def test_modules_stay_small():
    sources = [path for room in ("notebook_sne", "benchmarks", "tools") for path in (ROOT / room).rglob("*.*")]
    sources = [path for path in sources if path.suffix in (".py", ".js")]
    assert len(sources) > 100
    assert not [path.relative_to(ROOT).as_posix() for path in sources if is_too_long(path)]


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("a.py", '"""A table.\n\nLonger than 300 lines\nbecause every row is one.\n"""\n'),
        ("a.js", "// A table. Longer than 300\n// lines because every row is one.\n"),
    ],
)
def test_a_long_module_says_why_at_its_head(tmp_path, name, head):
    place = tmp_path / name
    for before, too_long in ((head, False), ("", True), (f"x = 1\n{head}", True)):
        place.write_text(before + "\n" * 301)
        assert is_too_long(place) is too_long
    place.write_text("\n" * 300)
    assert not is_too_long(place)
