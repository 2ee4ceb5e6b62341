"""Objects of other packages that hold arrays are taken at every door, and say what they hold where that is not it.

The stand-ins have the parts of the real ones that are read; where these are installed, they are tried as well.
"""

from importlib import import_module
from importlib.util import find_spec
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.neighbors import kneighbors_graph

import notebook_sne as ns
from tests.standins.process import printed

OTHERS = ["anndata", "faiss", "gensim", "networkx", "pynndescent", "scanpy", "torch", "usearch", "xarray"]
N = 40
V = np.random.default_rng(0).normal(size=(N, 5))
NEAR = kneighbors_graph(V, 15, mode="distance")


def class_of(module, name, **members):
    """A class that another library would have made."""
    return type(name, (), {"__module__": module, **members})


def cells(X=None, obsm=(), obsp=()):
    made = class_of("anndata._core.anndata", "AnnData", shape=(N, 5), __len__=lambda self: N)()
    made.X, made.obsm, made.obsp = X, dict(obsm), dict(obsp)
    return made


def words():
    made = class_of("gensim.models.keyedvectors", "KeyedVectors", __len__=lambda self: N)()
    made.vectors, made.index_to_key = V.astype(np.float32), [f"word {i}" for i in range(N)]
    return made


class Tensor:
    """As one of torch: an array by the protocol, unless it has a gradient."""

    __module__ = "torch"

    def __init__(self, values, requires_grad=False):
        self.values, self.requires_grad = values, requires_grad
        self.shape, self.ndim, self.dtype = values.shape, values.ndim, "torch.float32"

    def __len__(self):
        return len(self.values)

    def __array__(self, dtype=None, copy=None):
        if self.requires_grad:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        return np.asarray(self.values, dtype)


def quick(**options):
    return ns.SNE(**{"perplexity": 5, "max_iter": 3, "random_state": 0, "progress": False, **options})


HOLDERS = {
    "cells": cells(V),
    "cells with components": cells(np.ones((N, 900)), obsm={"X_umap": np.ones((N, 2)), "X_pca": V}),
    "words": words(),
    "a model of words": SimpleNamespace,  # below
    "tensor": Tensor(V),
}
_trained = class_of("gensim.models.word2vec", "Word2Vec")()
_trained.wv = words()
HOLDERS["a model of words"] = _trained


@pytest.mark.slow
@pytest.mark.parametrize("kind", HOLDERS)
def test_what_holds_vectors_is_taken_at_every_door(kind):
    X, plain = HOLDERS[kind], V.astype(np.float32) if "words" in kind else V
    fitted, expected = quick().fit(X), quick().fit(plain)
    assert np.array_equal(fitted.embedding_, expected.embedding_)
    assert np.array_equal(fitted.transform(X), expected.transform(plain))
    assert np.array_equal(ns.affinities.conditional(X, 5), ns.affinities.conditional(plain, 5))
    assert np.array_equal(ns.baselines.PCA().fit_transform(X), ns.baselines.PCA().fit_transform(plain))
    Y = expected.embedding_
    assert ns.quality.trustworthiness(X, Y, 5) == ns.quality.trustworthiness(plain, Y, 5)
    run = ns.Run(quick(), X)
    run.close()


def test_neighbors_of_cells_are_taken():
    X = cells(V, obsp={"connectivities": NEAR, "distances": NEAR})
    expected = quick(input="neighbors").fit(NEAR)
    assert np.array_equal(quick(input="neighbors").fit(X).embedding_, expected.embedding_)


@pytest.mark.parametrize(
    ("X", "options", "told"),
    [
        (cells(None), {}, r"neither X nor obsm\['X_pca'\]; its obsm is empty"),
        (cells(None, obsm={"X_scvi": V}), {}, r"its obsm has 'X_scvi': give one of them, such as obsm\['X_scvi'\]"),
        (
            cells(V),
            {"input": "neighbors"},
            r"no obsp\['distances'\], which scanpy.pp.neighbors makes; its obsp is empty",
        ),
        (cells(V, obsp={"near": NEAR}), {"input": "neighbors"}, r"no obsp\['distances'\].*its obsp has 'near'"),
        (cells(V, obsp={"near": NEAR}), {"input": "probabilities"}, r"input='probabilities', got an AnnData.*'near'"),
    ],
)
def test_cells_without_the_part_say_which_there_are(X, options, told):
    with pytest.raises(ValueError, match=told):
        quick(**options).fit(X)


def test_a_tensor_with_a_gradient_says_how_to_leave_it():
    for call in (quick().fit, lambda X: ns.affinities.conditional(X, 5)):
        with pytest.raises(TypeError, match=r"requires grad.*; give X\.detach\(\)\.cpu\(\)\.numpy\(\)"):
            call(Tensor(V, requires_grad=True))


