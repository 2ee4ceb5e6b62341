"""Two maps in one P: the toy problem of [Cook2007, Fig. 4], whose answer is known.

Every object has a place in two maps that have nothing to do with each other. The neighbors of an object are those
of both maps mixed; no single map can show them, and two aspect maps can, without any error:

.. math::

    q_{j|i} = sum_m pi_i^m pi_j^m exp(-d_ij^m) / z_i,    d_ij^m = |y_i^m - y_j^m|^2,    pi_i^m = 1/2
"""

from __future__ import annotations

import numpy as np

from notebook_sne.datasets.dataset import Dataset
from notebook_sne.engine.checks.arguments import check_count, check_number
from notebook_sne.engine.checks.numbers import generator_of

__all__ = ["load_two_maps"]


def load_two_maps(
    n_objects: int = 100, sd: float = 0.5, *, random_state: int | np.random.Generator | None = 0
) -> Dataset:
    """Return objects whose neighbors come from two maps.

    .. math:: p_{j|i} = sum_m exp(-d_ij^m) / sum_{h != i} sum_m exp(-d_ih^m),    d_ij^m = |y_i^m - y_j^m|^2

    The points of each map are Gaussian. They are drawn one map after the other, so that which point of the second map
    belongs to the same object as a point of the first is random.

    Parameters
    ----------
    n_objects : int, default 100
        Number of objects, at least 3.
    sd : float, default 0.5
        Standard deviation of each map along each axis; the neighborhood of a point has the width sqrt(1/2). The
        wider the maps, the harder it is to find both.
    random_state : int, numpy.random.Generator or None, default 0
        Seed; None gives other maps each time.

    Returns
    -------
    dataset : Dataset
        P (n_objects, n_objects), conditional, exactly that of the two ``maps`` (2, n_objects, 2) with mixing
        proportions of one half; the labels are the angles of the points in the first map, to color by.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range.

    Examples
    --------
    >>> toy = load_two_maps(100)
    >>> toy.P.shape, toy.maps.shape
    ((100, 100), (2, 100, 2))
    """
    check_count("n_objects", n_objects, 3)
    check_number("sd", sd, 0.0, closed=False)
    maps = sd * generator_of(random_state).standard_normal((2, n_objects, 2))
    D = np.sum(np.square(maps[:, :, None] - maps[:, None]), axis=3)
    D[:, np.arange(n_objects), np.arange(n_objects)] = np.inf
    # Measured from the nearest neighbor in either map, so that an isolated object never divides 0 by 0. The mixing
    # proportions are the same everywhere and cancel.
    P = np.exp(D.min(axis=(0, 2))[:, None] - D).sum(axis=0)
    return Dataset(
        title="Two maps in one P",
        P=P / P.sum(axis=1, keepdims=True),
        labels=np.arctan2(maps[0, :, 1], maps[0, :, 0]),
        maps=maps,
        citation="J. Cook, I. Sutskever, A. Mnih and G. Hinton, Visualizing similarity data with a mixture of maps, "
        "AISTATS 2007, 67-74",
        license="None needed: computed by formula",
    )
