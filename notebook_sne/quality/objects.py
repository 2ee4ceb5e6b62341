"""Scores of each object, which color a map by how good it is at each place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.quality.classes import errors_of_each
from notebook_sne.quality.neighbors import check_k, check_pair
from notebook_sne.quality.ranks import scores_of_ranks

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["object_scores"]


def object_scores(X: ArrayLike, Y: ArrayLike, k: int = 10, *, labels: ArrayLike | None = None) -> pd.DataFrame:
    """Return how well the map keeps each object's neighbors.

    Parameters
    ----------
    X : array-like, shape (N, n_features)
        The objects.
    Y : array-like, shape (N, d)
        Their map points.
    k : int, default=10
        Number of neighbors, 1 <= k < N / 2.
    labels : array-like, shape (N,), optional
        The class of each object; some may have none.

    Returns
    -------
    scores : pandas.DataFrame
        A row for each object, in their order. The means of ``recall``, ``trustworthiness`` and ``continuity`` are
        `neighbor_recall`, `trustworthiness` and `continuity` of the map; with labels, ``knn_error`` is the share of
        wrong votes of its k nearest, NaN for an object without a label, and its mean is `knn_error`.

    Raises
    ------
    ValueError
        If X or Y isn't a finite array of at least 3 objects, they or labels differ in number, or k is out of range.

    Notes
    -----
    All objects are scored, in a time that grows with N^2. `watch`, `replay` and `views.map_points` can color by a
    column: as ``values`` in the first two, as ``labels`` in the third. `object_costs` has what each object adds to
    the cost.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> digits = ns.datasets.load_digits()
    >>> run = ns.Run(ns.TSNE(random_state=0), digits.X)                              # doctest: +SKIP
    >>> scores = ns.quality.object_scores(digits.X, run.steps(500).embedding)       # doctest: +SKIP
    >>> ns.Player(run, labels=digits.labels, values=scores["trustworthiness"])      # doctest: +SKIP
    """
    import pandas as pd

    X, Y = check_pair(X, Y, "X", "Y")
    k = check_k(k, (len(X) - 1) // 2, "N / 2")
    trust, continuity, recall = scores_of_ranks(X, Y, np.arange(len(X)), k)
    columns = {"recall": recall, "trustworthiness": trust, "continuity": continuity}
    if labels is not None:
        columns["knn_error"] = errors_of_each(Y, labels, k)
    return pd.DataFrame(columns, index=pd.RangeIndex(len(X), name="object"))
