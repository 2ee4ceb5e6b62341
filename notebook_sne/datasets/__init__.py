"""Data sets: what comes along, what is computed by formula, and what is fetched once.

``load_*`` needs no network. ``fetch_*`` downloads once into the user's cache folder, or reads the folder that the
environment variable ``NOTEBOOK_SNE_DATA`` names; ``FETCHERS`` lists these by a short name. Each returns a ``Dataset``,
which carries its citation and its licence.
"""

from notebook_sne.datasets.dataset import Dataset
from notebook_sne.datasets.digits import load_digits
from notebook_sne.datasets.downloads import DamagedFile
from notebook_sne.datasets.mnist import fetch_mnist, load_mnist_5000
from notebook_sne.datasets.toys import load_clusters, load_swiss_roll, load_two_rings
from notebook_sne.datasets.usps import fetch_usps
from notebook_sne.datasets.words import load_common_words

__all__ = [
    "Dataset",
    "load_digits",
    "load_mnist_5000",
    "load_common_words",
    "load_swiss_roll",
    "load_two_rings",
    "load_clusters",
    "fetch_mnist",
    "fetch_usps",
    "FETCHERS",
    "DamagedFile",
]

FETCHERS = {"mnist": fetch_mnist, "usps": fetch_usps}
"""What can be fetched, by the name that ``notebook-sne fetch`` takes; each is called as ``fetch(progress=...)``."""
