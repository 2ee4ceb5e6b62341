"""How good is a map? Numbers and a table, each of arrays alone, and none of them the cost that a model lowers.

- The hold-one-out kNN error asks whether objects lie among objects of their own class, the kNN confusion among those of
  which other class they lie if they do not (`classes`).
- Neighbor recall asks how many nearest neighbors are still neighbors in the map (`recall`).
- Trustworthiness asks the reverse, with ranks: whether neighbors in the map are near in the data (`ranks`).
- The Procrustes disparity asks whether two maps are the same picture, however turned, mirrored, moved or scaled
  (`alignment`).

Neighbors are exact (`neighbors`). Of objects at the same distance the one with the lower number is the nearer, so that
a map gives the same number on every machine and with any number of threads.
"""

from notebook_sne.quality.alignment import procrustes_disparity
from notebook_sne.quality.classes import knn_confusion, knn_error
from notebook_sne.quality.ranks import trustworthiness
from notebook_sne.quality.recall import neighbor_recall

__all__ = ["knn_error", "knn_confusion", "neighbor_recall", "trustworthiness", "procrustes_disparity"]
