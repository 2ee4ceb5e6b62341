"""A fitted mixture of maps as plain arrays, and its Q at any row or pair.

.. math::

    q_{j|i} = sum_m s_ij^m / sum_{h != i} sum_m s_ih^m,   s_ij^m = pi_i^m pi_j^m K(d_ij^m)   [Cook2007, Eq. 7]

s_ij^m is the *strength* with which map m connects j to i. All computations use log s: in the tail of a Gaussian, s
underflows long before it stops mattering to a cost. For a model with a joint Q this is the conditional Q of its rows.
"""

from dataclasses import dataclass, field

import numpy as np
from scipy import sparse
from scipy.spatial.distance import cdist

from notebook_sne.engine.checks.arguments import check_choice
from notebook_sne.engine.checks.numbers import as_floats, as_rows
from notebook_sne.models.family import kernel_of

__all__ = ["Mixture", "conditional_rows", "first_of", "mixture_of"]

_SUM_TOLERANCE = 1e-6
_CHUNK = 2_000_000  # entries of a block of pairs: some 16 MB in double precision
# exp(-60) times any number of objects is less than the rounding of the sums to which it would be added.
_NEGLIGIBLE = 60.0


@dataclass(frozen=True, eq=False)
class Mixture:
    """Maps of the same objects, the proportion of each object in each, and the kernel that makes a Q of both."""

    maps: np.ndarray  # shape (M, N, d): map points
    mixing: np.ndarray  # shape (M, N): proportions; they sum to 1 over maps for each object
    kernel: str = "gaussian"  # K(d) = exp(-d), or "student", 1 / (1 + d), of squared distances d
    _log_mixing: np.ndarray = field(init=False, repr=False)

    def __post_init__(self):
        with np.errstate(divide="ignore"):
            object.__setattr__(self, "_log_mixing", np.log(self.mixing))

    @property
    def n_maps(self):
        """int: M."""
        return self.maps.shape[0]

    @property
    def n_objects(self):
        """int: N."""
        return self.maps.shape[1]

    @property
    def log_mixing(self):
        """ndarray, shape (M, N): logarithms of the proportions."""
        return self._log_mixing

    def log_strength(self, m, rows, among=None):
        """Return log s_ij^m of some objects i to all objects j, shape (len(rows), N); -inf where j is i.

        Or to those `among` some only, shape (len(rows), len(among)), with nothing special where j is i.
        """
        rows = np.asarray(rows)
        there, logs = (
            (self.maps[m], self._log_mixing[m]) if among is None else (self.maps[m, among], self._log_mixing[m, among])
        )
        L = self._log_kernel(cdist(self.maps[m, rows], there, "sqeuclidean"))
        L += self._log_mixing[m, rows, None]
        L += logs
        if among is None:
            L[np.arange(len(rows)), rows] = -np.inf
        return L

    def log_strength_of_pairs(self, i, j):
        """Return log s_ij^m of pairs i != j, shape (M, len(i)): for a few pairs, or a block of many."""
        squares = ((self.maps[:, i] - self.maps[:, j]) ** 2).sum(axis=2)
        return self._log_kernel(squares) + self._log_mixing[:, i] + self._log_mixing[:, j]

    def q(self, rows):
        """Return q_{j|i} of some objects i, shape (len(rows), N), and log z_i, shape (len(rows),).

        Entries below 1e-26 of the largest in a row aren't exact; `log_q` is.
        """
        rows = np.asarray(rows)
        top = np.full(len(rows), -np.inf)
        tops = np.empty((self.n_maps, len(rows)))
        for m in range(self.n_maps):
            tops[m] = self.log_strength(m, rows).max(axis=1)
        top = tops.max(axis=0)
        if not np.isfinite(top).all():
            raise ValueError(
                f"each object must be connected to another one in some map, but object {rows[~np.isfinite(top)][0]} is "
                "not; its proportions are 0 wherever those of all others are not, or its map points are too far away"
            )
        Q = np.zeros((len(rows), self.n_objects))
        for m in range(self.n_maps):
            counted = np.flatnonzero(tops[m] > top - _NEGLIGIBLE)
            if len(counted):
                Q[counted] += np.exp(self.log_strength(m, rows[counted]) - top[counted, None])
        z = Q.sum(axis=1)
        return Q / z[:, None], np.log(z) + top

    def blocks(self):
        """Yield the numbers of all objects, in runs short enough for a block of pairs to fit into memory."""
        step = max(1, _CHUNK // self.n_objects)
        for begin in range(0, self.n_objects, step):
            yield np.arange(begin, min(begin + step, self.n_objects))

    def log_z(self):
        """Return log z_i of all objects, shape (N,)."""
        return np.concatenate([self.q(rows)[1] for rows in self.blocks()])

    def log_q(self, i, j, log_z):
        """Return log q_{j|i} of pairs, and the map that gives most of it; both have shape (len(i),).

        `log_z` holds log z_i of each pair.
        """
        value, best = np.empty(len(i)), np.empty(len(i), dtype=int)
        step = max(1, _CHUNK // self.n_maps)
        for begin in range(0, len(i), step):
            part = slice(begin, begin + step)
            L = self.log_strength_of_pairs(i[part], j[part])
            best[part] = L.argmax(axis=0)
            value[part] = np.logaddexp.reduce(L, axis=0) - log_z[part]
        return value, best

    def _log_kernel(self, squares):
        return -np.log1p(squares) if self.kernel == "student" else -squares


def mixture_of(model, mixing=None, kernel=None, *, name="model"):
    """Return the Mixture of a fitted model, of a state, or of an array of map points, shape (N, d) or (M, N, d).

    `mixing`, shape (M, N), has the proportions for an array of several maps. `kernel`, "gaussian" or "student", is for
    maps without a kernel of their own; "gaussian" when left out. Errors call the argument `name`.
    """
    if isinstance(model, Mixture):
        return model
    maps = model
    for ours, theirs in (("maps_", "mixing_"), ("embedding_", None), ("Y", "mixing")):
        if hasattr(model, ours):
            maps = getattr(model, ours)
            mixing = getattr(model, theirs) if theirs and mixing is None else mixing
            break
    else:
        if hasattr(model, "fit"):
            raise ValueError(f"{name} must be fitted, got a {type(model).__name__} without maps_; call fit first")
    maps = as_floats(name, maps, copy=False)
    if maps.ndim == 2:
        maps = maps[None]
    if maps.ndim != 3:
        raise ValueError(f"{name} must hold map points of shape (M, N, d) or (N, d), got shape {maps.shape}")
    if not np.isfinite(maps).all():
        raise ValueError(f"the map points of {name} must be finite, got NaN or infinity; fit it again")
    if mixing is None:
        if len(maps) > 1:
            raise ValueError(f"mixing must be given for {len(maps)} maps, shape (M, N) = {maps.shape[:2]}, got None")
        mixing = np.ones(maps.shape[:2])
    mixing = as_floats("mixing", mixing, copy=False)
    if mixing.shape != maps.shape[:2]:
        raise ValueError(f"mixing must have shape (M, N) = {maps.shape[:2]}, got {mixing.shape}")
    off = np.flatnonzero(~(np.abs(mixing.sum(axis=0) - 1) < _SUM_TOLERANCE) | (mixing < 0).any(axis=0))
    if len(off):
        raise ValueError(
            f"mixing must be proportions that sum to 1 over maps, but those of object {off[0]} sum to "
            f"{mixing[:, off[0]].sum():.6g} ({len(off)} such objects); divide each column by its sum"
        )
    kernel = check_choice("kernel", kernel or kernel_of(model), ("gaussian", "student"))
    return Mixture(maps, mixing, kernel)


def conditional_rows(P):
    """Return CSR rows that sum to 1 of a conditional or a joint P, or of counts; an empty row stays empty."""
    P = as_rows("P", P, np.float64)
    sums = np.asarray(P.sum(axis=1)).ravel()
    scale = np.divide(1.0, sums, out=np.zeros_like(sums), where=sums > 0)
    rows = sparse.csr_array(sparse.diags_array(scale) @ P)
    rows.eliminate_zeros()
    rows.sort_indices()
    return rows


def first_of(A, k):
    """Return the columns of the k largest entries of each row, largest first, lower columns first where they agree."""
    if k < A.shape[1] // 8:
        # All that reaches the k-th largest entry of its row: a few more than k where there are ties.
        floor = np.partition(A, A.shape[1] - k, axis=1)[:, A.shape[1] - k]
        width = int((A >= floor[:, None]).sum(axis=1).max())
        if width < A.shape[1] // 4:
            some = np.sort(np.argpartition(-A, width - 1, axis=1)[:, :width], axis=1)
            order = np.argsort(-np.take_along_axis(A, some, axis=1), axis=1, kind="stable")[:, :k]
            return np.take_along_axis(some, order, axis=1)
    return np.argsort(-A, axis=1, kind="stable")[:, :k]
