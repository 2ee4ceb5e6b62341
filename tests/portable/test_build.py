"""Compiled modules are what the sources make: by a digest always, byte for byte with the versions that made them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.standins.waiting import LONG
from tools.build_kernels import PLACE, TABLES
from tools.wasm.module import signed
from tools.wasm.sources import SECTION, _code, digest, modules, versions

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", TABLES)
def test_the_kernels_are_those_of_the_sources(name):
    stamp = signed((PLACE / f"{name}.wasm").read_bytes(), SECTION)
    assert stamp.startswith(f"sources {digest(TABLES[name])}; "), f"{name} is stale: run python tools/build_kernels.py"


def test_all_that_is_compiled_counts():
    names = {path.relative_to(ROOT / "notebook_sne").as_posix() for path in modules("exports")}
    wanted = {
        f"engine/portable/{name}.py" for name in ("exports", "evaluation", "descent", "affinities", "seen", "noise")
    }
    wanted |= {
        "engine/portable/elementary.py",
        "engine/machine/exponential.py",
        "engine/machine/simd.py",
        "engine/machine/parallel.py",
    }
    wanted |= {
        "engine/sums/pair_sums.py",
        "engine/sums/stored_pairs.py",
        "engine/mathematics/perplexity.py",
        "engine/mathematics/distances.py",
    }
    assert wanted <= names and not any(name.startswith(("models", "engine/fitting")) for name in names)


def test_words_do_not_count_and_code_does():
    text = 'def f(x):  # a word\n    """What it does."""\n\n    return x + 1\n'
    other = 'def f(x):\n    """What it\n    really does."""\n    # another word\n    return x + 1\n'
    assert _code(text) == _code(other) != _code(other.replace("+ 1", "+ 2"))
    assert _code('x = "# no word"\n') == 'x = "# no word"'


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_the_same_bytes_are_built_anew(name, tmp_path):
    module = (PLACE / f"{name}.wasm").read_bytes()
    if not signed(module, SECTION).endswith(versions()):
        pytest.skip(f"{name}.wasm was made by other versions than {versions()}")
    there = tmp_path / "built.wasm"
    command = [sys.executable, "-W", "ignore", ROOT / "tools" / "build_kernels.py", name, there]
    hashes = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, cwd=tmp_path, env=hashes, capture_output=True, text=True, timeout=LONG)
    assert done.returncode == 0, done.stderr[-2000:]
    assert there.read_bytes() == module
