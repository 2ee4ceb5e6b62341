"""Maps of relations: objects are vectors and relations matrices, learned from triples (object, relation, object).

`LRE`, linear relational embedding, is the general case and SNE a special one: there the only relation is to be near,
and its matrix is the identity.  [Hinton2002, section 6; Hinton2013; Paccanaro2001]  The facts are given as `Triples`,
or as tuples, an array or a table from which these are made.
"""

from notebook_sne.engine.objects.triples import Triples
from notebook_sne.relations.embedding import LRE

__all__ = ["LRE", "Triples"]
