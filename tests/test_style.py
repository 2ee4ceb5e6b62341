"""The style that tools can hold: formatting, docstrings, types."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["mypy"],
    ],
    ids=" ".join,
)
def test_tools_find_nothing(command):
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_modules_stay_small():
    """A module has one subject; 400 lines are more than any of them needs."""
    sources = [*ROOT.glob("notebook_sne/**/*.py"), *ROOT.glob("notebook_sne/**/*.js")]
    long = {str(path.relative_to(ROOT)): n for path in sources if (n := len(path.read_text().splitlines())) > 400}
    assert not long
