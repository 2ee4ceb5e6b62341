"""Stochastic neighbour embeddings to watch, pause and take hold of in a notebook.

One road, always in the same direction::

    data -> affinities P -> cost and gradient -> optimiser (a generator of states) -> run -> player, pictures

``notebook_sne.datasets`` and ``notebook_sne.affinities`` make P; ``SNE``, ``SymmetricSNE``, ``UNISNE``, ``TSNE`` and
the mixtures are the models, each a scikit-learn estimator whose ``iterate`` is the same run as a plain ``for`` loop;
``Run`` drives one in a thread and keeps its ``Recording``; ``watch`` shows it live, ``compare`` several side by side,
``replay`` a recording; ``explore`` reads word senses off a mixture of maps. Every name is loaded when it is first used,
so that ``import notebook_sne`` is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from notebook_sne import affinities, datasets, quality, senses, views
    from notebook_sne.models.aspects import AspectMaps, MultipleMapsTSNE
    from notebook_sne.models.images import MixtureSNE
    from notebook_sne.models.knobs import Knobs
    from notebook_sne.models.sne import SNE
    from notebook_sne.models.state import State
    from notebook_sne.models.symmetric import SymmetricSNE
    from notebook_sne.models.tsne import TSNE
    from notebook_sne.models.unisne import UNISNE
    from notebook_sne.optimizers.iterate import DivergedError
    from notebook_sne.optimizers.schedules import Decay, Steps
    from notebook_sne.runs.recording import Recording
    from notebook_sne.runs.run import Run
    from notebook_sne.widgets.compare import Comparison, compare
    from notebook_sne.widgets.explorer import Explorer, explore
    from notebook_sne.widgets.player import Player, watch
    from notebook_sne.widgets.replay import Replay, replay

__version__ = "0.1.0"

__all__ = [
    "SNE",
    "SymmetricSNE",
    "UNISNE",
    "TSNE",
    "AspectMaps",
    "MultipleMapsTSNE",
    "MixtureSNE",
    "State",
    "Knobs",
    "Steps",
    "Decay",
    "DivergedError",
    "Run",
    "Recording",
    "Player",
    "watch",
    "Replay",
    "replay",
    "Comparison",
    "compare",
    "Explorer",
    "explore",
    "affinities",
    "datasets",
    "quality",
    "senses",
    "views",
]

_HOME = {
    "SNE": "models.sne",
    "SymmetricSNE": "models.symmetric",
    "UNISNE": "models.unisne",
    "TSNE": "models.tsne",
    "AspectMaps": "models.aspects",
    "MultipleMapsTSNE": "models.aspects",
    "MixtureSNE": "models.images",
    "State": "models.state",
    "Knobs": "models.knobs",
    "Steps": "optimizers.schedules",
    "Decay": "optimizers.schedules",
    "DivergedError": "optimizers.iterate",
    "Run": "runs.run",
    "Recording": "runs.recording",
    "Player": "widgets.player",
    "watch": "widgets.player",
    "Replay": "widgets.replay",
    "replay": "widgets.replay",
    "Comparison": "widgets.compare",
    "compare": "widgets.compare",
    "Explorer": "widgets.explorer",
    "explore": "widgets.explorer",
}


def __getattr__(name):
    if name in _HOME:
        value = getattr(import_module(f"notebook_sne.{_HOME[name]}"), name)
    elif name in __all__:
        value = import_module(f"notebook_sne.{name}")
    else:
        raise AttributeError(f"module 'notebook_sne' has no attribute {name!r}; it offers {', '.join(__all__)}")
    globals()[name] = value
    return value


def __dir__():
    return sorted([*globals(), *__all__])
