"""What a browser test that fails by chance costs a run, and that nothing else is forgiven."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import second_time

ROOT = Path(__file__).parents[1]
CONFTEST = """
import sys
from pathlib import Path
sys.path.insert(0, {root!r})
from tests import second_time

second_time.LIST = Path(__file__).with_name("unsteady.txt")

def pytest_configure(config):
    config.pluginmanager.register(second_time.SecondTime())
"""
TESTS = """
from pathlib import Path
import pytest

def once(name):
    # Fails at the first call in any process, and passes at later ones.
    flag = Path(__file__).with_name(name)
    assert flag.exists() or flag.write_text("") is None and False, f"{name} came too late"

@pytest.fixture(scope="module")
def shared():
    return []

@pytest.fixture
def page(shared):
    shared.append("page")
    return len(shared)

@pytest.mark.browser
@pytest.mark.parametrize("k", range(CHANCES))
def test_chance(k, page):
    once(f"chance{k}")
    assert page == 1, "the second time has all that is shared anew"

@pytest.mark.browser
def test_steady(): pass

@pytest.mark.browser
def test_listed(): assert not LISTED

@pytest.mark.browser
def test_broken(): assert not BROKEN, "broken"

def test_plain():
    if PLAIN: once("plain")
"""


@pytest.mark.parametrize(
    ("given", "outcomes", "code"),
    [
        ({"CHANCES": 3, "LISTED": True}, {"passed": 7}, 0),
        ({"CHANCES": 4}, {"passed": 8}, 1),
        ({"BROKEN": True, "PLAIN": True}, {"passed": 2, "failed": 2}, 1),
        pytest.param({"CHANCES": 3, "LISTED": True, "more": ["-n2"]}, {"passed": 7}, 0, marks=pytest.mark.slow),
        pytest.param({"CHANCES": 4, "more": ["-n2"]}, {"passed": 8}, 1, marks=pytest.mark.slow),
    ],
)
def test_a_chance_is_said_and_forgiven_three_times_and_a_fault_is_not(tmp_path, given, outcomes, code):
    more = given.pop("more", [])
    given = {"CHANCES": 0, "LISTED": False, "BROKEN": False, "PLAIN": False} | given
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n    browser\n    notebooks\n")
    (tmp_path / "conftest.py").write_text(CONFTEST.format(root=str(ROOT)))
    (tmp_path / "unsteady.txt").write_text("# names\ntest_it.py::test_listed\n")
    values = "".join(f"{name} = {value}\n" for name, value in given.items())
    (tmp_path / "test_it.py").write_text(values + TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *more, "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    found = {word: int(n) for n, word in re.findall(r"(\d+) (passed|failed|error)", done.stdout.splitlines()[-1])}
    assert (found, done.returncode) == (outcomes, code), done.stdout
    told = re.findall(r"^SECOND TIME test_it.py::test_chance\[\d\]: .*\d came too late", done.stdout, re.MULTILINE)
    assert len(told) == given["CHANCES"], done.stdout
    assert ("UNSTEADY test_it.py::test_listed" in done.stdout) is given["LISTED"]


def test_every_name_on_the_list_is_a_test_that_there_is():
    for name in second_time.unsteady():
        path, _, function = name.partition("::")
        assert f"def {function.partition('[')[0]}(" in (ROOT / path).read_text(encoding="utf-8"), name
