"""Compile ahead of time: run every model for a few updates, so that compiled code is on disk when a cell needs it.

A kernel is compiled for the types of its arguments: single or double precision, two or more dimensions, a dense or a
sparse P. The few fits here use all types that occur in the tutorials, and some more.
`notebook_sne.engine.machine.compiled` says where the code is kept, and for which processors.
"""

from contextlib import suppress
from functools import partial
from itertools import islice

import numpy as np

from notebook_sne import affinities
from notebook_sne.baselines.metric_mds import MetricMDS
from notebook_sne.baselines.nca import NCA
from notebook_sne.baselines.sammon import Sammon
from notebook_sne.datasets.facts import load_family_trees
from notebook_sne.engine.fitting.knobs import Knobs
from notebook_sne.engine.machine.compiled import can_keep, folder, leave_mark
from notebook_sne.engine.mathematics.distances import nearest_of_all
from notebook_sne.engine.mathematics.neighbors import nearest_fitted
from notebook_sne.models import family
from notebook_sne.models.aspects import AspectMaps, MultipleMapsTSNE
from notebook_sne.models.images import MixtureSNE
from notebook_sne.relations.embedding import LRE

__all__ = ["warm"]

_UPDATES = 4
_TO_A_ROUND = 25  # updates of a model with several maps, until copies have moved
_SEVERAL: tuple = (
    (AspectMaps, {"normalization": "conditional"}),
    (AspectMaps, {"normalization": "joint"}),
    (MultipleMapsTSNE, {}),
)


def warm():
    """Run all models on 40 random objects, so that they are compiled; yield the name of what has been compiled now.

    OSError if there is no folder to keep it in.
    """
    if not can_keep():
        raise OSError(
            f"compiled code cannot be kept: {folder()} cannot be written; set NUMBA_CACHE_DIR to a folder that can"
        )
    # In the order in which the lectures need it: the first cell may be running already.
    X = np.random.default_rng(0).standard_normal((40, 5))
    single = [family.class_of(name) for name in family.members()]
    for kind in single:
        _follow(kind(perplexity=8, random_state=0), X)
        yield kind.__name__
    P = affinities.conditional(X, 8)
    sparse = affinities.keep_large(affinities.conditional(X, 4, neighbors=12))[0]
    for kind, chosen in _SEVERAL:
        _follow(kind(n_maps=2, input="probabilities", random_state=0, **chosen), P, _TO_A_ROUND)
        _follow(kind(n_maps=2, input="probabilities", extra_dimensions=2, random_state=0, **chosen), sparse)
        yield kind.__name__
    for model in (MixtureSNE(perplexity=8, random_state=0), MixtureSNE.simplified(perplexity=8, random_state=0)):
        _follow(model, X)
    yield "MixtureSNE"
    everyone = np.arange(len(X))
    nearest_of_all(X, everyone, 3)
    nearest_fitted(X, X, np.tile(everyone[:6], (len(X), 1)), 3)
    yield "affinities"
    for kind in single:
        _follow(kind(perplexity=8, sums="mesh", random_state=0), X)
    for kind, chosen in _SEVERAL:
        _follow(kind(n_maps=2, input="probabilities", sums="mesh", random_state=0, **chosen), P)
    _follow(family.class_of("TSNE")(perplexity=8, sums="mesh", init=1e3 * X[:, :2], random_state=0), X)  # a wide map
    yield "sums by mesh"
    for kind in single:
        _follow(kind(input="probabilities", n_components=3, random_state=0), P)
        _follow(kind(input="probabilities", optimizer="lbfgs", random_state=0), sparse)
    yield "more dimensions"
    once: dict = {"max_iter": 1, "random_state": 0, "progress": False}
    for kind in single:
        for n_components in (2, 3):
            kind(perplexity=8, n_components=n_components, **once).fit(X).transform(X)
    AspectMaps(n_maps=2, input="probabilities", **once).fit(P).place(P)
    yield "new objects"
    for baseline in (MetricMDS(random_state=0), Sammon(random_state=0), NCA(labels=everyone % 2, random_state=0)):
        _follow(baseline, X)
    yield "baselines"
    _follow(LRE(random_state=0), load_family_trees())
    yield "relations"
    leave_mark("warm")


def _follow(model, data, updates=_UPDATES):
    """Run a few updates, and compute the forces and costs that a player shows."""
    for n_jobs in (1, -1):  # with Numba's layer "workqueue", these are compiled apart
        states = model.set_params(n_jobs=n_jobs).iterate(data, knobs=Knobs())
        last = list(islice(states, updates))[-1]
        for shown in (partial(states.forces, last, 0), partial(states.costs, last)):
            with suppress(NotImplementedError):  # of several maps, and NCA's forces
                shown()
