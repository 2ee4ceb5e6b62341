"""Sums over all pairs of map points, with their forces, by a mesh: their cost grows with N, not with its square.

The sums are those of `pair_sums`,

.. math::

    value_i = sum_{j != i} w_j K(d_ij),     force_i = sum_{j != i} w_j K'(d_ij) (y_i - y_j) = -1/2 grad value

and value is a convolution of the charges w_j with K. So values and forces of all points follow from charges spread over
the nodes of a mesh, one Fourier transform there and back, and one field that is read with its slope:

.. math:: charges -> nodes,     field = IFFT(G FFT(nodes)),     field -> values and forces

The module `splines` spreads and reads, and `influence` has G. Both kernels are smooth on the scale of the map, as a
model sets it: a mesh with three nodes per unit loses 1e-10 of the waves of exp(-d). The requested accuracy determines
the number of nodes and the order of the splines.

Three kinds of points would spoil a mesh. They are few, and are summed exactly, pair by pair:

- points far from all others, which would stretch it (`meshes`);
- points with a weight far above all others, whose errors would drown the sums around them;
- without weights, and under a kernel that decays quickly, points with a value so small that errors of the others would
  drown it: the models of a conditional P divide by it.
"""

import logging
import threading
from functools import partial
from typing import NamedTuple

import numpy as np

from notebook_sne.engine.checks.arguments import list_objects
from notebook_sne.engine.sums.fourier import convolved
from notebook_sne.engine.sums.influence import own_terms, response
from notebook_sne.engine.sums.meshes import lay_out
from notebook_sne.engine.sums.near_pairs import Smooth, add_near
from notebook_sne.engine.sums.pair_sums import gaussian_sums, student_sums, sums_between
from notebook_sne.engine.sums.splines import gather, shares, spread

__all__ = ["LEAST_ACCURACY", "forget", "gaussian_mesh_sums", "student_mesh_sums"]

_log = logging.getLogger(__name__)

# The error of the forces on the worst of the maps in tests/mathematics/layouts.py, with a margin, for splines of some
# order and some nodes a map unit, from coarse to fine. On most maps it is a fourth of that.
_GAUSSIAN = ((2e-2, 4, 3, 0), (1e-3, 6, 3, 0))
_STUDENT = ((4e-2, 4, 3, 4), (1e-2, 6, 3, 4), (2e-3, 6, 4, 6), (1e-3, 6, 6, 8))
LEAST_ACCURACY = 1e-3
"""The finest accuracy that can be asked for; in a wide map single precision gives hardly more."""

_FAINT, _ROUNDING = 1e-3, 3e-6  # of 1, and of the largest value
_QUICK = 3.0  # degrees of freedom above which a kernel decays so quickly that there are faint values
_HEAVY = 1000.0  # times the mean weight: at most one object in a thousand


def gaussian_mesh_sums(Y, weights=None, *, groups=None, accuracy=1e-2, always=True):
    """Return sum_j w_j exp(-d_ij) and sum_j w_j exp(-d_ij) (y_i - y_j) for every object i, by a mesh.

    Y, `weights`, `groups` and the results are as for `gaussian_sums`, with d = 1 or 2. The accuracy is the largest
    relative error of the forces (root mean square over the objects) and of each value. With weights, a value below a
    ten-thousandth of the largest one is compared with the largest. `always` forces a mesh even where exact sums are
    quicker, as for a thousand points, or the only possibility, as for d > 2.

    Raises a ValueError if the accuracy is below `LEAST_ACCURACY`, if Y has more than two columns, or if Y isn't
    finite; the error names the objects, because such an entry would spread over all sums.
    """
    if not always and Y.shape[1] > 2:
        return gaussian_sums(Y, weights, groups=groups)
    return _sums(Y, weights, groups, np.inf, _chosen(_GAUSSIAN, accuracy), always)


def student_mesh_sums(Y, weights=None, *, groups=None, accuracy=1e-2, degrees_of_freedom=1.0, always=True):
    """Return sum_j w_j / (1 + d_ij) and sum_j w_j (y_i - y_j) / (1 + d_ij)^2 for every object i, by a mesh.

    All else is as for `gaussian_mesh_sums`. `degrees_of_freedom` is nu of Student's t, as in `pair_sums`: 1 for t-SNE,
    and any other value takes as long. Also raises a ValueError if it isn't a positive number.
    """
    if not 0 < degrees_of_freedom < np.inf:
        raise ValueError(
            f"degrees_of_freedom must be positive and finite, got {degrees_of_freedom!r}; gaussian_mesh_sums has "
            "exp(-d), to which the kernel tends, in units of its own, for many"
        )
    freedom = float(degrees_of_freedom)
    if not always and Y.shape[1] > 2:
        return student_sums(Y, weights, groups=groups, degrees_of_freedom=freedom)
    return _sums(Y, weights, groups, freedom, _chosen(_STUDENT, accuracy, min(1.0, freedom**0.5)), always)


