"""Densities of the data, kept in the map: where objects lie far apart in the data, they do so in the map.

t-SNE and UMAP give each object about as much room as any other, whatever its density. densMAP and den-SNE lower the
cost minus the correlation of the logarithms of local radii in data and map: [Narayan2021]

.. math::

    C - lambda mean_i(z_i (r_i - mean r)) / sqrt(var r + delta),   z_i = (R_i - mean R) / sd R,   delta = 0.1

    R_i = log(sum_j p_ij D_ij / sum_j p_ij),   r_i = log(rho_i + eps),   eps = 0.0001

    rho_i = sum_{j in K_i} w_ij d_ij / sum_{j in K_i} w_ij,   w_ij = 1 / (1 + d_ij)

D and d are squared distances in data and map, K are the stored pairs of P. The weights w are Student's t in all models,
also in UMAP. With them rho_i is the squared distance whose w is the mean of those of K_i, 1 / (1 + rho_i) = sum_j w_ij
/ |K_i|, so that neighbors that the map has torn away count little; in a mean of d_ij under p they would be nearly all.
The gradient is a sum over K:

.. math::

    dr_i/dd_ij = w_ij^2 (1 + rho_i) / ((rho_i + eps) sum_{k in K_i} w_ik)

    -2 lambda sum_{j in K_i} (h_i + h_j) w_ij^2 (y_i - y_j)

    h_i = g_i (1 + rho_i) / ((rho_i + eps) sum_{k in K_i} w_ik)

g_i being the derivative of the correlation by r_i. delta and eps bound it where all radii in the map are alike, or
zero. An object that has no radius in the data, as one among duplicates, has no part in means.
"""

import numpy as np

from notebook_sne.engine.mathematics.evaluation import Evaluation
from notebook_sne.engine.sums.local_radii import near_and_away, radial_forces

__all__ = ["with_density"]

_DELTA, _EPS = 0.1, 1e-4
_ALIKE = 1e-6  # standard deviation of R; below, its differences are rounding


def with_density(here, pairs, Y, strength):
    """Return an Evaluation at Y, shape (N, d), with the term above in objective and gradient, never in the cost.

    `here` is the Evaluation without it, `strength` is lambda in nats. `pairs` are those of P, with R as `radii`. If
    no two objects have different R, there is no correlation, and nothing is added.
    """
    z, known = _standardized(pairs.radii)
    if z is None:
        return here
    near, away = near_and_away(pairs, Y)
    near = np.where(known, near, 1.0)
    rho = np.where(known, away / near, 0.0)
    r = np.log(rho + _EPS)
    n = np.count_nonzero(known)
    off = np.where(known, r - r[known].mean(), 0.0)
    scale = np.sqrt(off @ off / n + _DELTA)
    correlation = z @ off / (n * scale)
    g = (z - correlation * off / scale) / (n * scale)
    forces = radial_forces(pairs, Y, g * (1.0 + rho) / ((rho + _EPS) * near))
    return Evaluation(
        here.objective - strength * float(correlation), here.gradient - 2.0 * strength * forces, here.cost
    )


def _standardized(R):
    """Return z, 0 where R is not known, or None where all are alike; and where R is known, both of shape (N,)."""
    known = ~np.isnan(R)
    if not known.any() or (deviation := R[known].std()) < _ALIKE:
        return None, known
    return np.where(known, (R - R[known].mean()) / deviation, 0.0), known
