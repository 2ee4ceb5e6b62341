"""Data sets: bundled ones, ones computed by a formula, and ones downloaded once.

``load_*`` needs no network. ``fetch_*`` downloads once into the user's cache folder, or reads the folder that the
environment variable ``NOTEBOOK_SNE_DATA`` names; ``FETCHERS`` lists these by a short name. ``associations`` reads
word associations of your own, ``word_vectors`` takes vectors of words. Each returns a ``Dataset``, which carries its
citation and its license.

========================== ======================== ================================================
``load_digits``            1,797 x 64               digits, 8 x 8 pixels
``load_mnist_5000``        5,000 x 784              digits, 28 x 28 pixels, 500 of each class
``load_turned_digits``     360 x 784                ten digits, each turned all the way round
``load_common_words``      500 x 50                 vectors of common English words
``load_word_relations``    P of 475 nouns           relations from a dictionary, with their senses
``load_hybrid_digits``     500 x 64                 digits, some of which are half one class, half another
``load_two_maps``          P of 100 objects         two maps in one P, a toy with a known answer
``load_family_trees``      112 triples of 24 people the kinship of two families
``load_arithmetic``        90 triples of 10 numbers the sums of numbers on a clock
``load_swiss_roll``        1,000 x 3                a rolled-up sheet
``load_two_rings``         200 x 3                  two linked rings
``load_rope``              600 x 3                  strands of a rope: long curved classes
``load_circle``            100 x 2                  a circle
``load_clusters``          500 x 10                 clusters of different size and density
``fetch_usps``             9,298 x 256              the digits of [Hinton2002, Fig. 1]; 2 MB
``fetch_mnist``            60,000 x 784             the digits of [Cook2007, Fig. 7]; 10 MB
``fetch_usf_associations`` P of 1,000 words         the word associations of [Cook2007, Fig. 5]; 10 MB
``fetch_olivetti``         400 x 4,096              the faces of [Maaten2008, section 4]; 4 MB
``fetch_coil20``           1,440 x 1,024            the objects of [Maaten2008, section 4]; 12 MB
``fetch_nips_authors``     676 x 13,649, and counts the authors of [Hinton2002, Fig. 2]; 3 MB
========================== ======================== ================================================
"""

from notebook_sne.datasets.associations import associations
from notebook_sne.datasets.dataset import Dataset
from notebook_sne.datasets.digits import load_digits
from notebook_sne.datasets.downloads import DamagedFile
from notebook_sne.datasets.facts import load_arithmetic, load_family_trees
from notebook_sne.datasets.hybrids import load_hybrid_digits
from notebook_sne.datasets.mnist import fetch_mnist, load_mnist_5000, load_turned_digits
from notebook_sne.datasets.nips import fetch_nips_authors
from notebook_sne.datasets.photographs import fetch_coil20, fetch_olivetti
from notebook_sne.datasets.relations import load_word_relations
from notebook_sne.datasets.toys import load_circle, load_clusters, load_rope, load_swiss_roll, load_two_rings
from notebook_sne.datasets.two_maps import load_two_maps
from notebook_sne.datasets.usf import fetch_usf_associations
from notebook_sne.datasets.usps import fetch_usps
from notebook_sne.datasets.vectors import word_vectors
from notebook_sne.datasets.words import load_common_words

__all__ = [
    "Dataset",
    "load_digits",
    "load_mnist_5000",
    "load_turned_digits",
    "load_common_words",
    "load_word_relations",
    "load_family_trees",
    "load_arithmetic",
    "load_swiss_roll",
    "load_two_rings",
    "load_rope",
    "load_clusters",
    "load_circle",
    "load_two_maps",
    "load_hybrid_digits",
    "associations",
    "word_vectors",
    "fetch_mnist",
    "fetch_usps",
    "fetch_usf_associations",
    "fetch_nips_authors",
    "fetch_olivetti",
    "fetch_coil20",
    "FETCHERS",
    "DamagedFile",
]

FETCHERS = {
    "mnist": fetch_mnist,
    "usps": fetch_usps,
    "usf": fetch_usf_associations,
    "nips": fetch_nips_authors,
    "olivetti": fetch_olivetti,
    "coil20": fetch_coil20,
}
"""What can be fetched, by the name that ``notebook-sne fetch`` takes; each is called as ``fetch(progress=...)``."""
