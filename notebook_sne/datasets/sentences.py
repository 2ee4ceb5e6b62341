"""Sentences as objects: what functions of Python packages do, as a model of language embeds it."""

from __future__ import annotations

import numpy as np

from notebook_sne.datasets.dataset import BUNDLED, Dataset

__all__ = ["load_docstrings"]


def load_docstrings() -> Dataset:
    """Return embeddings of 2,000 sentences that say what functions and classes of Python packages do; needs no network.

    Each sentence is the first line of a docstring: of the standard library, NumPy, SciPy, pandas, scikit-learn or
    NetworkX. The model all-MiniLM-L6-v2 turned it into a vector of 384 numbers, whose directions are to be compared:
    ``metric="cosine"``. They are kept to eight bits, which moves an angle by less than half a degree.

    Returns
    -------
    dataset : Dataset
        X (2000, 384); labels, the packages; names, such as ``zip_longest``; columns ``function``, its full name, and
        ``sentence``.

    Examples
    --------
    >>> load_docstrings().X.shape
    (2000, 384)
    """
    with (BUNDLED / "docstrings.npz").open("rb") as file, np.load(file, allow_pickle=False) as stored:
        X = stored["vectors"] * stored["units"][:, None].astype(float)
        rows = (line.split("\t") for line in stored["text"].tobytes().decode().split("\n"))
    functions, packages, sentences = map(np.array, zip(*rows, strict=True))
    return Dataset(
        title="2,000 docstrings (all-MiniLM-L6-v2)",
        X=X,
        labels=packages,
        names=np.array([function.rpartition(".")[2] for function in functions]),
        columns={"function": functions, "sentence": sentences},
        citation="N. Reimers and I. Gurevych, Sentence-BERT, EMNLP 2019; W. Wang and others, MiniLM, NeurIPS 2020",
        license="sentences: PSF-2.0 (standard library), BSD-3-Clause (the others); model: Apache-2.0",
    )
