"""Checks of map points and mixing proportions that are given, as those of `checks` for data."""

from typing import Any

import numpy as np

from notebook_sne.engine.checks.arguments import check_finite
from notebook_sne.engine.checks.arrays import Floats, Ints
from notebook_sne.engine.checks.numbers import as_floats, check_given, list_objects, show
from notebook_sne.engine.checks.rounding import rounding_of, zero_if_rounded

__all__ = ["check_mixing", "check_moved", "check_pinned", "check_places", "check_points", "check_start"]

_FARTHEST = 1e15  # in a map: squares are still finite in single precision


def check_points(name: str, Y: Any, n_objects: int | None, n_components: int | None) -> Floats:
    """Return map points, shape (N, d), as finite float64."""
    Y = as_floats(name, Y)
    if Y.shape != (n_objects, n_components):
        raise ValueError(f"{name} must have shape (N, n_components) = ({n_objects}, {n_components}), got {Y.shape}")
    check_finite(name, Y)
    return Y


def check_start(name: str, Y: Any, n_objects: int, n_components: int) -> Floats:
    """Return positions that a run can start from: those of `check_points`, not too far and not all in one place."""
    Y = check_points(name, Y, n_objects, n_components)
    if np.abs(Y).max() >= _FARTHEST:
        raise ValueError(f"{name} must lie within {_FARTHEST:g} of the origin, got {np.abs(Y).max():g}; rescale it")
    if np.all(Y == Y[0]):
        raise ValueError(
            f"{name} must not put all objects into one place, where no force acts; add a little noise, "
            "or use init='random'"
        )
    return Y


def check_places(name: str, Y: Any, shape: tuple[int, int, int]) -> Floats:
    """Return places in several maps, shape (M, N, d), that a run can start from."""
    Y = as_floats(name, Y)
    if Y.shape != shape:
        raise ValueError(f"{name} must have shape (M, N, n_components) = {shape}, got {Y.shape}")
    return np.stack([check_start(f"{name}[{m}]", y, *shape[1:]) for m, y in enumerate(Y)])


def check_moved(objects: Any, places: Any, m: Any, shape: tuple[int, int, int]) -> tuple[Ints, Floats]:
    """Return the objects, shape (K,), and the places in map m, shape (K, 2) or (K, d), to which a hand moves them."""
    M, N, d = shape
    objects, places = check_given("objects", objects), as_floats("places", places, copy=False)
    shapes = [(len(objects), n) for n in (d, min(2, d))] if objects.ndim == 1 else []
    if objects.dtype.kind not in "iu" or places.shape not in shapes:
        raise ValueError(
            f"objects and places must have shapes (K,), integers, and (K, {d}), got {objects.shape} and "
            f"{places.shape}; give a place for each object"
        )
    if len(objects) and not (0 <= objects.min() and objects.max() < N):
        raise ValueError(f"objects must be from 0 to {N - 1}, got {objects.min()} to {objects.max()}")
    if isinstance(m, bool) or not isinstance(m, int | np.integer) or not 0 <= m < M:
        raise ValueError(f"m must be a map from 0 to {M - 1}, got {show(m)}")
    if not (np.abs(places) < _FARTHEST).all():
        raise ValueError(f"places must be finite and within {_FARTHEST:g} of the origin; move the objects less far")
    return objects, places


def check_pinned(objects: Any, places: Any, m: Any, shape: tuple[int, int, int]) -> tuple[Ints, list[Floats | None]]:
    """Return the objects, shape (K,), and a place for each as `check_moved` takes it, or None without places."""
    objects = check_given("objects", objects)
    if objects.ndim == 1 and not objects.size:
        objects = objects.astype(int)
    if places is None:
        objects, _ = check_moved(objects, np.zeros((*objects.shape[:1], min(2, shape[2]))), m, shape)
        return objects, [None] * len(objects)
    objects, places = check_moved(objects, places, m, shape)
    return objects, list(places)


def check_mixing(name: str, mixing: Any, n_maps: int, n_objects: int) -> Floats:
    """Return mixing proportions, shape (M, N), not negative and summing to 1 over the maps."""
    mixing = check_given(name, mixing)
    rounding, mixing = rounding_of(mixing), as_floats(name, mixing)
    if mixing.shape != (n_maps, n_objects):
        raise ValueError(f"{name} must have shape (M, N) = ({n_maps}, {n_objects}), got {mixing.shape}")
    check_finite(name, mixing)
    mixing = zero_if_rounded(mixing, rounding)
    if mixing.min() < 0:
        raise ValueError(f"{name} must not be negative, got {mixing.min():g}; proportions lie between 0 and 1")
    sums = mixing.sum(axis=0)
    wrong = np.flatnonzero(np.abs(sums - 1) > rounding)
    if wrong.size:
        raise ValueError(
            f"{name} must sum to 1 over the maps for each object, got {sums[wrong[0]]:.6g} for {list_objects(wrong)}; "
            "divide by mixing.sum(axis=0)"
        )
    return mixing