@pytest.mark.slow
def test_no_library_is_imported_unless_something_of_it_is_given():
    program = f"""
import sys
import notebook_sne as ns
from sklearn.neighbors import kneighbors_graph
X = ns.datasets.load_digits().X[:60]
model = ns.SNE(perplexity=5, max_iter=2, progress=False)
model.fit(X)
ns.SNE(perplexity=5, max_iter=2, progress=False, input="neighbors").fit(kneighbors_graph(X, 15, mode="distance"))
ns.affinities.from_graph(kneighbors_graph(X, 5))
print(sorted(set({OTHERS}) & set(sys.modules)))
"""
    assert printed(program).strip() == "[]"


def real(name):
    """Mark for what is tried with a library itself, where it is installed."""
    return pytest.mark.skipif(find_spec(name) is None, reason=f"{name} is not installed")


@pytest.mark.slow
@real("anndata")
def test_a_real_anndata():
    anndata = import_module("anndata")
    obs = pd.DataFrame(
        {"kind": pd.Categorical(["a", "b"] * (N // 2)), "genes": np.arange(N)}, index=[f"c{i}" for i in range(N)]
    )
    X = anndata.AnnData(V.astype(np.float32), obs=obs)
    expected = quick().fit(V.astype(np.float32))
    assert np.array_equal(quick().fit(X).embedding_, expected.embedding_)
    X.obsm["X_pca"] = V
    assert np.array_equal(quick().fit(X).embedding_, quick().fit(V).embedding_)
    assert np.array_equal(quick().fit(X[:30]).embedding_, quick().fit(V[:30]).embedding_)  # a view of some cells
    with pytest.raises(ValueError, match=r"no obsp\['distances'\]"):
        quick(input="neighbors").fit(X)
    X.obsp["distances"] = NEAR
    assert np.array_equal(quick(input="neighbors").fit(X).embedding_, quick(input="neighbors").fit(NEAR).embedding_)
    player = ns.watch(quick(), X, labels=X.obs["kind"], names=X.obs_names, columns=X.obs, start=False)
    player.run.close()


@pytest.mark.slow
@real("scanpy")
def test_neighbors_by_scanpy():
    scanpy, anndata = import_module("scanpy"), import_module("anndata")
    X = anndata.AnnData(V.astype(np.float32))
    scanpy.pp.neighbors(X, n_neighbors=16, use_rep="X")
    P = quick(input="neighbors", least_p=0.0).fit(X).affinities_
    assert abs(P - ns.affinities.conditional(V, 5, neighbors=15)).max() < 1e-4


@pytest.mark.slow
@real("gensim")
def test_real_word_vectors():
    KeyedVectors = import_module("gensim.models").KeyedVectors
    vectors = KeyedVectors(5)
    vectors.add_vectors([f"word {i}" for i in range(N)], V.astype(np.float32))
    for metric in ("euclidean", "cosine"):
        expected = quick(metric=metric).fit(V.astype(np.float32))
        assert np.array_equal(quick(metric=metric).fit(vectors).embedding_, expected.embedding_)
    trained = import_module("gensim.models").Word2Vec(
        [["a", "b", "c", "d", "e", "f", "g", "h"]] * 3, vector_size=5, min_count=1
    )
    assert quick(perplexity=3).fit(trained).embedding_.shape == (8, 2)


@pytest.mark.slow
@real("xarray")
def test_a_real_data_array():
    xarray = import_module("xarray")
    X = xarray.DataArray(V, dims=("object", "feature"), coords={"object": np.arange(N)})
    assert np.array_equal(quick().fit(X).embedding_, quick().fit(V).embedding_)
    with pytest.raises(TypeError, match="X must be an array"):
        quick().fit(xarray.Dataset({"x": X}))


@pytest.mark.slow
@real("torch")
def test_a_real_tensor():
    try:
        torch = import_module("torch")
    except ImportError as error:
        pytest.skip(str(error))
    X = torch.from_numpy(V)
    assert np.array_equal(quick().fit(X).embedding_, quick().fit(V).embedding_)
    with pytest.raises(TypeError, match=r"requires grad.*detach\(\)\.cpu\(\)\.numpy\(\)"):
        quick().fit(X.clone().requires_grad_())


@pytest.mark.slow
@pytest.mark.parametrize("library", ["faiss", "usearch", "pynndescent"])
def test_what_searches_return(library):
    if find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    X = np.ascontiguousarray(np.random.default_rng(0).normal(size=(500, 5)), dtype=np.float32)
    if library == "faiss":
        index = import_module("faiss").IndexFlatL2(5)
        index.add(X)
        squares, indices = index.search(X, 16)
        found = indices, np.sqrt(np.maximum(squares, 0))
    elif library == "usearch":
        index = import_module("usearch.index").Index(ndim=5, metric="l2sq", dtype="f32")
        index.add(np.arange(500), X)
        matches = index.search(X, 16, exact=True)
        found = matches.keys, np.sqrt(np.maximum(matches.distances, 0))
    else:
        found = import_module("pynndescent").NNDescent(X, n_neighbors=16, random_state=0).neighbor_graph
    P = quick(input="neighbors", least_p=0.0).fit(tuple(found)).affinities_
    expected = ns.affinities.conditional(X, 5, neighbors=15)
    assert abs(P - expected).sum() < 0.02 * 500  # one of them is approximate
    assert sparse.issparse(P)
