"""The input of the methods that keep distances: the dissimilarity of each pair of objects.

delta_ij is the Euclidean distance of two vectors, or the distance given with ``input="distances"``: not squared,
symmetric, and in the unit of the data. All pairs are in memory, in double precision: 0.8 GB for 10,000 objects, the
largest number allowed.
"""

from typing import Any

import numpy as np

from notebook_sne.engine.checks.arguments import MOST_DENSE_OBJECTS, check_choice, check_distances, check_vectors
from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.checks.numbers import check_given
from notebook_sne.engine.checks.rounding import rounding_of
from notebook_sne.engine.machine.parallel import one_thread

__all__ = ["INPUTS", "check_size", "checked", "dissimilarities", "principal_coordinates"]

INPUTS = ("vectors", "distances")
_FEW = 500  # objects, of which all eigenvalues are found as quickly as the largest


def checked(X: Any, input: str) -> Any:
    """Return X as finite vectors, shape (N, n_features), or as symmetric distances, shape (N, N).

    A ValueError says which rule X breaks, or that `input` is neither "vectors" nor "distances".
    """
    check_choice("input", input, INPUTS)
    if input == "vectors":
        return check_vectors(X)
    X = check_given("X", X)
    D = check_distances(X, "X")
    gap = np.abs(D - D.T)
    if gap.max() > rounding_of(X) * D.max():
        i, j = (int(k) for k in np.unravel_index(gap.argmax(), gap.shape))
        raise ValueError(
            f"distances must be symmetric for a map of distances, but X[{i}, {j}] is {D[i, j]:g} and X[{j}, {i}] "
            f"{D[j, i]:g}; give their mean, (X + X.T) / 2"
        )
    return D if not gap.any() else 0.5 * (D + D.T)


def check_size(n_objects: int) -> None:
    """Refuse more objects than the limit on distances of all pairs."""
    if n_objects > MOST_DENSE_OBJECTS:
        raise ValueError(
            f"the distances of all pairs of {n_objects} objects would take {8e-9 * n_objects**2:.1f} GB, and at most "
            f"{MOST_DENSE_OBJECTS} objects are allowed; give a random part of them, as with Dataset.sample"
        )


def dissimilarities(X: Any, input: str) -> Floats:
    """Return the dissimilarities of all pairs, shape (N, N), of X as `checked` returns it; the diagonal is 0.

    A ValueError says that there are too many objects, or that their distances exceed double precision.
    """
    check_size(len(X))
    if input == "distances":
        return X
    from notebook_sne.engine.mathematics.distances import squared_distances

    with np.errstate(over="ignore"):
        D = np.sqrt(squared_distances(X))
    np.fill_diagonal(D, 0.0)
    if not np.isfinite(D).all():
        raise ValueError("X must have distances whose squares are finite, below about 1e154; rescale it")
    return D


@one_thread()  # type: ignore[untyped-decorator]
def principal_coordinates(D: Floats, n_components: int) -> tuple[Floats, Floats]:
    """Return the coordinates of classical scaling, shape (N, n_components), and the eigenvalues that belong to them.

    .. math:: B = -J (D^2) J / 2,   J = 1 - 1 1^T / N,   y_k = sqrt(lambda_k) v_k

    D^2 are squared distances, symmetric; lambda_k the largest eigenvalues of the double-centered B, in squared units of
    the data, and v_k its eigenvectors. Coordinates are in falling order of the eigenvalues, and 0 where one isn't
    positive, as distances that no vectors have can make it. The largest entry of a column is positive.
    """
    from scipy.linalg import eigh
    from scipy.sparse.linalg import eigsh

    unit = D.max() or 1.0
    B = np.square(D / unit)
    B -= B.mean(axis=0)
    B -= B.mean(axis=1)[:, None]
    B *= -0.5
    N = len(B)
    if N <= _FEW or n_components > N // 4:
        values, vectors = eigh(B, subset_by_index=(max(N - n_components, 0), N - 1))
    else:
        values, vectors = eigsh(B, n_components, which="LA", v0=np.random.default_rng(0).standard_normal(N))
    order = np.argsort(-values)
    values, vectors = values[order], vectors[:, order]
    largest = vectors[np.abs(vectors).argmax(axis=0), np.arange(len(values))]
    Y = unit * np.sqrt(np.maximum(values, 0.0)) * vectors * np.where(largest < 0, -1.0, 1.0)
    return Y, unit * unit * values
