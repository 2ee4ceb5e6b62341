"""The maps that the papers argue with: linear ones, those that keep distances, and those that keep a graph.

Each is an estimator with the interface of the models: `fit`, `fit_transform`, `embedding_`, a cost of its own, vectors
or ``input="distances"`` where that makes sense. Those that iterate have states as well, so that `watch` shows them, a
`Run` records them, and a run goes on from one method to another.

==================== ==================================================== =========== ==============================
method               what it keeps                                        how         source
==================== ==================================================== =========== ==============================
`MetricMDS`          all distances, the long ones above all               iterates    [Kruskal1964]
`Sammon`             all distances, with more weight on the short ones    iterates    [Sammon1969]
==================== ==================================================== =========== ==============================
"""

from notebook_sne.baselines.metric_mds import MetricMDS
from notebook_sne.baselines.sammon import Sammon

__all__ = ["MetricMDS", "Sammon"]
