"""Maps that are functions: codes by a network, which place new objects, with the extra ``networks``.

`network` has the network and what comes back from a gradient of its codes, `layout` makes of its weights what an
optimizer moves, `blocks` shares out the objects to threads. A model on top of them hands its gradient by the codes to
`Network.back`; autograd is imported there, and only there.
"""

from notebook_sne.networks.autoencoder import Autoencoder
from notebook_sne.networks.parametric import ParametricMap

__all__ = ["Autoencoder", "ParametricMap"]
