"""The files that Binder builds from: what they say is what the project is."""

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from notebook_sne.browser import jupyter

BINDER = Path(__file__).parents[1] / "binder"
PROJECT = tomllib.loads((BINDER.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_it_installs_this_repository_and_nothing_else():
    lines = (BINDER / "requirements.txt").read_text().splitlines()
    assert [line for line in lines if not line.startswith("#")] == [".[lab]"]
    assert "lab" in PROJECT["optional-dependencies"]


def test_its_python_is_one_that_the_package_runs_on():
    major, minor = re.fullmatch(r"python-(\d+)\.(\d+)", (BINDER / "runtime.txt").read_text().strip()).groups()
    least = PROJECT["requires-python"].removeprefix(">=").split(".")
    assert (int(major), int(minor)) >= tuple(map(int, least))


@pytest.mark.parametrize("script", ["postBuild", "start"])
def test_its_scripts_can_be_run(script):
    assert os.access(BINDER / script, os.X_OK)
    subprocess.run(["bash", "-n", str(BINDER / script)], check=True)


@pytest.mark.parametrize(
    "limit, threads",
    [(None, "1"), ("", "1"), ("1", "1"), ("2.0", "2"), ("0.5", "1"), ("4", "4"), ("none", "1"), ("-1", "1")],
)
def test_it_takes_no_more_threads_than_the_hub_grants(limit, threads, tmp_path):
    environment = {name: value for name, value in os.environ.items() if name != "CPU_LIMIT"}
    environment["REPO_DIR"] = str(BINDER.parent)
    if limit is not None:
        environment["CPU_LIMIT"] = limit
    # As a container does it: the start script, then what it is to start.
    asks = 'echo "$NUMBA_CPU_NAME $NUMBA_NUM_THREADS $OMP_NUM_THREADS $OPENBLAS_NUM_THREADS"'
    done = subprocess.run(
        [BINDER / "start", "bash", "-c", asks], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["generic", threads, threads, threads]


def test_it_saves_players_with_their_state(tmp_path):
    environment = {**os.environ, "REPO_DIR": str(BINDER.parent), "JUPYTER_CONFIG_PATH": str(tmp_path)}
    asks = 'echo "$JUPYTER_CONFIG_PATH"'
    done = subprocess.run(
        [BINDER / "start", "bash", "-c", asks], env=environment, capture_output=True, text=True, check=True
    )
    first, ours = done.stdout.strip().split(":")
    assert first == str(tmp_path) and Path(ours) == jupyter.FOLDER
