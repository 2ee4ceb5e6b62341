"""Objects of other packages that hold arrays are taken at every door, and say what they hold where that is not it.

The stand-ins have the parts of the real ones that are read; where these are installed, they are tried as well.
"""

import warnings
from importlib import import_module
from importlib.util import find_spec

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.neighbors import kneighbors_graph

import notebook_sne as ns
from tests.standins.process import printed

OTHERS = [
    "anndata", "faiss", "gensim", "hnswlib", "networkx", "openTSNE", "polars", "pynndescent", "scanpy",
    "torch", "usearch", "xarray",
]  # fmt: skip
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
    "a model of words": class_of("gensim.models.word2vec", "Word2Vec", wv=words())(),
    "tensor": Tensor(V),
}


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
        (cells(V), {"input": "neighbors"}, r"no obsp\['distances'\], which scanpy.pp.neighbors .* obsp is empty"),
        (cells(V, obsp={"near": NEAR}), {"input": "neighbors"}, r"no obsp\['distances'\].*its obsp has 'near'"),
        (cells(V, obsp={"near": NEAR}), {"input": "probabilities"}, r"input='probabilities', got an AnnData.*'near'"),
    ],
)
def test_cells_without_the_part_say_which_there_are(X, options, told):
    with pytest.raises(ValueError, match=told):
        quick(**options).fit(X)


EVEN = ns.affinities.joint(ns.affinities.conditional(V, 5, neighbors=15))
ROWS = ns.affinities.conditional(V, 5, neighbors=15)


def affinities_of(P):
    made = class_of("openTSNE.affinity", "PerplexityBasedNN")()
    made.P = P
    return made


@pytest.mark.parametrize(
    ("X", "input"),
    [
        (affinities_of(EVEN), "joint"),
        (ns.affinities.from_graph(NEAR, joint=True), "joint"),
        (ns.affinities.from_graph(NEAR), "probabilities"),
    ],
    ids=["openTSNE", "a joint graph", "a graph"],
)
def test_what_holds_a_p_is_taken_as_it_is(X, input):
    model = ns.TSNE(input=input, max_iter=3, random_state=0, progress=False)
    assert np.array_equal(model.fit(X).embedding_, clone(model).fit(X.P).embedding_)
    with ns.Run(clone(model), X) as run:
        assert np.array_equal(run.steps(3).embedding, model.state_.embedding)


@pytest.mark.parametrize(
    ("model", "X", "input", "told"),
    [
        (ns.TSNE, affinities_of(EVEN), "vectors", "a PerplexityBasedNN, which holds a joint P; say input='joint'"),
        (ns.TSNE, affinities_of(EVEN), "probabilities", "say input='joint'"),
        (ns.SNE, affinities_of(EVEN), "joint", r"give its rows, affinities.from_counts\(X.P\), with input='probabi"),
        (ns.TSNE, affinities_of(ROWS / N), "vectors", r"give its rows, affinities.from_counts\(X.P\)"),
        (ns.TSNE, ns.affinities.from_graph(NEAR), "neighbors", "a Graph, .* conditional P; say input='probabilities'"),
        (ns.TSNE, ns.affinities.from_graph(NEAR, joint=True), "probabilities", "a joint P; say input='joint'"),
    ],
)
def test_what_holds_another_p_says_which_input_it_is(model, X, input, told):
    with pytest.raises(TypeError, match=told):
        model(input=input, max_iter=3, progress=False).fit(X)
    if "from_counts" in told:  # the way out
        P = ns.affinities.from_counts(X.P)
        assert model(input="probabilities", max_iter=3, progress=False).fit(P).embedding_.shape == (N, 2)


def test_nodes_of_a_graph_are_its_names():
    graph = ns.affinities.from_graph(NEAR, joint=True)._replace(nodes=[f"node {i}" for i in range(N)])
    player = ns.watch(ns.TSNE(input="joint"), graph, autoplay=False)
    assert player.names[:2] == ["node 0", "node 1"]
    player.close()


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
    given = [
        {"labels": X.obs["kind"], "names": X.obs_names, "columns": X.obs},
        {"labels": "kind", "names": X.obs_names, "columns": ["kind", "genes"]},
    ]
    players = [ns.watch(quick(), X, autoplay=False, **facts) for facts in given]
    one, other = ({name: getattr(player, name) for name in LOOKS} for player in players)
    assert one == other and one["class_names"] == ["a", "b"]
    for player in players:
        player.close()
    table = ns.sweep(quick(), X, {"perplexity": [4]}, seeds=[0], labels="kind", progress=False)
    assert table.knn_error.notna().all()


