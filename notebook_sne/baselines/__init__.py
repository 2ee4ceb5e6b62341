"""The maps that the papers argue with: linear ones, those that keep distances, and those that keep a graph.

Each is an estimator with the interface of the models: `fit`, `fit_transform`, `embedding_`, a cost of its own, vectors
or ``input="distances"`` where that makes sense. Those that iterate have states as well, so that `watch` shows them, a
`Run` records them, and a run goes on from one method to another.

==================== ==================================================== ============ ===============================
method               what it keeps                                        by           source
==================== ==================================================== ============ ===============================
==================== ==================================================== ============ ===============================

One module a method, or a small family.
"""

__all__: list[str] = []
