"""USPS: handwritten digits of 16 x 16 pixels from American envelopes, the objects of [Hinton2002, Fig. 1].

The files are text. A line is an image: its label, then 256 gray values, row by row, from -1 (background) to 1 (ink).
No checksum is published, so a file is judged by its content: the shape, the range, the published number of images
of each class. [Hinton2002] cites Hull's database of 1994 for its 3,000, and doesn't say which images they are.
"""

from __future__ import annotations

import io

import numpy as np

from notebook_sne.datasets.dataset import Dataset
from notebook_sne.datasets.downloads import DamagedFile, local_files, read_gzip

__all__ = ["fetch_usps"]

# The published number of images of each class, 0 to 9.
_CLASS_COUNTS = {
    "usps/zip.train.gz": (1194, 1005, 731, 658, 652, 556, 664, 645, 542, 644),
    "usps/zip.test.gz": (359, 264, 198, 166, 200, 160, 170, 147, 166, 177),
}


def fetch_usps(*, progress: bool = True) -> Dataset:
    """Return the 9,298 USPS digits, training images first; downloads 2 MB once.

    ``fetch_usps().sample(600, labels=range(5))`` are as many digits of the classes 0 to 4 as [Hinton2002, Fig. 1] has.

    Parameters
    ----------
    progress : bool, default True
        Whether to show a progress bar while a file is downloaded.

    Returns
    -------
    dataset : Dataset
        X (9298, 256) with values from -1 to 1, labels 0 to 9, images (9298, 16, 16).

    Raises
    ------
    ConnectionError
        If the files aren't here and can't be downloaded; the message says where to put them by hand.
    FileNotFoundError
        If the environment variable NOTEBOOK_SNE_DATA names a folder that doesn't exist.
    DamagedFile
        If a file, fetched or put there by hand, doesn't hold the digits.
    """
    files = local_files(*_CLASS_COUNTS, check=_read, progress=progress)
    table = np.concatenate([_read(key, file) for key, file in zip(_CLASS_COUNTS, files, strict=True)])
    X = np.ascontiguousarray(table[:, 1:])
    return Dataset(
        title="USPS zip-code digits",
        X=X,
        labels=table[:, 0].astype(np.int64),
        images=X.reshape(-1, 16, 16),
        citation="J. J. Hull, A database for handwritten text recognition research, IEEE Transactions on Pattern "
        "Analysis and Machine Intelligence 16 (1994) 550-554; the files of T. Hastie, R. Tibshirani and J. Friedman, "
        "The Elements of Statistical Learning, 2009",
        license="None stated; use for research is customary",
    )


def _read(key, file):
    """Return the table in a file, shape (n_images, 257), or raise a DamagedFile."""
    class_counts = _CLASS_COUNTS[key]
    shape = (sum(class_counts), 257)
    # Eight characters a number, as in "-1.0000 ", and as much again for other ways to write it.
    text = read_gzip(file, at_most=16 * shape[0] * shape[1])
    if not text.strip():
        raise DamagedFile(file, "is empty")
    try:
        table = np.loadtxt(io.BytesIO(text), comments=None, encoding="ascii", ndmin=2)
    except ValueError as error:
        raise DamagedFile(file, "is not a table of 257 numbers a line") from error
    if table.shape != shape:
        raise DamagedFile(file, f"is a table of shape {table.shape} where {shape} is expected")
    # The negation catches NaN as well.
    if not np.abs(table[:, 1:]).max() <= 1:
        raise DamagedFile(file, "has gray values that are not numbers from -1 to 1")
    if not np.isin(table[:, 0], range(10)).all():
        raise DamagedFile(file, "has labels that are not digits")
    found = tuple(np.bincount(table[:, 0].astype(np.int64), minlength=10).tolist())
    if found != class_counts:
        raise DamagedFile(file, f"has {found} images of the classes 0 to 9 where {class_counts} are expected")
    return table