LOOKS = ("classes", "class_names", "names", "object_columns", "object_numbers")


@pytest.mark.slow
@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_a_real_table_gives_its_columns_by_name(library):
    if find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    facts = {
        "kind": ["a", None] * (N // 2),
        "year": [2**60 + i for i in range(N)],
        "some": [None, 2**60 + 1] * (N // 2),
        "day": np.arange(N).astype("datetime64[ns]") + np.timedelta64(3, "ns"),
    }
    numbers = {f"x{k}": V[:, k] for k in range(5)}
    make = import_module(library).DataFrame if library == "polars" else import_module(library).table
    frame, exact = make({**facts, **numbers}), pd.array(facts["some"], dtype="Int64")
    expected = pd.DataFrame({**facts, **numbers, "some": exact})
    players = [
        ns.watch(quick(), X, labels="kind", columns=["year", "some", "day"], autoplay=False) for X in (frame, expected)
    ]
    one, other = ({name: getattr(player, name) for name in LOOKS} for player in players)
    assert one == other
    assert [column["kind"] for column in one["object_columns"]] == ["number", "number", "date"]
    assert all(np.array_equal(np.asarray(player.run.X), V) for player in players)
    for player in players:
        player.close()
    with ns.Run(quick(), V) as run:
        player = ns.Player(run, columns=make(facts))
        assert [column["name"] for column in player.object_columns] == list(facts)
    with pytest.raises(TypeError, match=r"X\['kind'\] must be numbers, got text; .*X\.drop\(\['kind', 'day'\]\)"):
        quick().fit(frame)


@pytest.mark.slow
@real("openTSNE")
def test_real_affinities_of_open_tsne():
    found = import_module("openTSNE").affinity.PerplexityBasedNN(V, perplexity=5, random_state=0)
    model = ns.TSNE(input="joint", max_iter=3, random_state=0, progress=False, least_p=0.0).fit(found)
    assert abs(model.affinities_ - sparse.csr_array(found.P)).max() < 1e-12
    assert abs(model.affinities_ - EVEN).sum() < 1e-3


@pytest.mark.slow
@real("scanpy")
def test_neighbors_by_scanpy():
    scanpy, anndata = import_module("scanpy"), import_module("anndata")
    X = anndata.AnnData(V.astype(np.float32))
    scanpy.pp.neighbors(X, n_neighbors=16, use_rep="X")
    P = quick(input="neighbors", least_p=0.0).fit(X).affinities_
    assert abs(P - ns.affinities.conditional(V, 5, neighbors=15)).max() < 1e-4


@pytest.mark.slow
@real("scanpy")
def test_neighbors_as_scanpy_finds_them_fit_as_they_are():
    scanpy, anndata = import_module("scanpy"), import_module("anndata")
    X = anndata.AnnData(np.random.default_rng(0).normal(size=(120, 5)).astype(np.float32))
    scanpy.pp.neighbors(X, use_rep="X")  # 15 with the object itself
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = ns.TSNE(input="neighbors", max_iter=3, progress=False).fit(X)
    assert model.trace_.perplexity.tolist() == [pytest.approx(28 / 3)] * 4


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
    X = X.assign_coords(kind=("object", ["a", "b"] * (N // 2)), unit=("feature", list("uvwxy")))
    player = ns.watch(quick(), X, labels="kind", columns=["kind"], autoplay=False)
    assert player.class_names == ["a", "b"]
    player.close()
    with pytest.raises(ValueError, match=r"labels must name a column of X\.coords, .* 'kind', got 'unit'"):
        ns.watch(quick(), X, labels="unit", autoplay=False)


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
@pytest.mark.parametrize("library", ["faiss", "hnswlib", "usearch", "pynndescent"])
def test_what_searches_return(library):
    if find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    X = np.ascontiguousarray(np.random.default_rng(0).normal(size=(500, 5)), dtype=np.float32)
    if library == "faiss":
        index = import_module("faiss").IndexFlatL2(5)
        index.add(X)
        squares, indices = index.search(X, 16)
        found = indices, np.sqrt(np.maximum(squares, 0))
    elif library == "hnswlib":
        index = import_module("hnswlib").Index(space="l2", dim=5)
        index.init_index(500)
        index.add_items(X)
        index.set_ef(100)
        indices, squares = index.knn_query(X, k=16)
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
