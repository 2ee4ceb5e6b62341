"""MNIST: handwritten digits of 28 x 28 pixels, the objects of [Cook2007, Fig. 7 and 8].

The paper reduces all 60,000 training images to 30 dimensions by PCA and maps 5,000 of them. ``fetch_mnist`` downloads
the original files; 500 images of each class are bundled, and ``load_mnist_5000`` has them without a network.

An idx file is a header, which is two zero bytes, the type of the numbers (8: unsigned bytes), the number of axes and
the length of each as a big-endian 32-bit integer; and then the numbers, the last axis varying fastest.
"""

from __future__ import annotations

import math
import struct
from pathlib import Path
from typing import Literal

import numpy as np

from notebook_sne.datasets.dataset import BUNDLED, Dataset
from notebook_sne.datasets.downloads import DamagedFile, local_files, read_gzip
from notebook_sne.engine.checks.arguments import check_count
from notebook_sne.engine.checks.numbers import generator_of, show

__all__ = ["fetch_mnist", "load_mnist_5000", "load_turned_digits", "read_idx"]

# The name that the files of a part begin with, and its number of images.
_PARTS = {"train": ("train", 60_000), "test": ("t10k", 10_000)}
_CITATION = (
    "Y. LeCun, L. Bottou, Y. Bengio and P. Haffner, Gradient-based learning applied to document recognition, "
    "Proceedings of the IEEE 86 (1998) 2278-2324"
)
_LICENSE = "Copyright Y. LeCun and C. Cortes; commonly stated as CC BY-SA 3.0"


def load_mnist_5000() -> Dataset:
    """Return 5,000 MNIST images, the first 500 of each class in the training set; needs no network.

    Returns
    -------
    dataset : Dataset
        X (5000, 784) with values from 0 to 255, labels 0 to 9 in this order, images (5000, 28, 28) of uint8.

    Examples
    --------
    >>> load_mnist_5000()
    Dataset('MNIST, 500 of each digit': 5000 objects, X (5000, 784), labels 0..9, images (5000, 28, 28))
    """
    return _dataset("MNIST, 500 of each digit", *_bundled())


def _bundled():
    with (BUNDLED / "mnist_5000.npz").open("rb") as file, np.load(file, allow_pickle=False) as stored:
        return stored["images"], stored["labels"]


def load_turned_digits(n_views: int = 36, *, random_state: int | np.random.Generator | None = 0) -> Dataset:
    """Return ten MNIST images, one of each digit, each turned in its plane all the way round; needs no network.

    The views of a digit lie on a closed curve, as those of an object on a turntable do: a stand-in for COIL-20, which
    `fetch_coil20` fetches, on data that are bundled.

    Parameters
    ----------
    n_views : int, default 36
        Number of views of each digit, at least 3, at equal angles.
    random_state : int, numpy.random.Generator or None, default 0
        Seed of the choice of the ten; None gives others each time.

    Returns
    -------
    dataset : Dataset
        X (10 n_views, 784) with values from 0 to 255, interpolated and rounded; labels 0 to 9, all views of a digit
        together and in the order of their angles; images (10 n_views, 28, 28) of uint8.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range.

    Examples
    --------
    >>> load_turned_digits()
    Dataset('Ten digits in 36 views': 360 objects, X (360, 784), labels 0..9, images (360, 28, 28))
    """
    from scipy.ndimage import rotate

    check_count("n_views", n_views, 3)
    pixels, labels = _bundled()
    generator = generator_of(random_state)
    chosen = [generator.choice(np.flatnonzero(labels == k)) for k in range(10)]
    angles = 360 * np.arange(n_views) / n_views
    views = [rotate(pixels[i].astype(float), angle, reshape=False, order=1) for i in chosen for angle in angles]
    images = np.rint(np.clip(views, 0, 255)).astype(np.uint8)
    return _dataset(f"Ten digits in {n_views} views", images, np.repeat(np.arange(10), n_views))


def fetch_mnist(part: Literal["train", "test", "both"] = "train", *, progress: bool = True) -> Dataset:
    """Return the original MNIST images; downloads 10 MB once.

    Parameters
    ----------
    part : {"train", "test", "both"}, default "train"
        The 60,000 training images, the 10,000 test images, or all of them, training images first.
    progress : bool, default True
        Whether to show a progress bar while a file is downloaded.

    Returns
    -------
    dataset : Dataset
        X (60000, 784) with values from 0 to 255 (380 MB), labels 0 to 9, images (60000, 28, 28) of uint8.

    Raises
    ------
    ConnectionError
        If the files aren't here and can't be downloaded; the message says where to put them by hand.
    FileNotFoundError
        If the environment variable NOTEBOOK_SNE_DATA names a folder that doesn't exist.
    DamagedFile
        If a file, fetched or put there by hand, isn't the published one.
    """
    if part not in ("train", "test", "both"):
        raise ValueError(f'part must be "train", "test" or "both", got {show(part)}')
    parts = [_PARTS[name] for name in (("train", "test") if part == "both" else (part,))]
    keys = [f"mnist/{begin}-{rest}-ubyte.gz" for begin, _ in parts for rest in ("images-idx3", "labels-idx1")]
    files = iter(local_files(*keys, progress=progress))
    images, labels = [], []
    for _, n_images in parts:
        images.append(read_idx(next(files), (n_images, 28, 28)))
        labels.append(read_idx(next(files), (n_images,)))
    stacked = np.concatenate(images)
    title = {"train": "MNIST training images", "test": "MNIST test images", "both": "MNIST"}[part]
    return _dataset(title, stacked, np.concatenate(labels))


def read_idx(file: Path, shape: tuple[int, ...]) -> np.ndarray:
    """Read a gzipped idx file of unsigned bytes, which must hold an array of the given shape.

    DamagedFile if it holds anything else.
    """
    # The whole header is known beforehand, so nothing in the file decides how much is read or allocated.
    header = struct.pack(f">HBB{len(shape)}I", 0, 8, len(shape), *shape)
    size = len(header) + math.prod(shape)
    content = read_gzip(file, at_most=size)
    if content[:4] != header[:4]:
        raise DamagedFile(
            file,
            f"begins with 0x{content[:4].hex()}, not with the magic number 0x{header[:4].hex()} "
            f"of an idx file of bytes with {len(shape)} axes",
        )
    if content[: len(header)] != header:
        raise DamagedFile(file, f"does not announce an array of shape {shape}")
    if len(content) < size:
        raise DamagedFile(file, f"is cut off: it unpacks to {len(content)} bytes where {size} are expected")
    return np.frombuffer(content, np.uint8, offset=len(header)).reshape(shape)


def _dataset(title, images, labels):
    X, labels = images.reshape(len(images), -1), labels.astype(np.int64)
    return Dataset(title=title, X=X, labels=labels, images=images, citation=_CITATION, license=_LICENSE)
