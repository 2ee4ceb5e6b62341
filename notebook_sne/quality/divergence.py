"""The Kullback-Leibler divergence of any map, by one formula, so that costs can be compared.

.. math::

    C = sum_ij p_ij log(p_ij / q_ij),   q_ij = (1 - b) K(d_ij) / Z + b / (N (N - 1)),   d_ij = |y_i - y_j|^2

    K(d) = exp(-d)                                                                   (the Gaussian: SNE, UNI-SNE)
    K(d) = (1 + d / nu)^(-(nu + 1) / 2)                                    (Student's t; nu is 1 for t-SNE)

Under a joint P, which sums to 1 over all pairs, Z is the sum of K over all ordered pairs, and b the background of
UNI-SNE. Under a conditional P, whose rows sum to 1, p_ij and q_ij are p_{j|i} and q_{j|i}, and each row has its own Z,
the sum of K over that row. All sums are exact and in double precision, so that the maps of a model, of another program
with other sums, and of a drawing by hand are measured in the same way.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from notebook_sne.engine.checks.arguments import (
    check_choice,
    check_conditional,
    check_counts,
    check_joint,
    check_number,
    check_vectors,
)
from notebook_sne.engine.checks.arrays import Floats, Matrix
from notebook_sne.engine.fitting.inputs import target
from notebook_sne.engine.machine.parallel import by_rows
from notebook_sne.engine.mathematics.neighbors import squares_between

__all__ = ["checked_p", "kl_divergence", "object_costs"]

_ENTRIES = 1_000_000  # of one block, for each thread


def kl_divergence(
    Y: ArrayLike,
    P: Matrix | None = None,
    *,
    X: ArrayLike | None = None,
    perplexity: float = 30.0,
    convention: Literal["auto", "conditional", "joint"] = "auto",
    kernel: Literal["gaussian", "student"] = "student",
    degrees_of_freedom: float = 1.0,
    background: float = 0.0,
) -> float:
    """Return the divergence KL(P || Q) of any map.

    Parameters
    ----------
    Y : array-like, shape (N, d)
        Map points, in the unit of the kernel: a map of another scale has another cost.
    P : array-like or sparse matrix, shape (N, N), optional
        A joint P, which sums to 1, or a conditional one, whose rows each sum to 1: ``model.affinities_``, or the P of
        another program.
    X : array-like, shape (N, n_features), optional
        The objects, instead of P, which is then made as in the models.
    perplexity : float, list of float or "multiscale", default=30
        With X, the perplexity of its P.
    convention : {"auto", "conditional", "joint"}, default="auto"
        Which P to make of X: with "auto", a conditional one for the Gaussian, as in SNE, and a joint one for Student's
        t, as in t-SNE. The kind of a given P is recognized, and must match the kind named here.
    kernel : {"gaussian", "student"}, default="student"
        How the map measures nearness.
    degrees_of_freedom : float, default=1
        Of Student's t, above 0.
    background : float, default=0
        Share of the uniform background in Q, as of UNI-SNE, 0 <= background < 1.

    Returns
    -------
    cost : float
        In nats: the sum of N divergences under a conditional P, one divergence under a joint P.

    Raises
    ------
    ValueError
        If Y isn't a finite array of at least 3 objects, P breaks the rules of its kind or is of other objects, or a
        number is out of range.
    TypeError
        If neither P nor X is given, or both.

    Notes
    -----
    The time grows with N^2, the memory doesn't. For one P and one kernel, the map with the lower cost is the better
    one in the sense of the models. Between kernels, the cost tells which kernel can show this P at this scale.

    See Also
    --------
    object_costs
        The share of each object.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> circle = ns.datasets.load_circle(50)
    >>> model = ns.TSNE(perplexity=5, random_state=0).fit(circle.X)
    >>> abs(kl_divergence(model.embedding_, model.affinities_) - model.cost_) < 1e-6
    True
    """
    given = _given(Y, P, X, perplexity, convention, kernel, degrees_of_freedom, background)
    return float(_shares(*given).sum())


def object_costs(
    Y: ArrayLike,
    P: Matrix | None = None,
    *,
    X: ArrayLike | None = None,
    perplexity: float = 30.0,
    convention: Literal["auto", "conditional", "joint"] = "auto",
    kernel: Literal["gaussian", "student"] = "student",
    degrees_of_freedom: float = 1.0,
    background: float = 0.0,
) -> Floats:
    """Return each object's share of `kl_divergence`, which add up to it.

    .. math:: C_i = sum_j p_ij log(p_ij / q_ij)

    Parameters
    ----------
    Y, P, X, perplexity, convention, kernel, degrees_of_freedom, background
        As for `kl_divergence`.

    Returns
    -------
    costs : ndarray, shape (N,)
        In nats. Under a joint P, a share can be negative: only their sum is a divergence.

    Raises
    ------
    ValueError, TypeError
        As `kl_divergence`.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> circle = ns.datasets.load_circle(50)
    >>> model = ns.SNE(perplexity=5, random_state=0).fit(circle.X)
    >>> costs = object_costs(model.embedding_, model.affinities_, kernel="gaussian")
    >>> ns.views.map_points(model.embedding_, labels=costs)             # doctest: +SKIP
    """
    return _shares(*_given(Y, P, X, perplexity, convention, kernel, degrees_of_freedom, background))


def _given(Y, P, X, perplexity, convention, kernel, degrees_of_freedom, background):
    """Check the arguments; return map points, a CSR P, whether it is joint, log K as a function of d, and b."""
    Y = np.ascontiguousarray(check_vectors(Y, "Y"), dtype=np.float64)
    check_choice("convention", convention, ("auto", "conditional", "joint"))
    check_choice("kernel", kernel, ("gaussian", "student"))
    freedom = check_number("degrees_of_freedom", degrees_of_freedom, 0.0, closed=False)
    background = check_number("background", background, 0.0, 1.0)
    if (P is None) == (X is None):
        raise TypeError(
            f"{'P or X must be given, got neither' if P is None else 'P and X must not both be given'}; "
            "give model.affinities_ as P, or the objects as X with their perplexity"
        )
    if P is not None:
        P, joint = checked_p(P, convention)
    else:
        if convention == "auto":
            convention = "conditional" if kernel == "gaussian" else "joint"
        X, joint = check_vectors(X, "X"), convention == "joint"
    if len(Y) != (n := X.shape[0] if P is None else P.shape[0]):
        name = "X" if P is None else "P"
        raise ValueError(f"Y and {name} must hold the same objects, got {len(Y)} and {n}; give one map point for each")
    if P is None:
        P = target(X, "vectors", perplexity, convention).P
    if background > 0.0 and not joint:
        raise ValueError(
            f"background must be 0 under a conditional P, got {background:g}; UNI-SNE, which has one, models a joint P"
        )
    log_kernel = np.negative if kernel == "gaussian" else _student(freedom)
    return Y, sparse.csr_array(P), joint, log_kernel, background


def checked_p(P, convention):
    """Return P checked, and whether it is joint."""
    counts = check_counts(P, "P", may_be_empty=True)
    total, N = float(counts.sum()), counts.shape[0]
    kind = "joint" if abs(total - 1.0) < abs(total - N) else "conditional"
    if convention not in ("auto", kind):
        raise ValueError(
            f"P must be {convention}, got one that sums to {total:.6g}, as a {kind} one of {N} objects does; "
            "leave convention out, or make the other P with affinities.joint or affinities.conditional"
        )
    return (check_joint if kind == "joint" else check_conditional)(P, "P"), kind == "joint"


def _student(freedom):
    def log_kernel(d):
        return -0.5 * (freedom + 1.0) * np.log1p(d / freedom)

    return log_kernel


def _shares(Y, P, joint, log_kernel, background):
    """Return sum_j p_ij log(p_ij / q_ij) of each object, shape (N,)."""
    N = len(Y)
    log_z = np.empty(N)
    by_rows(_log_sums)(N, Y, log_kernel, log_z)
    if joint:
        log_z[:] = np.logaddexp.reduce(log_z)
    P = P.tocoo()
    i, j = P.row, P.col
    shares = np.zeros(N)
    for first in range(0, P.nnz, _ENTRIES):
        part = slice(first, first + _ENTRIES)
        rows, p = i[part], P.data[part]
        log_q = log_kernel(np.square(Y[rows] - Y[j[part]]).sum(axis=1)) - log_z[rows]
        if background > 0.0:
            log_q = np.logaddexp(np.log1p(-background) + log_q, np.log(background) - np.log(N * (N - 1.0)))
        there = p > 0
        terms = p[there] * (np.log(p[there]) - log_q[there])
        shares += np.bincount(rows[there], weights=terms, minlength=N)
    return shares


def _log_sums(first, last, Y, log_kernel, log_z):
    """Write log sum_{j != i} K(d_ij) of rows first to last, each measured from its largest term."""
    step = max(1, _ENTRIES // len(Y))
    for start in range(first, last, step):
        rows = np.arange(start, min(start + step, last))
        D = squares_between(Y[rows], Y)
        D[np.arange(len(rows)), rows] = np.inf
        logs = log_kernel(D)
        largest = logs.max(axis=1)
        log_z[rows] = largest + np.log(np.exp(logs - largest[:, None]).sum(axis=1))
