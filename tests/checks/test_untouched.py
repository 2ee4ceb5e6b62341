"""What a user gives is read, and neither changed nor needed writable: it may be mapped, or in use in other threads."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy import sparse

import notebook_sne as ns
from tests import calls

VECTORS = np.where(np.abs(calls.X) > 0.6, calls.X, 0.0) + np.eye(calls.N)[:, :4]
JOINT = (calls.P + calls.P.T) / (2 * calls.N)
NEAREST = np.where(calls.D <= np.sort(calls.D, axis=1)[:, 8:9], calls.D, 0.0)
TAKES = {"probabilities": calls.P, "joint": JOINT, "neighbors": NEAREST, "vectors": VECTORS}


def embed(kind, input, **parameters):
    def fit(A):
        model = calls.fit(kind, A, **{"input": input, **parameters})
        return getattr(model, "embedding_", getattr(model, "maps_", None))

    return fit


def asked(name, argument):
    function, arguments = calls.CALLS[name]
    return lambda A: function(**{**arguments, argument: A})


FITTED = {
    "P": (calls.fit(ns.SNE, calls.P, input="probabilities"), calls.P),
    "vectors": (calls.fit(ns.TSNE, sparse.csr_array(VECTORS)), VECTORS),
    "neighbors": (calls.fit(ns.TSNE, sparse.csr_array(NEAREST), input="neighbors"), NEAREST),
}
ENTRANCES = {
    **{f"SNE, {input}": (embed(ns.SNE, input), TAKES[input]) for input in ("probabilities", "neighbors", "vectors")},
    **{f"TSNE, {input}": (embed(ns.TSNE, input), A) for input, A in TAKES.items()},
    "UMAP": (lambda A: ns.UMAP(n_neighbors=5, max_iter=2, random_state=0, progress=False).fit_transform(A), VECTORS),
    "AspectMaps": (embed(ns.AspectMaps, "probabilities"), calls.P),
    "MixtureSNE": (embed(ns.MixtureSNE, "probabilities"), calls.P),
    **{f"transform {of}": (model.transform, A) for of, (model, A) in FITTED.items()},
    "Run": (calls.run, calls.P),
    "watch": (lambda A: calls.show(ns.watch, calls.Drifting(), A, autoplay=False), calls.P),
    "conditional": (lambda A: ns.affinities.conditional(A, 5), VECTORS),
    "umap": (lambda A: ns.affinities.umap(A, n_neighbors=5), VECTORS),
    "joint": (ns.affinities.joint, calls.P),
    "keep_large": (lambda A: ns.affinities.keep_large(A)[0], calls.P),
    "from_counts": (ns.affinities.from_counts, calls.COUNTS),
    "from_graph": (lambda A: ns.affinities.from_graph(A).P, calls.COUNTS),
    "kl_divergence": (asked("quality.kl_divergence", "P"), calls.P),
    "read": (asked("senses.read", "counts"), calls.COUNTS),
    "separation": (asked("senses.separation", "counts"), calls.COUNTS),
    "held out": (asked("senses.separation", "held_out"), calls.COUNTS),
    "triangles": (asked("senses.triangles", "P"), calls.P),
    "explore": (asked("explore", "counts"), calls.COUNTS),
    "Dataset": (lambda A: ns.datasets.Dataset(title="t", counts=A).counts, calls.COUNTS),
}


def parts(A):
    return (A.data, *A.coords) if A.format == "coo" else (A.data, A.indices, A.indptr)


def untidy(A, form, twice):
    """Return a sparse A whose rows are in falling order of columns, its first entries in two parts if `twice`."""
    i, j = np.nonzero(A)
    values = A[i, j].astype(float)
    if twice:
        values[:3] /= 2
        i, j, values = np.r_[i, i[:3]], np.r_[j, j[:3]], np.r_[values, values[:3]]
    major, minor = (j, i) if form == "csc" else (i, j)
    order = np.lexsort((-minor, major))
    if form == "coo":
        return sparse.coo_array((values[order], (i[order], j[order])), shape=A.shape)
    pointers = np.r_[0, np.cumsum(np.bincount(major, minlength=A.shape[form == "csc"]))]
    arrays = values[order], minor[order].astype(np.int32), pointers.astype(np.int32)
    return (sparse.csc_array if form == "csc" else sparse.csr_array)(arrays, shape=A.shape)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("entrance", ENTRANCES)
def test_a_sparse_matrix_in_any_order_stays_as_it_is(entrance):
    function, A = ENTRANCES[entrance]
    expected = function(sparse.csr_array(A))
    for form in ("csr", "csc", "coo"):
        for twice in (False, True) if A is not NEAREST else (False,):  # a neighbor that is there twice is refused
            for writable in (True, False):
                given = untidy(A, form, twice)
                for part in parts(given):
                    part.flags.writeable = writable
                before = [part.tobytes() for part in parts(given)]
                found = function(given)
                assert [part.tobytes() for part in parts(given)] == before
                if sparse.issparse(expected) or isinstance(expected, np.ndarray):
                    np.testing.assert_allclose(
                        *(x.toarray() if sparse.issparse(x) else x for x in (found, expected)), atol=1e-6
                    )


def test_threads_that_fit_one_sparse_matrix_find_one_map():
    given = untidy(VECTORS, "csr", True)
    fit = embed(ns.TSNE, "vectors", n_jobs=1)
    expected = fit(given.copy())
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(fit, [given] * 8))
    assert all(np.array_equal(expected, map_) for map_ in found)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", calls.CALLS)
def test_arrays_may_be_mapped_or_come_from_another_machine(name, tmp_path):
    function, arguments = calls.CALLS[name]
    for argument, value in arguments.items():
        if isinstance(value, np.ndarray) and value.dtype.kind in "fi":
            np.save(tmp_path / "array.npy", value)
            mapped = np.load(tmp_path / "array.npy", mmap_mode="r")
            for given in (mapped, value.astype(value.dtype.newbyteorder())):
                before = given.tobytes()
                function(**{**arguments, argument: given})
                assert given.tobytes() == before
