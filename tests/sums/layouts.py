"""Maps on which fast sums are held to their error: what models make, and what would break a mesh."""

from operator import attrgetter

import numpy as np

from tests.standins.threads import no_bit_depends_on_threads


def layouts():
    """Return {name: map points (N, 2)}."""
    rng = np.random.default_rng(0)
    angle = 2 * np.pi * rng.random(2000)
    cloud = 8 * rng.standard_normal((3000, 2))
    outliers, distant = cloud.copy(), cloud.copy()
    outliers[:3] = [[1e6, 0], [-3e4, 500], [200, 1e9]]
    distant[1500:] += 1e3
    centers, widths = 60 * rng.random((30, 2)), rng.choice([0.05, 0.5, 2.0], 30)
    which = rng.integers(0, 30, 3000)
    grid = np.stack(np.meshgrid(np.arange(50.0), np.arange(50.0)), axis=-1).reshape(-1, 2)
    return {
        "dense": 14 * rng.random((3000, 2)),
        "sparse": 60 * rng.random((1500, 2)),
        "very sparse": 200 * rng.random((500, 2)),
        "cloud": cloud,
        "clusters": centers[which] + widths[which, None] * rng.standard_normal((3000, 2)),
        "coincident": np.repeat(10 * rng.random((40, 2)), 50, axis=0),
        "line": np.stack([np.linspace(0, 200, 2000), np.zeros(2000)], axis=1),
        "ring": 20 * np.stack([np.cos(angle), np.sin(angle)], axis=1) + 0.1 * rng.standard_normal((2000, 2)),
        "lattice": 0.5 * grid,
        "lattice of the mesh": grid / 3,
        "shaken lattice": 0.6 * grid + 0.15 * rng.standard_normal(grid.shape),
        "outliers": outliers,
        "two distant clouds": distant,
        "heavy tails": rng.standard_cauchy((3000, 2)),
        "heap and a far object": np.concatenate([0.01 * rng.standard_normal((1999, 2)), [[20.0, 0.0]]]),
        "heap and others": np.concatenate([0.01 * rng.standard_normal((1800, 2)), cloud[:200]]),
        "heavier tails": 0.01 * rng.standard_cauchy((3000, 2)),
        "off center": cloud + np.array([3e3, -5e2]),
        **{f"spread {s:g}": s * rng.standard_normal((2000, 2)) for s in (1e-9, 1e-4, 1e-2, 0.1, 0.3, 1.0, 3.0)},
    }


def exact(Y, weights, freedom, rows):
    """The sums of some rows in double precision, by the formula; infinite degrees of freedom are the Gaussian."""
    differences = Y[rows, None] - Y[None]
    D = np.square(differences).sum(axis=2)
    if np.isinf(freedom):
        K = slope = np.exp(-D)
    else:
        K = (1 + D / freedom) ** (-(freedom + 1) / 2)
        slope = (freedom + 1) / (2 * freedom) * (1 + D / freedom) ** (-(freedom + 3) / 2)
    K = np.where(np.arange(len(Y)) == rows[:, None], 0.0, K)
    return K @ weights, np.einsum("ij,ija->ia", slope * weights, differences)


def neighbors_on_a_map(n_objects):
    """Return map points (N, 2) in clusters as wide as those of a fitted map, and a joint P of near ones, CSR."""
    from scipy import sparse
    from sklearn.neighbors import kneighbors_graph

    rng = np.random.default_rng(0)
    centers = rng.uniform(-12, 12, (8, 2))
    Y = centers[rng.integers(8, size=n_objects)] + rng.normal(size=(n_objects, 2))
    P = kneighbors_graph(Y + 0.3 * rng.normal(size=Y.shape), 12)
    P = sparse.csr_array(P + P.T)
    P.data *= rng.uniform(0.2, 1.0, n_objects)[P.indices]
    P = sparse.csr_array(P + P.T)
    P.data /= P.sum()
    return Y, P


def mesh_is_near(cost, bound):
    """Check that `cost`, a function of ``always``, has the loss and gradient with a mesh that it has without one."""
    exact, mesh = cost(always=False), cost(always=True)
    assert abs(mesh.cost - exact.cost) <= 1e-3 * abs(exact.cost)
    assert np.linalg.norm(mesh.gradient - exact.gradient) < bound * np.linalg.norm(exact.gradient)


def no_bit_changes(cost):
    """Check that `cost`, a function without arguments, has the same bits with any number of threads."""
    no_bit_depends_on_threads(lambda: attrgetter("cost", "gradient")(cost()))
