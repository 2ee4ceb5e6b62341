"""Fits of aspect maps to norms, kept in a folder if there is one, as fifteen of them take a quarter of an hour."""

from dataclasses import dataclass
from typing import Any

import numpy as np

import notebook_sne as ns

__all__ = ["Fit", "fits"]


@dataclass(frozen=True)
class Fit:
    """A fitted model as `senses` reads it."""

    maps_: np.ndarray  # shape (M, N, 2): map points
    mixing_: np.ndarray  # shape (M, N): proportions
    affinities_: Any  # the conditional P, CSR


def fits(norms, seeds, folder=None, copy_moves=None):
    """Return fits of AspectMaps to all words of the norms, a list with one for each seed.

    They begin from noise, as all did when the contest was held (`benchmarks.senses.starts` compares them). All else is
    as by default, but for `copy_moves` where it is given. A fit that is in the folder, as NORMS_SEED.npz with
    `maps` and `mixing`, is read; another is made, and kept there.
    """
    return [_fit(norms, seed, folder, copy_moves) for seed in seeds]


def _fit(norms, seed, folder, copy_moves):
    path = None if folder is None else folder / f"{norms.name}_{seed}.npz"
    if path is not None and path.exists():
        with np.load(path, allow_pickle=False) as kept:
            maps, mixing = kept["maps"].astype(float), kept["mixing"]
        if maps.shape[1] != len(norms.data):
            raise ValueError(f"{path.name} must have maps of {len(norms.data)} words, has {maps.shape[1]}; remove it")
    else:
        model = ns.AspectMaps(input="probabilities", init="random", random_state=seed, progress=False)
        if copy_moves is not None:
            model.set_params(copy_moves=copy_moves)
        model.fit(norms.data.P)
        maps, mixing = model.maps_, model.mixing_
        if path is not None:
            folder.mkdir(parents=True, exist_ok=True)
            np.savez(path, maps=maps.astype(np.float32), mixing=mixing)
    return Fit(maps, mixing, norms.data.P)
