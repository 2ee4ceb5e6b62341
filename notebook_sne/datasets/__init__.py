"""Data sets: bundled ones, ones computed by a formula, and ones downloaded once.

``load_*`` needs no network. ``fetch_*`` downloads once into the user's cache folder, or reads the folder that the
environment variable ``NOTEBOOK_SNE_DATA`` names; ``FETCHERS`` lists these by a short name. ``associations`` reads
word associations of your own, ``from_graph`` takes a graph, and ``word_vectors`` vectors of words. Each returns a
``Dataset``, which carries its citation and its license.

========================== ======================== ======================================================
{list}
========================== ======================== ======================================================
"""

from collections.abc import Callable

from notebook_sne.datasets.associations import associations as associations
from notebook_sne.datasets.dataset import Dataset as Dataset
from notebook_sne.datasets.digits import load_digits as load_digits
from notebook_sne.datasets.downloads import DamagedFile as DamagedFile
from notebook_sne.datasets.facts import load_arithmetic as load_arithmetic
from notebook_sne.datasets.facts import load_family_trees as load_family_trees
from notebook_sne.datasets.graphs import from_graph as from_graph
from notebook_sne.datasets.hybrids import load_hybrid_digits as load_hybrid_digits
from notebook_sne.datasets.mnist import fetch_mnist as fetch_mnist
from notebook_sne.datasets.mnist import load_mnist_5000 as load_mnist_5000
from notebook_sne.datasets.mnist import load_turned_digits as load_turned_digits
from notebook_sne.datasets.nips import fetch_nips_authors as fetch_nips_authors
from notebook_sne.datasets.photographs import fetch_coil20 as fetch_coil20
from notebook_sne.datasets.photographs import fetch_olivetti as fetch_olivetti
from notebook_sne.datasets.relations import load_word_relations as load_word_relations
from notebook_sne.datasets.sentences import load_docstrings as load_docstrings
from notebook_sne.datasets.toys import load_circle as load_circle
from notebook_sne.datasets.toys import load_clusters as load_clusters
from notebook_sne.datasets.toys import load_rope as load_rope
from notebook_sne.datasets.toys import load_swiss_roll as load_swiss_roll
from notebook_sne.datasets.toys import load_two_rings as load_two_rings
from notebook_sne.datasets.two_maps import load_two_maps as load_two_maps
from notebook_sne.datasets.usf import fetch_usf_associations as fetch_usf_associations
from notebook_sne.datasets.usps import fetch_usps as fetch_usps
from notebook_sne.datasets.vectors import word_vectors as word_vectors
from notebook_sne.datasets.words import load_common_words as load_common_words

_LIST: tuple[tuple[Callable[..., Dataset], str, str], ...] = (
    (load_digits, "1,797 x 64", "digits, 8 x 8 pixels"),
    (load_mnist_5000, "5,000 x 784", "digits, 28 x 28 pixels, 500 of each class"),
    (load_turned_digits, "360 x 784", "ten digits, each turned all the way round"),
    (load_common_words, "500 x 50", "vectors of common English words"),
    (load_docstrings, "2,000 x 384", "sentences of docstrings, embedded by a model of language"),
    (load_word_relations, "P of 475 nouns", "relations from a dictionary, with their senses"),
    (load_hybrid_digits, "500 x 64", "digits, some of which are half one class, half another"),
    (load_two_maps, "P of 100 objects", "two maps in one P, a toy with a known answer"),
    (load_family_trees, "112 triples of 24 people", "the kinship of two families"),
    (load_arithmetic, "90 triples of 10 numbers", "the sums of numbers on a clock"),
    (load_swiss_roll, "1,000 x 3", "a rolled-up sheet"),
    (load_two_rings, "200 x 3", "two linked rings"),
    (load_rope, "600 x 3", "strands of a rope: long curved classes"),
    (load_circle, "100 x 2", "a circle"),
    (load_clusters, "500 x 10", "clusters of different size and density"),
    (fetch_mnist, "60,000 x 784", "the digits of [Cook2007, Fig. 7]; 10 MB"),
    (fetch_usps, "9,298 x 256", "the digits of [Hinton2002, Fig. 1]; 2 MB"),
    (fetch_usf_associations, "P of 1,000 words", "the word associations of [Cook2007, Fig. 5]; 10 MB"),
    (fetch_nips_authors, "676 x 13,649, and counts", "the authors of [Hinton2002, Fig. 2]; 3 MB"),
    (fetch_olivetti, "400 x 4,096", "the faces of [Maaten2008, section 4]; 4 MB"),
    (fetch_coil20, "1,440 x 1,024", "the objects of [Maaten2008, section 4]; 12 MB"),
)
"""The data sets, in reading order: what returns each, how much it is, and what; with MB where it is fetched."""

__all__ = ["Dataset", *(function.__name__ for function, _, _ in _LIST), "associations", "from_graph", "word_vectors"]
__all__ += ["FETCHERS", "DamagedFile"]

FETCHERS = {
    function.__name__.split("_")[1]: function for function, _, _ in _LIST if function.__name__.startswith("fetch_")
}
"""What can be fetched, by the name that ``notebook-sne fetch`` takes, the word after ``fetch_``; each is called as
``fetch(progress=...)``, and its files are in the folder of this name."""

_ROWS = [f"{f'``{function.__name__}``':26} {size:24} {what}" for function, size, what in _LIST]
__doc__ = (__doc__ or "").replace("{list}", "\n".join(_ROWS))
