"""Maps that are functions: networks whose codes keep neighbors, and that place new objects.

=============== ============================================================== ========================
model           what its codes are for                                         source
=============== ============================================================== ========================
`ParametricMap` the cost of SNE, t-SNE or another model, through a network     [Hinton2013; Maaten2009]
`Autoencoder`   reconstructions, alone or beside the cost of such a model      [Hinton2013]
`NNCA`          neighbors of the own class: non-linear NCA                     [Salakhutdinov2007]
=============== ============================================================== ========================

All are estimators with states, as the models are, so that `watch` shows them and a `Run` records them. They need the
extra ``networks``: ``pip install "notebook_sne[networks]"``.

`network` has the network and what comes back from a gradient of its codes, `layout` makes of its weights what an
optimizer moves, `blocks` shares out the objects to threads. A model on top of them hands its gradient by the codes to
`Network.back`; autograd is imported there, and only there.
"""

from notebook_sne.networks.autoencoder import Autoencoder
from notebook_sne.networks.nnca import NNCA
from notebook_sne.networks.parametric import ParametricMap

__all__ = ["NNCA", "Autoencoder", "ParametricMap"]
