"""The small handwritten digits that come with scikit-learn."""

from __future__ import annotations

from notebook_sne.datasets.dataset import Dataset

__all__ = ["load_digits"]


def load_digits() -> Dataset:
    """Return 1,797 handwritten digits of 8 x 8 pixels; needs no network.

    They are the test part of a set that E. Alpaydin and C. Kaynak gathered from 43 people, reduced from 32 x 32
    black-and-white pixels by counting the black ones in blocks of 4 x 4.

    Returns
    -------
    dataset : Dataset
        X (1797, 64) with values from 0 to 16, labels 0 to 9 (174 to 183 of each), images (1797, 8, 8).

    Examples
    --------
    >>> load_digits()
    Dataset('Handwritten digits, 8 x 8 pixels': 1797 objects, X (1797, 64), labels 0..9, images (1797, 8, 8))
    """
    from sklearn import datasets

    digits = datasets.load_digits()
    return Dataset(
        title="Handwritten digits, 8 x 8 pixels",
        X=digits.data,
        labels=digits.target,
        images=digits.images,
        citation="E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits, UCI Machine Learning "
        "Repository, 1998, doi:10.24432/C50P49",
        license="CC BY 4.0",
    )
