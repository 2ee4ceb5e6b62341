"""Updates a second of kernels.wasm in Node, beside Python's own on one thread, in one run.

Both go on from the same state, after 250 updates, with the same P; a round of the one follows a round of the other, so
that a noisy neighbor slows both. What is told is processor time, the median over rounds. A new P is made once in both:
neighbors, sigmas, the threshold and P + P.T, at another perplexity.
"""

import json
import subprocess
import tempfile
import time
from itertools import islice
from pathlib import Path

import numpy as np

import notebook_sne as ns
from benchmarks.record import keep
from notebook_sne.engine.fitting.inputs import target
from notebook_sne.engine.machine.parallel import threads
from notebook_sne.engine.mathematics.distances import unit_spread
from notebook_sne.engine.optimizers.schedules import Steps
from notebook_sne.engine.portable import evaluation
from tests.portable.engines import NODE, WASM
from tests.portable.problems import MODELS

SIZES = 300, 1000, 1797, 5000
NAMES = {"tsne": "t-SNE", "sne": "SNE", "unisne": "UNI-SNE"}
ROUNDS, BEFORE, SECONDS = 7, 250, 0.3
MOST_SEARCHED = 3000  # up to here over all pairs, as in a fit


def data(n_objects):
    """Return that many objects: digits as far as there are any."""
    if n_objects <= 1797:
        return ns.datasets.load_digits().X[:n_objects]
    return ns.datasets.load_clusters(n_objects=(n_objects // 10,) * 10, widths=(1.0,) * 10, n_features=30).X


class Native:
    """A fit in Python on one thread, with exact sums."""

    def __init__(self, name, X):
        more = {"background": Steps(0.0, 0.2, at=100)} if name == "unisne" else {}
        self.model = MODELS[name][1](perplexity=30, random_state=0, n_jobs=1, sums="exact", progress=False, **more)
        self.states = self.model.iterate(X)
        self.state = next(islice(self.states, BEFORE, None))
        self.problem = self.states._problem

    def measure(self):
        """Return updates a second of processor time."""
        n, began, clock = 0, time.process_time(), 0.0
        while (clock := time.process_time() - began) < SECONDS:
            next(self.states)
            n += 1
        return n / clock


class InNode:
    """The same state in Node, in a process that waits for a line and answers with one."""

    def __init__(self, name, native, folder):
        N, pairs, state = native.problem.n_objects, native.problem._made.pairs, native.state
        own, values = state.memory["own"], dict(state.knobs)
        values["slack"] = 1e-3 * native.problem.cost_scale
        values |= {"exaggeration": values.get("exaggeration", 1.0), "degrees_of_freedom": 1.0}
        if native.model._gains:
            gains = ("increment", "factor", "least_gain", "greatest_gain")
            values |= dict(zip(gains, native.model._gains, strict=True))
        layers = np.zeros((5, N, 2))
        layers[0], layers[1] = state.Y[0], own["velocity"].reshape(-1, 2)
        layers[2] = own["gains"].reshape(-1, 2)
        arrays = {
            "pointers": pairs.pointers, "columns": pairs.columns, "strengths": pairs.strengths,
            "settings": np.array([float(values.get(key, 0.0)) for key in evaluation.SETTINGS]),
            "held": np.zeros(N, np.uint8), "state": layers, "numbers": np.array([0.0, 0.0, 1.0, np.inf]),
        }  # fmt: skip
        sizes = {}
        for key, array in arrays.items():
            (folder / key).write_bytes(np.ascontiguousarray(array).tobytes())
            sizes[key] = array.nbytes
        work = {"model": MODELS[name][0], "N": N, "negentropy": pairs.negentropy, "arrays": sizes, "seconds": SECONDS}
        (folder / "work.json").write_text(json.dumps(work))
        here = Path(__file__).with_suffix(".mjs")
        self.process = subprocess.Popen(
            [NODE, here, WASM, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def measure(self, line="update"):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def new_p(X, node, folder):
    """Return the processor seconds of a new P in Node and in Python."""
    N, n_neighbors = len(X), len(X) - 1 if len(X) <= MOST_SEARCHED else 90
    (folder / "X").write_bytes(unit_spread(X).tobytes())
    took = node.measure(json.dumps({"n_features": X.shape[1], "n_neighbors": n_neighbors, "perplexity": 29.0}))
    began = time.process_time()
    with threads(1):
        P = target(X, "vectors", 29.0, "joint").P
    assert P.shape == (N, N)
    return took, time.process_time() - began


def main(sizes=SIZES):
    """Measure, print and keep."""
    rows = []
    for n_objects in sizes:
        X = data(n_objects)
        for name, label in NAMES.items():
            row = {"objects": n_objects, "model": label}
            native = Native(name, X)
            with tempfile.TemporaryDirectory() as place:
                node = InNode(name, native, Path(place))
                node.measure()  # V8 compiles a function again once it is hot
                pairs = [(native.measure(), node.measure()) for _ in range(ROUNDS)]
                ours, theirs = (float(np.median([pair[k] for pair in pairs])) for k in (0, 1))
                row["native, updates/s"], row["page, updates/s"] = round(ours), round(theirs)
                row["native / page"] = round(ours / theirs, 1)
                page, alone = new_p(X, node, Path(place)) if name == "tsne" else (None, None)
                row["native, s for a new P"] = alone and round(alone, 2)
                row["page, s for a new P"] = page and round(page, 2)
                node.close()
            rows.append(row)
    settings = {"rounds": ROUNDS, "updates before": BEFORE, "perplexity": 30, "bytes": WASM.stat().st_size}
    keep("kernels", settings, rows)


if __name__ == "__main__":
    main()
