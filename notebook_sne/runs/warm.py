"""Compile ahead of time: run every model for a few updates, so that what is compiled is on disk when somebody waits.

What a kernel is compiled for is the type of its arguments: single or double precision, two or more dimensions, a dense
or a sparse P. The few fits here meet all that the tutorials use. The code is kept beside the package, or, where that
cannot be written, where Numba keeps it (NUMBA_CACHE_DIR). It is for the processor it was made on; an image that will
run on others is warmed with NUMBA_CPU_NAME=generic, and has to be run with it, too.
"""

from itertools import islice

import numpy as np

from notebook_sne import affinities
from notebook_sne.models.aspects import AspectMaps, MultipleMapsTSNE
from notebook_sne.models.images import MixtureSNE
from notebook_sne.models.knobs import Knobs
from notebook_sne.models.sne import SNE
from notebook_sne.models.symmetric import SymmetricSNE
from notebook_sne.models.tsne import TSNE
from notebook_sne.models.unisne import UNISNE

__all__ = ["warm"]

_UPDATES = 4


def warm():
    """Run all models on 40 random objects, for what is compiled by it.

    Yields
    ------
    name : str
        What has been compiled now.
    """
    X = np.random.default_rng(0).standard_normal((40, 5))
    P = affinities.conditional(X, 8)
    yield "affinities"
    sparse = affinities.keep_large(affinities.conditional(X, 4, neighbours=12))[0]
    for kind in (SNE, SymmetricSNE, UNISNE, TSNE):
        _follow(kind(perplexity=8, random_state=0), X)
        _follow(kind(input="probabilities", n_components=3, random_state=0), P)
        _follow(kind(input="probabilities", optimizer="lbfgs", random_state=0), sparse)
        yield kind.__name__
    for kind, chosen in (
        (AspectMaps, {"normalisation": "conditional"}),
        (AspectMaps, {"normalisation": "joint"}),
        (MultipleMapsTSNE, {}),
    ):
        _follow(kind(n_maps=2, input="probabilities", random_state=0, **chosen), P)
        _follow(kind(n_maps=2, input="probabilities", extra_dimensions=2, random_state=0, **chosen), sparse)
        yield kind.__name__
    for model in (MixtureSNE(perplexity=8, random_state=0), MixtureSNE.simplified(perplexity=8, random_state=0)):
        _follow(model, X)
    yield "MixtureSNE"


def _follow(model, data):
    """Run a few updates, and ask what a player asks."""
    states = model.iterate(data, knobs=Knobs())
    for state in islice(states, _UPDATES):
        last = state
    if last.mixing is None and len(last.Y) == 1:
        states.forces(last, 0)
        states.costs(last)
