"""Build kernels.wasm and placing.wasm: compiled functions of `notebook_sne.engine.portable` for a page that computes.

    python tools/build_kernels.py             # writes what is stale of both, in notebook_sne/engine/portable
    python tools/build_kernels.py --check     # says whether they are what these sources make, without building
    python tools/build_kernels.py placing X   # writes placing.wasm as the file X

Needs Numba and llvmlite alone, and takes about a minute for each. The bytes are the same every time, whatever the
machine, with the same versions of both and of Python. What the functions are called and take is said at the head of
`notebook_sne.engine.portable.exports` and `placing`. The modules import nothing. A custom section holds a digest of the
sources, without comments and docstrings, and the versions; the tests fail where it is not that of the sources at hand.
"""

import os
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PLACE = ROOT / "notebook_sne" / "engine" / "portable"
TABLES = {"kernels": "exports", "placing": "placing"}  # the modules that hold what is compiled, by the names of files


def build(name):
    """Return the bytes of a module, compiled by this process, which must not have loaded the package before."""
    if "numba" in sys.modules:
        raise RuntimeError("build in a process of its own, as Numba must not have compiled anything before")
    with tempfile.TemporaryDirectory() as folder:
        # Nothing of this processor, and no code from disk, which would bring no text to compile again.
        os.environ.update(
            NUMBA_CACHE_DIR=folder, NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="", NUMBA_LOOP_VECTORIZE="0",
            NUMBA_SLP_VECTORIZE="0", NUMBA_DISABLE_JIT="0", NUMBA_OPT="0",
        )  # fmt: skip
        from numba import types

        from notebook_sne.engine.portable import elementary
        from tools.wasm.compiling import compiled_object
        from tools.wasm.module import HEAP, finished
        from tools.wasm.sources import SECTION, stamp

        exports, real = import_module(f"notebook_sne.engine.portable.{TABLES[name]}").EXPORTS, types.float64
        libraries = {
            "llvm.exp.f64": ("portable_exp", elementary.exp, real(real)),
            "llvm.log.f64": ("portable_log", elementary.log, real(real)),
            "llvm.pow.f64": ("portable_power", elementary.power, real(real, real)),
        }
        obj = compiled_object(exports, libraries, HEAP)
        return finished(obj, [*exports, "allocate", "release"], {SECTION: stamp(TABLES[name])})


def main(arguments):
    """Build what is stale or asked for, each in a process of its own, or with --check say what is stale."""
    sys.path.insert(0, str(ROOT))
    if len(arguments) == 2:
        module = build(arguments[0])
        Path(arguments[1]).write_bytes(module)
        print(f"{arguments[1]}: {len(module):,} bytes")
        return 0
    from tools.wasm.module import signed
    from tools.wasm.sources import SECTION, stamp

    failed = 0
    for name, table in TABLES.items():
        place = PLACE / f"{name}.wasm"
        here = signed(place.read_bytes(), SECTION) if place.exists() else None
        if here == stamp(table):
            print(f"{place.name} is up to date")
        elif arguments == ["--check"]:
            print(f"{place.name} is stale: it has {here}")
            failed = 1
        else:  # Numba writes some things in the order of a set of names
            command, hashes = [sys.executable, sys.argv[0], name, str(place)], {**os.environ, "PYTHONHASHSEED": "0"}
            failed |= subprocess.run(command, env=hashes, check=False).returncode
    return failed


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