def _chosen(meshes, accuracy, scale=1.0):
    """Return order of the splines, spacing and reach in map units of the coarsest mesh that is accurate enough."""
    for error, order, density, reach in meshes:
        if error <= accuracy:
            return order, scale / density, scale * reach
    raise ValueError(
        f"accuracy must be at least {LEAST_ACCURACY:g}, what sums by a mesh can hold, got {accuracy!r}; use exact sums"
    )


def _sums(Y, weights, groups, freedom, chosen, always):
    N, d = Y.shape
    if d > 2:
        raise ValueError(f"Y must have one or two columns for sums by a mesh, got {d}; use exact sums")
    if d == 1:
        values, forces = _sums(np.column_stack([Y, np.zeros(N)]), weights, groups, freedom, chosen, always)
        return values, forces[:, :1]
    gaussian = np.isinf(freedom)
    groups = np.array([0, N]) if groups is None else np.asarray(groups, dtype=np.int64)
    laid = _laid_out(np.ascontiguousarray(Y, dtype=np.float64), groups, chosen, gaussian, always)
    if not laid.meshes:
        exact = gaussian_sums if gaussian else partial(student_sums, degrees_of_freedom=freedom)
        return exact(Y, weights, groups=groups)
    rows, sources = laid.rows, laid.sources
    w = np.ones(N) if weights is None else np.array(weights, dtype=np.float64)
    charges = w.astype(np.float32)
    if weights is not None:
        heavy = _heavy(w)
        charges[heavy] = 0.0
        rows, sources = np.union1d(rows, heavy), np.union1d(sources, np.setdiff1d(heavy, rows))
    values, forces = np.zeros(N), np.zeros((N, 2))
    for mesh, points in zip(laid.meshes, laid.points, strict=True):
        _on_mesh(mesh, points, charges, freedom, values, forces)
    if weights is None and freedom > _QUICK:
        rows = np.union1d(rows, np.flatnonzero(values < max(_FAINT, _ROUNDING * values.max())))
    if len(rows) or len(sources):
        of_rows, from_sources = sums_between(laid.Y, w, groups, rows, sources, freedom)
        if len(sources):
            values += from_sources[0]
            forces += from_sources[1]
        values[rows], forces[rows] = of_rows
    return values, forces


class _Laid(NamedTuple):
    """Points laid out on meshes."""

    key: tuple
    Y: np.ndarray
    meshes: list
    points: list
    rows: np.ndarray
    sources: np.ndarray


# A model of a conditional P sums twice over the same points, with weights that it has from the first sum: what is
# known of the last points, in each thread, is used again.
_last = threading.local()


def forget():
    """Forget the last points of this thread, so that another run tells anew by what it sums."""
    _last.laid = None


def _laid_out(Y, groups, chosen, gaussian, always):
    """Return the mesh of finite points."""
    key, last = (groups.tobytes(), chosen, gaussian, always), getattr(_last, "laid", None)
    if last is not None and last.key == key and np.array_equal(last.Y, Y):
        return last
    _check_finite(Y)
    meshes, rows, sources = lay_out(Y, groups, chosen, gaussian, always)
    points = [shares(mesh) for mesh in meshes]
    if last is None or len(last.Y) != len(Y) or bool(last.meshes) != bool(meshes):
        _log.debug("sums over the pairs of %d points: %s", len(Y), "by a mesh" if meshes else "exact")
    _last.laid = _Laid(key, Y.copy(), meshes, points, rows, sources)
    return _last.laid


def _heavy(w):
    """Return the objects whose weights are far above the mean, ascending."""
    sizes = np.abs(w)
    bound = _HEAVY * sizes.mean()
    return np.flatnonzero(sizes > bound) if sizes.max() > bound else np.empty(0, np.int64)


def _check_finite(Y):
    if np.isfinite(Y.sum()):
        return  # the usual case, at a fourth of the time
    wrong = np.flatnonzero(~np.isfinite(Y).all(axis=1))
    if len(wrong):
        raise ValueError(
            f"Y must be finite, got {Y[wrong[0]]} for {list_objects(wrong)}; "
            "start from other positions, or lower the learning rate"
        )


def _on_mesh(mesh, points, charges, freedom, values, forces):
    """Write values and forces of the members of a Mesh with the Shares `points`."""
    spacing, period, small = mesh.spacing, mesh.period, mesh.is_small
    weights = charges[points.order]
    nodes = spread(points, weights, (len(mesh.firsts), mesh.sides[0], period[1]))
    kernel = Smooth(freedom, mesh.reach) if mesh.reach else freedom
    field = convolved(nodes, response(mesh.order, spacing, kernel, period, small), period)
    own = own_terms(mesh.order, spacing, kernel, small)
    gather(points, weights, field, own, -0.5 / spacing, values, forces)
    if mesh.reach:
        add_near(mesh, charges, kernel, values, forces)
    if small:  # the mesh has seen K - 1
        mine = charges[mesh.members].astype(np.float64)
        values[mesh.members] += np.bincount(mesh.which, mine)[mesh.which] - mine
