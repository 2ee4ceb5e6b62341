"""Are two maps the same picture?"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.quality.neighbors import check_pair

__all__ = ["procrustes_disparity"]


def procrustes_disparity(A: ArrayLike, B: ArrayLike) -> float:
    """Return how much of a map is left unexplained by another one that was moved, turned, mirrored and scaled to fit.

    Parameters
    ----------
    A, B : array-like, shape (N, d)
        Two maps of the same objects in the same order.

    Returns
    -------
    disparity : float
        From 0, the same picture, to 1: the sum of squared distances between points that belong together, both maps
        being scaled to a sum of squares of 1 about their centers.

    Raises
    ------
    ValueError
        If A or B is not a finite array of at least 3 objects, or their shapes differ.
    """
    from scipy.spatial import procrustes

    A, B = check_pair(A, B, "A", "B")
    if A.shape != B.shape:
        raise ValueError(f"A and B must have the same shape, got {A.shape} and {B.shape}; map both to one dimension")
    # Rounding may leave a hair outside the range.
    return float(np.clip(procrustes(A, B)[2], 0.0, 1.0))
