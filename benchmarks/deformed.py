"""More digits than MNIST has: its 70,000 images, each moved, turned and stretched a little, in 50 principal components.

The first 70,000 objects are the images as they are. Each later one is an image of MNIST in turn, under an affine map of
its own: turned by up to 15 degrees, scaled by 0.85 to 1.15, sheared by up to 0.2 and moved by up to 2 pixels, all
evenly. The principal components are those of the 70,000. So a million digits lie on curved pieces of some six
dimensions more than each image, near their likes, as the images of MNIST themselves do.
"""

import numpy as np

import notebook_sne as ns
from notebook_sne.engine.machine.compiled import njit
from notebook_sne.engine.machine.parallel import FAST_SERIAL

__all__ = ["deformed_digits"]

_SIDE, _COMPONENTS, _PART = 28, 50, 20_000


def deformed_digits(n_objects, seed=0):
    """Return digits in 50 dimensions, float32 of shape (n_objects, 50), and which digit each is."""
    from sklearn.decomposition import PCA

    digits = ns.datasets.fetch_mnist("both")
    images = np.ascontiguousarray(digits.X, np.float32).reshape(-1, _SIDE, _SIDE)
    N = len(images)
    flat = images.reshape(N, -1)
    PC = PCA(_COMPONENTS, random_state=0, svd_solver="randomized").fit(flat)
    X = np.empty((n_objects, _COMPONENTS), np.float32)
    X[:N] = PC.transform(flat[:n_objects])
    rng = np.random.default_rng(seed)
    for first in range(N, n_objects, _PART):
        which = np.arange(first, min(first + _PART, n_objects)) % N
        affine = np.column_stack(
            [
                np.deg2rad(rng.uniform(-15.0, 15.0, len(which))),
                rng.uniform(0.85, 1.15, (len(which), 2)),
                rng.uniform(-0.2, 0.2, len(which)),
                rng.uniform(-2.0, 2.0, (len(which), 2)),
            ]
        )
        made = np.zeros((len(which), _SIDE, _SIDE), np.float32)
        _deform(images, which, affine, made)
        X[first : first + len(which)] = PC.transform(made.reshape(len(which), -1))
    return X, np.asarray(digits.labels)[np.arange(n_objects) % N]


@njit(**FAST_SERIAL)
def _deform(images, which, affine, made):
    side = images.shape[1]
    middle = 0.5 * (side - 1)
    for n in range(which.shape[0]):
        angle, a, b, shear, right, down = affine[n]
        cosine, sine = np.cos(angle), np.sin(angle)
        for r in range(side):
            for c in range(side):
                # Where in the image this pixel comes from, read between its four neighbors.
                u, v = r - middle - down, c - middle - right
                v += shear * u
                y, x = a * (cosine * u - sine * v) + middle, b * (sine * u + cosine * v) + middle
                i, j = int(np.floor(y)), int(np.floor(x))
                for di in range(2):
                    for dj in range(2):
                        if 0 <= i + di < side and 0 <= j + dj < side:
                            share = (1.0 - abs(y - i - di)) * (1.0 - abs(x - j - dj))
                            made[n, r, c] += share * images[which[n], i + di, j + dj]
