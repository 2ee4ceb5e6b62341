"""Toy problems by formula: sets whose true arrangement is known, so that a map of them can be judged.

They are a roll that should unroll; two rings that no map can part without cutting one; strands of a rope that no linear
projection separates; a circle that doesn't fit on a line; and clusters of known size, width and distance. The same
``random_state`` gives the same objects.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from notebook_sne.datasets.dataset import Dataset
from notebook_sne.engine.checks.arguments import check_count, check_number
from notebook_sne.engine.checks.numbers import as_list, generator_of, show

__all__ = ["load_circle", "load_clusters", "load_rope", "load_swiss_roll", "load_two_rings"]

_LICENSE = "None needed: computed by formula"
_DISTILL = "M. Wattenberg, F. Viégas and I. Johnson, How to use t-SNE effectively, Distill, 2016"


def load_swiss_roll(
    n_objects: int = 1000, *, noise: float = 0.0, random_state: int | np.random.Generator | None = 0
) -> Dataset:
    """Return objects on a rolled-up sheet in three dimensions.

    .. math:: x = (t cos t,  h,  t sin t)

    The angle t is uniform from 1.5 pi to 4.5 pi, the height h from 0 to 21.

    Parameters
    ----------
    n_objects : int, default 1000
        Number of objects, at least 3.
    noise : float, default 0
        Standard deviation of Gaussian noise on each coordinate.
    random_state : int, numpy.random.Generator or None, default 0
        Seed; None gives other objects each time.

    Returns
    -------
    dataset : Dataset
        X (n_objects, 3); the labels are the angles t, values to color by: neighbors on the sheet have similar ones,
        neighbors across the gap of the roll don't.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range.

    Examples
    --------
    >>> load_swiss_roll()
    Dataset('Swiss roll': 1000 objects, X (1000, 3), labels 4.71..14.1)
    """
    check_count("n_objects", n_objects, 3)
    check_number("noise", noise, 0.0)
    generator = generator_of(random_state)
    t = 1.5 * np.pi * (1 + 2 * generator.random(n_objects))
    height = 21 * generator.random(n_objects)
    roll = np.stack([t * np.cos(t), height, t * np.sin(t)], axis=1)
    return Dataset(
        title="Swiss roll",
        X=roll + noise * generator.standard_normal(roll.shape),
        labels=t,
        citation="J. B. Tenenbaum, V. de Silva and J. C. Langford, A global geometric framework for nonlinear "
        "dimensionality reduction, Science 290 (2000) 2319-2323",
        license=_LICENSE,
    )


def load_two_rings(
    n_objects: int = 200, *, noise: float = 0.02, random_state: int | np.random.Generator | None = 0
) -> Dataset:
    """Return objects on two linked rings in three dimensions.

    The rings are circles of radius 1 in planes at right angles; each passes through the center of the other. Objects
    are evenly spaced along them. No map in the plane keeps both rings whole and apart: one must be cut, or they cross.

    Parameters
    ----------
    n_objects : int, default 200
        Number of objects, even and at least 6: one half on each ring.
    noise : float, default 0.02
        Standard deviation of Gaussian noise on each coordinate; without any, all neighbors are equally far.
    random_state : int, numpy.random.Generator or None, default 0
        Seed of the noise; None gives another each time.

    Returns
    -------
    dataset : Dataset
        X (n_objects, 3), ring by ring and in the order along each; the labels, 0 and 1, say which ring.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range.

    Examples
    --------
    >>> load_two_rings(100)
    Dataset('Two linked rings': 100 objects, X (100, 3), labels 0..1)
    """
    check_count("n_objects", n_objects, 6)
    if n_objects % 2:
        raise ValueError(f"n_objects must be even, one half for each ring, got {n_objects}; give one more")
    check_number("noise", noise, 0.0)
    angle = 2 * np.pi * np.arange(n_objects // 2) / (n_objects // 2)
    zero = np.zeros_like(angle)
    lying = np.stack([np.cos(angle), np.sin(angle), zero], axis=1)
    standing = np.stack([1 + np.cos(angle), zero, np.sin(angle)], axis=1)
    rings = np.concatenate([lying, standing])
    generator = generator_of(random_state)
    return Dataset(
        title="Two linked rings",
        X=rings + noise * generator.standard_normal(rings.shape),
        labels=np.repeat([0, 1], n_objects // 2),
        citation=_DISTILL,
        license=_LICENSE,
    )


def load_rope(
    n_objects: int = 600,
    *,
    n_strands: int = 3,
    n_turns: float = 1.5,
    noise: float = 0.1,
    random_state: int | np.random.Generator | None = 0,
) -> Dataset:
    """Return objects on the strands of a rope in three dimensions: classes that are long and curved.

    .. math:: x = (cos a,  sin a,  3 t),   a = 2 pi (t + k / n)

    Strand k of n winds around an axis; t is uniform from 0 to the number of turns. Every object has its neighbors on
    its own strand, and yet the strands have one mean, on which linear discriminant analysis goes, and cross in every
    straight view of the rope from the side.

    Parameters
    ----------
    n_objects : int, default 600
        Number of objects, at least 3; the strands take turns.
    n_strands : int, default 3
        Number of strands, at least 1.
    n_turns : float, default 1.5
        How often each winds around the axis, above 0.
    noise : float, default 0.1
        Standard deviation of Gaussian noise on each coordinate; the strands are at distance 1 from the axis.
    random_state : int, numpy.random.Generator or None, default 0
        Seed; None gives other objects each time.

    Returns
    -------
    dataset : Dataset
        X (n_objects, 3); the labels 0, 1, ... say which strand.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range.

    Examples
    --------
    >>> load_rope(300)
    Dataset('Strands of a rope': 300 objects, X (300, 3), labels 0..2)
    """
    check_count("n_objects", n_objects, 3)
    check_count("n_strands", n_strands, 1)
    check_number("n_turns", n_turns, 0.0, closed=False)
    check_number("noise", noise, 0.0)
    generator = generator_of(random_state)
    strand = np.arange(n_objects) % n_strands
    t = n_turns * generator.random(n_objects)
    angle = 2 * np.pi * (t + strand / n_strands)
    rope = np.stack([np.cos(angle), np.sin(angle), 3 * t], axis=1)
    return Dataset(
        title="Strands of a rope",
        X=rope + noise * generator.standard_normal(rope.shape),
        labels=strand,
        citation="After G. E. Hinton, Non-linear dimensionality reduction, lecture, 2013: classes that form long "
        "curved manifolds",
        license=_LICENSE,
    )


def load_circle(n_objects: int = 100) -> Dataset:
    """Return objects evenly spaced on a circle.

    A map of it in one dimension has to cut the circle or to fold it: which of the two depends on the model. Of SNE with
    one image for each object and with several, see [Hinton2002, section 4].

    Parameters
    ----------
    n_objects : int, default 100
        Number of objects, at least 3.

    Returns
    -------
    dataset : Dataset
        X (n_objects, 2), at distance 1 from the origin; the labels are the angles, from 0 to below 2 pi.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range.

    Notes
    -----
    Every object has two nearest neighbors at the same distance, so the perplexity must be above 2.

    Examples
    --------
    >>> load_circle(50)
    Dataset('Circle': 50 objects, X (50, 2), labels 0..6.16)
    """
    check_count("n_objects", n_objects, 3)
    angle = 2 * np.pi * np.arange(n_objects) / n_objects
    return Dataset(
        title="Circle",
        X=np.stack([np.cos(angle), np.sin(angle)], axis=1),
        labels=angle,
        citation="G. E. Hinton and S. T. Roweis, Stochastic neighbor embedding, Advances in Neural Information "
        "Processing Systems 15 (2002) 857-864",
        license=_LICENSE,
    )


def load_clusters(
    n_objects: Sequence[int] = (50, 50, 200, 200),
    *,
    widths: float | Sequence[float] = (0.5, 2.0, 0.5, 2.0),
    distance: float = 20.0,
    n_features: int = 10,
    random_state: int | np.random.Generator | None = 0,
) -> Dataset:
    """Return Gaussian clusters of different sizes and densities, every two at the same distance.

    Cluster k has its center on axis k, so that all centers are equally far from one another: where a map shows
    different distances between clusters, or equal widths of them, that is the map's doing. The default clusters are
    few and many objects, each narrow and wide.

    Parameters
    ----------
    n_objects : sequence of int, default (50, 50, 200, 200)
        Number of objects in each cluster; how many there are says how many clusters.
    widths : sequence of float, or float, default (0.5, 2.0, 0.5, 2.0)
        Standard deviation of each cluster along each axis, or one for all of them.
    distance : float, default 20
        Distance between any two centers.
    n_features : int, default 10
        Number of dimensions, at least one for each cluster.
    random_state : int, numpy.random.Generator or None, default 0
        Seed; None gives other objects each time.

    Returns
    -------
    dataset : Dataset
        X (sum of n_objects, n_features), cluster by cluster; the labels 0, 1, ... say which cluster.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range.

    Examples
    --------
    >>> load_clusters([30, 300], widths=1.0, n_features=2)
    Dataset('Clusters of different size and density': 330 objects, X (330, 2), labels 0..1)
    """
    sizes = [n_objects] if isinstance(n_objects, (int, np.integer)) else as_list("n_objects", n_objects)
    for size in sizes:
        check_count("n_objects of each cluster", size, 1)
    n_clusters = len(sizes)
    if sum(sizes) < 3:
        raise ValueError(f"n_objects must name at least 3 objects in all, got {show(n_objects)}")
    widths = [widths] * n_clusters if isinstance(widths, (int, float, np.number)) else as_list("widths", widths)
    if len(widths) != n_clusters:
        raise ValueError(
            f"widths must be one number, or one for each of the {n_clusters} clusters that n_objects "
            f"names, got {len(widths)}"
        )
    for width in widths:
        check_number("widths", width, 0.0, closed=False)
    check_number("distance", distance, 0.0)
    check_count("n_features, with an axis for each cluster,", n_features, n_clusters)
    generator = generator_of(random_state)
    # Two points at r on different axes are r sqrt(2) apart.
    centers = distance / np.sqrt(2) * np.eye(n_clusters, n_features)
    members = np.repeat(np.arange(n_clusters), np.array(sizes))
    spread = np.asarray(widths, dtype=float)[members, None] * generator.standard_normal((len(members), n_features))
    return Dataset(
        title="Clusters of different size and density",
        X=centers[members] + spread,
        labels=members,
        citation=_DISTILL,
        license=_LICENSE,
    )
