"""One function for each kind of input for P, and for each operation on P.

Longer than 300 lines because each function teaches its equation, and works in an example.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from notebook_sne.affinities.neighbor_graphs import Graph, as_graph
from notebook_sne.affinities.probabilities import (
    average,
    conditional_and_ties,
    drop_small,
    from_distances_and_ties,
    from_neighbors_and_ties,
    warn,
    warn_of_distances,
    warn_of_perplexity,
    warn_of_ties,
)
from notebook_sne.engine.checks.arguments import (
    LEAST_OBJECTS,
    check_conditional,
    check_counts,
    check_dense_size,
    check_joint,
    check_perplexity,
    check_vectors,
)
from notebook_sne.engine.checks.arrays import Floats, Matrix
from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.machine.allocation import in_folder

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

Perplexity = float | Sequence[float] | Literal["multiscale"]


def conditional(X: ArrayLike, perplexity: Perplexity, *, neighbors: int | None = None) -> Floats | sparse.csr_array:
    """Turn objects into the neighbor probabilities of each of them.

    .. math:: p_{j|i} = exp(-D_ij / (2 sigma_i^2)) / sum_{h != i} exp(-D_ih / (2 sigma_i^2)),   D_ij = |x_i - x_j|^2

    The width of each object's Gaussian is set so that its neighbors have the given perplexity, 2**H with H in bits, to
    within 1e-5 bits of H.  [Hinton2002, Eq. 1-2; Cook2007, Eq. 1]

    Of several perplexities k_1, ..., k_L, each object has a Gaussian for each, and P is their mean:

    .. math:: p_{j|i} = (1 / L) sum_h p_{j|i}(k_h)

    [Kobak2019] average 30 and N / 100; [Lee2015] and [deBodt2018] all powers of 2, which leaves no perplexity to
    choose. A mean of normalized rows gives each scale the same mass; the sum of Gaussians, normalized after, would give
    the wide ones most of it.

    Parameters
    ----------
    X : array-like or sparse matrix, shape (N, n_features)
        The objects; sparse ones aren't made dense, and must not be square, as a graph is.
    perplexity : float, list of float or "multiscale"
        Effective number of neighbors, 1 < perplexity < N - 1; several different ones; or "multiscale", for 2, 4, 8, ...
        up to N / 2 or, with `neighbors`, up to a third of these, to which a Gaussian reaches.
    neighbors : int, optional
        Consider only the `neighbors` nearest objects, found exactly; three times the (largest) perplexity is usual. By
        default, all pairs are considered. If more than `neighbors` objects are nearest, all at one distance, each
        object gets some of them, by a rule that chooses all of them about equally often.

    Returns
    -------
    P : ndarray, shape (N, N), or scipy.sparse.csr_array where `neighbors` is given
        P[i, j] is p_{j|i}. Rows sum to 1; the diagonal is 0.

    Raises
    ------
    ValueError
        If X isn't finite or constant, or a dense P would be too large. Also if some objects are so far away that
        the distances between the others would lose all digits.

    Warns
    -----
    UserWarning
        If more nearest neighbors lie at one distance than the perplexity asks for; these share the mass evenly. If the
        perplexity is above N / 3, or X looks like a matrix of distances.

    Examples
    --------
    >>> P = conditional([[0.0], [1.0], [2.0], [4.0], [8.0], [9.0]], perplexity=2)
    >>> P[0].round(2)
    array([0.  , 0.67, 0.31, 0.01, 0.  , 0.  ])
    >>> entropy = -sum(p * np.log2(p) for p in P[0] if p > 0)
    >>> print(round(2**entropy, 5))
    2.0
    """
    objects = check_vectors(X, may_be_sparse=True)
    warn_of_distances(objects, "give it to from_distances")
    P, tied = conditional_and_ties(objects, perplexity, neighbors)
    warn_of_perplexity(perplexity, P.shape[0])
    warn_of_ties(tied, perplexity)
    return P


def from_distances(D: ArrayLike, perplexity: Perplexity | None = None) -> Floats:
    """Turn distances into neighbor probabilities.

    Objects need not be vectors: the distances between them are enough. j may be nearer to i than i is to j.

    Parameters
    ----------
    D : array-like, shape (N, N)
        Distances, not squared; `D[i, j]` is the distance from i to j and need not equal `D[j, i]`. The diagonal is 0.
    perplexity : float, list of float or "multiscale", optional
        Effective number of neighbors, or several, as for `conditional`. Without it, p_{j|i} is proportional to
        exp(-D_ij^2), with distances in units of sqrt(2) sigma.  [Hinton2002, Eq. 1-2]

    Returns
    -------
    P : ndarray, shape (N, N)
        P[i, j] is p_{j|i}. Rows sum to 1; the diagonal is 0.

    Raises
    ------
    ValueError
        If D isn't square, finite and non-negative with a zero diagonal, or the perplexity is N - 1 or more.

    Warns
    -----
    UserWarning
        If more nearest neighbors lie at one distance than the perplexity asks for; these share the mass evenly. If the
        perplexity is above N / 3.

    Examples
    --------
    >>> from_distances([[0, 1, 2], [1, 0, 1], [2, 1, 0]]).round(2)
    array([[0.  , 0.95, 0.05],
           [0.5 , 0.  , 0.5 ],
           [0.05, 0.95, 0.  ]])
    """
    P, tied = from_distances_and_ties(D, perplexity)
    if perplexity is not None:
        warn_of_perplexity(perplexity, len(P))
    warn_of_ties(tied, perplexity)
    return P


def from_neighbors(indices: ArrayLike, distances: ArrayLike, perplexity: Perplexity) -> sparse.csr_array:
    """Turn the neighbors of each object, from any search, into neighbor probabilities.

    .. math::

        p_{j|i} = exp(-D_ij / (2 sigma_i^2)) / sum_{h in K_i} exp(-D_ih / (2 sigma_i^2)),   D_ij = distance^2

    K_i are the neighbors of object i, and p_{j|i} is 0 for all others. Use it with searches of other programs, whose
    neighbors may be approximate, under any distance, and differ in number.

    Parameters
    ----------
    indices : array-like of int, shape (N, K)
        `indices[i]` are the neighbors of object i, in any order, each a number from 0 to N - 1; -1 means none, whatever
        its distance. An object that is listed as its own neighbor, as in many searches, is left out; for a neighbor
        that is listed more than once, the nearest entry counts.
    distances : array-like, shape (N, K)
        Their distances, not squared, finite and not negative.
    perplexity : float, list of float or "multiscale"
        Effective number of neighbors; above 1, and below the number of neighbors of each object. A third of that number
        is usual. Several are averaged, as in `conditional`; "multiscale" takes 2, 4, 8, ... up to a third of the least
        number of neighbors.

    Returns
    -------
    P : scipy.sparse.csr_array, shape (N, N)
        P[i, j] is p_{j|i}. Rows sum to 1; the diagonal is 0.

    Raises
    ------
    TypeError, ValueError
        If indices and distances differ in shape, an index or a distance is invalid, or an object has too few neighbors
        for the perplexity; the message names the objects.

    Warns
    -----
    UserWarning
        If more nearest neighbors lie at one distance than the perplexity asks for; these share the mass evenly. If the
        perplexity is above N / 3.

    Examples
    --------
    The first of each row is the object itself; the last object has only two neighbors:

    >>> indices = [[0, 1, 2, 3], [1, 0, 2, 3], [2, 1, 3, 0], [3, 2, 1, -1]]
    >>> distances = [[0, 1, 2, 4], [0, 1, 2, 3], [0, 2, 3, 4], [0, 2, 3, 0]]
    >>> from_neighbors(indices, distances, perplexity=1.3).toarray().round(2)
    array([[0.  , 0.93, 0.07, 0.  ],
           [0.93, 0.  , 0.07, 0.  ],
           [0.  , 0.93, 0.  , 0.07],
           [0.  , 0.07, 0.93, 0.  ]])
    """
    P, tied = from_neighbors_and_ties(indices, distances, perplexity)
    warn_of_perplexity(perplexity, P.shape[0])
    warn_of_ties(tied, perplexity)
    return P


def from_counts(C: Matrix) -> Floats | sparse.csr_array:
    """Turn counts into neighbor probabilities: each row of C divided by its sum.

    Parameters
    ----------
    C : array-like or sparse matrix, shape (N, N)
        `C[i, j]` is how often j was the answer to i; the diagonal is 0 and no row is empty.

    Returns
    -------
    P : ndarray or scipy.sparse.csr_array, shape (N, N)
        P[i, j] is p_{j|i}. Rows sum to 1; the diagonal is 0.

    Raises
    ------
    ValueError
        If C breaks one of these rules; the message names the objects.

    Examples
    --------
    >>> from_counts([[0, 3, 1], [2, 0, 0], [1, 1, 0]])
    array([[0.  , 0.75, 0.25],
           [1.  , 0.  , 0.  ],
           [0.5 , 0.5 , 0.  ]])
    """
    C = check_counts(C)
    if sparse.issparse(C):
        return _by_rows(C)
    return C / C.sum(axis=1)[:, None]


def from_graph(G: Any, *, weight: str | None = "weight", joint: bool = False) -> Graph:
    """Turn the weights of a graph into neighbor probabilities.

    .. math:: p_{j|i} = w_ij / sum_h w_ih,        p_ij = (p_{j|i} + p_{i|j}) / (2 n)            (a joint P)

    n is the number of nodes with ties to others. A node without ties has no row in a conditional P, so it is set aside;
    a joint P keeps it, as an object that is only pushed.

    Parameters
    ----------
    G : networkx graph, or array-like or sparse matrix, shape (N, N)
        The graph, or its weights: how strongly i is tied to j, not negative. Ties of a node to itself are ignored, and
        parallel edges are added up. In a directed graph, a node chooses the nodes to which its edges lead.
    weight : str or None, default="weight"
        The edge attribute of networkx that is the weight, 1 if an edge has none; None for 1 everywhere.
    joint : bool, default=False
        Whether P is to be joint, for ``input="joint"``.

    Returns
    -------
    graph : Graph
        Its `P`, CSR; `nodes`, the names of its objects; and `isolated`, the nodes without edges to others.

    Raises
    ------
    ValueError, TypeError
        If a weight is negative, infinite or no number, or fewer than three nodes are tied to others.

    Warns
    -----
    UserWarning
        If nodes are set aside; it names them.

    Examples
    --------
    >>> path = [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0]]
    >>> from_graph(path, joint=True).P.toarray()
    array([[0.  , 0.25, 0.  , 0.  ],
           [0.25, 0.  , 0.25, 0.  ],
           [0.  , 0.25, 0.  , 0.  ],
           [0.  , 0.  , 0.  , 0.  ]])
    """
    A, nodes = as_graph(G, weight)
    tied = np.asarray(A.sum(axis=1)).ravel() > 0
    if not joint:
        kept = np.arange(len(nodes))
        while not (leading := np.asarray(A.sum(axis=1)).ravel() > 0).all():  # others may have led to these alone
            kept, A = kept[leading], sparse.csr_array(A[leading][:, leading])
        tied = np.isin(np.arange(len(nodes)), kept)
    isolated = [nodes[i] for i in np.flatnonzero(~tied)]
    if (n := len(nodes) - len(isolated)) < LEAST_OBJECTS:
        raise ValueError(
            f"G must have at least {LEAST_OBJECTS} nodes that are tied to others, got {n}; give more edges"
        )
    if isolated and not joint:
        shown = ", ".join(map(show, isolated[:5])) + (f" and {len(isolated) - 5} more" if len(isolated) > 5 else "")
        warn(
            f"{len(isolated)} of {len(nodes)} nodes have no edge that leads to others ({shown}) and are set aside, as "
            "a conditional P has no row for them; joint=True keeps them, for models of a joint P with input='joint'"
        )
        nodes = [node for node, there in zip(nodes, tied, strict=True) if there]
    P = _by_rows(A)
    if joint:
        P = sparse.csr_array(P + P.T)
        P.data /= P.sum()
    return Graph(P, nodes, isolated)


def _by_rows(A: sparse.csr_array) -> sparse.csr_array:
    """Return a CSR array whose rows sum to 1, or are empty as those of A."""
    totals = np.asarray(A.sum(axis=1)).ravel()
    tiny = (totals > 0) & (totals < 2.0**-900)
    if tiny.any():  # the reciprocal of such a sum may be infinite; a power of two changes no digit
        unit = np.where(tiny, 2.0**100, 1.0)
        A, totals = sparse.diags_array(unit) @ A, unit * totals
    return sparse.csr_array(sparse.diags_array(1.0 / np.where(totals > 0, totals, 1.0)) @ A)


def joint(P: Matrix) -> Floats | sparse.csr_array:
    """Average a conditional P into a joint one.

    .. math:: p_ij = (p_{j|i} + p_{i|j}) / (2 N)

    Every object keeps at least 1 / (2 N) of the mass, so that its place is never arbitrary.

    Parameters
    ----------
    P : array-like or sparse matrix, shape (N, N)
        Conditional probabilities; rows sum to 1.

    Returns
    -------
    P : ndarray or scipy.sparse.csr_array, shape (N, N)
        Symmetric; sums to 1 over ordered pairs.

    Raises
    ------
    ValueError
        If P isn't conditional.

    Examples
    --------
    >>> joint([[0, 1, 0], [0.5, 0, 0.5], [0, 1, 0]])
    array([[0.  , 0.25, 0.  ],
           [0.25, 0.  , 0.25],
           [0.  , 0.25, 0.  ]])
    """
    return average(check_conditional(P))


def joint_with_one_sigma(X: ArrayLike, perplexity: float) -> Floats:
    """Turn objects into a joint P by one global sigma.

    .. math:: p_ij = exp(-D_ij / (2 sigma^2)) / sum_{k != l} exp(-D_kl / (2 sigma^2)),   D_ij = |x_i - x_j|^2

    This is [Cook2007, Eq. 4], for teaching: an object far from all others gets almost no mass, so that its place in the
    map costs nothing and means nothing; `joint` solves this. Sigma gives P the entropy log2(N perplexity) bits, that of
    N objects with `perplexity` equal neighbors each.

    Parameters
    ----------
    X : array-like, shape (N, n_features)
        The objects.
    perplexity : float
        Mean effective number of neighbors, 1 < perplexity < N - 1.

    Returns
    -------
    P : ndarray, shape (N, N)
        Symmetric; sums to 1 over ordered pairs.

    Raises
    ------
    ValueError
        If X isn't finite or constant, or a dense P would be too large. Also if some objects are so far away that
        the distances between the others would lose all digits.

    Warns
    -----
    UserWarning
        If more than N times the perplexity ordered pairs lie at the least distance: they share the mass evenly. If the
        perplexity is above N / 3, or X looks like a matrix of distances.

    Examples
    --------
    >>> isolated = [[0.0], [1.0], [2.0], [3.0], [4.0], [9.0]]
    >>> joint_with_one_sigma(isolated, 2).sum(axis=1).round(3)
    array([0.132, 0.238, 0.26 , 0.238, 0.132, 0.   ])
    >>> joint(conditional(isolated, 2)).sum(axis=1).round(3)
    array([0.125, 0.189, 0.208, 0.205, 0.188, 0.083])
    """
    from notebook_sne.engine.mathematics.distances import squared_distances, unit_spread
    from notebook_sne.engine.mathematics.perplexity import equal_share, one_sigma

    objects = check_vectors(X)
    check_dense_size(len(objects))
    perplexity = check_perplexity(perplexity, len(objects))
    warn_of_distances(objects, "give it to from_distances")
    warn_of_perplexity(perplexity, len(objects))
    P, precision = one_sigma(squared_distances(unit_spread(objects)), perplexity, equal_share(objects))
    if np.isinf(precision):
        n_pairs, n_objects = np.count_nonzero(P), np.count_nonzero(P.any(axis=1))
        warn(
            f"{n_pairs} pairs of {n_objects} objects lie at the least distance, more than the "
            f"{len(objects) * perplexity:g} that perplexity {perplexity:g} asks for, as among duplicates: these share "
            f"the mass evenly, and the other {len(objects) - n_objects} objects have none; to avoid it, leave "
            "duplicates out, or raise the perplexity"
        )
    return P


def keep_large(P: Matrix, threshold: float = 1e-6, *, whole: bool = False) -> tuple[sparse.csr_array, float]:
    """Leave out small entries of P and make the rest sum to 1 again. [Hinton2002, section 5]

    Parameters
    ----------
    P : array-like or sparse matrix, shape (N, N)
        Conditional probabilities; or, with `whole`, joint ones, whose rows may be empty.
    threshold : float, default=1e-6
        Entries below this share of their row's mass are dropped, 0 <= threshold < 1 / N. An entry of a joint P is
        dropped only if it is below it in both of its rows, so that P stays symmetric and no row becomes empty.
    whole : bool, default=False
        Whether P is joint: then the sum of all entries is made 1 again, not the sum of each row.

    Returns
    -------
    P : scipy.sparse.csr_array, shape (N, N)
        What is left.
    dropped_mass : float
        Share of the mass of P that was left out.

    Raises
    ------
    ValueError
        If P doesn't follow its convention, or the threshold is out of its range.

    Examples
    --------
    >>> P, dropped = keep_large([[0, 0.9, 0.1], [0.5, 0, 0.5], [0.99, 0.01, 0]], threshold=0.05)
    >>> P.toarray()[2], round(dropped, 4)
    (array([1., 0., 0.]), 0.0033)
    """
    return drop_small(sparse.csr_array(check_joint(P) if whole else check_conditional(P)), threshold, whole=whole)


def umap(X: ArrayLike, n_neighbors: int | str = 15) -> sparse.csr_array:
    """Turn objects into the graph of UMAP, as a joint P.

    .. math::

        A_ij = exp(-max(0, r_ij - rho_i) / sigma_i),   sum_j A_ij = log2(k),   mu_ij = A_ij + A_ji - A_ij A_ji

        p_ij = mu_ij / sum_kl mu_kl

    r_ij are distances to the k - 1 nearest objects, rho_i is that of the nearest at another place, and mu is the fuzzy
    union of both directions. P has the weights of umap-learn's ``graph_`` over their sum.  [McInnes2018, algorithm 3]

    Parameters
    ----------
    X : array-like or sparse matrix, shape (N, n_features)
        The objects.
    n_neighbors : int or "auto", default=15
        k, an object itself included, 3 or more; "auto" is 15. With fewer objects, it is N - 1, with a warning.

    Returns
    -------
    P : scipy.sparse.csr_array, shape (N, N)
        Symmetric; sums to 1 over ordered pairs. As input of a model it is ``input="joint"``.

    Raises
    ------
    ValueError
        If X isn't finite or constant, or `n_neighbors` is out of its range.

    Warns
    -----
    UserWarning
        If X looks like a matrix of distances.

    Examples
    --------
    >>> P = umap([[0.0], [1.0], [2.0], [4.0], [8.0], [9.0]], n_neighbors=3)
    >>> (P / P.max()).toarray()[:2].round(2)
    array([[0.  , 1.  , 0.83, 0.  , 0.  , 0.  ],
           [1.  , 0.  , 1.  , 0.58, 0.  , 0.  ]])
    """
    from notebook_sne.affinities import fuzzy

    objects = check_vectors(X, may_be_sparse=True)
    warn_of_distances(objects, "give it to UMAP with input='distances'")
    mu, _ = fuzzy.of_vectors(objects, fuzzy.check_n_neighbors(n_neighbors, objects.shape[0]))
    mu.data /= mu.sum()
    return mu


@contextmanager
def on_disk(folder: str | Path) -> Iterator[None]:
    """Keep each sparse P that is made in a ``with`` block in memory-mapped files instead of memory.

    Use it if the memory is too small for the objects: a P of vectors at perplexity 30 has about 130 stored pairs per
    object, of 8 bytes each. The operating system decides which parts are in memory. All numbers and maps stay the same.
    On a fast disk, with room to keep P in its cache, so does the time.

    Parameters
    ----------
    folder : str or path
        A folder on a disk with enough space, about 30 bytes per stored pair while P is made. The files there have no
        name, and are deleted with the arrays.

    Raises
    ------
    ValueError
        If there is no such folder.
    OSError
        Where a P is made in the block, if there is no room for it in the folder.

    Notes
    -----
    The block holds for all threads of the process. P stays in its files after the block, as long as it is used.

    Examples
    --------
    >>> import tempfile
    >>> import notebook_sne as ns
    >>> digits = ns.datasets.load_digits()
    >>> with on_disk(tempfile.gettempdir()):
    ...     P = conditional(digits.X, perplexity=30, neighbors=90)
    >>> P.shape
    (1797, 1797)
    """
    if not Path(folder).is_dir():
        raise ValueError(f"folder must be a folder that is there, got {str(folder)!r}; make it first")
    with in_folder(folder):
        yield
