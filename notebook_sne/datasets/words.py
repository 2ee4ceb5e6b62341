"""Words as objects: the vectors of common English words."""

from __future__ import annotations

import numpy as np

from notebook_sne.datasets.dataset import BUNDLED, Dataset

__all__ = ["load_common_words"]


def load_common_words() -> Dataset:
    """Return vectors of the 500 commonest English words and symbols; needs no network.

    A stand-in for the objects of [Cook2007, Fig. 9]. Their vectors, 100-dimensional and learned by a language model
    from 16 million words of AP news, were never published. These are the first 500 rows, the most frequent words
    first, of the 50-dimensional GloVe vectors learned from the Wikipedia of 2014 and Gigaword 5, which includes AP
    news. Don't expect exactly the paper's map.

    Returns
    -------
    dataset : Dataset
        X (500, 50), names.

    Examples
    --------
    >>> load_common_words()
    Dataset('500 common words (GloVe 6B, 50-d)': 500 objects, X (500, 50), names the, ,, ., ...)
    """
    with (BUNDLED / "common_words.npz").open("rb") as file, np.load(file, allow_pickle=False) as stored:
        vectors, words = stored["vectors"], stored["words"]
    return Dataset(
        title="500 common words (GloVe 6B, 50-d)",
        X=vectors,
        names=words,
        citation="J. Pennington, R. Socher and C. D. Manning, GloVe: Global Vectors for Word Representation, EMNLP "
        "2014, 1532-1543",
        license="PDDL 1.0 (public domain)",
    )
