"""Photographs: faces of 40 people, and 20 objects on a turntable, which [Maaten2008, section 4] maps.

The faces are a file of MATLAB, ``faces`` of shape (4096, 400), an image a column and written column by column; it is
read only after its published checksum has been verified. The objects are a zip file of 1,440 gray PNG images of one
size, ``obj1__0.png`` to ``obj20__71.png``, and are judged by that. Published are 128 x 128 pixels; the experiments of
the paper, and so this reader, take the means of squares that leave 32 x 32.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib

import numpy as np

from notebook_sne.datasets.dataset import Dataset
from notebook_sne.datasets.downloads import DamagedFile, local_files

__all__ = ["fetch_coil20", "fetch_olivetti"]

_FACES, _OBJECTS = "olivetti/olivettifaces.mat", "coil20/coil-20-proc.zip"
_N_PERSONS, _N_FACES, _FACE = 40, 10, 64
_N_OBJECTS, _N_VIEWS, _SIDE = 20, 72, 32
_LARGEST_SIDE = 128
_MOST_BYTES = 2 * _LARGEST_SIDE**2  # of a PNG of so many bytes of gray, which it can hardly make longer
_NAME = re.compile(r"obj([1-9]\d?)__(0|[1-9]\d?)\.png")


def fetch_olivetti(*, progress: bool = True) -> Dataset:
    """Return the 400 Olivetti faces, ten of each person; downloads 4 MB once.

    Parameters
    ----------
    progress : bool, default True
        Whether to show a progress bar while the file is downloaded.

    Returns
    -------
    dataset : Dataset
        X (400, 4096) with values from 0 to 242, labels 0 to 39, the person, images (400, 64, 64) of uint8. The paper
        had the larger photographs of the same people, 92 x 112 pixels.

    Raises
    ------
    ConnectionError
        If the file isn't here and can't be downloaded; the message says where to put it by hand.
    FileNotFoundError
        If the environment variable NOTEBOOK_SNE_DATA names a folder that doesn't exist.
    DamagedFile
        If the file, fetched or put there by hand, isn't the published one nor a copy with the same pixels.
    """
    from scipy.io import loadmat
    from scipy.io.matlab import MatReadError

    (file,) = local_files(_FACES, progress=progress)
    try:
        faces = loadmat(file, variable_names=["faces"])["faces"]
    except (KeyError, MatReadError, NotImplementedError, OSError, TypeError, ValueError, zlib.error) as error:
        raise DamagedFile(file, f"is not a MATLAB file with a variable faces ({error})") from error
    shape = (_FACE**2, _N_PERSONS * _N_FACES)
    if faces.dtype != np.uint8 or faces.shape != shape:
        raise DamagedFile(file, f"has faces of {faces.dtype}, shape {faces.shape}, where uint8, {shape}, is expected")
    images = np.ascontiguousarray(faces.T.reshape(-1, _FACE, _FACE).transpose(0, 2, 1))
    return Dataset(
        title="Olivetti faces",
        X=images.reshape(len(images), -1),
        labels=np.repeat(np.arange(_N_PERSONS), _N_FACES),
        images=images,
        citation="F. Samaria and A. Harter, Parameterisation of a stochastic model for human face identification, "
        "IEEE Workshop on Applications of Computer Vision, 1994; the file of S. Roweis",
        license="AT&T Laboratories Cambridge, who ask to be credited",
    )


def fetch_coil20(*, progress: bool = True) -> Dataset:
    """Return 1,440 photographs of 20 objects, each from 72 sides; downloads 12 MB once.

    The 72 views of an object follow each other in steps of 5 degrees, and the last is next to the first: in a map that
    keeps neighbors they make a closed loop.

    Parameters
    ----------
    progress : bool, default True
        Whether to show a progress bar while the file is downloaded.

    Returns
    -------
    dataset : Dataset
        X (1440, 1024) with values from 0 to 255, all views of the first object first; labels 1 to 20, the object; names
        such as "object 1, 355 degrees"; images (1440, 32, 32).

    Raises
    ------
    ConnectionError
        If the file isn't here and can't be downloaded; the message says where to put it by hand.
    FileNotFoundError
        If the environment variable NOTEBOOK_SNE_DATA names a folder that doesn't exist.
    DamagedFile
        If the file, fetched or put there by hand, doesn't hold the photographs.

    Warns
    -----
    UserWarning
        If the file is none of those that are known to hold them.
    """
    (file,) = local_files(_OBJECTS, check=_read, progress=progress)
    images = _read(_OBJECTS, file)
    objects = np.repeat(np.arange(1, _N_OBJECTS + 1), _N_VIEWS)
    degrees = np.tile(np.arange(_N_VIEWS) * 360 // _N_VIEWS, _N_OBJECTS)
    return Dataset(
        title="COIL-20",
        X=images.reshape(len(images), -1),
        labels=objects,
        names=np.array([f"object {which}, {angle} degrees" for which, angle in zip(objects, degrees, strict=True)]),
        images=images,
        citation="S. A. Nene, S. K. Nayar and H. Murase, Columbia Object Image Library (COIL-20), technical report "
        "CUCS-005-96, Columbia University, 1996",
        license="Columbia University, Center for Research on Intelligent Systems; for research, to be cited",
    )


def _read(_, file):
    """Return the images of an archive, shape (1440, 32, 32), in the order of objects and views; or a DamagedFile."""
    due = [(which, view) for which in range(1, _N_OBJECTS + 1) for view in range(_N_VIEWS)]
    try:
        with zipfile.ZipFile(file) as archive:
            members: dict[tuple[int, int], list[str]] = {}
            for member in archive.namelist():
                if found := _NAME.fullmatch(member.rpartition("/")[2]):
                    members.setdefault((int(found[1]), int(found[2])), []).append(member)
            n_images = sum(len(those) for those in members.values())
            if sorted(members) != due or n_images > len(due):
                raise DamagedFile(
                    file,
                    f"has {n_images} images of objects where one each of obj1__0.png to "
                    f"obj{_N_OBJECTS}__{_N_VIEWS - 1}.png is expected, {len(due)} in all",
                )
            images = np.stack([_image(file, archive, members[key][0]) for key in due])
    # RuntimeError: encrypted; NotImplementedError: packed by a method that zipfile does not know.
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, OSError) as error:
        raise DamagedFile(file, f"cannot be unpacked ({error})") from error
    except ValueError as error:
        if isinstance(error, DamagedFile):
            raise
        raise DamagedFile(file, "has images of different sizes") from error
    step = images.shape[1] // _SIDE
    return images.reshape(len(images), _SIDE, step, _SIDE, step).mean(axis=(2, 4))


def _image(file, archive, member):
    """Return a square gray image as an array."""
    from PIL import Image, UnidentifiedImageError

    with archive.open(member) as packed:
        content = packed.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise DamagedFile(file, f"holds more than {_MOST_BYTES} bytes of {member}")
    try:
        image = Image.open(io.BytesIO(content), formats=["PNG"])
        width, height = image.size
        if image.mode != "L" or width != height or width % _SIDE or not _SIDE <= width <= _LARGEST_SIDE:
            raise DamagedFile(
                file,
                f"has in {member} {width} x {height} pixels of mode {image.mode} where a square of gray, "
                f"{_SIDE} pixels wide or a multiple of it up to {_LARGEST_SIDE}, is expected",
            )
        return np.asarray(image)
    except (UnidentifiedImageError, OSError, SyntaxError, zlib.error) as error:
        raise DamagedFile(file, f"has in {member} no image ({error})") from error
