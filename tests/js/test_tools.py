"""The front end as tools see it: formatted, without lint, and with types that fit."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.standins.waiting import LONG

TOOLS = Path(__file__).parents[2] / "tools" / "frontend"
npm = shutil.which("npm")
required = bool(os.environ.get("NOTEBOOK_SNE_REQUIRE_BROWSER") or os.environ.get("CI"))


def run(*command, timeout=LONG):
    return subprocess.run([npm, *command], cwd=TOOLS, capture_output=True, text=True, timeout=timeout, check=False)


@pytest.fixture(scope="module")
def tools():
    """Biome and TypeScript beside the checkout, as the lock file names them."""
    locked, installed = TOOLS / "package-lock.json", TOOLS / "node_modules" / ".package-lock.json"
    if npm is None:
        if required:
            pytest.fail("no npm found; install it, such as with `apt-get install npm`, to check the front end")
        pytest.skip("no npm found; install it to check the front end")
    if installed.exists() and installed.stat().st_mtime >= locked.stat().st_mtime:
        return
    if not required and not installed.exists():
        pytest.skip("the front end's tools are not installed; `npm ci --prefix tools/frontend` does it")
    done = run("ci")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_the_front_end_is_formatted_and_typed(tools):
    done = run("run", "check")
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
