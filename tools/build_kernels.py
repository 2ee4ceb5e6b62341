"""Build kernels.wasm: the compiled functions of `notebook_sne.engine.portable.exports` for a page that computes.

    python tools/build_kernels.py            # writes notebook_sne/engine/portable/kernels.wasm
    python tools/build_kernels.py --check    # says whether it is what these sources make, without building

Needs Numba and llvmlite alone, and takes about a minute. The bytes are the same every time, whatever the machine, with
the same versions of both and of Python. What the functions are called and take is said at the head of
`notebook_sne.engine.portable.exports`. The module imports nothing. A custom section holds a digest of the sources,
without comments and docstrings, and the versions; the tests fail where it is not that of the sources at hand.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PLACE = ROOT / "notebook_sne" / "engine" / "portable" / "kernels.wasm"


def build():
    """Return the bytes of the module, compiled by this process, which must not have loaded the package before."""
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
        from notebook_sne.engine.portable.exports import EXPORTS
        from tools.wasm.compiling import compiled_object
        from tools.wasm.module import HEAP, finished
        from tools.wasm.sources import SECTION, stamp

        real = types.float64
        libraries = {
            "llvm.exp.f64": ("portable_exp", elementary.exp, real(real)),
            "llvm.log.f64": ("portable_log", elementary.log, real(real)),
            "llvm.pow.f64": ("portable_power", elementary.power, real(real, real)),
        }
        obj = compiled_object(EXPORTS, libraries, HEAP)
        return finished(obj, [*EXPORTS, "allocate", "release"], {SECTION: stamp()})


def main(arguments):
    """Build, or with --check compare the stamp of what is there with the sources."""
    sys.path.insert(0, str(ROOT))
    if arguments == ["--check"]:
        from tools.wasm.module import signed
        from tools.wasm.sources import SECTION, stamp

        here = signed(PLACE.read_bytes(), SECTION) if PLACE.exists() else None
        print("kernels.wasm is up to date" if here == stamp() else f"kernels.wasm is stale: it has {here}")
        return 0 if here == stamp() else 1
    if os.environ.get("PYTHONHASHSEED") != "0":  # Numba writes some things in the order of a set of names
        command = [sys.executable, *sys.orig_argv[1:]]
        return subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": "0"}, check=False).returncode
    module = build()
    place = Path(arguments[0]) if arguments else PLACE
    place.write_bytes(module)
    print(f"{place}: {len(module):,} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
