"""Sums over pairs of map points: the parts of every cost and gradient.

`pair_sums` sums over all pairs exactly; `mesh_sums` does the same for many objects, with the help of `meshes`,
`splines`, `influence`, `fourier` and, in wide maps, `near_pairs`. `stored_pairs` and `stored_mixtures` sum over the
pairs for which P is stored, in one map and in several; `local_radii` tells how dense a map is around each object.
`symmetric` makes the stored P + P.T.
`umap_sums` (with `umap_pairs`), `power_pull` and `umap_places` have UMAP's repulsion, attraction and places of new
objects; `pair_counts` counts pairs by distance, for InfoNCE. `moments` has the sums around one point that are needed to
place a new object.
"""

from typing import Protocol

from notebook_sne.engine.checks.arrays import Floats, Ints

__all__ = ["Sums"]


class Sums(Protocol):
    """A way to sum over all pairs: `pair_sums.gaussian_sums` and `student_sums`, or those of `mesh_sums`."""

    def __call__(
        self, Y: Floats, weights: Floats | None = None, *, groups: Ints | None = None
    ) -> tuple[Floats, Floats]:
        """Return values, shape (N,), and forces, shape (N, d), of map points Y, shape (N, d).

        ``sums(Y, weights)[0][i]`` is the sum of w_j K(d_ij) over j, ``[1][i]`` that of w_j K'(d_ij) (y_i - y_j).
        Without weights, shape (N,), every w_j is 1; with groups, i meets only j with groups[g] <= i, j < groups[g + 1].
        """
