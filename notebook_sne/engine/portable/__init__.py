"""Models as compiled functions only, so that a page can compute them without Python.

This room repeats what NumPy and SciPy do between the kernels of `sums` and `mathematics`, for one thread and maps in
the plane. `affinities` makes P, and `fuzzy` that of UMAP. `evaluation` has cost and gradient of the models with one
map, `maps` those of the models with several, both from `sums`, and UMAP's from `logarithmic`. `seen` has the springs
and the cost of an object, `descent` an update, `noise` the random numbers of NumPy, and `elementary` the functions for
which a page has no library. `placing` places one new object, such as a drawing. `exports` is the table of what
``tools/build_kernels.py`` compiles to WebAssembly, kept as ``kernels.wasm``; that of `placing` is ``placing.wasm``. All
sums over pairs but UMAP's repulsion, the searches for sigma, the selection of neighbors, the merging of P with its
transpose and the search for copies are the same functions that Python calls.

A model has three forms. The source is `notebook_sne.engine.mathematics` over `notebook_sne.engine.sums`: every fit has
its bits. The form in this room follows the source, calls its kernels, and repeats only the work of NumPy and SciPy,
which a page doesn't have; ``tests/portable`` holds it to the source. The third form, ``tests/reference.py``, follows
the papers in plain NumPy, without a line of the other two; both are tested against it. Change an equation in the
reference first.
"""
