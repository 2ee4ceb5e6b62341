"""What a page computes beside plain NumPy, beside Python's fits, and in two engines: how far apart they are.

Cost and gradient of ``kernels.wasm`` stand beside the formulas in double precision (`tests/reference.py`), at several
spreads of the map; errors of a gradient are shares of the sum of all attraction, beside which rounding is to be seen. A
fit of Python on 120 digits is gone on with from its start: each update by itself, and fifty one after the other, as
shares of the largest coordinate. In the fifty, t-SNE has no gains, which grow or shrink by the sign of numbers near 0,
and UMAP no exaggeration, under which objects are pulled past each other; each single update has them. Both engines,
wasmtime and V8 in Node, are compared bit by bit.
"""

import numpy as np

from benchmarks.record import keep
from notebook_sne.mathematics.distances import squared_distances, unit_spread
from tests.mathematics.test_costs import random_p
from tests.portable.engines import WASM, in_node, in_wasmtime
from tests.portable.problems import KNOBS, MODELS, REFERENCES, STEADY, Course, unit_of
from tests.portable.test_affinities import conditional_work, csr, exact_p, objects
from tests.portable.test_kernels import evaluated, places

SPREADS = 1e-4, 0.1, 1.0, 10.0
LABELS = {
    "sne": "SNE",
    "symmetric": "symmetric SNE",
    "unisne": "UNI-SNE",
    "tsne": "t-SNE",
    "elastic": "elastic embedding",
    "umap": "UMAP",
}


def of_formula(name):
    """Return the largest errors of cost, relative, and gradient over spreads and seeds."""
    costs, gradients = [], []
    for spread in SPREADS:
        for seed in range(3):
            P, Y = random_p(40, REFERENCES[name][-1], density=0.3), places(40, spread, seed)
            _, cost, gradient = evaluated(name, P, Y, **KNOBS.get(name, {}))
            wanted, slope = REFERENCES[name][2](P, Y)
            costs.append(abs(cost - wanted) / abs(wanted))
            gradients.append(np.linalg.norm(gradient - slope) / unit_of(name, P, Y, slope))
    return max(costs), max(gradients)


def of_python(name):
    """Return how far single updates are from Python's at most, and fifty; and whether two engines agree in all bits."""
    single = []
    for arrays, calls, there in Course(name).steps():
        _, after = in_wasmtime(arrays, calls)
        single.append(np.abs(after["state"][0] - there.Y[0]).max() / np.abs(there.Y[0]).max())
    course = Course(name, gains=False, **STEADY.get(name, {}))
    arrays, calls = course.work()
    (results, after), (others, there) = in_wasmtime(arrays, calls), in_node(arrays, calls)
    last = course.states[-1].Y[0]
    same = results == others and all(after[key].tobytes() == there[key].tobytes() for key in arrays)
    return max(single), np.abs(after["state"][0] - last).max() / np.abs(last).max(), same


def of_p():
    """Return the largest relative error of an entry of P, at three perplexities."""
    errors = []
    for perplexity in (2.5, 20.0, 150.0):
        arrays, calls, _ = conditional_work(objects(), perplexity)
        P = csr(in_wasmtime(arrays, calls)[1], 200)
        wanted = exact_p(squared_distances(unit_spread(objects())), perplexity)
        assert np.array_equal(P.indices, wanted.indices)
        errors.append(np.abs(P.data / wanted.data - 1.0).max())
    return max(errors)


def short(x):
    """Return a number with two digits."""
    return float(f"{x:.1e}")


def main():
    """Measure, print and keep."""
    rows = []
    for name, label in LABELS.items():
        cost, gradient = of_formula(name)
        single, fifty, same = of_python(name)
        rows.append(
            {
                "model": label,
                "cost": short(cost),
                "gradient": short(gradient),
                "one update": short(single),
                "fifty updates": short(fifty),
                "two engines": "the same bits" if same else "other bits",
            }
        )
        print(rows[-1], flush=True)
    settings = {"objects of the formulas": 40, "spreads": SPREADS, "seeds": 3, "digits": 120, "P": short(of_p())}
    print(settings, set(MODELS) == set(LABELS))
    keep("equal", {**settings, "bytes": WASM.stat().st_size}, rows, peers=("wasmtime",))


if __name__ == "__main__":
    main()
