"""Sums over pairs of map points, of which every cost and gradient is made.

`pair_sums` sums over all pairs exactly; `mesh_sums` does the same for many objects by way of `meshes`, `splines` and
`influence`. `stored_pairs` and `stored_mixtures` sum over the pairs on which P is stored, for one map and for several;
`moments` has the sums around one point that the place of a new object needs.
"""
