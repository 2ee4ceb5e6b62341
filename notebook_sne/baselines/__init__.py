"""The maps that the papers argue with: linear ones, those that keep distances, and those that keep a graph.

Each is an estimator with the interface of the models: `fit`, `fit_transform`, `embedding_`, a cost of its own, vectors
or ``input="distances"`` where that makes sense. Those that iterate have states as well, so that `watch` shows them, a
`Run` records them, and a run goes on from one method to another. Those that are found at once have the same interface
and no `random_state`, as nothing is left to chance: their run stands still, so that `watch` and `compare` show them
beside others, and ``model.start()`` is their map as the `init` of a model.

==================== ==================================================== =========== ==============================
method               what it keeps                                        how         source
==================== ==================================================== =========== ==============================
`PCA`                the directions of most variance                      at once     [Hinton2013]
`LDA`                classes apart from each other, by their means        at once     [Hinton2013]
`NCA`                neighbors of one class, by a linear map              iterates    [Goldberger2005]
`ClassicalMDS`       inner products, by double centering                  at once     [Hinton2013]
`MetricMDS`          all distances, the long ones above all               iterates    [Kruskal1964]
`Sammon`             all distances, with more weight on the short ones    iterates    [Sammon1969]
`Isomap`             the lengths of paths from neighbor to neighbor       at once     [Hinton2013; Nabney]
`LLE`                weights that make an object of its neighbors         at once     [Hinton2013; Nabney]
`LaplacianEigenmaps` neighbors near each other                            at once     [Hinton2013]
`SOM`                neighbors on a grid near each other in the data      iterates    [Kohonen2013]
`GTM`                the same, by the likelihood of a curved sheet        iterates    [Bishop1998]
`MVU`                rods between neighbors, all else pulled apart        at once     [Hinton2013]
==================== ==================================================== =========== ==============================
"""

from notebook_sne.baselines.graphs import graph_parts
from notebook_sne.baselines.gtm import GTM
from notebook_sne.baselines.linear import LDA, PCA
from notebook_sne.baselines.metric_mds import MetricMDS
from notebook_sne.baselines.nca import NCA
from notebook_sne.baselines.neighborhoods import LLE, Isomap, LaplacianEigenmaps
from notebook_sne.baselines.sammon import Sammon
from notebook_sne.baselines.scaling import ClassicalMDS
from notebook_sne.baselines.som import SOM
from notebook_sne.baselines.unfolding import MVU

__all__ = ["PCA", "LDA", "NCA", "ClassicalMDS", "MetricMDS", "Sammon", "Isomap", "LLE", "LaplacianEigenmaps", "MVU"]
__all__ += ["SOM", "GTM", "graph_parts"]
