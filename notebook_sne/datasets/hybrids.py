"""Hybrid digits: images that belong in two places at once, the objects of [Hinton2002, section 4].

A hybrid has two parents, images of different classes, and takes each of its pixels from one of them, at random. It
is like both, so a mixture of images can put it among the digits of either parent; a single image can't.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from notebook_sne.datasets.dataset import Dataset
from notebook_sne.datasets.digits import load_digits
from notebook_sne.engine.checks.arguments import check_count
from notebook_sne.engine.checks.numbers import generator_of

__all__ = ["load_hybrid_digits"]

_CLASSES = (2, 3, 4)


def load_hybrid_digits(
    n_per_class: int = 150,
    n_hybrids: int = 50,
    *,
    digits: Dataset | None = None,
    random_state: int | np.random.Generator | None = 0,
) -> Dataset:
    """Return digits 2, 3 and 4, and hybrids of them; needs no network.

    ``load_hybrid_digits(300, 100, digits=fetch_usps())`` has the numbers of [Hinton2002, section 4]. The default digits
    are smaller, and fewer.

    Parameters
    ----------
    n_per_class : int, default 150
        Number of images of each of the three classes.
    n_hybrids : int, default 50
        Number of hybrids; the three pairs of classes take turns.
    digits : Dataset, optional
        Where the images come from: X, images, and labels among which are 2, 3 and 4. `load_digits()` when left out,
        which has 177 to 183 images of each of these.
    random_state : int, numpy.random.Generator or None, default 0
        Seed of all draws; None gives other objects each time.

    Returns
    -------
    dataset : Dataset
        X, images and labels, first of the digits, class by class ("2", "3", "4"), then of the hybrids ("2+3", "2+4",
        "3+4"). Parents are new images, which aren't among the objects; where there are too few of them, one may have
        several hybrids, but no two hybrids have the same parents.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or there aren't enough images.

    Examples
    --------
    >>> load_hybrid_digits()
    Dataset('Digits 2, 3, 4 and hybrids': 500 objects, X (500, 64), labels 2..4, images (500, 8, 8))
    """
    check_count("n_per_class", n_per_class, 1)
    check_count("n_hybrids", n_hybrids, 0)
    digits = load_digits() if digits is None else digits
    if not isinstance(digits, Dataset):
        raise TypeError(f"digits must be a Dataset, such as fetch_usps(), got {type(digits).__name__}")
    if digits.X is None or digits.labels is None or digits.images is None:
        raise ValueError(f"digits must have X, labels and images, got {digits!r}")
    if digits.X.shape[1] != digits.images[0].size:
        raise ValueError(f"X of digits must be its images, a pixel a column, got {digits!r}")
    generator = generator_of(random_state)
    shuffled = {k: generator.permutation(np.flatnonzero(digits.labels == k)) for k in _CLASSES}
    pairs = list(combinations(_CLASSES, 2))
    turns = [-(-(n_hybrids - turn) // len(pairs)) for turn in range(len(pairs))]  # the first pairs have one more
    for (a, b), n_needed in zip(pairs, turns, strict=True):
        for k in (a, b):
            _check_enough(k, len(shuffled[k]), n_per_class, needs_parents=n_needed > 0)
        n_possible = (len(shuffled[a]) - n_per_class) * (len(shuffled[b]) - n_per_class)
        if n_needed > n_possible:
            raise ValueError(
                f"n_hybrids must leave other parents to each hybrid, got {n_hybrids}: {n_needed} of {a} and {b}, but "
                f"only {n_possible} pairs of images are left; lower it or n_per_class, or give more digits"
            )
    objects = np.concatenate([shuffled[k][:n_per_class] for k in _CLASSES])
    parents = _couples({k: shuffled[k][n_per_class:] for k in _CLASSES}, pairs, turns)
    from_first = generator.random((n_hybrids, digits.X.shape[1])) < 0.5
    hybrids = np.where(from_first, digits.X[parents[:, 0]], digits.X[parents[:, 1]])
    height_width = digits.images.shape[1:]
    hybrid_images = np.where(
        from_first.reshape(-1, *height_width), digits.images[parents[:, 0]], digits.images[parents[:, 1]]
    )
    labels = [str(k) for k in _CLASSES for _ in range(n_per_class)]
    labels += [f"{digits.labels[a]}+{digits.labels[b]}" for a, b in parents]
    return Dataset(
        title="Digits 2, 3, 4 and hybrids",
        X=np.concatenate([digits.X[objects], hybrids]),
        labels=np.array(labels),
        images=np.concatenate([digits.images[objects], hybrid_images]),
        citation=digits.citation,
        license=digits.license,
    )


def _couples(spare, pairs, turns):
    """Return the parents of each hybrid, shape (n_hybrids, 2), pair of classes by pair of classes."""
    used = dict.fromkeys(spare, 0)
    couples = []
    for (a, b), n_needed in zip(pairs, turns, strict=True):
        n_a, n_b = len(spare[a]), len(spare[b])
        for turn in range(n_needed):
            # Each class goes on where it stopped, so that no parent serves twice before all have served once. Once
            # both have come round together, the second is moved on by one, and all n_a n_b couples differ.
            shift = turn // np.lcm(n_a, n_b)
            couples.append((spare[a][(used[a] + turn) % n_a], spare[b][(used[b] + turn + shift) % n_b]))
        used[a] += n_needed
        used[b] += n_needed
    return np.array(couples, dtype=np.int64).reshape(-1, 2)


def _check_enough(k, n_present, n_per_class, needs_parents):
    n_most = n_present - needs_parents
    if n_per_class > n_most:
        raise ValueError(
            f"n_per_class must be at most {n_most}, got {n_per_class}: digits has {n_present} images of a {k}"
            f"{', and parents are others' if needs_parents else ''}; lower it, or give more digits, such as "
            "digits=fetch_usps()"
        )
