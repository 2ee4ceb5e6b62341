"""What CONTRIBUTING.md prints as an example of a model is added to a copy of the tree, and passes the tests there."""

import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
# What the tests below read.
COPIED = ("notebook_sne", "tests", "tools", "benchmarks", "docs", "tutorials", "pyproject.toml")
# Style, layers and reference are asked whether the example may be there, all the others what it does.
TESTS = ["test_style.py", "test_layers.py", "test_reference.py", "test_types.py", "models"]
ASKED = "Heavy or test_style or test_layers or whole or every_listed or every_public"


def printed():
    """Return what the page prints as Python: the file that is named last before each block, and its lines."""
    blocks, end = [], 0
    for found in re.finditer(r"^ *```python\n(.*?)^ *```", PAGE, re.MULTILINE | re.DOTALL):
        named = re.findall(r"`([\w/]+/\w+\.py)`", PAGE[end : found.start()])
        blocks.append((named[-1], textwrap.dedent(found[1])))
        end = found.end()
    return blocks


def put(lines, line):
    """Put a line into those of a file: an import in the order of the alphabet, a row behind those of one map."""
    row = line.lstrip().startswith('"')
    place = next(
        k
        for k, other in enumerate(lines)
        if (other.startswith('    "AspectMaps": ') if row else other.startswith("    from ") and other > line)
    )
    lines.insert(place, line)


def add_the_example(root):
    """Write the files of the example, and its lines into those that there are."""
    touched = []
    for name, code in printed():
        path = root / name
        touched.append(name)
        if path.exists():
            lines = path.read_text(encoding="utf-8").split("\n")
            for line in code.splitlines():
                put(lines, f"    {line}")
            code = "\n".join(lines)
        path.write_text(code, encoding="utf-8")
    return touched


def call(root, *command):
    environment = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.slow
def test_the_example_of_a_model_passes_as_it_is_printed(tmp_path):
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=shutil.ignore_patterns("results", "figures"))
        else:
            shutil.copy2(source, tmp_path / name)
    touched = add_the_example(tmp_path)
    assert len(touched) == len(set(touched)) == 3, "a model is to be three places"
    tests = [f"tests/{name}" for name in TESTS]
    quick = "(not slow or sampled) and not notebooks and not browser"  # all of what the fast lane samples
    asked = ("pytest", "-v", "-p", "no:cacheprovider", "-m", quick, "-k", ASKED, *tests)
    code, said = call(tmp_path, *asked)
    assert code == 0 and "SKIPPED" not in said, said
    # 45 of models and costs; docstrings and types ask all names in one test each.
    assert len(re.findall(r"\bHeavy\b.* PASSED", said)) > 40, "the tests do not ask the example"
