"""How long until something moves: import of the package, and the first state of the digits with cold and warm caches.

Wanted: import <= 0.3 s; first state of the 1797 digits <= 5 s with compiled code cached, <= 60 s without. Each figure
is the time of a fresh process, less the start of Python itself; the cell of a notebook adds the widget and the
frame.
"""

import os
import subprocess
import sys
import tempfile

import numpy as np

from benchmarks.record import keep

IMPORT = "import time; t = time.perf_counter(); import notebook_sne; print(time.perf_counter() - t)"
FIRST = """
import time
t = time.perf_counter()
import notebook_sne as ns
digits = ns.datasets.load_digits()
with ns.Run(ns.{model}(random_state=0, progress=False), digits.X) as run:
    run.steps({steps})
print(time.perf_counter() - t)
"""


def seconds(code, cache):
    """Return what a fresh process prints."""
    env = {**os.environ, "NUMBA_CACHE_DIR": cache}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    return float(done.stdout)


def main():
    """Measure, print and keep."""
    rows = []
    with tempfile.TemporaryDirectory() as cache:
        imports = [seconds(IMPORT, cache) for _ in range(7)]
        rows.append({"what": "import notebook_sne", "seconds": round(float(np.median(imports)), 4)})
    for model in ("SNE", "SymmetricSNE", "UNISNE", "TSNE"):
        with tempfile.TemporaryDirectory() as cache:
            code = FIRST.format(model=model, steps=1)
            cold = seconds(code, cache)
            warm = [seconds(code, cache) for _ in range(3)]
        rows.append({"what": f"{model}: first update, nothing compiled", "seconds": round(cold, 2)})
        rows.append({"what": f"{model}: first update, code cached", "seconds": round(float(np.median(warm)), 2)})
    keep("startup", {"objects": 1797}, rows)


if __name__ == "__main__":
    main()
