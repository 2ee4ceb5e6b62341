"""The data of an explorer: maps, proportions, names and counts, as they are given and packed as bytes."""

import numpy as np
from scipy import sparse

from notebook_sne.engine.checks.numbers import as_floats, check_given
from notebook_sne.engine.fitting.state import State
from notebook_sne.models.family import kernel_of

__all__ = [
    "cost_of",
    "facts_of_fits",
    "fitted_maps",
    "given_is_data",
    "names_and_counts",
    "pack_counts",
    "pack_maps",
    "unpack_maps",
]

MOST_WHOLE = 1_000_000  # points of all maps together; of more, only those that count are sent
SMALL = 0.05  # times an equal share, 1/M: smaller proportions of a fit that is not the best one are not sent

_SUM_TOLERANCE = 1e-3  # by how much proportions in single precision, summed over maps, may miss 1


def cost_of(model):
    """Return the cost of a fitted model in nats, or None where it isn't known."""
    cost = getattr(model, "cost" if isinstance(model, State) else "cost_", None)
    return None if cost is None else float(cost)


def fitted_maps(model):
    """Return maps (M, N, d) and proportions (M, N) of a fitted model."""
    ours = ("Y", "mixing") if isinstance(model, State) else ("maps_", "mixing_")
    maps, mixing = (getattr(model, name, None) for name in ours)
    if maps is None and getattr(model, "embedding_", None) is not None:
        maps = np.asarray(model.embedding_)[None]
    if isinstance(model, type) or maps is None:
        name = model.__name__ if isinstance(model, type) else type(model).__name__
        raise ValueError(
            f"model must be fitted, and this {name} has no maps_; fit it first, as model.fit(X), or watch it being "
            "fitted: explore(Run(model, X), names)"
        )
    maps = as_floats("maps_", maps, copy=False)
    if maps.ndim != 3 or min(maps.shape) < 1 or not np.isfinite(maps).all():
        raise ValueError(f"maps_ must be finite and have shape (M, N, d), got shape {maps.shape}; fit the model again")
    mixing = np.full(maps.shape[:2], 1 / len(maps)) if mixing is None else as_floats("mixing_", mixing, copy=False)
    if mixing.shape != maps.shape[:2]:
        raise ValueError(f"mixing_ must have shape (M, N) = {maps.shape[:2]}, as maps_ has, got {mixing.shape}")
    if not ((mixing >= 0).all() and (np.abs(mixing.sum(axis=0) - 1) < _SUM_TOLERANCE).all()):
        raise ValueError("mixing_ must not be negative and sum to 1 over the maps for each word; fit the model again")
    return maps, mixing


def facts_of_fits(models):
    """Return how many words some fitted models have, and the traits that hold their maps: the best one's whole."""
    if not models:
        raise ValueError("model must be a fitted model, or a list of some, got an empty list")
    found = [fitted_maps(model) for model in models]
    n_objects = found[0][0].shape[1]
    for k, (maps, _) in enumerate(found):
        if maps.shape[1] != n_objects:
            raise ValueError(
                f"all fits must be of the same words, but fit 0 has {n_objects} and fit {k} has {maps.shape[1]}; "
                "fit them to the same P"
            )
    costs = [cost_of(model) for model in models]
    best = 0 if None in costs else int(np.argmin(costs))
    kinds = [{"kernel": kernel_of(model), "model_name": name_of(model)} for model in models]
    fits = [{"cost": cost, **kind} for cost, kind in zip(costs, kinds, strict=True)]
    others = [_pack_largest(k, *one) for k, one in enumerate(found) if k != best]
    return n_objects, {
        "snapshot": pack_maps(*found[best]), "fits": fits, "best": best, "fit": best, "other_maps": b"".join(others),
        **fits[best],
    }  # fmt: skip


def given_is_data(names):
    """Tell whether a Dataset stands in place of names."""
    return hasattr(names, "names") and not hasattr(names, "shape")


