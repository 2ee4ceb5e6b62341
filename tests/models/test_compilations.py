"""Nothing is compiled twice: every kind of input reaches the kernels as one and the same."""

import os

import pytest

from tests.standins.process import printed

CODE = """
import importlib, itertools, pkgutil
import numpy as np
from scipy import sparse
import notebook_sne as ns
from notebook_sne import affinities
from notebook_sne.engine import machine, mathematics, sums
from notebook_sne.engine.fitting import inputs

rng = np.random.default_rng(0)
X = np.round(8 * rng.normal(size=(40, 5)))
P = affinities.keep_large(affinities.conditional(X, 6))[0].toarray()
J = affinities.joint(P)
D = np.sqrt(np.square(X[:, None] - X[None]).sum(axis=2))

def frozen(A):
    A = A.copy()
    A.flags.writeable = False
    return A

def wide(A):
    A = sparse.csr_array(A)
    A.indices, A.indptr = A.indices.astype(np.int64), A.indptr.astype(np.int64)
    return A

def shut(A):
    A = sparse.csr_array(A)
    for part in (A.data, A.indices, A.indptr):
        part.flags.writeable = False
    return A

dense = {
    "float32": lambda A: A.astype(np.float32),
    "big-endian": lambda A: A.astype(">f8"),
    "Fortran": np.asfortranarray,
    "read-only": frozen,
    "strided": lambda A: np.repeat(A, 2, axis=1)[:, ::2],
    "reversed": lambda A: np.ascontiguousarray(A[::-1])[::-1],
    "list": lambda A: A.tolist(),
}
whole = {"int64": lambda A: A.astype(np.int64), "int8": lambda A: A.astype(np.int8)}
rows = {
    "int64 indices": wide, "read-only": shut, "columns": sparse.csc_array, "matrix": sparse.csr_matrix,
    "coordinates": sparse.coo_array, "float32": lambda A: sparse.csr_array(A).astype(np.float32),
}

def kernels():
    found = {}
    rooms = (machine, sums, mathematics)
    for module in itertools.chain(*(pkgutil.iter_modules(r.__path__, r.__name__ + ".") for r in rooms)):
        for name, kernel in vars(importlib.import_module(module.name)).items():
            kernel = getattr(kernel, "__wrapped__", kernel)
            if hasattr(kernel, "signatures"):
                found[f"{kernel.__module__}.{kernel.__name__}"] = kernel
    return found

def compiled():
    return {name: set(kernel.signatures) for name, kernel in kernels().items()}

def run(model, data):
    states = model.iterate(data)
    for state in itertools.islice(states, 3):
        pass
    if len(state.Y) == 1 and state.mixing is None:
        states.forces(state, 0)
        states.costs(state)

def all_of_it(vectors, distances, conditional, joint):
    shared = {"random_state": 0, "perplexity": 6.0}
    mixtures = {"n_maps": 2, **shared}
    for sums in ("exact", "mesh"):
        for kind in (ns.SNE, ns.SymmetricSNE, ns.UNISNE, ns.TSNE):
            run(kind(sums=sums, **shared), vectors)
            run(kind(input="distances", **shared), distances)
            run(kind(input="probabilities", **shared), conditional)
            if kind is not ns.SNE:
                run(kind(input="joint", **shared), joint)
        for kind in (ns.AspectMaps, ns.MultipleMapsTSNE):
            run(kind(sums=sums, **mixtures), vectors)
            run(kind(sums=sums, input="probabilities", **mixtures), conditional)
    run(ns.MixtureSNE(**shared), vectors)
    run(ns.MixtureSNE(input="probabilities", **shared), conditional)
    fitted = ns.TSNE(max_iter=3, progress=False, **shared).fit(vectors)
    fitted.transform(vectors[:5])

def sparse_search(vectors):
    inputs.MOST_SEARCHED_OBJECTS = 10
    run(ns.SNE(random_state=0, perplexity=6.0), vectors)
    affinities.joint(affinities.conditional(vectors, 6, neighbors=18))
    inputs.MOST_SEARCHED_OBJECTS = 2000

all_of_it(X, D, P, J)
all_of_it(X, D, sparse.csr_array(P), sparse.csr_array(J))
sparse_search(X)
first = compiled()
assert sum(map(len, first.values())) > 10, first
wrong = []
for name, signatures in first.items():
    # Two that tell apart only what may be written, or what lies side by side, are one too many.
    kinds = [tuple((getattr(t, "dtype", t), getattr(t, "ndim", 0)) for t in signature) for signature in signatures]
    if len(set(kinds)) < len(kinds):
        wrong.append(f"at first: {name}{signatures}")

def see(what):
    for name, signatures in compiled().items():
        if more := signatures - first[name]:
            wrong.append(f"{what}: {name}{next(iter(more))}")
            first[name] |= more

for name, form in {**dense, **whole}.items():
    if name not in whole:
        all_of_it(form(X), form(D), form(P), form(J))
    else:
        run(ns.TSNE(random_state=0, perplexity=6.0), form(X))
    see(name)
    sparse_search(form(X))
    see(f"{name}, sparse")
for name, form in rows.items():
    all_of_it(X, D, form(P), form(J))
    see(name)
print("\\n".join(wrong))
"""


@pytest.mark.slow
@pytest.mark.skipif(bool(os.environ.get("NUMBA_DISABLE_JIT")), reason="nothing is compiled")
def test_no_kind_of_input_is_compiled_for_anew():
    assert printed(CODE).strip() == ""
