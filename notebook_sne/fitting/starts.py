"""Where a run starts when nobody says."""

import numpy as np

from notebook_sne.mathematics.distances import unit_spread

__all__ = ["START_SD", "START_WEIGHT_SD", "principal_positions"]

START_SD = 1e-4
START_WEIGHT_SD = 0.01
_LEAST_VARIANCE = 1e-10  # of a principal component, as a share of the first one's


def principal_positions(X: np.ndarray, n_components: int, seed: int, required: bool) -> np.ndarray | None:
    """Return the first principal components of X with standard deviation 1e-4, shape (N, n_components).

    None where the data have too few of them, which is an error if they are required.
    """
    most = min(X.shape)
    if n_components <= most:
        from sklearn.decomposition import PCA

        pca = PCA(n_components, random_state=seed)
        Y = pca.fit_transform(unit_spread(X))
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
