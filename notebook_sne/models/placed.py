"""New objects among the fitted ones of several maps: a place in each map that explains their choices."""

from collections.abc import Mapping
from typing import ClassVar, NamedTuple

import numpy as np
from scipy import sparse

from notebook_sne.engine.checks.arrays import Floats, Matrix
from notebook_sne.engine.fitting.out_of_sample import place
from notebook_sne.engine.mathematics.row_mixtures import row_mixtures
from notebook_sne.models.several import SeveralMaps
from notebook_sne.models.single import Placing

__all__ = ["Placed", "PlacedInMaps"]


class Placed(NamedTuple):
    """The places of n new objects in M maps.

    Attributes
    ----------
    maps : ndarray, shape (M, n, d)
        Their map points; NaN in a map where the proportion is 0, because an object has no place there.
    mixing : ndarray, shape (M, n)
        Their proportions; those of an object sum to 1 over the maps, and at most 8 of them are above 0.
    """

    maps: np.ndarray
    mixing: np.ndarray


class PlacedInMaps(Placing, SeveralMaps):
    """Base of the models with several maps that place new objects; not used by itself."""

    _results: ClassVar[tuple[str, ...]] = ("objects_", "_origin", *SeveralMaps._results)

    def _places(self, P: sparse.csr_array, knobs: Mapping[str, float]) -> tuple[Floats, Floats]:
        M, _, d = self.maps_.shape
        found = row_mixtures(P, *self._fitted_places(), student=self._kernel == "student", parts=False)
        maps = np.full((M, P.shape[0], d), np.nan)
        rows, components = np.nonzero((found.maps >= 0) & (found.shares > 0))
        maps[found.maps[rows, components], rows] = found.places[rows, components]
        return maps, found.mixing(M)

    def place(self, X: Matrix) -> Placed:
        """Place new objects in the maps, each independently; the maps stay as they are.

        It is no `transform`, whose one array with a row for each object would have no room for several maps.

        While the fitted objects are held, the row of a new object is a mixture with one component per map. Its places
        and proportions are those that explain p_{j|i}, its choices among the fitted objects, best
        (`notebook_sne.engine.mathematics.row_mixtures`). Each object is placed as if alone: neither other new objects
        nor the number of threads change a bit.

        Parameters
        ----------
        X : array-like
            The new objects, as in the fit: vectors, shape (n, n_features), measured as those were; or their distances
            to the fitted objects, or p_{j|i} of new objects i and fitted objects j, dense or sparse, shape (n, N).

        Returns
        -------
        placed : Placed
            Its `maps`, shape (M, n, n_components), and its `mixing`, shape (M, n). Where a proportion is 0, the object
            has no place in this map, and its map point is NaN. At most 8 proportions of an object are above 0.

        Raises
        ------
        ValueError
            If X breaks these rules, if the vectors of the fit have been changed in place since, or after a fit to a
            joint P, which says nothing about new objects.

        Warns
        -----
        UserWarning
            If more fitted objects than the perplexity are nearest to a new object; these share its choice evenly.

        Notes
        -----
        The proportions of new objects are found even if those of the fit were given, or equal. The penalty is left out:
        it holds objects together that no similarity does, but a new object is held by its associates.

        Examples
        --------
        >>> import notebook_sne as ns
        >>> words = ns.datasets.load_word_relations()
        >>> model = ns.AspectMaps(n_maps=5, max_iter=60, input="probabilities", random_state=0).fit(words.P)
        >>> placed = model.place(words.P[:3])
        >>> placed.maps.shape, placed.mixing.shape
        ((5, 3, 2), (5, 3))
        """
        maps, mixing = zip(*place(self, X), strict=True)
        return Placed(*(np.concatenate(part, axis=1).astype(self.maps_.dtype, copy=False) for part in (maps, mixing)))