def names_and_counts(names, counts):
    """Return the names and counts of a Dataset, where it stands in place of names; anything else as it is."""
    if not given_is_data(names):
        return names, counts
    if names.names is None:
        raise ValueError("this data set has no names; give the words as names, a sequence of str")
    return names.names, getattr(names, "counts", None) if counts is None else counts


def pack_maps(maps, mixing):
    """Return M, N, d, the points and the proportions as float32 bytes; proportions are equal where they are None.

    Of very many points those whose proportion is large enough to count: -M, N, d and their number, then their maps,
    words, proportions and coordinates. All of 50,000 words in 100 maps would be 60 MB.
    """
    maps = np.asarray(maps)
    n_maps, n_objects, d = maps.shape
    mixing = np.full((n_maps, n_objects), 1 / n_maps) if mixing is None else np.asarray(mixing)
    # Centered, so that single precision is spent on differences; equal moves of all points change no distance.
    centered = maps - maps.mean(axis=1, keepdims=True)
    if n_maps * n_objects <= MOST_WHOLE:
        return b"".join(part.astype("<f4").tobytes() for part in (np.array(maps.shape), centered, mixing))
    return _pack_counting([-n_maps, n_objects, d], centered, mixing)


def unpack_maps(snapshot):
    """Return maps, shape (M, N, d), and proportions, shape (M, N), from the trait."""
    values = np.frombuffer(snapshot, "<f4")
    n_maps, n_objects, d = values[:3].astype(int)
    if n_maps < 0:
        n, there = int(values[3]), values[4:]
        m, i = there[: 2 * n].reshape(2, n).astype(int)
        maps, mixing = np.zeros((-n_maps, n_objects, d), "<f4"), np.zeros((-n_maps, n_objects), "<f4")
        mixing[m, i], maps[m, i] = there[2 * n : 3 * n], there[3 * n :].reshape(n, d)
        return maps, mixing
    cut = 3 + n_maps * n_objects * d
    return values[3:cut].reshape(n_maps, n_objects, d), values[cut:].reshape(n_maps, n_objects)


def pack_counts(counts, n_objects):
    """Turn counts, shape (N, N), dense or sparse, into traits: compressed rows with sorted columns."""
    if counts is None:
        return {}
    counts = check_given("counts", counts)
    shape = counts.shape
    if shape != (n_objects, n_objects):
        raise ValueError(
            f"counts must have a row and a column for each of the {n_objects} words, shape ({n_objects}, {n_objects}), "
            f"got {shape}; cut or reorder them as the names are"
        )
    counts = counts if sparse.issparse(counts) else as_floats("counts", counts)
    rows = sparse.csr_array(counts, dtype=np.float64, copy=True)
    rows.sum_duplicates()
    if not (np.isfinite(rows.data).all() and (rows.data >= 0).all()):
        raise ValueError("counts must be finite and not negative; correct these entries")
    return {
        "count_pointers": rows.indptr.astype("<i4").tobytes(),
        "count_columns": rows.indices.astype("<i4").tobytes(),
        "count_values": rows.data.astype("<f4").tobytes(),
    }


def name_of(model):
    """Return the class name of a model, or of that of a state."""
    return model.model if isinstance(model, State) else type(model).__name__


def _pack_largest(fit, maps, mixing):
    """Return the maps of a fit as the trait `other_maps` holds them: points whose proportion is large enough to count.

    A word has a proportion above 0.001 in five of fifty maps; all points of eight fits would be 24 MB for 5,000 words.
    """
    n_maps, _, d = maps.shape
    return _pack_counting([fit, n_maps, d], maps - maps.mean(axis=1, keepdims=True), mixing)


def _pack_counting(begin, centered, mixing):
    """Return some numbers and how many points count, then their maps, words, proportions and coordinates."""
    m, i = np.nonzero(mixing >= SMALL / len(mixing))
    parts = np.array([*begin, len(m)]), m, i, mixing[m, i], centered[m, i]
    return b"".join(part.astype("<f4").tobytes() for part in parts)
