"""The commonest words of GloVe's file, in the folder that NOTEBOOK_SNE_DATA names, for benchmarks with many words."""

import gzip
import itertools
import os
from pathlib import Path

import numpy as np

__all__ = ["vectors"]


def vectors(n):
    """Return the n commonest words of GloVe's file, and their vectors (n, 50)."""
    path = Path(os.environ["NOTEBOOK_SNE_DATA"]) / "words" / "glove.6B.50d.top10000.txt.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [line.split() for line in itertools.islice(lines, n)]
    return [row[0] for row in rows], np.array([row[1:] for row in rows], dtype=float)
