"""Photographs for the experiments: the Olivetti faces and COIL-20, which [Maaten2008, section 4] maps.

Neither is in the package: both are read from the folder that NOTEBOOK_SNE_DATA names. The faces come from scikit-learn
where that folder does not have them; the archive of COIL-20 has to be put there by hand, as `coil20/coil-20-proc.zip`.
"""

import io
import os
import re
import zipfile
from pathlib import Path

import numpy as np
from PIL import Image
from scipy.io import loadmat

COIL = "http://www.cs.columbia.edu/CAVE/databases/SLAM_coil-20_coil-100/coil-20/coil-20-proc.zip"
SIDE = 32


def _here(name):
    folder = os.environ.get("NOTEBOOK_SNE_DATA")
    path = Path(folder) / name if folder else None
    return path if path and path.exists() else None


def olivetti():
    """Return (images, persons): 400 faces of 40 people, pixels from 0 to 1, shape (400, 64, 64)."""
    file = _here("olivetti/olivettifaces.mat")
    if file is None:
        from sklearn.datasets import fetch_olivetti_faces

        faces = fetch_olivetti_faces()
        return faces.images.astype(float), faces.target
    # A column is an image, written column by column.
    images = loadmat(file)["faces"].T.reshape(-1, 64, 64).transpose(0, 2, 1) / 255
    return images, np.arange(len(images)) // 10


def coil20():
    """Return (images, objects): 20 objects in 72 views each, 5 degrees apart, pixels from 0 to 1, 32 x 32."""
    file = _here("coil20/coil-20-proc.zip")
    if file is None:
        raise FileNotFoundError(
            f"COIL-20 is not here; put {COIL} into the folder that NOTEBOOK_SNE_DATA names, as coil20/coil-20-proc.zip"
        )
    found = {}
    with zipfile.ZipFile(file) as archive:
        for name in archive.namelist():
            if numbers := re.search(r"obj(\d+)__(\d+)\.png$", name):
                image = np.asarray(Image.open(io.BytesIO(archive.read(name))), dtype=float) / 255
                step = len(image) // SIDE  # the public archive has 128 x 128 pixels
                found[tuple(map(int, numbers.groups()))] = image.reshape(SIDE, step, SIDE, step).mean(axis=(1, 3))
    order = sorted(found)
    return np.stack([found[key] for key in order]), np.array([thing for thing, _ in order])
