"""Do linear autoencoders find the plane of PCA?  [Hinton2013]

300 digits of 8 x 8 pixels, the same for all, five random starts: a network of two linear layers, 64-2-64, that learns
by L-BFGS to lower its squared errors; beside it `networks.Autoencoder` without hidden layers, whose outputs are
logistic and whose errors are cross-entropies, so that it is linear on the way to the code only. Angle between the plane
of each, from which its codes are read or its outputs made, and that of the first two principal components, in degrees,
and by how much the squared error is larger than that of PCA.
"""

import sys

import numpy as np
from scipy.linalg import subspace_angles
from sklearn.decomposition import PCA
from sklearn.neural_network import MLPRegressor

import notebook_sne as ns
from benchmarks.record import extremes, keep

SEEDS = range(5)
QUIET = {"n_jobs": 1, "progress": False}


def planes(X, seed):
    """Yield by how much linear networks differ from PCA."""
    pca, X = PCA(2).fit(X), X - X.mean(axis=0)
    least = np.square(X - pca.inverse_transform(pca.transform(X + pca.mean_)) + pca.mean_).sum()
    two_layers = {"hidden_layer_sizes": (2,), "activation": "identity", "solver": "lbfgs", "alpha": 0}
    linear = MLPRegressor(**two_layers, max_iter=2000, tol=1e-9, random_state=seed).fit(X, X)
    angle = np.degrees(subspace_angles(linear.coefs_[1].T, pca.components_.T)).max()
    yield "linear network: angle to the plane of PCA", angle
    yield "linear network: squared error over that of PCA, less 1", np.square(X - linear.predict(X)).sum() / least - 1


def half_linear(X, seed):
    """Yield the angle of an autoencoder with linear codes and logistic outputs."""
    model = ns.networks.Autoencoder(hidden=(), max_iter=1000, random_state=seed, **QUIET).fit(X / 16)
    centered = X - X.mean(axis=0)
    onto = np.linalg.lstsq(centered, model.embedding_ - model.embedding_.mean(axis=0), rcond=None)[0]
    angle = np.degrees(subspace_angles(onto, PCA(2).fit(X).components_.T)).max()
    yield "logistic outputs: angle to the plane of PCA", angle


def main():
    """Measure, print and keep."""
    X, found = ns.datasets.load_digits().sample(30, random_state=0).X, {}
    for seed in SEEDS:
        for check in (planes, half_linear):
            for measure, value in check(X, seed):
                found.setdefault(measure, []).append(float(value))
                print(measure, seed, value, file=sys.stderr, flush=True)
    rows = [{"measure": measure, "starts": len(series), **extremes(series, 3)} for measure, series in found.items()]
    keep("linear_codes", {"seeds": list(SEEDS), "objects": len(X)}, rows)


if __name__ == "__main__":
    main()
