"""placing.wasm against Python's own `transform`."""

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.browser.widgets.drawing import KERNELS, draw
from tests.portable.engines import NODE, in_node, in_wasmtime

pytest.importorskip("wasmtime")

_digits = ns.datasets.load_digits()
FITTED, NEW = _digits.select(slice(0, 300)), _digits.X[300:340]


def calls(model):
    """What places the new objects, as a page asks for it."""
    rule = draw(model, FITTED.images).rule
    N, K = FITTED.X.shape
    arrays = {"X": FITTED.X, "Y": np.asarray(model.embedding_, float), "d": np.empty(N)}
    arrays |= {f"x{i}": x for i, x in enumerate(NEW)} | {f"y{i}": np.empty(2) for i in range(len(NEW))}
    how = (rule["perplexity"], rule["least_p"], int(rule["student"]), rule["background"])
    return arrays, [("place", N, K, "X", "Y", f"x{i}", *how, "d", f"y{i}") for i in range(len(NEW))]


@pytest.mark.parametrize("model", [ns.SNE(perplexity=20), ns.UNISNE(perplexity=8), ns.TSNE(perplexity=20)])
def test_a_page_places_new_objects_where_transform_does(model):
    model = model.set_params(max_iter=150, random_state=0).fit(FITTED.X)
    costs, after = in_wasmtime(*calls(model), KERNELS)
    found, wanted = np.array([after[f"y{i}"] for i in range(len(NEW))]), model.transform(NEW)
    spread = wanted.std()
    assert spread > 1.0 and np.isfinite(costs).all()
    # Sums in single precision decide between descents that end equally low, and one object in fifty may have two.
    assert (np.abs(found - wanted).max(axis=1) < 2e-3 * spread).mean() > 0.95
    np.testing.assert_allclose(after["d"], np.square(FITTED.X - NEW[-1]).sum(axis=1))


@pytest.mark.skipif(NODE is None, reason="no Node found; install it to compare two engines")
def test_two_engines_have_the_same_bits():
    work = calls(ns.TSNE(perplexity=20, max_iter=50, random_state=0).fit(FITTED.X))
    (costs, after), (others, there) = in_wasmtime(*work, KERNELS), in_node(*work, KERNELS)
    assert costs == others and all((after[name] == there[name]).all() for name in after)


def test_a_perplexity_that_no_row_has_is_told():
    arrays = {"X": np.zeros((5, 2)), "Y": np.zeros((5, 2)), "x": np.ones(2), "d": np.empty(5), "y": np.zeros(2)}
    (cost,), _ = in_wasmtime(arrays, [("place", 5, 2, "X", "Y", "x", 30.0, 0.0, 1, 0.0, "d", "y")], KERNELS)
    assert np.isnan(cost)
