"""A Python of its own, for what a test cannot ask of the process that it is in."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

from tests.standins.waiting import LONG

HOUSE = Path(__file__).parents[2]
FORKS = ("-W", "ignore::DeprecationWarning")  # Python 3.12 warns of forks beside threads


def python(code, *arguments, flags=(), **variables):
    """Run a program from the root of the repository, with variables of the environment; return how it ended."""
    command = [sys.executable, *flags, "-c", textwrap.dedent(code), *map(str, arguments)]
    environment = {**os.environ, **variables}
    return subprocess.run(command, cwd=HOUSE, env=environment, capture_output=True, text=True, timeout=LONG)


def printed(code, *arguments, flags=(), **variables):
    """Return what such a program prints, once it has ended well."""
    done = python(code, *arguments, flags=flags, **variables)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout
