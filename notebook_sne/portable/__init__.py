"""Models as compiled functions alone, so that a page computes them where there is no Python.

What NumPy and SciPy do between the kernels of `sums` and `mathematics` is written once more here, for one thread and
maps in the plane. `affinities` makes P; `evaluation` has cost and gradient of the models with one map, `maps` of those
with several, both of `sums`; `seen` has the springs and the cost of an object, `descent` an update, `noise` the random
numbers of NumPy, `elementary` the functions that a page has no library for. `exports` is the table of what
``tools/build_kernels.py`` compiles to WebAssembly, kept as ``kernels.wasm``. All sums over pairs, the search for sigma,
the selection of neighbors, the merging of P with its transpose and the search for copies are the same functions that
Python calls.

A model has three forms. The source is `notebook_sne.mathematics` over `notebook_sne.sums`: every fit has its bits. What
is here follows it, calls its kernels, and repeats only what NumPy and SciPy do between them, which a page has not;
``tests/portable`` holds it to the source. ``tests/reference.py`` follows the papers instead, in plain NumPy without a
line of the other two; both are tested against it. A change of an equation begins in the reference.
"""
