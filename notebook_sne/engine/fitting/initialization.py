"""Where a run starts when no start is given."""

import math
from typing import Any

import numpy as np

from notebook_sne.affinities.sparse_distances import in_units
from notebook_sne.engine.checks.numbers import is_sparse
from notebook_sne.engine.machine.parallel import one_thread
from notebook_sne.engine.mathematics.distances import unit_spread
from notebook_sne.engine.optimizers.iterate import Evaluate, dot, read_only

__all__ = ["PCA_SEED", "START_SD", "START_WEIGHT_SD", "principal_positions", "scaled", "widened"]

START_SD = 1e-4
START_WEIGHT_SD = 0.01
PCA_SEED = 0
"""What a search for principal components that draws numbers draws them from, whatever the seed of a run."""
_MOST_QUADRUPLINGS = 260  # to the widest distances that are taken, 1e150
_HALVINGS = 10  # of the interval in which the scale lies, a factor of 4 wide: to within 0.2 %
_LEAST_VARIANCE = 1e-10  # of a principal component, as a share of the first one's


@one_thread()  # type: ignore[untyped-decorator]
def principal_positions(X: Any, n_components: int, required: bool) -> np.ndarray | None:
    """Return the first principal components of X with standard deviation 1e-4, shape (N, n_components).

    None where the data have too few of them, which is an error if they are required. They are the same for any seed of
    a run, and for none: a solver that draws numbers, as that for many features and few objects, has a seed of its own.
    """
    most = min(X.shape)
    if n_components <= most:
        from sklearn.decomposition import PCA

        if is_sparse(X):
            if n_components >= most:  # which a search for some components of a sparse matrix cannot give
                return principal_positions(X.toarray(), n_components, required)
            pca, unit = PCA(n_components, random_state=PCA_SEED, svd_solver="arpack"), in_units(X)
        else:
            pca, unit = PCA(n_components, random_state=PCA_SEED), unit_spread(X)
        Y = pca.fit_transform(unit)
        # A coordinate that is 0 for all objects would stay so: no force leads out of a line or a plane.
        variances = pca.explained_variance_
        most = int(np.sum(variances > _LEAST_VARIANCE * variances[0]))
        if most == n_components:
            return Y * (START_SD / Y[:, 0].std())
    if required:
        raise ValueError(
            f"init='pca' gives {most} components of these data, got n_components={n_components}; use init='random'"
        )
    return None


def scaled(theta: np.ndarray, n_coordinates: int, evaluate: Evaluate, data_units: bool) -> np.ndarray:
    """Return theta with its map points, the first `n_coordinates`, as far apart as costs least; its shape stays.

    A map that keeps distances is in the unit of the data, one of a kernel in that of the kernel: what is handed from
    one to the other would be far too wide, so that nothing attracts any more, or far too narrow. The scale s is found
    by the sign of dC/ds, from narrow to wide: where a map is narrow this is known, however little the cost itself
    differs, and where it is wide a heavy tail has none. With a kernel, a map that costs least in one place begins as
    narrow as other starts.
    """
    width = math.sqrt(dot(theta[:n_coordinates], theta[:n_coordinates]) / n_coordinates)
    if not 0 < width < math.inf:
        return theta

    def at(exponent: float) -> np.ndarray:
        there = theta.copy()
        there[:n_coordinates] *= (START_SD / width) * 2.0**exponent
        return read_only(there)

    def too_narrow(exponent: float) -> bool:
        there = at(exponent)
        slope = dot(evaluate(there).gradient[:n_coordinates], there[:n_coordinates])
        return math.isfinite(slope) and slope < 0

    grows = too_narrow(0.0)
    if not grows and not data_units:
        return at(0.0)
    step, low, high = (2.0 if grows else -2.0), 0.0, 0.0
    for _ in range(_MOST_QUADRUPLINGS):
        low, high = high, high + step
        if too_narrow(high) != grows:
            break
    else:
        return at(0.0)  # no scale is better than another one
    low, high = min(low, high), max(low, high)
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if too_narrow(middle) else (low, middle)
    return at(0.5 * (low + high))


def widened(positions: np.ndarray, d: int, rng: np.random.Generator) -> np.ndarray:
    """Return positions, shape (..., d), the last coordinates being noise where fewer are given."""
    lacking = d - positions.shape[-1]
    if lacking <= 0:
        return positions
    return np.concatenate([positions, START_SD * rng.standard_normal((*positions.shape[:-1], lacking))], axis=-1)
