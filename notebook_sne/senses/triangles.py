"""The triangle inequality against word meanings: how many triples can one map not show, and can several?

FIRE goes with WOOD, and FIRE with JOB, but WOOD isn't related to JOB. A single map that shows both pairs as near must
also show the third as near, or almost; a mixture puts FIRE into two maps. [Cook2007, section 5; Maaten2012, section 1]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.engine.checks.arguments import check_choice, check_count, check_dense_size, check_number
from notebook_sne.engine.checks.arrays import Matrix
from notebook_sne.engine.checks.numbers import show
from notebook_sne.senses.mixture import conditional_rows, first_of, mixture_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["triangles"]


def triangles(
    P: Matrix,
    maps: Any,
    mixing: ArrayLike | None = None,
    *,
    strong: float = 0.05,
    n_neighbors: int = 10,
    kernel: Literal["gaussian", "student"] = "gaussian",
) -> pd.DataFrame:
    """Return the fraction of intransitive triples that maps keep.

    A triple (a, b, c) is intransitive if a and b are strongly associated, b and c are, and a and c aren't at all.
    It is kept if a and b are neighbors in Q, b and c are, and a and c aren't.

    Parameters
    ----------
    P : array or sparse matrix, shape (N, N)
        Associations, conditional or joint; of a joint P, each row is divided by its sum.
    maps : fitted model, array of shape (N, d) or (M, N, d), or a mapping from titles to these
        What is compared.
    mixing : ndarray, shape (M, N), optional
        Proportions, where `maps` is an array of several maps.
    strong : float, default=0.05
        a and b are strongly associated if p_{b|a} or p_{a|b} is at least that.
    n_neighbors : int, default=10
        a and b are neighbors if either is among the `n_neighbors` objects of largest q for the other.
    kernel : {"gaussian", "student"}, default="gaussian"
        For arrays; a model has its own.

    Returns
    -------
    table : pandas.DataFrame
        One row a model: title, n_maps, n_triples, kept, tied (a and b are neighbors, b and c are), closed (the
        fraction of the tied ones where a and c are neighbors, too, which P doesn't have).

    Notes
    -----
    Each object has the same number of neighbors, whatever q they have. A frequent middle b has many triples and too
    few neighbors for them, so `kept` stays far below 1 for any model: compare it between models of the same P.
    """
    import pandas as pd

    P = conditional_rows(P)
    N = P.shape[0]
    if P.shape[1] != N:
        raise ValueError(f"P must be square, shape (N, N), got shape {P.shape}")
    check_dense_size(N)
    strong = check_number("strong", strong, 0.0, 1.0, closed=False)
    n_neighbors = min(check_count("n_neighbors", n_neighbors, 1), N - 1)
    check_choice("kernel", kernel, ("gaussian", "student"))
    if not isinstance(maps, dict):
        maps = {type(maps).__name__ if hasattr(maps, "fit") else "maps": maps}
    elif mixing is not None:
        raise ValueError("mixing belongs to one array of maps, got it beside several models; give fitted models")
    tie = (P.maximum(P.T) >= strong).toarray()
    none = ~(P.maximum(P.T) > 0).toarray()
    rows = []
    for title, model in maps.items():
        own = None if hasattr(model, "_kernel") else kernel
        mixture = mixture_of(model, mixing, own, name=f"maps[{show(title)}]")
        if mixture.n_objects != N:
            raise ValueError(f"{show(title)} must map the N = {N} objects of P, got {mixture.n_objects}")
        n_triples, n_tied, n_kept = _count(tie, none, _near(mixture, n_neighbors))
        if not n_triples:
            raise ValueError(f"P must have intransitive triples at strong = {strong:g}, but it has none; lower it")
        closed = 1 - n_kept / n_tied if n_tied else np.nan
        rows.append((title, mixture.n_maps, n_triples, n_kept / n_triples, n_tied / n_triples, closed))
    return pd.DataFrame(rows, columns=["title", "n_maps", "n_triples", "kept", "tied", "closed"])


def _near(mixture, k):
    """Return which objects are neighbors in Q, shape (N, N)."""
    near = np.zeros((mixture.n_objects, mixture.n_objects), dtype=bool)
    for rows in mixture.blocks():
        Q, _ = mixture.q(rows)
        Q[np.arange(len(rows)), rows] = -1.0
        near[rows[:, None], first_of(Q, k)] = True
    return near | near.T


def _count(tie, none, near):
    """Return the number of intransitive triples, of those with both pairs near, and of these with the third far."""
    counts = np.zeros(3, dtype=np.int64)
    for b in range(len(tie)):
        ends = np.flatnonzero(tie[b])
        open_ = none[np.ix_(ends, ends)]
        np.fill_diagonal(open_, False)
        shown = open_ & near[b, ends] & near[b, ends][:, None]
        counts += open_.sum(), shown.sum(), (shown & ~near[np.ix_(ends, ends)]).sum()
    return tuple(int(c) // 2 for c in counts)
