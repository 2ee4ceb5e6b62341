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
    [["ruff", "check", "."], ["ruff", "format", "--check", "."], pytest.param(["mypy"], marks=pytest.mark.slow)],
    ids=" ".join,
)
def test_tools_find_nothing(command):
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, timeout=LONG, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


PACES = ("Drifting", "DriftingMaps", "Moving", "gif")  # whose seconds are no bound
WAITS = ("until", "until_status", "wait", "wait_for", "join", "acquire", "set_default_timeout", "expect_download")
SLEEP_HERE = (  # the two `until`, and stand-ins that go at a pace or stay where they are
    "tests/standins/waiting.py", "tests/standins/drifting.py", "tests/browser/pages.py", "tests/quality/mites.py",
)  # fmt: skip


def waits_by_the_clock(source, may_sleep=False):
    """The calls of a test that sleep, or bound what they wait for by a number of their own."""
    for call in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)):
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        named = [
            word.value for word in call.keywords if re.search(r"timeout|seconds|deadline|patience", word.arg or "")
        ]
        bounds = [] if name in PACES else [*named, *(call.args if name in WAITS else [])]
        numbers = [each.value for each in bounds if isinstance(each, ast.Constant) and type(each.value) in (int, float)]
        sleeps = ast.unparse(call.func).endswith(("time.sleep", ".wait_for_timeout")) and not may_sleep
        if name == "sleep" and not may_sleep:  # of asyncio: a moment, between two looks
            numbers += [each.value for each in call.args if isinstance(each, ast.Constant)]
        if sleeps or any(number >= 0.1 for number in numbers):
            yield ast.unparse(call)


@pytest.mark.slow
def test_no_test_depends_on_the_speed_of_the_machine():
    sources = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.py")}
    found = {
        name: calls for name, source in sources.items() if (calls := [*waits_by_the_clock(source, name in SLEEP_HERE)])
    }
    assert not found, "use tests/standins/waiting.py: `until`, PATIENCE, LONG"


@pytest.mark.parametrize(
    "call", ["until(true, 30)", "run(x, timeout=5)", "time.sleep(1)", "asyncio.sleep(1)", "page.wait_for_timeout(9)"]
)
def test_what_waits_by_the_clock_is_found(call):
    assert [*waits_by_the_clock(call)] == [call]


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
    sources = [path for path in sources if path.suffix in (".py", ".js") and "node_modules" not in path.parts]
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
