"""From data to P: how probable is it that object i would choose j as its neighbor?

A *conditional* P has ``P[i, j]`` = p_{j|i}; each row sums to 1. A *joint* P is symmetric and sums to 1 over all
ordered pairs. Both have a zero diagonal. SNE, aspect maps and the mixture of images model a conditional P; symmetric
SNE, UNI-SNE, t-SNE and multiple maps t-SNE a joint one.

.. math::

    p_{j|i} = exp(-D_ij / (2 sigma_i^2)) / sum_{h != i} exp(-D_ih / (2 sigma_i^2))           (a conditional P)

    p_ij = (p_{j|i} + p_{i|j}) / (2 N)                                                       (a joint P)

D_ij is the squared distance of two objects. The perplexity sets the width sigma_i of each Gaussian. It is 2**H, with H
the entropy of row i in bits: the number of equally probable neighbors that would be as hard to guess. If more neighbors
than that are nearest, all at one distance, as among many duplicates, no width is narrow enough to tell them apart. Then
they share the mass evenly, and a warning tells for how many objects.

Every model makes its P by itself. Use these functions to look at P, and to give another one with
``input="probabilities"`` or ``input="joint"``. `from_neighbors` makes P from the neighbors of any search.

`makers` has these functions, and `probabilities` the computations of these and of the models. `nearest` finds
neighbors: exactly, or by the lists of `neighbor_lists` among many objects. `metrics` has the distances,
`neighbor_graphs` the graphs of neighbors, `fuzzy` that of UMAP, and `sparse_distances` measures objects that are mostly
zeros.

Examples
--------
>>> import notebook_sne as ns
>>> digits = ns.datasets.load_digits().sample(30, random_state=0)
>>> P = ns.affinities.conditional(digits.X, perplexity=20)
>>> J = ns.affinities.joint(P)
>>> Y = ns.SymmetricSNE(input="joint", max_iter=50).fit_transform(J)
"""

from notebook_sne.affinities.makers import (
    conditional,
    from_counts,
    from_distances,
    from_graph,
    from_neighbors,
    joint,
    joint_with_one_sigma,
    keep_large,
    on_disk,
    umap,
)

__all__ = [
    "conditional",
    "from_counts",
    "from_distances",
    "from_graph",
    "from_neighbors",
    "joint",
    "joint_with_one_sigma",
    "keep_large",
    "on_disk",
    "umap",
]
